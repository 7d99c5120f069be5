"""What a spectator does not read is counted, is bounded, and goes with the call."""

from collections.abc import AsyncIterator

import pytest

from lastcard.v1.match_service_pb2 import WatchMatchResponse
from lastcard_server.keys import Caller, Role
from lastcard_server.servicers import watching
from tests.server.edge import Edge, gauge, house, play_out, reserved


async def unread(edge: Edge) -> AsyncIterator[bytes]:
    """Return what a spectator has yet to read of a match that is over, but for the first view."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), house("random"))
    core = edge.server._core
    caller = Caller("key:spectator", Role.SPECTATOR)
    responses = watching.watch(core.matches, core.hub, match.match_id, caller)
    assert WatchMatchResponse.FromString(await anext(responses)).update.after == 0
    await play_out(edge, match, bot)
    return responses


async def test_what_is_not_read_is_counted(edge: Edge) -> None:
    """It is pending until it is read; every update then follows the one before it."""
    responses = await unread(edge)
    pending = gauge(edge, "stream_pending_bytes")
    read = [response async for response in responses]
    assert sum(map(len, read)) == pending > 0
    updates = [WatchMatchResponse.FromString(response).update for response in read]
    assert [update.after for update in updates[1:]] == [one.version for one in updates[:-1]]
    assert gauge(edge, "stream_pending_bytes") == 0


async def test_what_is_not_read_is_bounded(edge: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too much would be pending, one full view stands for it."""
    monkeypatch.setattr(watching, "_UPDATES_KEPT", 3)
    read = [response async for response in await unread(edge)]
    assert len(read) <= 3
    assert WatchMatchResponse.FromString(read[0]).update.after == 0
