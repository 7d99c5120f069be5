"""What does `lastcard rules pick` ask at a terminal, and how is an answer read in a language?"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

import click

from lastcard_server.sheets.pick import HOUSE, Book, Box, Evening, Harshness
from lastcard_server.sheets.words import Words


class _UnreadableError(ValueError):
    """An answer that is none; the message says in the language what would be one."""


class _Question(NamedTuple):
    """What one question takes."""

    read: Callable[[str, Words], object]
    """Returns what was answered; raises _UnreadableError."""
    usual: Callable[[Words], str]
    """What an empty line answers."""
    hint: Callable[[Words], str]
    """What may be answered, where it is a choice; else empty."""


def _number(low: int, high: int, usual: int) -> _Question:
    def read(text: str, tongue: Words) -> int:
        if text.isascii() and text.isdigit() and len(text) < 5 and low <= int(text) <= high:
            return int(text)
        raise _UnreadableError(tongue.say("answer.number", low=low, high=high))

    return _Question(read, lambda _: str(usual), lambda _: "")


def _one_of(members: type[StrEnum], usual: StrEnum) -> _Question:
    names = ", ".join(members)

    def read(text: str, tongue: Words) -> str:
        if text.lower() in list(members):
            return text.lower()
        raise _UnreadableError(tongue.say("answer.one_of", names=names))

    return _Question(read, lambda _: usual.value, lambda _: names)


def _yes_or_no(text: str, tongue: Words) -> bool:
    """Return a yes or a no in the language or in English, whole or by its first letter."""
    yes, no = tongue.say("answer.yes"), tongue.say("answer.no")
    answers = {
        yes: True,
        yes[0]: True,
        "yes": True,
        "y": True,
        no: False,
        no[0]: False,
        "no": False,
    }
    if text.lower() in answers:
        return answers[text.lower()]
    raise _UnreadableError(tongue.say("answer.yes_no", yes=yes, no=no))


def house_rules(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the house rules that a text names with commas, and the names that are none."""
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    return names, tuple(name for name in names if name not in HOUSE)


def _several(text: str, tongue: Words) -> tuple[str, ...]:
    names, unknown = house_rules(text)
    if unknown:
        listed = ", ".join(HOUSE)
        raise _UnreadableError(tongue.say("answer.several", name=repr(unknown[0]), names=listed))
    return names


_USUAL: Final = Evening()
_QUESTIONS: Final[Mapping[str, _Question]] = {
    "players": _number(2, 10, _USUAL.players),
    "minutes": _number(5, 600, _USUAL.minutes),
    "children": _Question(
        _yes_or_no,
        lambda tongue: tongue.say("answer.no"),
        lambda tongue: f"{tongue.say('answer.yes')}/{tongue.say('answer.no')}",
    ),
    "harshness": _one_of(Harshness, _USUAL.harshness),
    "book": _one_of(Book, _USUAL.book),
    "box": _one_of(Box, _USUAL.box),
    "house": _Question(_several, lambda _: "", lambda _: ", ".join(HOUSE)),
}
"""The questions in their order; the message of each is `ask.NAME`."""


def answers(asked: Iterable[str], tongue: Words) -> dict[str, object]:
    """Ask on standard error what is to be asked, each until it is answered; return the answers."""
    return {name: _answer(name, tongue) for name in _QUESTIONS if name in set(asked)}


def _answer(name: str, tongue: Words) -> object:
    question = _QUESTIONS[name]
    hint = question.hint(tongue)
    text = tongue.say(f"ask.{name}") + (f" ({hint})" if hint else "")
    while True:
        answer: str = click.prompt(text, default=question.usual(tongue), err=True)
        try:
            return question.read(answer.strip(), tongue)
        except _UnreadableError as error:
            click.echo(str(error), err=True)
