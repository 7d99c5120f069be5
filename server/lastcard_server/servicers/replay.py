"""ReplayService: records of matches that are over."""

from lastcard.v1 import replay_service_pb2 as pb
from lastcard_server.access import visible_match
from lastcard_server.keys import Caller
from lastcard_server.matches.registry import Matches


class ReplayServicer:
    """Serves ReplayService."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def GetRecord(self, request: pb.GetRecordRequest, caller: Caller) -> pb.GetRecordResponse:
        """Return the record of a match, once every match that shares its deal is over."""
        match = await visible_match(self._matches, request.match_id, caller)
        return pb.GetRecordResponse(record=await self._matches.record(match.match_id))
