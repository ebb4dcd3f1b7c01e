"""A folder on a web server, read by people who do not trust the server.

What a server may do to whoever asks it is bounded: an answer may have so many bytes, whatever its length is said to be;
it has to be there within `SECONDS`, from the look-up of the name to the last byte; redirects are followed to http and
https alone, never from https to http, and only a few; nothing is unpacked. After any failure a server is left alone for
`QUIET` seconds: whoever asks meanwhile gets the same line again at once, so that no number of questions is a storm of
retries. That a file is not there (404) is no failure.

This is the standard library's HTTP (http.client). Zarr's own remote stores would bring fsspec with aiohttp, or obstore;
and they unpack a chunk before anybody could compare its checksum, and read answers of any length.

Each conversation has a thread of its own (a daemon), since neither the look-up of a name nor a header that comes byte
by byte can be given an end otherwise. A thread that is too late is left behind, and its socket shut. Connections are
kept for the next question (keep-alive), at most a few.
"""

import os
import socket
from contextlib import suppress
from functools import lru_cache
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from urllib.parse import urljoin, urlsplit

from noughts import __version__
from noughts.games import NoughtsError

__all__ = ["NotAnAddressError", "WebFolder", "WebFolderError", "web_folder"]

SECONDS = 20.0
"""In which an answer has to be there, whole."""
QUIET = 30.0
"""Seconds for which a server is left alone after a failure."""
REDIRECTS = 3
IDLE = 4
"""Connections that are kept."""
STEP = 1 << 16
"""Bytes that are read at once."""
LONGEST = 160
"""Letters of what a server said that are shown."""

SCHEMES = {"http": HTTPConnection, "https": HTTPSConnection}


class NotAnAddressError(NoughtsError):
    """Text that is no address of a folder on a web server."""


class WebFolderError(NoughtsError):
    """A server that does not answer, or not as expected. The message names the address and what was expected."""


class _RefusedError(Exception):
    """Why an answer is not taken."""


class WebFolder:
    """A folder on a web server. `web_folder` gives the same one for the same address."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._lock = Lock()
        self._quiet_until = 0.0
        self._failure = ""
        self._idle: list[tuple[int, str, HTTPConnection]] = []

    def read(self, path: str, most: int, expected: str) -> bytes | None:
        """A file of the folder, at most so many bytes; None if it is not there.

        Args:
            path: In the folder, quoted as in an address.
            most: Bytes; a longer answer is an error.
            expected: What was expected there, in words, for the error.

        Raises:
            WebFolderError: The server does not answer, or not as it should.
        """
        if monotonic() < self._quiet_until:
            raise WebFolderError(self._failure)
        url = f"{self.address}/{path}"
        conversation = _Conversation(self, url, most)
        Thread(target=conversation.run, daemon=True).start()
        try:
            found = conversation.answer.get(timeout=SECONDS)
        except Empty:
            conversation.abandon()
            found = _RefusedError(f"no whole answer within {SECONDS:g} s")
        if isinstance(found, Exception):
            raise self.failure(f"{url!r} cannot be read: {_reason(found)}; expected {expected}") from found
        return found

    def failure(self, message: str) -> WebFolderError:
        """The error with this message, to be raised; from now on the server is left alone for a while."""
        with self._lock:
            self._quiet_until = monotonic() + QUIET
            self._failure = message
        return WebFolderError(message)

    def connection(self, origin: str) -> tuple[HTTPConnection, bool]:
        """A connection to a server, and whether it was kept; none from before a fork, which two would then use."""
        with self._lock:
            for number, (process, whither, kept) in enumerate(self._idle):
                if (process, whither) == (os.getpid(), origin):
                    del self._idle[number]
                    return kept, True
        scheme, _, host = origin.partition("://")
        return SCHEMES[scheme](host, timeout=SECONDS), False

    def keep(self, origin: str, connection: HTTPConnection) -> None:
        """Keep a connection for the next question."""
        with self._lock:
            self._idle.append((os.getpid(), origin, connection))
            oldest = self._idle.pop(0)[2] if len(self._idle) > IDLE else None
        if oldest is not None:
            oldest.close()


class _Conversation:
    """One question and its answer, in a thread."""

    def __init__(self, folder: WebFolder, url: str, most: int) -> None:
        self.folder = folder
        self.url = url
        self.most = most
        self.answer: SimpleQueue[bytes | Exception | None] = SimpleQueue()
        self._until = monotonic() + SECONDS
        self._connection: HTTPConnection | None = None

    def run(self) -> None:
        """Ask, and put the answer where it is waited for."""
        try:
            self.answer.put(self._ask())
        except Exception as error:  # whatever it is, who waits is to know
            self._close()
            self.answer.put(error)

    def abandon(self) -> None:
        """Have the thread end soon: nobody waits for it any more."""
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)

    def _ask(self) -> bytes | None:
        url = self.url
        for _ in range(REDIRECTS + 1):
            scheme, host, target = _parts(url)
            origin = f"{scheme}://{host}"
            response = self._get(origin, target)
            if response.status in (301, 302, 303, 307, 308):
                self._close()
                url = _led_on(url, response.getheader("Location") or "")
                continue
            if response.status in (404, 410):
                self._close()
                return None
            if response.status != 200:
                raise _RefusedError(f"the answer has status {response.status}")
            content = self._content(response)
            if self._connection is not None and response.isclosed() and not response.will_close:
                self.folder.keep(origin, self._connection)
            else:
                self._close()
            return content
        raise _RefusedError(f"more than {REDIRECTS} redirects")

    def _get(self, origin: str, target: str) -> HTTPResponse:
        """The head of an answer. A connection that was kept may have been closed by the server: then on a new one."""
        headers = {"Accept-Encoding": "identity", "User-Agent": f"noughts/{__version__}"}
        while True:
            self._connection, kept = self.folder.connection(origin)
            try:
                self._connection.request("GET", target, headers=headers)
                return self._connection.getresponse()
            except (ConnectionError, HTTPException):
                self._close()
                if not kept:
                    raise

    def _content(self, response: HTTPResponse) -> bytes:
        """The body, no more than may be read, whatever the server says its length is."""
        if response.getheader("Content-Encoding", "identity") != "identity":
            raise _RefusedError("the answer is packed, which nobody asked for")
        said = response.length
        if said is not None and said > self.most:
            raise _RefusedError(f"the answer has {said} bytes, more than {self.most}")
        content = bytearray()
        while piece := response.read(STEP):
            content += piece
            if len(content) > self.most:
                raise _RefusedError(f"the answer has more than {self.most} bytes")
            if monotonic() > self._until:
                raise _RefusedError(f"no whole answer within {SECONDS:g} s")
        if said is not None and len(content) != said:
            raise _RefusedError(f"the answer ends after {len(content)} of {said} bytes")
        return bytes(content)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _parts(url: str) -> tuple[str, str, str]:
    """Scheme, host with port, and what to ask it for."""
    parts = urlsplit(url)
    return parts.scheme, parts.netloc, parts.path + (f"?{parts.query}" if parts.query else "")


def _led_on(url: str, location: str) -> str:
    """Where a redirect leads, if it may lead there."""
    led = urljoin(url, location)
    parts = urlsplit(led)
    allowed = ("https",) if url.startswith("https:") else ("http", "https")
    if parts.scheme not in allowed or not parts.hostname or "@" in parts.netloc:
        raise _RefusedError(f"it redirects to {location[:LONGEST]!r}, where {' or '.join(allowed)} is allowed")
    return led


def _reason(error: Exception) -> str:
    """Why something failed, on one line."""
    words = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
    return "".join(letter if letter.isprintable() else " " for letter in words)[:LONGEST]


@lru_cache(maxsize=8)
def web_folder(address: str) -> WebFolder:
    """The folder at an address, as `https://tables.example/noughts`.

    Raises:
        NotAnAddressError: It is not the address of a folder: another scheme, or no host, or a password, query or
            fragment in it.
    """
    try:
        parts = urlsplit(address)
        right = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port, or of brackets
        right = False
    if not right or any(sign in address for sign in "@?#") or not address.isprintable() or " " in address:
        shown = "an address with '@'" if "@" in address else repr(address)
        raise NotAnAddressError(f"{shown} is no place of tables: expected a folder, or http(s)://HOST/FOLDER")
    return WebFolder(address.rstrip("/"))
