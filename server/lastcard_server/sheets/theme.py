"""How do sheets look? Two themes: dark after the black card, light to save ink (SV07, SV08)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""


class Theme(NamedTuple):
    """The colours of a sheet; ink and accent stand out from the paper by more than 7 to 1."""

    paper: Colour
    ink: Colour
    faint: Colour
    """For what is read last; more than 4.5 to 1 from the paper."""
    accent: Colour
    """For headings and marks."""


THEMES: Final[Mapping[str, Theme]] = {
    "light": Theme((255, 255, 255), (26, 26, 26), (95, 95, 95), (150, 18, 30)),
    "dark": Theme((18, 18, 18), (238, 238, 238), (170, 170, 170), (255, 190, 80)),
}
