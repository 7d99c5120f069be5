"""How a match and a round begin: dealer, deal, the first turned card."""

from contextlib import suppress
from typing import Any

from tests.oracle import effects, turns
from tests.oracle.cards import deck, face_of, is_number, is_wild
from tests.oracle.options import Options
from tests.oracle.table import RoundOver, Shuffle, State

DRAW_FOURS = ("W4", "WR4", "W6", "W10")


def new_match(
    options: Options, seats: int, shuffle: Shuffle, *, polled: bool, **settings: Any
) -> State:
    """Seat a match; nothing is dealt yet. `settings`: action_cap, rounds."""
    return State(options, seats, shuffle, polled, totals=[0] * seats, **settings)


def start_round(state: State, dealer: int | None = None) -> None:
    """Deal the next round and turn its first card; without a dealer given, the rules name one."""
    assert not state.running
    assert state.match_winners is None
    state.dealer = next_dealer(state) if dealer is None else dealer
    state.round += 1
    _clear(state)
    _deal(state)
    while not turn_first_card(state):
        _deal(state)


def _clear(state: State) -> None:
    """Carry nothing over from the round before (F09)."""
    state.out, state.out_points = [], {}
    state.direction, state.colour = 1, None
    state.debt, state.drawn, state.group = None, None, None
    state.pause, state.begun, state.moved, state.early_call = False, False, False, False
    state.duties, state.called, state.caught = [], set(), set()
    state.owes_turn = set()
    state.idle = state.actions = 0
    state.custom, state.open_hands = None, {}
    state.next_draw, state.drawn_choice, state.restricted = {}, [], []
    state.last_player, state.jumpable = None, False


def next_dealer(state: State) -> int:
    """Name the dealer: drawn for the first round, then by next_dealer (Q19, Q20)."""
    if state.round == 0:
        how = state.option("dealer_pick")
        if how == "draw_high":
            return highest_draw(state)
        if how == "host":  # unless said otherwise the dealer is the last seat
            return state.active[-1]
        (seat, *_) = state.shuffle("dealer_seat", list(state.active))
        return int(seat)
    state.out = []
    how = state.option("next_dealer")
    if how == "draw_high":
        return highest_draw(state)
    winners = [s for s in state.results[-1].winners if s in state.active]
    if how == "winner" and winners:
        return winners[0]
    return state.after(state.dealer, 1)


def highest_draw(state: State) -> int:
    """Let every seat draw a card: the highest number deals, ties draw again (R026, R027, Q19)."""
    candidates = list(state.active)
    while len(candidates) > 1:
        cards = state.shuffle("dealer", deck(state.options))
        drawn = dict(zip(candidates, cards, strict=False))
        worth = {s: int(face_of(c)) if is_number(c) else 0 for s, c in drawn.items()}
        high = max(worth.values())
        candidates = [s for s in candidates if worth[s] == high]
    return candidates[0]


def _deal(state: State) -> None:
    """Deal one card at a time from the dealer's left (R030, Q21)."""
    state.draw_pile = state.shuffle("deal", deck(state.options))
    state.discard = []
    state.hands = [[] for _ in range(state.seats)]
    for _ in range(state.option("hand_size")):
        seat = state.dealer
        for _ in state.active:
            seat = state.after(seat, 1)
            state.hands[seat].append(state.draw_pile.pop(0))


def turn_first_card(state: State) -> bool:
    """Turn the first card and let it act; say no if none may start."""
    rejects = _turn_first(state)
    if rejects is None:
        return False
    _place(state, rejects)
    state.running = True
    with suppress(RoundOver):
        begin_play(state)
    return True


def _turn_first(state: State) -> list[str] | None:
    """Turn cards until one may start; give back the others, or nothing if none may (Q23)."""
    rejects: list[str] = []
    while state.draw_pile:
        card = state.draw_pile.pop(0)
        if may_start(state, card):
            state.discard = [card]
            return rejects
        rejects.append(card)
    return None


def may_start(state: State, card: str) -> bool:
    """Say whether a turned card stays (R044, R048)."""
    mode = state.option("first_card")
    if mode == "number_only":
        return is_number(card)
    return mode != "apply" or card not in DRAW_FOURS


def _place(state: State, rejects: list[str]) -> None:
    """Put rejected first cards where first_card_rejects says (Q67)."""
    where = state.option("first_card_rejects")
    if not rejects:
        return
    if where == "under_discard":
        state.discard = [*rejects, *state.discard]
    elif where == "bottom":
        state.draw_pile += rejects
    else:
        state.draw_pile = state.shuffle("first", [state.draw_pile, rejects])


def begin_play(state: State) -> None:
    """Let the turned card say who begins, and how."""
    card, mode = state.top, state.option("first_card")
    first = state.after(state.dealer)
    state.colour = None if is_wild(card) else card[0]
    effects.ask(state, "play", first)
    if is_number(card):
        pass
    elif is_wild(card):
        _first_wild(state, card, first, mode)
    elif mode == "apply":
        _apply(state, card, first)
    elif mode == "dealer_played":
        _dealer_played(state, card)
    turns.open_turn(state)


def _first_wild(state: State, card: str, first: int, mode: str) -> None:
    if mode == "dealer_played" and card == "WCR" and state.option("roulette_chooser") == "victim":
        effects.ask(state, "roulette", first)
    elif mode == "dealer_played":
        effects.ask(state, "first_colour", state.dealer)
    else:
        effects.ask(state, "first_colour", first)


def _apply(state: State, card: str, first: int) -> None:
    face = face_of(card)
    if face in ("D2", "D4"):
        effects.attack(state, None, card, first, lawful=True)
    elif face in ("S", "SE"):
        effects.ask(state, "play", state.after(first))
    elif face == "R":
        state.direction = -1
        effects.ask(state, "play", state.dealer)


def _dealer_played(state: State, card: str) -> None:
    if face_of(card) == "DA" and effects.discard_all(state, state.dealer, card):
        effects.ask(state, "keep_one", state.dealer)  # S15
        return
    if not state.hands[state.dealer]:  # R185, NM18
        effects.go_out(state, state.dealer, card)
    if face_of(card) in ("D2", "D4"):
        effects.attack(state, None, card, state.after(state.dealer), lawful=True)
    else:
        effects.act(state, state.dealer, card, None, lawful=True)
