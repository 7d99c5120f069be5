"""Does the SDK hand back the newest history it has, so that no loss stays unnoticed?"""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest

import lastcard
from lastcard.answers import Answers
from lastcard.connection import Connection
from lastcard.links import Link
from lastcard.player import Player
from lastcard.v1 import error_reason_pb2 as reasons
from lastcard.v1 import event_pb2, match_service_pb2, turn_pb2
from lastcard.v1 import play_service_pb2 as play_pb2
from lastcard_server.app import serving as server_of
from lastcard_server.config import Config
from tests.clients.fake_server import FakePlay, accepted, over, refused, serving, turn
from tests.clients.service import with_key
from tests.clients.trial_client import reserved
from tests.matches.pods import until
from tests.quiet import quiet

Requests = Iterator[play_pb2.PlayRequest]
Responses = Iterator[play_pb2.PlayResponse]
LINK = Link(Connection("127.0.0.1:1", tls=False, key="lck_test"))


def choose(_: lastcard.Turn) -> int:
    """Choose the first action."""
    return 0


def asked(number: int, history: bytes, match_id: str = "m") -> turn_pb2.Turn:
    """Return a turn with a history."""
    found = turn(number, match_id=match_id)
    found.history = history
    return found


def acknowledged(answer: turn_pb2.Answer, version: int, history: bytes) -> turn_pb2.Accepted:
    """Return the acceptance of an answer, with a history."""
    found = accepted(answer)
    found.version, found.history = version, history
    return found


def handed_back(answers: Answers, asking: turn_pb2.Turn) -> bytes:
    """Return the history that goes with the answer to a turn."""
    own = turn_pb2.Answer(match_id=asking.match_id, history=asking.history)
    given = answers.answer(asking, LINK, lambda _: own)
    assert given is not None
    return given.history


def test_a_turn_that_is_asked_anew_gets_the_history_of_its_acceptance() -> None:
    """Every server has died with its store and come back: what is asked was over long before."""
    sent: list[turn_pb2.Answer] = []

    def dying(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[asked(7, b"7")])
        sent.extend(next(requests).answers)
        yield play_pb2.PlayResponse(accepted=[acknowledged(sent[0], 8, b"9")])

    def behind(requests: Requests, _: Any) -> Responses:
        assert not next(requests).answers
        yield play_pb2.PlayResponse(turns=[asked(7, b"7")])
        sent.extend(next(requests).answers)
        lost = refused(sent[1], reasons.ERROR_REASON_HISTORY_LOST)
        yield play_pb2.PlayResponse(refused=[lost], matches_over=[over()])

    with serving(FakePlay(dying, behind)) as connection:
        player = Player(choose, connection)
        assert [end.match_id for end in islice(player.matches(), 1)] == ["m"]
    assert [answer.history for answer in sent] == [b"7", b"9"]
    assert player.refused == {"history_lost": 1}


def test_a_match_that_nobody_knows_any_more_has_ended() -> None:
    """The server that knew it is gone for good; another one refuses the history it is shown."""

    def ignorant(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[asked(7, b"7")])
        (answer,) = next(requests).answers
        lost = refused(answer, reasons.ERROR_REASON_HISTORY_LOST)
        yield play_pb2.PlayResponse(refused=[lost])
        yield play_pb2.PlayResponse(matches_over=[over(), over("n")])

    with serving(FakePlay(ignorant)) as connection:
        ends = list(islice(Player(choose, connection).matches(), 2))
    assert [end.match_id for end in ends] == ["m", "n"]
    assert ends[0].result.reason == event_pb2.MATCH_END_REASON_FROZEN


def test_an_answer_that_is_sent_again_takes_along_what_was_seen_since() -> None:
    """Of another seat of the same match, for example."""
    sent: list[turn_pb2.Answer] = []

    def failing(requests: Requests, _: Any) -> Responses:
        next(requests)
        yield play_pb2.PlayResponse(turns=[asked(1, b"1")])
        sent.extend(next(requests).answers)
        late = refused(sent[0], reasons.ERROR_REASON_STORE_UNAVAILABLE)
        other = acknowledged(turn_pb2.Answer(match_id="m", seat=1, turn=1), 3, b"3")
        yield play_pb2.PlayResponse(refused=[late], accepted=[other])
        sent.extend(next(requests).answers)
        yield play_pb2.PlayResponse()

    def following(requests: Requests, _: Any) -> Responses:
        sent.extend(next(requests).answers)
        yield play_pb2.PlayResponse(matches_over=[over()])

    with serving(FakePlay(failing, following)) as connection:
        list(islice(Player(choose, connection).matches(), 1))
    assert [answer.history for answer in sent] == [b"1", b"3", b"3"]
    assert len({answer.choice for answer in sent}) == 1


@pytest.mark.parametrize(
    ("told", "newest"),
    [
        ([{"turns": [asked(9, b"a")]}, {"turns": [asked(7, b"late")]}], b"a"),
        ([{"turns": [asked(7, b"a")]}, {"turns": [asked(9, b"b")]}], b"b"),
        ([{"updates": [turn_pb2.Update(match_id="m", version=9, history=b"u")]}], b"u"),
        ([{"refused": [turn_pb2.Refused(match_id="m", turn=7, history=b"r")]}], b"r"),
        ([{"refused": [turn_pb2.Refused(match_id="m", turn=7)]}], b"own"),
        ([{"turns": [asked(9, b"other", match_id="n")]}], b"own"),
    ],
)
def test_the_newest_history_is_that_of_the_highest_version(
    told: list[dict[str, Any]], newest: bytes
) -> None:
    """Several servers tell of a match, and one of them may be behind."""
    answers, own = Answers(), asked(5, b"own")
    for fields in [{"turns": [own]}, *told, {"turns": [own]}]:
        answers.see(play_pb2.PlayResponse(**fields))
    assert handed_back(answers, own) == newest


def test_a_reaction_leaves_a_newer_history_than_its_turn() -> None:
    """Both name the version that opened the group; the acceptance is of a later one."""
    answers, own = Answers(), asked(5, b"turn")
    reaction = acknowledged(turn_pb2.Answer(match_id="m"), 5, b"accepted")
    for fields in ({"turns": [own]}, {"accepted": [reaction]}, {"turns": [own]}):
        answers.see(play_pb2.PlayResponse(**fields))
    assert handed_back(answers, own) == b"accepted"


def test_histories_of_very_many_matches_are_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of which nothing was heard for longest are forgotten; a turn's own is always there."""
    monkeypatch.setattr("lastcard.answers.MOST", 2)
    answers = Answers()
    for match_id in "abac":
        answers.see(play_pb2.PlayResponse(turns=[asked(9, b"newest", match_id)]))
    found = {match_id: handed_back(answers, asked(8, b"own", match_id)) for match_id in "abc"}
    assert found == {"a": b"newest", "b": b"own", "c": b"newest"}


def copied(file: Path, copy: Path) -> None:
    """Copy a store while a server has it."""
    with closing(sqlite3.connect(file)) as store, closing(sqlite3.connect(copy)) as backup:
        store.backup(backup)


@pytest.mark.parametrize(("lost", "refusals"), [("answer", {"history_lost": 1}), ("match", {})])
async def test_a_store_that_went_back_is_noticed(
    tmp_path: Path, lost: str, refusals: dict[str, int]
) -> None:
    """The server comes back with a copy from before the only answer, or from before the match."""
    quiet()
    file, copy = tmp_path / "store", tmp_path / "copy"
    config = Config(port=0, store=f"sqlite:{file}", state_dir=tmp_path)
    async with server_of(config) as server, grpc.aio.insecure_channel(server.address) as channel:
        port = int(server.address.rpartition(":")[2])
        service = await with_key(channel, tmp_path)
        if lost == "match":
            copied(file, copy)
        someone = match_service_pb2.SeatSpec(open=match_service_pb2.OpenSeat())
        match = await service.create([*reserved(service.key_id, 1), someone], "m")
        await service._replace(key=service.organiser).join(match.match_id, "absent")
        if lost == "answer":
            copied(file, copy)
        player = Player(choose, Connection(server.address, tls=False, key=service.key))
        ends = asyncio.create_task(asyncio.to_thread(lambda: list(islice(player.matches(), 1))))
        try:
            await until(lambda: player.answered == 1)
        except TimeoutError:
            player.stop()
            raise
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    copy.rename(file)
    async with server_of(replace(config, port=port)):
        try:
            await until(ends.done)
        finally:
            player.stop()
    assert [end.result.reason for end in await ends] == [event_pb2.MATCH_END_REASON_FROZEN]
    assert player.refused == refusals
