"""Where do the results of a contest go? Into a ledger and one replay a game."""

from collections.abc import Iterator

from lastcard import Client, Error
from lastcard.v1 import contest_service_pb2 as pb
from lastcard_server.arena.report import faults
from lastcard_server.arena.run import Run
from lastcard_server.contests.ledger import Game, chained, genesis, line

PAGE_SIZE = 500


def games(client: Client, contest_id: str) -> Iterator[pb.Game]:
    """Yield the games that count, in schedule order."""
    token = ""
    while True:
        request = pb.ListGamesRequest(contest_id=contest_id, page_size=PAGE_SIZE, page_token=token)
        page = client.call(client.contests.ListGames, request)
        yield from page.games
        token = page.next_page_token
        if not token:
            return


def keep(client: Client, run: Run, contest: pb.Contest) -> int:
    """
    Write the ledger and fetch the replays that are not there yet; return the number of games.

    Raises:
        Error: the server is away, or lists other games than it has played.

    """
    contest_id = contest.contest_id
    count, chain = 0, genesis(contest_id)
    draft = run.ledger.with_suffix(".new")
    with draft.open("w", encoding="ascii") as ledger:
        for message in games(client, contest_id):
            game = game_of(contest_id, message)
            chain = chained(chain, game)
            if chain != message.chain_hash:
                raise Error(f"the server sent game {game.game} with a wrong chain hash")
            ledger.write(f"{line(game, chain)}\n")
            _fetch(client, run, game)
            count += 1
    if count != contest.game_count:
        raise Error(f"the server lists {count:,} of {contest.game_count:,} games")
    draft.replace(run.ledger)
    return count


def game_of(contest_id: str, message: pb.Game) -> Game:
    """Return a game of the ledger from the contract's message."""
    return Game(
        contest=contest_id,
        game=message.game,
        block=message.block,
        leg=message.leg,
        attempt=message.attempt,
        match=message.match_id,
        seats=tuple(message.seat_names),
        places=tuple(message.places),
        points=tuple(message.points),
        actions=message.action_count,
        faults=tuple(faults(seat.faults) for seat in message.faults),
        end_us=message.end_time.ToMicroseconds(),
        record=message.record_hash.hex(),
    )


def _fetch(client: Client, run: Run, game: Game) -> None:
    """Write the record of a game, unless it is there."""
    path = run.replays / f"{game.game:06d}-{game.match}.jsonl"
    if not path.exists():
        draft = path.with_suffix(".new")
        draft.write_bytes(client.record(game.match))
        draft.replace(path)
