"""Does the SDK play through broken streams, lost acknowledgements and closing servers?"""

import threading
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import grpc
import pytest

import lastcard
from lastcard.connection import Connection
from lastcard.player import Player
from lastcard.v1 import error_reason_pb2 as reasons
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard.v1 import turn_pb2
from tests.clients.fake_server import (
    FakePlay,
    Stream,
    abort,
    accepted,
    over,
    refused,
    serving,
    turn,
)

Requests = Iterator[play_pb2.PlayRequest]
Responses = Iterator[play_pb2.PlayResponse]


def choose_last(turn: lastcard.Turn) -> int:
    """Choose the last legal action."""
    return len(turn.message.legal_actions) - 1


def play_one(*streams: Stream, bot: lastcard.Bot = choose_last, **settings: Any) -> Player:
    """Play against a script until the first match is over."""
    with serving(FakePlay(*streams)) as connection:
        player = Player(bot, connection, **settings)
        assert [end.match_id for end in islice(player.matches(), 1)] == ["m"]
    return player


def finish(requests: Requests, _: Any) -> Responses:
    """Serve a stream that tells the match is over."""
    next(requests)
    yield play_pb2.PlayResponse(matches_over=[over()])


def closing(reason: play_pb2.ClosingReason) -> Stream:
    """Return a stream that the server closes."""

    def stream(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(closing=play_pb2.Closing(reason=reason))

    return stream


def test_first_message_is_the_hello_alone() -> None:
    """The first message carries the hello, and only the first."""
    seen: list[play_pb2.PlayRequest] = []

    def stream(requests: Requests, _: Any) -> Responses:
        seen.append(next(requests))
        yield play_pb2.PlayResponse(turns=[turn(1)])
        seen.append(next(requests))
        yield play_pb2.PlayResponse(matches_over=[over()])

    play_one(stream, instance="i-1", events=True)
    assert seen[0].hello == play_pb2.Hello(
        instance="i-1", event_delivery=play_pb2.EVENT_DELIVERY_WITH_TURN
    )
    assert not seen[0].answers
    assert not seen[1].HasField("hello")


def test_turns_of_one_message_are_answered_in_one() -> None:
    """A quick bot answers all turns of a message together."""
    answers: list[turn_pb2.Answer] = []

    def stream(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[turn(n) for n in range(1, 101)])
        while len(answers) < 100:
            answers.extend(next(requests).answers)
            counts.append(len(answers))
        yield play_pb2.PlayResponse(matches_over=[over()])

    counts: list[int] = []
    play_one(stream)
    assert [answer.turn for answer in answers] == list(range(1, 101))
    assert {answer.choice for answer in answers} == {1}
    assert len(counts) <= 10


def test_slow_bot_sends_each_answer_at_once() -> None:
    """An answer does not wait for the bot to think about the next turn."""

    def think(_: lastcard.Turn) -> int:
        assert first.wait(timeout=10) or not asked
        asked.append(1)
        time.sleep(0.01)
        return 0

    def stream(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[turn(1), turn(2)])
        assert [answer.turn for answer in next(requests).answers] == [1]
        first.set()
        assert [answer.turn for answer in next(requests).answers] == [2]
        yield play_pb2.PlayResponse(matches_over=[over()])

    first, asked = threading.Event(), list[int]()
    first.set()
    play_one(stream, bot=think)
    assert len(asked) == 2


def test_unacknowledged_answers_are_sent_again_and_not_asked_again() -> None:
    """A lost acknowledgement leads to the very same answer on the next stream, without the bot."""
    sent: list[list[turn_pb2.Answer]] = []

    def losing(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[turn(1), turn(2)])
        answers = list(next(requests).answers)
        sent.append(answers)
        yield play_pb2.PlayResponse(accepted=[accepted(answers[0])])

    def repeating(requests: Requests, _: Any) -> Responses:
        sent.append(list(next(requests).answers))
        yield play_pb2.PlayResponse(turns=[turn(2)], accepted=[accepted(sent[1][0])])
        yield play_pb2.PlayResponse(matches_over=[over()])

    asked: list[int] = []

    def bot(turn: lastcard.Turn) -> int:
        asked.append(turn.message.turn)
        return 0

    player = play_one(losing, repeating, bot=bot)
    assert sent[1] == [sent[0][1]]
    assert asked == [1, 2]
    assert player.answered == 2


@pytest.mark.parametrize(
    "reason", [reasons.ERROR_REASON_STORE_UNAVAILABLE, reasons.ERROR_REASON_DRAINING]
)
def test_answer_that_could_not_be_stored_is_sent_again(reason: reasons.ErrorReason) -> None:
    """A refusal that passes by itself leads to the same answer a little later, on the stream."""
    sent: list[turn_pb2.Answer] = []

    def failing(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[turn(1)])
        sent.extend(next(requests).answers)
        yield play_pb2.PlayResponse(refused=[refused(sent[0], reason)])
        sent.extend(next(requests).answers)
        yield play_pb2.PlayResponse(accepted=[accepted(sent[1])], matches_over=[over()])

    player = play_one(failing)
    assert sent[0] == sent[1]
    assert not player.refused
    assert player.answered == 1


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "The store broke off, and this may have been stored or not: send the same again.",
            "the store broke off, and this may have been stored or not",
        ),
        (
            "The store cannot be written now; nothing was changed, try again.",
            "the store cannot be written now; nothing was changed",
        ),
        ("The stream is too old; connect again.", "the stream is too old"),
        ("A newer stream has replaced this one.", "a newer stream has replaced this one"),
    ],
)
def test_nobody_is_told_to_do_what_the_sdk_does(
    message: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A line that says what is tried again leaves out the server's advice to do so."""

    def failing(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[turn(1)])
        late = refused(next(requests).answers[0], reasons.ERROR_REASON_STORE_UNAVAILABLE)
        late.error.message = message
        yield play_pb2.PlayResponse(refused=[late])
        again = next(requests).answers[0]
        yield play_pb2.PlayResponse(accepted=[accepted(again)], matches_over=[over()])

    play_one(failing)
    assert f"{said}; trying again" in [one.getMessage() for one in caplog.records]


def test_refused_answer_is_counted_and_forgotten() -> None:
    """A refusal for good is counted by its reason and not repeated."""

    def stream(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[turn(1)])
        answer = next(requests).answers[0]
        late = refused(answer, reasons.ERROR_REASON_TURN_TIMED_OUT)
        yield play_pb2.PlayResponse(refused=[late])

    def following(requests: Requests, _: Any) -> Responses:
        assert not next(requests).answers
        yield play_pb2.PlayResponse(matches_over=[over()])

    player = play_one(stream, following)
    assert player.refused == {"turn_timed_out": 1}
    assert player.answered == 0


def test_ends_that_came_while_no_stream_was_open_are_asked_for() -> None:
    """A stream that opens asks for the ends of the matches that were played and no others."""
    asked: list[list[str]] = []

    def breaking(requests: Requests, _: Any) -> Responses:
        asked.append(list(next(requests).hello.match_ids))
        yield play_pb2.PlayResponse(turns=[turn(1, match_id="a"), turn(1, match_id="b")])
        next(requests)
        yield play_pb2.PlayResponse(matches_over=[over("b")])
        yield play_pb2.PlayResponse(turns=[turn(2, match_id="b")])

    def telling(requests: Requests, _: Any) -> Responses:
        asked.append(list(next(requests).hello.match_ids))
        yield play_pb2.PlayResponse(matches_over=[over("a"), over("b")])

    with serving(FakePlay(breaking, telling)) as connection:
        ends = islice(Player(choose_last, connection).matches(), 2)
        assert [end.match_id for end in ends] == ["b", "a"]
    assert asked == [[], ["a"]]


@pytest.mark.parametrize(
    "reason",
    [
        play_pb2.CLOSING_REASON_DRAIN,
        play_pb2.CLOSING_REASON_AGE,
        play_pb2.CLOSING_REASON_UNSPECIFIED,
    ],
)
def test_closing_that_asks_for_it_is_followed_by_a_new_stream(
    reason: play_pb2.ClosingReason,
) -> None:
    """The SDK connects again after a drain, an age limit and reasons it does not know."""
    play_one(closing(reason), finish)


@pytest.mark.parametrize(
    ("reason", "error", "sentence"),
    [
        (play_pb2.CLOSING_REASON_REPLACED, lastcard.Replaced, "a newer stream of instance i-1"),
        (play_pb2.CLOSING_REASON_REVOKED, lastcard.Revoked, "was revoked; the server at .* says"),
    ],
)
def test_closing_for_good_is_an_error(
    reason: play_pb2.ClosingReason, error: type[lastcard.Error], sentence: str
) -> None:
    """A replaced instance and a revoked key end with a sentence of their own."""
    with pytest.raises(error, match=sentence):
        play_one(closing(reason), instance="i-1")


def broken(status: grpc.StatusCode) -> Stream:
    """Return a stream that a transport breaks."""

    def stream(requests: Requests, context: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse()
        context.abort(status, "connection lost")

    return stream


@pytest.mark.parametrize(
    "status",
    [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.CANCELLED],
)
def test_broken_stream_is_opened_again(status: grpc.StatusCode) -> None:
    """However a transport breaks a stream, the SDK opens another."""
    play_one(broken(status), broken(status), finish)


def test_refused_caller_is_told_why() -> None:
    """A key that is not valid ends at once with a sentence on where it came from."""

    def stream(_: Requests, context: Any) -> Responses:
        yield abort(context, reasons.ERROR_REASON_UNAUTHENTICATED, grpc.StatusCode.UNAUTHENTICATED)

    with pytest.raises(lastcard.Refused, match=r"^the key given is not one of") as refusal:
        play_one(stream)
    assert refusal.value.reason == "unauthenticated"


def test_absent_server_is_unreachable_after_the_patience() -> None:
    """Without a server the SDK gives up with the address and what to do."""
    player = Player(choose_last, Connection("127.0.0.1:1", tls=False, key="k"), patience=0.2)
    with pytest.raises(lastcard.Unreachable, match=r"at 127\.0\.0\.1:1; `\S*lastcard serve`"):
        next(player.matches())


class OwnCallFailed(grpc.RpcError):
    """A failed call of the bot's own."""


@pytest.mark.parametrize("error", [ZeroDivisionError, OwnCallFailed, lastcard.Unreachable])
def test_what_a_bot_raises_passes_through(error: type[Exception]) -> None:
    """A bot's own exception ends the play and is never taken for the stream's."""

    def bot(_: lastcard.Turn) -> int:
        raise error

    def stream(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[turn(1)])
        yield from (play_pb2.PlayResponse() for _ in requests)

    with pytest.raises(error):
        play_one(stream, bot=bot)


def test_opening_of_a_match_is_answered_without_the_bot() -> None:
    """The ready turn is answered with a nonce of 32 bytes, fresh for each match."""
    answers: list[turn_pb2.Answer] = []

    def stream(requests: Requests, _: Any) -> Responses:
        next(requests)
        opening = [turn(1, match_id="m"), turn(1, match_id="n")]
        for asked in opening:
            asked.kind = turn_pb2.TURN_KIND_READY
        yield play_pb2.PlayResponse(turns=opening)
        while len(answers) < 2:
            answers.extend(next(requests).answers)
        yield play_pb2.PlayResponse(matches_over=[over()])

    def bot(_: lastcard.Turn) -> int:
        raise AssertionError

    play_one(stream, bot=bot)
    nonces = {answer.action.ready.nonce for answer in answers}
    assert {len(nonce) for nonce in nonces} == {32}
    assert len(nonces) == 2


def test_stopped_player_ends_quietly() -> None:
    """`stop` from another thread ends the play without an error."""

    def stream(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse()
        connected.set()
        yield from (play_pb2.PlayResponse() for _ in requests)

    connected = threading.Event()
    with serving(FakePlay(stream)) as connection:
        player = Player(choose_last, connection)
        playing = threading.Thread(target=lambda: ended.extend(player.matches()))
        ended: list[turn_pb2.MatchOver] = []
        playing.start()
        assert connected.wait(timeout=10)
        player.stop()
        playing.join(timeout=10)
    assert not playing.is_alive()
    assert ended == []
