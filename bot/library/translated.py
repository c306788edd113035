"""What must hold between a translation and its source."""

from __future__ import annotations

from collections.abc import Iterator

from bot.library.outline import Outline, Strings
from bot.library.rules import check_options
from bot.library.source import File
from bot.library.texts import did_you_mean, has_term, shown, terms_in
from bot.library.tree import Mapping, Scalar


def check_translation(file: File, root: Mapping, source: Outline) -> None:
    """Notes what is unknown, missing, stale, or has lost a term."""
    _check_heading(file, root, source)
    if not source.questions:
        return  # the source has its own problem, and nothing here could be right
    questions = root.mapping("questions") or Mapping(*root.place)
    for id_, node in questions.values.items():
        if id_ not in source.questions:
            mend = did_you_mean(id_, list(source.questions))
            what = f"the quiz has no question {shown(id_)}"
            file.report("unknown-question", questions.keys[id_].place, what, mend)
        elif isinstance(node, Mapping):
            _check_question(file, id_, node, questions.keys[id_], source)
    for id_ in source.questions:
        if id_ not in questions.values:
            mend = "Translate it; until then it falls back to another language."
            what = f"question {id_} is not translated"
            file.report("untranslated", questions.place, what, mend)


def _check_heading(file: File, root: Mapping, source: Outline) -> None:
    if "title" not in root.values:
        mend = "Add title: and the quiz's name in this language."
        file.report("untranslated", root.place, "the title is not translated", mend)
    if source.description and "description" not in root.values:
        mend = "Add description: in this language."
        what = "the description is not translated"
        file.report("untranslated", root.place, what, mend)
    for key, text in (("title", source.title), ("description", source.description)):
        _check_terms(file, root.scalar(key), text, source.terms)


def _check_question(file: File, id_: str, node: Mapping, key: Scalar, source: Outline) -> None:
    strings = source.questions[id_]
    options = node.mapping("options") or Mapping(*node.place)
    for option in options.values:
        if option not in strings.options:
            mend = did_you_mean(option, list(strings.options))
            what = f"question {id_} has no option {shown(option)}"
            file.report("unknown-option", options.keys[option].place, what, mend)
    check_options(file, options)
    missing = list(_missing(node, options, strings))
    if missing:
        mend = "Translate it too; until then the whole question falls back to another language."
        what = f"question {id_} lacks {', '.join(missing)}"
        file.report("untranslated", key.place, what, mend)
    made_from = node.scalar("source")
    if made_from and made_from.text != strings.hash:
        mend = f"Compare the texts, then write source: {strings.hash}."
        what = f"question {id_} was made from an older source"
        file.report("stale", made_from.place, what, mend)
    for text, original in _pairs(node, options, strings):
        _check_terms(file, text, original, source.terms)


def _missing(node: Mapping, options: Mapping, strings: Strings) -> Iterator[str]:
    for key, text in _texts(strings):
        if text and key not in node.values:
            yield key
    for option in strings.options:
        if option not in options.values:
            yield f"option {option}"


def _pairs(
    node: Mapping, options: Mapping, strings: Strings
) -> Iterator[tuple[Scalar | None, str]]:
    for key, text in _texts(strings):
        yield node.scalar(key), text
    for option, text in strings.options.items():
        yield options.scalar(option), text


def _texts(strings: Strings) -> tuple[tuple[str, str], ...]:
    return (
        ("question", strings.question),
        ("explanation", strings.explanation),
        ("alt", strings.alt),
    )


def _check_terms(file: File, text: Scalar | None, source: str, terms: tuple[str, ...]) -> None:
    if not text or not text.text:
        return
    for term in terms_in(source, terms):
        if not has_term(text.text, term):
            mend = f"Write {term} as in the source, or take it out of the quiz's terms."
            file.report("term", text.place, f"the term {term} is missing", mend)
