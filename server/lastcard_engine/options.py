"""
Which values may an option of the rules have?

One table with a row an option. A value outside its row is refused; nothing is guessed or rounded.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from reprlib import Repr
from typing import Any, Final, NamedTuple

from lastcard_engine.cards import ALL_CARDS, Card, parse_card
from lastcard_engine.custom_text import WrongRuleError, read_custom_rules
from lastcard_engine.errors import OptionReason, RulesError
from lastcard_engine.rules import (
    ActionMatch,
    DealerPick,
    Deck,
    DeckExtras,
    DrawFourEnforcement,
    DrawFourLegality,
    DrawMode,
    DrawnCard,
    FinishCard,
    FirstCard,
    FirstCardRejects,
    JumpInMode,
    NextDealer,
    ReverseTwoPlayers,
    RouletteChooser,
    Scoring,
    ShufflePool,
    Stacking,
    StackPair,
    Teams,
    UnoPenaltySource,
    UnoWindow,
)


class Option(NamedTuple):
    """What one option accepts."""

    read: Callable[[object], object]
    """Turns a plain value into the one `Rules` holds; raises ValueError for any other."""
    allowed: tuple[str, ...]
    """The legal values in words."""


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("not a flag")  # noqa: TRY004 - one kind of failure for every value
    return value


def _number(low: int, high: int) -> Option:
    def read(value: object) -> object:
        if type(value) is not int or not low <= value <= high:
            raise ValueError("not a number in range")
        return value

    return Option(read, (f"{low} to {high}",))


def _one_of(kind: type[StrEnum]) -> Option:
    def read(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("not a name")  # noqa: TRY004 - one kind of failure for every value
        return kind(value)

    return Option(read, tuple(kind))


def _extras(value: object) -> object:
    if isinstance(value, DeckExtras):
        value = asdict(value)
    if not isinstance(value, Mapping):
        raise ValueError("not a map")  # noqa: TRY004 - one kind of failure for every value
    limits = {"shuffle_hands": 4, "swap_hands": 4, "custom_wild": 8}
    for name, count in value.items():
        _number(0, limits.get(name, -1)).read(count)
    return DeckExtras(**value)


def _counts(value: object) -> object:
    if value is None:
        return None
    pairs = value.items() if isinstance(value, Mapping) else value
    if not isinstance(pairs, Iterable):
        raise ValueError("not a map")  # noqa: TRY004 - one kind of failure for every value
    return tuple(sorted((_card(card), _copies(count)) for card, count in pairs))


def _card(value: object) -> Card:
    return parse_card(value) if isinstance(value, str) else ALL_CARDS[value]  # type: ignore[call-overload]


def _copies(value: object) -> object:
    return _number(0, 100).read(value)


def _list(value: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise ValueError("not a list")  # noqa: TRY004 - one kind of failure for every value
    return value


def _pairs(value: object) -> object:
    return tuple(map(StackPair, _list(value)))


def _custom(value: object) -> object:
    return read_custom_rules(_list(value))


def _limit(value: object) -> object:
    if value == 1:
        raise ValueError("every hand would reach it")
    return _number(0, 167).read(value)


def _points(value: object) -> object:
    if type(value) is not int or value not in (40, 50):
        raise ValueError("neither 40 nor 50")
    return value


_FLAG: Final = Option(_flag, ("true", "false"))
_EXTRAS: Final = "shuffle_hands 0 to 4, swap_hands 0 to 4, custom_wild 0 to 8"

OPTIONS: Final[Mapping[str, Option]] = {
    "deck": _one_of(Deck),
    "deck_extras": Option(_extras, (_EXTRAS,)),
    "deck_counts": Option(_counts, ("copies of each card, 0 to 100, as in r5=4",)),
    "max_players": _number(2, 10),
    "hand_size": _number(1, 15),
    "dealer_pick": _one_of(DealerPick),
    "next_dealer": _one_of(NextDealer),
    "first_card": _one_of(FirstCard),
    "first_card_rejects": _one_of(FirstCardRejects),
    "action_match": _one_of(ActionMatch),
    "voluntary_draw": _FLAG,
    "draw_mode": _one_of(DrawMode),
    "drawn_card": _one_of(DrawnCard),
    "reverse_two_players": _one_of(ReverseTwoPlayers),
    "wd4_legality": _one_of(DrawFourLegality),
    "wd4_enforcement": _one_of(DrawFourEnforcement),
    "stacking": _one_of(Stacking),
    "stack_pairs": Option(_pairs, tuple(StackPair)),
    "uno_penalty_cards": _number(0, 10),
    "uno_penalty_skip_turn": _FLAG,
    "uno_penalty_source": _one_of(UnoPenaltySource),
    "uno_window": _one_of(UnoWindow),
    "uno_self_correct": _FLAG,
    "uno_required_to_finish": _FLAG,
    "finish_card": _one_of(FinishCard),
    "finish_draw_counts": _FLAG,
    "shuffle_pool": _one_of(ShufflePool),
    "seven_zero": _FLAG,
    "jump_in": _one_of(JumpInMode),
    "mercy_limit": Option(_limit, ("0", "2 to 167")),
    "roulette_chooser": _one_of(RouletteChooser),
    "custom_rules": Option(_custom, ("one rule for each custom wild",)),
    "scoring": _one_of(Scoring),
    "target_points": _number(50, 5000),
    "extra_wild_points": Option(_points, ("40", "50")),
    "mercy_bonus": _number(0, 1000),
    "teams": _one_of(Teams),
    "partner_talk": _FLAG,
}
"""What each option of `Rules` accepts, by its name."""


_BRIEF: Final = Repr()
_BRIEF.maxstring = _BRIEF.maxother = 100


def shortened(value: object) -> str:
    """Return a value as messages show it: whatever it holds, on one line and not too long."""
    return _BRIEF.repr(value)


def read_option(name: str, value: object) -> object:
    """
    Return what `Rules` holds for a plain value: a name, a number, a flag, a map or a list.

    Raises:
        RulesError: no option has this name, or the value is not a legal one.

    """
    option = OPTIONS.get(name)
    if option is None:
        raise RulesError(
            OptionReason.UNKNOWN_OPTION,
            name,
            value,
            tuple(OPTIONS),
            f"no option is named {shortened(name)}",
        )
    try:
        return option.read(value)
    except WrongRuleError as error:
        sentence = str(error)
        raise RulesError(
            OptionReason.BAD_VALUE, name, value, (sentence,), f"{name}, {sentence}"
        ) from None
    except (ValueError, TypeError, LookupError):
        raise RulesError(
            OptionReason.BAD_VALUE,
            name,
            value,
            option.allowed,
            f"{name} cannot be {shortened(value)}; it may be {', '.join(option.allowed)}",
        ) from None
