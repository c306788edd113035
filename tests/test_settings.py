"""Settings come from the environment, and a wrong one is a sentence that names the variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings, SettingsError, Webhook, from_environment

TOKEN = "123456789:AAExampleExampleExampleExampleExample"


def refused(**environ: str) -> str:
    with pytest.raises(SettingsError) as caught:
        from_environment(environ)
    return str(caught.value)


def test_nothing_set_gives_the_defaults() -> None:
    assert from_environment({}) == Settings(
        token=None,
        api_url="https://api.telegram.org",
        data_dir=Path("data"),
        quiz_dir=None,
        locale="en",
        timezone="UTC",
        listen=("127.0.0.1", 8090),
        webhook=None,
        rate_total=30,
        rate_chat=1,
        rate_group=20,
        paid_broadcast=False,
        log_level="INFO",
        log_format="text",
        unknown=(),
    )


def test_an_empty_variable_counts_as_not_set() -> None:
    names = [f"QUIZBOT_{n}" for n in ("TOKEN", "TOKEN_FILE", "API_URL", "QUIZ_DIR", "LOG_LEVEL")]
    assert from_environment(dict.fromkeys(names, " ")) == Settings()


def test_everything_set_is_taken_over() -> None:
    settings = from_environment(
        {
            "QUIZBOT_TOKEN": TOKEN,
            "QUIZBOT_API_URL": "http://127.0.0.1:8081/",
            "QUIZBOT_DATA_DIR": "/var/lib/quizbot",
            "QUIZBOT_QUIZ_DIR": "/srv/quizzes",
            "QUIZBOT_LOCALE": "pt-br",
            "QUIZBOT_TIMEZONE": "Asia/Kolkata",
            "QUIZBOT_LISTEN": "[::1]:9000",
            "QUIZBOT_WEBHOOK_URL": "https://bot.example.org/hook/",
            "QUIZBOT_WEBHOOK_SECRET": "open-sesame",
            "QUIZBOT_RATE_TOTAL": "500",
            "QUIZBOT_RATE_CHAT": "0.5",
            "QUIZBOT_RATE_GROUP": "12",
            "QUIZBOT_PAID_BROADCAST": "On",
            "QUIZBOT_LOG_LEVEL": "debug",
            "QUIZBOT_LOG_FORMAT": "json",
            "HOME": "/root",
        }
    )
    assert settings == Settings(
        TOKEN,
        "http://127.0.0.1:8081",
        Path("/var/lib/quizbot"),
        Path("/srv/quizzes"),
        "pt-br",
        "Asia/Kolkata",
        ("::1", 9000),
        Webhook("https://bot.example.org/hook", "open-sesame"),
        500,
        0.5,
        12,
        True,
        "DEBUG",
        "json",
    )


def test_the_token_is_not_in_the_repr() -> None:
    settings = from_environment({"QUIZBOT_TOKEN": TOKEN})
    assert settings.require_token() == TOKEN
    assert "AAExample" not in repr(settings)


def test_a_token_file_is_read_without_its_line_end(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n", encoding="utf-8")
    settings = from_environment({"QUIZBOT_TOKEN_FILE": str(tmp_path / "token")})
    assert settings.token == TOKEN


def test_token_and_token_file_together_are_refused(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN, encoding="utf-8")
    said = refused(QUIZBOT_TOKEN=TOKEN, QUIZBOT_TOKEN_FILE=str(tmp_path / "token"))
    assert said == "QUIZBOT_TOKEN and QUIZBOT_TOKEN_FILE are both set: keep one."


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot read {path}: No such file or directory."),
        (b"", "{path} is empty."),
        (b" \n", "{path} is empty."),
        (b"\xff\xfe1", "{path} is not a text file."),
    ],
)
def test_a_token_file_without_a_token_is_refused(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    path = tmp_path / "token"
    if content is not None:
        path.write_bytes(content)
    said = refused(QUIZBOT_TOKEN_FILE=str(path))
    assert said == "QUIZBOT_TOKEN_FILE: " + why.format(path=path)


def test_a_folder_as_token_file_is_refused(tmp_path: Path) -> None:
    assert "Is a directory" in refused(QUIZBOT_TOKEN_FILE=str(tmp_path))


def test_a_token_where_its_file_belongs_is_refused_without_showing_it() -> None:
    said = refused(QUIZBOT_TOKEN_FILE=TOKEN)
    assert "AAExample" not in said
    assert said.startswith("QUIZBOT_TOKEN_FILE: cannot read the file it names")


@pytest.mark.parametrize(
    "token", ["secret", "123:short", TOKEN + "!", "bot" + TOKEN, TOKEN.replace(":", ";")]
)
def test_what_is_no_token_is_refused_without_showing_it(token: str, tmp_path: Path) -> None:
    said = refused(QUIZBOT_TOKEN=token)
    assert said.startswith("QUIZBOT_TOKEN holds no bot token")
    assert token not in said
    (tmp_path / "token").write_text(token, encoding="utf-8")
    said = refused(QUIZBOT_TOKEN_FILE=str(tmp_path / "token"))
    assert said.startswith("QUIZBOT_TOKEN_FILE holds no bot token")


def test_without_a_token_only_what_needs_one_fails() -> None:
    with pytest.raises(SettingsError, match=r"^QUIZBOT_TOKEN is not set"):
        from_environment({}).require_token()


@pytest.mark.parametrize(
    "url",
    [
        "api.telegram.org",
        "ftp://api.telegram.org",
        "https://",
        "http://host:port",
        "http://host:99999",
        "http://[::1",
        "https://host/?a=b",
        "https://ho st",
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    assert refused(QUIZBOT_API_URL=url).startswith("QUIZBOT_API_URL must be an address")


@pytest.mark.parametrize("url", ["https://api.example.org/tg", "http://[::1]:8081"])
def test_an_address_may_have_a_port_and_a_path(url: str) -> None:
    assert from_environment({"QUIZBOT_API_URL": url + "/"}).api_url == url


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("LOCALE", "xx", "'xx' is no language; write it like en, hi or pt_BR."),
        ("LOCALE", "english", "'english' is no language; write it like en, hi or pt_BR."),
        ("TIMEZONE", "Mars", "'Mars' is no time zone; write it like Europe/Berlin or UTC."),
        ("TIMEZONE", "Europe", "'Europe' is no time zone; write it like Europe/Berlin or UTC."),
        ("TIMEZONE", "../UTC", "'../UTC' is no time zone; write it like Europe/Berlin or UTC."),
    ],
)
def test_unknown_languages_and_zones_are_refused(name: str, value: str, said: str) -> None:
    assert refused(**{f"QUIZBOT_{name}": value}) == f"QUIZBOT_{name}: {said}"


def test_a_log_setting_is_one_of_a_few_words() -> None:
    assert (
        refused(QUIZBOT_LOG_LEVEL="LOUD")
        == "QUIZBOT_LOG_LEVEL is 'LOUD'; it must be INFO or DEBUG or WARNING or ERROR."
    )
    assert (
        refused(QUIZBOT_LOG_FORMAT="xml")
        == "QUIZBOT_LOG_FORMAT is 'xml'; it must be text or json."
    )


def test_unknown_variables_are_warned_of_with_the_likely_name() -> None:
    settings = from_environment(
        {"QUIZBOT_TOKN": TOKEN, "QUIZBOT_BACKUP_DIR": "/b", "QUIZBOT_DATADIR": "", "PATH": "/bin"}
    )
    assert settings.unknown == ("QUIZBOT_BACKUP_DIR", "QUIZBOT_DATADIR", "QUIZBOT_TOKN")
    assert settings.warnings() == [
        "QUIZBOT_BACKUP_DIR is not a setting of this version.",
        "QUIZBOT_DATADIR is not a setting of this version; did you mean QUIZBOT_DATA_DIR?",
        "QUIZBOT_TOKN is not a setting of this version; did you mean QUIZBOT_TOKEN?",
    ]


@pytest.mark.parametrize("value", ["0", "-1", "many", "nan", "inf"])
@pytest.mark.parametrize("name", ["QUIZBOT_RATE_TOTAL", "QUIZBOT_RATE_CHAT", "QUIZBOT_RATE_GROUP"])
def test_a_rate_is_a_number_above_zero(name: str, value: str) -> None:
    assert refused(**{name: value}).startswith(f"{name} must be a number above 0, like ")


@pytest.mark.parametrize(
    "value", ["8090", "localhost", "host:port", ":8090", "host:65536", "a:-1"]
)
def test_where_to_listen_is_a_host_and_a_port(value: str) -> None:
    said = refused(QUIZBOT_LISTEN=value)
    assert said == "QUIZBOT_LISTEN must be host:port, like 127.0.0.1:8090."


HOOK = "https://bot.example.org/hook"


def test_a_webhook_without_a_secret_is_refused() -> None:
    said = refused(QUIZBOT_WEBHOOK_URL=HOOK)
    assert said.startswith("QUIZBOT_WEBHOOK_URL needs QUIZBOT_WEBHOOK_SECRET, or anybody could")


def test_a_secret_without_a_webhook_is_refused() -> None:
    said = refused(QUIZBOT_WEBHOOK_SECRET="open-sesame")
    assert said == ("QUIZBOT_WEBHOOK_SECRET is set without QUIZBOT_WEBHOOK_URL: set both or none.")


def test_a_secret_may_come_from_a_file_and_is_not_in_the_repr(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("open-sesame\n", encoding="utf-8")
    settings = from_environment(
        {
            "QUIZBOT_WEBHOOK_URL": HOOK,
            "QUIZBOT_WEBHOOK_SECRET_FILE": str(tmp_path / "secret"),
        }
    )
    assert settings.webhook == Webhook(HOOK, "open-sesame")
    assert "open-sesame" not in repr(settings)


@pytest.mark.parametrize("secret", ["open sesame", "ö", "a" * 257, "a/b"])
def test_a_secret_that_telegram_does_not_take_is_refused_without_showing_it(secret: str) -> None:
    said = refused(QUIZBOT_WEBHOOK_URL=HOOK, QUIZBOT_WEBHOOK_SECRET=secret)
    assert said == "QUIZBOT_WEBHOOK_SECRET must be 1 to 256 letters, digits, _ or -."


@pytest.mark.parametrize(("url", "path"), [(HOOK, "/hook"), ("https://bot.example.org", "/")])
def test_the_path_of_a_webhook_is_that_of_its_url(url: str, path: str) -> None:
    assert Webhook(url, "x").path == path
