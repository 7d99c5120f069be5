"""
Which named sets of rules are there, and can a set be played by?

A preset lists its differences from the defaults of `Rules`.
"""

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from typing import Final

from lastcard_engine.cards import colour_of, is_number, parse_colour, rule_number
from lastcard_engine.custom_ops import NAMED, Operation, OpKind, all_of, most_drawn, most_held
from lastcard_engine.custom_text import compiled
from lastcard_engine.deck import deck
from lastcard_engine.errors import OptionReason, RulesError
from lastcard_engine.options import read_option, shortened
from lastcard_engine.plain import read_rules
from lastcard_engine.rules import Deck, Rules, Scoring, Stacking, Teams
from lastcard_engine.teams import PAIRED_SEATS

_BOX_112: Final = {"shuffle_hands": 1, "custom_wild": 3}
_SINGLE: Final = {"scoring": "single_round"}
_STANDARD: Final = {"reverse_two_players": "turn_only", **_SINGLE}
_OFFICIAL: Final = {"deck_extras": _BOX_112, "first_card": "apply", "extra_wild_points": 40}
_FAMILY: Final = {
    "first_card": "face_only",
    "voluntary_draw": False,
    "reverse_two_players": "turn_only",
    "wd4_enforcement": "auto_penalty",
    "uno_penalty_skip_turn": True,
    "uno_window": "next_turn_ends",
    "finish_draw_counts": False,
}
_PAIRS: Final = {**_FAMILY, "max_players": 4, "teams": "pairs"}
_NO_MERCY: Final = {
    "deck": "no_mercy_168",
    "max_players": 6,
    "first_card_rejects": "under_discard",
    "draw_mode": "until_playable",
    "drawn_card": "must_play",
    "wd4_legality": "free",
    "stacking": "equal_or_higher",
    "seven_zero": True,
    "mercy_limit": 25,
    "target_points": 1000,
    "mercy_bonus": 250,
}
_SHORT: Final = {"first_card": "dealer_played", "wd4_legality": "free", "uno_window": "open"}

_DIFFERENCES: Final[Mapping[str, Mapping[str, object]]] = {
    "official_se": _OFFICIAL,
    "guide_se": {
        "deck_extras": _BOX_112,
        "first_card": "apply",
        "wd4_legality": "no_playable",
        "uno_window": "next_turn_ends",
    },
    "standard_no": _STANDARD,
    "starter_no": _STANDARD,
    "duel_no": {"max_players": 2, **_SINGLE},
    "house_no": {
        **_STANDARD,
        "draw_mode": "until_playable",
        "stacking": "pairs",
        "stack_pairs": ("d2>d2", "d2>wd4", "wd4>wd4"),
        "seven_zero": True,
        "jump_in": "identical",
    },
    "no_mercy": {**_NO_MERCY, **_SINGLE},
    "short_se": {**_SHORT, "reverse_two_players": "turn_only"},
    "short_se_literal": {**_SHORT, "action_match": "any", "uno_penalty_source": "discard_pile"},
    "family_se": _FAMILY,
    "family_se_elimination": {**_FAMILY, "scoring": "elimination"},
    "official_se_low_total": {**_OFFICIAL, "scoring": "low_total"},
    "pairs_se": _PAIRS,
    "tournament_4_se": _PAIRS,
    "tournament_8_se": _PAIRS,
    "official_dk": {"deck_extras": _BOX_112},
    "official_dk_old": _OFFICIAL,
    "house_dk": {
        "deck_extras": _BOX_112,
        "wd4_legality": "free",
        "stacking": "pairs",
        "uno_penalty_cards": 4,
        "uno_window": "next_turn_ends",
        "finish_card": "number_only",
    },
    "standard_no_112": {**_STANDARD, "deck_extras": _BOX_112},
    "standard_no_swap": {**_STANDARD, "deck_extras": {"swap_hands": 1, "custom_wild": 3}},
    "standard_no_points": {"reverse_two_players": "turn_only"},
    "no_mercy_points": _NO_MERCY,
    "official_se_literal": {**_OFFICIAL, "shuffle_pool": "others_only"},
    "family_se_literal": {
        **_FAMILY,
        "wd4_legality": "no_playable",
        "uno_required_to_finish": True,
    },
    "official_dk_literal": {"deck_extras": _BOX_112, "action_match": "colour_only"},
}


PRESETS: Final[Mapping[str, Rules]] = {
    name: read_rules(options) for name, options in _DIFFERENCES.items()
}
"""All presets by name."""


def preset_meant(name: str) -> str:
    """Return in brackets the preset that a wrong name may have meant; empty if none is near."""
    return "".join(f" (did you mean {near}?)" for near in get_close_matches(name, PRESETS, 1))


def preset(name: str) -> Rules:
    """
    Return the rules of a preset.

    Raises:
        RulesError: no preset has this name.

    """
    if name not in PRESETS:
        raise RulesError(
            OptionReason.UNKNOWN_PRESET,
            "preset",
            name,
            tuple(PRESETS),
            f"no preset is named {shortened(name)}{preset_meant(name)}; "
            f"there are {', '.join(PRESETS)}",
        )
    return PRESETS[name]


def make_rules(preset_name: str, overrides: Mapping[str, object] | None = None) -> Rules:
    """
    Return the rules of a preset with some options set otherwise.

    Values are plain: the name of an enum's member, a number, a flag, a map for `deck_extras`
    (extras left out are 0) and `deck_counts`, a list for `stack_pairs` and `custom_rules`.

    Raises:
        RulesError: the preset, an option or a value is unknown, or the options contradict each
            other.

    """
    rules = preset(preset_name)
    if overrides:
        rules = read_rules(overrides, rules)
    _require_playable(rules)
    return rules


@lru_cache(maxsize=256)
def _require_playable(rules: Rules) -> None:
    _refuse_contradictions(rules)
    _require_numbers(rules)


def _require_numbers(rules: Rules) -> None:
    """Refuse a deck without number cards: no such card could start the pile (R019, Q23)."""
    if not any(map(is_number, deck(rules))):
        raise RulesError(
            OptionReason.NO_NUMBER_CARDS,
            "deck_counts",
            None,
            ("at least one number card",),
            "deck_counts must hold at least one number card, such as r5",
        )


def fewest_seats(rules: Rules) -> int:
    """Return how few seats these rules can be played by: all four of a table of pairs, else two."""
    return PAIRED_SEATS if rules.teams is Teams.PAIRS else 2


@lru_cache(maxsize=256)
def validate(rules: Rules, seats: int) -> None:
    """
    Check that a table of `seats` can play by these rules.

    Rule: R024, Q22, Q63, S08.

    Raises:
        RulesError: a value is not legal, the options contradict each other, the number of seats is
            not allowed, or the deck is too small for it.

    """
    for field in fields(rules):
        read_option(field.name, getattr(rules, field.name))
    _require_playable(rules)
    if not 2 <= seats <= rules.max_players:
        allowed = _seats_allowed(rules)
        raise RulesError(
            OptionReason.BAD_VALUE,
            "seats",
            seats,
            (allowed,),
            f"{seats} seats cannot play; these rules allow {allowed}",
        )
    if rules.teams is Teams.PAIRS and seats != PAIRED_SEATS:
        raise RulesError(
            OptionReason.CONTRADICTION,
            "teams",
            rules.teams,
            (Teams.NONE,),
            f"teams=pairs needs exactly {PAIRED_SEATS} seats; with teams=none {seats} can play",
        )
    _require_cards(rules, seats)


def _seats_allowed(rules: Rules) -> str:
    if rules.teams is Teams.PAIRS:
        return f"exactly {PAIRED_SEATS}, in pairs"
    return f"2 to {rules.max_players}" if rules.max_players > 2 else "exactly 2"


def _require_cards(rules: Rules, seats: int) -> None:
    """Refuse a deck that leaves fewer than ten cards beside the start card (Q22)."""
    cards = deck(rules)
    _refuse_exhausting(rules, seats, len(cards))
    most = (len(cards) - 11) // seats
    if most < 1:
        raise RulesError(
            OptionReason.CONTRADICTION,
            "deck_counts",
            len(cards),
            (f"at least {seats + 11} cards",),
            f"{len(cards)} cards cannot be dealt to {seats} seats; "
            f"deck_counts needs at least {seats * rules.hand_size + 11} here",
        )
    if rules.hand_size > most:
        raise RulesError(
            OptionReason.CONTRADICTION,
            "hand_size",
            rules.hand_size,
            (f"1 to {most}",),
            f"{seats} hands of {rules.hand_size} leave fewer than 11 of {len(cards)} cards; "
            f"hand_size may be at most {most} here",
        )


class RulesWarning(StrEnum):
    """What may be played, but is seldom meant."""

    PRESET_MISMATCH = "preset_mismatch"
    """The deck is that of another edition than the preset's (R240, Q71)."""


def warnings(preset_name: str, rules: Rules) -> tuple[RulesWarning, ...]:
    """
    Return what is odd about rules made from a preset; nothing of it is refused.

    Raises:
        RulesError: no preset has this name.

    """
    editions = {rules.deck is Deck.NO_MERCY_168, preset(preset_name).deck is Deck.NO_MERCY_168}
    return (RulesWarning.PRESET_MISMATCH,) if len(editions) > 1 else ()


def _refuse_exhausting(rules: Rules, seats: int, cards: int) -> None:
    """Refuse custom rules that make a table of so many seats hold or draw more than there is."""
    left = cards - seats * rules.hand_size - 1
    for number, rule in enumerate(rules.custom_rules, 1):
        operations = compiled(rule)
        drawn, held = most_drawn(operations, seats), most_held(operations, seats)
        if drawn > max(left, 10) or held > cards - 11:
            raise RulesError(
                OptionReason.CONTRADICTION,
                "custom_rules",
                rules.custom_rules,
                (f"at most {max(left, 10)} drawn", f"at most {cards - 11} held"),
                f"rule {number} would empty the deck: {seats} seats may draw {max(left, 10)} cards "
                f"by a rule and be brought to {cards - 11} together, not {drawn} and {held}",
            )


def _counts_without_custom_deck(rules: Rules) -> bool:
    return (rules.deck is Deck.CUSTOM) != (rules.deck_counts is not None)


def _rules_are_counted(rules: Rules) -> bool:
    return any(rule_number(card) for card, _ in rules.deck_counts or ())


def _bonus_without_limit(rules: Rules) -> bool:
    return rules.mercy_bonus > 0 and rules.mercy_limit == 0


def _limit_within_hand(rules: Rules) -> bool:
    return 0 < rules.mercy_limit <= rules.hand_size


def _call_needed_but_never_late(rules: Rules) -> bool:
    return rules.uno_required_to_finish and not rules.uno_self_correct


def _pairs_without_stacking(rules: Rules) -> bool:
    return rules.stacking is not Stacking.PAIRS and rules.stack_pairs != Rules().stack_pairs


def _teams_lose_a_seat(rules: Rules) -> bool:
    lonely = rules.scoring in (Scoring.LOW_TOTAL, Scoring.ELIMINATION)
    return rules.teams is Teams.PAIRS and (lonely or rules.mercy_limit > 0)


def _too_few_for_pairs(rules: Rules) -> bool:
    return rules.teams is Teams.PAIRS and rules.max_players < PAIRED_SEATS


def _more_rules_than_wilds(rules: Rules) -> bool:
    return sum(rule_number(card) > 0 for card in deck(rules)) < len(rules.custom_rules)


def _colour_never_comes(rules: Rules) -> bool:
    held = {colour_of(card) for card in deck(rules)}
    wanted = {op.word for op in _operations(rules) if op.kind is OpKind.DRAW_UNTIL} - {NAMED}
    return any(parse_colour(letter) not in held for letter in wanted)


def _operations(rules: Rules) -> tuple[Operation, ...]:
    return tuple(op for rule in rules.custom_rules for op in all_of(compiled(rule)))


_CONTRADICTIONS: Final = (
    ("deck_counts", _counts_without_custom_deck, "deck=custom and deck_counts need each other"),
    (
        "deck_counts",
        _rules_are_counted,
        "custom wilds are counted as WC, and custom_rules are written on them",
    ),
    (
        "custom_rules",
        _more_rules_than_wilds,
        "there may be at most one rule for each custom wild of the deck",
    ),
    (
        "custom_rules",
        _colour_never_comes,
        "draw_until may wait for a colour that is in the deck, or for named",
    ),
    ("mercy_bonus", _bonus_without_limit, "mercy_bonus needs a mercy_limit"),
    ("mercy_limit", _limit_within_hand, "mercy_limit must exceed hand_size"),
    ("uno_required_to_finish", _call_needed_but_never_late, "it needs uno_self_correct"),
    ("stack_pairs", _pairs_without_stacking, "stack_pairs needs stacking=pairs"),
    ("teams", _too_few_for_pairs, "teams=pairs needs max_players of 4 or more"),
    ("teams", _teams_lose_a_seat, "teams exclude mercy_limit, low_total and elimination"),
)
"""Options that exclude each other: option, whether the rules break it, what is right (S08, Q63)."""


def _refuse_contradictions(rules: Rules) -> None:
    for option, broken, sentence in _CONTRADICTIONS:
        if broken(rules):
            raise RulesError(
                OptionReason.CONTRADICTION, option, getattr(rules, option), (), sentence
            )
