"""From folders of files to quizzes, and what stays served when files are wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
import yaml

from bot.library.load import Library, check, load, outline_of, reload, stamp
from bot.library.problems import Place
from bot.library.source import File
from bot.library.tree import compose
from bot.quiz.quiz import Quiz, Scoring
from tests.library.files import GERMAN, QUIZ, put, sound

MINIMAL = """\
title: T
locale: en
questions:
  - id: q
    question: Q?
    options: {OPTIONS}
    answer: a
    explanation: E.
"""


def codes(library: Library) -> list[str]:
    return [problem.code for problem in library.problems]


def one(tmp_path: Path, text: str) -> Quiz:
    """The quiz that a single file is, which has no problems."""
    library = load(put(tmp_path, {"one.yaml": text}))
    assert library.problems == ()
    return library.quizzes["one"]


def test_a_quiz_has_all_that_its_file_says(tmp_path: Path) -> None:
    quiz = load(put(tmp_path, sound())).quizzes["capitals"]
    assert (quiz.id, quiz.locale, quiz.tags, quiz.terms) == (
        "capitals",
        "en",
        ("geography",),
        ("EU",),
    )
    assert (quiz.pass_mark, quiz.scoring) == (60, Scoring.ALL_OR_NOTHING)
    assert quiz.titles == {"en": "Capitals", "de": "Hauptstädte"}
    assert quiz.descriptions == {"en": "Two countries.", "de": "Zwei Länder."}
    france, japan = quiz.questions
    assert (france.id, france.option_ids) == ("france", ("paris", "lyon", "nice"))
    assert (france.answer, france.multiple, france.shuffle) == (frozenset({"paris"}), False, True)
    assert (japan.answer, japan.multiple, japan.last) == (
        frozenset({"tokyo", "kyoto"}),
        True,
        "seoul",
    )
    assert japan.link == "https://example.org/japan"
    german = france.wordings["de"]
    assert german.question == "Hauptstadt von Frankreich, in der EU?"
    assert german.options == {"paris": "Paris", "lyon": "Lyon", "nice": "Nizza"}
    assert german.explanation == "Paris ist seit Jahrhunderten die Hauptstadt."


def test_scoring_shuffle_and_image_are_read(tmp_path: Path) -> None:
    text = QUIZ.replace("pass_mark: 60", "scoring: partial").replace(
        "    last: seoul", "    shuffle: false\n    image: flags/japan.png\n    alt: A flag"
    )
    library = load(put(tmp_path, {"one.yaml": text, "flags/japan.png": b""}))
    assert library.problems == ()
    quiz = library.quizzes["one"]
    assert (quiz.scoring, quiz.pass_mark) == (Scoring.PARTIAL, None)
    japan = quiz.questions[1]
    assert not japan.shuffle
    assert japan.image is not None
    assert japan.image.path == str(tmp_path / "flags/japan.png")
    assert japan.wordings["en"].alt == "A flag"


TYPED = "no yes Off True ~ null 007 010 1.10 1_000 0x1F 1e3 .inf 2024-01-01 9:00 09:00 10:00 = <<"


@pytest.mark.parametrize("text", TYPED.split())
def test_options_are_shown_as_typed(tmp_path: Path, text: str) -> None:
    options = f"{{a: {text}, b: other}}"
    quiz = one(tmp_path, MINIMAL.replace("{OPTIONS}", options))
    assert quiz.questions[0].wordings["en"].options["a"] == text


@pytest.mark.parametrize(
    "loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)]
)
def test_texts_and_ids_are_never_typed(
    tmp_path: Path, loader: type[yaml.SafeLoader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.library.tree.LOADER", loader)
    text = MINIMAL.replace("{OPTIONS}", "{no: Yes, 007: 1.10, a: 2}").replace("id: q", "id: no")
    quiz = one(
        tmp_path, text.replace("title: T", "title: 1_000").replace("answer: a", "answer: no")
    )
    question = quiz.questions[0]
    assert quiz.titles == {"en": "1_000"}
    assert (question.id, question.answer) == ("no", frozenset({"no"}))
    assert question.wordings["en"].options == {"no": "Yes", "007": "1.10", "a": "2"}


def test_norwegian_needs_no_quotes(tmp_path: Path) -> None:
    source = QUIZ.replace("locale: en", "locale: no")
    library = load(put(tmp_path, {"hei.yaml": source, "a/quiz.yaml": QUIZ, "a/no.yaml": GERMAN}))
    assert library.problems == ()
    assert library.quizzes["hei"].locale == "no"
    assert library.quizzes["a"].locales == ["en", "no"]


@pytest.mark.parametrize(
    ("name", "locale"),
    [
        ("pt-BR", "pt_BR"),
        ("pt_br", "pt_BR"),
        ("zh-hans", "zh_Hans"),
        ("sr_Latn_RS", "sr_Latn_RS"),
        ("es-419", "es_419"),
        ("FIL", "fil"),
    ],
)
def test_languages_are_normalised(tmp_path: Path, name: str, locale: str) -> None:
    files = {"a/quiz.yaml": QUIZ, f"a/{name}.yaml": GERMAN}
    files["b.yaml"] = QUIZ.replace("locale: en", f"locale: {name}")
    library = load(put(tmp_path, files))
    assert library.problems == ()
    assert library.quizzes["a"].locales == ["en", locale]
    assert library.quizzes["b"].locale == locale


def test_the_last_line_break_of_a_block_is_no_part_of_the_text(tmp_path: Path) -> None:
    text = MINIMAL.replace("{OPTIONS}", "{a: A, b: B}").replace(
        "explanation: E.",
        "explanation: |\n      One.\n\n      ```py\n      x = 1  # y\n      ```\n",
    )
    explanation = one(tmp_path, text).questions[0].wordings["en"].explanation
    assert explanation == "One.\n\n```py\nx = 1  # y\n```"


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_other_systems_change_nothing(tmp_path: Path, end: str) -> None:
    for name, text in sound().items():
        put(tmp_path / "theirs", {name: str(text).replace("\n", end)})
    ours, theirs = load(put(tmp_path / "ours", sound())), load(tmp_path / "theirs")
    assert theirs.problems == ()
    assert theirs.quizzes == ours.quizzes
    put(
        tmp_path / "theirs", {"one.yaml": QUIZ.replace("lyon: Lyon", "Lyon: x").replace("\n", end)}
    )
    (problem,) = load(tmp_path / "theirs").problems
    assert (problem.code, problem.line, problem.column) == ("bad-id", 12, 7)


def test_comments_beside_what_nobody_reads_are_fine(tmp_path: Path) -> None:
    text = QUIZ.replace("answer: paris", "answer: paris  # of course").replace(
        "title: Capitals", "title: 'Capitals'  # the catalogue's name"
    )
    assert one(tmp_path, text).titles == {"en": "Capitals"}


@pytest.mark.parametrize(
    "gone",
    [
        "    question: Hauptstadt von Frankreich, in der EU?\n",
        "      lyon: Lyon\n",
        "    explanation: Paris ist seit Jahrhunderten die Hauptstadt.\n",
    ],
)
def test_a_question_without_all_of_its_texts_falls_back_as_a_whole(
    tmp_path: Path, gone: str
) -> None:
    german = GERMAN.replace(gone, "")
    assert german != GERMAN
    library = load(put(tmp_path, sound() | {"capitals/de.yaml": german}))
    assert codes(library) == ["untranslated"]
    france, japan = library.quizzes["capitals"].questions
    assert list(france.wordings) == ["en"]
    assert list(japan.wordings) == ["en", "de"]


def test_a_translation_explains_only_what_the_source_explains(tmp_path: Path) -> None:
    source = QUIZ.replace("    explanation: Seoul is in Korea.\n", "")
    library = load(put(tmp_path, sound() | {"capitals/quiz.yaml": source}))
    japan = library.quizzes["capitals"].questions[1]
    assert japan.wordings["de"].explanation == japan.wordings["en"].explanation == ""


def test_a_picture_s_description_is_one_of_the_texts(tmp_path: Path) -> None:
    source = QUIZ.replace("    last: seoul", "    image: a.png\n    alt: A map")
    files = sound() | {"capitals/quiz.yaml": source, "capitals/a.png": b""}
    library = load(put(tmp_path, files))
    assert codes(library) == ["untranslated"]
    assert library.quizzes["capitals"].questions[1].wordings.keys() == {"en"}


def test_a_quiz_with_errors_is_left_out_and_the_others_are_served(tmp_path: Path) -> None:
    broken = QUIZ.replace("    answer: paris\n", "")
    library = load(put(tmp_path, sound() | {"broken.yaml": broken, "worse.yaml": "a: [b"}))
    assert library.quizzes.keys() == {"capitals"}
    assert codes(library) == ["no-answer", "syntax"]


def test_a_translation_with_errors_is_left_out_and_the_quiz_is_served(tmp_path: Path) -> None:
    files = sound() | {"capitals/hi.yaml": GERMAN.replace("EU", "यूरोप")}
    library = load(put(tmp_path, files))
    assert codes(library) == ["term"]
    assert library.quizzes["capitals"].locales == ["en", "de"]


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    text = QUIZ.replace("title: Capitals", "titel: Capitals").replace(
        "pass_mark: 60", "pass_mark: x"
    )
    text = text.replace("lyon: Lyon", "lyon: Paris").replace("answer: paris", "answer: rome")
    text = text.replace("id: japan", "id: Japan").replace("last: seoul", "last: x\u202e")
    found = codes(
        load(put(tmp_path, {"a/quiz.yaml": text, "a/de.yaml": "title: [", "b.yaml": "- x"}))
    )
    expected = "bad-id bad-pass-mark bidi-control equal-options no-title not-a-mapping syntax"
    assert sorted(found) == sorted(
        [*expected.split(), "bad-id", "unknown-answer", "unknown-key", "unknown-last"]
    )


def test_a_misspelt_key_is_told_what_was_meant(tmp_path: Path) -> None:
    text = QUIZ.replace("    explanation: Seoul", "    explenation: Seoul")
    problems = check([put(tmp_path, {"one.yaml": text})])
    assert "Did you mean explanation?" in [problem.mend for problem in problems]


def test_terms_are_whole_words_with_their_case(tmp_path: Path) -> None:
    source = QUIZ.replace("[EU]", "[ZIP, CSV]").replace("in the EU?", "as CSV or UNZIPPED ZIP?")
    kept = GERMAN.replace("in der EU?", "als CSVファイル, ZIP-Datei?")
    assert check([put(tmp_path / "kept", {"a/quiz.yaml": source, "a/ja.yaml": kept})]) == ()
    lost = GERMAN.replace("in der EU?", "als CSVs oder UNZIPPED?")
    problems = check([put(tmp_path / "lost", {"a/quiz.yaml": source, "a/de.yaml": lost})])
    assert [p.what for p in problems] == ["the term CSV is missing", "the term ZIP is missing"]


def test_a_translation_tells_when_its_source_changed(tmp_path: Path) -> None:
    put(tmp_path, sound())
    outline, _ = outline_of(tmp_path / "capitals")
    assert outline is not None
    german = GERMAN.replace(
        "  france:\n", f"  france:\n    source: {outline.questions['france'].hash}\n"
    )
    put(tmp_path, {"capitals/de.yaml": german})
    assert check([tmp_path]) == ()
    put(tmp_path, {"capitals/quiz.yaml": QUIZ.replace("lyon: Lyon", "lyon: Lyons")})
    library = load(tmp_path)
    assert codes(library) == ["stale"]
    assert library.quizzes["capitals"].locales == ["en", "de"]


def too_long_in(*locales: str) -> Iterator[tuple[str, str, str, int, int]]:
    for locale in locales:
        yield "japan", locale, "the question", 5000, 4096


def test_what_is_too_long_in_a_translation_is_told_there_and_left_out(tmp_path: Path) -> None:
    def measure(quiz: Quiz) -> Iterator[tuple[str, str, str, int, int]]:
        return too_long_in("de") if "de" in quiz.locales else iter(())

    library = load(put(tmp_path, sound()), measure)
    (problem,) = library.problems
    assert (problem.path, problem.code) == (tmp_path / "capitals/de.yaml", "too-long")
    assert Place(problem.line, problem.column) == (11, 3)
    assert "5000" in problem.what
    assert "4096" in problem.what
    assert library.quizzes["capitals"].locales == ["en"]


def test_what_is_too_long_in_the_source_is_told_there_and_the_quiz_left_out(
    tmp_path: Path,
) -> None:
    put(tmp_path, sound())
    problems = check([tmp_path], lambda quiz: too_long_in("en"))
    assert [(p.path.name, p.line, p.column, p.code) for p in problems] == [
        ("quiz.yaml", 16, 5, "too-long")
    ]
    assert load(tmp_path, lambda quiz: too_long_in("en")).quizzes == {}


def test_a_card_too_long_is_told_at_the_file_s_beginning(tmp_path: Path) -> None:
    put(tmp_path, sound())
    (problem,) = check([tmp_path], lambda quiz: [("", "en", "the card", 4097, 4096)])
    assert (problem.line, problem.column, problem.code) == (1, 1, "too-long")


def test_a_bad_file_keeps_its_last_good_version_and_the_others_reload(tmp_path: Path) -> None:
    first = load(put(tmp_path, sound() | {"other.yaml": QUIZ}))
    put(
        tmp_path,
        {
            "capitals/quiz.yaml": QUIZ.replace("answer: paris", "answer: rome"),
            "capitals/de.yaml": GERMAN.replace("Zwei Länder", "Beide Länder"),
            "other.yaml": QUIZ.replace("Two countries", "Both countries"),
        },
    )
    second = reload(tmp_path, first)
    assert codes(second) == ["unknown-answer"]
    assert second.quizzes["capitals"].questions[0].answer == {"paris"}
    assert second.quizzes["capitals"].descriptions["de"] == "Beide Länder."
    assert second.quizzes["other"].descriptions["en"] == "Both countries."
    put(tmp_path, sound())
    third = reload(tmp_path, second)
    assert third.problems == ()
    assert third.quizzes["capitals"] == first.quizzes["capitals"]


def test_a_bad_translation_keeps_its_last_good_version(tmp_path: Path) -> None:
    first = load(put(tmp_path, sound()))
    put(
        tmp_path,
        {"capitals/de.yaml": "title: [", "capitals/quiz.yaml": QUIZ + "    shuffle: false\n"},
    )
    second = reload(tmp_path, first)
    assert codes(second) == ["syntax"]
    japan = second.quizzes["capitals"].questions[1]
    assert japan.wordings["de"].question == "Welche liegen in Japan?"
    assert not japan.shuffle


def test_what_became_too_long_keeps_its_last_good_version(tmp_path: Path) -> None:
    def measure(quiz: Quiz) -> Iterator[tuple[str, str, str, int, int]]:
        long = "sehr" in quiz.questions[1].wordings["de"].question
        return too_long_in("de") if long else iter(())

    first = load(put(tmp_path, sound()), measure)
    put(tmp_path, {"capitals/de.yaml": GERMAN.replace("Welche", "Sehr, sehr, welche")})
    second = reload(tmp_path, first, measure)
    assert codes(second) == ["too-long"]
    assert second.quizzes == first.quizzes


def test_quizzes_and_languages_that_are_gone_go(tmp_path: Path) -> None:
    first = load(put(tmp_path, sound() | {"other.yaml": QUIZ}))
    (tmp_path / "other.yaml").unlink()
    (tmp_path / "capitals/de.yaml").unlink()
    second = reload(tmp_path, first)
    assert second.quizzes.keys() == {"capitals"}
    assert second.quizzes["capitals"].locales == ["en"]


def test_a_folder_without_its_quiz_yaml_keeps_the_quiz_until_it_is_gone(tmp_path: Path) -> None:
    first = load(put(tmp_path, sound() | {"other.yaml": QUIZ}))
    (tmp_path / "capitals/quiz.yaml").unlink()
    second = reload(tmp_path, first)
    assert codes(second) == ["no-quiz-file"]
    assert second.quizzes == first.quizzes
    shutil.rmtree(tmp_path / "capitals")
    assert reload(tmp_path, second).quizzes.keys() == {"other"}


def test_a_folder_out_of_reach_keeps_all_quizzes(tmp_path: Path) -> None:
    first = load(put(tmp_path / "quizzes", sound()))
    (tmp_path / "quizzes").rename(tmp_path / "elsewhere")
    second = reload(tmp_path / "quizzes", first)
    assert codes(second) == ["unreadable"]
    assert second.quizzes == first.quizzes


def test_what_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    first = load(put(tmp_path, sound() | {"rivers/quiz.yaml": QUIZ}))
    put(tmp_path, {"rivers/quiz.yaml": QUIZ.replace("Capitals", "Rivers")})
    second = reload(tmp_path, first)
    assert second.quizzes["capitals"] is first.quizzes["capitals"]
    assert second.quizzes["rivers"].titles == {"en": "Rivers"}


def test_two_files_for_one_quiz_leave_the_folder_served(tmp_path: Path) -> None:
    files = sound() | {"capitals.yaml": QUIZ.replace("Two countries", "A file")}
    library = load(put(tmp_path, files))
    assert codes(library) == ["two-files"]
    assert library.quizzes["capitals"].descriptions["en"] == "Two countries."


def test_two_spellings_of_a_language_are_told(tmp_path: Path) -> None:
    files = {"a/quiz.yaml": QUIZ, "a/pt-BR.yaml": GERMAN, "a/pt_BR.yaml": GERMAN}
    (problem,) = check([put(tmp_path, files)])
    assert (problem.path.name, problem.code) == ("pt_BR.yaml", "two-spellings")


def test_a_quiz_named_by_no_id_is_not_served(tmp_path: Path) -> None:
    library = load(put(tmp_path, {"My Quiz/quiz.yaml": QUIZ, "x.y.yaml": QUIZ}))
    assert codes(library) == ["bad-id", "bad-id"]
    assert library.quizzes == {}


def test_an_empty_folder_and_one_without_quiz_yaml_are_told(tmp_path: Path) -> None:
    assert codes(load(tmp_path)) == ["no-quizzes"]
    (tmp_path / "empty").mkdir()
    put(tmp_path, {"capitals/de.yaml": GERMAN})
    assert codes(load(tmp_path)) == ["no-quiz-file", "no-quiz-file"]


def test_pictures_hidden_files_and_notes_are_no_quizzes(tmp_path: Path) -> None:
    more = {"flags/a.png": b"", ".git/x.yaml": b"", "capitals/.hi.yaml.swp": b"", "README.md": b""}
    library = load(put(tmp_path, sound() | more))
    assert library.problems == ()
    assert library.quizzes.keys() == {"capitals"}


def test_a_file_in_a_quiz_s_folder_stands_for_the_quiz(tmp_path: Path) -> None:
    put(tmp_path, sound() | {"capitals/de.yaml": GERMAN.replace("lyon:", "lyons:")})
    whole = check([tmp_path])
    assert [problem.code for problem in whole] == ["untranslated", "unknown-option"]
    folder = tmp_path / "capitals"
    for paths in ([folder], [folder / "de.yaml"], [folder / "quiz.yaml"], [tmp_path, folder]):
        assert check(paths) == whole


def test_paths_that_are_no_quizzes_are_told(tmp_path: Path) -> None:
    put(tmp_path, {"notes.txt": b"x"})
    problems = check([tmp_path / "nowhere", tmp_path / "notes.txt"])
    assert [problem.code for problem in problems] == ["wrong-extension", "not-found"]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    put(tmp_path, sound())
    (tmp_path / "capitals/hi.yaml").symlink_to(tmp_path / "nowhere.yaml")
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    library = load(tmp_path)
    assert [problem.path.name for problem in library.problems] == [
        "hi.yaml",
        "loop.yaml",
        "pipe.yaml",
    ]
    assert codes(library) == ["unreadable"] * 3
    assert library.quizzes["capitals"].locales == ["en", "de"]


def test_what_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, sound() | {"closed/quiz.yaml": QUIZ})
    opened, listed = Path.open, Path.iterdir

    def open_(path: Path, mode: str) -> IO[bytes]:
        if path.name == "de.yaml":
            raise PermissionError(13, "Permission denied")
        return opened(path, mode)

    def iterdir(path: Path) -> Iterator[Path]:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(Path, "open", open_)  # root, who runs containers, may read everything
    monkeypatch.setattr(Path, "iterdir", iterdir)
    library = load(tmp_path)
    told = [(problem.path.name, problem.code, problem.what) for problem in library.problems]
    denied = "can't be read: Permission denied"
    assert told == [("de.yaml", "unreadable", denied), ("closed", "unreadable", denied)]
    assert library.quizzes["capitals"].locales == ["en"]


def test_a_single_file_is_checked_by_itself(tmp_path: Path) -> None:
    put(tmp_path, {"one.yaml": QUIZ.replace("answer: paris", "answer: rome"), "two.yaml": "- x"})
    assert [problem.code for problem in check([tmp_path / "one.yaml"])] == ["unknown-answer"]


@pytest.mark.parametrize("name", ["x" * 5000, "loop.png", "loop.png/a.png", "flags"])
def test_what_can_be_no_picture_is_none(tmp_path: Path, name: str) -> None:
    put(tmp_path, {"one.yaml": QUIZ + f"    image: {name}\n    alt: x\n", "flags/a.png": b""})
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")
    assert codes(load(tmp_path)) == ["image-not-found"]


def test_a_parser_s_refusal_without_a_place_is_told_at_the_beginning(tmp_path: Path) -> None:
    file = File(tmp_path, "a: \0")  # as if it had slipped through
    assert compose(file) is None
    assert [(p.code, p.line, p.column) for p in file.problems] == [("syntax", 1, 1)]


def test_links_out_of_the_folder_are_no_pictures(tmp_path: Path) -> None:
    put(tmp_path, {"secret.png": b"", "quizzes/one.yaml": QUIZ + "    image: a.png\n    alt: x\n"})
    (tmp_path / "quizzes/a.png").symlink_to(tmp_path / "secret.png")
    assert codes(load(tmp_path / "quizzes")) == ["image-not-found"]


def test_a_stamp_changes_with_every_save_addition_and_removal(tmp_path: Path) -> None:
    put(tmp_path, sound())
    stamps = [stamp(tmp_path)]
    assert stamp(tmp_path) == stamps[0]
    put(tmp_path, {"capitals/de.yaml": GERMAN + "\n"})
    stamps.append(stamp(tmp_path))
    put(tmp_path, {"capitals/flags/a.png": b""})
    stamps.append(stamp(tmp_path))
    (tmp_path / "capitals/flags/a.png").unlink()
    stamps.append(stamp(tmp_path))
    assert len(set(stamps)) == 4


def test_a_stamp_of_nowhere_is_a_stamp(tmp_path: Path) -> None:
    assert stamp(tmp_path / "nowhere") == ()


def test_aliases_that_would_grow_without_end_are_refused_at_once(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    library = load(put(tmp_path, {"bomb.yaml": "\n".join(lines)}))
    assert codes(library).count("alias") == 9 + 8 * 9
    assert library.quizzes == {}
