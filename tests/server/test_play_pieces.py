"""What a stream sends is read on while earlier answers become durable, as far as they are few."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from lastcard_server.journal.port import Append, Conflict
from lastcard_server.servicers import play
from tests.server.edge import SECONDS, Edge, answer, reserved


async def test_messages_are_decided_while_others_become_durable(
    edge: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as allowed are decided behind a slow store; none is told before it is durable."""
    slow, writes = edge.server._core.journal._journal, asyncio.Event()
    append = slow.append

    async def append_later(appends: Sequence[Append]) -> list[Conflict | None]:
        await writes.wait()
        return await append(appends)

    key_id, key = await edge.key()
    rival, _ = await edge.key()
    matches = [
        await edge.create(reserved(key_id), reserved(rival)) for _ in range(play._MOST_PIECES + 2)
    ]
    player = edge.play(key)
    await player.hello()
    while len(player.turns) < len(matches):
        await player.read()
    slots = edge.server._core.matches._runtime.cache.slots
    before = {match.match_id: slots[match.match_id].match.version for match in matches}

    def decided() -> int:
        return sum(slots[match_id].match.version > v for match_id, v in before.items())

    monkeypatch.setattr(slow, "append", append_later)
    for match in matches:
        await player.send(answer(player.turns[match.match_id, 0]))
    async with asyncio.timeout(SECONDS):
        while decided() < play._MOST_PIECES:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.001)
    told: list[Any] = []
    await player.quiet()
    assert decided() == play._MOST_PIECES
    writes.set()
    while len(told) < len(matches):
        response = await player.read()
        assert not response.refused
        told += response.accepted
    assert {accepted.match_id for accepted in told} == before.keys()
    await player.end()
