"""
What does a sheet say of the rule on a customizable card?

A clause for each operation. Every language words its clauses so that whoever is meant may stand in
front, whether one player or all: a verb that goes with one goes with the other.
"""

from collections.abc import Iterator

from lastcard_engine.custom_ops import Operation, OpKind, Target, is_aimed
from lastcard_engine.custom_text import compiled
from lastcard_engine.rules import CustomRule
from lastcard_server.sheets.words import Words


def told(rule: CustomRule, words: Words) -> str:
    """Return a rule in sentences: what its owners wrote, then what its operations do."""
    operations = compiled(rule)
    sentences = [_stopped(rule.text)] if rule.text else []
    if is_aimed(operations):
        sentences.append(words.say("custom.choose"))
    for op in operations:
        sentences += [_stopped(clause[0].upper() + clause[1:]) for clause in _clauses(op, words)]
    if rule.lose_turn:
        sentences.append(words.say("custom.lose_turn"))
    return " ".join(sentences)


def _stopped(text: str) -> str:
    return text if text.rstrip('"”»«')[-1:] in {*".!?…"} else f"{text}."


def _clauses(op: Operation, words: Words, own: str = Target.SELF) -> Iterator[str]:
    """Yield what an operation does; `own` says who is meant by `self`."""
    key = f"custom.{op.kind}"
    who = words.say(f"custom.who.{own if op.target is Target.SELF else op.target}")
    match op.kind:
        case OpKind.DRAW | OpKind.ADJUST_HAND | OpKind.DISCARD_TO:
            yield words.counted(key, op.number, who=who)
        case OpKind.NEXT_DRAW_COUNT:
            yield words.say(key, who=who, n=op.number)
        case OpKind.DRAW_UNTIL:
            yield words.say(key, who=who, card=words.say(f"custom.card.{op.word}"))
        case OpKind.DISCARD_MATCHING:
            yield words.say(key, who=who, cards=words.say(f"custom.cards.{op.word}"))
        case OpKind.EXTRA_TURN | OpKind.REVEAL_HANDS:
            yield words.say(key, who=who)
        case OpKind.RESTRICTION:
            yield words.say(key, who=who, text=op.word)
        case OpKind.DARE:
            yield words.say(key, who=who, text=op.word)
            yield from _then("custom.dare_price", op.no, words, "dared")
        case OpKind.VOTE:
            yield words.say(key, text=op.word)
            yield from _then("custom.vote_yes", op.yes, words)
            yield from _then("custom.vote_no", op.no, words)


def _then(
    key: str, operations: tuple[Operation, ...], words: Words, own: str = Target.SELF
) -> Iterator[str]:
    """Yield what follows an answer; nothing where nothing does."""
    if operations:
        clauses = (clause for op in operations for clause in _clauses(op, words, own))
        yield words.say(key, then="; ".join(clauses))
