"""RulesService: which rules there are, whether they can be played, and how they read."""

import asyncio
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from lastcard.v1 import rules_service_pb2 as pb
from lastcard.v1.rules_pb2 import RulesChoice, RulesOverride
from lastcard_engine.errors import RulesError
from lastcard_engine.presets import PRESETS, fewest_seats, validate, warnings
from lastcard_server import fields
from lastcard_server.convert.rules import overrides_from, refusal_of, rules_from, rules_message
from lastcard_server.errors import Reason, Refusal
from lastcard_server.keys import Caller
from lastcard_server.matches.registry import Matches
from lastcard_server.servicers.explaining import explain
from lastcard_server.sheets.choice import Choice, choose, override_texts
from lastcard_server.sheets.formats import FORMATS, THEMES, document
from lastcard_server.sheets.pick import (
    HOUSE,
    Evening,
    PickError,
    Proposal,
    pick,
)
from lastcard_server.sheets.sheet import UnprintableError
from lastcard_server.sheets.words import LANGUAGES

Name = TypeVar("Name", bound=StrEnum)


class RulesServicer:
    """Serves RulesService."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._press = asyncio.Lock()  # one sheet at a time, so that matches keep their processor

    async def ListPresets(
        self, request: pb.ListPresetsRequest, caller: Caller
    ) -> pb.ListPresetsResponse:
        """List the presets in the order of the rules reference."""
        return pb.ListPresetsResponse(
            presets=(
                pb.Preset(name=name, rules=rules_message(rules)) for name, rules in PRESETS.items()
            )
        )

    async def ValidateRules(
        self, request: pb.ValidateRulesRequest, caller: Caller
    ) -> pb.ValidateRulesResponse:
        """Check a choice of rules and complete it."""
        preset, rules = rules_from(request.rules)
        fewest = fewest_seats(rules)
        seats = fields.between(request.seat_count, 2, 10, "seat_count", default=fewest)
        try:
            validate(rules, seats)
        except RulesError as error:
            raise refusal_of(error) from None
        return pb.ValidateRulesResponse(
            rules=rules_message(rules), warnings=warnings(preset, rules)
        )

    async def GetSheet(self, request: pb.GetSheetRequest, caller: Caller) -> pb.GetSheetResponse:
        """Set the sheet of a choice of rules, beside the loop: a PDF takes a tenth of a second."""
        language = fields.one_of(request.language, LANGUAGES, "language")
        form = fields.one_of(request.format or "text", FORMATS, "format")
        theme = fields.one_of(request.theme or "light", THEMES, "theme")
        try:
            choice = choose(request.rules.preset, overrides_from(request.rules))
            async with self._press:
                content = await asyncio.to_thread(document, choice, language, form, theme)
        except RulesError as error:
            raise refusal_of(error) from None
        except UnprintableError as error:
            raise Refusal(Reason.BAD_FIELD, f"format: {error}.") from None
        return pb.GetSheetResponse(content=content, media_type=FORMATS[form].media_type)

    async def Explain(self, request: pb.ExplainRequest, caller: Caller) -> pb.ExplainResponse:
        """Rule on an act or decide disputes, with the clauses that do."""
        return await explain(self._matches, request, caller)

    async def PickRules(self, request: pb.PickRulesRequest, caller: Caller) -> pb.PickRulesResponse:
        """Propose rules for an evening."""
        language = fields.one_of(request.language or "en", LANGUAGES, "language")
        try:
            return _picked(pick(_evening(request), language))
        except PickError as error:
            raise Refusal(Reason.BAD_FIELD, f"house_rules: {error}.") from None
        except RulesError as error:
            raise refusal_of(error) from None


def _evening(request: pb.PickRulesRequest) -> Evening:
    """
    Return the answers of a request.

    Raises:
        Refusal: BAD_FIELD.

    """
    return Evening(
        players=fields.between(request.player_count, 2, 10, "player_count"),
        minutes=fields.between(request.minutes, 5, 600, "minutes", default=Evening.minutes),
        children=request.children,
        harshness=_member(request.harshness, Evening.harshness, "harshness"),
        book=_member(request.book, Evening.book, "book"),
        box=_member(request.box, Evening.box, "box"),
        house=tuple(_house_rules(request.house_rules)),
    )


def _member(text: str, default: Name, field: str) -> Name:
    kind = type(default)
    return kind(fields.one_of(text or default.value, [str(member) for member in kind], field))


def _house_rules(names: Iterable[str]) -> list[str]:
    chosen = [fields.one_of(name, HOUSE, "house_rules") for name in names]
    if len(set(chosen)) < len(chosen):
        raise Refusal(Reason.BAD_FIELD, "house_rules may hold each rule only once.")
    return chosen


def _picked(proposal: Proposal) -> pb.PickRulesResponse:
    return pb.PickRulesResponse(
        rules=_chosen(proposal.choice),
        reasons=(pb.PickReason(options=why, text=text) for why, text in proposal.reasons),
    )


def _chosen(choice: Choice) -> RulesChoice:
    overrides = override_texts(choice).items()
    return RulesChoice(
        preset=choice.preset,
        overrides=(RulesOverride(option=name, value=value) for name, value in overrides),
    )
