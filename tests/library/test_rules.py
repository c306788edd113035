"""Each rule is found at exactly its place, in a library that is otherwise sound.

The mark § stands where the problem is, and is taken out before the file is written.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bot.library import formats
from bot.library.load import check
from bot.library.problems import RULES, WARNINGS, Severity
from bot.library.tree import LOADER
from tests.library.files import GERMAN, QUIZ, marked, put, sound

BEFORE_LOCALE = QUIZ[: QUIZ.index("locale:")]
BEFORE_ANSWER = QUIZ[QUIZ.index("id: france") : QUIZ.index("    answer: paris")]
BEFORE_WHY = QUIZ[QUIZ.index("id: japan") : QUIZ.index("    explanation: Seoul")]
BEFORE_LYON = GERMAN[GERMAN.index("france:") : GERMAN.index("      lyon:")]

IN_QUIZ = [
    # code, what to replace, by what
    ("control-character", "Capital of", "Capital§\x07 of"),
    ("control-character", "Capital of", "Capital§\x85of"),
    ("control-character", "Capital of", "Capital§\u2028of"),
    ("control-character", "title: Capitals", 'title: §"Capitals\\e[2J"'),
    ("bidi-control", "Capital of", "Capital§\u202e of"),
    ("bidi-control", "title: Capitals", 'title: §"Capi\\u202Etals"'),
    ("syntax", "question: Capital of", "question: Hint§: Capital of"),
    ("syntax", "question: Capital of", "question: *§*Capital** of"),
    ("syntax", "question: Capital of", "question: §`x` Capital of"),
    ("syntax", "    link: https", "   §link: https"),
    ("tab", "    options:\n      paris", "    options:\n§\tparis"),
    ("tab", "    answer: paris", "    answer:§\tparis"),
    ("tab", "locale: en\n", "locale: en\n §\t\n"),
    ("lone-surrogate", "title: Capitals", 'title: "Capitals \\u§d83d\\ude00"'),
    ("too-deep", "[geography]", "[[[[[[[[[[[[[[[§[x]]]]]]]]]]]]]]]]"),
    ("several-documents", "locale: en\n", "locale: en\n§---\n"),
    ("alias", "title: Capitals", "title: §&x Capitals"),
    ("alias", "description: Two countries.", "description: §*x"),
    ("alias", "locale: en", "locale: en\n§<<: {}"),
    ("tag", "title: Capitals", "title: §!!python/object:os.system Capitals"),
    ("tag", "title: Capitals", "title: §! Capitals"),
    ("odd-key", "locale: en", "locale: en\n? §[a]\n: b"),
    ("odd-key", "locale: en", "locale: en\n§{a: b}: c"),
    ("duplicate-key", "locale: en", "locale: en\n§title: Capitals"),
    ("duplicate-key", "      lyon: Lyon", "      lyon: Lyon\n      §lyon: Nantes"),
    ("cut-by-comment", "Capital of France, in the EU?", "Capital of France §#1 in the EU?"),
    ("cut-by-comment", "lyon: Lyon", "lyon: Lyon  §# on the Rhône"),
    ("cut-by-comment", "description: Two countries.", "description: Two\n  countries §# x"),
    (
        "comma-made-key",
        "    options:\n      tokyo: Tokyo",
        "    options: {tokyo: a, §b, kyoto: c, seoul: d}\n    x:\n      y: z",
    ),
    ("missing-key", "id: france\n    question: Capital of France, in the EU?\n", "§id: france\n"),
    ("missing-key", BEFORE_LOCALE + "locale: en\n", "§" + BEFORE_LOCALE),
    ("unknown-key", "locale: en", "locale: en\n§colour: red"),
    ("unknown-key", "    explanation: Seoul", "    §explenation: Seoul"),
    ("wrong-type", "[geography]", "§geography"),
    ("wrong-type", "title: Capitals", "title: §[Capitals]"),
    ("wrong-type", "lyon: Lyon", "lyon: §{a: b}"),
    ("wrong-type", "answer: paris", "answer: §{paris: true}"),
    ("blank", "lyon: Lyon", "lyon:§"),
    ("blank", "lyon: Lyon", 'lyon: §" "'),
    ("blank", "lyon: Lyon", "lyon: §\u200d\u3164"),
    ("blank", "[EU]", '[EU, §""]'),
    ("bad-id", "id: france", "id: §France"),
    ("bad-id", "lyon: Lyon", "§Lyon: Lyon"),
    ("bad-id", "id: france", f"id: §{'x' * 33}"),
    ("bad-locale", "locale: en", "locale: §english"),
    ("unknown-language", "locale: en", "locale: §xx"),
    ("bad-flag", "answer: paris", "answer: paris\n    shuffle: §no"),
    ("bad-pass-mark", "pass_mark: 60", "pass_mark: §101"),
    ("bad-pass-mark", "pass_mark: 60", "pass_mark: §60%"),
    ("bad-pass-mark", "pass_mark: 60", "pass_mark: §-1"),
    ("bad-pass-mark", "pass_mark: 60", "pass_mark: §६०"),
    ("bad-scoring", "pass_mark: 60", "pass_mark: 60\nscoring: §all"),
    ("bad-link", "https://example.org/japan", "§example.org/japan"),
    ("bad-link", "https://example.org/japan", "§javascript:alert(1)"),
    ("bad-link", "https://example.org/japan", "§http://[::1"),
    ("bad-link", "https://example.org/japan", "§https://localhost/japan"),
    ("no-questions", QUIZ[QUIZ.index("questions:") :], "questions: §[]"),
    ("no-questions", QUIZ, "§title: Capitals\nlocale: en\n"),
    ("duplicate-id", "id: japan", "id: §france"),
    ("option-count", "paris: Paris\n      lyon: Lyon\n      nice: Nice", "§paris: Paris"),
    (
        "option-count",
        "    options:\n      paris: Paris",
        "    options:\n      §paris: Paris\n" + "".join(f"      x{n}: X{n}\n" for n in range(10)),
    ),
    ("equal-options", "lyon: Lyon", "lyon: §ｐＡＲＩＳ"),
    ("equal-options", "lyon: Lyon", "lyon: §'  paris '"),
    ("equal-options", "lyon: Lyon", "lyon: §'**Paris**'"),
    ("no-answer", BEFORE_ANSWER + "    answer: paris\n", "§" + BEFORE_ANSWER),
    ("no-answer", "answer: paris", "answer:§"),
    ("no-answer", "answer: paris", "answer: §[]"),
    ("no-answer", "[tokyo, kyoto]", "[tokyo, §'']"),
    ("unknown-answer", "answer: paris", "answer: §pariss"),
    ("unknown-answer", "[tokyo, kyoto]", "[tokyo, §kobe]"),
    ("repeated-answer", "[tokyo, kyoto]", "[tokyo, §tokyo]"),
    ("all-correct", "[tokyo, kyoto]", "§[tokyo, kyoto, seoul]"),
    ("unknown-last", "last: seoul", "last: §tokio"),
    ("no-explanation", BEFORE_WHY + "    explanation: Seoul is in Korea.\n", "§" + BEFORE_WHY),
    ("image-not-found", "last: seoul", "alt: x\n    image: §map.png"),
    ("image-not-found", "last: seoul", "alt: x\n    image: §../outside.png"),
    ("image-not-found", "last: seoul", "alt: x\n    image: §/etc/hostname"),
    ("image-not-found", "last: seoul", "alt: x\n    image: §'a\\0b'"),
    ("no-alt", "last: seoul", "image: §flag.png"),
    ("alt-without-image", "last: seoul", "alt: §A map"),
    ("no-title", "title: Capitals\n", "§"),
]

IN_TRANSLATION = [
    ("unknown-question", "  japan:", "  §japon:"),
    ("unknown-option", "lyon: Lyon", "lyon: Lyon\n      §nantes: Nantes"),
    ("untranslated", "  japan:\n    question: Welche liegen in Japan?\n", "  §japan:\n"),
    ("untranslated", BEFORE_LYON + "      lyon: Lyon\n", "§" + BEFORE_LYON),
    ("untranslated", GERMAN, "§title: Hauptstädte\ndescription: Zwei Länder.\n"),
    ("untranslated", "title: Hauptstädte\n", "§"),
    ("untranslated", GERMAN, "§title: Hauptstädte\n" + GERMAN[GERMAN.index("questions") :]),
    ("stale", "  japan:", "  japan:\n    source: §deadbeef"),
    (
        "term",
        "Hauptstadt von Frankreich, in der EU?",
        "§Hauptstadt von Frankreich, in der EUROPA?",
    ),
    ("term", "Hauptstadt von Frankreich, in der EU?", "§Hauptstadt von Frankreich, in der eu?"),
    ("equal-options", "lyon: Lyon", "lyon: §PARIS"),
    ("blank", "title: Hauptstädte", "title:§"),
    ("unknown-key", "    explanation: Seoul", "    §explanations: Seoul"),
    ("wrong-type", "    options:\n      tokyo", "    options: §[a]\n    x:\n      tokyo"),
    ("wrong-type", GERMAN[GERMAN.index("questions:") :], "questions: §[]"),
    ("syntax", "title: Hauptstädte", "title: [Haupt] §städte"),
]

WHOLE_FILES = [
    # code, file, its content, line, column
    ("too-large", "capitals/de.yaml", b"#" * ((1 << 20) + 1), 1, 1),
    ("too-large", "capitals/de.yaml", b"a: [" + b"b," * 50_000 + b"]", 1, 99_999),
    ("bad-utf8", "capitals/de.yaml", b"title: x\nhi: \xc3\xa9\xff", 2, 6),
    ("bad-utf8", "capitals/de.yaml", GERMAN.encode("utf-16"), 1, 1),
    ("byte-order-mark", "capitals/de.yaml", b"\xef\xbb\xbf" + GERMAN.encode(), 1, 1),
    ("empty-file", "capitals/de.yaml", b"", 1, 1),
    ("empty-file", "capitals/de.yaml", b"# nothing\n\n", 1, 1),
    ("not-a-mapping", "capitals/de.yaml", b"\n - a\n", 2, 2),
    ("not-a-mapping", "capitals/de.yaml", b"just words", 1, 1),
    ("too-deep", "capitals/de.yaml", b"a:\n " + b"- " * 10_000, 2, 32),
    ("too-deep", "capitals/de.yaml", b"{a: " * 10_000, 1, 65),
    ("bad-locale", "capitals/german.yaml", GERMAN.encode(), 1, 1),
    ("unknown-language", "capitals/vn.yaml", GERMAN.encode(), 1, 1),
    ("source-again", "capitals/en.yaml", GERMAN.encode(), 1, 1),
    ("wrong-extension", "capitals/hi.yml", GERMAN.encode(), 1, 1),
    ("wrong-extension", "rivers.yml", QUIZ.encode(), 1, 1),
    ("two-files", "capitals.yaml", QUIZ.encode(), 1, 1),
    ("bad-id", "Rivers.yaml", QUIZ.encode(), 1, 1),
]

IMPORTED = [
    ("unknown-format", "Just a text.", 1),
    ("stray-line", "T\n\nD\n\nmore\n\n1. Q?\n- a\n- b\n", 5),
    ("stray-line", "T\n\n1. Q?\n- a\n- b\n\nThe end.\n", 7),
    ("stray-line", "T\n\nD\n\n- a\n\n1. Q?\n- a\n- b\n", 5),
    ("odd-number", "T\n\n1. Q?\n- a\n- b\n3. Q?\n- a\n- b\n", 6),
    ("option-count", "T\n\n1. Q?\n- a\n2. Q?\n- a\n- b\n", 3),
    ("blank", "T\n\n1. Q?\n- a\n- \n- b\n", 5),
    ("no-title", "1. Q?\n- a\n- b\n", 1),
]


ELSEWHERE = {"not-found", "unreadable", "no-quizzes", "no-quiz-file", "too-long", "bad-key"}
ELSEWHERE |= {"count-mismatch", "two-spellings"}
"""Rules that have tests of their own, in test_load and test_import."""


def found(folder: Path, name: str, code: str) -> list[tuple[int, int]]:
    """Where in a file a rule is broken. Every problem is in form, whatever it is."""
    problems = check([folder])
    for problem in problems:
        warning = problem.code in WARNINGS
        assert problem.severity is (Severity.WARNING if warning else Severity.ERROR)
        assert problem.mend[-1] in ".?…"
        assert problem.what[-1] != "."
    return [(p.line, p.column) for p in problems if p.path == folder / name and p.code == code]


def edited(base: str, old: str, new: str) -> tuple[str, int, int]:
    """The file with one thing changed, and where the problem then is."""
    assert base.count(old) == 1, old
    return marked(base.replace(old, new))


def test_a_sound_library_has_no_problems(tmp_path: Path) -> None:
    assert check([put(tmp_path, sound())]) == ()


@pytest.mark.parametrize(("code", "old", "new"), IN_QUIZ)
def test_a_broken_quiz_is_told_where(tmp_path: Path, code: str, old: str, new: str) -> None:
    text, line, column = edited(QUIZ, old, new)
    put(tmp_path, sound() | {"capitals/quiz.yaml": text, "capitals/flag.png": b""})
    assert found(tmp_path, "capitals/quiz.yaml", code) == [(line, column)]


@pytest.mark.parametrize(("code", "old", "new"), IN_TRANSLATION)
def test_a_broken_translation_is_told_where(tmp_path: Path, code: str, old: str, new: str) -> None:
    text, line, column = edited(GERMAN, old, new)
    put(tmp_path, sound() | {"capitals/de.yaml": text})
    assert (line, column) in found(tmp_path, "capitals/de.yaml", code)


@pytest.mark.parametrize(("code", "name", "content", "line", "column"), WHOLE_FILES)
def test_a_file_wrong_as_a_whole_is_told(
    tmp_path: Path, code: str, name: str, content: bytes, line: int, column: int
) -> None:
    put(tmp_path, sound() | {name: content})
    assert found(tmp_path, name, code) == [(line, column)]


@pytest.mark.parametrize(("code", "text", "line"), IMPORTED)
def test_a_broken_import_is_told_where(code: str, text: str, line: int) -> None:
    draft = formats.read(text, None, "en", Path("quiz.txt"))
    places = [(p.path, p.line) for p in draft.problems if p.code == code]
    assert places == [(Path("quiz.txt"), line)]


@pytest.mark.parametrize("opening", ["[", "{", "[{", "- ", "? ", "a: ["])
@pytest.mark.parametrize("loader", [yaml.SafeLoader, LOADER])
def test_deep_nesting_is_one_problem_and_no_crash(
    tmp_path: Path, opening: str, loader: type[yaml.SafeLoader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.library.tree.LOADER", loader)
    put(tmp_path, sound() | {"capitals/de.yaml": opening * 10_000})
    assert len(found(tmp_path, "capitals/de.yaml", "too-deep")) == 1


@pytest.mark.parametrize(("code", "old", "new"), IN_QUIZ)
def test_without_libyaml_the_same_rules_are_broken(
    tmp_path: Path, code: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, line, _ = edited(QUIZ, old, new)
    put(tmp_path, sound() | {"capitals/quiz.yaml": text, "capitals/flag.png": b""})
    monkeypatch.setattr("bot.library.tree.LOADER", yaml.SafeLoader)
    assert line in [place[0] for place in found(tmp_path, "capitals/quiz.yaml", code)]


def test_every_rule_has_a_case() -> None:
    tables = (IN_QUIZ, IN_TRANSLATION, WHOLE_FILES, IMPORTED)
    cases = {str(case[0]) for table in tables for case in table}
    assert cases | ELSEWHERE == RULES.keys()
    assert RULES.keys() > WARNINGS
