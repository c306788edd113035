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
    "QUIZBOT_LISTEN",
    "QUIZBOT_WEBHOOK_URL",
    "QUIZBOT_WEBHOOK_SECRET",
    "QUIZBOT_WEBHOOK_SECRET_FILE",
    "QUIZBOT_RATE_TOTAL",
    "QUIZBOT_RATE_CHAT",
    "QUIZBOT_RATE_GROUP",
    "QUIZBOT_PAID_BROADCAST",
    "QUIZBOT_LOG_LEVEL",
    "QUIZBOT_LOG_FORMAT",
)

_TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]{35,}")
_FASTEST = 1e6  # a rate that limits nothing; nan and inf are no rates
# https://core.telegram.org/bots/api#setwebhook, secret_token
_WEBHOOK_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


class SettingsError(Exception):
    """A wrong setting. The text is a sentence that names the variable, never a secret's value."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where Telegram brings updates, and the word by which it is known."""

    url: str
    secret: str = field(repr=False)

    @property
    def path(self) -> str:
        """The URL's path, which the server answers."""
        return urlsplit(self.url).path or "/"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator chose. `quiz_dir` None: the shipped quizzes; `webhook` None: polling.

    Rates are messages per second over all and in a private chat, and per minute in a group.
    """

    token: str | None = field(default=None, repr=False)
    api_url: str = "https://api.telegram.org"
    data_dir: Path = Path("data")
    quiz_dir: Path | None = None
    locale: str = "en"
    timezone: str = "UTC"
    listen: tuple[str, int] = ("127.0.0.1", 8090)
    webhook: Webhook | None = None
    rate_total: float = 30
    rate_chat: float = 1
    rate_group: float = 20
    paid_broadcast: bool = False
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
        """The same for a bot on another server, with data of its own. Nobody limits it there, and
        authors tap faster than they read."""
        return replace(
            self,
            token=token,
            api_url=api_url,
            data_dir=data_dir,
            webhook=None,
            rate_total=1000,
            rate_chat=1000,
            rate_group=1000,
        )

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
        listen=_address("QUIZBOT_LISTEN", given.get("QUIZBOT_LISTEN", "127.0.0.1:8090")),
        webhook=_webhook(given),
        rate_total=_rate(given, "QUIZBOT_RATE_TOTAL", Settings().rate_total),
        rate_chat=_rate(given, "QUIZBOT_RATE_CHAT", Settings().rate_chat),
        rate_group=_rate(given, "QUIZBOT_RATE_GROUP", Settings().rate_group),
        paid_broadcast=_one_of(given, "QUIZBOT_PAID_BROADCAST", "off", "on") == "on",
        log_level=_one_of(given, "QUIZBOT_LOG_LEVEL", "INFO", "DEBUG", "WARNING", "ERROR"),
        log_format=_one_of(given, "QUIZBOT_LOG_FORMAT", "text", "json"),
        unknown=tuple(sorted(n for n in environ if n.startswith(PREFIX) and n not in KNOWN)),
    )


def _token(given: Mapping[str, str]) -> str | None:
    source, token = _given_secret(given, "QUIZBOT_TOKEN")
    if token is not None and not _TOKEN.fullmatch(token):
        raise SettingsError(
            f"{source} holds no bot token: one is digits, a colon and at least 35 letters, "
            "digits, _ or -, as @BotFather gave it."
        )
    return token


def _given_secret(given: Mapping[str, str], name: str) -> tuple[str, str | None]:
    """Which variable the secret came from, and the secret."""
    in_file = f"{name}_FILE"
    if path := given.get(in_file):
        if name in given:
            raise SettingsError(f"{name} and {in_file} are both set: keep one.")
        return in_file, _secret(in_file, Path(path))
    return name, given[name].strip() if name in given else None


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


def _url(name: str, value: str, like: str = "https://api.telegram.org") -> str:
    url = value.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that isn't closed
        valid = False
    # the address itself stays out of the sentence: it may carry a password or a token
    if not valid or parts.query or parts.fragment or any(c.isspace() for c in url):
        raise SettingsError(f"{name} must be an address like {like}.")
    return url


def _webhook(given: Mapping[str, str]) -> Webhook | None:
    source, secret = _given_secret(given, "QUIZBOT_WEBHOOK_SECRET")
    if "QUIZBOT_WEBHOOK_URL" not in given:
        if secret is not None:
            raise SettingsError(f"{source} is set without QUIZBOT_WEBHOOK_URL: set both or none.")
        return None
    url = _url("QUIZBOT_WEBHOOK_URL", given["QUIZBOT_WEBHOOK_URL"], "https://bot.example.org/hook")
    if secret is None:
        raise SettingsError(
            "QUIZBOT_WEBHOOK_URL needs QUIZBOT_WEBHOOK_SECRET, or anybody could send updates: "
            "set it to 1 to 256 letters, digits, _ or -, chosen at random."
        )
    if not _WEBHOOK_SECRET.fullmatch(secret):
        raise SettingsError(f"{source} must be 1 to 256 letters, digits, _ or -.")
    return Webhook(url, secret)


def _address(name: str, value: str) -> tuple[str, int]:
    host, _, port = value.strip().rpartition(":")
    # 0 is any free port, for those who look it up in the log
    if not host or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise SettingsError(f"{name} must be host:port, like 127.0.0.1:8090.")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _rate(given: Mapping[str, str], name: str, default: float) -> float:
    try:
        rate = float(given.get(name, default))
    except ValueError:
        rate = 0.0
    if not 0 < rate <= _FASTEST:
        raise SettingsError(f"{name} must be a number above 0, like {default}.")
    return rate


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
