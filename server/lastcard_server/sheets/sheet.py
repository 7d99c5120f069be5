"""
What is a rules sheet? Sections of sentences, each marked that differs from the official rules.

A line differs when the official rules of the edition say another sentence in its place, or none.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

from lastcard_server.sheets.choice import Choice, as_toml
from lastcard_server.sheets.faces import Row, rows
from lastcard_server.sheets.lines import AFTER_CARDS, BEFORE_CARDS, Line, said
from lastcard_server.sheets.words import Words, words


@dataclass(frozen=True)
class Sentence:
    """A line of a section."""

    slot: str
    """Its name, the same in every language."""
    text: str
    differs: bool


@dataclass(frozen=True)
class Kind:
    """A kind of card."""

    slot: str
    row: Row
    differs: bool


@dataclass(frozen=True)
class Section:
    """A heading with its lines; the section of the cards holds kinds as well."""

    heading: str
    sentences: tuple[Sentence, ...]
    kinds: tuple[Kind, ...] = ()

    @property
    def lines(self) -> tuple[Sentence | Kind, ...]:
        """Everything it says, in order."""
        return (*self.sentences, *self.kinds)

    @property
    def differs(self) -> bool:
        """Whether any of its lines differs from the official rules."""
        return any(line.differs for line in self.lines)


@dataclass(frozen=True)
class Sheet:
    """A rules sheet in one language."""

    words: Words
    title: str
    about: str
    legend: str
    """What the marks mean, or that there are none."""
    sections: tuple[Section, ...]
    settings_heading: str
    settings: str
    """The choice as a file has it, TOML."""
    trademark: str

    @property
    def differs(self) -> bool:
        """Whether any line differs from the official rules."""
        return any(section.differs for section in self.sections)


class UnprintableError(ValueError):
    """A sheet cannot be set in a format that lacks one of its letters; others have them all."""

    def __init__(self, letter: str) -> None:
        name = unicodedata.name(letter, "unnamed")
        super().__init__(
            f"a PDF holds the letters of Western Europe, and U+{ord(letter):04X} ({name}) is none "
            "of them; html and text hold every letter"
        )


def make_sheet(choice: Choice, language: str) -> Sheet:
    """Return the rules sheet of a choice in one of `words.LANGUAGES`."""
    tongue = words(language)
    sections = _sections(choice, tongue)
    differs = any(section.differs for section in sections)
    official = tongue.say(f"preset.{choice.official.preset}")
    return Sheet(
        words=tongue,
        title=tongue.say("sheet.title", name=choice.name or tongue.say(f"preset.{choice.preset}")),
        about=tongue.say(f"about.{choice.preset}"),
        legend=tongue.say("sheet.differs" if differs else "sheet.same", official=official),
        sections=sections,
        settings_heading=tongue.say("heading.settings"),
        settings=as_toml(choice),
        trademark=tongue.say("sheet.trademark"),
    )


def _sections(choice: Choice, tongue: Words) -> tuple[Section, ...]:
    """Return the sections in the order of play, those left out that have nothing to say."""
    found = (
        *(_section(heading, lines, choice, tongue) for heading, lines in BEFORE_CARDS.items()),
        Section(tongue.say("heading.cards"), (), _kinds(choice, tongue)),
        *(_section(heading, lines, choice, tongue) for heading, lines in AFTER_CARDS.items()),
    )
    return tuple(section for section in found if section.sentences or section.kinds)


def _section(heading: str, lines: Mapping[str, Line], choice: Choice, tongue: Words) -> Section:
    official = dict(said(lines, choice.official, tongue))
    sentences = (
        Sentence(slot, text, differs=text != official.get(slot))
        for slot, text in said(lines, choice, tongue)
    )
    return Section(tongue.say(f"heading.{heading}"), tuple(sentences))


def _kinds(choice: Choice, tongue: Words) -> tuple[Kind, ...]:
    same_seats = replace(choice.official.rules, teams=choice.rules.teams)
    official = dict(rows(same_seats, tongue))  # what two players do is no deviation of four
    return tuple(
        Kind(slot, row, differs=row != official.get(slot))
        for slot, row in rows(choice.rules, tongue)
    )
