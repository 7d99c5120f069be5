"""
Has a bot answered a turn of its contest? The server's word: open turns and finished records.

Asked with the bot's own key, but without a stream, so that the bot does not count as connected.
"""

from collections.abc import Iterator

from lastcard import Client, Refused
from lastcard.v1 import match_service_pb2 as match_pb
from lastcard.v1.play_service_pb2 import GetViewRequest
from lastcard_server.arena.records import names_that_answered

PAGE_SIZE = 100
OVER = frozenset(
    {
        match_pb.MATCH_STATE_FINISHED,
        match_pb.MATCH_STATE_CANCELLED,
        match_pb.MATCH_STATE_FROZEN,
    }
)


def has_answered(bot: Client, name: str) -> bool:
    """
    Tell whether a bot has answered any turn, that before a match starts included.

    Args:
        bot: calls with the bot's key.
        name: the bot's in the contest.

    Raises:
        lastcard.Error: the server is away.

    """
    return any(_answered_in(bot, name, match) for match in _matches(bot))


def _matches(bot: Client) -> Iterator[match_pb.Match]:
    """Yield the matches of a bot, newest first."""
    request = match_pb.ListMatchesRequest(page_size=PAGE_SIZE)
    while True:
        page = bot.call(bot.matches.ListMatches, request)
        yield from page.matches
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _answered_in(bot: Client, name: str, match: match_pb.Match) -> bool:
    """Tell whether a bot has answered in a match; what the server does not show counts as no."""
    try:
        if match.state in OVER:
            return name in names_that_answered(bot.record(match.match_id).decode())
        view = bot.call(bot.plays.GetView, GetViewRequest(match_id=match.match_id))
    except Refused:
        return False
    return view.open_turn.HasField("last_answer_duration")
