"""How does a command refuse a file or an option? In one sentence, with exit code 2."""

from pathlib import Path
from typing import Any

import click


class BadInput(click.ClickException):
    """A file or option that cannot be used; the message is the sentence that is printed."""

    exit_code = 2


def save(output: Path, content: bytes) -> None:
    """
    Write the file that an option names.

    Raises:
        BadInput: it cannot be written.

    """
    try:
        output.write_bytes(content)
    except OSError as error:
        raise BadInput(f"{output}: cannot be written: {error.strerror}") from None


class Whole(click.ParamType[Any]):
    """A whole number of a range, both ends included."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high
        self.name = f"{low}..{high}"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the number; anything else is refused with what it may be."""
        text = str(value)
        if text.isascii() and text.isdigit() and len(text) < 10:
            number = int(text)
            if self.low <= number <= self.high:
                return number
        return self.fail(f"{text!r} is no whole number from {self.low} to {self.high}", param, ctx)
