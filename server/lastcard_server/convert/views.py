"""
What does a seat, or the table, see? Views of the engine as the bytes of SeatView and TableView.

Built for nearly every turn: each field comes from a table made at start-up, and what is joined is
the engine's view and nothing else, so that no secret can slip in beside it.
"""

from collections.abc import Iterable
from typing import Final

from lastcard.v1.view_pb2 import Direction, PlayerState
from lastcard.v1.view_pb2 import SeatView as SeatMessage
from lastcard.v1.view_pb2 import TableView as TableMessage
from lastcard_engine.cards import COLOURS
from lastcard_engine.state import Phase
from lastcard_engine.views import SeatView, TableView
from lastcard_server.convert.cards import CARD_BYTES, colour_name
from lastcard_server.convert.custom import custom_bytes, open_hand_bytes
from lastcard_server.fragments import Kept, framing, heads, numbers

_SEATS: Final = 10


def _table(**fields: object) -> bytes:
    return TableMessage(**fields).SerializeToString()  # type: ignore[arg-type]


_TABLE_HEAD: Final = heads(SeatMessage, "table")
_SEAT: Final = tuple(SeatMessage(seat=seat).SerializeToString() for seat in range(_SEATS))
_in_hand: Final = tuple(map(framing(SeatMessage, "hand"), CARD_BYTES)).__getitem__
_DRAWN: Final = tuple(map(framing(SeatMessage, "drawn_card"), CARD_BYTES))

_EFFECT: Final = frozenset({Phase.CHOOSE_CARD, Phase.DARE, Phase.KEEP_CARD, Phase.VOTE})
_PHASE: Final = {
    phase: _table(phase=f"PHASE_{'EFFECT' if phase in _EFFECT else phase.name}") for phase in Phase
}
_REACTION: Final = _table(phase="PHASE_REACTION")
_TURN: Final = {None: b""} | {seat: _table(turn_seat=seat) for seat in range(_SEATS)}
_DEALER: Final = {None: b""} | {seat: _table(dealer_seat=seat) for seat in range(_SEATS)}
_TOP: Final = {None: b""} | dict(enumerate(map(framing(TableMessage, "top_card"), CARD_BYTES)))
_COLOUR: Final = {None: b""} | {c: _table(colour=colour_name(c)) for c in COLOURS}
_DIRECTION: Final = {
    1: _table(direction=Direction.DIRECTION_CLOCKWISE),
    -1: _table(direction=Direction.DIRECTION_COUNTER_CLOCKWISE),
}
_ROUND: Final = numbers(TableMessage, "round_number")
_PENDING: Final = numbers(TableMessage, "pending_draw_count")
_DRAW_PILE: Final = numbers(TableMessage, "draw_pile_count")
_DISCARD_PILE: Final = numbers(TableMessage, "discard_pile_count")
_PLAYER: Final = framing(TableMessage, "players")

_PlayerKey = tuple[int, bool, bool, int, int, bool]


def _player_bytes(key: _PlayerKey) -> bytes:
    count, called, active, total, raised, is_open = key
    state = PlayerState(
        hand_count=count,
        called_uno=called,
        active=active,
        total_points=total,
        raised_draw_count=raised,
        hand_open=is_open,
    )
    return _PLAYER(state.SerializeToString())


_player: Final = Kept(_player_bytes, 4_096).__getitem__
"""What everybody sees of a seat, as an element of TableView.players."""


def table_bytes(view: TableView | SeatView) -> bytes:
    """Return what everybody at the table sees as the bytes of a TableView."""
    asking = (view.group is not None or view.window) and view.phase is not Phase.VOTE
    custom = view.custom
    return b"".join(
        (
            _ROUND[view.round_number],
            _REACTION if asking else _PHASE[view.phase],
            b"" if custom is None else custom_bytes(custom),
            _TURN[view.turn],
            _DEALER[view.dealer],
            _TOP[view.top],
            _COLOUR[view.colour],
            _DIRECTION[view.direction],
            _PENDING[view.pending],
            _DRAW_PILE[view.draw_count],
            _DISCARD_PILE[view.discard_count],
            *map(_player, _players(view)),
        )
    )


def _players(view: TableView | SeatView) -> Iterable[_PlayerKey]:
    """Return what everybody sees of the seats, in seat order."""
    custom = view.custom
    raised: Iterable[int] = _NONE_RAISED
    opened: Iterable[bool] = _NONE_OPEN
    if custom is not None:
        raised = custom.raised
        opened = [seat in custom.opened for seat in range(len(view.counts))]
    return zip(view.counts, view.called, view.active, view.totals, raised, opened, strict=False)


_NONE_RAISED: Final = (0,) * _SEATS
_NONE_OPEN: Final = (False,) * _SEATS


def seat_bytes(view: SeatView) -> bytes:
    """Return everything a seat may know as the bytes of a SeatView."""
    table = table_bytes(view)
    return b"".join(
        (
            _SEAT[view.seat],
            _TABLE_HEAD[len(table)],
            table,
            *map(_in_hand, view.hand),
            b"" if view.drawn is None else _DRAWN[view.drawn],
            open_hand_bytes(view) if view.open_hands else b"",
        )
    )


NOT_STARTED: Final = _table(phase="PHASE_NOT_STARTED")
"""What everybody sees before the first round, as the bytes of a TableView."""
