"""
How does a rules sheet lie on paper? A4, two columns, one or two pages.

The fonts are those every reader has, so that a file stays small; they cover the letters of the four
languages. A name or a custom card in other letters is refused, since a letter left out could change
what a rule says.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple, cast

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos

from lastcard_server.sheets.sheet import Section, Sheet, UnprintableError
from lastcard_server.sheets.theme import THEMES, Theme

_FONT: Final = "helvetica"
_ENCODING: Final = "windows-1252"
_DATE: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The date of every file, so that the same sheet gives the same bytes."""
_WIDTH, _HEIGHT, _MARGIN, _GUTTER = 210.0, 297.0, 13.0, 8.0
"""Of the page, its edge and the gap between the columns, mm."""
_COLUMN: Final = (_WIDTH - 2 * _MARGIN - _GUTTER) / 2
_FOOT: Final = _HEIGHT - 15.0
"""Where columns end, mm from the top."""
_INDENT: Final = 3.2
_PAGES: Final = "\x1f"
"""Stands for the number of pages; a text of somebody's holds no such character."""


class _Style(NamedTuple):
    """How a paragraph is set."""

    font: str
    size: float
    """Points."""
    line: float
    """From line to line, mm."""
    after: float
    """Space below, mm."""

    def scaled(self, scale: float) -> "_Style":
        """Return the style larger or smaller."""
        return _Style(self.font, self.size * scale, self.line * scale, self.after * scale)


_HEADING: Final = _Style("B", 11, 5.0, 0.8)
_TEXT: Final = _Style("", 8.8, 3.95, 0.9)
_STRONG: Final = _Style("B", 8.8, 3.95, 0.9)
_KIND: Final = _Style("B", 8.8, 3.95, 0.0)
_SETTINGS: Final = _Style("", 8, 3.6, 0.0)
_SCALES: Final = (1.0, 0.95, 0.9, 1.0)
"""The sizes in which one page is tried; what does not fit takes two in the first."""
_GAP: Final = 1.9
"""Above a heading, mm."""


class _Paragraph(NamedTuple):
    style: _Style
    text: str
    differs: bool = False
    aside: str = ""
    """Printed faintly behind the text, on its line."""
    keeps: bool = False
    """Whether the next paragraph stays with it in one column."""


def as_pdf(sheet: Sheet, theme: str) -> bytes:
    """
    Return a sheet as a PDF in one of the themes; the same sheet gives the same bytes.

    Raises:
        UnprintableError: its title or a custom rule has a letter that the fonts lack.

    """
    for scale in _SCALES:
        paper = _Paper(sheet, THEMES[theme], scale)
        paper.set_sheet()
        if paper.pages_count == 1:
            break
    return bytes(paper.output())


class _Paper(FPDF):
    """The paper of a sheet: two columns under a head, a foot on every page."""

    def __init__(self, sheet: Sheet, theme: Theme, scale: float) -> None:
        super().__init__(format="A4")
        self.sheet = sheet
        self.theme = theme
        self.scale = scale
        self.core_fonts_encoding = _ENCODING
        self.set_auto_page_break(auto=False)
        self.set_margins(_MARGIN, _MARGIN)
        self.c_margin = 0
        self.alias_nb_pages(_PAGES)
        self.set_title(sheet.title)
        self.set_lang(sheet.words.language)
        self.set_creation_date(_DATE)
        self.right = False
        self.top = _MARGIN

    def header(self) -> None:
        """Fill the page; from the second page on repeat the title."""
        self.set_fill_color(*self.theme.paper)
        self.rect(0, 0, _WIDTH, _HEIGHT, style="F")
        self.right = False
        self.set_xy(_MARGIN, _MARGIN)
        if self.page_no() > 1:
            self._full(_HEADING, self.sheet.title, self.theme.accent)
            self._rule()

    def footer(self) -> None:
        """Say whose UNO is, and which page this is."""
        say = self.sheet.words.say
        self.set_text_color(*self.theme.faint)
        self.set_font(_FONT, "", 7)
        self.set_xy(_MARGIN, _HEIGHT - 12)
        self.cell(w=0, h=4, text=say("sheet.page", page=self.page_no(), pages=_PAGES))
        self.set_xy(_MARGIN, _HEIGHT - 12)
        self.cell(w=0, h=4, align="R", text=_printable(self.sheet.trademark))

    def set_sheet(self) -> None:
        """Set everything."""
        sheet = self.sheet
        self.add_page()
        self._full(_Style("B", 18, 8, 1), sheet.title, self.theme.ink)
        self._full(_TEXT, sheet.about, self.theme.ink)
        if sheet.differs:
            self._bar(self.get_y(), _TEXT.line)
            self.set_x(_MARGIN + _INDENT)
        self._full(_STRONG if sheet.differs else _TEXT, sheet.legend, self.theme.ink)
        self._rule()
        paragraphs = list(_paragraphs(sheet))
        for paragraph, following in zip(paragraphs, [*paragraphs[1:], None], strict=True):
            self._place(paragraph, following)

    def _full(self, style: _Style, text: str, colour: tuple[int, int, int]) -> None:
        """Set a paragraph over both columns, from the present place on."""
        self.set_text_color(*colour)
        self.set_font(_FONT, style.font, style.size)
        self.multi_cell(
            0, style.line, _printable(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT
        )
        self.set_y(self.get_y() + style.after)

    def _rule(self) -> None:
        """Draw the line under a head; the columns begin below it."""
        self.set_draw_color(*self.theme.accent)
        self.set_line_width(0.5)
        self.line(_MARGIN, self.get_y() + 0.5, _WIDTH - _MARGIN, self.get_y() + 0.5)
        self.top = self.get_y() + 3
        self.set_y(self.top)

    def _place(self, paragraph: _Paragraph, following: _Paragraph | None) -> None:
        """Set a paragraph in the column, or in the next one where it does not fit."""
        needed = self._height(paragraph)
        if paragraph.keeps and following:
            needed += self._height(following)
        if self.get_y() + needed > _FOOT:
            self._next_column()
        if paragraph.style is _HEADING and self.get_y() > self.top:
            self.set_y(self.get_y() + _GAP)
        self._set(paragraph)

    def _next_column(self) -> None:
        if self.right:
            self.add_page()
        else:
            self.right = True
            self.set_y(self.top)

    def _height(self, paragraph: _Paragraph) -> float:
        style = paragraph.style.scaled(self.scale)
        self.set_font(_FONT, style.font, style.size)
        lines = self.multi_cell(
            _COLUMN - _INDENT,
            style.line,
            _printable(paragraph.text),
            align="L",
            dry_run=True,
            output=MethodReturnValue.LINES,
        )
        gap = _GAP if paragraph.style is _HEADING else 0.0
        return len(cast("list[str]", lines)) * style.line + style.after + gap

    def _set(self, paragraph: _Paragraph) -> None:
        style, start = paragraph.style.scaled(self.scale), self.get_y()
        left = _MARGIN + (_COLUMN + _GUTTER if self.right else 0)
        heading = paragraph.style is _HEADING
        indent = 0 if heading else _INDENT
        if paragraph.aside:
            self.set_font(_FONT, "", _TEXT.size * self.scale)
            self.set_text_color(*self.theme.faint)
            self.set_xy(left, start)
            self.cell(_COLUMN, style.line, _printable(paragraph.aside), align="R")
        self.set_font(_FONT, style.font, style.size)
        self.set_text_color(*(self.theme.accent if heading else self.theme.ink))
        self.set_xy(left + indent, start)
        text = _printable(paragraph.text)
        self.multi_cell(_COLUMN - indent, style.line, text, align="L", new_y=YPos.NEXT)
        if paragraph.differs:
            self._bar(start, self.get_y() - start, left)
        self.set_y(self.get_y() + style.after)

    def _bar(self, top: float, height: float, left: float = _MARGIN) -> None:
        """Draw the mark of a deviation."""
        self.set_fill_color(*self.theme.accent)
        self.rect(left, top + 0.3, 1.1, height - 0.3, style="F")


def _printable(text: str) -> str:
    """Return a text as it is, once every letter is known to be in the fonts."""
    try:
        text.encode(_ENCODING)
    except UnicodeEncodeError as error:
        raise UnprintableError(text[error.start]) from None
    return text


def _paragraphs(sheet: Sheet) -> Iterator[_Paragraph]:
    for section in sheet.sections:
        yield from _section(section)
    yield _Paragraph(_HEADING, sheet.settings_heading, keeps=True)
    for line in filter(None, sheet.settings.splitlines()):
        yield _Paragraph(_SETTINGS, line)


def _section(section: Section) -> Iterator[_Paragraph]:
    yield _Paragraph(_HEADING, section.heading, keeps=True)
    for line in section.sentences:
        yield _Paragraph(_STRONG if line.differs else _TEXT, line.text, line.differs)
    for kind in section.kinds:
        row = kind.row
        yield _Paragraph(_KIND, row.name, kind.differs, row.aside, keeps=True)
        yield _Paragraph(_TEXT, row.effect, kind.differs)
