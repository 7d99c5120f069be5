"""Which matches do the properties range over, and how does one step in them at random?"""

from functools import cache
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

import lastcard_engine as engine
from tests.builders import deal_key
from tests.written import IDEAS, written


def _goes_with(name: str, overrides: dict[str, Any]) -> bool:
    try:
        engine.make_rules(name, overrides)
    except engine.RulesError:
        return False
    return True


def seats_of(rules: engine.Rules, wanted: int) -> int:
    """Return a number of seats that these rules allow, near the wanted one."""
    return 4 if rules.teams == "pairs" else min(wanted, rules.max_players)


PRESETS: Final = tuple(engine.PRESETS)
OVERRIDES: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"jump_in": "identical"},
    {"jump_in": "identical", "uno_window": "next_turn_ends"},
    {"uno_window": "open", "uno_penalty_cards": 4},
    {"uno_window": "own_next_turn", "uno_penalty_skip_turn": True},
    {"draw_mode": "until_playable", "drawn_card": "must_play"},
    {"deck_extras": {"shuffle_hands": 4, "custom_wild": 2}, "jump_in": "identical"},
    written(),
    {**written(), "jump_in": "identical", "finish_card": "number_only"},
    {**written(rules=IDEAS), "uno_window": "next_turn_ends", "draw_mode": "until_playable"},
    {"shuffle_pool": "others_only", "deck_extras": {"shuffle_hands": 4}},
    {"reverse_two_players": "skip", "wd4_legality": "no_playable"},
    {"wd4_enforcement": "auto_penalty"},
    {"wd4_enforcement": "block", "finish_card": "number_only"},
    {"uno_penalty_source": "discard_pile", "uno_self_correct": False},
    {"voluntary_draw": False, "first_card": "face_only"},
    {"first_card": "apply", "first_card_rejects": "under_discard"},
    {"scoring": "elimination", "target_points": 50},
    {"scoring": "low_total", "target_points": 100},
    {"scoring": "winner_takes", "target_points": 100, "next_dealer": "winner"},
    {"seven_zero": True},
    {"seven_zero": True, "jump_in": "identical", "uno_window": "open"},
    {"seven_zero": True, "draw_mode": "until_playable", "uno_required_to_finish": True},
    {"deck_extras": {"swap_hands": 4, "shuffle_hands": 4}, "first_card": "dealer_played"},
    {"uno_required_to_finish": True, "uno_penalty_cards": 0, "uno_window": "own_next_turn"},
    {"stacking": "pairs", "stack_pairs": ["d2>d2", "d2>wd4", "wd4>wd4"]},
    {"stacking": "pairs", "stack_pairs": ["wd4>d2", "d2>wd4"], "wd4_enforcement": "auto_penalty"},
    {"stacking": "equal_or_higher", "jump_in": "identical", "first_card": "dealer_played"},
    {"deck": "no_mercy_168", "jump_in": "identical", "finish_card": "number_only"},
    {"deck": "no_mercy_168", "roulette_chooser": "player", "first_card": "dealer_played"},
    {"mercy_limit": 9, "stacking": "equal_or_higher", "uno_window": "next_turn_ends"},
    {"deck": "no_mercy_168", "mercy_limit": 9, "mercy_bonus": 250, "uno_window": "open"},
    {"teams": "pairs", "dealer_pick": "host", "seven_zero": True, "next_dealer": "winner"},
)


@cache
def combined() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return the presets with each of the overrides that go with them; only who plays needs it."""
    return tuple(
        (name, overrides)
        for name in PRESETS
        for overrides in OVERRIDES
        if _goes_with(name, overrides)
    )


@st.composite
def matches(draw: st.DrawFn) -> engine.State:
    """Draw a new match: preset, overrides, both reaction modes, policies, 2 to 10 seats."""
    preset, overrides = draw(st.sampled_from(combined()))
    hand_size = draw(st.sampled_from((2, 3, 7)))
    rules = engine.make_rules(preset, {**overrides, "hand_size": hand_size})
    settings = engine.Settings(
        reactions=draw(st.sampled_from(engine.Reactions)),
        absence=draw(st.sampled_from(engine.Absence)),
        action_cap=draw(st.sampled_from((40, 2000))),
        rounds=draw(st.sampled_from((0, 3))),
    )
    seats = seats_of(rules, draw(st.integers(2, 10)))
    return engine.new_match(rules, settings, seats, deal_key(draw(st.integers(0, 2**32))))


def new_match(
    preset: str, seed: int, *, reactions: str = "polled", seats: int = 3, **overrides: Any
) -> engine.State:
    """Return a match of a preset in its first round, with as many seats as it allows."""
    rules = engine.make_rules(preset, overrides)
    settings = engine.Settings(reactions=engine.Reactions(reactions))
    state = engine.new_match(rules, settings, seats_of(rules, seats), deal_key(seed))
    engine.start_round(state)
    return state


Act = tuple[engine.Seat, engine.Action, bool]


def open_acts(state: engine.State) -> list[Act]:
    """Return everything a seat may do now, each play also with a call."""
    acts: list[Act] = []
    for seat in range(state.seat_count):
        who = engine.Seat(seat)
        for action in (*engine.legal_actions(state, who), *engine.reactions(state, who)):
            acts.append((who, action, False))
            if isinstance(action, engine.Play | engine.JumpIn):
                acts.append((who, action, True))
    return acts


def go_on(state: engine.State) -> list[engine.Event] | None:
    """Take the step that no seat takes, if one is due: close a group, or start a round."""
    if state.group is not None and not engine.to_act(state):
        return list(engine.close_group(state))
    if engine.needs_round(state):
        return list(engine.start_round(state))
    return None


def random_act(state: engine.State, dice: Random) -> Act | None:
    """Choose an act at random, cards before draws; None where the race pause should end."""
    acts = open_acts(state)
    if state.window and (not acts or dice.random() < 0.6):
        return None
    plays = [act for act in acts if isinstance(act[1], engine.Play | engine.JumpIn)]
    return dice.choice(plays if plays and dice.random() < 0.7 else acts)


def step(state: engine.State, dice: Random) -> list[engine.Event]:
    """Take one random step, whatever is due; the match must not be over, and stays sound."""
    events = go_on(state)
    if events is None:
        act = random_act(state, dice)
        events = list(engine.close_window(state) if act is None else engine.apply(state, *act))
    assert engine.violations(state) == ()
    return events
