"""A quiz as the bot plays it, from its files' models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bot.library.model import QuestionEntry, QuizFile, TranslatedQuestion, TranslationFile
from bot.quiz.quiz import Image, Question, Quiz, Wording


def build(
    id_: str, folder: Path, source: QuizFile, translations: Mapping[str, TranslationFile]
) -> Quiz:
    """The quiz. `folder` is where its pictures lie; translations are by language."""
    titles = {source.locale: source.title}
    titles |= {locale: file.title for locale, file in translations.items() if file.title}
    descriptions = {source.locale: source.description}
    descriptions |= {locale: file.description for locale, file in translations.items()}
    return Quiz(
        id=id_,
        locale=source.locale,
        titles=titles,
        descriptions={locale: text for locale, text in descriptions.items() if text},
        questions=tuple(_question(folder, source, q, translations) for q in source.questions),
        tags=tuple(source.tags),
        terms=tuple(source.terms),
        pass_mark=source.pass_mark,
        scoring=source.scoring,
    )


def _question(
    folder: Path,
    source: QuizFile,
    entry: QuestionEntry,
    translations: Mapping[str, TranslationFile],
) -> Question:
    wordings = {
        source.locale: Wording(
            source.locale, entry.question, entry.options, entry.explanation, _alt(entry)
        )
    }
    for locale, file in translations.items():
        translated = file.questions.get(entry.id)
        if translated and _is_whole(translated, entry):
            wordings[locale] = _wording(locale, translated, entry)
    return Question(
        id=entry.id,
        option_ids=tuple(entry.options),
        answer=frozenset(entry.answer.ids),
        wordings=wordings,
        multiple=entry.answer.multiple,
        shuffle=entry.shuffle,
        last=entry.last or None,
        image=Image(str(folder / entry.image)) if entry.image else None,
        link=entry.link or None,
    )


def _is_whole(translated: TranslatedQuestion, entry: QuestionEntry) -> bool:
    """Whether every text that the source has is there."""
    return (
        bool(translated.question)
        and entry.options.keys() <= translated.options.keys()
        and (bool(translated.explanation) or not entry.explanation)
        and (bool(translated.alt) or not _alt(entry))
    )


def _wording(locale: str, translated: TranslatedQuestion, entry: QuestionEntry) -> Wording:
    """In the source's order of options, and without texts that the source doesn't have."""
    return Wording(
        locale,
        translated.question,
        {id_: translated.options[id_] for id_ in entry.options},
        translated.explanation if entry.explanation else "",
        translated.alt if _alt(entry) else "",
    )


def _alt(entry: QuestionEntry) -> str:
    """Words for a picture that isn't there are not shown, nor wanted of a translation."""
    return entry.alt if entry.image else ""
