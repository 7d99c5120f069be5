"""How does a command refuse a file or an option? In one sentence, with exit code 2."""

from pathlib import Path

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
