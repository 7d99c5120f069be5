"""
What does the server write about itself, and how? JSON lines, or readable ones on a terminal.

Every line is one event with few short fields. Whatever looks like a credential is struck
out as a second net; the first is never to log one. Nothing on the path of a turn logs.
"""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from typing import Any, Final, TextIO, cast

import structlog

_CREDENTIAL: Final = re.compile(r"\b(lc[a-z]_)\w+")
_LONGEST: Final = 400
_BROKEN_WORD: Final = re.compile(r"\s+\S{0,40}\Z")
_LEVELS: Final = ("debug", "info", "warning", "error")

Line = MutableMapping[str, Any]


def _bounded(_logger: object, _method: str, line: Line) -> Mapping[str, Any]:
    """Shorten long values and strike out credentials; a traceback keeps its length."""
    for key, value in line.items():
        if isinstance(value, str):
            struck = _CREDENTIAL.sub(r"\1...", value)
            line[key] = struck if key == "exception" else _shortened(struck)
    return line


def _shortened(text: str) -> str:
    """Cut a long text, behind a word unless that is a very long one itself."""
    if len(text) <= _LONGEST:
        return text
    return _BROKEN_WORD.sub("", text[: _LONGEST - 1]) + "…"


class _Lossy:
    """A stream whose failures nobody hears of: a full disk or a closed pipe stops no server."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or lose the text."""
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Write out what is buffered, or leave it."""
        with suppress(OSError, ValueError):
            self._stream.flush()


class _Bridge(logging.Handler):
    """Sends what libraries log through the same lines."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record of the standard library's logging."""
        logger = structlog.get_logger()
        level = record.levelname.lower()
        write = getattr(logger, level if level in _LEVELS else "error")
        write(record.getMessage(), logger=record.name, exc_info=record.exc_info)


def configure(level: str = "info", *, pretty: bool | None = None, to: TextIO | None = None) -> None:
    """
    Set up logging for the whole program; lines that cannot be written are lost without a word.

    Args:
        level: the least severe lines that are written: debug, info, warning or error.
        pretty: readable lines instead of JSON; None = if `to` is a terminal.
        to: where lines go; None = standard error.

    """
    stream = to or sys.stderr
    least: int = getattr(logging, level.upper())
    pretty = stream.isatty() if pretty is None else pretty
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([] if pretty else [structlog.processors.format_exc_info]),
            _bounded,
            structlog.dev.ConsoleRenderer(colors=stream.isatty())
            if pretty
            else structlog.processors.JSONRenderer(ensure_ascii=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _Lossy(stream))),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_Bridge()], level=logging.WARNING, force=True)
