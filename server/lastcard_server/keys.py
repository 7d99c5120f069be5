"""
Who calls, and what may they do? API keys, and the caller a credential stands for.

What a role allows is decided where a call is served.
"""

import unicodedata
from enum import StrEnum
from typing import Final, NamedTuple

from lastcard_engine.names import WANTED, is_name

OWNER: Final = "key:"
"""What an owner begins with that is a key."""


class Role(StrEnum):
    """What a caller may do."""

    ORGANISER = "organiser"
    BOT = "bot"
    SPECTATOR = "spectator"


class Key(NamedTuple):
    """An API key without its secret."""

    key_id: str
    """16 letters and digits."""
    name: str
    role: Role
    created_us: int
    revoked_us: int | None = None
    """None = valid."""

    @property
    def owner(self) -> str:
        """Return what owns seats and matches under this key."""
        return OWNER + self.key_id


class Caller(NamedTuple):
    """Who a credential stands for: a key, or one seat of one match."""

    owner: str
    """"key:<id>" or "seat:<match>:<seat>"."""
    role: Role
    key_id: str | None = None
    seat: tuple[str, int] | None = None
    """(match id, seat): this seat and nothing else."""
    generation: int = 0
    """Of the seat token; the match knows whether it is the newest."""
    taken_by: str = ""
    """Who took the seat of the token, as an owner; empty where that is not known, and for keys."""

    @property
    def account(self) -> str:
        """Return who answers for what is done: the owner, or who took the seat it plays."""
        return self.taken_by or self.owner


def normal_name(text: str) -> str:
    """
    Return a key's name in Unicode's normal form C.

    Raises:
        KeyNameError: it is no name (`is_name`).
    """
    name = unicodedata.normalize("NFC", text)
    if not is_name(name):
        raise KeyNameError(f"a key's name is {WANTED}")
    return name


class KeyNameError(ValueError):
    """A key's name is not allowed; the message says what is."""


class KeyUnknownError(LookupError):
    """No key has this id."""


class LastOrganiserError(ValueError):
    """The key is the last that may manage keys; the message says what to do first."""
