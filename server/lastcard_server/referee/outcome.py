"""
What does an act lead to, in one sentence?

The sentence is made of what the engine says has happened, as the asker may see it. Events that are
but a part of another one, such as the laying of the card itself, are not told.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from lastcard_engine import custom_events as custom
from lastcard_engine import events as ev
from lastcard_engine.cards import COLOURS, Seat
from lastcard_engine.events import DrawCause, Event, RoundEnd
from lastcard_engine.rules import DrawMode
from lastcard_engine.state import Phase, State
from lastcard_engine.views import redact

_COLOURS: Final = dict(zip(COLOURS, ("red", "yellow", "green", "blue"), strict=True))
_UNCOUNTED: Final = {
    DrawCause.ROULETTE: "until the colour comes",
    DrawCause.CUSTOM_RULE: "what the custom rule says",
}
"""Draws whose number depends on cards that nobody knows."""


_CREDIT: Final = "the call counts if a card of this turn leaves you with one"


def tell(after: State, asker: Seat, happened: list[Event]) -> str:
    """Return what an act has led to: a sentence without capital and full stop."""
    if not happened:
        return _CREDIT if after.credit == asker else "nothing changes"
    told = _Told(after, asker)
    parts = told.parts([redact(event, asker) for event in happened])
    if after.running and (then := _next(told)):
        parts.append(f"then {then}" if parts else then)
    return (", ".join(parts) or "nothing changes") + (_owed(told) if after.running else "")


class _Told(NamedTuple):
    """To whom something is told, and how the table stands then."""

    after: State
    asker: Seat

    def parts(self, seen: list[Event]) -> list[str]:
        """Return what the events add; a turn lost to a draw is told with it."""
        found: list[str] = []
        drawer: Seat | None = None
        for event in seen:
            if isinstance(event, ev.SeatSkipped) and event.seat == drawer:
                found[-1] += f" and lose{'s' * (drawer != self.asker)} the turn"
            elif part := SAYS[type(event)](self, event):
                found.append(part)
            drawer = event.seat if isinstance(event, ev.CardsDrawn) else None
        return found

    def does(self, seat: Seat, verb: str, rest: str) -> str:
        """Return `you draw 4` or `seat 1 draws 4`."""
        return f"you {verb} {rest}" if seat == self.asker else f"seat {seat} {verb}s {rest}"

    def name(self, seat: Seat) -> str:
        """Return `you` or `seat 1`."""
        return "you" if seat == self.asker else f"seat {seat}"

    def is_(self, seat: Seat, what: str) -> str:
        """Return `you are caught` or `seat 1 is caught`."""
        return f"{self.name(seat)} {'are' if seat == self.asker else 'is'} {what}"


def _next(told: _Told) -> str:
    """Say who is to act now, and what is asked."""
    turn, phase = told.after.turn, told.after.phase
    if phase is Phase.PLAY_OR_KEEP and turn == told.asker:
        keep = "must lay it" if told.after.tables.must_play else "may lay it or keep it"
        return f"you {keep} if it fits"
    if phase is Phase.CHOOSE_COLOUR:
        return told.does(turn, "name", "the colour")
    if phase is Phase.CHOOSE_TARGET:
        return told.does(turn, "name", "the seat to swap with")
    if phase in (Phase.KEEP_CARD, Phase.CHOOSE_CARD):
        return told.does(turn, "choose", "cards")
    if phase in (Phase.CHALLENGE, Phase.ANSWER_DRAW, Phase.DARE, Phase.VOTE):
        return ""
    return "it is your turn" if turn == told.asker else f"seat {turn} is next"


def _owed(told: _Told) -> str:
    """Warn of a call that has just been forgotten."""
    opened, cards = told.after.duty[told.asker], told.after.rules.uno_penalty_cards
    if not cards or not opened or opened != told.after.serial - 1:
        return ""
    return f"; you have not called UNO, which costs {cards} if somebody notices in time"


def _drawn(told: _Told, event: ev.CardsDrawn) -> str:
    number = _UNCOUNTED.get(event.cause, str(event.count))
    if event.cause is DrawCause.TURN and told.after.rules.draw_mode is DrawMode.UNTIL_PLAYABLE:
        number = "until a card fits"
    return told.does(
        event.seat, "draw", number if event.count else "nothing, for the piles are empty"
    )


def _skipped(told: _Told, event: ev.SeatSkipped) -> str:
    return told.does(event.seat, "lose", "the turn")


def _laid(told: _Told, event: ev.CardPlayed) -> str:
    if event.colour is None or not told.after.tables.names_colour[event.card]:
        return ""
    return f"{_COLOURS[event.colour]} is the colour"


def _demanded(told: _Told, event: ev.DrawDemanded) -> str:
    must = told.does(event.seat, "draw", str(event.count))
    return f"{must} unless an answer is laid on it"


def _challenged(told: _Told, event: ev.ChallengeOpened) -> str:
    answers = any(told.after.tables.answers[told.after.discards[-1]])
    must = told.does(event.seat, "draw", str(event.count))
    return f"{must} unless there is a challenge{' or an answer' if answers else ''}"


def _ended(told: _Told, event: ev.RoundEnded) -> str:
    if event.reason in (RoundEnd.BLOCKED, RoundEnd.ACTION_CAP):
        return "the round ends without anybody going out"
    winners = " and ".join(told.name(seat) for seat in event.winners)
    return f"{winners} {'win' if 'you' in winners or 'and' in winners else 'wins'} the round"


def _guilty(told: _Told, event: ev.ChallengeResolved) -> str:
    lawful = f"{'un' * event.guilty}lawful"
    return f"if the wild draw four of {told.name(event.offender)} was {lawful}"


def _untold(_told: _Told, _event: Event) -> str:
    return ""


SAYS: Final[Mapping[type, Callable[[_Told, Any], str]]] = {
    ev.CardPlayed: _laid,
    ev.CardsDrawn: _drawn,
    ev.SeatSkipped: _skipped,
    ev.DrawDemanded: _demanded,
    ev.ChallengeOpened: _challenged,
    ev.ChallengeResolved: _guilty,
    ev.RoundEnded: _ended,
    ev.CardsDiscarded: lambda told, e: told.does(e.seat, "lay", "out cards with it"),
    ev.CardKept: lambda told, e: told.does(e.seat, "keep", "the card"),
    ev.ColourChosen: lambda _told, e: f"{_COLOURS[e.colour]} is the colour",
    ev.DirectionReversed: lambda _told, e: (
        f"play turns {'' if e.direction > 0 else 'counter-'}clockwise"
    ),
    ev.HandShown: _untold,
    ev.HandsShuffled: lambda _told, _e: "all hands are shuffled and dealt again",
    ev.HandsSwapped: lambda told, e: told.does(e.seat, "swap", f"hands with {told.name(e.target)}"),
    ev.HandsRotated: lambda _told, _e: "every hand is passed on in the direction of play",
    ev.UnoCalled: lambda told, e: told.does(e.seat, "call", "UNO"),
    ev.UnoCaught: lambda told, e: told.is_(e.target, "caught"),
    ev.TurnBegun: lambda told, e: told.does(e.seat, "begin", "the turn"),
    ev.SeatKnockedOut: lambda told, e: told.is_(e.seat, "out of the round"),
    ev.SeatForfeited: lambda told, e: told.does(e.seat, "leave", "the match"),
    ev.DefaultTaken: _untold,
    ev.HandReceived: _untold,
    ev.DeckReshuffled: lambda _told, _e: "the discards but the top one become the draw pile",
    ev.MatchEnded: _untold,
    ev.RoundStarted: _untold,
    ev.DealerDrawn: _untold,
    ev.DealerChosen: _untold,
    ev.CardsDealt: _untold,
    ev.StartCardRejected: _untold,
    ev.StartCardTurned: _untold,
    custom.HandsOpened: lambda _told, _e: "hands lie open",
    custom.DrawRaised: lambda told, e: (
        f"{told.name(e.seat)} may have to draw {e.count} on the next turn"
    ),
    custom.Dared: lambda told, e: told.is_(e.seat, "dared"),
    custom.DareAnswered: lambda told, e: told.does(e.seat, "answer", "the dare"),
    custom.VoteOpened: lambda _told, _e: "the others vote",
    custom.VoteCounted: lambda _told, e: f"the vote is {'carried' if e.carried else 'lost'}",
    custom.Restricted: lambda told, e: told.does(e.seat, "keep", "to the custom rule"),
    custom.RestrictionsLifted: lambda _told, _e: "nobody keeps to a custom rule any more",
}
"""How each event is told; none is missing."""
