"""The interface's catalogues: `<folder>/<locale>/LC_MESSAGES/quizbot.po`, compiled in memory.

There is no .mo step to forget: who edits a .po restarts the bot. Messages are written in English
in the code, so English is always there, and stands in for what a catalogue lacks.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from babel.core import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

from bot.i18n.language import LATIN_LETTERS, Language, option_letters
from bot.i18n.tags import babel_locale, is_rtl, match, maximised, own_name, parse

SOURCE = "en"

# For quizzes in languages the interface does not speak; a catalogue's own letters come first.
_LETTERS = {
    "ar": "أ ب ج د ه و ز ح ط ي ك ل",
    "fa": "الف ب ج د ه و ز ح ط ی ک ل",
    "he": "א ב ג ד ה ו ז ח ט י כ ל",
    "el": "Α Β Γ Δ Ε Ζ Η Θ Ι Κ Λ Μ",
    "ru": "А Б В Г Д Е Ж З И К Л М",
    "uk": "А Б В Г Д Е Ж З И К Л М",
}

_LINE = re.compile(
    r"""(\#.*)? | ((msgctxt|msgid|msgid_plural|msgstr(\[[0-9]\])?)\s*)?"([^"\\]|\\.)*" """,
    re.VERBOSE,
)


class CatalogueError(Exception):
    """A catalogue that cannot be used; the text says which file, where and why."""


@dataclass(frozen=True, slots=True)
class Catalogues:
    """All languages of the interface, by their locale. English is always among them."""

    languages: Mapping[str, Language]
    default: Language

    @classmethod
    def load(cls, folder: Path, default: str) -> Catalogues:
        """Every catalogue of the folder. A default that isn't there becomes English.

        Raises:
            CatalogueError: a file that is no catalogue, or a folder that isn't there.
        """
        if not folder.is_dir():
            raise CatalogueError(
                f"{folder}: no such folder; the interface's languages are missing"
            )
        words: dict[str, NullTranslations] = {SOURCE: NullTranslations()}
        for path in sorted(folder.glob("*/LC_MESSAGES/quizbot.po")):
            words[path.parts[-3]] = _read(path)
        for locale, translations in words.items():
            if locale != SOURCE:
                translations.add_fallback(words[SOURCE])
        languages = {locale: _language(folder, locale, words[locale]) for locale in sorted(words)}
        return cls(languages, languages[match(default, languages) or SOURCE])

    @property
    def locales(self) -> tuple[str, ...]:
        """The locales, as the folders spell them, in alphabetical order."""
        return tuple(self.languages)

    def language(self, wanted: str | None) -> Language:
        """The language that serves `wanted` best, else the default."""
        found = match(wanted, self.languages)
        return self.default if found is None else self.languages[found]

    def letters(self, locale: str, n: int = len(LATIN_LETTERS)) -> tuple[str, ...]:
        """The first n letters of options for texts in this language, n up to 12.

        From the catalogue of the same language and script, if there is one.
        """
        tag = parse(locale)
        found = match(locale, self.languages)
        if found and tag and _script(found) == _script(locale):
            return self.languages[found].letters(n)
        if tag and tag.language in _LETTERS and _script(locale) == _script(tag.language):
            return tuple(_LETTERS[tag.language].split())[:n]
        return LATIN_LETTERS[:n]


def _script(locale: str) -> str:
    tag = parse(locale)
    return maximised(tag).script if tag else ""


def _language(folder: Path, locale: str, words: NullTranslations) -> Language:
    babel: Locale | None = babel_locale(locale)
    if babel is None:
        raise CatalogueError(f"{folder / locale}: no language is called {locale!r}")
    return Language(
        locale=locale,
        name=own_name(locale),
        rtl=is_rtl(locale),
        all_letters=option_letters(words),
        _words=words,
        _babel=babel,
    )


def _read(path: Path) -> GNUTranslations:
    text = _utf8(path)
    _check_lines(path, text)
    try:
        translations = _compiled(read_po(io.StringIO(text), abort_invalid=True))
        for n in range(201):  # a rule may divide by zero only for some numbers
            translations.ngettext("", "", n)
    except PoFileError as error:
        raise CatalogueError(f"{path}:{error.lineno + 1}: {_reason(error)}") from error
    except (ValueError, ArithmeticError, OverflowError, RecursionError) as error:
        # all that is left to go wrong is in the header
        line = _line_of(text, "Plural-Forms")
        raise CatalogueError(f"{path}:{line}: the header is wrong: {error}") from error
    return translations


def _check_lines(path: Path, text: str) -> None:
    """Babel takes a line without its closing quote, and silently cuts the text's last letter."""
    for number, line in enumerate(text.split("\n"), 1):
        if not _LINE.fullmatch(line.strip()):
            raise CatalogueError(f'{path}:{number}: not of the form msgstr "…"; mind the quotes')


def _utf8(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CatalogueError(f"{path}:{line}: not UTF-8") from error


def _compiled(catalog: Catalog) -> GNUTranslations:
    catalog.charset = "utf-8"
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    buffer.seek(0)
    return GNUTranslations(buffer)


def _reason(error: PoFileError) -> str:
    return str(error).rpartition(" on ")[0]


def _line_of(text: str, word: str) -> int:
    return text.count("\n", 0, max(0, text.find(word))) + 1
