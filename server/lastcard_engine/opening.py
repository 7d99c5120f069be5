"""
How does a round begin?

The dealer is found, hands are dealt one card at a time from the dealer's left, a card is turned to
open the discard pile, and what it says happens.
"""

from lastcard_engine.cards import COLOURS, FIRST_RULE, FIRST_WILD, Card, Seat, is_number
from lastcard_engine.custom import begin_turned
from lastcard_engine.effects import run
from lastcard_engine.events import (
    CardsDealt,
    DealerChosen,
    DealerDrawn,
    Event,
    RoundEnd,
    RoundStarted,
    StartCardRejected,
    StartCardTurned,
)
from lastcard_engine.piles import next_stream
from lastcard_engine.rounds import end_round
from lastcard_engine.rules import DealerPick, FirstCard, FirstCardRejects, NextDealer
from lastcard_engine.state import KEEPING, PLAYING, Phase, State
from lastcard_engine.tables import NOTHING_FITS
from lastcard_engine.turns import active_seats, begin, next_seat, pass_turn


def open_round(state: State) -> list[Event]:
    """Deal the next round and turn its first card (R026-R059)."""
    state.round_number += 1
    events: list[Event] = [RoundStarted(state.round_number)]
    _reset(state)
    state.dealer = _find_dealer(state, events)
    events.append(DealerChosen(state.dealer))
    _deal(state, events)
    turn_start_card(state, events)
    return events


def _reset(state: State) -> None:
    state.active = [not left for left in state.left]
    state.live = sum(state.active)
    state.shuffles = state.serial = state.actions = 0
    state.direction = 1
    state.lost = [0] * state.seat_count
    state.called = [False] * state.seat_count
    state.caught = [False] * state.seat_count
    state.discards = []


def _find_dealer(state: State, events: list[Event]) -> Seat:
    """Find who deals: first by `dealer_pick`, then by `next_dealer` (R026, Q20, Q66)."""
    rules = state.rules
    if state.round_number == 1:
        if rules.dealer_pick is DealerPick.DRAW_HIGH:
            return _draw_for_deal(state, events)
        seats = active_seats(state)
        if rules.dealer_pick is DealerPick.HOST:
            return seats[-1]
        return seats[next_stream(state).below(len(seats))]
    if rules.next_dealer is NextDealer.DRAW_HIGH:
        return _draw_for_deal(state, events)
    if rules.next_dealer is NextDealer.WINNER:
        for winner in state.winners:  # of a pair the one who comes first
            if state.active[winner]:
                return winner
    return next_seat(state, state.dealer)


def _draw_for_deal(state: State, events: list[Event]) -> Seat:
    """Let seats draw until one has the highest card; symbols are worth nothing (R027, Q19)."""
    seats = active_seats(state)
    while len(seats) > 1:
        cards = list(state.tables.deck)
        next_stream(state).mix(cards, len(seats))
        drawn = cards[: -len(seats) - 1 : -1]
        events.append(DealerDrawn(tuple(seats), tuple(drawn)))
        ranks = [card & 15 if is_number(card) else 0 for card in drawn]
        best = max(ranks)
        seats = [seat for seat, rank in zip(seats, ranks, strict=True) if rank == best]
    return seats[0]


def _deal(state: State, events: list[Event]) -> None:
    """Deal the hands (R030, Q21), anew where no card is left that may start the pile (Q23)."""
    around = [Seat((state.dealer + step) % state.seat_count) for step in range(1, state.seat_count)]
    seats = [seat for seat in (*around, state.dealer) if state.active[seat]]
    dealt = len(seats) * state.rules.hand_size
    pile: list[Card] = []
    while not any(state.tables.may_start[card] for card in pile[:-dealt]):
        pile = next_stream(state).shuffled(state.tables.deck)
    state.draw_pile = pile[:-dealt]
    cards = pile[: -dealt - 1 : -1]
    state.hands = [[] for _ in range(state.seat_count)]
    for place, seat in enumerate(seats):
        state.hands[seat] = sorted(cards[place :: len(seats)])
        hand = tuple(state.hands[seat])
        events.append(CardsDealt(seat, hand, len(hand)))


def turn_start_card(state: State, events: list[Event]) -> None:
    """
    Turn cards until one may start the pile, then let it act.

    Rule: R039-R059. Rejected cards go where `first_card_rejects` says (Q67); shuffled back,
    each is put in at a random place once the pile is open (R044, R045).

    Raises:
        ValueError: no card in the draw pile may start the pile.

    """
    pile = state.draw_pile
    rejects: list[Card] = []
    while pile and not state.tables.may_start[pile[-1]]:
        rejects.append(pile.pop())
        events.append(StartCardRejected(rejects[-1]))
    if not pile:
        raise ValueError("no card in the draw pile may start the discard pile")
    card = pile.pop()
    _put_back(state, rejects)
    state.discards.append(card)
    events.append(StartCardTurned(card))
    if card < FIRST_WILD:
        _start(state, card, events)
    else:
        _ask_colour(state, card)


def _put_back(state: State, rejects: list[Card]) -> None:
    if not rejects:
        return
    where = state.rules.first_card_rejects
    if where is FirstCardRejects.UNDER_DISCARD:
        state.discards += rejects
    elif where is FirstCardRejects.BOTTOM:
        state.draw_pile[:0] = rejects[::-1]
    else:
        stream = next_stream(state)
        for card in rejects:
            state.draw_pile.insert(stream.below(len(state.draw_pile) + 1), card)


def _start(state: State, card: Card, events: list[Event]) -> None:
    state.colour = COLOURS[card >> 4]
    state.row = state.tables.rows[card]
    act_for_dealer(state, card, events)


def act_for_dealer(state: State, card: Card, events: list[Event]) -> None:
    """Run the effects of the first card, the cursor on the dealer, and open the first turn."""
    state.phase = Phase.PLAY
    state.turn = state.dealer
    if card >= FIRST_RULE and state.rules.first_card is FirstCard.DEALER_PLAYED:
        begin_turned(state, card, None, events)
        return
    run(state, state.tables.start_effects[card], state.dealer, events)
    if state.phase is PLAYING and not state.hands[state.dealer]:  # NM18
        end_round(state, RoundEnd.WENT_OUT, state.dealer, events)
    elif state.phase is PLAYING:
        pass_turn(state)
    elif state.phase is KEEPING:
        begin(state, state.dealer)


def _ask_colour(state: State, card: Card) -> None:
    """
    Ask the dealer (R056) or the seat on his left (R043, Q27) to name the colour.

    Whose card lets the victim name it asks the victim, that is the seat on his left too (C40).
    """
    state.colour = None
    state.row = NOTHING_FITS
    state.phase = Phase.CHOOSE_COLOUR
    dealer_played = state.rules.first_card is FirstCard.DEALER_PLAYED
    dealer_names = dealer_played and state.tables.names_colour[card]
    begin(state, state.dealer if dealer_names else next_seat(state, state.dealer))
