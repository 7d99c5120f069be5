"""
How is a contest played from its file? Keys, contest, bots, waiting, standings.

Everything goes through the contract, so it is the same with a server of the arena's own and with
one elsewhere. Calls are repeated while the server is away; a contest that is there already goes on.
"""

import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import NamedTuple

from lastcard import Client, Refused
from lastcard.v1 import contest_service_pb2 as pb
from lastcard.v1.key_service_pb2 import CreateKeyRequest, KeyRole, RevokeKeyRequest
from lastcard_server.arena.answered import has_answered
from lastcard_server.arena.children import RESTARTS, Children, Lost, Program
from lastcard_server.arena.elsewhere import play_anew
from lastcard_server.arena.file import Bot, ContestFile, ContestFileError, search_path
from lastcard_server.arena.guard import Guard
from lastcard_server.arena.progress import Headway, Progress
from lastcard_server.arena.request import spec_of
from lastcard_server.arena.run import Run

REOPEN_SECONDS = 0.5
"""The pause before a watch that the server ended is opened again."""
OF_THE_FILE = frozenset({"bad_field", "bad_name", "bad_rules"})
"""Refusals of a contest for what its file says."""
WORDS = (
    (r"\bspec\.(settings\.|rules\.)?", ""),
    (r"(\w+)_duration\b", r"\1_ms"),
    (r"\bentrants\b", "bots"),
    (r"\bentrant\b", "bot"),
    (r"\bseat_count\b", "seats"),
    (r"\bblock_count\b", "blocks"),
    (r"\bconcurrent_match_count\b", "concurrency"),
    (r"\bhouse_strategy\b", "house strategy"),
)
"""How the file says what the contract calls otherwise."""


class BotError(Exception):
    """A bot ended for good without an answer in a game; the message is one sentence."""


class Played(NamedTuple):
    """A contest that was played to its end."""

    contest: pb.Contest
    blocks: int
    standings: tuple[pb.Standing, ...]
    decisions: int
    """Decisions of all its games."""
    decisions_a_second: float
    """While this run watched; 0 where there was nothing left to watch."""


class _Watch(NamedTuple):
    """What came of watching a contest."""

    decisions: int
    decisions_a_second: float


_News = SimpleQueue[_Watch | Lost | Exception]
"""What happens while a contest is played: its end, a bot that is lost, an end of the watch."""


def play(
    contest: ContestFile, run: Run, client: Client, address: str, shown: Progress, guard: Guard
) -> Played:
    """
    Play a contest to its end and return its standings.

    A bot that ends for good stops it only if it has never answered in a game; the contest can go on
    later.

    Raises:
        BotError: a bot ended for good and has never answered a turn of a game.
        lastcard.Error: the server refused something or stayed away too long.
        ContestFileError: the file says something that the server does not play.
        OSError: a bot cannot be started.

    """
    created = _create(contest, run, client)
    finished = created.state == pb.ContestState.CONTEST_STATE_FINISHED
    goes_on = run.is_elsewhere and bool(run.keys) and not finished
    run.plays_on = goes_on and created.state == pb.ContestState.CONTEST_STATE_RUNNING
    if run.plays_on:
        shown.note(play_anew(run, client, address, created))
    news: _News = SimpleQueue()
    pause = contest.restart_pause_ms / 1000
    with _remembered(run), Children(guard, pause, shown.note, news.put) as children:
        if not finished:
            for bot in contest.bots:
                if bot.command:
                    children.add(_program(contest, run, bot, address))
        request = pb.StartContestRequest(contest_id=created.contest_id)
        run.plays_on = goes_on  # from now on, even if no answer comes
        client.call(client.contests.StartContest, request)
        watching = (client, created.contest_id, run, shown, news)
        threading.Thread(target=_watch, args=watching, daemon=True).start()
        while not isinstance(happened := news.get(), _Watch):
            if isinstance(happened, Exception):
                raise happened
            shown.note(_loss(created, run, happened, address))
        run.plays_on = False
    standings = client.call(
        client.contests.GetStandings, pb.GetStandingsRequest(contest_id=created.contest_id)
    )
    return Played(
        contest=standings.contest,
        blocks=standings.complete_block_count,
        standings=tuple(standings.standings),
        decisions=happened.decisions,
        decisions_a_second=happened.decisions_a_second,
    )


@contextmanager
def _remembered(run: Run) -> Iterator[None]:
    """Remember how far the contest was when the run is broken off; where it is killed, nothing."""
    run.seen = None
    run.save()
    try:
        yield
    finally:
        run.save()


def _create(contest: ContestFile, run: Run, client: Client) -> pb.Contest:
    """Create the contest with a key for each bot, or return the one this run has created."""
    if run.finished:
        get = pb.GetContestRequest(contest_id=run.finished)
        return client.call(client.contests.GetContest, get).contest
    for bot in contest.bots:
        if bot.command and bot.name not in run.keys:
            request = CreateKeyRequest(name=bot.name, role=KeyRole.KEY_ROLE_BOT)
            made = client.call(client.keys.CreateKey, request, repeat=False)
            run.keys[bot.name] = {"key_id": made.key.key_id, "secret": made.secret}
    run.save()
    spec = spec_of(contest, {name: key["key_id"] for name, key in run.keys.items()})
    create = pb.CreateContestRequest(spec=spec, request_id=run.request_id)
    try:
        created = client.call(client.contests.CreateContest, create).contest
    except Refused as refused:
        if refused.reason in OF_THE_FILE:
            raise ContestFileError(f"{contest.path}: {_in_words(str(refused))}") from None
        raise
    run.is_created = True
    run.save()
    return created


def retire(run: Run, client: Client, contest_id: str) -> None:
    """
    Revoke the keys of the bots once the contest is finished; begun anew, the run needs none.

    Raises:
        lastcard.Error: the server is away; called again, what is missing is done.

    """
    run.finished = contest_id
    run.save()
    for key in run.keys.values():
        client.call(client.keys.RevokeKey, RevokeKeyRequest(key_id=key["key_id"]))


def _in_words(sentence: str) -> str:
    """Return a sentence of the server in the words of the file."""
    for contract, file in WORDS:
        sentence = re.sub(contract, file, sentence)
    return sentence


def _program(contest: ContestFile, run: Run, bot: Bot, address: str) -> Program:
    """Return a bot's command with what it needs to know in its environment."""
    environment = {
        **os.environ,
        "PATH": search_path(os.environ),
        "LASTCARD_ADDRESS": address,
        "LASTCARD_KEY": run.keys[bot.name]["secret"],
    }
    log = run.logs / f"{bot.name}.log"
    return Program(bot.name, bot.command, contest.folder, environment, log)


def _loss(created: pb.Contest, run: Run, lost: Lost, address: str) -> str:
    """
    Return what the loss of a bot means for the contest that goes on without it.

    Raises:
        BotError: it has never answered in a game: there is nothing to go on with.

    """
    name, log = lost.program.name, lost.program.log
    with Client(address, run.keys[name]["secret"]) as bot:
        answered = has_answered(bot)
    if not answered:
        raise BotError(
            f"bot {name!r} ended with code {lost.code} each of the {RESTARTS + 1} times it was"
            f" started and has not answered a turn of a game; see {log}"
        )
    seconds = created.spec.settings.move_limit_duration.ToMilliseconds() / 1000
    return (
        f"{name} ended with code {lost.code} for good: each of its turns now waits"
        f" {seconds:g} s; see {log}"
    )


def _watch(client: Client, contest_id: str, run: Run, shown: Progress, news: _News) -> None:
    """Show the progress of a contest until it is finished, then tell what came of it."""
    try:
        news.put(_watched(client, contest_id, run, shown))
    except Exception as error:  # noqa: BLE001 - nobody hears it where the run has ended already
        news.put(error)


def _watched(client: Client, contest_id: str, run: Run, shown: Progress) -> _Watch:
    """Show the progress of a contest until it is finished."""
    request = pb.WatchContestRequest(contest_id=contest_id)
    began, first, rate = time.monotonic(), -1, 0.0
    while True:
        for news in client.watch(client.contests.WatchContest, request):
            first = news.decision_count if first < 0 else first
            rate = (news.decision_count - first) / max(time.monotonic() - began, 1e-3)
            contest = news.contest
            run.seen = contest.finished_game_count
            shown.show(Headway(contest.finished_game_count, contest.game_count, rate))
            if contest.state == pb.ContestState.CONTEST_STATE_FINISHED:
                return _Watch(news.decision_count, rate)
        time.sleep(REOPEN_SECONDS)
