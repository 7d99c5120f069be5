"""
Random sets of rules over all 38 options, for whoever plays at random.

Values are plain, as presets and overrides have them; a set is a preset and what differs from it.
"""

import random
from functools import cache
from typing import Any, Final, NamedTuple

import lastcard_engine as engine

# Values of each option that are worth a game. Decks by counts and
# rules for custom wilds are made to measure below.
VALUES: Final[dict[str, list[Any]]] = {
    "deck": ["classic_108", "no_mercy_168", "custom"],
    "deck_extras": [
        {},
        {"shuffle_hands": 4},
        {"swap_hands": 4},
        {"custom_wild": 8},
        {"shuffle_hands": 1, "swap_hands": 1, "custom_wild": 3},
    ],
    "max_players": [2, 4, 7, 10],
    "hand_size": [1, 2, 3, 5, 7, 15],
    "dealer_pick": ["draw_high", "random", "host"],
    "next_dealer": ["left", "winner", "draw_high"],
    "first_card": ["number_only", "apply", "dealer_played", "face_only"],
    "first_card_rejects": ["shuffle_back", "bottom", "under_discard"],
    "action_match": ["colour_or_symbol", "colour_only", "any"],
    "voluntary_draw": [True, False],
    "draw_mode": ["one", "until_playable"],
    "drawn_card": ["may_play", "must_play"],
    "reverse_two_players": ["skip", "turn_only"],
    "wd4_legality": ["no_colour", "no_playable", "free"],
    "wd4_enforcement": ["challenge", "auto_penalty", "block"],
    "stacking": ["none", "pairs", "equal_or_higher"],
    "stack_pairs": [
        ["d2>d2"],
        ["d2>d2", "d2>wd4", "wd4>wd4"],
        ["wd4>wd4"],
        ["wd4>d2", "d2>wd4"],
    ],
    "uno_penalty_cards": [0, 1, 2, 4, 10],
    "uno_penalty_skip_turn": [True, False],
    "uno_penalty_source": ["draw_pile", "discard_pile"],
    "uno_window": ["next_turn_starts", "next_turn_ends", "own_next_turn", "open"],
    "uno_self_correct": [True, False],
    "uno_required_to_finish": [True, False],
    "finish_card": ["any", "number_only"],
    "finish_draw_counts": [True, False],
    "shuffle_pool": ["all_hands", "others_only"],
    "seven_zero": [True, False],
    "jump_in": ["off", "identical"],
    "mercy_limit": [0, 9, 12, 25],
    "roulette_chooser": ["victim", "player"],
    "scoring": ["single_round", "winner_takes", "low_total", "elimination"],
    "target_points": [50, 200, 500],
    "extra_wild_points": [40, 50],
    "mercy_bonus": [0, 250],
    "teams": ["none", "pairs"],
    "partner_talk": [False, True],
}

# Written rules for custom wilds: the ten ideas of the rulebook, and what else can be built of the
# same operations.
RULES: Final[list[list[str]]] = [
    ["dare(next,crow like a rooster,draw(self,4))"],
    ["draw_until(next,g)"],
    ["discard_matching(all,wild)"],
    ["next_draw_count(next,3)"],
    ["extra_turn(self)"],
    ["adjust_hand(next,7)"],
    ["adjust_hand(all,3)"],
    ["reveal_hands(all,own_next_turn)"],
    ["vote(laughed?,discard_to(self,1),draw(self,4))"],
    ["restriction(next,elbows,uno_call)"],
    ["draw(next,2)"],
    ["draw(chosen,3)", "reveal_hands(chosen,own_next_turn)"],
    ["discard_to(all,2)", "restriction(others,hush,uno_call)"],
    ["dare(chosen,hop,draw(self,2);discard_to(others,1))", "extra_turn(self)"],
    ["vote(more?,adjust_hand(all,2),)", "draw(next,1)"],
    ["draw_until(self,named)", "discard_matching(self,number)"],
    ["discard_matching(others,special)", "next_draw_count(others,2)"],
    ["adjust_hand(self,1)", "draw(others,1)"],
]

_SEATS: Final = (2, 2, 3, 3, 4, 4, 4, 5, 6, 7, 8, 9, 10)
_COLOURED: Final = [f"{c}{face}" for c in "rygb" for face in (*"0123456789", "S", "R", "D2")]
_NO_MERCY: Final = [f"{c}{face}" for c in "rygb" for face in ("D4", "SE", "DA")]
_WILDS: Final = ["W", "W4", "WS", "WX", "WC", "WR4", "W6", "W10", "WCR"]


class OptionSet(NamedTuple):
    """Rules a table may agree on, and for how many."""

    preset: str
    overrides: dict[str, Any]
    seats: int


def options_in_force(preset: str, overrides: dict[str, Any], name: str) -> Any:
    """Look up the plain value of an option."""
    return overrides[name] if name in overrides else _plain_preset(preset)[name]


@cache
def _plain_preset(preset: str) -> dict[str, Any]:
    return engine.plain_rules(engine.preset(preset))


def random_options(dice: random.Random) -> OptionSet:
    """Throw a set together that can be played: a preset with none to all options changed."""
    while True:
        preset = dice.choice(sorted(engine.PRESETS))
        found = OptionSet(preset, _overrides(preset, dice), dice.choice(_SEATS))
        try:
            engine.validate(engine.make_rules(preset, found.overrides), found.seats)
        except engine.RulesError:
            continue
        return found


def _overrides(preset: str, dice: random.Random) -> dict[str, Any]:
    names = dice.sample(sorted(VALUES), dice.choice([0, 1, 3, 6, 12, len(VALUES)]))
    chosen = {name: dice.choice(VALUES[name]) for name in names}
    return chosen | _companions(preset, chosen, dice)


def _companions(preset: str, chosen: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Choose options that say nothing without another one, where that one is in force."""
    found: dict[str, Any] = {}
    stacking = options_in_force(preset, chosen, "stacking")
    if stacking != "pairs":
        chosen.pop("stack_pairs", None)
    elif dice.random() < 0.7:
        found["stack_pairs"] = dice.choice(VALUES["stack_pairs"])
    wilds: int = options_in_force(preset, chosen, "deck_extras").get("custom_wild", 0)
    if options_in_force(preset, chosen, "deck") == "custom":
        found["deck_counts"] = _counts(dice)
        wilds += found["deck_counts"].get("WC", 0)
    if wilds and dice.random() < 0.8:
        found["custom_rules"] = [_rule(dice) for _ in range(dice.randint(1, min(wilds, 8)))]
    return found


def _counts(dice: random.Random) -> dict[str, int]:
    """Choose a deck of its own: most kinds of cards, some rare, some in plenty."""
    kinds = _COLOURED + dice.sample(_NO_MERCY, dice.choice([0, 4, 12]))
    kinds += dice.sample(_WILDS, dice.choice([0, 3, 9]))
    return {kind: dice.choice([0, 1, 1, 2, 2, 3, 5]) for kind in kinds}


def _rule(dice: random.Random) -> dict[str, Any]:
    number = dice.randrange(len(RULES))
    ops, slow = RULES[number], dice.random() < 0.3
    loses = slow and not any("extra_turn" in op for op in ops)
    return {"id": f"rule_{number}_{int(loses)}", "ops": ops, "lose_turn": loses}
