"""
Which rules does a request choose, and how are complete rules told?

Options are matched by name: what a field of Rules is called in the contract, the engine's option is
called too, and enum values differ by their prefix alone. Values in text are read by the kind of
their option; whether a value is legal, the engine says.
"""

from collections.abc import Sequence
from dataclasses import asdict
from enum import Enum
from functools import lru_cache
from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from lastcard.v1.card_pb2 import Face
from lastcard.v1.rules_pb2 import (
    CardCount,
    CustomKind,
    CustomRule,
    DeckExtras,
    RulesChoice,
    StackPair,
)
from lastcard.v1.rules_pb2 import Rules as RulesMessage
from lastcard_engine import rules as engine
from lastcard_engine.errors import OptionReason, RulesError
from lastcard_engine.presets import PRESETS, make_rules, preset_meant
from lastcard_engine.rules import Rules
from lastcard_server.convert.cards import card_message
from lastcard_server.errors import Reason, Refusal

_FIELDS: Final = RulesMessage.DESCRIPTOR.fields_by_name
_DRAW_CARDS: Final = {"d2": Face.FACE_DRAW_TWO, "wd4": Face.FACE_WILD_DRAW_FOUR}
_CUSTOM: Final = "custom_rules"
_KINDS: Final = {CustomKind.Value(f"CUSTOM_KIND_{k.name}"): k.value for k in engine.CustomKind}
_LISTS: Final = ("stack_pairs",)
_MAPS: Final = ("deck_extras", "deck_counts")
_DIGITS: Final = 10  # numbers of options have fewer; Python reads none of some thousand


def rules_from(choice: RulesChoice) -> tuple[str, Rules]:
    """
    Return the preset's name and the rules a request chooses.

    Raises:
        Refusal: BAD_RULES for what does not exist, cannot be or cannot go together.

    """
    try:
        return choice.preset, make_rules(choice.preset, overrides_from(choice))
    except RulesError as error:
        raise refusal_of(error) from None


def overrides_from(choice: RulesChoice) -> dict[str, object]:
    """
    Return the overrides of a request as plain values.

    Raises:
        Refusal: BAD_RULES for an option that is overridden twice.

    """
    overrides: dict[str, object] = {}
    for override in choice.overrides:
        if override.option in overrides:
            raise Refusal(Reason.BAD_RULES, "An option may be overridden only once.")
        if override.option == _CUSTOM:
            raise Refusal(
                Reason.BAD_RULES, "custom_rules have a field of their own beside overrides."
            )
        overrides[override.option] = plain_value(override.option, override.value)
    if choice.custom_rules:
        overrides[_CUSTOM] = [_custom_rule(rule) for rule in choice.custom_rules]
    return overrides


def refusal_of(error: RulesError) -> Refusal:
    """Return the engine's refusal of rules without repeating what the caller sent."""
    allowed = ", ".join(error.allowed)
    match error.reason:
        case OptionReason.UNKNOWN_PRESET:
            meant = preset_meant(str(error.value))
            sentence = f"There is no such preset{meant}; there are {', '.join(PRESETS)}."
        case OptionReason.UNKNOWN_OPTION:
            sentence = f"There is no such option; there are {', '.join(_FIELDS)}."
        case OptionReason.BAD_VALUE if error.option == _CUSTOM:
            sentence = f"{error.message}."
        case OptionReason.BAD_VALUE:
            sentence = f"{error.option} may be {allowed}."
        case OptionReason.NO_NUMBER_CARDS:
            sentence = f"{error.option} must hold {allowed}."
        case OptionReason.CONTRADICTION:
            sentence = f"{error.option} does not go with the other options: {error.message}."
    return Refusal(Reason.BAD_RULES, sentence)


def _custom_rule(rule: CustomRule) -> dict[str, object]:
    """Return a rule as a plain value; whether it can be played, the engine says."""
    plain: dict[str, object] = {
        "id": rule.rule_id,
        "text": rule.text,
        "ops": [*rule.operations],
        "lose_turn": rule.lose_turn,
    }
    if rule.kind:
        plain["kind"] = _KINDS.get(rule.kind, "")
    return plain


def plain_value(option: str, text: str) -> object:
    """Return an option's plain value; text that is no value of its kind is left for the engine."""
    if option in _LISTS:
        return [part.strip() for part in text.split(",") if part.strip()]
    if option in _MAPS:
        return _map(text)
    field = _FIELDS.get(option)
    if field is not None and field.type == FieldDescriptor.TYPE_BOOL:
        return {"true": True, "false": False}.get(text, text)
    if field is not None and field.type == FieldDescriptor.TYPE_INT32:
        return _number(text)
    return text


def _map(text: str) -> object:
    """Return `name=number, ...` as a map; anything else, or a name twice, unchanged."""
    pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    numbers = {name: _number(value) for name, _, value in pairs}
    if len(numbers) < len(pairs) or not all(type(number) is int for number in numbers.values()):
        return text
    return numbers


def _number(text: str) -> int | str:
    """Return a number of a few digits; any other text unchanged."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else text


@lru_cache(256)
def rules_message(rules: Rules) -> RulesMessage:
    """Return rules as a message in which every option is set; it is shared, so leave it be."""
    message = RulesMessage(
        deck_extras=DeckExtras(**asdict(rules.deck_extras)),
        deck_counts=(
            CardCount(card=card_message(card), card_count=count)
            for card, count in rules.deck_counts or ()
        ),
        stack_pairs=(_stack_pair(pair.value) for pair in rules.stack_pairs),
        custom_rules=(
            CustomRule(
                rule_id=r.id,
                text=r.text,
                operations=r.ops,
                lose_turn=r.lose_turn,
                kind=f"CUSTOM_KIND_{r.kind.name}",
            )
            for r in rules.custom_rules
        ),
    )
    for name in _SCALARS:
        setattr(message, name, _scalar(name, getattr(rules, name)))
    return message


def _stack_pair(text: str) -> StackPair:
    answered, _, answer = text.partition(">")
    return StackPair(answered=_DRAW_CARDS[answered], answer=_DRAW_CARDS[answer])


_SCALARS: Final[Sequence[str]] = tuple(
    name
    for name, field in _FIELDS.items()
    if not field.is_repeated and field.type != FieldDescriptor.TYPE_MESSAGE
)


def _scalar(option: str, value: object) -> object:
    """Return a plain value as it is, a member of an enum as its number."""
    kind = _FIELDS[option].enum_type
    if kind is None or not isinstance(value, Enum):
        return value
    prefix = kind.values[0].name.removesuffix("UNSPECIFIED")
    return kind.values_by_name[prefix + value.value.upper()].number
