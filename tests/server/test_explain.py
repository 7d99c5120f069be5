"""RulesService.Explain rules on acts and disputes, says why, and tells nothing that is hidden."""

from typing import Any

import pytest

from lastcard.v1 import match_service_pb2, rules_pb2
from lastcard.v1 import rules_service_pb2 as pb
from lastcard_engine.cards import NAMES
from lastcard_server.referee.disputes import DISPUTES
from tests.server.edge import Edge, answer, house, reason_of, refused, reserved
from tests.server.test_play_unary import act, turns

HANDS = "hands=W4,r2,b3/6/7 discards=r5"


def asked(preset: str = "standard_no", **question: Any) -> pb.ExplainRequest:
    """Return a request; `position` and `action`, `match` or `dispute` say of what kind."""
    rules = rules_pb2.RulesChoice(preset=preset)
    if "dispute" in question:
        return pb.ExplainRequest(rules=rules, dispute=pb.DisputeQuestion(**question))
    return pb.ExplainRequest(rules=rules, position=pb.PositionQuestion(**question))


async def test_a_position_is_ruled_on(edge: Edge) -> None:
    """Verdict, outcome, clauses with book and edition, options; as the command line has them."""
    request = asked(position=HANDS, action="play W4 g", seat=0)
    (ruling,) = (await edge.call(edge.rules.Explain, request)).rulings
    assert ruling.verdict == pb.VERDICT_BLUFF
    assert "seat 1 draws 4 unless there is a challenge" in ruling.text
    first = ruling.clauses[0]
    assert (first.clause_id, first.book) == ("R119", "D1")
    assert first.wording == "Allowed only when you hold no card of the colour in force"
    assert first.edition.startswith("newer standard rules")
    assert ("wd4_legality", "no_colour", False) in {
        (option.option, option.value, option.is_house_rule) for option in ruling.options
    }


async def test_disputes_are_decided_one_or_all(edge: Edge) -> None:
    """Without a name all five come in the order of the page."""
    response = await edge.call(edge.rules.Explain, asked("house_dk", dispute=""))
    assert [ruling.dispute for ruling in response.rulings] == list(DISPUTES)
    request = asked("house_dk", dispute="special-finish")
    (ruling,) = (await edge.call(edge.rules.Explain, request)).rulings
    assert ruling.verdict == pb.VERDICT_NO
    assert [clause.clause_id for clause in ruling.clauses] == ["R189"]
    assert [option.is_house_rule for option in ruling.options] == [True]


@pytest.mark.parametrize(
    ("request_", "why", "sentence"),
    [
        (pb.ExplainRequest(), "bad_field", "Set position, match or dispute."),
        (asked(dispute="weather"), "bad_field", "dispute must be stacking, forgotten-uno, "),
        (asked("house_dl", dispute=""), "bad_rules", "There is no such preset (did you mean "),
        (asked(position=HANDS, action="play purple"), "bad_action", "action must be one in "),
        (asked(position=HANDS, action="draw" * 99), "bad_action", "action must be one in "),
        (asked(position="", action="draw"), "bad_field", "position: a position is name=value "),
        (asked(position="x" * 4_097, action="draw"), "bad_field", "position may have 4,096 "),
        (asked(position=HANDS, action="draw", seat=1), "bad_field", "position: hands shows the "),
        (asked(position="hands=r1/99/99 discards=r5", action="draw"), "bad_field", "position: "),
    ],
)
async def test_what_cannot_be_ruled_on_is_refused(
    edge: Edge, request_: pb.ExplainRequest, why: str, sentence: str
) -> None:
    """With its reason and one sentence that does not repeat what was sent."""
    detail = await refused(edge.call(edge.rules.Explain, request_))
    assert reason_of(detail) == why
    assert detail.message.startswith(sentence)
    assert "purple" not in detail.message
    assert "xxx" not in detail.message


async def _seated(edge: Edge) -> tuple[match_service_pb2.Match, str]:
    """Return a match of a key on seat 0 against a house bot, and the key."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), house())
    (ready,) = (await turns(edge, bot)).turns
    await act(edge, bot, answer(ready))
    return match, bot


def _at(match_id: str, seat: int, action: str, **more: Any) -> pb.ExplainRequest:
    question = pb.MatchQuestion(match_id=match_id, seat=seat, action=action)
    return pb.ExplainRequest(match=question, **more)


async def test_s21_a_seat_of_a_match_asks_from_its_own_view(edge: Edge) -> None:
    """A card it does not hold is refused alike whoever holds it; no card is named but the asked."""
    match, bot = await _seated(edge)
    texts = set()
    for card in NAMES[:13]:
        request = _at(match.match_id, 0, f"play {card}")
        (ruling,) = (await edge.call(edge.rules.Explain, request, bot)).rulings
        assert ruling.clauses
        if "you do not hold" in ruling.text:
            texts.add(ruling.text)
    assert texts == {"you do not hold that card"}


async def test_the_seat_of_another_cannot_be_asked_for(edge: Edge) -> None:
    """Nor a match that is none of the caller's, nor rules beside those of the match."""
    match, bot = await _seated(edge)
    _, stranger = await edge.key(name="stranger")
    for request, key, why in (
        (_at(match.match_id, 1, "draw"), bot, "forbidden"),
        (_at(match.match_id, 0, "draw"), stranger, "not_found"),
        (_at("a" * 26, 0, "draw"), bot, "not_found"),
        (_at(match.match_id, 0, "fly"), bot, "bad_action"),
        (
            _at(match.match_id, 0, "draw", rules=rules_pb2.RulesChoice(preset="house_dk")),
            bot,
            "bad_field",
        ),
    ):
        assert reason_of(await refused(edge.call(edge.rules.Explain, request, key))) == why


async def test_a_match_that_has_not_started_has_no_ruling(edge: Edge) -> None:
    """Nothing is dealt that could be ruled on."""
    key_id, bot = await edge.key()
    match = await edge.create(reserved(key_id), reserved(key_id))
    request = _at(match.match_id, 0, "draw")
    assert reason_of(await refused(edge.call(edge.rules.Explain, request, bot))) == "not_started"
