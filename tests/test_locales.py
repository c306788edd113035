"""Every catalogue says all that the code says, with the same placeholders, and fits Telegram."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from gettext import c2py
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from bot.i18n import Catalogues

ROOT = Path(__file__).parent.parent
# The same as in the extraction command of CONTRIBUTING.md
KEYWORDS = {"text": None, "plural": (1, 2), "term": ((1, "c"), 2), "pgettext": ((1, "c"), 2)}
LIMITS = {"description": 512, "short description": 120, "command": 256, "toast": 200}
CONTEXTS = {*LIMITS, "button", "option letters"}
ENDINGS = {".": ".।。۔", "…": "…", "?": "?？؟", ":": ":：", "!": "!！"}
BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Message:
    """A message with all its forms: one, or singular and plural, or all that the language has."""

    context: str | None
    forms: tuple[str, ...]

    @property
    def key(self) -> tuple[str | None, str]:
        return self.context, self.forms[0]


def written_in_the_code() -> list[Message]:
    """Every message of the bot. The sandbox has no words of its, quiz files speak to authors."""
    found = extract_from_dir(
        ROOT / "bot",
        [("sandbox/**", "ignore"), ("library/**", "ignore"), ("**.py", "python")],
        keywords=KEYWORDS,
    )
    return [Message(context, forms(said)) for _, _, said, _, context in found]


def forms(said: str | Iterable[str]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(said)


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], abort_invalid=True)


def shipped() -> dict[str, Catalog]:
    return {p.parts[-3]: read(p) for p in ROOT.glob("locales/*/LC_MESSAGES/quizbot.po")}


# --- what can be wrong


def problems(locale: str, catalog: Catalog, code: list[Message]) -> list[str]:
    """All that is wrong with a catalogue, a sentence each."""
    wanted = {message.key: message for message in code}
    found = [*of_the_header(locale, catalog)]
    there = set()
    for entry in catalog:
        if not entry.id:
            continue
        source = Message(entry.context, forms(entry.id))
        there.add(source.key)
        where = f"{locale}: {source.forms[0]!r}"
        if source.key not in wanted:
            found.append(f"{where} is not in the code")
        elif wanted[source.key].forms != source.forms:
            found.append(f"{where} has another plural in the code")
        elif entry.fuzzy:
            found.append(f"{where} is fuzzy")
        else:
            target = Message(entry.context, forms(entry.string or ""))
            plain = of_a_message(locale, source, target, for_one_number(catalog))
            found += [f"{where} {what}" for what in plain]
    found += [f"{locale}: {key[1]!r} is missing" for key in wanted if key not in there]
    return found + [f"{locale}: {key!r} is obsolete" for key in catalog.obsolete]


def of_the_header(locale: str, catalog: Catalog) -> Iterator[str]:
    if str(catalog.locale_identifier).replace("-", "_") != locale:
        yield f"{locale}: the header says Language: {catalog.locale_identifier}"
    rule = get_plural(locale)
    if (catalog.num_plurals, catalog.plural_expr) != (rule.num_plurals, rule.plural_expr):
        yield f"{locale}: the header should say Plural-Forms: {rule.plural_forms}"


def for_one_number(catalog: Catalog) -> set[int]:
    """The plural forms used for a single number, like English "one": they may leave it out."""
    rule = c2py(catalog.plural_expr)
    uses = Counter(rule(n) for n in range(1000))
    return {form for form, numbers in uses.items() if numbers == 1}


def of_a_message(
    locale: str, source: Message, target: Message, countless: set[int]
) -> Iterator[str]:
    if not all(target.forms):
        yield "is not translated"
        return
    for index, form in enumerate(target.forms):
        yield from of_a_form(locale, source, form)
        may_lack = {"n"} if len(source.forms) > 1 and index in countless else set()
        yield from of_placeholders(source.forms[-1], form, may_lack)
    if source.context == "option letters" and len(set(target.forms[0].split())) != 12:
        yield "does not hold twelve different letters"


def of_placeholders(original: str, form: str, may_lack: set[str]) -> Iterator[str]:
    try:
        theirs, ours = placeholders(form), placeholders(original)
    except ValueError as error:
        yield f"has a wrong placeholder ({error}): {form!r}"
    else:
        if set(ours - theirs) - may_lack or theirs - ours:
            yield f"has other placeholders: {form!r}"


def of_a_form(locale: str, source: Message, form: str) -> Iterator[str]:
    original = source.forms[-1]
    if ending(original) != ending(form):
        yield f"ends in another punctuation: {form!r}"
    if margins(original) != margins(form):
        yield f"begins or ends in other white space: {form!r}"
    if commands(original) != commands(form):
        yield f"names other commands: {form!r}"
    if BIDI_CONTROLS.search(form):
        yield f"holds a bidi control: {form!r}"
    if unicodedata.normalize("NFC", form) != form:
        yield f"is not in NFC: {form!r}"
    if locale != "en" and form == original and is_prose(original):
        yield "is left in English"
    if len(form.encode("utf-16-le")) // 2 > LIMITS.get(source.context or "", 4096):
        yield f"is too long for a {source.context}: {form!r}"


def placeholders(text: str) -> Counter[str]:
    """The names in braces. Raises ValueError for anything else in braces."""
    names: Counter[str] = Counter()
    for _, name, spec, conversion in Formatter().parse(text):
        if name is None:
            continue
        if spec or conversion or not name.isidentifier():
            raise ValueError(f"only a name may stand in braces, not {name!r}")
        names[name] += 1
    return names


def ending(text: str) -> str:
    last = text.rstrip()[-1:]
    return next((kind for kind, signs in ENDINGS.items() if last and last in signs), "")


def margins(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def commands(text: str) -> Counter[str]:
    return Counter(re.findall(r"(?<![\w}])/[a-z]+", text))


def is_prose(text: str) -> bool:
    """Two English words in a row, other than placeholders and commands."""
    bare = re.sub(r"\{\w+\}|/[a-z]+", "|", text)
    return bool(re.search(r"[A-Za-z]{2,} +[A-Za-z]{2,}", bare))


# --- the catalogues that are shipped


def test_english_hindi_and_vietnamese_are_shipped_and_load() -> None:
    assert {"en", "hi", "vi"} <= set(shipped())
    catalogues = Catalogues.load(ROOT / "locales", "en")
    assert set(catalogues.locales) == set(shipped())


def test_every_catalogue_is_complete_and_sound() -> None:
    code = written_in_the_code()
    assert [
        problem
        for locale, catalog in shipped().items()
        for problem in problems(locale, catalog, code)
    ] == []


def test_the_code_itself_is_sound_and_uses_known_contexts() -> None:
    """A misspelt context would evade its limit."""
    code = written_in_the_code()
    assert {message.context for message in code} <= {None, *CONTEXTS}
    assert [
        f"{form!r} {what}"
        for message in code
        for form in message.forms
        for what in (
            *of_a_form("en", Message(message.context, (form,)), form),
            *of_placeholders(form, form, set()),
        )
    ] == []


def test_the_code_has_words_and_the_option_letters_among_them() -> None:
    keys = {message.key for message in written_in_the_code()}
    assert ("option letters", "A B C D E F G H I J K L") in keys


def test_a_message_has_one_plural_everywhere() -> None:
    """gettext knows a message by its singular: two plurals of one would be one message."""
    seen: dict[tuple[str | None, str], set[tuple[str, ...]]] = {}
    for message in written_in_the_code():
        seen.setdefault(message.key, set()).add(message.forms)
    assert {key: said for key, said in seen.items() if len(said) > 1} == {}


# --- the checks find what they are for

CODE = [
    Message(None, ("Hello, {name}. Send /quiz.",)),
    Message(None, ("{n} question of {quiz}", "{n} questions of {quiz}")),
    Message("toast", ("Too late!",)),
    Message("option letters", ("A B C D E F G H I J K L",)),
]
SOUND = """
msgid ""
msgstr ""
"Language: hi\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

msgid "Hello, {name}. Send /quiz."
msgstr "नमस्ते, {name}। /quiz भेजें।"

msgid "{n} question of {quiz}"
msgid_plural "{n} questions of {quiz}"
msgstr[0] "{quiz} का {n} सवाल"
msgstr[1] "{quiz} के {n} सवाल"

msgctxt "toast"
msgid "Too late!"
msgstr "देर हो गई!"

msgctxt "option letters"
msgid "A B C D E F G H I J K L"
msgstr "A B C D E F G H I J K L"
"""


@pytest.fixture
def found(tmp_path: Path) -> Callable[[str], list[str]]:
    """The problems of a catalogue given as text."""

    def problems_of(text: str) -> list[str]:
        path = tmp_path / "hi" / "LC_MESSAGES" / "quizbot.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return problems("hi", read(path), CODE)

    return problems_of


def test_a_sound_catalogue_has_no_problems(found: Callable[[str], list[str]]) -> None:
    assert found(SOUND) == []


def test_only_a_form_for_a_single_number_may_leave_it_out() -> None:
    rules = {locale: Catalog(locale) for locale in ("en", "hi", "vi", "ru", "ar")}
    assert {locale: for_one_number(catalog) for locale, catalog in rules.items()} == {
        "en": {0},
        "hi": set(),
        "vi": set(),
        "ru": set(),
        "ar": {0, 1, 2},
    }


@pytest.mark.parametrize(
    ("sound", "damaged", "said"),
    [
        ("{name}। /", "। /", "has other placeholders"),
        ("{name}। /", "{nmae}। /", "has other placeholders"),
        ("{name}। /", "{name} {name}। /", "has other placeholders"),
        ("{name}। /", "{name। /", "has a wrong placeholder"),
        ("{name}। /", "{}। /", "only a name may stand in braces"),
        ("{name}। /", "{name!r}। /", "only a name may stand in braces"),
        ("{quiz} के", "", "has other placeholders"),
        ("{quiz} का {n}", "{quiz} का एक", "has other placeholders"),
        ("भेजें।", "भेजें", "ends in another punctuation"),
        ("भेजें।", "भेजें?", "ends in another punctuation"),
        ("हो गई!", "हो गई…", "ends in another punctuation"),
        ("हो गई!", "हो गई! ", "begins or ends in other white space"),
        ("नमस्ते", "\\nनमस्ते", "begins or ends in other white space"),
        ("/quiz भेजें", "/start भेजें", "names other commands"),
        ("/quiz भेजें", "भेजें", "names other commands"),
        ("नमस्ते", "नम\u200fस्ते", "holds a bidi control"),
        ("नमस्ते", "a\u0301", "is not in NFC"),
        ('"देर हो गई!"', '""', "is not translated"),
        ('[1] "{quiz} के {n} सवाल"', '[1] ""', "is not translated"),
        ('msgstr[1] "{quiz} के {n} सवाल"\n', "", "is not translated"),
        ("देर हो गई!", "Too late!", "is left in English"),
        ("देर हो", "देर " * 60 + "हो", "is too long for a toast"),
        ('"A B C D E F G H I J K L"\n', '"A B C"\n', "twelve different letters"),
        ('msgctxt "toast"', '#, fuzzy\nmsgctxt "toast"', "is fuzzy"),
        ('msgctxt "toast"\n', "", "'Too late!' is not in the code"),
        ('msgctxt "toast"\n', "", "'Too late!' is missing"),
        ("questions of", "issues of", "has another plural in the code"),
        ("Language: hi", "Language: vi", "the header says Language: vi"),
        ("(n > 1)", "(n != 1)", "the header should say Plural-Forms: nplurals=2; plural=(n > 1)"),
        ("nplurals=2", "nplurals=3", "the header should say Plural-Forms"),
        ("\nmsgid", '\n#~ msgid "Old"\n#~ msgstr "पुराना"\n\nmsgid', "is obsolete"),
    ],
)
def test_a_damaged_catalogue_is_found_out(
    found: Callable[[str], list[str]], sound: str, damaged: str, said: str
) -> None:
    head, _, tail = SOUND.rpartition(sound)
    assert sound in SOUND
    assert any(said in problem for problem in found(head + damaged + tail))
