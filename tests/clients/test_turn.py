"""Does a turn say in notation what its message says, and do replies become the right answers?"""

import pytest

import lastcard
from lastcard.answer import answer, ready
from lastcard.notation import COLOURS, FACES, card_name
from lastcard.v1 import card_pb2, event_pb2, turn_pb2
from tests.clients.turns import card, turn


@pytest.fixture
def asked() -> lastcard.Turn:
    """Return a turn with a choice between plays, a bluff and drawing."""
    actions = ("r7", "W r", "W b", "W4 g!", "g5 >1", "draw")
    return lastcard.Turn(turn(*actions, hand="r7 g5 W W4", counts=(4, 3), seat=0))


def test_every_card_has_a_name_of_its_own() -> None:
    """The 73 kinds of card have 73 names, written as in the rules reference."""
    faces = list(FACES)
    wild = faces.index(card_pb2.FACE_WILD)
    coloured = [
        card_pb2.Card(colour=colour, face=face)
        for colour in list(COLOURS)[1:5]
        for face in faces[1:wild]
    ]
    wilds = [card_pb2.Card(colour=card_pb2.COLOUR_WILD, face=face) for face in faces[wild:]]
    names = [card_name(kind) for kind in coloured + wilds]
    assert len(set(names)) == len(names) == 73
    assert [card(name) for name in names] == coloured + wilds
    assert " ".join(names[:15]) == "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 rS rR rD2 rD4 rSE"
    assert " ".join(names[-9:]) == "W W4 WS WX WC WR4 W6 W10 WCR"


def test_notation_knows_every_value_of_the_contract() -> None:
    """No colour or face of the contract is without a notation."""
    assert set(COLOURS) == set(card_pb2.Colour.values())
    assert set(FACES) == set(card_pb2.Face.values())


def test_accessors_read_the_message(asked: lastcard.Turn) -> None:
    """Hand, top card, colour, counts and legal actions are those of the message."""
    assert asked.kind == "play"
    assert asked.hand == ("r7", "g5", "W", "W4")
    assert (asked.top, asked.colour) == ("r5", "r")
    assert asked.counts == (4, 3)
    assert (asked.match_id, asked.seat, asked.drawn) == ("m", 0, "")
    assert asked.legal == ("r7", "W r", "W b", "W4 g", "g5 >1", "draw")
    assert asked.lawful == ("r7", "W r", "W b", "g5 >1", "draw")
    assert "hand r7 g5 W W4, top r5, colour r, legal r7" in repr(asked)


def test_every_action_has_a_name() -> None:
    """Actions other than plays are written as in the rules reference."""
    names = (
        *("keep", "accept_draw", "challenge", "choose_colour b", "call_uno", "catch 2"),
        *("jump_in r5", "pass"),
    )
    assert lastcard.Turn(turn(*names)).legal == names


@pytest.mark.parametrize("choice", [2, "W b", lastcard.Reply(2), lastcard.Reply("W b")])
def test_choice_by_index_and_by_notation_agree(
    asked: lastcard.Turn, choice: lastcard.Choice
) -> None:
    """An index, its notation and a Reply with either give the same answer."""
    given = answer(asked, choice)
    assert (given.match_id, given.seat, given.turn, given.choice) == ("m", 0, 1, 2)


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        (6, "6 is no index of the 6 legal actions"),
        (-1, "-1 is no index"),
        ("W y", "'W y' is none of the legal actions: r7, W r, W b"),
        (None, "not None"),
        (1.0, r"not 1\.0"),
    ],
)
def test_choice_that_is_none_is_a_bad_reply(
    asked: lastcard.Turn, choice: lastcard.Choice, sentence: str
) -> None:
    """A reply that names no legal action is refused with a sentence that lists what would be."""
    with pytest.raises(lastcard.BadReply, match=sentence):
        answer(asked, choice)


@pytest.mark.parametrize(
    ("action", "hand", "called"),
    [
        ("r7", "r7 g5", True),
        ("jump_in r5", "r5 g5", True),
        ("draw", "r7 g5", False),
        ("r7", "r7 g5 b1", False),
        ("r7", "r7", False),
        ("rDA", "rDA r1 r2 r3", True),
        ("rDA", "rDA r1 g2", True),
        ("rDA", "rDA r1 g2 g3", False),
        ("rDA", "rDA", False),
        ("jump_in rDA", "rDA r1 r2 g3", True),
        ("WC r", "WC r1 r2 r3", True),
        ("pass", "r7 g5", False),
    ],
)
def test_uno_is_called_where_one_card_may_remain(*, action: str, hand: str, called: bool) -> None:
    """UNO goes with every answer that may leave one card, and with no other (R166, S07)."""
    asked = lastcard.Turn(turn(action, hand=hand))
    assert answer(asked, 0).uno is called
    assert answer(asked, lastcard.Reply(0, uno=False)).uno is False


def test_answer_hands_back_the_history() -> None:
    """The history of the question goes back with the answer."""
    asked = turn("draw")
    asked.history = b"h"
    assert answer(lastcard.Turn(asked), 0).history == b"h"
    assert ready(asked).history == b"h"


def test_unknown_event_stops_unless_it_may_be_ignored() -> None:
    """An event of a newer server is passed over only where the server allows it."""
    message = turn("draw")
    message.events.add(may_ignore=True)
    message.events.add(turn_passed=event_pb2.TurnPassed(seat=1))
    assert [event.turn_passed.seat for event in lastcard.Turn(message).events] == [1]
    message.events.add()
    with pytest.raises(lastcard.UnknownEvent):
        _ = lastcard.Turn(message).events


def test_kinds_are_the_contracts() -> None:
    """A turn's kind is the contract's in lower case."""
    reaction = turn("pass", kind=turn_pb2.TURN_KIND_REACTION)
    assert lastcard.Turn(reaction).kind == "reaction"
