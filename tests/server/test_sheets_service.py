"""RulesService sets sheets and picks rules, and refuses what it does not know by name."""

from typing import Any

import pytest

from lastcard.v1 import rules_pb2
from lastcard.v1 import rules_service_pb2 as pb
from tests.server.edge import Edge, reason_of, refused


def sheet(preset: str = "house_dk", **more: Any) -> pb.GetSheetRequest:
    """Return a request for a sheet, Danish unless told otherwise."""
    choice = rules_pb2.RulesChoice(
        preset=preset,
        overrides=[rules_pb2.RulesOverride(option=o, value=v) for o, v in more.pop("rules", ())],
    )
    return pb.GetSheetRequest(rules=choice, **({"language": "da"} | more))


@pytest.mark.parametrize(
    ("more", "media_type", "start"),
    [
        ({}, "text/plain; charset=utf-8", "Aftenens regler: Danske husregler\n"),
        ({"format": "html", "theme": "dark"}, "text/html; charset=utf-8", "<!doctype html>\n"),
        ({"format": "pdf"}, "application/pdf", "%PDF-1."),
    ],
)
async def test_a_sheet_is_a_document(
    edge: Edge, more: dict[str, str], media_type: str, start: str
) -> None:
    """Text unless asked for otherwise, each with its media type."""
    response: pb.GetSheetResponse = await edge.call(edge.rules.GetSheet, sheet(**more))
    assert response.media_type == media_type
    assert response.content.startswith(start.encode())


async def test_a_sheet_tells_of_overrides(edge: Edge) -> None:
    """Values in text are read as for a match."""
    rules = [("uno_penalty_cards", "7"), ("deck_extras", "custom_wild=2"), ("seven_zero", "true")]
    response = await edge.call(edge.rules.GetSheet, sheet("official_dk", rules=rules))
    text = response.content.decode()
    assert "* Den, der bliver opdaget, trækker 7 strafkort fra trækbunken." in text
    assert "de klassiske 108 plus 2 " in text


@pytest.mark.parametrize(
    ("more", "why", "sentence"),
    [
        ({"language": ""}, "bad_field", "language must be sv, nb, da or en."),
        ({"language": "fi"}, "bad_field", "language must be sv, nb, da or en."),
        ({"format": "docx"}, "bad_field", "format must be text, html or pdf."),
        ({"format": "pdf", "theme": "blue"}, "bad_field", "theme must be light or dark."),
        ({"preset": "hose_dk"}, "bad_rules", "There is no such preset (did you mean house_dk?); "),
        ({"preset": "x" * 9_999}, "bad_rules", "There is no such preset; there are official_se, "),
        ({"rules": [("jump_in", "x")]}, "bad_rules", "jump_in may be off, identical."),
        ({"rules": [("mercy_bonus", "5")]}, "bad_rules", "mercy_bonus does not go with "),
        ({"rules": [("jump_in", "off")] * 2}, "bad_rules", "An option may be overridden only "),
    ],
)
async def test_a_sheet_that_cannot_be_is_refused(
    edge: Edge, more: dict[str, Any], why: str, sentence: str
) -> None:
    """The refusal names the field and what it may be."""
    detail = await refused(edge.call(edge.rules.GetSheet, sheet(**more)))
    assert reason_of(detail) == why
    assert detail.message.startswith(sentence)


async def test_a_pdf_is_refused_for_a_letter_it_lacks(edge: Edge) -> None:
    """The letter is named by its number, which repeats nothing; HTML prints it."""
    request = sheet("official_se", format="pdf")
    request.rules.custom_rules.add(rule_id="a", text="Ω!", operations=["draw(next,1)"])
    detail = await refused(edge.call(edge.rules.GetSheet, request))
    assert reason_of(detail) == "bad_field"
    assert detail.message.startswith("format: a PDF holds the letters of Western Europe, and U+")
    assert "Ω" not in detail.message
    request.format = "html"
    response = await edge.call(edge.rules.GetSheet, request)
    assert "Ω!" in response.content.decode()


async def test_a_pick_is_a_choice_with_reasons(edge: Edge) -> None:
    """What is picked can be sent back as it is; the preset's reason comes first."""
    request = pb.PickRulesRequest(
        player_count=4, minutes=200, book="dk", box="new_112", house_rules=["last_number"]
    )
    picked: pb.PickRulesResponse = await edge.call(edge.rules.PickRules, request)
    assert picked.rules.preset == "official_dk"
    assert [(o.option, o.value) for o in picked.rules.overrides] == [("finish_card", "number_only")]
    assert [list(reason.options) for reason in picked.reasons] == [[], ["finish_card"]]
    checked = pb.ValidateRulesRequest(rules=picked.rules, seat_count=4)
    assert (await edge.call(edge.rules.ValidateRules, checked)).rules.finish_card == 2


async def test_a_pick_has_defaults(edge: Edge) -> None:
    """The number of players is all that must be said."""
    picked = await edge.call(edge.rules.PickRules, pb.PickRulesRequest(player_count=3))
    assert picked.rules.preset == "standard_no"
    danish = pb.PickRulesRequest(player_count=3, language="da")
    assert (
        (await edge.call(edge.rules.PickRules, danish)).reasons[0].text.startswith("Udgangspunktet")
    )


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"player_count": 0}, "player_count must be 2 to 10."),
        ({"player_count": 11}, "player_count must be 2 to 10."),
        ({"minutes": 4}, "minutes must be 5 to 600."),
        ({"harshness": "nice"}, "harshness must be gentle, usual, harsh or merciless."),
        ({"book": "fi"}, "book must be se, se_family, no or dk."),
        ({"box": "113"}, "box must be classic_108, new_112, old_112, swap_112 or no_mercy_168."),
        ({"house_rules": ["stack"]}, "house_rules must be stack_draw_two, stack_any, "),
        ({"house_rules": ["jump_in"] * 2}, "house_rules may hold each rule only once."),
        ({"house_rules": ["pairs"]}, "house_rules: pairs need 4 players; 3 play."),
        ({"language": "fi"}, "language must be sv, nb, da or en."),
    ],
)
async def test_answers_that_cannot_be_are_refused(
    edge: Edge, answers: dict[str, Any], sentence: str
) -> None:
    """Every field says what it may be."""
    request = pb.PickRulesRequest(**({"player_count": 3} | answers))
    detail = await refused(edge.call(edge.rules.PickRules, request))
    assert reason_of(detail) == "bad_field"
    assert detail.message.startswith(sentence)
