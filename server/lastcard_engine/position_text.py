"""
How is a position written down?

One line of blank-separated `name=value`, complete enough that the match can be played on; values
that are those of a new match are left out. Reading and writing are inverses. The line holds every
secret of the state.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from lastcard_engine.cards import (
    Card,
    Seat,
    format_card,
    format_colour,
    parse_card,
    parse_colour,
)
from lastcard_engine.custom_state import read_custom, write_custom
from lastcard_engine.notation import format_action, parse_action
from lastcard_engine.plain import plain_rules, plain_settings, read_rules, read_settings
from lastcard_engine.position import ZERO_KEY, settle
from lastcard_engine.rules import Rules
from lastcard_engine.settings import Settings
from lastcard_engine.state import Group, Offence, Phase, State


class Codec(NamedTuple):
    """How the values of one kind are written and read."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _write_cards(cards: Iterable[Card]) -> str:
    return ",".join(map(format_card, cards)) or "-"


def _read_cards(text: str) -> list[Card]:
    return [] if text == "-" else [parse_card(word) for word in text.split(",")]


def _write_hands(hands: list[list[Card]]) -> str:
    return "/".join(map(_write_cards, hands))


def _read_hands(text: str) -> list[list[Card]]:
    return [sorted(_read_cards(hand)) for hand in text.split("/")]


def _write_numbers(numbers: Iterable[int]) -> str:
    return ",".join(str(int(number)) for number in numbers) or "-"


def _read_numbers(text: str) -> list[int]:
    return [] if text == "-" else [int(word) for word in text.split(",")]


def _read_flags(text: str) -> list[bool]:
    return [_read_flag(word) for word in text.split(",")]


def _read_flag(text: str) -> bool:
    return bool(("0", "1").index(text))


def _write_offence(offence: Offence) -> str:
    parts = (offence.offender, int(offence.lawful), _write_cards(offence.hand))
    return ":".join(map(str, parts))


def _read_offence(text: str) -> Offence:
    offender, lawful, hand = text.split(":")
    return Offence(Seat(int(offender)), tuple(_read_cards(hand)), lawful=_read_flag(lawful))


def _write_group(group: Group) -> str:
    answers = [
        "-" if action is None else format_action(action, uno).replace(" ", "+")
        for action, uno in zip(group.answers, group.unos, strict=True)
    ]
    head = (group.actor, group.serial, _write_numbers(group.asked))
    return ":".join((*map(str, head), "/".join(answers)))


def _read_group(text: str) -> Group:
    actor, serial, asked, answers = text.split(":")
    words = answers.split("/")
    group = Group(Seat(int(actor)), int(serial), [*map(Seat, _read_numbers(asked))], len(words))
    for seat, word in enumerate(words):
        if word != "-":
            group.answers[seat], group.unos[seat] = parse_action(word.replace("+", " "))
    return group


_NUMBER: Final = Codec(str, int)
_FLAG: Final = Codec(lambda value: str(int(value)), _read_flag)
_NUMBERS: Final = Codec(_write_numbers, _read_numbers)
_FLAGS: Final = Codec(_write_numbers, _read_flags)

_FIELDS: Final[dict[str, tuple[str, Codec]]] = {
    "round": ("round_number", _NUMBER),
    "phase": ("phase", Codec(str, Phase)),
    "turn": ("turn", _NUMBER),
    "dir": ("direction", _NUMBER),
    "dealer": ("dealer", _NUMBER),
    "colour": ("colour", Codec(format_colour, parse_colour)),
    "hands": ("hands", Codec(_write_hands, _read_hands)),
    "draw": (
        "draw_pile",
        Codec(lambda pile: _write_cards(pile[::-1]), lambda text: _read_cards(text)[::-1]),
    ),
    "discards": ("discards", Codec(_write_cards, _read_cards)),
    "drawn": ("drawn", Codec(format_card, parse_card)),
    "pending": ("pending", _NUMBER),
    "offence": ("offence", Codec(_write_offence, _read_offence)),
    "lawful": ("lawful", _FLAG),
    "totals": ("totals", _NUMBERS),
    "active": ("active", _FLAGS),
    "left": ("left", _NUMBERS),
    "forfeited": ("forfeited", _FLAGS),
    "lost": ("lost", _NUMBERS),
    "duty": ("duty", _NUMBERS),
    "called": ("called", _FLAGS),
    "caught": ("caught", _FLAGS),
    "credit": ("credit", _NUMBER),
    "custom": ("custom", Codec(write_custom, read_custom)),
    "skip": ("owed_skip", _FLAGS),
    "winners": ("winners", Codec(_write_numbers, lambda text: tuple(_read_numbers(text)))),
    "laid_by": ("laid_by", _NUMBER),
    "begun": ("begun", _FLAG),
    "serial": ("serial", _NUMBER),
    "shuffles": ("shuffles", _NUMBER),
    "lap": ("lap", _NUMBER),
    "actions": ("actions", _NUMBER),
    "window": ("window", _FLAG),
    "group": ("group", Codec(_write_group, _read_group)),
}
"""The words of a position: the attribute of the state behind each, and how it is written."""


def _terms(values: dict[str, object], defaults: dict[str, object]) -> str:
    """Write what differs from the defaults as compact JSON without blanks."""
    different = {name: value for name, value in values.items() if value != defaults[name]}
    return json.dumps(different, separators=(",", ":")).replace(" ", "\\u0020")


def format_position(state: State) -> str:
    """Return the line that describes a state, its secrets included."""
    new = State(state.rules, state.settings, state.seat_count, ZERO_KEY)
    words = [
        f"rules={_terms(plain_rules(state.rules), plain_rules(Rules()))}",
        f"settings={_terms(plain_settings(state.settings), plain_settings(Settings()))}",
    ]
    if state.deal_key != ZERO_KEY:
        words.append(f"key={state.deal_key.hex()}")
    for name, (attribute, codec) in _FIELDS.items():
        value = getattr(state, attribute)
        if name == "hands" or value != getattr(new, attribute):
            words.append(f"{name}={codec.write(value)}")
    return " ".join(words)


def parse_position(text: str) -> State:
    """
    Return the state that a line describes.

    Raises:
        ValueError: the line is not one that `format_position` writes.

    """
    words = dict(word.partition("=")[::2] for word in text.split(" "))
    try:
        rules = read_rules(json.loads(words.pop("rules", "{}")))
        settings = read_settings(json.loads(words.pop("settings", "{}")))
        key = bytes.fromhex(words.pop("key", ZERO_KEY.hex()))
        state = State(rules, settings, len(_read_hands(words["hands"])), key)
        for name, value in words.items():
            attribute, codec = _FIELDS[name]
            setattr(state, attribute, codec.read(value))
        settle(state)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{text[:60]!r} is no position: {error}") from error
    if format_position(state) != text:
        raise ValueError(f"{text[:60]!r} is not the written form of its position")
    return state
