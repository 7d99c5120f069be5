"""
Which rules suit this evening?

A few answers make a proposal: a preset, what to change in it, and why. Every answer is a row of a
table that sets options (SV17, SV20, R238); what changes nothing gives no
reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from lastcard_engine.plain import plain_rules, read_rules
from lastcard_engine.presets import preset
from lastcard_server.sheets.choice import Choice, choose
from lastcard_server.sheets.words import words


class Harshness(StrEnum):
    """How harsh the evening may be."""

    GENTLE = "gentle"
    USUAL = "usual"
    HARSH = "harsh"
    MERCILESS = "merciless"


class Book(StrEnum):
    """Which rules the table knows."""

    SE = "se"
    SE_FAMILY = "se_family"
    NO = "no"
    DK = "dk"


class Box(StrEnum):
    """Which cards the table has (R018)."""

    CLASSIC_108 = "classic_108"
    NEW_112 = "new_112"
    """With a shuffle card and three customizable ones, newer booklet."""
    OLD_112 = "old_112"
    """The same cards, older booklet."""
    SWAP_112 = "swap_112"
    """With a swap card and three customizable ones."""
    NO_MERCY_168 = "no_mercy_168"


@dataclass(frozen=True)
class Evening:
    """What a table answers."""

    players: int = 4
    """2 to 10."""
    minutes: int = 60
    """5 to 600."""
    children: bool = False
    """Whether young children play."""
    harshness: Harshness = Harshness.USUAL
    book: Book = Book.NO
    box: Box = Box.CLASSIC_108
    house: tuple[str, ...] = ()
    """House rules by their names in HOUSE."""


class Reason(NamedTuple):
    """Why something was proposed."""

    options: tuple[str, ...]
    """The options it sets; none for the preset itself."""
    text: str


@dataclass(frozen=True)
class Proposal:
    """Rules for an evening."""

    choice: Choice
    reasons: tuple[Reason, ...]


class PickError(ValueError):
    """Answers that no rules fit; the message is one sentence."""


Options = Mapping[str, object]

_BOX_112: Final = {"shuffle_hands": 1, "custom_wild": 3}
_OLD: Final = {"first_card": "apply", "reverse_two_players": "skip", "extra_wild_points": 40}

_BOOKS: Final = {
    Book.SE: "official_se",
    Book.SE_FAMILY: "family_se",
    Book.NO: "standard_no",
    Book.DK: "official_dk",
}
_PRESETS: Final = {
    (Book.NO, Box.NEW_112): "standard_no_112",
    (Book.NO, Box.OLD_112): "standard_no_112",
    (Book.NO, Box.SWAP_112): "standard_no_swap",
    (Book.DK, Box.OLD_112): "official_dk_old",
}
"""Books that have an edition of their own for a box."""

_BOXES: Final[Mapping[Box, Options]] = {
    Box.CLASSIC_108: {"deck_extras": {}},
    Box.NEW_112: {"deck_extras": _BOX_112},
    Box.OLD_112: {"deck_extras": _BOX_112, **_OLD},
    Box.SWAP_112: {"deck_extras": {"swap_hands": 1, "custom_wild": 3}},
}

HOUSE: Final[Mapping[str, Options]] = {
    "stack_draw_two": {"stacking": "pairs", "stack_pairs": ["d2>d2"]},
    "stack_any": {"stacking": "pairs", "stack_pairs": ["d2>d2", "d2>wd4", "wd4>wd4"]},
    "draw_until": {"draw_mode": "until_playable"},
    "jump_in": {"jump_in": "identical"},
    "seven_zero": {"seven_zero": True},
    "last_number": {"finish_card": "number_only"},
    "penalty_four": {"uno_penalty_cards": 4},
    "late_catch": {"uno_window": "next_turn_ends"},
    "free_draw_four": {"wd4_legality": "free"},
    "turn_again": {"first_card": "number_only"},
    "reverse_skips": {"reverse_two_players": "skip"},
    "no_extras": {"deck_extras": {}},
    "pairs": {"teams": "pairs", "max_players": 4},
}
"""The house rules of the books, by name (R229-R239, R217)."""

_HARSHNESS: Final[Mapping[Harshness, tuple[str, ...]]] = {
    Harshness.GENTLE: ("gentle",),
    Harshness.USUAL: (),
    Harshness.HARSH: ("stack_draw_two", "penalty_four"),
    Harshness.MERCILESS: ("stack_any", "draw_until", "seven_zero", "jump_in", "penalty_four"),
}
_BY_REASON: Final[Mapping[str, Options]] = {
    **HOUSE,
    "gentle": {"wd4_enforcement": "block"},
    "children_extras": {"deck_extras": {}},
    "hard": {},
    "minutes_single": {"scoring": "single_round"},
}
"""What answers set, by the reason that is given for it."""

_SINGLE_MINUTES, _SHORT_MINUTES = 45, 120
"""Up to so many minutes a table plays one round, or a short match (C39: 10 to 30 a round)."""


def pick(evening: Evening, language: str) -> Proposal:
    """
    Return rules for an evening with reasons in one of `words.LANGUAGES`.

    Raises:
        PickError: the house rules do not fit the number of players.
        RulesError: the house rules contradict the others.

    """
    if "pairs" in evening.house and evening.players != 4:
        raise PickError(f"pairs need 4 players; {evening.players} play")
    tongue = words(language)
    name = _preset(evening)
    rules = preset(name)
    reasons = [Reason((), tongue.say("why.preset", name=tongue.say(f"preset.{name}")))]
    for why, options in _changes(evening, rules.max_players):
        changed = read_rules(options, rules)
        before, after = plain_rules(rules), plain_rules(changed)
        moved = tuple(option for option in options if before[option] != after[option])
        if moved or not options:
            reasons.append(Reason(moved, tongue.say(f"why.{why}", n=changed.target_points)))
        rules = changed
    return Proposal(choose(name, plain_rules(rules), seats=evening.players), tuple(reasons))


def _preset(evening: Evening) -> str:
    if evening.box is Box.NO_MERCY_168:
        return "no_mercy"
    return _PRESETS.get((evening.book, evening.box), _BOOKS[evening.book])


def _changes(evening: Evening, most: int) -> Iterator[tuple[str, Options]]:
    """Yield what changes the preset, each with its reason; the later ones win."""
    no_mercy = evening.box is Box.NO_MERCY_168
    if not no_mercy and evening.book is not Book.SE_FAMILY:  # it leaves extra cards aside anyway
        yield ("old_box" if evening.box is Box.OLD_112 else "box"), _BOXES[evening.box]
    yield _length(evening)
    for why in _moods(evening):
        yield why, _BY_REASON[why]
    if evening.players > most:
        yield "players", {"max_players": evening.players}
    for name in evening.house:
        yield name, HOUSE[name]


def _length(evening: Evening) -> tuple[str, Options]:
    """Return how long is played: a round, a short match, or one to the points of the edition."""
    if evening.minutes <= _SINGLE_MINUTES:
        return "minutes_single", _BY_REASON["minutes_single"]
    whole = 1000 if evening.box is Box.NO_MERCY_168 else 500
    if evening.minutes <= _SHORT_MINUTES:
        return "minutes_short", {"scoring": "winner_takes", "target_points": whole * 2 // 5}
    return "minutes_long", {"scoring": "winner_takes", "target_points": whole}


def _moods(evening: Evening) -> Iterator[str]:
    """Yield the reasons that children and harshness give; No Mercy is as harsh as it is."""
    if evening.box is Box.NO_MERCY_168:
        if evening.children or evening.harshness is Harshness.GENTLE:
            yield "hard"
        return
    if evening.children:
        yield from ("children_extras", "gentle")
    yield from _HARSHNESS[evening.harshness]
