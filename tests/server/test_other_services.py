"""KeyService, RulesService, ReplayService and WatchMatch answer and refuse as the contract says."""

import asyncio
import json
from typing import Any

import pytest

from lastcard.v1 import key_service_pb2 as keys_pb
from lastcard.v1 import match_service_pb2, replay_service_pb2, rules_pb2, rules_service_pb2
from lastcard_engine.presets import PRESETS
from tests.server.edge import (
    OPEN,
    Edge,
    answer,
    house,
    metadata,
    play_out,
    reason,
    refused,
    reserved,
)


async def test_keys_are_created_listed_and_revoked(edge: Edge) -> None:
    """A secret is told once; pages are newest first; a revoked key stays listed and is shut out."""
    created = [await edge.key(name=f"k{n}") for n in range(3)]
    request = keys_pb.ListKeysRequest(page_size=2)
    first = await edge.call(edge.keys.ListKeys, request)
    assert [key.name for key in first.keys] == ["k2", "k1"]
    request.page_token = first.next_page_token
    second = await edge.call(edge.keys.ListKeys, request)
    assert [key.name for key in second.keys] == ["k0", "organiser"]
    assert not second.next_page_token
    body = first.SerializeToString() + second.SerializeToString()
    assert not any(secret.encode() in body for _, secret in created)
    key_id, secret = created[0]
    revocation = keys_pb.RevokeKeyRequest(key_id=key_id)
    revoked = (await edge.call(edge.keys.RevokeKey, revocation)).key
    assert revoked.HasField("revoke_time")
    assert (await edge.call(edge.keys.RevokeKey, revocation)).key == revoked
    call = edge.call(edge.rules.ListPresets, rules_service_pb2.ListPresetsRequest(), secret)
    assert await reason(call) == "unauthenticated"
    last = keys_pb.RevokeKeyRequest(key_id=second.keys[1].key_id)
    assert await reason(edge.call(edge.keys.RevokeKey, last)) == "forbidden"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (keys_pb.CreateKeyRequest(name="a\nb", role="KEY_ROLE_BOT"), "bad_name"),
        (keys_pb.CreateKeyRequest(role="KEY_ROLE_BOT"), "bad_name"),
        (keys_pb.CreateKeyRequest(name="a"), "bad_field"),
        (keys_pb.CreateKeyRequest(name="a", role=99), "bad_field"),  # type: ignore[arg-type]
        (keys_pb.ListKeysRequest(page_size=1_001), "bad_field"),
        (keys_pb.ListKeysRequest(page_size=-1), "bad_field"),
        (keys_pb.ListKeysRequest(page_token="x"), "bad_field"),
        (keys_pb.RevokeKeyRequest(key_id="x"), "not_found"),
    ],
)
async def test_bad_requests_for_keys_are_refused(edge: Edge, wrong: Any, why: str) -> None:
    """Names, roles, pages and ids that cannot be are refused for their reason."""
    method = {
        keys_pb.CreateKeyRequest: edge.keys.CreateKey,
        keys_pb.ListKeysRequest: edge.keys.ListKeys,
        keys_pb.RevokeKeyRequest: edge.keys.RevokeKey,
    }[type(wrong)]
    assert await reason(edge.call(method, wrong)) == why


async def test_only_organisers_manage_keys(edge: Edge) -> None:
    """Bots, spectators and seat tokens are FORBIDDEN to create, list and revoke."""
    match = await edge.create(OPEN, OPEN)
    token = (await edge.join(match.match_id)).seat_token
    _, bot = await edge.key()
    _, watcher = await edge.key("KEY_ROLE_SPECTATOR")
    for key in (bot, watcher, token):
        creation = keys_pb.CreateKeyRequest(name="x", role="KEY_ROLE_BOT")
        assert await reason(edge.call(edge.keys.CreateKey, creation, key)) == "forbidden"
        assert await reason(edge.call(edge.keys.ListKeys, keys_pb.ListKeysRequest(), key)) == (
            "forbidden"
        )
        revocation = keys_pb.RevokeKeyRequest(key_id="x")
        assert await reason(edge.call(edge.keys.RevokeKey, revocation, key)) == "forbidden"


async def test_presets_are_listed_with_their_rules(edge: Edge) -> None:
    """All presets come in the order of the reference."""
    response = await edge.call(edge.rules.ListPresets, rules_service_pb2.ListPresetsRequest())
    assert [preset.name for preset in response.presets] == list(PRESETS)
    assert all(preset.rules.hand_size for preset in response.presets)


async def test_a_choice_of_rules_can_be_checked(edge: Edge) -> None:
    """A choice that can be played is completed, any other refused as in CreateMatch."""

    def check(seats: int, option: str = "hand_size", value: str = "5") -> Any:
        override = rules_pb2.RulesOverride(option=option, value=value)
        choice = rules_pb2.RulesChoice(preset="standard_no", overrides=[override])
        request = rules_service_pb2.ValidateRulesRequest(rules=choice, seat_count=seats)
        return edge.call(edge.rules.ValidateRules, request)

    assert (await check(4)).rules.hand_size == 5
    assert (await check(0)).rules.max_players == 10
    assert await reason(check(11)) == "bad_field"
    assert await reason(check(10, value="12")) == "bad_rules"
    assert await reason(check(2, "mercy_bonus", "10")) == "bad_rules"
    assert (await check(4)).warnings == []
    assert (await check(4, "deck", "no_mercy_168")).warnings == ["preset_mismatch"]


async def test_a_record_opens_when_the_match_is_over(edge: Edge) -> None:
    """RECORD_CLOSED before, JSON lines with the secret after, nothing for strangers."""
    key_id, bot = await edge.key()
    _, stranger = await edge.key()
    match = await edge.create(reserved(key_id), house())
    request = replay_service_pb2.GetRecordRequest(match_id=match.match_id)
    assert await reason(edge.call(edge.replays.GetRecord, request, bot)) == "record_closed"
    assert await reason(edge.call(edge.replays.GetRecord, request, stranger)) == "not_found"
    await play_out(edge, match, bot)
    record = (await edge.call(edge.replays.GetRecord, request, bot)).record
    lines = [json.loads(line) for line in record.decode().splitlines()]
    assert len(lines) > 5
    assert await reason(edge.call(edge.replays.GetRecord, request, stranger)) == "not_found"


async def test_spectators_follow_a_match_to_its_end(edge: Edge) -> None:
    """First a full view, then a chain of updates without any hand, then the stream ends."""
    key_id, bot = await edge.key()
    _, watcher = await edge.key("KEY_ROLE_SPECTATOR")
    match = await edge.create(reserved(key_id), house())
    request = match_service_pb2.WatchMatchRequest(match_id=match.match_id)
    call: Any = edge.matches.WatchMatch(request, metadata=metadata(watcher))
    responses = aiter(call)
    first = (await anext(responses)).update
    assert (first.after, first.table_view.phase) == (0, 1)
    playing = asyncio.create_task(play_out(edge, match, bot))
    version, kinds = first.version, []
    async for response in responses:
        update = response.update
        assert update.after == version
        assert not update.HasField("seat")
        assert not update.HasField("seat_view")
        assert update.table_view.players
        version = update.version
        kinds += [event.WhichOneof("payload") for event in update.events]
        for event in update.events:
            assert not event.cards_drawn.cards
            assert not event.round_started.hand
    await playing
    assert kinds[-1] == "match_ended"
    late: Any = edge.matches.WatchMatch(request, metadata=metadata(watcher))
    views = [response.update async for response in late]
    assert [view.table_view.phase for view in views] == [10]


async def test_a_strangers_match_cannot_be_watched(edge: Edge) -> None:
    """A bot's key watches what it may see; another's match is NOT_FOUND."""
    key_id, bot = await edge.key()
    _, stranger = await edge.key()
    match = await edge.create(reserved(key_id), house())
    request = match_service_pb2.WatchMatchRequest(match_id=match.match_id)
    call: Any = edge.matches.WatchMatch(request, metadata=metadata(stranger))
    detail = await refused(call.read())
    assert detail.reason == 10
    own: Any = edge.matches.WatchMatch(request, metadata=metadata(bot))
    assert (await own.read()).update.match_id == match.match_id
    own.cancel()


async def test_house_bots_play_whole_matches_by_themselves(edge: Edge) -> None:
    """A table of house bots comes to its end with nobody connected."""
    match = await edge.create(house("random"), house("greedy"), house("adviser"))
    request = match_service_pb2.GetMatchRequest(match_id=match.match_id)
    watched: Any = edge.matches.WatchMatch(
        match_service_pb2.WatchMatchRequest(match_id=match.match_id),
        metadata=metadata(edge.organiser),
        timeout=10,
    )
    assert [response async for response in watched]
    found = (await edge.call(edge.matches.GetMatch, request)).match
    assert min(found.result.places) == 1


async def test_an_answer_may_come_while_the_table_is_watched(edge: Edge) -> None:
    """A player may watch its own table as everybody sees it."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), house())
    request = match_service_pb2.WatchMatchRequest(match_id=match.match_id)
    call: Any = edge.matches.WatchMatch(request, metadata=metadata(bot))
    await call.read()
    player = edge.play(bot)
    await player.hello()
    await player.send(answer(await player.turn()))
    assert (await call.read()).update.table_view.players
    call.cancel()
