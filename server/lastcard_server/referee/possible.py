"""
Can a table exist that looks so?

Copies of a card, sizes of hands and piles, and what goes with what: each is checked against the
deck and the rules, and the first that cannot be is told in one sentence. What follows from the rest
and is left out, such as the phase, is worked out here.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from lastcard_engine.cards import (
    FIRST_WILD,
    SHUFFLE_HANDS,
    WILD_DRAW_FOUR,
    Card,
    Colour,
    Seat,
    colour_of,
    format_card,
)
from lastcard_engine.errors import RulesError
from lastcard_engine.presets import validate
from lastcard_engine.rules import (
    DrawFourEnforcement,
    DrawFourLegality,
    JumpInMode,
    Rules,
    ShufflePool,
)
from lastcard_engine.state import RUNNING, Phase
from lastcard_engine.tables import tables
from lastcard_server.referee.seen import PositionError, Seen


class Layout(NamedTuple):
    """What follows from what a seat sees."""

    hidden: tuple[Card, ...]
    """Cards of the deck it does not see, canonical order."""
    beneath: int
    """How many of them lie beneath the discards it knows."""
    phase: Phase
    offender: Seat | None
    """Who may be challenged."""
    colour: Colour | None


def layout(seen: Seen, rules: Rules) -> Layout:
    """
    Return what follows from what a seat sees.

    Raises:
        PositionError: no table looks so.

    """
    try:
        validate(rules, len(seen.counts))
    except RulesError as error:
        raise PositionError(f"hands: {error.message}") from None
    phase = seen.phase or _phase(seen, rules)
    for faults in _CHECKS:
        for fault in faults(seen, rules, phase):
            raise PositionError(fault)
    hidden = Counter(tables(rules).deck)
    hidden.subtract((*seen.hand, *seen.discards))
    offender = _offender(seen) if phase is Phase.CHALLENGE else None
    return Layout(
        tuple(sorted(hidden.elements())),
        _beneath(seen, hidden.total()),
        phase,
        offender,
        _colour(seen),
    )


def _top(seen: Seen) -> Card:
    return seen.discards[-1]


def _colour(seen: Seen) -> Colour | None:
    return colour_of(_top(seen)) if seen.discards and seen.colour is None else seen.colour


def _phase(seen: Seen, rules: Rules) -> Phase:
    """Return what the table waits for, where the position does not say."""
    if seen.drawn is not None:
        return Phase.PLAY_OR_KEEP
    if not seen.pending:
        return Phase.PLAY
    doubted = seen.discards and _top(seen) == WILD_DRAW_FOUR and _challenged(rules)
    return Phase.CHALLENGE if doubted or seen.offender is not None else Phase.ANSWER_DRAW


def _challenged(rules: Rules) -> bool:
    """Tell whether wild draw fours can be challenged under these rules."""
    free = rules.wd4_legality is DrawFourLegality.FREE
    return not free and rules.wd4_enforcement is DrawFourEnforcement.CHALLENGE


def _plays(seen: Seen, seat: int) -> bool:
    return seen.active is None or seen.active[seat]


def _offender(seen: Seen) -> Seat:
    """Return who laid the wild draw four: the one before the seat that faces it."""
    if seen.offender is not None:
        return seen.offender
    seats = len(seen.counts)
    before = (seen.turn - seen.direction) % seats
    while not _plays(seen, before):
        before = (before - seen.direction) % seats
    return Seat(before)


def _beneath(seen: Seen, unseen: int) -> int:
    """Return how many cards lie beneath the known discards; checked before."""
    if seen.beneath is not None:
        return seen.beneath
    if seen.draw is None:
        return 0
    return unseen - _held(seen) - seen.draw


def _held(seen: Seen) -> int:
    """Return how many cards others hold."""
    return sum(seen.counts) - len(seen.hand)


def _seat_faults(seen: Seen, _rules: Rules, _phase: Phase) -> Iterator[str]:
    seats = len(seen.counts)
    one_a_seat = {
        "called": seen.called,
        "caught": seen.caught,
        "active": seen.active,
        "skip": seen.skip,
        "totals": seen.totals,
        "duty": seen.duty,
        "raised": seen.raised,
    }
    for name, values in one_a_seat.items():
        if values is not None and len(values) != seats:
            yield f"{name} must have {seats} values, one for each seat"
    single = {
        "turn": seen.turn,
        "dealer": seen.dealer,
        "offence": seen.offender,
        "credit": seen.credit,
        "laid_by": seen.laid_by,
        "group": seen.group,
    }
    for name, seat in single.items():
        if seat is not None and seat >= seats:
            yield f"{name} must be a seat of the table, 0 to {seats - 1}"


def _card_faults(seen: Seen, rules: Rules, _phase: Phase) -> Iterator[str]:
    deck = Counter(tables(rules).deck)
    for card, count in Counter((*seen.hand, *seen.discards)).items():
        if count > deck[card]:
            yield (
                f"hand and discards show {count} of {format_card(card)}, "
                f"but the deck of these rules has {deck[card]}"
            )
    total = deck.total()
    shown = sum(seen.counts) + len(seen.discards)
    counted = shown + (seen.beneath or 0) + (seen.draw or 0)
    if counted > total:
        yield f"hands and piles have {counted} cards, but the deck of these rules has {total}"
    if None not in (seen.beneath, seen.draw) and counted < total:
        yield f"hands and piles have {counted} cards, but the deck of these rules has {total}"


def _may_be_dealt_more(rules: Rules) -> bool:
    """Tell whether hands reach the limit of mercy without a draw, which alone knocks out (S12)."""
    keeps = rules.shuffle_pool is ShufflePool.OTHERS_ONLY
    return keeps and SHUFFLE_HANDS in tables(rules).deck


def _hand_faults(seen: Seen, rules: Rules, phase: Phase) -> Iterator[str]:
    if phase not in RUNNING:
        return
    for seat, count in enumerate(seen.counts):
        if _plays(seen, seat) != bool(count):
            yield f"seat {seat} must hold a card if it is active in the round, else none"
        if count >= tables(rules).mercy_limit and not _may_be_dealt_more(rules):
            yield f"seat {seat} cannot hold so many cards: {rules.mercy_limit} knock it out"
    if not _plays(seen, seen.turn):
        yield "turn must be a seat that is active in the round"
    owing = seen.duty or ()
    if any(owes and count != 1 for owes, count in zip(owing, seen.counts, strict=False)):
        yield "duty: only a seat that holds one card has a call to make"
    if any(owes >= seen.serial for owes in owing if owes):
        yield "duty: the turns must be earlier than serial, the number of this turn"
    if any(c and count != 1 for c, count in zip(seen.called or (), seen.counts, strict=False)):
        yield "called: only a seat that holds one card has called UNO"


def _pile_faults(seen: Seen, _rules: Rules, phase: Phase) -> Iterator[str]:
    if phase is Phase.NOT_STARTED:
        return
    if not seen.discards:
        yield "discards must hold the top card"
        return
    printed = colour_of(_top(seen))
    if printed is None and seen.colour is None and phase is not Phase.CHOOSE_COLOUR:
        yield "colour must be the one that was named for the wild on top"
    if printed is not None and seen.colour not in (None, printed):
        yield "colour must be that of the top card"


def _drawn_faults(seen: Seen, _rules: Rules, phase: Phase) -> Iterator[str]:
    deciding = phase is Phase.PLAY_OR_KEEP
    if seen.drawn is not None and not deciding:
        yield "drawn goes with phase play_or_keep"
    if seen.drawn is not None and seen.turn != seen.seat:
        yield "drawn is known to the seat on turn alone; leave it out"
    if seen.drawn is not None and seen.drawn not in seen.hand:
        yield "drawn must be a card of the asker's hand"
    if deciding and seen.turn == seen.seat and seen.drawn is None:
        yield "phase play_or_keep needs drawn, the card that was drawn"


def _debt_faults(seen: Seen, rules: Rules, phase: Phase) -> Iterator[str]:
    facing = phase in (Phase.ANSWER_DRAW, Phase.CHALLENGE)
    if facing != bool(seen.pending):
        yield "pending must be the cards demanded in phase answer_draw or challenge, else 0"
    least = tables(rules).draws[_top(seen)] if seen.discards else 0
    if seen.pending and (not least or seen.pending < least):
        yield "pending needs a draw card on top, and at least what that card demands"
    if phase is Phase.CHALLENGE and not (_top(seen) == WILD_DRAW_FOUR and _challenged(rules)):
        yield "offence and phase challenge need a wild draw four on top and rules with a challenge"
    if seen.offender is not None and (phase is not Phase.CHALLENGE or seen.offender == seen.turn):
        yield "offence must be another seat than that on turn, which may challenge it"


def _rest_faults(seen: Seen, rules: Rules, phase: Phase) -> Iterator[str]:
    if phase in (Phase.CHOOSE_CARD, Phase.DARE, Phase.VOTE):
        yield "what a custom rule asks for, the text on its card decides; a position cannot show it"
    if seen.laid_by is not None and rules.jump_in is JumpInMode.OFF:
        yield "laid_by goes with the option jump_in=identical"
    if seen.laid_by is not None and (not seen.discards or _top(seen) >= FIRST_WILD):
        yield "laid_by needs a coloured card on top"


_CHECKS: Final[tuple[Callable[[Seen, Rules, Phase], Iterator[str]], ...]] = (
    _seat_faults,
    _card_faults,
    _hand_faults,
    _pile_faults,
    _drawn_faults,
    _debt_faults,
    _rest_faults,
)
"""In this order, since later ones rely on earlier ones."""
