"""What does the referee say to a request? Reads the question and has it ruled on."""

from lastcard.v1 import rules_service_pb2 as pb
from lastcard_engine.actions import Action
from lastcard_engine.cards import Seat
from lastcard_engine.views import view
from lastcard_server import fields
from lastcard_server.access import own_seat, visible_match
from lastcard_server.convert.rules import rules_from
from lastcard_server.convert.rulings import ruling_message
from lastcard_server.errors import Reason, Refusal
from lastcard_server.keys import Caller
from lastcard_server.matches.registry import Matches
from lastcard_server.referee.disputes import DISPUTES, decide
from lastcard_server.referee.ruling import ActionError, read_action, rule
from lastcard_server.referee.seen import PositionError, Seen, read_seen, seen_by
from lastcard_server.sheets.choice import Choice

_LONGEST_POSITION = 4_096
_LONGEST_ACTION = 64


async def explain(
    matches: Matches, request: pb.ExplainRequest, caller: Caller
) -> pb.ExplainResponse:
    """
    Answer a question to the referee.

    Raises:
        Refusal: BAD_RULES for the rules, BAD_FIELD for the position, the
            dispute or no question at all, BAD_ACTION for the action, NOT_FOUND, FORBIDDEN or
            NOT_STARTED for the match.

    """
    match request.WhichOneof("question"):
        case "position":
            return _at_a_position(_choice(request), request.position)
        case "match":
            if request.HasField("rules"):
                raise Refusal(Reason.BAD_FIELD, "rules are those of the match: leave them out.")
            return await _at_a_match(matches, request.match, caller)
        case "dispute":
            return _disputes(_choice(request), request.dispute.dispute)
        case _:
            raise Refusal(Reason.BAD_FIELD, "Set position, match or dispute.")


def _choice(request: pb.ExplainRequest) -> Choice:
    return Choice(*rules_from(request.rules))


def _at_a_position(choice: Choice, question: pb.PositionQuestion) -> pb.ExplainResponse:
    if len(question.position) > _LONGEST_POSITION:
        raise Refusal(Reason.BAD_FIELD, f"position may have {_LONGEST_POSITION:,} bytes at most.")
    seat = question.seat if question.HasField("seat") else None
    action, uno = _action(question.action)
    try:
        seen = read_seen(question.position, seat)
    except PositionError as error:
        raise _bad_position(error) from None
    return _ruling(choice, seen, action, uno=uno)


async def _at_a_match(
    matches: Matches, question: pb.MatchQuestion, caller: Caller
) -> pb.ExplainResponse:
    """Rule on an act at a match by what the seat's view shows (S21)."""
    match = await visible_match(matches, question.match_id, caller)
    seat = own_seat(match, caller, question.seat)
    action, uno = _action(question.action)
    if match.state is None:
        raise Refusal(Reason.NOT_STARTED, "The match has not started.")
    seen = seen_by(view(match.state, Seat(seat)), match.state.settings.reactions)
    choice = Choice(match.setup.preset, match.state.rules)
    return _ruling(choice, seen, action, uno=uno)


def _ruling(choice: Choice, seen: Seen, action: Action, *, uno: bool) -> pb.ExplainResponse:
    try:
        ruling = rule(choice, seen, action, uno=uno)
    except PositionError as error:
        raise _bad_position(error) from None
    return pb.ExplainResponse(rulings=[ruling_message(ruling)])


def _bad_position(error: PositionError) -> Refusal:
    return Refusal(Reason.BAD_FIELD, f"position: {error}.")


def _action(text: str) -> tuple[Action, bool]:
    try:
        return read_action("" if len(text) > _LONGEST_ACTION else text)
    except ActionError as error:
        raise Refusal(Reason.BAD_ACTION, f"{error}.") from None


def _disputes(choice: Choice, name: str) -> pb.ExplainResponse:
    asked = [fields.one_of(name, DISPUTES, "dispute")] if name else DISPUTES
    rulings = (ruling_message(decide(dispute, choice), dispute) for dispute in asked)
    return pb.ExplainResponse(rulings=rulings)
