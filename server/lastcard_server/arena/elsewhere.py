"""
What becomes of a contest on another server while nobody runs its bots, and what of it counts?

It goes on: the bots' turns run out, and default actions are taken. When the run goes on too, the
games under way are called off, so that the server plays their blocks anew with other cards (0185).
Blocks that have ended by then count: nobody can take a result back.
"""

from lastcard import Client, Refused
from lastcard.v1 import contest_service_pb2 as pb
from lastcard.v1.match_service_pb2 import Match, MatchState
from lastcard_server.arena.answered import matches_of
from lastcard_server.arena.run import Run

UNDER_WAY = (MatchState.MATCH_STATE_READYING, MatchState.MATCH_STATE_RUNNING)


def play_anew(run: Run, client: Client, address: str, contest: pb.Contest) -> str:
    """
    Have the games played anew that went on without the bots; return what became of all.

    Raises:
        lastcard.Error: the server is away, or the key is no organiser's.

    """
    matches = (match for key in run.keys.values() for match in _under_way(address, key))
    under_way = {match.match_id for match in matches if is_game(match, contest.spec)}
    for match_id in sorted(under_way):
        _call_off(client, match_id)
    ended = None if run.seen is None else max(0, contest.finished_game_count - run.seen)
    return (
        "the contest has gone on without its bots; games under way, played anew with their blocks: "
        f"{len(under_way):,}; games that ended meanwhile: {'unknown' if ended is None else ended}"
    )


def _under_way(address: str, key: dict[str, str]) -> list[Match]:
    """Return the matches of a bot that have yet to end."""
    with Client(address, key["secret"]) as bot:
        return [match for state in UNDER_WAY for match in matches_of(bot, state)]


def is_game(match: Match, spec: pb.ContestSpec) -> bool:
    """Tell whether a match is as the contest makes them; a bot may have joined others by itself."""
    names = {entrant.name for entrant in spec.entrants}
    is_size = len(match.seats) == spec.seat_count and match.preset == spec.rules.preset
    return is_size and all(seat.name in names for seat in match.seats)


def _call_off(client: Client, match_id: str) -> None:
    """Cancel a match, unless it has ended meanwhile."""
    try:
        client.cancel(match_id)
    except Refused as refused:
        if refused.reason != "match_over":
            raise
