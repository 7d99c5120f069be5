"""How does a rules sheet read in a terminal? 80 columns, colours only where they are asked for."""

import textwrap
from collections.abc import Iterator
from typing import Final

from lastcard_server.sheets.sheet import Section, Sheet
from lastcard_server.sheets.theme import THEMES, Colour

COLUMNS: Final = 80
_MARKS: Final = {True: "* ", False: "- "}


def as_text(sheet: Sheet, theme: str = "") -> str:
    """Return a sheet as plain text; with a theme its headings and marks are coloured for ANSI."""
    paint = _Paint(THEMES[theme].accent if theme else None)
    return "\n".join(_lines(sheet, paint)) + "\n"


class _Paint:
    """Colours a line as a terminal understands it, or leaves it as it is."""

    def __init__(self, accent: Colour | None) -> None:
        self.start = "\x1b[1;38;2;{};{};{}m".format(*accent) if accent else ""
        self.end = "\x1b[0m" if accent else ""

    def __call__(self, line: str) -> str:
        return f"{self.start}{line}{self.end}"


def _lines(sheet: Sheet, paint: _Paint) -> Iterator[str]:
    for line in textwrap.wrap(sheet.title, COLUMNS):
        yield paint(line)
    yield "=" * min(COLUMNS, len(sheet.title))
    yield from textwrap.wrap(sheet.about, COLUMNS)
    yield from (
        _item(sheet.legend, paint, differs=True)
        if sheet.differs
        else textwrap.wrap(sheet.legend, COLUMNS)
    )
    for section in sheet.sections:
        yield from _section(section, paint)
    yield from ("", paint(sheet.settings_heading), "")
    yield from textwrap.indent(sheet.settings, "    ").splitlines()
    yield ""
    yield from textwrap.wrap(sheet.trademark, COLUMNS)


def _section(section: Section, paint: _Paint) -> Iterator[str]:
    yield from ("", paint(section.heading), "")
    for sentence in section.sentences:
        yield from _item(sentence.text, paint, differs=sentence.differs)
    for kind in section.kinds:
        row = kind.row
        text = f"{row.name} ({row.aside}): {row.effect}"
        yield from _item(text, paint, differs=kind.differs)


def _item(text: str, paint: _Paint, *, differs: bool) -> Iterator[str]:
    lines = textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=_MARKS[differs],
        subsequent_indent="  ",
        break_on_hyphens=False,
    )
    return (paint(line) if differs else line for line in lines)
