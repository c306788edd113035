"""Numbered lists with bullets become quiz files, and what we write reads back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.library.formats import FORMATS, read
from bot.library.formats.draft import Draft, DraftQuestion
from bot.library.formats.write import as_quiz_yaml, as_translation_yaml, scalar
from bot.library.load import check, load, outline_of
from bot.library.source import BIDI, FORBIDDEN, decode
from bot.library.tree import Mapping, compose
from tests.library.files import GERMAN, QUIZ, put

LIST = """\
Checkpoints and shards

Answers appear as you go.

1. Why are checkpoints split?
   • To train faster
   • Because one file can be too big
2. What else is needed?
   • Only the weights
   • The state of the optimizer"""

HINDI = """\
चेकपॉइंट और शार्ड

उत्तर साथ-साथ दिखते हैं।

१. चेकपॉइंट क्यों बाँटे जाते हैं?
• तेज़ ट्रेनिंग के लिए
• क्योंकि एक फ़ाइल बहुत बड़ी हो सकती है
२. और क्या चाहिए?
• केवल वेट
• ऑप्टिमाइज़र की स्थिति
"""


def texts(draft: Draft) -> list[tuple[str, list[str]]]:
    return [(question.question, [*question.options.values()]) for question in draft.questions]


def test_a_list_is_read_whole() -> None:
    draft = read(LIST, None, "en")
    assert draft.problems == ()
    assert draft.title == "Checkpoints and shards"
    assert draft.description == "Answers appear as you go."
    assert texts(draft) == [
        ("Why are checkpoints split?", ["To train faster", "Because one file can be too big"]),
        ("What else is needed?", ["Only the weights", "The state of the optimizer"]),
    ]
    assert [question.id for question in draft.questions] == ["q1", "q2"]
    assert [*draft.questions[0].options] == ["a", "b"]
    assert [question.line for question in draft.questions] == [5, 8]


@pytest.mark.parametrize(
    "text",
    [
        LIST + "\n",
        "\ufeff" + LIST,
        LIST.replace("\n", "\r\n"),
        LIST.replace("\n", "\r"),
        LIST.replace("\n\n", "\n\n  \n\n"),
        LIST.replace("\n2.", "\n\n\n2."),
        LIST.replace("   •", "-"),
        LIST.replace("   •", "\t*"),
        LIST.replace("• ", "•"),
        LIST.replace("1.", "1)").replace("2.", " 2)"),
        LIST.replace("Because one", "Because\n     one").replace(
            "checkpoints split", "checkpoints\nsplit"
        ),
        LIST.replace("and shards", "\nand shards").replace("appear as", "appear\nas"),
    ],
)
def test_the_same_list_in_other_hands_is_the_same_quiz(text: str) -> None:
    draft, plain = read(text, None, "en"), read(LIST, None, "en")
    assert draft.problems == ()
    assert (draft.title, draft.description) == (plain.title, plain.description)
    assert texts(draft) == texts(plain)


def test_bold_at_the_beginning_of_a_line_is_no_bullet() -> None:
    draft = read("T\n\n1. Q\n**more** of it\n- a\n- b\n", None, "en")
    assert texts(draft) == [("Q **more** of it", ["a", "b"])]


def test_no_line_is_dropped_in_silence() -> None:
    text = "T\n\nD\n\nthird\n- early\n\n1. Q\n\nafter\n- a\n\nlater\n- b\n\nend"
    draft = read(text, "text", "en")
    told = [(p.line, p.code) for p in draft.problems]
    assert told == [(line, "stray-line") for line in (5, 6, 10, 13, 16)]
    assert "third - early" not in str(draft.questions)


def test_an_empty_text_is_no_known_format_and_as_a_list_lacks_everything() -> None:
    assert [p.code for p in read("", None, "en").problems] == ["unknown-format"]
    assert [p.code for p in read("", "text", "en").problems] == ["no-title", "no-questions"]


def test_an_unknown_format_is_told_with_those_there_are() -> None:
    (problem,) = read(LIST, "word", "en", Path("quiz.docx")).problems
    assert (problem.path, problem.code) == (Path("quiz.docx"), "unknown-format")
    assert all(name in problem.mend for name in FORMATS)


@pytest.mark.parametrize("key", ["bB", "b b\n", " BB "])
def test_a_key_gives_the_answers(tmp_path: Path, key: str) -> None:
    draft = read(LIST, None, "en").with_key(key)
    assert draft.problems == ()
    library = load(put(tmp_path, {"shards.yaml": as_quiz_yaml(draft)}))
    assert {p.code for p in library.problems} == {"no-explanation"}
    assert [q.answer for q in library.quizzes["shards"].questions] == [{"b"}, {"b"}]


def test_without_a_key_the_quiz_is_whole_and_check_names_each_question(tmp_path: Path) -> None:
    put(tmp_path, {"shards.yaml": as_quiz_yaml(read(LIST, None, "en"))})
    problems = check([tmp_path])
    lacking = [problem.what for problem in problems if problem.code == "no-answer"]
    assert [what.split(":")[0] for what in lacking] == ["question q1", "question q2"]
    assert {problem.code for problem in problems} == {"no-answer", "no-explanation"}


@pytest.mark.parametrize(
    ("key", "what", "answers"),
    [
        ("b", "the key is 1 long for 2 questions", [(), ()]),
        ("bbb", "the key is 3 long for 2 questions", [(), ()]),
        ("", "the key is 0 long for 2 questions", [(), ()]),
        ("bc", "the key says c for question 2, which has no such option", [("b",), ()]),
        ("b?", "the key says ? for question 2, which has no such option", [("b",), ()]),
    ],
)
def test_a_wrong_key_is_told(key: str, what: str, answers: list[tuple[str, ...]]) -> None:
    draft = read(LIST, None, "en").with_key(key)
    assert [(problem.code, problem.what) for problem in draft.problems] == [("bad-key", what)]
    assert [question.answer for question in draft.questions] == answers


def test_a_list_becomes_the_translation_of_a_quiz(tmp_path: Path) -> None:
    source = as_quiz_yaml(read(LIST, None, "en").with_key("bb")).replace("id: q1", "id: why")
    source = source.replace("      b: Because", "      size: Because").replace(
        "answer: b", "answer: size", 1
    )
    put(tmp_path, {"shards/quiz.yaml": source})
    outline, _ = outline_of(tmp_path / "shards")
    assert outline is not None
    draft = read(HINDI, None, "hi").translating(outline)
    assert draft.problems == ()
    put(tmp_path, {"shards/hi.yaml": as_translation_yaml(draft)})
    library = load(tmp_path)
    assert {p.code for p in library.problems} == {"no-explanation"}
    why = library.quizzes["shards"].questions[0]
    assert library.quizzes["shards"].titles["hi"] == "चेकपॉइंट और शार्ड"
    assert why.wordings["hi"].options["size"] == "क्योंकि एक फ़ाइल बहुत बड़ी हो सकती है"


def test_a_source_without_answers_can_be_translated(tmp_path: Path) -> None:
    put(tmp_path, {"shards.yaml": as_quiz_yaml(read(LIST, None, "en"))})
    outline, problems = outline_of(tmp_path / "shards.yaml")
    assert outline is not None
    assert [*outline.questions] == ["q1", "q2"]
    assert {problem.code for problem in problems} == {"no-answer", "no-explanation"}


def test_a_source_that_is_not_yaml_has_no_outline(tmp_path: Path) -> None:
    outline, problems = outline_of(put(tmp_path, {"quiz.yaml": "a: [b"}))
    assert outline is None
    assert [problem.code for problem in problems] == ["syntax"]


def test_a_translation_of_another_size_is_told(tmp_path: Path) -> None:
    outline, _ = outline_of(put(tmp_path, {"quiz.yaml": QUIZ}))
    assert outline is not None
    more = "T\n\n1. Q?\n- a\n- b\n2. Q?\n- a\n- b\n- c\n3. Q?\n- a\n- b\n"
    draft = read(more, None, "de", Path("de.txt")).translating(outline)
    assert [(p.code, p.line, p.what) for p in draft.problems] == [
        ("count-mismatch", 1, "3 questions for the source's 2"),
        ("count-mismatch", 3, "france: 2 options for 3"),
    ]


SIGNS = "no yes ~ null 007 1.10 2024-01-01 9:00 = << - ? : | > & * ! % @ ` # , [ ] { } --- ..."
HOSTILE = [
    *SIGNS.split(),
    " # x",
    "a # x",
    "a #",
    "a: b",
    "a:",
    "- a",
    " leading",
    "trailing ",
    "a\nb",
    "a\n\n  b",
    "\na",
    "a\n",
    "a\n\n",
    " a\nb",
    "a \nb",
    "a\n\tb",
    "a\tb",
    "\ta",
    "a\rb",
    "a\r\nb",
    '"quoted"',
    "it's",
    "back\\slash \\n",
    "😀",
    "हिन्दी",
    "می‌خواهم",
    "\xa0a\xa0",
    "[x](https://e.org)",
    "**bold**",
    "`code`",
    "{a: b}",
    "a, b",
    "!!python/object:x",
    "*alias",
    "```\nx:  # y\n```",
    "x" * 5000,
]


def reread(text: str) -> str:
    """The text after it was written as a value and read by the loader."""
    options = {"a": text, "b": "x"}
    question = DraftQuestion("q1", text, options, ("a",), text)
    written = as_quiz_yaml(Draft("en", Path("-"), text, text, (question,)))
    file = decode(Path("-"), written.encode())
    root = compose(file)
    assert root is not None, written
    assert file.problems == []
    (entry,) = root.items("questions")
    assert isinstance(entry, Mapping)
    found = [root.scalar("title"), entry.scalar("question"), entry.scalar("explanation")]
    if options_ := entry.mapping("options"):
        found.append(options_.scalar("a"))
    (one,) = {scalar.text for scalar in found if scalar}
    return one


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_come_back_as_they_were(text: str) -> None:
    assert reread(text) == text


WRITABLE = st.text(
    st.one_of(
        st.sampled_from("\n\t\r :#-?'\"\\[]{},&*!|>%@`~=.0a\xa0"),
        st.characters(exclude_categories=["Cs"]),
    ),
    min_size=1,
).filter(lambda text: not FORBIDDEN.search(text) and not BIDI.search(text))


@settings(deadline=None)
@given(WRITABLE)
def test_all_texts_come_back_as_they_were(text: str) -> None:
    assert reread(text) == text


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_no_file_may_hold_is_written_as_an_escape(text: str) -> None:
    line = scalar(text)
    assert not FORBIDDEN.search(line)
    assert not BIDI.search(line)
    assert yaml.load(f"a: {line}", yaml.BaseLoader) == {"a": text}


@pytest.mark.parametrize("text", ["no", "007", "1.10", "2024-01-01", "~", "true", "10:00"])
def test_what_other_programs_would_type_is_quoted(text: str) -> None:
    assert yaml.safe_load(f"a: {scalar(text)}") == {"a": text}


@pytest.mark.parametrize(
    "text", ["Why are checkpoints split?", "हिन्दी, हाँ!", "C# isn't C", "8 GB"]
)
def test_ordinary_texts_need_no_quotes(text: str) -> None:
    assert scalar(text) == text


def test_several_lines_are_written_as_a_block() -> None:
    question = DraftQuestion("q1", "Why?\n\n```\nx = 1\n```", {"a": "A", "b": "B"}, ("a", "b"))
    assert as_quiz_yaml(Draft("en", Path("-"), "T", "", (question,))) == (
        "title: T\n"
        "locale: en\n"
        "questions:\n"
        "  - id: q1\n"
        "    question: |-\n"
        "      Why?\n"
        "\n"
        "      ```\n"
        "      x = 1\n"
        "      ```\n"
        "    options:\n"
        "      a: A\n"
        "      b: B\n"
        "    answer: [a, b]\n"
    )


def test_the_sound_files_are_sound_lists_of_no_format() -> None:
    assert [p.code for p in read(GERMAN, None, "de").problems] == ["unknown-format"]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([*LIST.split("\n"), "", "- x", "3. y", "•", "x" * 99, "\r", "9999."]))
)
def test_no_list_makes_the_reader_fail(lines: list[str]) -> None:
    text = "\n".join(lines)
    draft = read(text, "text", "en").with_key("ab")
    kept = [draft.title, draft.description, *(t for q, them in texts(draft) for t in (q, *them))]
    said = " ".join([*kept, *(p.what for p in draft.problems)])
    for line in lines:
        words = line.removeprefix("   • ").removeprefix("- ").removeprefix("•").strip()
        assert words.partition(". ")[2][:38] in said or words[:38] in said
