"""
Who plays while servers die? Simple bots over gRPC that note everything they send, see and are told.

A bot plays all seats of one key over a link (a Play stream) to each address. It answers a turn once
by the first card that may be laid, and says the same again on every link that comes back, until it
is acknowledged or refused.
"""

import asyncio
import contextlib
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, Protocol

import grpc

from lastcard.v1 import error_reason_pb2, event_pb2, play_service_pb2, turn_pb2
from lastcard.v1.play_service_pb2_grpc import PlayServiceStub
from lastcard_server.matches.history import HistorySeal
from lastcard_server.secrets import ServerKeys
from tests.faults.records import Acknowledged, Question, Read, Records, Sent

OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 50),
    ("grpc.enable_retries", 0),
    ("grpc.max_receive_message_length", -1),
)
"""A link looks for a server that comes back many times a second."""
CALL_SECONDS: Final = 5.0
_BACK_SECONDS: Final = 0.02
_READ_SECONDS: Final = 0.005
_DONE_KEPT: Final = 200
_MOST_ASKED: Final = 1_000
AS_THEY_HAPPEN: Final = play_service_pb2.EVENT_DELIVERY_AS_THEY_HAPPEN
NEVER: Final = play_service_pb2.EVENT_DELIVERY_NEVER


def metadata(key: str) -> tuple[tuple[str, str], ...]:
    """Return what carries a credential."""
    return (("authorization", f"Bearer {key}"),)


def channel_to(address: str, *more: tuple[str, int]) -> grpc.aio.Channel:
    """Open a channel that is shared with nobody."""
    return grpc.aio.insecure_channel(address, options=(*OPTIONS, *more))


def reason_of(error: error_reason_pb2.ErrorDetail) -> str:
    """Return a reason as the server names it."""
    return error_reason_pb2.ErrorReason.Name(error.reason).removeprefix("ERROR_REASON_").lower()


class Notes:
    """Writes what messages say into the records of a run, histories opened."""

    def __init__(self, records: Records, keys: ServerKeys) -> None:
        self.records = records
        self._seal = HistorySeal(keys.history_key(), 0)

    def see(self, match_id: str, token: bytes) -> int:
        """Note the head that a history names; return its version, 0 where there is none."""
        version, chain = self.opened(match_id, token)
        if version:
            self.records.see(match_id, version, chain)
        return version

    def opened(self, match_id: str, token: bytes) -> tuple[int, bytes]:
        """Return version and chain hash of the head that a history names; 0 where there is none."""
        return self._seal.open(match_id, token) or (0, b"")

    def accepted(self, accepted: turn_pb2.Accepted, received_ns: int) -> Question:
        """Note an acknowledgement."""
        question = Question(accepted.match_id, accepted.seat, accepted.turn)
        self.see(accepted.match_id, accepted.history)
        done = Acknowledged(question, accepted.version, received_ns)
        self.records.acknowledged.append(done)
        return question

    def refused(self, refused: turn_pb2.Refused) -> Question:
        """Note a refusal, and that a loss was told."""
        question = Question(refused.match_id, refused.seat, refused.turn)
        reason = reason_of(refused.error)
        self.records.refused[reason] += 1
        if reason == "history_lost":
            self.records.told.add(refused.match_id)
        elif reason == "turn_timed_out":
            self.records.timed_out.append(question)
        else:
            self.see(refused.match_id, refused.history)
        return question

    def over(self, over: turn_pb2.MatchOver) -> None:
        """Note the end of a match."""
        reason = event_pb2.MatchEndReason.Name(over.result.reason)
        self.records.over[over.match_id] = reason.removeprefix("MATCH_END_REASON_").lower()
        if self.records.over[over.match_id] == "frozen":
            self.records.told.add(over.match_id)


def chosen(turn: turn_pb2.Turn) -> int:
    """Return the choice of a simple bot: the first card if it may be laid, else the default."""
    first = turn.legal_actions[0]
    return 0 if first.lawful and first.action.HasField("play_card") else turn.default_choice


class Bot:
    """
    A player of one key.

    Args:
        name: of its instances.
        key: its API key.
        notes: where it writes.
        delivery: which events it asks for.
        copies: how many times an answer is sent at once, on links by chance.
        dice: what chance is.

    Attributes:
        waiting: answers that are neither acknowledged nor refused.
        done: the latest that were acknowledged.
        matches: matches it was asked in that are not known to be over.
        newest: the newest history it has of a match, with the version it names.
        on_over: called with each match that is over.

    """

    def __init__(
        self,
        name: str,
        key: str,
        notes: Notes,
        *,
        delivery: play_service_pb2.EventDelivery = NEVER,
        copies: Callable[[], int] = lambda: 1,
        dice: random.Random | None = None,
    ) -> None:
        self.name = name
        self.key = key
        self.notes = notes
        self.delivery = delivery
        self.waiting: dict[Question, turn_pb2.Answer] = {}
        self.done: deque[turn_pb2.Answer] = deque(maxlen=_DONE_KEPT)
        self.matches: dict[str, None] = {}
        self.newest: dict[str, tuple[int, bytes]] = {}
        self.links: list[Link] = []
        self.on_over: Callable[[str], None] = lambda _match_id: None
        self._copies = copies
        self._dice = dice or random.Random(0)

    @property
    def live(self) -> list[str]:
        """Return matches of which no end is known."""
        return list(self.matches)

    def link(self, address: str) -> "Link":
        """Add a link to a server; its `run` plays."""
        link = Link(self, address, f"{self.name}-{len(self.links)}")
        self.links.append(link)
        return link

    def take(self, link: "Link", response: play_service_pb2.PlayResponse, now_ns: int) -> None:
        """Note what a message says and answer its turns."""
        for turn in response.turns:
            self._hold(turn)
            self._answer(link, turn)
        for accepted in response.accepted:
            self._hold(accepted)
            question = self.notes.accepted(accepted, now_ns)
            answer = self.waiting.pop(question, None)
            if answer is not None:
                self.done.append(answer)
                records = self.notes.records
                records.served[link.address].append(records.sent[question].first_ns)
        for refused in response.refused:
            question = self.notes.refused(refused)
            if reason_of(refused.error) not in {"store_unavailable", "draining"}:
                self.waiting.pop(question, None)
        for update in response.updates:
            self._hold(update)
            link.follow(update)
        for over in response.matches_over:
            self.notes.over(over)
            self.matches.pop(over.match_id, None)
            self.on_over(over.match_id)

    def _hold(self, message: turn_pb2.Turn | turn_pb2.Accepted | turn_pb2.Update) -> None:
        """Hold the newest history that was seen of a match, also once that is over."""
        version = self.notes.see(message.match_id, message.history)
        if version >= self.newest.get(message.match_id, (0, b""))[0]:
            self.newest[message.match_id] = version, message.history

    def _answer(self, link: "Link", turn: turn_pb2.Turn) -> None:
        """Answer a turn, or say again what was answered."""
        question = Question(turn.match_id, turn.seat, turn.turn)
        records, answer = self.notes.records, self.waiting.get(question)
        if turn.match_id not in records.over:
            self.matches[turn.match_id] = None
        if answer is None:
            choice = records.sent[question].choice if question in records.sent else chosen(turn)
            answer = turn_pb2.Answer(
                match_id=turn.match_id,
                seat=turn.seat,
                turn=turn.turn,
                choice=choice,
                uno=True,
                history=self.newest[turn.match_id][1],
            )
            self.waiting[question] = answer
        self.send(link, question, answer)

    def send(self, link: "Link", question: Question, answer: turn_pb2.Answer) -> None:
        """Send an answer on the link its turn came on, copies of it on any."""
        sent = self.notes.records.sent
        if question not in sent:
            knew = self.notes.opened(answer.match_id, answer.history)
            sent[question] = Sent(answer.choice, answer.uno, time.monotonic_ns(), knew)
        link.put(answer)
        for _ in range(self._copies() - 1):
            self._dice.choice(self.links).put(answer)


class Link:
    """A Play stream of a bot to one server, opened again whenever it ends."""

    def __init__(self, bot: Bot, address: str, instance: str) -> None:
        self.bot = bot
        self.address = address
        self.awake = asyncio.Event()
        """It reads only while this is set."""
        self.awake.set()
        self._instance = instance
        self._pending: list[turn_pb2.Answer] = []
        self._wake = asyncio.Event()
        self._held: dict[tuple[str, int], int] = {}

    def put(self, answer: turn_pb2.Answer) -> None:
        """Send an answer soon."""
        self._pending.append(answer)
        self._wake.set()

    def follow(self, update: turn_pb2.Update) -> None:
        """Note an update; one with events must follow what was held."""
        place = update.match_id, update.seat
        held = self._held.get(place)
        if held is not None and update.after and update.after != held:
            text = f"{update.match_id}: an update follows {update.after}, {held} was held"
            self.bot.notes.records.unchained.append(text)
        self._held[place] = update.version

    async def run(self) -> None:
        """Play until cancelled, over one stream after another."""
        while True:
            async with channel_to(self.address) as channel:
                with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    await self._play(PlayServiceStub(channel))
            await asyncio.sleep(_BACK_SECONDS)

    async def _play(self, stub: Any) -> None:
        call = stub.Play(metadata=metadata(self.bot.key), wait_for_ready=False)
        hello = play_service_pb2.Hello(
            instance=self._instance,
            event_delivery=self.bot.delivery,
            match_ids=list(self.bot.matches)[-_MOST_ASKED:],
        )
        self._held.clear()
        writer = None
        try:
            await call.write(play_service_pb2.PlayRequest(hello=hello))
            self._pending = list(self.bot.waiting.values())
            self._wake.set()
            writer = asyncio.create_task(self._write(call))
            while (response := await call.read()) is not grpc.aio.EOF:
                self.bot.take(self, response, time.monotonic_ns())
                await self.awake.wait()
        finally:
            call.cancel()
            if writer is not None:
                writer.cancel()
                await asyncio.wait([writer])

    async def _write(self, call: Any) -> None:
        """Send what is pending, all of it in one message."""
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._wake.wait()
                self._wake.clear()
                pending, self._pending = self._pending[:256], self._pending[256:]
                if self._pending:
                    self._wake.set()
                if pending:
                    await call.write(play_service_pb2.PlayRequest(answers=pending))


class Reader(Protocol):
    """Whoever asks for views of its matches."""

    key: str
    notes: Notes

    @property
    def live(self) -> list[str]:
        """Return matches of which no end is known."""


async def reading(
    address: str, bots: Sequence[Reader], dice: random.Random, pause: float = _READ_SECONDS
) -> None:
    """Ask for views of live matches, one after another, until cancelled; note what they show."""
    while True:
        async with channel_to(address) as channel:
            stub: Any = PlayServiceStub(channel)
            with contextlib.suppress(grpc.aio.AioRpcError):
                while True:
                    bot = dice.choice(bots)
                    if live := bot.live:
                        await _read(stub, dice.choice(live), bot)
                    await asyncio.sleep(pause)
        await asyncio.sleep(_BACK_SECONDS)


async def _read(stub: Any, match_id: str, bot: Reader) -> None:
    began_ns = time.monotonic_ns()
    request = play_service_pb2.GetViewRequest(match_id=match_id)
    view = await stub.GetView(request, metadata=metadata(bot.key), timeout=CALL_SECONDS)
    bot.notes.see(match_id, view.history)
    bot.notes.records.reads.append(Read(match_id, view.version, began_ns, time.monotonic_ns()))


async def until_served(call: Callable[[], Awaitable[Any]], seconds: float = 30.0) -> Any:
    """Make a call again and again until it is served; for calls that may be repeated."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                if error.code() not in _PASSING:
                    raise
                await asyncio.sleep(_BACK_SECONDS)


_PASSING: Final = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
}


async def ended(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for their end; raise what one of them has raised."""
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
