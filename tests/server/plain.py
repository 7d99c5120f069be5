"""What the edge should say, built field by field; cards by their notation, views by the engine."""

from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

import lastcard_engine as engine
from lastcard.v1 import action_pb2, card_pb2, custom_pb2, turn_pb2, view_pb2
from lastcard_server.matches.match import Match
from lastcard_server.matches.turns import OpenTurn, Ready, TurnKind

COLOURS: dict[str, Any] = {"r": 1, "y": 2, "g": 3, "b": 4}
SYMBOLS: dict[str, Any] = {"S": 11, "R": 12, "D2": 13, "D4": 14, "SE": 15, "DA": 16}
WILDS: dict[str, Any] = {
    "W": 17,
    "W4": 18,
    "WS": 19,
    "WX": 20,
    "WC": 21,
    "WR4": 22,
    "W6": 23,
    "W10": 24,
    "WCR": 25,
}
PHASES: dict[str, Any] = {
    "not_started": 1,
    "play": 2,
    "play_or_keep": 3,
    "challenge": 4,
    "choose_colour": 5,
    "answer_draw": 6,
    "choose_target": 11,
    "keep_card": 7,
    "choose_card": 7,
    "dare": 7,
    "vote": 7,
    "round_over": 9,
    "match_over": 10,
}
KINDS: dict[str, Any] = {
    "ready": 1,
    "play": 2,
    "play_or_keep": 3,
    "challenge": 4,
    "choose_colour": 5,
    "answer_draw": 6,
    "choose_target": 11,
    "choose_card": 7,
    "dare": 8,
    "vote": 9,
    "reaction": 10,
}


def card(text: str) -> card_pb2.Card:
    """Return the message of a card in notation."""
    if text[:2] == "WC" and text[2:].isdigit():
        return card_pb2.Card(colour="COLOUR_WILD", face=WILDS["WC"], rule=int(text[2:]))
    if text in WILDS:
        return card_pb2.Card(colour="COLOUR_WILD", face=WILDS[text])
    face: Any = int(text[1:]) + 1 if text[1:].isdigit() else SYMBOLS[text[1:]]
    return card_pb2.Card(colour=COLOURS[text[0]], face=face)


def card_of(value: engine.Card) -> card_pb2.Card:
    """Return the message of a card of the engine, by way of its notation."""
    return card(engine.format_card(value))


def colour_of(value: engine.Colour | None) -> Any:
    """Return the number of a colour in force."""
    return 0 if value is None else COLOURS[engine.format_colour(value)]


def action(value: engine.Action | Ready) -> action_pb2.Action:
    """Return the message of an action, by way of its notation."""
    if isinstance(value, Ready):
        return action_pb2.Action(ready=action_pb2.Ready())
    verb, *rest = engine.format_action(value, uno=False).split()
    target = next((int(word[1:]) for word in rest if word.startswith(">")), None)
    words = [word for word in rest if not word.startswith(">")]
    match verb:
        case "play":
            colour = COLOURS[words[1]] if len(words) > 1 else None
            play = action_pb2.PlayCard(card=card(words[0]), colour=colour, target_seat=target)
            return action_pb2.Action(play_card=play)
        case "jump_in":
            jump = action_pb2.JumpIn(card=card(words[0]), target_seat=target)
            return action_pb2.Action(jump_in=jump)
        case "catch":
            return action_pb2.Action(catch_uno=action_pb2.CatchUno(target_seat=int(words[0])))
        case "choose_colour":
            chosen = action_pb2.ChooseColour(colour=COLOURS[words[0]])
            return action_pb2.Action(choose_colour=chosen)
        case "choose_card":
            return action_pb2.Action(choose_card=action_pb2.ChooseCard(card=card(words[0])))
        case "choose_target":
            aimed = action_pb2.ChooseTarget(target_seat=int(words[0]))
            return action_pb2.Action(choose_target=aimed)
        case "dare_done" | "dare_refuse":
            dare = action_pb2.AnswerDare(done=verb == "dare_done")
            return action_pb2.Action(answer_dare=dare)
        case "vote":
            return action_pb2.Action(cast_vote=action_pb2.CastVote(yes=words == ["yes"]))
    field = {"draw": "draw_card", "keep": "keep_card", "pass": "pass_reaction"}.get(verb, verb)
    message = action_pb2.Action()
    getattr(message, field).SetInParent()
    return message


def table(state: engine.State) -> view_pb2.TableView:
    """Return what everybody sees."""
    seen = engine.table_view(state)
    reacting = seen.phase != "vote" and (seen.group or seen.window)
    message = view_pb2.TableView(
        round_number=seen.round_number,
        phase="PHASE_REACTION" if reacting else PHASES[seen.phase.value],
        turn_seat=seen.turn,
        dealer_seat=seen.dealer,
        top_card=None if seen.top is None else card_of(seen.top),
        colour=colour_of(seen.colour),
        direction="DIRECTION_CLOCKWISE" if seen.direction == 1 else "DIRECTION_COUNTER_CLOCKWISE",
        pending_draw_count=seen.pending,
        draw_pile_count=seen.draw_count,
        discard_pile_count=seen.discard_count,
    )
    for seat in range(state.seat_count):
        message.players.add(
            hand_count=seen.counts[seat],
            called_uno=seen.called[seat],
            active=seen.active[seat],
            total_points=seen.totals[seat],
        )
    if seen.custom is not None:
        _custom(message, seen.custom)
    return message


def _custom(message: view_pb2.TableView, facts: engine.CustomFacts) -> None:
    """Add what everybody sees of custom rules."""
    if facts.question is not None:
        asked = facts.question
        message.custom_question.CopyFrom(
            custom_pb2.CustomQuestion(
                rule=asked.rule,
                actor_seat=asked.actor,
                seat=asked.seat,
                text=asked.text,
                hand_size=asked.size,
            )
        )
    for kept in facts.restrictions:
        message.custom_restrictions.add(seat=kept[0], text=kept[1])
    for number, player in enumerate(message.players):
        player.raised_draw_count = facts.raised[number]
        player.hand_open = number in facts.opened


def seat_view(state: engine.State, seat: int) -> view_pb2.SeatView:
    """Return what a seat may know."""
    seen = engine.view(state, engine.Seat(seat))
    return view_pb2.SeatView(
        seat=seat,
        table=table(state),
        hand=[card_of(held) for held in seen.hand],
        drawn_card=None if seen.drawn is None else card_of(seen.drawn),
        open_hands=[
            view_pb2.OpenHand(seat=owner, cards=[card_of(held) for held in hand])
            for owner, hand in seen.open_hands
        ],
    )


def turn(match: Match, asked: OpenTurn) -> turn_pb2.Turn:
    """Return an open turn; its history is the match's at this moment and left out."""
    ready = asked.kind is TurnKind.READY
    message = turn_pb2.Turn(
        match_id=match.match_id,
        seat=asked.seat,
        turn=asked.turn,
        kind=KINDS[asked.kind.value],
        view=None if ready or match.state is None else seat_view(match.state, asked.seat),
        default_choice=asked.default_choice,
        deadline_time=Timestamp(
            seconds=asked.deadline_us // 1_000_000,
            nanos=asked.deadline_us % 1_000_000 // 1_000 * 1_000_000,
        ),
        bank_duration=_duration(asked.bank_ms),
        last_answer_duration=None
        if asked.last_answer_ms is None
        else _duration(asked.last_answer_ms),
        seat_names=[seat.name for seat in match.seats] if ready else [],
    )
    for offered in asked.actions:
        message.legal_actions.add(action=action(offered), lawful=not _bluff(match, asked, offered))
    return message


def _bluff(match: Match, asked: OpenTurn, offered: engine.Action | Ready) -> bool:
    if match.state is None or isinstance(offered, Ready):
        return False
    return engine.is_bluff(match.state, engine.Seat(asked.seat), offered)


def _duration(ms: int) -> Duration:
    return Duration(seconds=ms // 1_000, nanos=ms % 1_000 * 1_000_000)
