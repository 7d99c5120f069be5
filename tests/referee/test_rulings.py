"""Does the referee rule as the engine does, from what one seat sees, and cite what decides?"""

from dataclasses import replace
from random import Random

import pytest

import lastcard_engine as engine
from lastcard_server.referee.ruling import Verdict, rule
from lastcard_server.referee.seen import seen_by
from lastcard_server.sheets.choice import Choice
from tests.properties.candidates import candidates
from tests.properties.matches import new_match, step
from tests.referee.asking import ask, ids

RULED = [
    # preset, position, action, verdict, rows, what the sentence says
    ("official_dk", "hands=bD2,g1/6/7 discards=rD2 pending=2", "play bD2", "no", {"R226", "R105"},
     "bD2 does not answer it"),
    ("official_dk", "hands=bD2,g1/6/7 discards=rD2 pending=2", "accept_draw", "yes",
     {"R105", "R110"}, "you draw 2 and lose the turn, then seat 1 is next"),
    ("house_dk", "hands=bD2,g1/6/7 discards=rD2 pending=2", "play bD2 uno", "yes",
     {"R229", "Q43"}, "seat 1 draws 4 unless an answer is laid on it"),
    ("no_mercy", "hands=rD2,g1/6/7 discards=rD4 pending=4", "play rD2", "no", {"R241", "NM05"},
     "rD2 may not be laid on that draw card here"),
    ("no_mercy", "hands=W6,g1,b2/6/7 discards=rD4 pending=4", "play W6 g", "yes",
     {"R241", "NM05", "R022"}, "green is the colour, seat 1 draws 10 unless"),
    ("standard_no", "hands=W4,r2,b3/6/7 discards=r5", "play W4 g", "bluff",
     {"R119", "R126", "R132", "R110", "R111"}, "seat 1 draws 4 unless there is a challenge"),
    ("standard_no", "hands=W4,g5,b3/6/7 discards=r5", "play W4 g", "yes",
     {"R119", "R120", "R121", "R110", "R126", "R111"}, "seat 1 draws 4 unless"),
    ("family_se", "hands=W4,r2,b3/6/7 discards=r5", "play W4 g", "bluff",
     {"R119", "R138", "R110"}, "you draw 4"),
    ("house_dk", "hands=W4,r2,b3/6/7 discards=r5", "play W4 g", "yes", {"R125", "R110"},
     "seat 1 draws 4"),
    ("house_dk", "hands=b1,r2/6/7 discards=W4 colour=g pending=4", "challenge", "no", {"R125"},
     "no wild draw four to challenge"),
    ("house_dk", "hands=b1,r2,bD2/6/7 discards=W4 colour=g pending=4", "accept_draw", "yes",
     {"R105", "R110"}, "you draw 4 and lose the turn"),
    ("house_dk", "hands=b1,r2,bD2/6/7 discards=W4 colour=g pending=4", "play bD2", "no",
     {"R229"}, "does not answer it"),
    ("house_no", "hands=W4,rD2,b1/6/7 discards=gD2 pending=2", "play W4 g", "bluff",
     {"S10", "R126", "R132", "R110", "R111"}, "seat 1 draws 6 unless"),
    ("pairs_se", "hands=b1,r2/6/1/7 discards=r4 duty=0,0,3,0 serial=4", "catch 2", "no",
     {"R176", "S04", "R171", "Q12"}, "nothing to catch"),
    ("family_se", "hands=b1,r2/6/7 discards=r4", "challenge", "no", {"R138"}, "no wild draw four"),
    ("house_dk", "hands=rS/3/4 discards=r7", "play rS", "no", {"R189", "Q52"}, "must be a number"),
    ("official_dk", "hands=rS/3/4 discards=r7", "play rS", "yes", {"R185", "R186", "S14"},
     "you win the round"),
    ("official_dk", "hands=rD2/3/4 discards=r7", "play rD2", "yes",
     {"R185", "R186", "R187", "R188"}, "seat 1 draws 2, you win the round"),
    ("standard_no", "hands=6/1/r5,g4 discards=g7 duty=0,1,0 serial=2", "catch 1", "yes", {"R168"},
     "seat 1 is caught, seat 1 draws 2"),
    ("standard_no", "hands=6/1/r5,g4 discards=g7 duty=0,1,0 serial=2 turn=2 begun=1", "catch 1",
     "no", {"R176", "S04", "R168", "R169"}, "nothing to catch"),
    ("standard_no", "hands=6/1/r5,g4 discards=g7 duty=0,1,0 serial=3 turn=2", "catch 1", "no",
     {"R176", "S04", "R168", "R169"}, "nothing to catch"),
    ("guide_se", "hands=6/1/r5,g4 discards=g7 duty=0,1,0 serial=2 turn=2 begun=1", "catch 1",
     "yes", {"R170"}, "seat 1 draws 2"),
    ("house_dk", "hands=6/1/r5,g4 discards=g7 duty=0,1,0 serial=2 turn=2 begun=1", "catch 1",
     "yes", {"R183", "R182"}, "seat 1 draws 4"),
    ("standard_no", "hands=r5,g4/3/4 discards=g7", "play g4", "yes", {"R060", "R166"},
     "seat 1 is next; you have not called UNO, which costs 2"),
    ("standard_no", "hands=r5,g4/3/4 discards=g7 turn=1", "play g4", "no",
     {"R034", "R035", "R233"}, "not your turn"),
    ("official_dk", "hands=r5,g4/3/4 discards=g7", "draw", "yes", {"R091"}, "you draw 1"),
    ("official_se", "hands=r5,b4/3/4 discards=g7 draw=0", "draw", "yes",
     {"R087", "R191"}, "the discards but the top one become the draw pile, you draw 1"),
    ("standard_no", "hands=r5,b4/3/4 discards=g7 draw=0", "draw", "yes",
     {"R087", "R192"}, "become the draw pile"),
    ("standard_no", "hands=r5,b4/52/53 discards=g7", "draw", "yes", {"R087", "Q01"},
     "you draw nothing, for the piles are empty, then seat 1 is next"),
    ("standard_no", "hands=r5,g4/52/53 discards=g7", "draw", "no", {"S02"}, "lay"),
    ("pairs_se", "hands=r8/6/7/5 discards=r6", "play r8", "yes", {"R185", "R218", "R219"},
     "you and seat 2 win the round"),
    ("family_se", "hands=r8,g1/6/7 discards=rS turn=2", "call_uno", "yes", {"Q08", "R181"},
     "nothing changes"),
    ("family_se", "hands=r8,g1/6/7 discards=rS", "call_uno", "yes", {"R166"},
     "the call counts if a card of this turn leaves you with one"),
    ("family_se", "hands=r5,g4/3/4 discards=g7", "draw", "no", {"R094"}, "must lay one"),
    ("no_mercy", "hands=r5,g4/3/4 discards=b7", "draw", "yes", {"R098", "NM09"},
     "you draw until a card fits"),
    ("official_dk_literal", "hands=bS,g4,g1/3/4 discards=yS", "play bS", "no", {"R077", "C24"},
     "fits neither"),
    ("standard_no", "hands=bS,g4,g1/3/4 discards=yS", "play bS", "yes", {"R060", "R069", "R099"},
     "seat 1 loses the turn, then seat 2 is next"),
    ("duel_no", "hands=bR,g4,g1/3 discards=yR", "play bR", "yes",
     {"R060", "R069", "R101", "R115"}, "then it is your turn"),
    ("house_no", "hands=r7,g4,b2/3/4 discards=b7", "play r7 >2", "yes", {"R060", "R234", "Q32"},
     "you swap hands with seat 2"),
    ("house_no", "hands=3/r7,g4,b2/4 discards=r7 turn=2 laid_by=0", "jump_in r7 >2", "yes",
     {"R232", "S11", "R234", "Q32"}, "you swap hands with seat 2"),
    ("standard_no", "hands=3/r7,g4,b2/4 discards=r7 turn=2", "jump_in r7", "no",
     {"R233", "R034", "R035"}, "jump-in is off"),
    ("no_mercy", "hands=rDA,r3,b5/3/4 discards=r7", "play rDA uno", "yes",
     {"R060", "R069", "R247", "NM18"}, "you lay out cards with it"),
    ("no_mercy", "hands=WCR,r3,r5/24/4 discards=r7", "play WCR", "yes",
     {"R080", "R248", "NM21"}, "seat 1 names the colour"),
    ("no_mercy", "hands=y1,y2/3/4 discards=WCR colour=r phase=choose_colour", "play y1", "no",
     {"R248", "NM21"}, "name the colour of the roulette"),
    ("no_mercy", "hands=21/r3,r5/4 discards=r7 drawn=r3 turn=1", "keep", "no", {"R098"},
     "must be laid"),
    ("no_mercy", "hands=rD4,b5/24/4 discards=r7", "play rD4", "yes",
     {"R060", "R069", "R241", "NM05", "R166"}, "seat 1 draws 4 unless"),
    ("official_se", "hands=WC,b5,b6/4/4 discards=r7", "play WC g", "yes", {"R080", "R081", "Q34"},
     "green is the colour"),
    ("official_se", "hands=b5,b6/4/4 discards=W phase=choose_colour", "choose_colour g", "yes",
     {"R043"}, "green is the colour, then it is your turn"),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "position", "action", "verdict", "rows", "says"), RULED)
def test_an_act_is_ruled_on(
    preset: str, position: str, action: str, verdict: str, rows: set[str], says: str
) -> None:
    """Verdict, deciding rows and outcome, as the books have them."""
    ruling = ask(preset, position, action)
    assert ruling.verdict == verdict, ruling
    assert ids(ruling) == rows
    assert says in ruling.text
    assert (ruling.verdict == "no") == bool(ruling.reason)


def test_r126_a_challenge_says_that_it_rests_on_a_hidden_hand() -> None:
    """It is allowed; what follows is told both ways, and no card is named."""
    ruling = ask("standard_no", "hands=b1,r2/6/7 discards=W4 colour=g pending=4", "challenge")
    assert ruling.verdict == "yes"
    assert ruling.hidden
    assert "was lawful, you draw 6 and lose the turn, then seat 1 is next" in ruling.text
    assert "was unlawful, seat 2 draws 4, then it is your turn" in ruling.text
    assert {"R132", "R134"} < ids(ruling)


def test_s10_a_challenge_in_a_chain_takes_the_whole_sum() -> None:
    """Guilty, the offender takes it; innocent, the challenger two more."""
    position = "hands=b1,r2/6/7 discards=rD2,W4 colour=g pending=6"
    ruling = ask("house_no", position, "challenge")
    assert "you draw 8" in ruling.text
    assert "seat 2 draws 6" in ruling.text
    assert "S10" in ids(ruling)


PRESETS = ("official_se", "house_no", "no_mercy", "family_se_literal", "short_se", "pairs_se")
OPEN_TO_VIEWS = (engine.Catch, engine.CallUno, engine.JumpIn, engine.BeginTurn)
"""Acts whose ruling may depend on what a view does not tell."""


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("reactions", ["race", "polled"])
def test_s21_rulings_from_views_agree_with_the_engine(preset: str, reactions: str) -> None:
    """At random tables, for acts of all kinds by all seats; what depends says so."""
    dice = Random(f"{preset} {reactions}")
    state = new_match(preset, 5, reactions=reactions, seats=4, hand_size=4)
    choice = Choice(preset, state.rules)
    ruled = 0
    for _ in range(60):
        if not state.running:
            break
        for seat in (engine.Seat(seat) for seat, plays in enumerate(state.active) if plays):
            some = dice.sample(candidates(state), 3) + engine.legal_actions(state, seat)[:1]
            ruled += sum(agrees(choice, state, seat, action) for action in some)
        step(state, dice)
    assert ruled > 100


def agrees(choice: Choice, state: engine.State, seat: engine.Seat, action: engine.Action) -> bool:
    """Compare a ruling from the seat's view with the engine's; False where it depends."""
    ruling = rule(choice, seen_by(engine.view(state, seat), state.settings.reactions), action)
    if ruling.verdict is Verdict.DEPENDS:
        assert isinstance(action, OPEN_TO_VIEWS)
        return False
    reason = refusal(state, seat, action)
    case = (engine.format_position(state), seat, action, ruling)
    assert (ruling.verdict is Verdict.NO) == bool(reason), case
    assert (ruling.verdict is Verdict.BLUFF) <= engine.is_bluff(state, seat, action), case
    told = reason == engine.Reason.ALREADY_ANSWERED or " - or: " in ruling.text
    assert told or ruling.reason == reason, case
    return True


def refusal(state: engine.State, seat: engine.Seat, action: engine.Action) -> str:
    """Return why the engine refuses an act; empty where it does not."""
    try:
        engine.check(state, seat, action)
    except engine.RuleViolation as violation:
        return str(violation.reason)
    return ""


def test_s21_a_view_does_not_tell_who_forgot_to_call() -> None:
    """Q70: a catch at a running match depends on it, and the ruling says so."""
    hands = (("r2", "b3"), ("r1", "g1"), ("y1", "y2"))
    state = engine.position(
        engine.preset("standard_no"),
        [[*map(engine.parse_card, hand)] for hand in hands],
        engine.parse_card("r6"),
        settings=engine.Settings(reactions=engine.Reactions.RACE),
        draw=[engine.parse_card("b9")] * 3,
    )
    engine.apply(state, engine.Seat(0), *engine.parse_action("play r2"))
    seen = seen_by(engine.view(state, engine.Seat(1)), engine.Reactions.RACE)
    seen = replace(seen, beneath=None)  # the piles above do not hold the whole deck
    ruling = rule(Choice("standard_no", state.rules), seen, engine.Catch(engine.Seat(0)))
    assert (ruling.verdict, ruling.hidden) == (Verdict.DEPENDS, True)
    assert ruling.text.startswith("it depends on what you cannot see: ")
