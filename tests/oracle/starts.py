"""
Which games are compared: presets, options, seats, settings and positions, all from dice.

Options and presets the engine does not play yet are left out; as it grows, so does the choice.
"""

import random
from functools import cache
from typing import Any

import lastcard_engine as engine
from tests.oracle.cards import COLOURS, deck, is_wild
from tests.oracle.compare import Start, built
from tests.oracle.options import PRESETS, options_of

# Values of each option that are worth a game; the schema of matrix §1.9.
VALUES: dict[str, list[Any]] = {
    "deck": ["classic_108", "no_mercy_168"],
    "deck_extras": [
        {},
        {"shuffle_hands": 4},
        {"swap_hands": 4},
        {"custom_wild": 8},
        {"shuffle_hands": 1, "swap_hands": 1, "custom_wild": 3},
    ],
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
RULES: list[list[str]] = [
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


@cache
def available(preset: str, name: str, value: str) -> bool:
    """Say whether the engine plays one preset with one other option; `value` is a repr."""
    return _plays(preset, {name: _value(name, value)} if name else {})


def presets() -> list[str]:
    """List the presets the engine plays."""
    return [preset for preset in PRESETS if available(preset, "", "")]


def _value(name: str, text: str) -> Any:
    return next(v for v in VALUES[name] if repr(v) == text)


def _plays(preset: str, overrides: dict[str, Any]) -> bool:
    try:
        engine.make_rules(preset, overrides)
    except engine.RulesError:
        return False
    return True


def random_start(dice: random.Random) -> Start:
    """Throw a game together that the engine agrees to play."""
    while True:
        preset = dice.choice(presets())
        overrides = _overrides(preset, dice)
        pairs = options_of(preset, **overrides)["teams"] == "pairs"
        start = Start(
            preset,
            overrides,
            4 if pairs else dice.choice([2, 2, 3, 3, 4, 5, 6, 8, 10]),
            dice.random() < 0.5,
            dice.choice(["play_default", "knock_out_round", "forfeit_match"]),
            dice.choice([2000, 2000, 300, 30]),
            dice.choice([0, 0, 3]),
            dice.randbytes(32),
        )
        try:
            built(start)
        except engine.RulesError:
            continue
        return _with_position(start, dice) if dice.random() < 0.4 else start


def _overrides(preset: str, dice: random.Random) -> dict[str, Any]:
    """Choose up to six other options, each of which the engine plays."""
    chosen: dict[str, Any] = {}
    for name in dice.sample(sorted(VALUES), dice.choice([0, 1, 3, 6])):
        value = dice.choice(VALUES[name])
        if available(preset, name, repr(value)):
            chosen[name] = value
    return chosen | _companions(preset, chosen, dice)


def _companions(preset: str, chosen: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Choose options that say nothing without another one, where that one is in force."""
    options = options_of(preset, **chosen)
    found: dict[str, Any] = {}
    if options["stacking"] == "pairs" and dice.random() < 0.7:
        found["stack_pairs"] = dice.choice(VALUES["stack_pairs"])
    wilds = options["deck_extras"].get("custom_wild", 0)
    if wilds and dice.random() < 0.8:
        found["custom_rules"] = [_rule(dice) for _ in range(dice.randint(1, wilds))]
    if not found and dice.random() < 0.1:
        found = {"deck": "custom", "deck_counts": _counts(dice)}
    return found


def _counts(dice: random.Random) -> dict[str, int]:
    """Make up a deck of every kind of card, some of which are missing and some plentiful."""
    kinds = sorted({*deck(options_of("no_mercy")), *deck(options_of("official_se"))})
    return {card: dice.choice([0, 1, 2, 2, 4]) for card in kinds}


def _rule(dice: random.Random) -> dict[str, Any]:
    number = dice.randrange(len(RULES))
    ops, slow = RULES[number], dice.random() < 0.3
    loses = slow and not any("extra_turn" in op for op in ops)
    return {"id": f"rule_{number}_{int(loses)}", "ops": ops, "lose_turn": loses}


def _with_position(start: Start, dice: random.Random) -> Start:
    """Begin with few cards: short hands, and piles that run out."""
    cards = deck(options_of(start.preset, **start.overrides))
    dice.shuffle(cards)
    hands = []
    for _ in range(start.seats):
        size = dice.choice([1, 1, 2, 2, 3, 4, 7])
        hands.append(tuple(cards[:size]))
        del cards[:size]
    size, below = dice.choice([0, 0, 1, 3, 8, 20]), dice.choice([0, 0, 1, 5])
    top = cards[-1]
    colour = dice.choice(COLOURS) if is_wild(top) else top[0]
    return Start(
        **{
            **vars(start),
            "hands": tuple(hands),
            "top": top,
            "draw": tuple(cards[:size]),
            "discards": tuple(cards[size : size + below]),
            "colour": colour,
        }
    )
