"""Do text, HTML and PDF hold the whole sheet, readable, on their own?"""

import io
import re
from html import unescape
from html.parser import HTMLParser

import pytest
from pypdf import PdfReader

from lastcard_engine.presets import PRESETS
from lastcard_server.sheets.choice import Choice, choose
from lastcard_server.sheets.formats import FORMATS, document
from lastcard_server.sheets.html import as_html
from lastcard_server.sheets.pdf import as_pdf
from lastcard_server.sheets.sheet import Sheet, UnprintableError, make_sheet
from lastcard_server.sheets.text import COLUMNS, as_text
from lastcard_server.sheets.theme import THEMES, Colour
from lastcard_server.sheets.words import LANGUAGES
from tests.sheets.walk import with_rule

RULE = {
    "id": "a",
    "text": "Hvem <b>ler</b> & taber, trækker" + " 10 kort." * 18,
    "ops": ["draw(next,1)"],
}
LONG = choose("house_dk", {"custom_rules": [RULE] * 3, "deck_extras": {"custom_wild": 8}})
"""A sheet with much on it, and with text that HTML must not take for its own."""
SOME = [("house_dk", "da"), ("no_mercy_points", "sv"), ("house_no", "nb"), ("family_se", "en")]


def content(sheet: Sheet) -> list[str]:
    """Return every piece of text a sheet holds."""
    rows = [kind.row for section in sheet.sections for kind in section.kinds]
    return [
        sheet.title,
        sheet.about,
        sheet.legend,
        *(section.heading for section in sheet.sections),
        *(line.text for section in sheet.sections for line in section.sentences),
        *(text for row in rows for text in row),
        *filter(None, sheet.settings.splitlines()),
        sheet.trademark,
    ]


def squeezed(text: str) -> str:
    """Return a text without its spaces, which differ between formats."""
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_text_fits_a_terminal(name: str, language: str) -> None:
    """No line is wider than 80 columns, nothing is left out, nothing is coloured unasked."""
    sheet = make_sheet(choose(name, {}), language)
    text = as_text(sheet)
    assert max(map(len, text.splitlines())) <= COLUMNS
    assert "\x1b" not in text
    found = squeezed(text)
    assert all(squeezed(piece) in found.replace("*", "") for piece in content(sheet))


@pytest.mark.parametrize("theme", THEMES)
def test_a_terminal_gets_colours_for_headings_and_marks_alone(theme: str) -> None:
    """Without the colours the text is the same."""
    sheet = make_sheet(choose("house_dk", {}), "da")
    coloured = as_text(sheet, theme)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == as_text(sheet)
    painted = [line for line in coloured.splitlines() if "\x1b" in line]
    assert all("* " in line or "  " in line or "- " not in line for line in painted)
    assert len(painted) < len(coloured.splitlines()) / 2


class Outline(HTMLParser):
    """Reads a document strictly: every element that opens is closed, in order."""

    VOID = ("meta", "br", "link", "img")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element."""
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        assert self.open.pop() == tag


def readable(page: str) -> str:
    """Return what people read of a page."""
    return unescape(re.sub(r"<style>.*?</style>|<[^>]+>", "", page, flags=re.DOTALL))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("name", "language"), SOME)
def test_html_is_well_formed_and_stands_alone(name: str, language: str, theme: str) -> None:
    """One document in its language, headings in order, no script, nothing loaded from anywhere."""
    sheet = make_sheet(choose(name, {}), language)
    page = as_html(sheet, theme)
    outline = Outline()
    outline.feed(page)
    outline.close()
    assert outline.open == []
    names = [tag for tag, _ in outline.tags]
    assert ("html", {"lang": language}) in outline.tags
    assert names.count("h1") == 1
    assert names.index("h1") < names.index("h2")
    assert not {"script", "link", "img", "iframe", "object"} & set(names)
    assert not re.search(r"https?:|url\(|@import|src=|href=|\son\w+=", page)
    found = squeezed(readable(page))
    assert all(squeezed(piece) in found for piece in content(sheet))


def test_marks_are_heard_as_well_as_seen() -> None:
    """In HTML every marked line says so in words, for those who do not see the bar."""
    sheet = make_sheet(choose("house_dk", {}), "da")
    marks = sum(line.differs for s in sheet.sections for line in s.lines)
    page = as_html(sheet, "light")
    assert page.count('class="unseen">afviger: <') == marks
    assert page.count('class="differs"') == marks + 1  # the legend


def test_what_people_write_stays_text() -> None:
    """Home-made rules and names cannot bring elements of their own into a page."""
    sheet = make_sheet(Choice(LONG.preset, LONG.rules, "<i>us</i>"), "da")
    page = as_html(sheet, "light")
    assert "<b>" not in page
    assert "<i>" not in page
    assert "&lt;b&gt;ler&lt;/b&gt; &amp; taber" in page


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, as accessibility guidelines define it."""
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES.values())
def test_everything_can_be_read(theme: tuple[Colour, Colour, Colour, Colour]) -> None:
    """Ink and accent stand out by 7 to 1, what is faint by 4.5 to 1."""
    paper, ink, faint, accent = theme
    assert min(contrast(paper, ink), contrast(paper, accent)) >= 7
    assert contrast(paper, faint) >= 4.5


@pytest.mark.parametrize(("name", "language"), SOME)
def test_pdf_holds_the_sheet_on_one_page(name: str, language: str) -> None:
    """A4, one page, every word of the sheet, in the language it claims."""
    sheet = make_sheet(choose(name, {}), language)
    made = as_pdf(sheet, "light")
    assert made.startswith(b"%PDF-")
    reader = PdfReader(io.BytesIO(made))
    assert len(reader.pages) == 1
    width, height = reader.pages[0].mediabox[2:]
    assert (round(width), round(height)) == (595, 842)
    found = squeezed(reader.pages[0].extract_text())
    assert all(squeezed(piece) in found for piece in content(sheet))
    assert str(reader.root_object["/Lang"]) == language
    assert reader.metadata is not None
    assert reader.metadata.title == sheet.title


def test_sv07_sv08_both_themes_say_the_same() -> None:
    """Dark and light differ in paper and ink, not in a word; the same sheet has the same bytes."""
    sheet = make_sheet(choose("house_dk", {}), "da")
    light, dark = as_pdf(sheet, "light"), as_pdf(sheet, "dark")
    pages = [PdfReader(io.BytesIO(made)).pages[0] for made in (light, dark)]
    assert pages[0].extract_text() == pages[1].extract_text()
    fills = [page.get_contents().get_data().split(b" rg", 1)[0].split()[-3:] for page in pages]  # type: ignore[union-attr]
    assert [float(fills[0][0]), round(float(fills[1][0]) * 255)] == [1.0, THEMES["dark"].paper[0]]
    assert as_pdf(sheet, "light") == light


def test_a_long_sheet_takes_two_numbered_pages() -> None:
    """What does not fit goes on over the page, under the title again."""
    text = "Tæl til ti på græsk." + " Så en gang til." * 10
    rules = [{"id": "a", "text": text, "ops": ["draw(next,1)"]}] * 8
    choice = choose("house_no", {"deck_extras": {"custom_wild": 8}, "custom_rules": rules})
    sheet = make_sheet(choice, "da")
    pages = PdfReader(io.BytesIO(as_pdf(sheet, "dark"))).pages
    texts = [page.extract_text() for page in pages]
    assert [f"side {n} af 2" in text for n, text in enumerate(texts, start=1)] == [True, True]
    assert all(sheet.title in text for text in texts)


@pytest.mark.parametrize("letter", ["λ", "王", "\U0001f410", "ł"])
def test_a_letter_that_the_fonts_lack_is_refused(letter: str) -> None:
    """By its number and with where it can be printed, as HTML is; never is a `?` in its place."""
    named = Choice("standard_no", PRESETS["standard_no"], f"We {letter} us")
    written = with_rule(f"dare(next,say {letter}!,draw(self,1))")
    for choice in (named, with_rule("draw(next,1)", text=f"Say {letter}!"), written):
        with pytest.raises(UnprintableError, match=rf"U\+{ord(letter):04X} .*html and text"):
            document(choice, "da", "pdf", "light")
        assert letter in document(choice, "da", "html", "light").decode()


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_a_document(form: str) -> None:
    """Documents are made once and kept."""
    first = document(choose("duel_no", {}), "nb", form, "dark")
    assert document(choose("duel_no", {}), "nb", form, "dark") is first
