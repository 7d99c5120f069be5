"""MatchService: matches are created, found, filled, given up and ended, or refused."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from lastcard.v1 import match_service_pb2 as pb
from lastcard.v1 import rules_pb2
from tests.server.edge import (
    HOUR,
    OPEN,
    PATIENT,
    Edge,
    answer,
    house,
    play_out,
    reason,
    reason_of,
    refused,
    reserved,
    running,
)


def get(edge: Edge, match_id: str, key: str | None = None) -> Any:
    """Return the call that asks for a match."""
    return edge.call(edge.matches.GetMatch, pb.GetMatchRequest(match_id=match_id), key)


def creation(**fields: Any) -> pb.CreateMatchRequest:
    """Return a request that would succeed, with some fields changed."""
    usual: dict[str, Any] = {
        "rules": rules_pb2.RulesChoice(preset="standard_no"),
        "seats": [OPEN, OPEN],
        "request_id": "r",
    }
    return pb.CreateMatchRequest(**(usual | fields))


async def test_a_match_is_created_once_and_told_complete(edge: Edge) -> None:
    """The same request of the same caller gets the same match, with rules and settings in force."""
    match = await edge.create(OPEN, house("greedy"), request_id="once")
    assert len(match.match_id) == 26
    assert match.state == pb.MATCH_STATE_OPEN
    assert [(seat.name, seat.taken) for seat in match.seats] == [("", False), ("greedy", True)]
    assert match.rules.hand_size == 7
    assert match.settings.move_limit_duration == HOUR
    assert len(match.deal_commitment) == 32
    assert await edge.create(OPEN, house("greedy"), request_id="once") == match
    _, bot = await edge.key()
    assert (await edge.create(OPEN, OPEN, request_id="once", key=bot)).match_id != match.match_id


async def test_a_request_id_serves_one_request(edge: Edge) -> None:
    """The same request_id with other content is REQUEST_ID_REUSED and creates nothing."""
    await edge.create(OPEN, OPEN, request_id="once")
    call = edge.create(OPEN, OPEN, OPEN, request_id="once")
    assert await reason(call) == "request_id_reused"


BAD_CREATIONS: dict[str, tuple[pb.CreateMatchRequest, str]] = {
    "request_id": (creation(request_id=""), "bad_field"),
    "request_id with a space": (creation(request_id="a b"), "bad_field"),
    "preset": (creation(rules=rules_pb2.RulesChoice(preset="x")), "bad_rules"),
    "one seat": (creation(seats=[OPEN]), "bad_field"),
    "eleven seats": (creation(seats=[OPEN] * 11), "bad_field"),
    "seat of nobody": (creation(seats=[OPEN, pb.SeatSpec()]), "bad_field"),
    "strategy": (creation(seats=[OPEN, house("clever")]), "bad_field"),
    "key": (creation(seats=[OPEN, reserved("nokey")]), "not_found"),
    "bot's name": (
        creation(seats=[OPEN, pb.SeatSpec(house_bot=pb.HouseBot(strategy="random", name="a\nb"))]),
        "bad_name",
    ),
    "setting": (creation(settings=pb.MatchSettings(action_cap=-1)), "bad_field"),
    "enum 99": (creation(settings=pb.MatchSettings(reactions=99)), "bad_field"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("request_", "why"), BAD_CREATIONS.values(), ids=BAD_CREATIONS)
async def test_matches_that_cannot_be_are_refused(
    edge: Edge, request_: pb.CreateMatchRequest, why: str
) -> None:
    """Each field out of its range is refused for its reason, and no match comes to be."""
    assert await reason(edge.call(edge.matches.CreateMatch, request_)) == why
    assert not (await edge.call(edge.matches.ListMatches, pb.ListMatchesRequest())).matches


async def test_seats_are_taken_by_name_and_only_once(edge: Edge) -> None:
    """Joining gives a seat and its token; a repeat the same; a full table is refused."""
    match = await edge.create(OPEN, OPEN)
    first = await edge.join(match.match_id, "Zoë", request_id="x")
    assert (first.seat, first.match.seats[0].name) == (0, "Zoë")
    assert first.seat_token.startswith("lcs_")
    again = await edge.join(match.match_id, "Zoë", request_id="x")
    assert (again.seat, again.seat_token) == (0, first.seat_token)
    assert await reason(edge.join(match.match_id, "Other", request_id="x")) == "request_id_reused"
    second = await edge.join(match.match_id, "Two")
    assert (second.seat, second.match.state) == (1, pb.MATCH_STATE_READYING)
    assert second.seat_token != first.seat_token
    assert await reason(edge.join(match.match_id, "Three")) == "table_full"


@pytest.mark.parametrize(
    "name",
    ["", "a\nb", "x" * 33, "a\u202eb", "a\u0000", " a", "a ", "<b>", "a\u0301" * 33, "é\u200d"],
)
async def test_names_with_other_characters_are_refused(edge: Edge, name: str) -> None:
    """Control, direction and other characters are BAD_NAME, and the name is not repeated."""
    match = await edge.create(OPEN, OPEN)
    detail = await refused(edge.join(match.match_id, name))
    assert detail.reason == 3
    assert name.isspace() or len(name) < 3 or name not in detail.message
    assert not (await get(edge, match.match_id)).match.seats[0].taken


async def test_names_are_shown_in_normal_form(edge: Edge) -> None:
    """A letter and its accent become one character."""
    match = await edge.create(OPEN, OPEN)
    joined = await edge.join(match.match_id, "Ame\u0301lie")
    assert joined.match.seats[0].name == "Am\u00e9lie"


@pytest.mark.parametrize("seat", [-1, 2, 99])
async def test_seats_that_do_not_exist_cannot_be_taken(edge: Edge, seat: int) -> None:
    """A seat out of range is BAD_FIELD."""
    match = await edge.create(OPEN, OPEN)
    assert await reason(edge.join(match.match_id, seat=seat)) == "bad_field"


async def test_a_reserved_seat_is_kept_for_its_key(edge: Edge) -> None:
    """The holder of the key joins it, others find the table full, and know nothing of it."""
    key_id, bot = await edge.key(name="Holder")
    _, other = await edge.key()
    match = await edge.create(reserved(key_id), house())
    assert match.seats[0].name == "Holder"
    assert await reason(edge.join(match.match_id, "x", other)) == "not_found"
    assert (await edge.join(match.match_id, "Mine", bot)).seat == 0


async def test_a_seat_can_be_given_back_before_the_start(edge: Edge) -> None:
    """Leaving frees the seat and kills its token; who does not hold it cannot."""
    _, bot = await edge.key()
    match = await edge.create(OPEN, OPEN)
    joined = await edge.join(match.match_id, "A", bot)

    def leave(seat: int, key: str) -> Any:
        request = pb.LeaveMatchRequest(match_id=match.match_id, seat=seat)
        return edge.call(edge.matches.LeaveMatch, request, key)

    assert await reason(leave(1, bot)) == "forbidden"
    assert await reason(leave(0, edge.organiser)) == "not_found"
    await leave(0, bot)
    assert not (await get(edge, match.match_id)).match.seats[0].taken
    assert await reason(get(edge, match.match_id, joined.seat_token)) == "not_found"
    assert (await edge.join(match.match_id, "A", bot)).seat_token != joined.seat_token


async def test_a_match_ends_at_the_word_of_its_creator_or_an_organiser(edge: Edge) -> None:
    """Others cannot end it; ended once it stays so; one that was played cannot be."""
    _, creator = await edge.key()
    _, guest = await edge.key()
    match = await edge.create(OPEN, OPEN, key=creator)
    await edge.join(match.match_id, "Guest", guest)
    request = pb.CancelMatchRequest(match_id=match.match_id)
    assert await reason(edge.call(edge.matches.CancelMatch, request, guest)) == "forbidden"
    cancelled = (await edge.call(edge.matches.CancelMatch, request, creator)).match
    assert cancelled.state == pb.MATCH_STATE_CANCELLED
    assert (await edge.call(edge.matches.CancelMatch, request)).match == cancelled
    assert await reason(edge.join(match.match_id, "Late")) == "match_over"


async def test_what_a_caller_may_not_know_does_not_exist(edge: Edge) -> None:
    """Another's match, a match that is not, and no match id at all are refused word for word."""
    key_id, holder = await edge.key()
    _, stranger = await edge.key()
    match = await edge.create(reserved(key_id), house(), key=holder)
    details = [
        await refused(get(edge, match_id, stranger))
        for match_id in (match.match_id, "a" * 26, "", "../etc", "\u0000", "A" * 26)
    ]
    assert {detail.SerializeToString() for detail in details} == {details[0].SerializeToString()}
    assert details[0].reason == 10
    assert (await get(edge, match.match_id, holder)).match.match_id == match.match_id


async def test_listing_shows_each_caller_its_own_newest_first(edge: Edge) -> None:
    """Pages follow one another without gap or repeat; a state filters; strangers see nothing."""
    key_id, bot = await edge.key()
    _, stranger = await edge.key()
    matches = [await edge.create(reserved(key_id), house(), key=bot) for _ in range(5)]
    await edge.call(edge.matches.CancelMatch, pb.CancelMatchRequest(match_id=matches[1].match_id))
    expected = [match.match_id for match in reversed(matches)]

    async def listed(key: str | None = None, **fields: Any) -> list[str]:
        found: list[str] = []
        request = pb.ListMatchesRequest(**fields)
        while True:
            page = await edge.call(edge.matches.ListMatches, request, key)
            assert len(page.matches) <= (request.page_size or 50)
            found += (match.match_id for match in page.matches)
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    assert await listed(bot, page_size=2) == expected
    assert await listed(page_size=100) == expected
    assert await listed(stranger) == []
    assert await listed(bot, state=pb.MATCH_STATE_CANCELLED) == [matches[1].match_id]
    assert matches[1].match_id not in await listed(bot, state=pb.MATCH_STATE_READYING)


@pytest.mark.parametrize(
    "wrong",
    [
        pb.ListMatchesRequest(page_size=101),
        pb.ListMatchesRequest(page_size=-1),
        pb.ListMatchesRequest(page_token="x"),
        pb.ListMatchesRequest(page_token="-1"),
        pb.ListMatchesRequest(page_token="9" * 30),
        pb.ListMatchesRequest(state=99),  # type: ignore[arg-type]
        pb.ListMatchesRequest(state=-1),  # type: ignore[arg-type]
    ],
)
async def test_listings_out_of_range_are_refused(edge: Edge, wrong: pb.ListMatchesRequest) -> None:
    """A page size, a token or a state that cannot be is BAD_FIELD."""
    assert await reason(edge.call(edge.matches.ListMatches, wrong)) == "bad_field"


async def test_a_key_may_have_so_many_live_matches(tmp_path: Path) -> None:
    """Beyond the quota a create is QUOTA; a repeat is not; ended matches make room."""
    async with running(tmp_path, live_matches_per_key=2) as edge:
        _, bot = await edge.key()
        first = await edge.create(OPEN, OPEN, key=bot, request_id="1")
        await edge.create(OPEN, OPEN, key=bot, request_id="2")
        assert await reason(edge.create(OPEN, OPEN, key=bot, request_id="3")) == "quota"
        assert await edge.create(OPEN, OPEN, key=bot, request_id="1") == first
        await edge.create(OPEN, OPEN)
        request = pb.CancelMatchRequest(match_id=first.match_id)
        await edge.call(edge.matches.CancelMatch, request)
        await edge.create(OPEN, OPEN, key=bot, request_id="3")


async def test_creates_at_once_do_not_pass_the_quota(tmp_path: Path) -> None:
    """Of many creates that run together just so many succeed as the quota has room for."""
    store = f"sqlite:{tmp_path / 'j.sqlite'}"
    async with running(tmp_path, store=store, live_matches_per_key=5) as edge:
        _, bot = await edge.key()
        await edge.create(OPEN, OPEN, key=bot, request_id="one")
        creates = [edge.create(OPEN, OPEN, key=bot, request_id=f"q{n}") for n in range(40)]
        outcomes = await asyncio.gather(*creates, return_exceptions=True)
        errors = [o for o in outcomes if isinstance(o, BaseException)]
        assert len(errors) == 36
        assert all(isinstance(e, grpc.aio.AioRpcError) for e in errors)


async def test_a_seat_cannot_be_given_back_in_play(edge: Edge) -> None:
    """After the start leaving is ALREADY_STARTED, and a seat that is not asked NOT_YOUR_TURN."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), reserved(key_id))
    player = edge.play(bot)
    await player.hello()
    while len(player.turns) < 2:
        await player.read()
    await player.send(*map(answer, player.turns.values()))
    turn = await player.turn()
    request = pb.LeaveMatchRequest(match_id=match.match_id, seat=0)
    assert await reason(edge.call(edge.matches.LeaveMatch, request, bot)) == "already_started"
    await player.send(answer(turn, seat=1 - turn.seat))
    (refusal,) = await player.until("refused")
    assert reason_of(refusal.error) == "not_your_turn"


async def test_roles_limit_what_a_key_may_do(edge: Edge) -> None:
    """A spectator neither creates nor joins; a seat token creates nothing."""
    _, watcher = await edge.key("KEY_ROLE_SPECTATOR")
    match = await edge.create(OPEN, OPEN)
    token = (await edge.join(match.match_id)).seat_token
    assert await reason(edge.create(OPEN, OPEN, key=watcher)) == "forbidden"
    assert await reason(edge.join(match.match_id, "x", watcher)) == "forbidden"
    assert await reason(edge.create(OPEN, OPEN, key=token)) == "forbidden"
    assert (await get(edge, match.match_id, watcher)).match.match_id == match.match_id


async def test_a_token_for_another_match_opens_nothing(edge: Edge) -> None:
    """A seat token is worth nothing at any other table."""
    one, two = await edge.create(OPEN, OPEN), await edge.create(OPEN, OPEN)
    token = (await edge.join(one.match_id)).seat_token
    assert (await get(edge, one.match_id, token)).match.match_id == one.match_id
    assert await reason(get(edge, two.match_id, token)) == "not_found"


async def test_a_match_that_was_played_tells_its_result(edge: Edge) -> None:
    """GetMatch shows places; cancelling or joining it is MATCH_OVER."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), house(), settings=PATIENT)
    await play_out(edge, match, bot)
    played = (await get(edge, match.match_id)).match
    assert played.state == pb.MATCH_STATE_FINISHED
    assert sorted(played.result.places) == [1, 2]
    request = pb.CancelMatchRequest(match_id=match.match_id)
    assert await reason(edge.call(edge.matches.CancelMatch, request)) == "match_over"
