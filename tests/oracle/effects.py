"""
What a card does once it lies: who is next, who draws, whose hands change.

`lay` is the one way onto the discard pile. It leaves the next question in the state; opening
groups, pauses and turns is done in turns.py.
"""

from tests.oracle import calls, custom, score, stock
from tests.oracle.cards import DRAWS, colour_of, face_of, in_order, is_wild
from tests.oracle.fits import answerable, is_lawful
from tests.oracle.table import Debt, State


def lay(
    state: State, seat: int, card: str, colour: str | None, target: int | None, *, uno: bool
) -> None:
    """Lay a card with all its effects; `colour` and `target` where the card needs them (S01)."""
    lawful = is_lawful(state, seat, card)
    said_uno = uno or (state.early_call and seat == state.turn)
    state.said_uno = said_uno
    state.early_call = False
    state.drawn, state.drawn_choice = None, []
    state.hands[seat].remove(card)
    state.discard.append(card)
    state.last_player = seat
    state.idle = 0
    state.moved = True
    state.jumpable = not is_wild(card)  # Q49
    stock.settle(state)
    if face_of(card) == "DA" and discard_all(state, seat, card):
        ask(state, "keep_one", seat)  # S15; the rest follows the answer
        return
    take_effect(state, seat, card, colour, target, lawful=lawful, said_uno=said_uno)


def take_effect(
    state: State,
    seat: int,
    card: str,
    colour: str | None,
    target: int | None,
    *,
    lawful: bool = True,
    said_uno: bool = False,
) -> None:
    """Go on with a card that lies on the pile: last card, colour, effect, duty."""
    if not state.hands[seat]:
        go_out(state, seat, card)
    if colour_of(card) is not None:
        state.colour = colour_of(card)
    elif colour is not None:
        state.colour = colour
    hand_changed = act(state, seat, card, target, lawful=lawful)
    if not hand_changed and seat in state.active:
        calls.left_with_one(state, seat, said_uno=said_uno)


def discard_all(state: State, seat: int, card: str) -> bool:
    """Throw away a colour beneath the card (NM18); say whether one card must be chosen to stay."""
    hand = state.hands[seat]
    thrown = [c for c in hand if colour_of(c) == colour_of(card)]
    if thrown and len(thrown) == len(hand) and state.option("finish_card") == "number_only":
        return True
    throw_beneath(state, seat, thrown)
    return False


def throw_beneath(state: State, seat: int, cards: list[str]) -> None:
    """Move cards of a hand under the top of the discard pile; they have no effect (Q39)."""
    for card in in_order(cards):
        state.hands[seat].remove(card)
        state.discard.insert(-1, card)
    stock.settle(state)


def go_out(state: State, seat: int, card: str) -> None:
    """End the round by a last card; of its effects only drawing is left (R187, S14, NM22)."""
    face = face_of(card)
    owed = (state.debt.total if state.debt else 0) + DRAWS.get(face, 0)
    if face == "WC":
        owed += custom.last_card_draw(state, card)
    if owed and state.option("finish_draw_counts"):
        flipped = -state.direction if face == "WR4" else state.direction
        stock.take(state, state.after(seat, flipped), owed, mercy=False)
    score.end_round(state, "went_out", [seat])


def act(state: State, seat: int, card: str, target: int | None, *, lawful: bool) -> bool:
    """Do what a card does and name the next question; say whether the actor's hand was replaced."""
    face = face_of(card)
    two = len(state.active) == 2
    reverse_skips = two and state.option("reverse_two_players") == "skip"
    if face in ("R", "WR4"):
        state.direction = -state.direction  # R101, NM07
    after = state.after(seat)
    if face == "WC":
        return custom.run(state, seat, card, target)
    if face == "SE" or (face == "R" and reverse_skips):  # R246, R115
        _pass_over_all(state, seat)
        return False
    if face in ("WS", "WX", "7", "0"):
        changed = _change_hands(state, seat, face, target)
        ask(state, "play", after)
        return changed
    if face in DRAWS:
        victim = seat if face == "WR4" and reverse_skips else after  # NM08
        attack(state, seat, card, victim, lawful=lawful)
    elif face == "WCR" and state.option("roulette_chooser") == "victim":  # NM21
        ask(state, "roulette", after)
    elif face == "WCR":
        roulette(state, after)
    elif face == "S":  # R099
        lose_turn(state, after)
        ask(state, "play", state.after(after))
    else:
        ask(state, "play", after)
    return False


def _pass_over_all(state: State, seat: int) -> None:
    """Skip all the others; hands that lie open for one of them close there too (S20)."""
    for other in state.active:
        if other != seat:
            lose_turn(state, other)
    ask(state, "play", seat)


def lose_turn(state: State, seat: int) -> None:
    """Note that the turn passes over a seat: open hands end there too (S20)."""
    state.open_hands.pop(seat, None)


def ask(state: State, phase: str, seat: int) -> None:
    """Make `phase` of `seat` the next question."""
    state.phase = phase
    state.turn = seat


def attack(state: State, seat: int | None, card: str, victim: int, *, lawful: bool) -> None:
    """Let a draw card hit: the victim is asked if he has a choice, else draws (R105, S09, S10)."""
    total = DRAWS[face_of(card)] + (state.debt.total if state.debt else 0)
    state.debt = None
    is_four = card == "W4" and state.option("wd4_legality") != "free"
    if is_four and not lawful and state.option("wd4_enforcement") == "auto_penalty":
        assert seat is not None
        stock.take(state, seat, 4)  # R138, S10
    challengeable = is_four and seat is not None and state.option("wd4_enforcement") == "challenge"
    if challengeable or answerable(state, card):
        state.debt = Debt(total, card, seat, lawful, challengeable)
        ask(state, "facing", victim)
    else:
        stock.take(state, victim, total)
        lose_turn(state, victim)
        ask(state, "play", state.after(victim))


def roulette(state: State, victim: int) -> None:
    """Turn cards for the victim until the colour in force appears; his turn is lost (NM21)."""
    while taken := stock.take(state, victim, 1):
        if colour_of(taken[0]) == state.colour:
            break
    lose_turn(state, victim)
    ask(state, "play", state.after(victim))


def _change_hands(state: State, seat: int, face: str, target: int | None) -> bool:
    if face == "WS":
        return shuffle_hands(state, seat)
    if face == "WX" or (face == "7" and state.option("seven_zero")):  # R148, R234
        assert target is not None
        hands = state.hands
        hands[seat], hands[target] = hands[target], hands[seat]
        changed = [seat, target]
    elif face == "0" and state.option("seven_zero"):  # R235, NM11
        old = {s: state.hands[s] for s in state.active}
        for giver, hand in old.items():
            state.hands[state.after(giver)] = hand
        changed = list(old)
    else:
        return False
    for one in changed:
        calls.received_hand(state, one)
    return True


def shuffle_hands(state: State, seat: int) -> bool:
    """Collect hands, shuffle, deal one by one clockwise from the left (R140-R145, S13)."""
    others_only = state.option("shuffle_pool") == "others_only"
    order = [state.after(seat, 1)]
    while len(order) < len(state.active):
        order.append(state.after(order[-1], 1))
    givers = [s for s in order if not (others_only and s == seat)]
    pool = [card for s in givers for card in in_order(state.hands[s])]
    for s in givers:
        state.hands[s] = []
    pool = state.shuffle("hands", pool)
    for place, card in enumerate(pool):
        state.hands[order[place % len(order)]].append(card)
    own_untouched = others_only and len(pool) < len(order)
    for s in order:
        if not (s == seat and own_untouched):
            calls.received_hand(state, s)
    return not own_untouched
