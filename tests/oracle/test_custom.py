"""The oracle carries out the ten ideas for customizable wilds (CR01-CR10, R155-R165)."""

import pytest

from tests.oracle import tables, turns
from tests.oracle.legal import asked, legal
from tests.oracle.table import State


def table(ops: list[str], hands: list[str], draw: str = "", *, lose_turn: bool = False) -> State:
    """Lay out three seats, the first of which holds WC1 with a rule of these operations."""
    return tables.table(
        "standard_no_points",
        hands,
        draw=draw,
        polled=True,
        deck_extras={"custom_wild": 1},
        custom_rules=[{"id": "rule", "ops": ops, "lose_turn": lose_turn}],
    )


def hands_after(state: State, *acts: str) -> list[list[str]]:
    """Do acts without calls and return the hands."""
    return tables.do(state, *acts, uno=False)


def test_dare() -> None:
    """CR01: who refuses draws four; who has done it needs most of the others to confirm (Q40)."""
    dare = ["dare(next,crow like a rooster,draw(self,4))"]
    state = table(dare, ["WC1 b1 b2", "g1 g2", "g3 g4"], "y1 y2 y3 y4 y5")
    assert len(hands_after(state, "play WC1 g", "dare_refuse")[1]) == 6
    assert state.turn == 1
    state = table(dare, ["WC1 b1 b2", "g1 g2", "g3 g4"], "y1 y2 y3 y4 y5")
    assert len(hands_after(state, "play WC1 g", "dare_done", "vote yes", "vote no")[1]) == 6
    state = table(dare, ["WC1 b1 b2", "g1 g2", "g3 g4"], "y1 y2 y3 y4 y5")
    assert len(hands_after(state, "play WC1 g", "dare_done", "vote yes", "vote yes")[1]) == 2


def test_draw_until() -> None:
    """CR02: the next player draws until a green card comes, and keeps the turn (Q36)."""
    state = table(["draw_until(next,g)"], ["WC1 b1 b2", "y1", "y2"], "r1 b2 g3 g4")
    assert hands_after(state, "play WC1 b")[1] == ["r1", "y1", "g3", "b2"]
    assert state.turn == 1


def test_discard_wilds() -> None:
    """CR03: everybody lays out all wilds; a hand emptied so has gone out (Q35)."""
    state = table(["discard_matching(all,wild)"], ["WC1 b1 b2", "W W4 r1", "y2 y3"])
    assert hands_after(state, "play WC1 b") == [["b1", "b2"], ["r1"], ["y2", "y3"]]
    assert state.top == "WC1"
    state = table(["discard_matching(all,wild)"], ["WC1 b1 b2", "y1 y2", "W W"])
    hands_after(state, "play WC1 b")
    assert state.results[-1].winners == [2]


def test_next_draw_count() -> None:
    """CR04: the next player, unable to play, takes three and may lay one of them (Q38)."""
    state = table(["next_draw_count(next,3)"], ["WC1 b1 b2", "y1 y2", "y3 y4"], "b3 r1 b4 r2")
    hands_after(state, "play WC1 b", "draw")
    assert legal(state, 1) == ["play b3", "play b4", "keep"]
    state = table(["next_draw_count(next,3)"], ["WC1 b1 b2", "y1 b7", "y3 y4"], "b3 r1 b4 r2")
    assert len(hands_after(state, "play WC1 b", "draw")[1]) == 3


def test_extra_turn() -> None:
    """CR05: the player has another turn."""
    state = table(["extra_turn(self)"], ["WC1 b1 b2", "y1", "y2"])
    hands_after(state, "play WC1 b")
    assert asked(state) == [0]


def test_adjust_hand() -> None:
    """CR06, CR07: seats draw or lay out to a size; owners choose what they lay out (Q39)."""
    state = table(["adjust_hand(all,3)"], ["WC1 b1 b2", "y1 y2 y3 y4 y5", "g1"], "r1 r2 r3")
    hands = hands_after(state, "play WC1 b", "choose_card y2", "choose_card y5")
    assert hands == [["r1", "b1", "b2"], ["y1", "y3", "y4"], ["r2", "r3", "g1"]]
    assert state.turn == 1
    assert state.discard == ["r5", "y2", "y5", "WC1"]


def test_reveal() -> None:
    """CR08: hands lie open until the turn reaches the player, also if it passes over him (S20)."""
    state = table(["reveal_hands(all,own_next_turn)"], ["WC1 b1 b2", "b3 b4 b5", "bS b7 b8"])
    hands_after(state, "play WC1 b", "play b3")
    assert state.open_hands == {0: [0, 1, 2]}
    hands_after(state, "play bS")
    assert not state.open_hands


@pytest.mark.parametrize(("said", "duty"), [(False, True), (True, False)])
def test_joke(said: bool, duty: bool) -> None:  # noqa: FBT001
    """CR09: one laugh is enough to lay out all but one, and UNO is still to be called."""
    joke = ["vote(laughed?,discard_to(self,1),draw(self,4))"]
    state = table(joke, ["WC1 b1 b2", "y1 y2", "g1 g2"], "r1 r2 r3 r4")
    turns.step(state, 0, "play WC1 b", said)
    hands_after(state, "vote no", "vote yes", "choose_card b1")
    assert (state.duty_of(0) is not None) == duty
    state = table(joke, ["WC1 b1 b2", "y1 y2", "g1 g2"], "r1 r2 r3 r4")
    assert len(hands_after(state, "play WC1 b", "vote no", "vote no")[0]) == 6


def test_restriction() -> None:
    """CR10: a restriction holds until somebody calls UNO."""
    state = table(["restriction(next,elbows,uno_call)"], ["WC1 b1 b2", "b3 b4", "y2 y3"])
    hands_after(state, "play WC1 b")
    assert state.restricted == [1]
    turns.step(state, 1, "play b3", True)  # noqa: FBT003
    assert not state.restricted


def test_lose_turn_and_last_card() -> None:
    """The turn is lost only where the rule says so (Q36); a last card still makes the next draw."""
    state = table(["draw(next,2)"], ["WC1 b1 b2", "y1", "y2"], "r1 r2 r3", lose_turn=True)
    hands_after(state, "play WC1 b")
    assert state.turn == 2
    state = table(["draw(next,2)"], ["WC1", "y1", "y2"], "r1 r2 r3")
    hands_after(state, "play WC1")
    assert state.results[-1].points == [6, 0, 0]
