"""Games of contests made up for tests."""

from collections.abc import Mapping, Sequence
from random import Random

from lastcard_server.contests.ledger import Game
from lastcard_server.contests.schedule import Plan


def a_game(
    game: int,
    *,
    seats: Sequence[str] = ("ann", "bob"),
    places: Sequence[int] = (1, 2),
    points: Sequence[int] = (20, 0),
    faults: Sequence[Mapping[str, int]] = (),
    contest: str = "c",
) -> Game:
    """Return a game of a contest in which each block has as many legs as seats."""
    block, leg = divmod(game, len(seats))
    counted = tuple(faults) or tuple({} for _ in seats)
    return Game(
        contest=contest,
        game=game,
        block=block,
        leg=leg,
        attempt=0,
        match=f"m{game}",
        seats=tuple(seats),
        places=tuple(places),
        points=tuple(points),
        actions=40,
        faults=counted,
        end_us=1_700_000_000_000_000 + game,
        record="5a" * 32,
    )


def play_out(plan: Plan, names: Sequence[str], seed: int) -> list[list[Game]]:
    """Return the blocks of a contest in which every seat wins alike often."""
    random = Random(seed)
    return [
        [_played(slot.game, [names[entrant] for entrant in slot.seats], random) for slot in legs]
        for legs in map(plan.block, range(plan.block_count))
    ]


def _played(game: int, seats: list[str], random: Random) -> Game:
    winner = random.randrange(len(seats))
    places = [1 if seat == winner else 2 for seat in range(len(seats))]
    points = [random.randrange(1, 120) if seat == winner else 0 for seat in range(len(seats))]
    return a_game(game, seats=seats, places=places, points=points)
