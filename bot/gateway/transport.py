"""PTB's network on one aiohttp session: several times faster than its own (httpx) under load.

A send that timed out may have arrived, so it must not be repeated blindly; one that never left
may. PTB's errors don't tell the two apart; `NotSent` does.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram.error import BadRequest, NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

_CONNECT_S = 10.0
_READ_S = 20.0
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class NotSent(NetworkError):
    """The request certainly did not reach the server."""


class AiohttpRequest(BaseRequest):
    """Proxies are taken from the environment (HTTPS_PROXY). No error text holds the URL: the
    token is in it."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None
        # aiohttp's `trust_env` looks up the proxy and ~/.netrc at each request, in two threads:
        # a fifth of what a call takes.
        self._proxy = lru_cache(maxsize=8)(_proxy_to)

    @property
    def read_timeout(self) -> float:
        """Seconds of silence after which an answer is given up."""
        return _READ_S

    async def initialize(self) -> None:
        """Makes the session; harmless if there is one."""
        if self._session is None:
            # How many calls run at once is decided by lanes and outbox, not by a pool: one that
            # is exhausted would fail calls.
            connector = aiohttp.TCPConnector(limit=0)
            self._session = aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar()
            )

    async def shutdown(self) -> None:
        """Closes the session; harmless if there is none."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: object = BaseRequest.DEFAULT_NONE,
        write_timeout: object = BaseRequest.DEFAULT_NONE,
        connect_timeout: object = BaseRequest.DEFAULT_NONE,
        pool_timeout: object = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """The status and body of the answer. Only the read timeout (seconds) is heeded."""
        body, headers = _body(request_data)
        try:
            async with self._open().request(
                method,
                url,
                data=body,
                headers=headers,
                timeout=_timeout(_seconds(read_timeout)),
                allow_redirects=False,
                proxy=self._proxy(url[: url.find("/", len("https://"))]),
            ) as response:
                return response.status, await response.read()
        except (aiohttp.ClientError, OSError) as error:
            raise _translated(error) from None

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The body as JSON. A page of some proxy is ordinary trouble; PTB's own version logs it
        as an error, whole and with a traceback, at every try."""
        try:
            answer = json.loads(payload)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise NetworkError("the answer is not a Bot API server's")
        return answer

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise NotSent("the HTTP session is closed")
        return self._session


def _proxy_to(server: str) -> str | None:
    """The proxy on the way to `https://host`, if there is one; none leads to this machine."""
    parts = urlsplit(server)
    if parts.hostname is None or parts.hostname in _LOOPBACK or proxy_bypass(parts.hostname):
        return None
    return getproxies().get(parts.scheme)


@lru_cache(maxsize=8)
def _timeout(read_s: float | None) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=None, connect=_CONNECT_S, sock_read=read_s)


def _seconds(timeout: object) -> float | None:
    return timeout if isinstance(timeout, int | float) else _READ_S


def _body(request: RequestData | None) -> tuple[bytes | aiohttp.FormData | None, dict[str, str]]:
    if request is None:
        return None, {}
    try:
        if request.contains_files:
            return _form(request), {}
        encoded = urlencode(request.json_parameters).encode()
    except UnicodeEncodeError as error:
        raise BadRequest(f"the text is not valid Unicode: {error.reason}") from None
    return encoded, {"Content-Type": "application/x-www-form-urlencoded"}


def _form(request: RequestData) -> aiohttp.FormData:
    form = aiohttp.FormData()
    for name, value in request.json_parameters.items():
        form.add_field(name, value)
    for field, (filename, content, content_type) in request.multipart_data.items():
        form.add_field(field, content, filename=filename, content_type=content_type)
    return form


def _translated(error: Exception) -> NetworkError:
    """PTB's error for aiohttp's. Only what the operating system said is taken over from it:
    some of aiohttp's own texts hold the URL."""
    match error:
        case aiohttp.ClientConnectorError():
            return NotSent(f"can't connect to {error.host}: {_reason(error)}")
        case aiohttp.ConnectionTimeoutError():
            return NotSent(f"no connection within {_CONNECT_S:.0f} s")
        case aiohttp.ClientHttpProxyError():
            return NotSent(f"the proxy refused ({error.status})")
        case aiohttp.InvalidURL():
            return NotSent("the address of the Bot API server is not valid")
        case TimeoutError():
            return TimedOut("no answer in time")
        case _:
            return NetworkError(f"the connection was lost: {_reason(error)}")


def _reason(error: Exception) -> str:
    cause = getattr(error, "os_error", error)
    return getattr(cause, "strerror", None) or type(cause).__name__
