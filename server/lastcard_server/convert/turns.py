"""
Turns, updates and results of matches, as the bytes that streams and responses hold.

Made while a match stands at the version that is told; whatever a seat may not see has no way in, as
cards come from the engine's views and events alone.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from lastcard.v1 import play_service_pb2 as play
from lastcard.v1 import turn_pb2 as pb
from lastcard_engine.actions import Play
from lastcard_engine.cards import WILD_DRAW_FOUR, Seat
from lastcard_engine.rules import Rules
from lastcard_engine.state import State
from lastcard_engine.transition import is_bluff
from lastcard_engine.views import table_view, view
from lastcard_server.convert.actions import bluff_bytes, legal_bytes
from lastcard_server.convert.events import event_bodies
from lastcard_server.convert.matches import result_message
from lastcard_server.convert.rules import rules_message
from lastcard_server.convert.times import duration, timestamp_bytes
from lastcard_server.convert.views import NOT_STARTED, seat_bytes, table_bytes
from lastcard_server.fragments import Kept, framing, heads, numbers
from lastcard_server.matches.match import Match, Result
from lastcard_server.matches.news import Update
from lastcard_server.matches.turns import OpenTurn, TurnKind

_SEATS: Final = 10
_MATCH_HEAD: Final = heads(pb.Turn, "match_id")
_SEAT: Final = tuple(pb.Turn(seat=seat).SerializeToString() for seat in range(_SEATS))
_TURN: Final = numbers(pb.Turn, "turn")
_KIND: Final = {
    kind: pb.Turn(kind=f"TURN_KIND_{kind.name}").SerializeToString() for kind in TurnKind
}
_READY: Final = TurnKind.READY  # looking a member up in its enum is slow
_VIEW_HEAD: Final = heads(pb.Turn, "view")
_DEFAULT: Final = numbers(pb.Turn, "default_choice")
_HISTORY_HEAD: Final = heads(pb.Turn, "history")
_EVENT: Final = framing(pb.Turn, "events")
_NAME: Final = framing(pb.Turn, "seat_names")
_DEADLINE_HEAD: Final = framing(pb.Turn, "deadline_time")


def _deadline(time_ms: int) -> bytes:
    return _DEADLINE_HEAD(timestamp_bytes(time_ms * 1_000))


def _bank(ms: int) -> bytes:
    return pb.Turn(bank_duration=duration(ms)).SerializeToString()


def _last_answer(ms: int | None) -> bytes:
    return b"" if ms is None else pb.Turn(last_answer_duration=duration(ms)).SerializeToString()


# Turns that open together share most of what stands around their views.
_DEADLINE: Final = Kept(_deadline, 1_024)
_BANK: Final = Kept(_bank, 1_024)
_LAST_ANSWER: Final = Kept(_last_answer, 1_024)


def turn_bytes(match: Match, turn: OpenTurn, *, with_view: bool = True) -> bytes:
    """Return an open turn, with what the seat may know of the match, as the bytes of a Turn."""
    match_id, history = match.match_id.encode(), match.history()
    parts = legal_bytes(turn.actions)
    parts += (
        *_shown(match, turn, parts, with_view=with_view),
        _MATCH_HEAD[len(match_id)],
        match_id,
        _SEAT[turn.seat],
        _TURN[turn.turn],
        _KIND[turn.kind],
        _DEFAULT[turn.default_choice],
        _DEADLINE[turn.deadline_us // 1_000],
        _BANK[turn.bank_ms],
        _LAST_ANSWER[turn.last_answer_ms],
        _HISTORY_HEAD[len(history)],
        history,
    )
    return b"".join(parts)


def _shown(
    match: Match, turn: OpenTurn, offered: list[bytes], *, with_view: bool
) -> Sequence[bytes]:
    """Return the view, and mark bluffs among the offers; a ready turn has the names instead."""
    state = match.state
    if state is None or turn.kind is _READY:
        return [_NAME(seat.name.encode()) for seat in match.seats]
    seen = view(state, Seat(turn.seat))
    if WILD_DRAW_FOUR in seen.hand:
        _mark_bluffs(state, turn, offered)
    if not with_view:
        return ()
    body = seat_bytes(seen)
    return _VIEW_HEAD[len(body)], body


def _mark_bluffs(state: State, turn: OpenTurn, bodies: list[bytes]) -> None:
    """Let unlawful wild draw fours carry that flag; all of them are unlawful, or none."""
    fours = [
        (number, action)
        for number, action in enumerate(turn.actions)
        if isinstance(action, Play) and action.card == WILD_DRAW_FOUR
    ]
    if fours and is_bluff(state, Seat(turn.seat), fours[0][1]):
        for number, action in fours:
            bodies[number] = bluff_bytes(action)


def _rules(rules: Rules) -> bytes:
    return pb.Turn(rules=rules_message(rules)).SerializeToString()


_RULES: Final = Kept(_rules, 256)


def with_story(turn: bytes, rules: Rules, events: Iterable[bytes]) -> bytes:
    """Return a turn with the rules in force and what happened since the seat's last one."""
    return b"".join((turn, _RULES[rules], *map(_EVENT, events)))


_SeatOrTable = int | None


def update_bytes(match: Match, update: Update, viewer: _SeatOrTable) -> bytes:
    """Return what happened, with the view it leads to, as the bytes of an Update."""
    return _update(match, viewer, event_bodies(match, update.events, viewer), update.after)


def full_view_bytes(match: Match, viewer: _SeatOrTable) -> bytes:
    """Return a full view that continues nothing as the bytes of an Update."""
    return _update(match, viewer, [], 0)


_UPDATE_EVENT: Final = framing(pb.Update, "events")
_SEAT_VIEW: Final = framing(pb.Update, "seat_view")
_TABLE_VIEW: Final = framing(pb.Update, "table_view")


def _update(match: Match, viewer: _SeatOrTable, events: list[bytes], after: int) -> bytes:
    head = pb.Update(
        match_id=match.match_id,
        seat=viewer,
        after=after,
        version=match.shown_version,
        history=match.history(),
        window=match.window,
    )
    return b"".join(
        (head.SerializeToString(), *map(_UPDATE_EVENT, events), _view_of(match, viewer))
    )


def _view_of(match: Match, viewer: _SeatOrTable) -> bytes:
    if viewer is None:
        return _TABLE_VIEW(NOT_STARTED if match.state is None else _table(match.state))
    return b"" if match.state is None else _SEAT_VIEW(seat_bytes(view(match.state, Seat(viewer))))


def _table(state: State) -> bytes:
    return table_bytes(table_view(state))


def over_bytes(match: Match) -> bytes:
    """Return the end of a match as the bytes of a MatchOver."""
    result = None if match.result is None else result_message(match.result)
    return pb.MatchOver(match_id=match.match_id, result=result).SerializeToString()


def lost_bytes(match_id: str) -> bytes:
    """Return the end of a match that the store does not hold as the bytes of a MatchOver."""
    result = result_message(Result("frozen", (), (), ()))
    return pb.MatchOver(match_id=match_id, result=result).SerializeToString()


_OWN_VIEW: Final = framing(play.GetViewResponse, "view")
_OPEN_TURN: Final = framing(play.GetViewResponse, "open_turn")


def seat_view_response(match: Match, seat: int) -> bytes:
    """Return what a seat may know now as the bytes of a GetViewResponse."""
    turn = match.turns.get(seat)
    head = play.GetViewResponse(
        version=match.shown_version,
        window=match.window,
        history=match.history(),
        result=None if match.result is None else result_message(match.result),
        has_answered=match.seats[seat].answered.in_the_game(),
    )
    return b"".join(
        (
            head.SerializeToString(),
            b"" if match.state is None else _OWN_VIEW(seat_bytes(view(match.state, Seat(seat)))),
            b"" if turn is None else _OPEN_TURN(turn_bytes(match, turn, with_view=False)),
        )
    )
