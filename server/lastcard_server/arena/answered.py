"""
Has a bot answered a turn of its contest? The server's word, match by match.

Asked with the bot's own key, but without a stream, so that the bot does not count as connected.
"""

from collections.abc import Iterator

from lastcard import Client, Refused
from lastcard.v1 import match_service_pb2 as match_pb
from lastcard.v1.match_service_pb2 import MatchState
from lastcard.v1.play_service_pb2 import GetViewRequest

PAGE_SIZE = 100


def has_answered(bot: Client) -> bool:
    """
    Tell whether a bot has answered any turn of a game.

    That it was ready says nothing: the SDK answers so before the bot is asked for the first time.

    Args:
        bot: calls with the bot's key.

    Raises:
        lastcard.Error: the server is away.

    """
    return any(_answered_in(bot, match.match_id) for match in matches_of(bot))


def matches_of(
    bot: Client, state: MatchState = MatchState.MATCH_STATE_UNSPECIFIED
) -> Iterator[match_pb.Match]:
    """Yield the matches of a bot, or those in one state, newest first."""
    request = match_pb.ListMatchesRequest(page_size=PAGE_SIZE, state=state)
    while True:
        page = bot.call(bot.matches.ListMatches, request)
        yield from page.matches
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _answered_in(bot: Client, match_id: str) -> bool:
    """Tell whether a bot has answered in a match; what the server does not show counts as no."""
    try:
        return bot.call(bot.plays.GetView, GetViewRequest(match_id=match_id)).has_answered
    except Refused:
        return False
