"""
What stands in the body of an entry of a match? Writing and reading, kind by kind.

Actions are in notation; an answer adds which choice it was and how long it took, as in
`play r5 uno #3 @1250` (milliseconds). Everything structured is compact JSON with sorted keys in
one line; `created` has a file of its own.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import Any, Final

from lastcard_engine.actions import Action
from lastcard_engine.notation import format_action, parse_action

READY: Final = "ready"
"""The answer to a ready turn; its nonce follows in hex."""


@lru_cache(maxsize=4096)
def action_text(action: Action, uno: bool) -> str:  # noqa: FBT001 - goes along with the action
    """Return an action in notation, the same object each time."""
    return intern(format_action(action, uno))


@lru_cache(maxsize=4096)
def action_of(text: str) -> tuple[Action, bool]:
    """Return the action written in notation and whether UNO is called with it."""
    return parse_action(text)


def ready_text(nonce: bytes) -> str:
    """Return the answer to a ready turn in notation."""
    return f"{READY} {nonce.hex()}" if nonce else READY


def nonce_of(text: str) -> bytes:
    """Return the nonce in the answer to a ready turn."""
    return bytes.fromhex(text.removeprefix(READY))


Said = tuple[str, int, int]
"""What an answer says: the action in notation, the choice, how many milliseconds it took."""


def answer_body(said: Said) -> str:
    """Return the body of an answer."""
    text, choice, think_ms = said
    return f"{text} #{choice} @{think_ms}"


def read_answer(body: str) -> Said:
    """Return what `answer_body` wrote."""
    text, numbers = body.split(" #")
    choice, think_ms = numbers.split(" @")
    return intern(text), int(choice), int(think_ms)


_encode: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def structured(values: Mapping[str, Any]) -> str:
    """Return values as compact JSON with sorted keys."""
    return _encode(values)


def read_structured(body: str) -> dict[str, Any]:
    """Return what `structured` wrote."""
    values: dict[str, Any] = json.loads(body)
    return values


def nonces_body(nonces: Sequence[bytes]) -> str:
    """Return the body of `started`: the nonces that go into the deal, by entrant."""
    return structured({"nonces": [nonce.hex() for nonce in nonces]})


def read_nonces(body: str) -> tuple[bytes, ...]:
    """Return what `nonces_body` wrote."""
    return tuple(bytes.fromhex(nonce) for nonce in read_structured(body)["nonces"])
