"""Does the adviser follow the books' tips, each on its own, and does it beat `greedy`?"""

import pytest

from lastcard.bots import adviser
from lastcard.bots.tips import TIPS
from lastcard.v1 import card_pb2, event_pb2, rules_pb2, turn_pb2
from tests.clients.turns import card, turn

PAIRS = rules_pb2.Rules(teams=rules_pb2.TEAMS_PAIRS)
NUMBER_LAST = rules_pb2.Rules(finish_card=rules_pb2.FINISH_CARD_NUMBER_ONLY)
MERCY = rules_pb2.Rules(mercy_limit=25, seven_zero=True)
TURN_ONLY = rules_pb2.Rules(reverse_two_players=rules_pb2.REVERSE_TWO_PLAYERS_TURN_ONLY)
SKIPS = rules_pb2.Rules(reverse_two_players=rules_pb2.REVERSE_TWO_PLAYERS_SKIP)
NONE = rules_pb2.Rules()


def advised(asked: turn_pb2.Turn, *actions: str) -> str:
    """Return what the adviser chooses, by the notation given to the turn."""
    return actions[adviser.choose(asked)]


@pytest.mark.parametrize(
    ("tip", "actions", "hand", "counts", "rules", "expected"),
    [
        ("B01", "r9|rS|draw", "r9 r1 rS", (3, 1, 7), NONE, "rS"),
        ("B01", "r9|rD2|draw", "r9 r1 rD2", (3, 1), NONE, "rD2"),
        ("B16", "W b|W4 b|draw", "b1 b2 g1 W W4", (5, 7), NONE, "W b"),
        ("B02", "r1|rR|draw", "r1 r2 rR", (3, 1, 7), NONE, "rR"),
        ("B02", "r1|rR|draw", "r1 r2 rR", (3, 7, 1), NONE, "r1"),
        ("B02", "r1|rR|draw", "r1 rR b2 g1", (4, 7), SKIPS, "rR"),
        ("B19", "r5|r6|draw", "r5 r6 b5 g5 y1", (5, 7, 7), NONE, "r5"),
        ("B08", "r9|W b|draw", "r9 b1 b2 g3 y4 y5 W", (7, 1), NONE, "W b"),
        ("B11", "r9|rS|draw", "r9 r1 r2 rS", (4, 1, 7, 7), PAIRS, "rS"),
        ("B11", "r9|rR|draw", "r9 r1 r2 rR", (4, 7, 7, 1), PAIRS, "r9"),
        ("B12", "W r|W y|W g|W b|draw", "W g1 g2 b3", (4, 2), NONE, "W g"),
        ("B13", "r7|W b|draw", "r7 b1 b2 b3 W", (5, 7), NONE, "r7"),
        ("B13", "W b|draw", "b1 b2 g3 W", (4, 7), NONE, "draw"),
        ("B13", "W b|draw", "b1 b2 g3 W", (4, 7, 7), NONE, "W b"),
        ("B13", "r1|W r|draw", "r1 W", (2, 5, 5), NONE, "r1"),
        ("B15", "r1|r9|draw", "r1 r9 b3", (3, 7), NONE, "r9"),
        ("B17", "W b|draw", "b1 b2 g3 W", (4, 2), NONE, "W b"),
        ("B19", "r5|g5|draw", "r5 g5 g1 g2 g3", (5, 7), NONE, "g5"),
        ("B19", "g5|W g|draw", "g5 g1 g2 g3 W", (5, 7), NONE, "g5"),
        ("B25", "r7 >1|r7 >2|draw", "r7 r1 b2 b3", (4, 2, 6), MERCY, "r7 >1"),
        ("B25", "r0|r1|draw", "r0 r1", (2, 7, 9), MERCY, "r1"),
        ("B25", "r0|r1|draw", "r0 r1 b1 b2 b3 b4", (6, 7, 2), MERCY, "r0"),
        ("B25", "b5|WS b|draw", "b5 WS r1 r2 r3 r4 y1 y2 y3 y4", (10, 1, 2), NONE, "WS b"),
        ("B26", "r9|rD2|draw", "r9 r1 r2 rD2", (4, 20, 7), MERCY, "rD2"),
        ("NM18", "r9|rDA|draw", "r9 r1 r2 r3 rDA b1", (6, 7, 7), MERCY, "rDA"),
        ("S15", "r5|rS|draw", "r5 rS", (2, 7, 7), NUMBER_LAST, "rS"),
        ("B01", "r9|rD2|draw", "r9 r1 r2 rD2 b3", (5, 1, 7, 7), NONE, "rD2"),
        ("B02", "r9|rR|draw", "r9 r1 rR b1 b2 g1", (6, 7, 7, 1), NONE, "r9"),
        ("B12", "r5|g5|draw", "r5 g5 g1 b2 b3 y1", (6, 7, 7, 7), NONE, "g5"),
        ("B13", "r5|W b|draw", "r5 b1 W", (3, 7, 7, 7), NONE, "r5"),
        ("B13", "rS|W r|draw", "rS W", (2, 7, 7, 7), NONE, "rS"),
        ("B17", "W b|draw", "W b1 b2 g3 y4", (5, 7, 7, 1), NONE, "W b"),
        ("B19", "r5|b5|draw", "r5 b5 b1", (3, 7, 7, 7), NONE, "b5"),
        ("S15", "r5|W r|draw", "r5 W", (2, 7, 7, 7), NUMBER_LAST, "W r"),
        ("B18", "W4 b!|draw", "W4 r1 b2", (3, 1), NONE, "draw"),
    ],
)
def test_the_adviser_lays_what_the_tip_says(
    tip: str,
    actions: str,
    hand: str,
    counts: tuple[int, ...],
    rules: rules_pb2.Rules,
    expected: str,
) -> None:
    """Threats, colours, reserves, points, swaps, mercy and the partner decide as the tips say."""
    names = actions.split("|")
    asked = turn(*names, hand=hand, counts=counts)
    asked.rules.CopyFrom(rules)
    assert advised(asked, *names) == expected, tip


def drawn(seat: int, cause: str = "DRAW_CAUSE_TURN") -> event_pb2.Event:
    """Return that a seat drew a card."""
    return event_pb2.Event(cards_drawn=event_pb2.CardsDrawn(seat=seat, card_count=1, cause=cause))


def laid(seat: int, name: str, colour: card_pb2.Colour) -> event_pb2.Event:
    """Return that a seat laid a card."""
    return event_pb2.Event(
        card_played=event_pb2.CardPlayed(seat=seat, card=card(name), colour=colour)
    )


RED, GREEN = card_pb2.COLOUR_RED, card_pb2.COLOUR_GREEN


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([laid(0, "r3", RED), drawn(1)], "r5"),
        ([laid(0, "g3", GREEN), drawn(1)], "g5"),
        ([laid(0, "g3", GREEN), laid(1, "W", RED)], "g5"),
        ([laid(0, "g3", GREEN), drawn(1, "DRAW_CAUSE_DRAW_CARD"), laid(2, "W", RED)], "r5"),
        ([laid(0, "g3", GREEN), drawn(2)], "r5"),
        (
            [
                laid(0, "g3", GREEN),
                drawn(1),
                event_pb2.Event(hands_moved=event_pb2.HandsMoved()),
            ],
            "r5",
        ),
    ],
)
def test_the_adviser_leaves_what_the_next_seat_lacks(
    events: list[event_pb2.Event], expected: str
) -> None:
    """B03: it drew on a colour: it lacks it; it named one: it holds it; new hands wipe that out."""
    names = ("r5", "g5", "draw")
    asked = turn(*names, hand="r5 g5 r1 g1 y2", counts=(5, 7, 7))
    asked.events.extend(events)
    assert advised(asked, *names) == expected


def test_the_adviser_names_a_colour_that_the_next_seat_lacks() -> None:
    """B03 and B12, also where a colour is a turn of its own."""
    for names in (["W r", "W g", "draw"], ["choose_colour r", "choose_colour g"]):
        asked = turn(*names, hand="W r1 r2 g1", counts=(4, 2))
        assert advised(asked, *names) == names[0]
        asked.events.extend([laid(0, "g3", GREEN), drawn(1)])
        assert advised(asked, *names) == names[1]


@pytest.mark.parametrize(("held", "expected"), [(2, "accept_draw"), (14, "challenge")])
def test_the_adviser_doubts_those_who_hold_many_cards(held: int, expected: str) -> None:
    """B23: the offender sits before the challenger in the direction of play."""
    names = ("accept_draw", "challenge")
    kind = turn_pb2.TURN_KIND_CHALLENGE
    asked = turn(*names, hand="r1", top="W4", counts=(1, 5, held), kind=kind)
    assert advised(asked, *names) == expected


def test_the_adviser_answers_draw_cards() -> None:
    """B24: it stacks rather than draw, and always where drawing would knock it out (B26)."""
    names = ("accept_draw", "W10 b")
    asked = turn(*names, hand="W10 b1 b2 b3", counts=(4, 7))
    asked.view.table.pending_draw_count = 4
    assert advised(asked, *names) == "W10 b"


def test_the_adviser_calls_catches_and_jumps_in() -> None:
    """B20: calls and catches at once; B27: it jumps in, unless a threat comes next."""
    offers = ("pass", "catch 1", "jump_in r5")
    assert advised(turn(*offers, hand="r5 b1", counts=(2, 4)), *offers) == "catch 1"
    names = ("pass", "call_uno")
    assert advised(turn(*names, hand="r5", counts=(1, 4)), *names) == "call_uno"
    names = ("pass", "jump_in r5")
    assert advised(turn(*names, hand="r5 b1", counts=(2, 4)), *names) == "jump_in r5"
    assert advised(turn(*names, hand="r5 b1", counts=(2, 1)), *names) == "pass"


def test_the_adviser_aims_at_the_smallest_hand() -> None:
    """B25, where the first card asks for a seat."""
    names = ("choose_target 1", "choose_target 2")
    assert advised(turn(*names, hand="r5 b1", counts=(2, 6, 3)), *names) == "choose_target 2"


@pytest.mark.parametrize(
    ("laid_out", "rules", "expected"),
    [
        (True, NONE, "choose_card g2"),
        (False, NONE, "choose_card W"),
        (True, NUMBER_LAST, "choose_card W"),
        (False, NUMBER_LAST, "choose_card r1"),
    ],
)
def test_the_adviser_keeps_what_it_needs(
    *, laid_out: bool, rules: rules_pb2.Rules, expected: str
) -> None:
    """B13 and S15: a wild, and a number where one must come last; the rest is laid out."""
    names = ("choose_card r1", "choose_card g2", "choose_card W")
    asked = turn(*names, hand="r1 r3 g2 W", counts=(4, 5))
    asked.rules.CopyFrom(rules)
    asked.view.table.custom_question.hand_size = 3 * laid_out
    assert advised(asked, *names) == expected


def test_the_adviser_does_what_it_is_dared() -> None:
    """Refusing a dare costs cards."""
    names = ("dare_refuse", "dare_done")
    assert advised(turn(*names, hand="r1", counts=(4, 5)), *names) == "dare_done"


def test_every_tip_weighs_something() -> None:
    """No row without effect stands in the table."""
    assert all(tip.two or tip.several for tip in TIPS)
    assert len({tip.measure for tip in TIPS}) == len(TIPS)
