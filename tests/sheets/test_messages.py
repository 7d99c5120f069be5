"""Is the catalogue whole: every message in every language, none unused, all of them printable?"""

from collections.abc import Iterator
from string import Formatter

import pytest

from lastcard_engine.options import OPTIONS
from lastcard_engine.presets import PRESETS
from lastcard_server.sheets import sheet as sheets
from lastcard_server.sheets.choice import OFFICIAL, Choice, choose
from lastcard_server.sheets.formats import FORMATS
from lastcard_server.sheets.pick import HOUSE, Book, Box, Evening, Harshness, pick
from lastcard_server.sheets.words import LANGUAGES, Words, words
from tests.sheets.walk import operations, variants, with_rule


def placeholders(message: str) -> set[str]:
    """Return the names in braces."""
    return {name for _, name, _, _ in Formatter().parse(message) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_message(language: str) -> None:
    """Messages and placeholders are those of English; nothing is empty, nothing left as it was."""
    english, here = words("en").messages, words(language).messages
    assert list(here) == list(english)
    for key, message in here.items():
        assert placeholders(message) == placeholders(english[key]), key
        assert message.strip() == message
        assert message


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_can_be_printed(language: str) -> None:
    """The fonts of the PDF hold every letter."""
    assert "".join(words(language).messages.values()).encode("windows-1252")


def test_the_languages_differ() -> None:
    """No language was left in another: kin that they are, few whole sentences are alike."""
    for one, other in (("sv", "nb"), ("nb", "da"), ("da", "sv"), ("en", "da")):
        here, there = words(one).messages, words(other).messages
        sentences = [key for key in here if len(here[key].split()) > 3]
        same = [key for key in sentences if here[key] == there[key]]
        assert len(same) < len(sentences) / 20, (one, other, same)


class Recording(Words):
    """Words that remember what was said, and with which values."""

    def __init__(self) -> None:
        super().__init__("en", words("en").messages)
        self.said: dict[str, set[str]] = {}

    def say(self, key: str, **values: object) -> str:
        """Note the message and say it."""
        self.said.setdefault(key, set()).update(values)
        return super().say(key, **values)


def choices() -> Iterator[Choice]:
    """Yield every preset and every value of every option."""
    for name in PRESETS:
        yield choose(name, {})
    for option in OPTIONS:
        yield from variants(option)
    yield from map(with_rule, operations())
    yield with_rule("draw(next,1)", text="Draw.", lose_turn=True)
    last = {"finish_card": "number_only", "deck_extras": {"custom_wild": 1}}
    rule = {"id": "a", "ops": ["discard_to(self,1)"]}
    yield choose("standard_no", {**last, "custom_rules": [rule]})
    yield choose("standard_no", {"deck": "custom", "deck_counts": {"r5": 90, "W": 1}})
    yield choose("no_mercy", {"reverse_two_players": "turn_only"})
    yield choose("no_mercy", {"scoring": "low_total"})
    once = {"uno_penalty_cards": 1, "uno_penalty_source": "discard_pile"}
    yield choose("standard_no", once)


def evenings() -> Iterator[Evening]:
    """Yield every answer of the picker."""
    for book in Book:
        for box in Box:
            for minutes in (20, 60, 200):
                yield Evening(minutes=minutes, book=book, box=box, children=minutes == 20)
    for level in Harshness:
        yield Evening(harshness=level, players=10)
    yield Evening(players=8, box=Box.NO_MERCY_168)
    for name in HOUSE:
        yield Evening(house=(name,))
        yield Evening(book=Book.SE, box=Box.OLD_112, house=(name,))


def test_no_message_is_unused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything in the catalogue is said somewhere, and every value given has its place."""
    heard = Recording()
    monkeypatch.setattr(sheets, "words", lambda _language: heard)
    monkeypatch.setattr("lastcard_server.sheets.pick.words", lambda _language: heard)
    for choice in choices():
        made = sheets.make_sheet(choice, "en")
    for form in FORMATS.values():
        form.set(made, "light")
    for evening in evenings():
        pick(evening, "en")
    asked = {
        key for key in heard.messages if key.startswith(("ask.", "answer."))
    }  # said by the command line
    assert set(heard.messages) - set(heard.said) == asked
    for key, values in heard.said.items():
        if not key.startswith(("why.", "blocked.", "scoring.")):
            assert values <= placeholders(heard.messages[key]), key


def test_every_preset_has_an_official_one() -> None:
    """A sheet of any preset can be compared; official presets are compared with themselves."""
    assert set(OFFICIAL) == set(PRESETS)
    assert all(OFFICIAL[official] == official for official in OFFICIAL.values())
