"""Turns of the contract from short notation, for tests of bots and of the SDK."""

from lastcard.notation import COLOURS, FACES
from lastcard.v1 import action_pb2, card_pb2, turn_pb2, view_pb2

_COLOUR = {name: colour for colour, name in COLOURS.items() if name}
_FACE = {name: face for face, name in FACES.items() if name}


_BARE = {
    "draw": action_pb2.Action(draw_card=action_pb2.DrawCard()),
    "keep": action_pb2.Action(keep_card=action_pb2.KeepCard()),
    "accept_draw": action_pb2.Action(accept_draw=action_pb2.AcceptDraw()),
    "challenge": action_pb2.Action(challenge=action_pb2.Challenge()),
    "call_uno": action_pb2.Action(call_uno=action_pb2.CallUno()),
    "pass": action_pb2.Action(pass_reaction=action_pb2.PassReaction()),
    "dare_done": action_pb2.Action(answer_dare=action_pb2.AnswerDare(done=True)),
    "dare_refuse": action_pb2.Action(answer_dare=action_pb2.AnswerDare(done=False)),
}


def card(name: str) -> card_pb2.Card:
    """Return a card from notation: `r5`, `gD2`, `W4`."""
    if name[:2] == "WC" and name[2:].isdigit():
        wild = card_pb2.FACE_WILD_CUSTOM
        return card_pb2.Card(colour=card_pb2.COLOUR_WILD, face=wild, rule=int(name[2:]))
    if name in _FACE and name.startswith("W"):
        return card_pb2.Card(colour=card_pb2.COLOUR_WILD, face=_FACE[name])
    return card_pb2.Card(colour=_COLOUR[name[0]], face=_FACE[name[1:]])


def legal(name: str) -> action_pb2.LegalAction:
    """Return a legal action from notation; a trailing `!` makes it a bluff."""
    return action_pb2.LegalAction(action=_action(name.removesuffix("!")), lawful=name[-1] != "!")


def _action(name: str) -> action_pb2.Action:
    """Return an action from notation."""
    first, _, rest = name.partition(" ")
    match first:
        case "choose_colour":
            return action_pb2.Action(choose_colour=action_pb2.ChooseColour(colour=_COLOUR[rest]))
        case "choose_card":
            return action_pb2.Action(choose_card=action_pb2.ChooseCard(card=card(rest)))
        case "choose_target":
            return action_pb2.Action(choose_target=action_pb2.ChooseTarget(target_seat=int(rest)))
        case "choose_card":
            return action_pb2.Action(choose_card=action_pb2.ChooseCard(card=card(rest)))
        case "vote":
            return action_pb2.Action(cast_vote=action_pb2.CastVote(yes=rest == "yes"))
        case "catch":
            return action_pb2.Action(catch_uno=action_pb2.CatchUno(target_seat=int(rest)))
        case "jump_in":
            return action_pb2.Action(jump_in=_jump_in(rest))
        case _ if first in _BARE:
            return _BARE[first]
        case _:
            return action_pb2.Action(play_card=_play(first, rest))


def _jump_in(rest: str) -> action_pb2.JumpIn:
    """Return a jump-in: a card, then perhaps `>` and a seat."""
    name, _, seat = rest.partition(" >")
    return action_pb2.JumpIn(card=card(name), target_seat=int(seat) if seat else None)


def _play(name: str, rest: str) -> action_pb2.PlayCard:
    """Return a play: a card, then perhaps a colour, then perhaps `>` and a seat."""
    colour, _, seat = rest.partition(">")
    play = action_pb2.PlayCard(card=card(name), colour=_COLOUR.get(colour.strip()))
    if seat:
        play.target_seat = int(seat)
    return play


def turn(  # noqa: D417 - the rest is named as in the contract
    *actions: str,
    hand: str = "",
    top: str = "r5",
    colour: str = "r",
    counts: tuple[int, ...] = (7, 7),
    kind: turn_pb2.TurnKind = turn_pb2.TURN_KIND_PLAY,
    seat: int = 0,
    turn_seat: int = 0,
    number: int = 1,
    clockwise: bool = True,
) -> turn_pb2.Turn:
    """
    Return a turn.

    Args:
        actions: The legal actions in notation.
        hand: The own cards, separated by spaces.
    """
    table = view_pb2.TableView(
        round_number=1,
        turn_seat=turn_seat,
        top_card=card(top),
        colour=_COLOUR[colour],
        direction=(
            view_pb2.DIRECTION_CLOCKWISE if clockwise else view_pb2.DIRECTION_COUNTER_CLOCKWISE
        ),
        players=[view_pb2.PlayerState(hand_count=count, active=True) for count in counts],
    )
    view = view_pb2.SeatView(seat=seat, table=table, hand=[card(name) for name in hand.split()])
    return turn_pb2.Turn(
        match_id="m",
        seat=seat,
        turn=number,
        kind=kind,
        view=view,
        legal_actions=[legal(action) for action in actions],
    )
