"""
How is the rule on a custom wild written, and is it one that can be played?

An operation is its name and its arguments in brackets: `draw(next,3)`. What follows a dare or a
vote is operations again, divided by `;`: `dare(next,crow like a rooster,draw(self,4))`. Reading and
writing are inverses but for blanks around the marks. Text is read once, by looking for marks; it is
never run. A refusal names the place and what is allowed there, and repeats nothing it was given.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lastcard_engine.cards import MOST_RULES
from lastcard_engine.custom_ops import (
    ASKING,
    LONGEST_TEXT,
    MOST_CONSEQUENCES,
    MOST_OPERATIONS,
    SHAPES,
    SOCIAL,
    Argument,
    Operation,
    OpKind,
    all_of,
)
from lastcard_engine.names import is_shown
from lastcard_engine.rules import CustomKind, CustomRule

LONGEST_OPERATION: Final = 500
"""Characters of one operation, all that follows from it included."""

_ID: Final = re.compile(r"[A-Za-z0-9_]{1,32}")
_LONGEST_RULE_TEXT: Final = 200
_FIELDS: Final = ("id", "text", "kind", "ops", "lose_turn")
_MARKS: Final = frozenset("(),;")


class WrongRuleError(ValueError):
    """A custom rule that cannot be played; the sentence says where it is wrong and what may be."""


def format_operation(op: Operation) -> str:
    """Return the notation of an operation."""
    return f"{op.kind}({','.join(_argument(op, argument) for argument in SHAPES[op.kind])})"


def _argument(op: Operation, argument: Argument) -> str:
    value = getattr(op, argument.field) if argument.field else argument.words[0]
    if isinstance(value, tuple):
        return ";".join(map(format_operation, value))
    return str(value)


def parse_operation(text: str, *, follows: OpKind | None = None) -> Operation:
    """
    Return the operation a text describes.

    Args:
        text: as in `draw(next,3)`; blanks around marks do not count.
        follows: the dare or vote whose outcome it is, if any.

    Raises:
        WrongRuleError: the text is too long or no operation, or may not stand there.

    """
    if len(text) > LONGEST_OPERATION:
        raise WrongRuleError(f"an operation has at most {LONGEST_OPERATION} characters")
    name, bracket, rest = text.strip().partition("(")
    if name not in tuple(OpKind) or not bracket or not rest.endswith(")"):
        raise WrongRuleError(
            "an operation is written name(argument,...), and the names are " + ", ".join(OpKind)
        )
    kind = OpKind(name)
    if follows is not None and not _may_follow(kind, follows):
        raise WrongRuleError(f"{kind} may not follow a {follows}")
    words = [word.strip() for word in _split(rest[:-1], ",")]
    shape = SHAPES[kind]
    if len(words) != len(shape):
        raise WrongRuleError(f"{kind} takes {len(shape)} arguments in its brackets")
    fields = {a.field: _read(kind, a, word) for a, word in zip(shape, words, strict=True)}
    fields.pop("", None)
    return Operation(kind, **fields)


def _may_follow(kind: OpKind, question: OpKind) -> bool:
    """Tell what may come of a question: no other one; and no turn for who was only dared."""
    return kind not in ASKING and not (kind is OpKind.EXTRA_TURN and question is OpKind.DARE)


def _split(text: str, mark: str) -> Iterator[str]:
    """Yield the parts of a text between marks that stand outside all brackets."""
    begin = depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == mark and depth == 0:
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


def _read(kind: OpKind, argument: Argument, word: str) -> Any:  # noqa: ANN401 - by the argument
    if argument.words:
        if word not in argument.words:
            raise WrongRuleError(_places(kind, argument, ", ".join(argument.words)))
        return type(argument.words[0])(word)
    if argument.high:
        if not (word.isascii() and word.isdigit() and len(word) < 3):
            raise WrongRuleError(_places(kind, argument, f"{argument.low} to {argument.high}"))
        if not argument.low <= int(word) <= argument.high:
            raise WrongRuleError(_places(kind, argument, f"{argument.low} to {argument.high}"))
        return int(word)
    return _phrase(kind, word) if argument.field == "word" else _consequences(kind, word)


def _places(kind: OpKind, argument: Argument, allowed: str) -> str:
    place = SHAPES[kind].index(argument) + 1
    return f"argument {place} of {kind} may be {allowed}"


def _phrase(kind: OpKind, word: str) -> str:
    if not 1 <= len(word) <= LONGEST_TEXT or not is_shown(word) or _MARKS & {*word}:
        raise WrongRuleError(
            f"the text of a {kind} has 1 to {LONGEST_TEXT} printable characters without ( ) , ;"
        )
    return word


def _consequences(kind: OpKind, text: str) -> tuple[Operation, ...]:
    parts = [part for part in _split(text, ";") if part.strip()]
    if len(parts) > MOST_CONSEQUENCES:
        raise WrongRuleError(f"at most {MOST_CONSEQUENCES} operations follow a {kind}")
    return tuple(parse_operation(part, follows=kind) for part in parts)


def read_custom_rules(values: Sequence[Any]) -> tuple[CustomRule, ...]:
    """
    Return custom rules from plain values, or from rules that have to be looked at again.

    Raises:
        WrongRuleError: the first thing that is wrong, with the number of its rule.

    """
    if len(values) > MOST_RULES:
        raise WrongRuleError(f"a table has at most {MOST_RULES} rules")
    rules = tuple(_numbered(number, value) for number, value in enumerate(values, 1))
    for number, rule in enumerate(rules, 1):
        if any(other.id == rule.id and other != rule for other in rules):
            raise WrongRuleError(f"rule {number}: rules that differ need ids that differ")
    return rules


def _numbered(number: int, value: object) -> CustomRule:
    try:
        return _rule(value)
    except WrongRuleError as error:
        raise WrongRuleError(f"rule {number}: {error}") from None


def _rule(value: object) -> CustomRule:
    if isinstance(value, CustomRule):
        value = {name: getattr(value, name) for name in _FIELDS}
    if not isinstance(value, Mapping) or any(name not in _FIELDS for name in value):
        raise WrongRuleError(f"a rule is a map of {', '.join(_FIELDS)}")
    operations = _operations(value.get("ops"))
    return CustomRule(
        _identifier(value.get("id")),
        _text(value.get("text", "")),
        _kind(value.get("kind"), operations),
        tuple(map(format_operation, operations)),
        _lose_turn(value.get("lose_turn", False), operations),
    )


def _identifier(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise WrongRuleError("id is 1 to 32 letters a to z, digits or _")
    return value


def _text(value: object) -> str:
    if (
        not isinstance(value, str)
        or len(value) > _LONGEST_RULE_TEXT
        or not is_shown(value)
        or value != value.strip()
    ):
        raise WrongRuleError(f"text has at most {_LONGEST_RULE_TEXT} printable characters")
    return value


def _operations(value: object) -> tuple[Operation, ...]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_OPERATIONS:
        raise WrongRuleError(f"ops is a list of 1 to {MOST_OPERATIONS} operations")
    operations = tuple(_operation(number, text) for number, text in enumerate(value, 1))
    if sum(op.kind is OpKind.EXTRA_TURN for op in all_of(operations)) > 1:
        raise WrongRuleError("extra_turn stands in a rule at most once")
    return operations


def _operation(number: int, text: object) -> Operation:
    if not isinstance(text, str):
        raise WrongRuleError(f"operation {number} must be a text")
    try:
        return parse_operation(text)
    except WrongRuleError as error:
        raise WrongRuleError(f"operation {number}: {error}") from None


def _kind(value: object, operations: tuple[Operation, ...]) -> CustomKind:
    """Return what sort of rule it is; one that is given must be the one the operations make."""
    kinds = {op.kind for op in all_of(operations)}
    kind = CustomKind.MECHANICAL
    if kinds & SOCIAL:
        kind = CustomKind.SOCIAL
    elif OpKind.REVEAL_HANDS in kinds:
        kind = CustomKind.INFORMATION
    if value not in (None, kind):
        raise WrongRuleError(f"with these operations kind is {kind}")
    return kind


def _lose_turn(value: object, operations: tuple[Operation, ...]) -> bool:
    if not isinstance(value, bool):
        raise WrongRuleError("lose_turn is true or false")
    if value and any(op.kind is OpKind.EXTRA_TURN for op in all_of(operations)):
        raise WrongRuleError("lose_turn does not go with extra_turn")
    return value


def compiled(rule: CustomRule) -> tuple[Operation, ...]:
    """Return the operations of a rule that has been read."""
    return tuple(map(parse_operation, rule.ops))
