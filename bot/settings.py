"""The operator's settings, read once from the environment; a wrong one is one sentence."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.core import Locale, UnknownLocaleError

PREFIX = "QUIZBOT_"
KNOWN = (
    "QUIZBOT_TOKEN",
    "QUIZBOT_TOKEN_FILE",
    "QUIZBOT_API_URL",
    "QUIZBOT_DATA_DIR",
    "QUIZBOT_QUIZ_DIR",
    "QUIZBOT_LOCALE",
    "QUIZBOT_TIMEZONE",
    "QUIZBOT_LOG_LEVEL",
    "QUIZBOT_LOG_FORMAT",
)

_TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]{35,}")


class SettingsError(Exception):
    """A wrong setting. The text is a sentence that names the variable, never a secret's value."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator chose. `quiz_dir` None: the shipped quizzes."""

    token: str | None = field(default=None, repr=False)
    api_url: str = "https://api.telegram.org"
    data_dir: Path = Path("data")
    quiz_dir: Path | None = None
    locale: str = "en"
    timezone: str = "UTC"
    log_level: str = "INFO"
    log_format: str = "text"
    unknown: tuple[str, ...] = ()

    def require_token(self) -> str:
        """The token, for what cannot do without.

        Raises:
            SettingsError: there is none.
        """
        if self.token is None:
            raise SettingsError(
                "QUIZBOT_TOKEN is not set: put the token that @BotFather gave you there, "
                "or into a file that QUIZBOT_TOKEN_FILE names."
            )
        return self.token

    def for_demo(self, token: str, api_url: str, data_dir: Path) -> Settings:
        """The same for a bot on another server, with data of its own."""
        return replace(self, token=token, api_url=api_url, data_dir=data_dir)

    def warnings(self) -> list[str]:
        """A sentence for each QUIZBOT_ variable that this version knows nothing of."""
        return [_unknown(name) for name in self.unknown]


def from_environment(environ: Mapping[str, str]) -> Settings:
    """The settings in these variables. An empty one counts as not set.

    Raises:
        SettingsError: the first wrong one.
    """
    given = {name: value for name, value in environ.items() if value.strip()}
    quiz_dir = given.get("QUIZBOT_QUIZ_DIR")
    return Settings(
        token=_token(given),
        api_url=_url("QUIZBOT_API_URL", given.get("QUIZBOT_API_URL", Settings().api_url)),
        data_dir=Path(given.get("QUIZBOT_DATA_DIR", "data")),
        quiz_dir=Path(quiz_dir) if quiz_dir else None,
        locale=_locale(given.get("QUIZBOT_LOCALE", "en").strip()),
        timezone=_timezone(given.get("QUIZBOT_TIMEZONE", "UTC").strip()),
        log_level=_one_of(given, "QUIZBOT_LOG_LEVEL", "INFO", "DEBUG", "WARNING", "ERROR"),
        log_format=_one_of(given, "QUIZBOT_LOG_FORMAT", "text", "json"),
        unknown=tuple(sorted(n for n in environ if n.startswith(PREFIX) and n not in KNOWN)),
    )


def _token(given: Mapping[str, str]) -> str | None:
    source, token = "QUIZBOT_TOKEN", given.get("QUIZBOT_TOKEN")
    if path := given.get("QUIZBOT_TOKEN_FILE"):
        if token:
            raise SettingsError("QUIZBOT_TOKEN and QUIZBOT_TOKEN_FILE are both set: keep one.")
        source, token = "QUIZBOT_TOKEN_FILE", _secret("QUIZBOT_TOKEN_FILE", Path(path))
    if token is None:
        return None
    token = token.strip()
    if not _TOKEN.fullmatch(token):
        raise SettingsError(
            f"{source} holds no bot token: one is digits, a colon and at least 35 letters, "
            "digits, _ or -, as @BotFather gave it."
        )
    return token


def _secret(name: str, path: Path) -> str:
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        # somebody may have put the secret itself where its file's name belongs
        where = "the file it names" if _TOKEN.search(str(path)) else path
        raise SettingsError(f"{name}: cannot read {where}: {error.strerror}.") from None
    except UnicodeDecodeError:  # which holds the file's bytes
        raise SettingsError(f"{name}: {path} is not a text file.") from None
    if not secret:
        raise SettingsError(f"{name}: {path} is empty.")
    return secret


def _url(name: str, value: str) -> str:
    url = value.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that isn't closed
        valid = False
    # the address itself stays out of the sentence: it may carry a password or a token
    if not valid or parts.query or parts.fragment or any(c.isspace() for c in url):
        raise SettingsError(f"{name} must be an address like https://api.telegram.org.")
    return url


def _locale(value: str) -> str:
    try:
        Locale.parse(value.replace("-", "_"))
    except (UnknownLocaleError, ValueError) as error:
        raise SettingsError(
            f"QUIZBOT_LOCALE: {value!r} is no language; write it like en, hi or pt_BR."
        ) from error
    return value


def _timezone(value: str) -> str:
    try:
        ZoneInfo(value)
    # OSError: "Europe" is a folder of zones
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SettingsError(
            f"QUIZBOT_TIMEZONE: {value!r} is no time zone; write it like Europe/Berlin or UTC."
        ) from error
    return value


def _one_of(given: Mapping[str, str], name: str, default: str, *others: str) -> str:
    choices = {choice.casefold(): choice for choice in (default, *others)}
    value = given.get(name, default).strip()
    if value.casefold() not in choices:
        raise SettingsError(f"{name} is {value!r}; it must be {' or '.join(choices.values())}.")
    return choices[value.casefold()]


def _unknown(name: str) -> str:
    sentence = f"{name} is not a setting of this version"
    near = difflib.get_close_matches(name, KNOWN, n=1, cutoff=0.85)
    return f"{sentence}; did you mean {near[0]}?" if near else f"{sentence}."
