"""Do the house's bots follow the tips of the strategy table, each on its own?"""

import pytest

from lastcard.bots import HOUSE, greedy, random
from lastcard.v1 import turn_pb2
from tests.clients.rounds import share
from tests.clients.turns import turn
from tests.depth import few_or_all

CHALLENGED = turn_pb2.TURN_KIND_CHALLENGE
REACTION = turn_pb2.TURN_KIND_REACTION


def greedily(asked: turn_pb2.Turn, *actions: str) -> str:
    """Return what greedy chooses, by the notation given to the turn."""
    return actions[greedy.choose(asked)]


@pytest.mark.parametrize("strategy", HOUSE)
@pytest.mark.parametrize(
    "actions", ["draw", "keep", "accept_draw|challenge", "catch 1|catch 2|pass", "W r!|draw"]
)
def test_house_bots_answer_every_turn_the_same_again(strategy: str, actions: str) -> None:
    """A bot of the house depends on the turn alone and names one of its lawful actions."""
    asked = turn(*actions.split("|"), hand="b1", counts=(1, 2, 3))
    choice = HOUSE[strategy](asked)
    assert asked.legal_actions[choice].lawful
    assert HOUSE[strategy](turn_pb2.Turn.FromString(asked.SerializeToString())) == choice


@pytest.mark.parametrize(
    ("tip", "actions", "hand", "counts", "expected"),
    [
        ("B12", "W r|W y|W g|W b|draw", "W g1 g2 b3", (4, 7), "W g"),
        ("B13", "r7|W b|draw", "r7 b1 b2 b3 W", (5, 7), "r7"),
        ("B15", "r1|r9|draw", "r1 r9 b3", (3, 7), "r9"),
        ("B15", "r9|rS|draw", "r9 rS b3", (3, 7), "rS"),
        ("B19", "r5|g5|draw", "r5 g5 g1 g2 g3", (5, 7), "g5"),
        ("B19", "g5|W g|draw", "g5 g1 g2 g3 W", (5, 7), "g5"),
        ("B01", "r9|rS|draw", "r9 r1 r2 rS", (4, 2, 7), "rS"),
        ("B01", "r9|W4 b!|draw", "r9 b1 W4", (3, 1), "r9"),
        ("B01", "b5|W4 b|draw", "b5 b1 W4", (3, 1), "W4 b"),
        ("B01", "r9|rR|draw", "r9 r1 r2 rR", (4, 2, 7), "rR"),
        ("B01", "r9|rD4|draw", "r9 r1 r2 rD4", (4, 2, 7), "rD4"),
        ("B01", "r9|WR4 r|draw", "r9 r1 r2 WR4", (4, 7, 2), "WR4 r"),
        ("B24", "W6 r|accept_draw", "W6 r1 r2", (3, 7, 7), "W6 r"),
        ("B26", "r9|rD2|draw", "r9 r1 r2 r3 rD2", (5, 20, 7), "rD2"),
        ("R247", "r9|rDA|draw", "r9 r1 r2 r3 rDA", (5, 7, 7), "rDA"),
        ("R246", "r9|rSE|draw", "r9 r1 rSE", (3, 7, 7), "rSE"),
    ],
)
def test_greedy_lays_what_the_tip_says(
    tip: str, actions: str, hand: str, counts: tuple[int, ...], expected: str
) -> None:
    """Colour, reserve, points, faces and threats decide as in the strategy table."""
    names = actions.split("|")
    assert greedily(turn(*names, hand=hand, counts=counts), *names) == expected, tip


def test_greedy_never_bluffs_and_never_draws_while_it_can_lay() -> None:
    """An unlawful wild draw four is worse than drawing, and drawing worse than any other play."""
    names = ("W4 r!", "draw")
    assert greedily(turn(*names, hand="W4 r1 r2 r3", counts=(4, 1)), *names) == "draw"
    names = ("W r", "draw")
    assert greedily(turn(*names, hand="W b1 b2", counts=(3, 9)), *names) == "W r"


@pytest.mark.parametrize(("held", "expected"), [(2, "accept_draw"), (14, "challenge")])
def test_greedy_doubts_those_who_hold_many_cards(held: int, expected: str) -> None:
    """The more cards the offender holds, the less likely it had none of the colour (B23)."""
    names = ("accept_draw", "challenge")
    asked = turn(*names, hand="r1", top="W4", counts=(1, 5, held), kind=CHALLENGED)
    assert greedily(asked, *names) == expected


@pytest.mark.parametrize(("clockwise", "expected"), [(True, "accept_draw"), (False, "challenge")])
def test_greedy_looks_at_the_offender(*, clockwise: bool, expected: str) -> None:
    """The offender sits before the challenger in the direction of play (B23)."""
    names = ("accept_draw", "challenge")
    asked = turn(*names, hand="r1", top="W4", counts=(1, 14, 2), clockwise=clockwise)
    assert greedily(asked, *names) == expected


@pytest.mark.parametrize(
    ("hand", "counts", "expected"),
    [("b5 WS r1 r2 r3 r4 y1 y2 y3 y4", (10, 1, 2), "WS b"), ("b5 WS r1", (3, 9, 9), "b5")],
)
def test_greedy_shuffles_hands_when_it_holds_many(
    hand: str, counts: tuple[int, ...], expected: str
) -> None:
    """A shuffle of all hands is for the one who holds more than his share."""
    names = ("b5", "WS b", "draw")
    assert greedily(turn(*names, hand=hand, counts=counts), *names) == expected


@pytest.mark.parametrize(
    ("actions", "hand", "expected"),
    [
        ("r7 >1, r7 >2, r7 >3, draw", "r7 g1 g2 g3 g4", "r7 >2"),
        ("r7 >1, r7 >2, r7 >3, r1, draw", "r7 r1 g1", "r1"),
        ("r7 >1, r7 >2, r7 >3, draw", "r7 g1", "r7 >2"),
        ("WX r >1, WX g >1, WX r >2, WX g >2, draw", "WX g1 g2 g3 g4 g5 g6", "WX g >2"),
        ("WX r >1, WX r >2, r1, draw", "WX r1", "r1"),
        ("jump_in r7 >1, jump_in r7 >2, pass", "r7 g1 g2 g3", "jump_in r7 >2"),
        ("choose_target 1, choose_target 2, choose_target 3", "r1 r2", "choose_target 2"),
    ],
)
def test_greedy_swaps_for_the_smallest_hand_unless_its_own_is_smaller(
    actions: str, hand: str, expected: str
) -> None:
    """B25: it takes the hand with the fewest cards, and prefers not to give a smaller one away."""
    offered = tuple(actions.split(", "))
    asked = turn(*offered, hand=hand, counts=(len(hand.split()), 6, 3, 5))
    assert greedily(asked, *offered) == expected


def test_greedy_rather_draws_than_gives_its_last_card_for_many() -> None:
    """With one card left after a seven and nobody below seven cards it waits."""
    offered = ("r7 >1", "draw")
    assert greedily(turn(*offered, hand="r7 g1", counts=(2, 7)), *offered) == "draw"


def test_greedy_spins_a_roulette_for_what_it_lacks() -> None:
    """The pile holds more of the colour one holds least of, so that it comes sooner (NM21)."""
    names = ("choose_colour r", "choose_colour g")
    assert greedily(turn(*names, hand="r1 r2 g1", top="WCR"), *names) == "choose_colour g"
    assert greedily(turn(*names, hand="r1 r2 g1", top="W"), *names) == "choose_colour r"


def test_greedy_keeps_the_number_it_can_end_with() -> None:
    """Where one card stays of a discard, it is the cheapest one (S15)."""
    names = ("choose_card r9", "choose_card r1", "choose_card rS")
    assert greedily(turn(*names, hand="r9 r1 rS", top="rDA"), *names) == "choose_card r1"


def test_greedy_catches_and_jumps_in() -> None:
    """Missing calls are pointed out (B20); it jumps in, unless a threat comes next (B27)."""
    names = ("catch 1", "pass")
    assert greedily(turn(*names, hand="r1", kind=REACTION), *names) == "catch 1"
    names = ("jump_in r5", "pass")
    assert greedily(turn(*names, hand="r5 b1", counts=(2, 4), kind=REACTION), *names) == names[0]
    assert greedily(turn(*names, hand="r5 b1", counts=(2, 1), kind=REACTION), *names) == "pass"


DARE, VOTE, CARD = (
    turn_pb2.TURN_KIND_DARE,
    turn_pb2.TURN_KIND_VOTE,
    turn_pb2.TURN_KIND_CHOOSE_CARD,
)


def test_greedy_answers_custom_rules() -> None:
    """It dares, lays out what it can spare, and aims at who holds the fewest cards."""
    names: tuple[str, ...] = ("dare_done", "dare_refuse")
    assert greedily(turn(*names, hand="r1 b2", counts=(2, 3), kind=DARE), *names) == "dare_done"
    names = ("choose_card r1", "choose_card g9", "choose_card W", "pass")
    asked = turn(*names, hand="r1 r2 r3 g9 W", counts=(5, 7), kind=CARD)
    asked.view.table.custom_question.rule = 1
    assert greedily(asked, *names) == "choose_card g9"
    asked.view.table.ClearField("custom_question")  # a discard-all asks what to keep (S15)
    assert greedily(asked, *names) == "choose_card W"
    names = ("WC1 r >1", "WC1 r >2", "draw")
    assert greedily(turn(*names, hand="WC1 r1 r2", counts=(3, 6, 2)), *names) == "WC1 r >2"


@pytest.mark.parametrize("strategy", HOUSE)
def test_house_bots_vote_by_a_seeded_coin(strategy: str) -> None:
    """About half of their votes are yes, and the same question gets the same answer (Q40)."""
    names = ("vote yes", "vote no")
    turns = [turn(*names, hand="r1", kind=VOTE, number=number) for number in range(1, 201)]
    votes = [names[HOUSE[strategy](asked)] for asked in turns]
    assert 60 < votes.count("vote yes") < 140
    assert votes == [names[HOUSE[strategy](asked)] for asked in turns]


def test_random_lays_lawful_cards_while_it_has_any() -> None:
    """Random spreads over its lawful plays, all of them, and draws only without one."""
    names = ("r1", "r9", "W4 r!", "draw")
    turns = [turn(*names, hand="r1 r9 W4", number=number) for number in range(1, 201)]
    chosen = [names[random.choose(asked)] for asked in turns]
    assert 60 < chosen.count("r1") < 140
    assert set(chosen) == {"r1", "r9"}
    assert random.choose(turn("W4 r!", "draw", hand="r1 W4")) == 1


def test_random_has_many_dice() -> None:
    """Another seed is another player."""
    turns = [turn("r1", "r9", hand="r1 r9", number=number) for number in range(1, 201)]
    alike = [random.choose(asked, 1) == random.choose(asked, 2) for asked in turns]
    assert 60 < alike.count(True) < 140


@pytest.mark.parametrize(
    ("rules", "seats", "least"),
    [
        ("standard_no", 2, 0.56),
        ("official_se", 2, 0.58),
        ("standard_no", 4, 0.29),
        ("no_mercy", 2, 0.54),
        ("house_no", 4, 0.29),
    ],
)
def test_greedy_beats_random(rules: str, seats: int, least: float) -> None:
    """On the same deals with the seats rotated, greedy wins clearly more than its share."""
    bots = [greedy.choose, *[random.choose] * (seats - 1)]
    assert share(bots, rules, few_or_all(240, 600) // seats) > least
