"""RulesService: which rules there are, and whether a choice of them can be played."""

from lastcard.v1 import rules_service_pb2 as pb
from lastcard_engine.errors import RulesError
from lastcard_engine.options import require_built
from lastcard_engine.presets import PRESETS, validate
from lastcard_engine.rules import Rules
from lastcard_server import fields
from lastcard_server.convert.rules import refusal_of, rules_from, rules_message
from lastcard_server.keys import Caller


class RulesServicer:
    """Serves RulesService, less the sheet and the rulings, which this release does not offer."""

    async def ListPresets(
        self, request: pb.ListPresetsRequest, caller: Caller
    ) -> pb.ListPresetsResponse:
        """List the presets in the order of the rules reference."""
        return pb.ListPresetsResponse(
            presets=(
                pb.Preset(name=name, rules=rules_message(rules), available=_is_built(rules))
                for name, rules in PRESETS.items()
            )
        )

    async def ValidateRules(
        self, request: pb.ValidateRulesRequest, caller: Caller
    ) -> pb.ValidateRulesResponse:
        """Check a choice of rules and complete it."""
        _, rules = rules_from(request.rules)
        seats = fields.between(request.seat_count, 2, 10, "seat_count", default=2)
        try:
            validate(rules, seats)
        except RulesError as error:
            raise refusal_of(error) from None
        return pb.ValidateRulesResponse(rules=rules_message(rules))


def _is_built(rules: Rules) -> bool:
    try:
        require_built(rules)
    except RulesError:
        return False
    return True
