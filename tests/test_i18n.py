"""Which language for whom, and how a language writes what it is given."""

from __future__ import annotations

import datetime as dt
import logging
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.core import Locale
from babel.localedata import locale_identifiers
from babel.messages.plurals import get_plural

from bot.i18n import (
    CatalogueError,
    Catalogues,
    Language,
    Raw,
    choose,
    direction_mark,
    is_rtl,
    isolate,
    match,
    own_name,
)

# Telegram's official language packs: what `language_code` may hold
CODES = """
en af sq am ar az eu be bn bg my ca zh-hans zh-hant hr cs da nl eo et fi fr gl de el gu he hi hu
id ga it ja kn kk km ko lv lt ms ml mt mr nb or fa pl pt-br pt-pt ro ru sr sk sl es sw sv ta te
th tr tk uk ur uz vi
"""
TELEGRAM = CODES.split()

CATALOGUES = "en hi vi ru es it id he fil ar fa nb uk tr uz sr_Latn zh_Hans zh_Hant pt_BR"
MANY = CATALOGUES.split()


# --- the matcher


@pytest.mark.parametrize("code", TELEGRAM)
def test_each_telegram_language_finds_its_own_catalogue(code: str) -> None:
    names = {"zh-hans": "zh_Hans", "zh-hant": "zh_Hant", "pt-br": "pt_BR", "pt-pt": "pt_PT"}
    everything = [names.get(other, other) for other in TELEGRAM]
    assert match(code, everything) == names.get(code, code)


@pytest.mark.parametrize("code", TELEGRAM)
def test_each_telegram_language_gets_its_own_language_or_none(code: str) -> None:
    found = match(code, MANY)
    assert found is None or found.split("_")[0] == code.split("-")[0]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("zh-cn", "zh_Hans"),
        ("zh", "zh_Hans"),
        ("zh-sg", "zh_Hans"),
        ("zh-hans-cn", "zh_Hans"),
        ("zh-hant-tw", "zh_Hant"),
        ("zh-tw", "zh_Hant"),
        ("zh-hk", "zh_Hant"),
        ("zh-mo", "zh_Hant"),
        ("ZH-HANS", "zh_Hans"),
        ("classic-zh-cn", "zh_Hans"),
        ("pt", "pt_BR"),
        ("pt-br", "pt_BR"),
        ("pt-pt", "pt_BR"),
        ("sr", "sr_Latn"),
        ("sr-latn", "sr_Latn"),
        ("sr-cyrl", "sr_Latn"),
        ("sh", "sr_Latn"),
        ("ru-raw", "ru"),
        ("es-419", "es"),
        ("es-MX", "es"),
        ("it-IT", "it"),
        ("en_US", "en"),
        ("en-GB", "en"),
        ("en-XA", "en"),
        ("hi_IN.UTF-8", "hi"),
        ("no", "nb"),
        ("nb", "nb"),
        ("nn", "nb"),
        ("nb-NO", "nb"),
        ("in", "id"),
        ("iw", "he"),
        ("tl", "fil"),
        ("uz-cyrl", "uz"),
        ("vi-VN", "vi"),
        (" hi ", "hi"),
        # a relative is another language, and nobody's guess to make
        ("be", None),
        ("kk", None),
        ("yue", None),
        ("nds", None),
        # what names no language
        ("", None),
        (None, None),
        (" ", None),
        ("xx", None),
        ("xx-raw", None),
        ("und", None),
        ("english", None),
        ("x-en", None),
        ("-", None),
        ("_en", None),
        ("e", None),
        ("12", None),
        ("हिन्दी", None),
        ("ｅｎ-us", None),
        ("en" * 500, None),
        ("\0", None),
    ],
)
def test_who_wants_this_gets_that(wanted: str | None, found: str | None) -> None:
    assert match(wanted, MANY) == found


@pytest.mark.parametrize(
    ("wanted", "available", "found"),
    [
        # the answer is spelled as the catalogue is
        ("pt-br", ["pt-BR"], "pt-BR"),
        ("zh_hans", ["zh-hans"], "zh-hans"),
        # script before territory, territory before the bare language
        ("zh-hk", ["zh_Hans_HK", "zh_Hant_TW"], "zh_Hant_TW"),
        ("zh-hant", ["zh_Hans"], "zh_Hans"),
        ("pt-pt", ["pt_BR", "pt_PT"], "pt_PT"),
        ("pt-pt", ["pt", "pt_PT"], "pt_PT"),
        ("pt", ["pt_PT", "pt_BR"], "pt_BR"),
        ("sr", ["sr_Latn", "sr"], "sr"),
        ("sr-me", ["sr", "sr_Latn"], "sr_Latn"),
        ("en-US", ["en_GB", "en"], "en"),
        # regional forms that CLDR derives from one another
        ("es-mx", ["es", "es_419"], "es_419"),
        ("es-es", ["es_419", "es"], "es"),
        ("en-AU", ["en", "en_GB"], "en_GB"),
        ("pt-ao", ["pt_BR", "pt_PT"], "pt_PT"),
        ("zh-mo", ["zh_Hant_TW", "zh_Hant_HK"], "zh_Hant_HK"),
        # the three names of Norwegian
        ("no", ["nn", "nb"], "nb"),
        ("nb", ["nn", "no"], "no"),
        ("nn", ["nb", "nn"], "nn"),
        ("nn", ["no"], "no"),
        # old codes on either side
        ("he", ["iw"], "iw"),
        ("fil", ["tl"], "tl"),
        # a language CLDR has never heard of is still itself
        ("tlh", ["en", "tlh"], "tlh"),
        ("tlh-latn", ["en", "tlh"], "tlh"),
        # equally near: neither the order nor chance decides
        ("de", ["de_CH", "de_AT"], "de_AT"),
        ("de", ["de_AT", "de_CH"], "de_AT"),
        ("en", [], None),
        ("en", ["", "nonsense!"], None),
    ],
)
def test_the_nearest_of_these_is_found(
    wanted: str, available: list[str], found: str | None
) -> None:
    assert match(wanted, available) == found


def test_choosing_goes_through_the_fallbacks_and_ends_at_the_first() -> None:
    assert choose("hi-IN", ["en", "hi"]) == "hi"
    assert choose("ta", ["en", "hi"], None, "xx", "hi-Latn", "en") == "hi"
    assert choose(None, ["vi", "en"], "de") == "vi"
    assert choose("en", iter(["vi", "en"])) == "en"
    with pytest.raises(ValueError, match="no language to choose from"):
        choose("en", [])


def test_the_direction_is_babels_for_every_language_babel_has() -> None:
    regionless = [
        name for name in locale_identifiers() if not re.search("_([A-Z]{2}|[0-9]+)", name)
    ]
    assert len(regionless) > 200
    wrong = [
        name for name in regionless if is_rtl(name) != (Locale.parse(name).text_direction == "rtl")
    ]
    assert wrong == []


def test_only_right_to_left_languages_get_a_mark() -> None:
    assert {code for code in TELEGRAM if direction_mark(code)} == {"ar", "fa", "he", "ur"}
    assert direction_mark("uz-arab") == "\u200f"
    assert direction_mark("xx") == direction_mark("") == ""


@pytest.mark.parametrize(
    ("locale", "name"),
    [
        ("en", "English"),
        ("hi", "हिन्दी"),
        ("vi", "Tiếng Việt"),
        ("fr", "Français"),
        ("ru", "Русский"),
        ("ar", "العربية"),
        ("ka", "ქართული"),
        ("zh_Hans", "简体中文"),
        ("pt-br", "Português (Brasil)"),
        ("no", "Norsk bokmål"),
        ("en_XA", "English"),
        ("tlh", "tlh"),
        ("", ""),
    ],
)
def test_a_language_is_called_by_its_own_name(locale: str, name: str) -> None:
    assert own_name(locale) == name


def test_every_telegram_language_has_a_name_of_its_own() -> None:
    assert len({own_name(code) for code in TELEGRAM} - set(TELEGRAM)) == len(TELEGRAM)


# --- catalogues

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a catalogue: its locale, its messages in .po form, and its plural rule."""

    def written(locale: str, messages: str = "", rule: str | None = None) -> Path:
        path = tmp_path / locale / "LC_MESSAGES" / "quizbot.po"
        path.parent.mkdir(parents=True)
        header = f"Plural-Forms: {rule or get_plural(locale.split('_')[0])}"
        path.write_text(f'msgid ""\nmsgstr "{header}\\n"\n\n{messages}', encoding="utf-8")
        return path

    return written


def load(folder: Path, default: str = "en") -> Catalogues:
    return Catalogues.load(folder, default)


def only(write: Write, folder: Path, locale: str, messages: str = "") -> Language:
    write(locale, messages)
    return load(folder).languages[locale]


def test_an_empty_folder_still_speaks_english(tmp_path: Path) -> None:
    catalogues = load(tmp_path, "de")
    assert catalogues.locales == ("en",)
    assert catalogues.default.text("Hello") == "Hello"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="locales: no such folder"):
        load(tmp_path / "locales")


def test_everyone_gets_the_best_catalogue_or_the_default(write: Write, tmp_path: Path) -> None:
    for locale in ("en", "hi", "vi", "pt_BR"):
        write(locale)
    catalogues = load(tmp_path, "vi-VN")
    assert catalogues.locales == ("en", "hi", "pt_BR", "vi")
    assert catalogues.language("pt").locale == "pt_BR"
    assert catalogues.language("de") is catalogues.language(None) is catalogues.default
    assert catalogues.default.locale == "vi"
    assert [language.name for language in catalogues.languages.values()] == [
        "English",
        "हिन्दी",
        "Português (Brasil)",
        "Tiếng Việt",
    ]


def test_a_message_without_a_translation_is_english(write: Write, tmp_path: Path) -> None:
    write("en", 'msgid "Hello"\nmsgstr "Hello there"\n')
    write("hi", '#, fuzzy\nmsgid "Hello"\nmsgstr "?"\n\nmsgid "Next"\nmsgstr "अगला"\n')
    hindi = load(tmp_path).languages["hi"]
    assert hindi.text("Next") == "अगला"
    assert hindi.text("Hello") == "Hello there"
    assert hindi.text("Never extracted") == "Never extracted"


def test_a_context_tells_two_messages_apart(write: Write, tmp_path: Path) -> None:
    messages = 'msgctxt "button"\nmsgid "Open"\nmsgstr "Mở"\n\nmsgid "Open"\nmsgstr "Đang mở"\n'
    vietnamese = only(write, tmp_path, "vi", messages)
    assert vietnamese.term("button", "Open") == "Mở"
    assert vietnamese.text("Open") == "Đang mở"
    assert vietnamese.term("toast", "{n} open", n=2) == "2 open"


def plural(forms: int) -> str:
    lines = "".join(f'msgstr[{i}] "{{n}}: {i}"\n' for i in range(forms))
    return f'msgid "{{n}} question"\nmsgid_plural "{{n}} questions"\n{lines}'


@pytest.mark.parametrize(
    ("locale", "forms", "expected"),
    [
        ("en", 2, {0: 1, 1: 0, 2: 1, 11: 1}),
        ("hi", 2, {0: 0, 1: 0, 2: 1}),
        ("vi", 1, {0: 0, 1: 0, 2: 0}),
        ("ru", 3, {1: 0, 2: 1, 5: 2, 11: 2, 21: 0, 22: 1}),
        ("ar", 6, {0: 0, 1: 1, 2: 2, 3: 3, 11: 4, 100: 5}),
        ("zh_Hans", 1, {1: 0, 2: 0}),
    ],
)
def test_plurals_follow_the_catalogues_own_rule(
    write: Write, tmp_path: Path, locale: str, forms: int, expected: dict[int, int]
) -> None:
    language = only(write, tmp_path, locale, plural(forms))
    for n, form in expected.items():
        assert language.plural("{n} question", "{n} questions", n) == f"{n}: {form}"


def test_a_plural_without_a_translation_is_counted_in_english(tmp_path: Path) -> None:
    english = load(tmp_path).default
    said = [
        english.plural("{n} question of {quiz}", "{n} questions of {quiz}", n, quiz=Raw("Q"))
        for n in (0, 1, 1234)
    ]
    assert said == ["0 questions of Q", "1 question of Q", "1,234 questions of Q"]


@pytest.mark.parametrize(
    "broken", ["Hi {nmae}", "Hi {name", "Hi }", "Hi {}", "Hi {0}", "Hi {name.x}", "Hi {name:q}"]
)
def test_a_wrong_placeholder_shows_english_and_is_logged_once(
    write: Write, tmp_path: Path, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    source = f"Hello {{name}}, {broken!r}".replace(broken, str(sum(map(ord, broken))))
    language = only(write, tmp_path, "hi", f'msgid "{source}"\nmsgstr "{broken}"\n')
    with caplog.at_level(logging.WARNING):
        said = {language.text(source, name=Raw("Asha")) for _ in range(3)}
    assert said == {source.replace("{name}", "Asha")}
    assert [record.getMessage() for record in caplog.records] == [
        f"locale hi: the translation of {source!r} has a wrong placeholder; shown in English"
    ]


def test_a_wrong_placeholder_of_our_own_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        load(tmp_path).default.text("Hello {nobody}", name="Asha")


def test_values_are_never_taken_for_placeholders(tmp_path: Path) -> None:
    said = load(tmp_path).default.text("Hello {name}", name=Raw("{name} {0} {"))
    assert said == "Hello {name} {0} {"


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        (b'msgid ""\nmsgstr ""\n\nmsgid "a"\nmsgstr "b\n', 5, "quotes"),
        (b'msgid "a"\nmsgstr "b" c"\n', 2, "quotes"),
        (b'msgid "a"\nmsgstr "b"\n\nwhat is this\n', 4, "quotes"),
        (b'<<<<<<< HEAD\nmsgid "a"\nmsgstr "b"\n', 1, "quotes"),
        (b'msgid "a"\nmsgstr "b"\nmsgstr[x] "c"\n', 3, ""),
        (b'"a"\nmsgstr "b"\n', 1, ""),
        ('msgid "a"\n\nmsgstr "Tiếng"\n'.encode("utf-16"), 1, "not UTF-8"),
        (b'msgid "a"\nmsgstr "b"\n# \xe9\n', 3, "not UTF-8"),
        (b'\nmsgid ""\nmsgstr ""\n"Plural-Forms: nplurals=two; plural=0\\n"\n', 4, "header"),
        (b'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=n n;\\n"\n', 3, "header"),
        (b'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=n%(n-7);\\n"\n', 3, "header"),
    ],
)
def test_a_broken_catalogue_is_named_with_its_line(
    write: Write, tmp_path: Path, content: bytes, line: int, why: str
) -> None:
    path = write("hi")
    path.write_bytes(content)
    with pytest.raises(CatalogueError) as caught:
        load(tmp_path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_named_after_no_language_is_refused(write: Write, tmp_path: Path) -> None:
    write("tlh", rule="nplurals=1; plural=0;")
    with pytest.raises(CatalogueError, match="no language is called 'tlh'"):
        load(tmp_path)


# --- numbers, dates, lists


@pytest.mark.parametrize(
    ("locale", "number", "percent", "date", "duration"),
    [
        ("en", "1,234,567", "88%", "December 1, 2026", "4 min 12 sec"),
        ("hi", "12,34,567", "88%", "1 दिसंबर 2026", "4 मि॰ 12 से॰"),
        ("vi", "1.234.567", "88%", "1 tháng 12, 2026", "4 phút 12 giây"),
        ("ar", "1,234,567", "88%", "1 ديسمبر 2026", "4 د 12 ث"),
        ("fa", "1,234,567", "88%", "1 دسامبر 2026", "4 دقیقه 12 ثانیه"),
        ("ru", "1\xa0234\xa0567", "88\xa0%", "1 декабря 2026\u202fг.", "4 мин 12 с"),
        ("zh_Hans", "1,234,567", "88%", "2026年12月1日", "4分钟 12秒"),
    ],
)
def test_figures_are_written_as_the_language_does(
    write: Write,
    tmp_path: Path,
    locale: str,
    number: str,
    percent: str,
    date: str,
    duration: str,
) -> None:
    language = only(write, tmp_path, locale)
    assert language.number(1234567) == number
    assert language.percent(7 / 8) == percent
    # CLDR may change its kind of space
    assert language.date(dt.date(2026, 12, 1)).replace("\u202f", " ") == date.replace(
        "\u202f", " "
    )
    assert language.duration(252) == duration


@pytest.mark.parametrize("locale", TELEGRAM)
def test_digits_are_latin_and_figures_work_in_every_telegram_language(
    write: Write, tmp_path: Path, locale: str
) -> None:
    language = only(write, tmp_path, locale.replace("-", "_"))
    day = dt.date(2026, 12, 1)
    written = [language.number(1234567), language.percent(0.5), language.date(day)]
    written += [language.duration(s) for s in (0, 1, 61, 3600, 90061)]
    digits = {c for text in written for c in text if unicodedata.category(c) == "Nd"}
    assert digits <= set("0123456789")
    for count in range(5):
        items = [f"item-{i}" for i in range(count)]
        joined = language.list(items)
        assert [joined.count(item) for item in items] == [1] * count


@pytest.mark.parametrize(
    ("fraction", "shown"),
    [
        (0, "0%"),
        (0.0001, "1%"),
        (0.004, "1%"),
        (0.285, "29%"),
        (1 / 3, "33%"),
        (0.5, "50%"),
        (5 / 8, "63%"),
        (2 / 3, "67%"),
        (0.995, "99%"),
        (0.99999, "99%"),
        (1, "100%"),
    ],
)
def test_percent_is_whole_and_never_claims_all_or_nothing(
    tmp_path: Path, fraction: float, shown: str
) -> None:
    assert load(tmp_path).default.percent(fraction) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-3, "0 sec"),
        (0.4, "0 sec"),
        (59.6, "1 min"),
        (60, "1 min"),
        (252.2, "4 min 12 sec"),
        (3612, "1 hr"),
        (3720, "1 hr 2 min"),
        (90_000, "1 day 1 hr"),
    ],
)
def test_a_duration_has_at_most_two_units(tmp_path: Path, seconds: float, shown: str) -> None:
    assert load(tmp_path).default.duration(seconds) == shown


# --- bidirectional text


def test_strings_are_isolated_and_numbers_are_not(tmp_path: Path) -> None:
    english = load(tmp_path).default
    said = english.text("{name}: {n}/{of} {bar}", name="שלום", n=3, of=1.5, bar=Raw("▰▱"))
    assert said == "\u2068שלום\u2069: 3/1.5 ▰▱"


@pytest.mark.parametrize(
    ("text", "fenced"),
    [
        ("", ""),
        ("Asha", "\u2068Asha\u2069"),
        ("a\u2068b\u2069c", "\u2068a\u2068b\u2069c\u2069"),
        ("a\u2069b", "\u2068ab\u2069"),
        ("a\u2067b", "\u2068ab\u2069"),
        ("\u2069\u2066", "\u2068\u2069"),
    ],
)
def test_nothing_breaks_out_of_an_isolate(text: str, fenced: str) -> None:
    assert isolate(text) == Language.isolate(text) == fenced


def test_a_right_to_left_language_opens_with_a_mark(write: Write, tmp_path: Path) -> None:
    write("ar")
    catalogues = load(tmp_path)
    arabic, english = catalogues.languages["ar"], catalogues.default
    assert (arabic.rtl, arabic.mark) == (True, "\u200f")
    assert (english.rtl, english.mark) == (False, "")


# --- option letters


def letters_po(letters: str) -> str:
    return f'msgctxt "option letters"\nmsgid "A B C D E F G H I J K L"\nmsgstr "{letters}"\n'


def test_the_letters_of_options_come_from_the_catalogue(write: Write, tmp_path: Path) -> None:
    write("hi", letters_po("क ख ग घ ङ च छ ज झ ञ ट ठ"))
    write("vi")
    catalogues = load(tmp_path)
    assert catalogues.languages["hi"].letters(4) == ("क", "ख", "ग", "घ")
    assert catalogues.letters("hi-IN", 2) == ("क", "ख")
    assert catalogues.languages["vi"].letters(12) == tuple("ABCDEFGHIJKL")


@pytest.mark.parametrize(
    "letters", ["क ख ग", "क क ग घ ङ च छ ज झ ञ ट ठ", "A a C D E F G H I J K L"]
)
def test_too_few_different_letters_become_latin(
    write: Write, tmp_path: Path, letters: str
) -> None:
    assert only(write, tmp_path, "hi", letters_po(letters)).letters(12) == tuple("ABCDEFGHIJKL")


@pytest.mark.parametrize(
    ("locale", "letters"),
    [
        ("ar", "أ ب ج د"),
        ("fa-IR", "الف ب ج د"),
        ("he", "א ב ג ד"),
        ("ru", "А Б В Г"),
        ("el", "Α Β Γ Δ"),
        ("de", "A B C D"),
        ("sr", "A B C D"),
        ("xx", "A B C D"),
        ("", "A B C D"),
        # the catalogue of the language, but in another script
        ("uz-cyrl", "A B C D"),
    ],
)
def test_a_quiz_in_a_language_without_a_catalogue_has_letters(
    write: Write, tmp_path: Path, locale: str, letters: str
) -> None:
    write("uz", letters_po("a b d e f g h i j k l m"))
    assert load(tmp_path).letters(locale, 4) == tuple(letters.split())


def test_twelve_different_letters_in_every_language(tmp_path: Path) -> None:
    catalogues = load(tmp_path)
    for code in TELEGRAM:
        assert len(set(catalogues.letters(code))) == 12
