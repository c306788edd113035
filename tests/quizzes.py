"""Small quizzes for tests, as values."""

from __future__ import annotations

from bot.quiz.quiz import Question, Quiz, Scoring, Wording


def wording(locale: str, text: str, options: dict[str, str], why: str = "") -> Wording:
    """A question's words in one language."""
    return Wording(locale, text, options, why)


def capital(id_: str, country: str, right: str, *wrong: str) -> Question:
    """A question with short options, which stand on the buttons."""
    options = {name.lower(): name for name in (right, *wrong)}
    words = wording("en", f"Capital of {country}?", options, f"{right} is the capital.")
    return Question(id_, tuple(options), frozenset({right.lower()}), {"en": words})


CAPITALS = Quiz(
    "capitals",
    "en",
    {"en": "Capitals", "hi": "राजधानियाँ"},
    {"en": "Three countries."},
    (
        capital("france", "France", "Paris", "Lyon", "Nice"),
        capital("japan", "Japan", "Tokyo", "Osaka", "Kyoto"),
        capital("kenya", "Kenya", "Nairobi", "Mombasa"),
    ),
    pass_mark=60,
)

_LONG = {
    "size": "Because one file can be too big for one machine",
    "speed": "Because many small files are always much faster",
}
_LONG_HI = {
    "size": "क्योंकि एक फ़ाइल किसी एक मशीन के लिए बहुत बड़ी हो सकती है",
    "speed": "क्योंकि बहुत-सी छोटी फ़ाइलें हमेशा ज़्यादा तेज़ होती हैं",
}

SHARDS = Quiz(
    "shards",
    "en",
    {"en": "Shards & <pieces>"},
    {},
    (
        Question(
            "why",
            ("speed", "size"),
            frozenset({"size"}),
            {
                "en": wording("en", "Why are checkpoints split?", _LONG, "One file is `too big`."),
                "hi": wording("hi", "चेकपॉइंट क्यों बाँटे जाते हैं?", _LONG_HI, "एक फ़ाइल बहुत बड़ी होती है।"),
            },
            link="https://example.org/shards?a=1&b=2",
        ),
        Question(
            "english-only",
            ("yes", "no"),
            frozenset({"no"}),
            {"en": wording("en", "Is 1 < 0 & 2 > 3?", {"yes": "Yes", "no": "No"}, "1 > 0.")},
        ),
    ),
)

SEVERAL = Quiz(
    "several",
    "en",
    {"en": "Several"},
    {},
    (
        Question(
            "primes",
            ("two", "three", "four"),
            frozenset({"two", "three"}),
            {
                "en": wording(
                    "en",
                    "Which are primes?",
                    {"two": "2", "three": "3", "four": "4"},
                    "4 is 2 × 2.",
                )
            },
            multiple=True,
        ),
    ),
    scoring=Scoring.PARTIAL,
)
