"""What the engine and the oracle each say of a state: name, engine's value, oracle's value."""

from typing import Any

import lastcard_engine as engine
from tests.oracle.cards import in_order
from tests.oracle.legal import CUSTOM_PHASES, asked, free_acts, legal, unlawful
from tests.oracle.table import State

WORDS = {"keep_card": "choose_card"}  # the oracle's words that are not the engine's

PHASES = {
    "play": "play",
    "drawn": "play_or_keep",
    "first_colour": "choose_colour",
    "first_target": "choose_target",
    "roulette": "choose_colour",
    "keep_one": "keep_card",
    "lay_out": "choose_card",
    "dare": "dare",
    "vote": "vote",
}


def facts(ours: engine.State, theirs: State) -> list[tuple[str, object, object]]:
    """List what both sides say of the state: name, engine, oracle."""
    over = theirs.match_winners is not None
    running = theirs.running
    phase = _phase(theirs) if running else "match_over" if over else "round_over"
    found: list[tuple[str, object, object]] = [
        ("phase", ours.phase.value, phase),
        ("totals", ours.totals, theirs.totals),
        ("piles", _cards(ours.draw_pile[::-1]), theirs.draw_pile),
        ("discards", _cards(ours.discards), theirs.discard),
        ("hands", [in_order(_cards(h)) for h in ours.hands], [in_order(h) for h in theirs.hands]),
        ("asked", sorted(engine.to_act(ours)), asked(theirs)),
        ("forfeited", [s for s, f in enumerate(ours.forfeited) if f], sorted(theirs.forfeited)),
    ]
    if running:
        found += _running_facts(ours, theirs)
    elif theirs.results:
        found.append(("winners", list(ours.winners), theirs.results[-1].winners))
    for seat in range(theirs.seats):
        found += _seat_facts(ours, theirs, engine.Seat(seat))
    return found


def as_engine(text: str) -> str:
    """Write an act of the oracle in the engine's notation."""
    verb, _, rest = text.partition(" ")
    return f"{WORDS.get(verb, verb)} {rest}".rstrip()


def _legal(theirs: State, seat: int) -> list[str]:
    return [as_engine(text) for text in legal(theirs, seat)]


def _phase(theirs: State) -> str:
    if theirs.phase == "facing":
        assert theirs.debt is not None
        return "challenge" if theirs.debt.challengeable else "answer_draw"
    return PHASES[theirs.phase]


def _seat_facts(
    ours: engine.State, theirs: State, seat: engine.Seat
) -> list[tuple[str, object, object]]:
    """Compare what a seat may do, in which order, and what it is told."""
    answers = engine.legal_actions(ours, seat)
    bluffs = [engine.format_action(a) for a in answers if engine.is_bluff(ours, seat, a)]
    free = [engine.format_action(a) for a in engine.reactions(ours, seat)]
    calls = ["call_uno"] if theirs.running and not theirs.polled and seat in theirs.active else []
    view = engine.view(ours, seat)
    drawn = _known(theirs.drawn) if theirs.running and seat == theirs.turn else []
    return [
        (f"legal {seat}", [engine.format_action(a) for a in answers], _legal(theirs, seat)),
        (f"bluffs {seat}", bluffs, unlawful(theirs, seat)),
        (f"reactions {seat}", free, free_acts(theirs, seat) + calls),
        (f"hand {seat}", _cards(view.hand), in_order(theirs.hands[seat])),
        (f"drawn {seat}", _cards([] if view.drawn is None else [view.drawn]), drawn),
        (f"told {seat}", view.asked, seat in asked(theirs)),
    ]


def _running_facts(ours: engine.State, theirs: State) -> list[tuple[str, object, object]]:
    view = engine.table_view(ours)
    owed = {s for s, owes in enumerate(ours.owed_skip) if owes}
    colour = None if ours.colour is None else engine.format_colour(ours.colour)
    group = None if ours.group is None or theirs.phase == "vote" else sorted(ours.group.asked)
    found = []
    if theirs.group is None and not theirs.pause:  # until then who is next may still change
        found = [("turn", ours.turn, theirs.turn), ("owes a turn", owed, theirs.owes_turn)]
    return [
        *found,
        ("dealer", ours.dealer, theirs.dealer),
        # The oracle lets a card that waits for a choice take effect only afterwards.
        ("colour", colour, theirs.top[0] if theirs.phase == "keep_one" else theirs.colour),
        ("direction", ours.direction, theirs.direction),
        ("drawn", _cards([] if ours.drawn is None else [ours.drawn]), _known(theirs.drawn)),
        ("active", [s for s, a in enumerate(ours.active) if a], theirs.active),
        ("counts", list(view.counts), [len(hand) for hand in theirs.hands]),
        (
            "sizes",
            (view.draw_count, view.discard_count),
            (len(theirs.draw_pile), len(theirs.discard)),
        ),
        ("called", {s for s, c in enumerate(view.called) if c} - theirs.caught, theirs.called),
        ("pending", view.pending, theirs.debt.total if theirs.debt else 0),
        ("duties", {s for s, d in enumerate(ours.duty) if d}, {d.seat for d in theirs.duties}),
        ("group", group, theirs.group.asked if theirs.group else None),
        ("pause", ours.window, theirs.pause),
        ("actions", ours.actions, theirs.actions),
        ("lap", ours.lap, theirs.idle),
        *_custom_facts(ours, theirs),
    ]


def _custom_facts(ours: engine.State, theirs: State) -> list[tuple[str, object, object]]:
    """Compare what custom wilds have left on the table."""
    left = ours.custom
    if left is None:
        return []
    raised = {s: n for s, n in enumerate(left.next_draw) if n and ours.active[s]}
    return [
        ("open hands", {by: sorted(s) for by, s in left.opened}, theirs.open_hands),
        ("restricted", {s for s, _ in left.restrictions}, set(theirs.restricted)),
        ("raised", raised, {s: n for s, n in theirs.next_draw.items() if s in theirs.active}),
        ("choice", sorted(_cards(left.choices)), sorted(theirs.drawn_choice)),
        ("rule", left.rule is not None, theirs.phase in CUSTOM_PHASES),
    ]


def _cards(cards: Any) -> list[str]:
    return [engine.format_card(card) for card in cards]


def _known(card: str | None) -> list[str]:
    return [] if card is None else [card]
