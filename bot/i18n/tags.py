"""Language tags: which of the languages at hand serves somebody best, and a language's own traits.

Babel's `negotiate_locale` answers with the request's spelling (no such file on Linux) and finds
nothing for zh-cn, pt-pt or sr, hence a matcher of our own on the same CLDR tables. It only ever
answers with the same language: no guess that who reads Ukrainian would like Russian.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from babel.core import Locale, UnknownLocaleError, get_global

RLM = "\N{RIGHT-TO-LEFT MARK}"

_LONGEST_TAG = 64
_RTL_SCRIPTS = frozenset({"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"})
# CLDR keeps `no` beside `nb`; Telegram sends either, and translators name their files either way.
_ALSO_CALLED = {"no": "nb"}
# Read by the same people; the parent that CLDR gives both.
_FAMILY = {"nb": "no", "nn": "no"}


@dataclass(frozen=True, slots=True)
class Tag:
    """A parsed language tag; script and territory are empty where nobody said."""

    language: str
    script: str = ""
    territory: str = ""

    def names(self) -> Iterator[str]:
        """The tag as CLDR's tables spell it, the fullest first."""
        for script, territory in (
            (self.script, self.territory),
            ("", self.territory),
            (self.script, ""),
            ("", ""),
        ):
            yield "_".join(part for part in (self.language, script, territory) if part)


def match(wanted: str | None, available: Iterable[str]) -> str | None:
    """The best of the available languages for `wanted`, as spelled there.

    None when none is the same language. Never raises, whatever a client sends.
    """
    return _match(wanted, tuple(available)) if wanted else None


def choose(wanted: str | None, available: Iterable[str], *fallbacks: str | None) -> str:
    """The best match for `wanted`, else for the fallbacks in turn, else the first there is."""
    languages = tuple(available)
    for tag in (wanted, *fallbacks):
        if found := match(tag, languages):
            return found
    if not languages:
        raise ValueError("no language to choose from")
    return languages[0]


@lru_cache(maxsize=4096)
def _match(wanted: str, available: tuple[str, ...]) -> str | None:
    spelled = _plain(wanted)
    for candidate in available:
        if _plain(candidate) == spelled:
            return candidate
    tag = parse(wanted)
    if tag is None:
        return None
    # sorted: a tie is decided by the spelling, not by the order files were found in
    scored = [(_closeness(tag, parse(candidate)), candidate) for candidate in sorted(available)]
    close = [(score, candidate) for score, candidate in scored if score]
    if not close:
        return None
    return max(close, key=lambda pair: (pair[0], -len(pair[1])))[1]


def _plain(tag: str) -> str:
    return tag.strip().replace("-", "_").casefold()


def _closeness(wanted: Tag, offered: Tag | None) -> int:
    """0: another language. Else higher is closer; script outweighs territory."""
    if offered is None or _family(wanted) != _family(offered):
        return 0
    ours, theirs = maximised(wanted), maximised(offered)
    return (
        1
        + 8 * (ours.language == theirs.language)
        + 4 * (ours.script == theirs.script)
        + 2 * (ours.territory == theirs.territory)
        + bool(_lineage(wanted) & _lineage(offered))
    )


def _family(tag: Tag) -> str:
    return _FAMILY.get(tag.language, tag.language)


def _lineage(tag: Tag) -> set[str]:
    """The regional forms that CLDR derives this one from, itself included: es_MX, es_419."""
    parents = get_global("parent_exceptions")
    full = maximised(tag)
    found: set[str] = set()
    for name in (
        f"{full.language}_{full.territory}",
        f"{full.language}_{full.script}_{full.territory}",
    ):
        while name.count("_") and name not in found:
            found.add(name)
            name = parents.get(name, "")
    return found


@lru_cache(maxsize=4096)
def parse(tag: str) -> Tag | None:
    """A tag in any of the spellings that clients and people use; None if it names no language.

    Variants and extensions are dropped, and so is a leading word: Telegram's community packs are
    called `ru-raw` or `classic-zh-cn`.
    """
    if len(tag) > _LONGEST_TAG:
        return None
    subtags = re.split(r"[-_]", re.split(r"[.@]", tag.strip())[0])
    if re.fullmatch(r"[A-Za-z]{4,8}", subtags[0]):
        subtags = subtags[1:]
    if not subtags or not re.fullmatch(r"[A-Za-z]{2,3}", subtags[0]):
        return None
    language = subtags[0].lower()
    alias = get_global("language_aliases").get(language, language).split("_")
    return _tag(_ALSO_CALLED.get(alias[0], alias[0]), [*subtags[1:], *alias[1:]])


def _tag(language: str, subtags: Iterable[str]) -> Tag:
    script = territory = ""
    for subtag in subtags:
        if len(subtag) == 1:  # from here on extensions and private use
            break
        if not script and re.fullmatch(r"[A-Za-z]{4}", subtag):
            script = subtag.title()
        elif not territory and re.fullmatch(r"[A-Za-z]{2}|[0-9]{3}", subtag):
            territory = subtag.upper()
    return Tag(language, script, territory)


def maximised(tag: Tag) -> Tag:
    """The tag with the script and territory filled in that CLDR thinks likely."""
    likely_subtags = get_global("likely_subtags")
    for name in tag.names():
        if name in likely_subtags:
            likely = _tag(tag.language, likely_subtags[name].split("_")[1:])
            return Tag(
                tag.language, tag.script or likely.script, tag.territory or likely.territory
            )
    return tag


@lru_cache(maxsize=512)
def babel_locale(tag: str) -> Locale | None:
    """Babel's data for a tag or for its nearest relative; None for a language Babel lacks."""
    parsed = parse(tag)
    for name in parsed.names() if parsed else ():
        try:
            return Locale.parse(name)
        except (UnknownLocaleError, ValueError):
            continue
    return None


def is_rtl(locale: str) -> bool:
    """Whether this language is written from right to left. Never raises."""
    tag = parse(locale)
    return tag is not None and maximised(tag).script in _RTL_SCRIPTS


def direction_mark(locale: str) -> str:
    """What to open a message with so that Telegram lays it out in this language's direction.

    A paragraph's direction is that of its first strong character, and a message may well begin
    with an emoji or a Latin title.
    """
    return RLM if is_rtl(locale) else ""


@lru_cache(maxsize=512)
def own_name(locale: str) -> str:
    """The language's name in itself, written as on a button: Tiếng Việt, Français, हिन्दी."""
    babel = babel_locale(locale)
    if babel is None:
        return locale
    name = babel.languages.get(str(babel)) or babel.get_display_name() or locale
    # title(), not upper(): Georgian has capitals that nobody begins a word with
    return name[0].title() + name[1:]
