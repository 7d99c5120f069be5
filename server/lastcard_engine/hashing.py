"""
When are two states the same?

When their hashes agree: SHA-256 over a layout of our own, in which every attribute that matters for
the rest of the match has its place. It covers secrets, so it is published only after a match.
"""

import hashlib
import json
import struct
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from lastcard_engine.cards import Seat
from lastcard_engine.custom_state import write_custom
from lastcard_engine.notation import format_action
from lastcard_engine.plain import plain_rules, plain_settings
from lastcard_engine.rules import Rules
from lastcard_engine.settings import Settings
from lastcard_engine.state import Group, State

REVISION: Final = 1
"""The engine's revision; raised only when a golden journal changes."""

_LABEL: Final = b"lastcard state 1"
_ABSENT: Final = -1


@lru_cache(maxsize=256)
def _terms(rules: Rules, settings: Settings) -> bytes:
    """Return the hash of what a match is played by."""
    terms = [plain_rules(rules), plain_settings(settings)]
    text = json.dumps(terms, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()


def _numbers(values: Iterable[int]) -> bytes:
    """Write how many numbers there are and each of them, four bytes big-endian each."""
    items = (*values,)
    return struct.pack(f">{len(items) + 1}i", len(items), *items)


def _seat(seat: Seat | None) -> int:
    return _ABSENT if seat is None else seat


def _group(group: Group | None) -> bytes:
    if group is None:
        return _numbers(())
    answers = [
        "" if action is None else format_action(action, uno)
        for action, uno in zip(group.answers, group.unos, strict=True)
    ]
    text = "\n".join(answers).encode()
    return _numbers((group.actor, group.serial, *group.asked)) + _numbers(text)


def _debt(state: State) -> tuple[int, ...]:
    offence = state.offence
    if offence is None:
        return (state.pending,) if state.pending else ()
    return (offence.offender, state.pending, offence.lawful, *offence.hand)


def _caught(state: State) -> list[bytes]:
    """Write who was caught, but only where somebody was: hashes of version 0.1 know of nobody."""
    return [b"caught" + _numbers(state.caught)] if any(state.caught) else []


def state_hash(state: State) -> bytes:
    """Return the 32-byte hash of a state; equal states, and only they, have equal hashes."""
    single = (
        state.seat_count,
        state.round_number,
        state.shuffles,
        state.turn,
        state.serial,
        state.begun,
        state.direction,
        state.dealer,
        _ABSENT if state.colour is None else state.colour,
        _ABSENT if state.drawn is None else state.drawn,
        _seat(state.credit),
        _seat(state.laid_by),
        state.lawful,
        state.lap,
        state.actions,
        state.window,
    )
    lists = (
        single,
        state.draw_pile,
        state.discards,
        *state.hands,
        state.active,
        state.left,
        state.forfeited,
        state.lost,
        state.totals,
        state.duty,
        state.called,
        state.owed_skip,
        state.winners,
        _debt(state),
    )
    parts = [_LABEL, _terms(state.rules, state.settings), state.deal_key, state.phase.encode()]
    parts += [_numbers(values) for values in lists]
    parts += [_group(state.group), *_caught(state)]
    if state.custom is not None:
        parts.append(write_custom(state.custom).encode())
    return hashlib.sha256(b"|".join(parts)).digest()
