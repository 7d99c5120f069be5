"""
How is an action written?

One word for its kind, then what it needs, blank-separated: `play r5`, `play W g uno`, `play r7 >2`,
`catch 2`, `choose_card r5`, `vote yes`. Seats are their numbers, `uno` at the end says that UNO is
called with it. Reading and writing are inverses: exactly one text stands for an action, and nothing
else is read.
"""

from collections.abc import Callable, Mapping
from typing import Final

from lastcard_engine.actions import (
    ACCEPT_DRAW,
    ANSWERS_TO_DARE,
    BARE_PLAYS,
    BEGIN_TURN,
    CALL_UNO,
    CATCHES,
    CHALLENGE,
    CHOICES_OF_CARD,
    CHOICES_OF_COLOUR,
    CHOICES_OF_TARGET,
    DRAW,
    JUMP_INS,
    KEEP,
    PASS,
    PLAYS,
    VOTES,
    Action,
    Catch,
    ChooseCard,
    ChooseColour,
    ChooseTarget,
    JumpIn,
    Play,
)
from lastcard_engine.cards import (
    ALL_CARDS,
    FIRST_WILD,
    Seat,
    format_card,
    format_colour,
    parse_card,
    parse_colour,
)

_PLAIN: Final[Mapping[str, Action]] = {
    "draw": DRAW,
    "keep": KEEP,
    "accept_draw": ACCEPT_DRAW,
    "challenge": CHALLENGE,
    "call_uno": CALL_UNO,
    "begin_turn": BEGIN_TURN,
    "pass": PASS,
    "dare_done": ANSWERS_TO_DARE[0],
    "dare_refuse": ANSWERS_TO_DARE[1],
    "vote yes": VOTES[0],
    "vote no": VOTES[1],
}
_WORDS: Final = {action: word for word, action in _PLAIN.items()}


def _target(target: Seat | None) -> str:
    return "" if target is None else f" >{target}"


def _write(action: Action) -> str:
    match action:
        case Play(card, colour, target):
            named = "" if colour is None else f" {format_colour(colour)}"
            return f"play {format_card(card)}{named}{_target(target)}"
        case JumpIn(card, target):
            return f"jump_in {format_card(card)}{_target(target)}"
        case Catch(target):
            return f"catch {target}"
        case ChooseTarget(target):
            return f"choose_target {target}"
        case ChooseColour(colour):
            return f"choose_colour {format_colour(colour)}"
        case ChooseCard(card):
            return f"choose_card {format_card(card)}"
        case _:
            return _WORDS[action]


def format_action(action: Action, uno: bool = False) -> str:  # noqa: FBT001, FBT002 - the call travels beside the action
    """
    Return the notation of an action, and of the call of UNO that goes with it.

    Example:
        >>> format_action(Play(parse_card("r5")), True)
        'play r5 uno'

    """
    text = _COMMON.get(action) or _write(action)
    return f"{text} uno" if uno else text


def _read_seat(word: str) -> Seat:
    if len(word) != 1 or word not in "0123456789":
        raise ValueError(f"{word!r} is no seat; write 0 to 9")
    return Seat(int(word))


def _read_play(words: list[str]) -> Action:
    card, *rest = words
    colour = target = None
    if rest and not rest[0].startswith(">"):
        colour = parse_colour(rest.pop(0))
    if rest:
        target = _read_target(rest.pop(0))
    if rest:
        raise ValueError("a play is a card, a colour and a target")
    return Play(parse_card(card), colour, target)


def _read_target(word: str) -> Seat:
    if not word.startswith(">"):
        raise ValueError(f"{word!r} is no target; write > and a seat, as in >2")
    return _read_seat(word[1:])


def _read_jump_in(words: list[str]) -> Action:
    card, *rest = words
    if len(rest) > 1:
        raise ValueError("a jump-in is a card and a target")
    return JumpIn(parse_card(card), _read_target(rest[0]) if rest else None)


def _read_catch(words: list[str]) -> Action:
    (word,) = words
    return CATCHES[_read_seat(word)]


def _read_choice_of_target(words: list[str]) -> Action:
    (word,) = words
    return CHOICES_OF_TARGET[_read_seat(word)]


def _read_colour(words: list[str]) -> Action:
    (word,) = words
    return CHOICES_OF_COLOUR[parse_colour(word)]


def _read_choice(words: list[str]) -> Action:
    (word,) = words
    return CHOICES_OF_CARD[parse_card(word)]


_READERS: Final[Mapping[str, Callable[[list[str]], Action]]] = {
    "play": _read_play,
    "jump_in": _read_jump_in,
    "catch": _read_catch,
    "choose_colour": _read_colour,
    "choose_target": _read_choice_of_target,
    "choose_card": _read_choice,
}


def parse_action(text: str) -> tuple[Action, bool]:
    """
    Return the action written in notation, and whether UNO is called with it.

    Raises:
        ValueError: the text is not exactly the notation of an action.

    """
    body = text.removesuffix(" uno")
    known = _KNOWN.get(body)
    if known is not None:
        return known, body != text
    word, *rest = body.split(" ")
    if word not in _READERS or not rest:
        raise ValueError(
            f"{text!r} is no action; write for instance 'play r5', 'play r7 >2', "
            "'draw' or 'catch 2'"
        )
    return _READERS[word](rest), body != text


_COMMON: Final[Mapping[Action, str]] = {
    action: _write(action)
    for action in (
        *_WORDS,
        *CHOICES_OF_COLOUR,
        *CHOICES_OF_TARGET,
        *CHOICES_OF_CARD,
        *CATCHES,
        *(play for card in ALL_CARDS for play in PLAYS[card]),
        *BARE_PLAYS[FIRST_WILD:],
        *JUMP_INS,
    )
}
"""The notation of all but plays and jump-ins with a target, to be written and read by look-up."""

_KNOWN: Final = {text: action for action, text in _COMMON.items()}
