"""How does a rules sheet read in a browser and on paper? One file, nothing loaded, no script."""

from collections.abc import Iterator
from html import escape
from typing import Final

from lastcard_server.sheets.sheet import Kind, Section, Sheet
from lastcard_server.sheets.theme import THEMES, Colour, Theme

_STYLE: Final = """
@page { size: A4; margin: 12mm; background: %(paper)s; }
html { background: %(paper)s; color: %(ink)s; -webkit-print-color-adjust: exact;
  print-color-adjust: exact; }
body { font: 1rem/1.45 "Helvetica Neue", Arial, sans-serif; max-width: 64rem; margin: 1.5rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.05rem; color: %(accent)s; margin: 0 0 .3rem; break-after: avoid; }
header { border-bottom: 2px solid %(accent)s; margin-bottom: 1rem; padding-bottom: .6rem; }
header p { margin: .2rem 0; }
main { columns: 2 22rem; column-gap: 2rem; }
section { margin: 0 0 1rem; }
ul { list-style: none; margin: 0; padding: 0; }
li, tr { break-inside: avoid; }
li { margin: 0 0 .3rem; }
.differs { border-left: 4px solid %(accent)s; padding-left: .5rem; font-weight: 600; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%%); }
table { border-collapse: collapse; width: 100%%; }
th, td { text-align: left; vertical-align: top; padding: .2rem 0 .3rem; }
th { width: 34%%; padding-right: .6rem; hyphens: auto; }
tr.differs { border-left: 0; }
tr.differs th { border-left: 4px solid %(accent)s; padding-left: .5rem; }
small { display: block; font-weight: 400; color: %(faint)s; }
pre { white-space: pre-wrap; margin: 0; font: .9rem/1.4 monospace; }
footer { color: %(faint)s; font-size: .85rem; margin-top: .5rem; }
@media print { html { font-size: 8.4pt; } body { margin: 0; padding: 0; max-width: none; }
  main { columns: 2; column-gap: 8mm; } }
"""


def as_html(sheet: Sheet, theme: str) -> str:
    """Return a sheet as an HTML document in one of the themes."""
    page = _Page(sheet, THEMES[theme])
    return "\n".join(page.lines()) + "\n"


def _css(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


class _Page:
    """The HTML of one sheet in the colours of a theme."""

    def __init__(self, sheet: Sheet, theme: Theme) -> None:
        self.sheet = sheet
        self.style = _STYLE % {name: _css(c) for name, c in theme._asdict().items()}
        mark = escape(sheet.words.say("sheet.mark"))
        self.unseen = f'<span class="unseen">{mark}: </span>'

    def lines(self) -> Iterator[str]:
        """Yield the lines of the document."""
        sheet = self.sheet
        yield "<!doctype html>"
        yield f'<html lang="{sheet.words.language}">'
        yield f'<head><meta charset="utf-8"><title>{escape(sheet.title)}</title>'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<style>{self.style}</style></head>"
        yield f"<body><header><h1>{escape(sheet.title)}</h1>"
        yield f"<p>{escape(sheet.about)}</p>"
        yield f"<p{_differs(differs=sheet.differs)}>{escape(sheet.legend)}</p>"
        yield "</header><main>"
        for section in sheet.sections:
            yield from self._section(section)
        yield f"<section><h2>{escape(sheet.settings_heading)}</h2>"
        yield f"<pre>{escape(sheet.settings)}</pre></section>"
        yield f"</main><footer>{escape(sheet.trademark)}</footer></body></html>"

    def _section(self, section: Section) -> Iterator[str]:
        yield f"<section><h2>{escape(section.heading)}</h2>"
        if section.sentences:
            yield "<ul>"
            for line in section.sentences:
                mark = self.unseen if line.differs else ""
                yield f"<li{_differs(differs=line.differs)}>{mark}{escape(line.text)}</li>"
            yield "</ul>"
        if section.kinds:
            yield "<table>"
            yield from map(self._row, section.kinds)
            yield "</table>"
        yield "</section>"

    def _row(self, kind: Kind) -> str:
        row = kind.row
        mark = self.unseen if kind.differs else ""
        name = f"{mark}{escape(row.name)}<small>{escape(row.aside)}</small>"
        start = f'<tr{_differs(differs=kind.differs)}><th scope="row">{name}</th>'
        return f"{start}<td>{escape(row.effect)}</td></tr>"


def _differs(*, differs: bool) -> str:
    return ' class="differs"' if differs else ""
