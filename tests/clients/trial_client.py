"""
Can a client be written from proto/ alone? This one uses the generated messages and nothing else.

It checks while it plays whatever the contract promises about turns, and keeps what it saw for the
tests. It shares no line with the SDK.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import grpc

from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import play_service_pb2_grpc as play_grpc
from lastcard.v1 import turn_pb2

SECONDS = 30
"""How long a message may be awaited before a test fails."""

Choose = Callable[[turn_pb2.Turn], int]
TurnId = tuple[str, int, int]


def lay_first(turn: turn_pb2.Turn) -> int:
    """Choose the first action that is no bluff: a play where there is one."""
    lawful = [number for number, legal in enumerate(turn.legal_actions) if legal.lawful]
    return lawful[0]


def id_of(named: Any) -> TurnId:
    """Return what names a turn, in a turn, an answer or its outcome alike."""
    return named.match_id, named.seat, named.turn


def bearer(key: str) -> tuple[tuple[str, str]]:
    """Return the metadata that carries a credential."""
    return (("authorization", f"Bearer {key}"),)


class Trial:
    """
    A client of PlayService.Play.

    Attributes:
        over: Results by match.
        delivered: How often each turn came.
        accepted: Versions by turn.
        refused: Refusals by turn.
        open: Turns delivered and not settled yet, by match and seat.
        batches: Turns a message.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        key: str,
        instance: str,
        *,
        choose: Choose = lay_first,
        max_open_turns: int = 0,
        event_delivery: play_pb2.EventDelivery = play_pb2.EVENT_DELIVERY_NEVER,
    ) -> None:
        self._stub = play_grpc.PlayServiceStub(channel)
        self._metadata = bearer(key)
        self._hello = play_pb2.Hello(
            instance=instance, max_open_turns=max_open_turns, event_delivery=event_delivery
        )
        self._choose = choose
        self.over: dict[str, Any] = {}
        self.delivered: Counter[TurnId] = Counter()
        self.accepted: dict[TurnId, turn_pb2.Accepted] = {}
        self.refused: dict[TurnId, turn_pb2.Refused] = {}
        self.unsettled: dict[TurnId, turn_pb2.Answer] = {}
        self.open: dict[str, dict[int, turn_pb2.Turn]] = defaultdict(dict)
        self.batches: list[int] = []
        self._asked: dict[tuple[str, int], int] = {}
        self._call: Any = None

    async def connect(self, answers: Iterable[turn_pb2.Answer] = ()) -> play_pb2.PlayResponse:
        """Open a stream, say hello and return the first message."""
        self._call = self._stub.Play(metadata=self._metadata)
        await self._call.write(play_pb2.PlayRequest(hello=self._hello, answers=answers))
        return await self.receive()

    async def receive(self) -> play_pb2.PlayResponse:
        """Return the next message, checked and noted; fields are taken in order of number."""
        async with asyncio.timeout(SECONDS):
            message = await self._call.read()
        assert isinstance(message, play_pb2.PlayResponse), await self._call.code()
        assert len(message.turns) <= 256
        for turn in message.turns:
            self._take(turn)
        self.batches.append(len(message.turns))
        for closed in message.closed_turns:
            self._settle(id_of(closed))
        for accepted in message.accepted:
            assert accepted.version >= 1
            self.accepted[id_of(accepted)] = accepted
            self._settle(id_of(accepted))
        for refused in message.refused:
            self.refused[id_of(refused)] = refused
            self._settle(id_of(refused))
        for end in message.matches_over:
            assert end.match_id not in self.over
            self.over[end.match_id] = end.result
        return message

    def answer(self, turn: turn_pb2.Turn, choice: int | None = None) -> turn_pb2.Answer:
        """Return an answer and remember it until it is settled."""
        choice = self._choose(turn) if choice is None else choice
        given = turn_pb2.Answer(
            match_id=turn.match_id,
            seat=turn.seat,
            turn=turn.turn,
            choice=choice,
            uno=turn.kind != turn_pb2.TURN_KIND_READY,
            history=turn.history,
        )
        self.unsettled[id_of(turn)] = given
        return given

    async def until(self, seen: Callable[[], bool]) -> None:
        """Receive until something was seen."""
        while not seen():
            await self.receive()

    def waiting(self, match_id: str) -> list[turn_pb2.Turn]:
        """Return the turns of a match that came and were not answered."""
        turns = self.open[match_id].values()
        return [turn for turn in turns if id_of(turn) not in self.unsettled]

    async def send(self, answers: Iterable[turn_pb2.Answer]) -> None:
        """Send answers in one message."""
        await self._call.write(play_pb2.PlayRequest(answers=answers))

    def cut(self) -> None:
        """Break the stream off as a lost connection would."""
        self._call.cancel()

    async def leave(self) -> grpc.StatusCode:
        """End the stream properly and return how the server ended it."""
        await self._call.done_writing()
        while await self._call.read() is not grpc.aio.EOF:
            pass
        status: grpc.StatusCode = await self._call.code()
        return status

    async def play(self, matches: Iterable[str], *partners: "Trial") -> None:
        """
        Play until it or a partner was told that all these matches are over.

        Answers that were not settled are sent again.
        """
        awaited = set(matches)
        message = await self.connect(self.unsettled.values())
        while True:
            asked = [turn for turn in message.turns if id_of(turn) not in self.unsettled]
            if asked:
                await self.send([self.answer(turn) for turn in asked])
            if awaited <= {*self.over}.union(*(partner.over for partner in partners)):
                return
            message = await self.receive()

    def _take(self, turn: turn_pb2.Turn) -> None:
        """Check what the contract promises about a turn, and note it."""
        self.delivered[id_of(turn)] += 1
        last = self._asked.get((turn.match_id, turn.seat), 0)
        assert turn.turn >= max(1, last), "questions to a seat only go forward"
        self._asked[turn.match_id, turn.seat] = turn.turn
        assert 0 <= turn.default_choice < len(turn.legal_actions)
        assert len({legal.SerializeToString() for legal in turn.legal_actions}) == len(
            turn.legal_actions
        )
        assert turn.history
        assert turn.HasField("deadline_time")
        if turn.kind == turn_pb2.TURN_KIND_READY:
            assert not turn.HasField("view")
        else:
            self._check_view(turn)
        self.open[turn.match_id][turn.seat] = turn

    def _check_view(self, turn: turn_pb2.Turn) -> None:
        """Check that a view fits its turn."""
        view = turn.view
        assert view.seat == turn.seat
        assert len(view.hand) == view.table.players[turn.seat].hand_count
        own = [(card.colour, card.face) for card in view.hand]
        assert own == sorted(own), "hands come in canonical order"
        if turn.kind != turn_pb2.TURN_KIND_REACTION:
            assert view.table.turn_seat == turn.seat

    def _settle(self, turn: TurnId) -> None:
        """Forget a turn that is not open any more."""
        self.unsettled.pop(turn, None)
        match_id, seat, number = turn
        opened = self.open[match_id].get(seat)
        if opened is not None and opened.turn == number:
            del self.open[match_id][seat]


def reserved(key_id: str, count: int) -> list[match_pb2.SeatSpec]:
    """Return seats that a key holds from the start."""
    seat = match_pb2.ReservedSeat(key_id=key_id)
    return [match_pb2.SeatSpec(reserved=seat) for _ in range(count)]
