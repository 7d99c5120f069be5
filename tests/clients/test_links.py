"""Does a player play with several servers as with one, while they come, go and repeat things?"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

import lastcard
from lastcard import connection as dialled
from lastcard import links
from lastcard.connection import Connection
from lastcard.player import Player
from lastcard.v1 import error_reason_pb2 as reasons
from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import match_service_pb2_grpc as match_grpc
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import turn_pb2
from tests.clients.fake_server import FakePlay, Stream, accepted, over, refused, serving, turn

Requests = Iterator[play_pb2.PlayRequest]
Responses = Iterator[play_pb2.PlayResponse]
NOBODY = "127.0.0.1:1"
SOON = 20.0


def choose(_: lastcard.Turn) -> int:
    """Choose the first action."""
    return 0


class Script:
    """A server whose one stream a test leads: what it says, and what it has heard."""

    def __init__(self) -> None:
        self.said: SimpleQueue[play_pb2.PlayResponse | None] = SimpleQueue()
        self.heard: SimpleQueue[play_pb2.PlayRequest] = SimpleQueue()
        self.is_left = threading.Event()

    def __call__(self, requests: Requests, context: Any) -> Responses:
        """Say what the test wants, until it wants the end or nobody listens."""
        context.add_callback(self.hangs_up)
        threading.Thread(target=self._hear, args=(requests,), daemon=True).start()
        yield play_pb2.PlayResponse()
        yield from iter(self.said.get, None)

    def _hear(self, requests: Requests) -> None:
        try:
            for request in requests:
                self.heard.put(request)
        except Exception:  # noqa: BLE001 - the library's word for a stream that is over
            self.is_left.set()
        else:
            self.is_left.set()

    def say(self, **fields: Any) -> None:
        """Say something."""
        self.said.put(play_pb2.PlayResponse(**fields))

    def hangs_up(self) -> None:
        """End the stream."""
        self.said.put(None)

    def hello(self) -> list[turn_pb2.Answer]:
        """Wait for the stream; return the answers that came with it."""
        request = self.heard.get(timeout=SOON)
        assert request.HasField("hello")
        return list(request.answers)

    def answers(self) -> list[turn_pb2.Answer]:
        """Wait for answers."""
        return list(self.heard.get(timeout=SOON).answers)


class Play:
    """A player at work in another thread."""

    def __init__(self, service: Connection, bot: lastcard.Bot = choose, **settings: Any) -> None:
        self.player = Player(bot, service, **settings)
        self.over: SimpleQueue[str] = SimpleQueue()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            for end in self.player.matches():
                self.over.put(end.match_id)
        except lastcard.Error as error:
            self.error = error

    def ends(self) -> None:
        """Wait until the play has ended by itself."""
        self._thread.join(SOON)
        assert not self._thread.is_alive()

    def stop(self) -> None:
        """End the play."""
        self.player.stop()
        self.ends()


def away(_: Requests, context: Any) -> Responses:
    """Answer as what stands between does where no server is."""
    context.abort(grpc.StatusCode.UNAVAILABLE, "")
    yield play_pb2.PlayResponse()


@contextmanager
def servers(*scripts: Stream) -> Iterator[Connection]:
    """Serve each script on an address of its own, all of one service."""
    with ExitStack() as stack:
        served = [stack.enter_context(serving(FakePlay(script))) for script in scripts]
        yield served[0]._replace(target=",".join(one.target for one in served))


def test_each_server_has_a_stream_and_gets_the_answers_to_its_turns() -> None:
    """All streams are of one instance; an answer goes back where its turn came from."""
    a, b = Script(), Script()
    hellos = []
    with servers(a, b) as service:
        play = Play(service, instance="i-1")
        hellos = [one.heard.get(timeout=SOON).hello.instance for one in (a, b)]
        for match_id, script in (("m", a), ("n", b), ("m2", a)):
            script.say(turns=[turn(1, match_id=match_id)])
            (answer,) = script.answers()
            assert answer.match_id == match_id
            script.say(accepted=[accepted(answer)], matches_over=[over(match_id)])
            assert play.over.get(timeout=SOON) == match_id
        play.stop()
    assert hellos == ["i-1", "i-1"]
    assert play.player.answered == 3
    assert play.error is None


def test_a_turn_told_twice_is_asked_once_and_an_end_yielded_once() -> None:
    """The bot is not asked again, neither before nor after the answer is accepted."""
    asked: list[int] = []

    def bot(turn: lastcard.Turn) -> int:
        asked.append(turn.message.turn)
        return 0

    a, b = Script(), Script()
    with servers(a, b) as service:
        play = Play(service, bot)
        a.hello(), b.hello()
        a.say(turns=[turn(7)])
        (answer,) = a.answers()
        b.say(turns=[turn(7)])
        assert b.answers() == [answer]  # where it was sent first, it may be stuck
        for script in (a, b):
            script.say(accepted=[accepted(answer)])
        for script in (a, b):
            script.say(turns=[turn(7)], matches_over=[over()])
        for script in (a, b):
            script.say(turns=[turn(9)])
            assert [late.turn for late in script.answers()] == [9]
        a.say(matches_over=[over("n")])
        assert [play.over.get(timeout=SOON) for _ in range(2)] == ["m", "n"]
        play.stop()
    assert asked == [7, 9]
    assert play.player.answered == 1
    assert play.over.empty()


def test_what_went_over_a_stream_that_ends_goes_over_another_at_once() -> None:
    """An answer that nobody has acknowledged does not wait until its server comes back."""
    a, b = Script(), Script()
    with servers(a, b) as service:
        play = Play(service)
        a.hello(), b.hello()
        a.say(turns=[turn(1), turn(2)])
        first, second = a.answers()
        a.say(accepted=[accepted(first)])
        a.hangs_up()
        assert b.answers() == [second]
        b.say(accepted=[accepted(second)], matches_over=[over()])
        assert play.over.get(timeout=SOON) == "m"
        play.stop()
    assert play.player.answered == 2


def test_what_one_server_cannot_store_is_said_to_another() -> None:
    """A refusal that passes ends no stream."""
    a, b = Script(), Script()
    with servers(a, b) as service:
        play = Play(service)
        a.hello(), b.hello()
        a.say(turns=[turn(1)])
        (answer,) = a.answers()
        a.say(refused=[refused(answer, reasons.ERROR_REASON_STORE_UNAVAILABLE)])
        assert b.answers() == [answer]
        b.say(accepted=[accepted(answer)])
        a.say(turns=[turn(2)])
        assert [later.turn for later in a.answers()] == [2]
        play.stop()
    assert not play.player.refused


@pytest.mark.parametrize("order", [0, 1])
def test_an_address_that_never_answers_disturbs_nobody(
    order: int, caplog: pytest.LogCaptureFixture
) -> None:
    """One server is enough for longer than the patience, and the other is no news after a while."""
    a = Script()
    with servers(a) as service:
        both = [service.target, NOBODY][:: 1 - 2 * order]
        play = Play(service._replace(target=",".join(both)), patience=0.3)
        a.hello()
        for number in range(1, 8):
            a.say(turns=[turn(number)])
            (answer,) = a.answers()
            a.say(accepted=[accepted(answer)])
            threading.Event().wait(0.1)
        a.say(matches_over=[over()])
        assert play.over.get(timeout=SOON) == "m"
        play.stop()
    assert play.error is None
    assert caplog.text.count("trying again") == caplog.text.count("answers again") <= 1


def test_a_server_that_was_said_to_be_away_is_said_to_be_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each once, and at a level that shows without any settings."""
    a, a2 = Script(), Script()
    with serving(FakePlay(a, away, away, a2)) as service:
        play = Play(service)
        a.hello()
        a.hangs_up()
        a2.hello()
        a2.say(turns=[turn(1)])
        a2.answers()
        play.stop()
    assert [one.getMessage() for one in caplog.records if one.levelname == "WARNING"] == [
        f"the server at {service.target} ended the stream; trying again",
        f"the server at {service.target} answers again",
    ]


def test_no_server_at_all_is_unreachable_after_the_patience() -> None:
    """The patience is for all of them together."""
    play = Play(Connection(f"{NOBODY},127.0.0.1:2", tls=False, key="k"), patience=0.3)
    play.ends()
    assert isinstance(play.error, lastcard.Unreachable)


def test_two_addresses_of_one_server_are_no_other_player() -> None:
    """A stream that a newer one of the same player replaces rests until that ends."""
    a, a2, b, b2 = Script(), Script(), Script(), Script()
    replaced = play_pb2.Closing(reason=play_pb2.CLOSING_REASON_REPLACED)
    with serving(FakePlay(a, a2)) as first, serving(FakePlay(b, b2)) as second:
        play = Play(first._replace(target=f"{first.target},{second.target}"))
        a.hello(), b.hello()
        a.say(closing=replaced)
        assert a.is_left.wait(SOON)
        b.say(turns=[turn(1)])
        (answer,) = b.answers()
        assert a2.heard.empty()
        b.hangs_up()
        assert [*a2.hello(), *b2.hello()] == [answer]
        b2.say(closing=replaced)
        play.ends()
    assert isinstance(play.error, lastcard.Replaced)


def test_servers_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is looked up again: new servers get a stream, and what has gone loses its own."""
    monkeypatch.setattr(links, "LOOK_SECONDS", 0.05)
    a, b = Script(), Script()
    with serving(FakePlay(a)) as first, serving(FakePlay(b)) as second:
        found = [first.target]
        monkeypatch.setattr(dialled, "addresses", lambda _: list(found))
        play = Play(first._replace(target="cards.example:5"))
        a.hello()
        a.say(turns=[turn(1)])
        (answer,) = a.answers()
        found.append(second.target)
        assert b.hello() == []
        found.remove(first.target)
        assert b.answers() == [answer]
        found.clear()  # nothing is known for a while
        b.say(accepted=[accepted(answer)], turns=[turn(2)])
        assert [later.turn for later in b.answers()] == [2]
        play.stop()
    assert play.error is None


def test_a_name_nobody_knows_is_unreachable() -> None:
    """The sentence names what was given."""
    service = Connection("no-such-name.invalid:5", tls=False, key="k")
    with pytest.raises(lastcard.Unreachable, match=r"at no-such-name\.invalid:5; "):
        next(Player(choose, service, patience=0.2).matches())


class Matches(match_grpc.MatchServiceServicer):
    """Knows every match."""

    CreateMatch = ListMatches = JoinMatch = LeaveMatch = CancelMatch = WatchMatch = NotImplemented

    def __init__(self, failures: int = 0) -> None:
        self._failures = failures
        """Calls that find nobody, after each that found somebody."""
        self._left = failures

    def GetMatch(self, request: Any, context: Any) -> match_pb2.GetMatchResponse:  # noqa: N802
        """Return it."""
        self._left -= 1
        if self._left >= 0:
            context.abort(grpc.StatusCode.UNAVAILABLE, "")
        self._left = self._failures
        return match_pb2.GetMatchResponse(match=match_pb2.Match(match_id=request.match_id))


def test_calls_go_to_a_server_that_is_there() -> None:
    """A client of several servers finds the one that answers."""
    with serving(FakePlay(), matches=Matches()) as served:
        for target in (f"{NOBODY},{served.target}", f"{served.target},{NOBODY}"):
            with lastcard.Client(target, "k") as client:
                assert [client.get(name).match_id for name in "abc"] == ["a", "b", "c"]


def test_a_client_that_waits_says_so_once() -> None:
    """Who asks for notes is told that the server is away and that it is back; a blip is no news."""
    notes: list[str] = []
    for failures, count in ((1, 0), (4, 2)):
        with (
            serving(FakePlay(), matches=Matches(failures)) as served,
            lastcard.Client(served.target, "k", patience=SOON, note=notes.append) as client,
        ):
            for number in (1, 2):
                client.get("m")
                assert len(notes) == number * count
    assert notes[-2].endswith("; trying again for 20 s")
    assert notes[-1] == f"the server at {served.target} answers again"
