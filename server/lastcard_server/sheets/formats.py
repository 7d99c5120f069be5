"""Which formats and themes does a rules sheet come in?"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from lastcard_server.sheets.choice import Choice
from lastcard_server.sheets.html import as_html
from lastcard_server.sheets.sheet import Sheet, make_sheet
from lastcard_server.sheets.text import as_text
from lastcard_server.sheets.theme import THEMES

__all__ = ["FORMATS", "THEMES", "document"]


class Format(NamedTuple):
    """A way to set a sheet."""

    media_type: str
    set: Callable[[Sheet, str], bytes]
    """From a sheet and a theme to a complete document."""


def _pdf(sheet: Sheet, theme: str) -> bytes:
    from lastcard_server.sheets.pdf import as_pdf  # noqa: PLC0415 - it alone needs fpdf2

    return as_pdf(sheet, theme)


FORMATS: Final[Mapping[str, Format]] = {
    "text": Format("text/plain; charset=utf-8", lambda sheet, _theme: as_text(sheet).encode()),
    "html": Format("text/html; charset=utf-8", lambda sheet, theme: as_html(sheet, theme).encode()),
    "pdf": Format("application/pdf", _pdf),
}
"""The formats by name; text has no theme."""


@lru_cache(64)
def document(choice: Choice, language: str, form: str, theme: str) -> bytes:
    """
    Return the rules sheet of a choice as a document.

    Args:
        choice: the rules.
        language: one of `words.LANGUAGES`.
        form: one of FORMATS.
        theme: one of THEMES.

    Raises:
        UnprintableError: a PDF lacks a letter of the table's name or of a custom rule.

    """
    return FORMATS[form].set(make_sheet(choice, language), theme)
