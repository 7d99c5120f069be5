"""
Who calls, and what may they do? API keys as a log, and the caller a credential stands for.

Of a secret only its SHA-256 is kept. What a role allows is decided where a call is served.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from lastcard_server.journal.port import Journal
from lastcard_server.secrets import ServerKeys


class Role(StrEnum):
    """What a caller may do."""

    ORGANISER = "organiser"
    BOT = "bot"
    SPECTATOR = "spectator"


class Key(NamedTuple):
    """An API key without its secret."""

    key_id: str  # 16 letters and digits
    name: str
    role: Role
    created_us: int
    revoked_us: int | None = None  # None = valid

    @property
    def owner(self) -> str:
        """Return what owns seats and matches under this key."""
        return f"key:{self.key_id}"


class Caller(NamedTuple):
    """Who a credential stands for: a key, or one seat of one match."""

    owner: str  # "key:<id>" or "seat:<match>:<seat>"
    role: Role
    key_id: str | None = None
    seat: tuple[str, int] | None = None  # (match id, seat): this seat and nothing else
    generation: int = 0  # of the seat token; the match knows whether it is the newest


class KeyRegistry:
    """
    The API keys of a server, folded from the log "keys".

    `authenticate` and `keys` answer from memory; `create` and `revoke` return when durable.
    """

    @classmethod
    async def open(cls, journal: Journal, server_keys: ServerKeys | None = None) -> KeyRegistry:
        """Read the registry; without server keys no seat token is accepted (offline commands)."""
        raise NotImplementedError

    async def create(self, name: str, role: Role) -> tuple[Key, str]:
        """
        Create a key; return it with its secret, which nobody can look up again.

        Raises:
            KeyNameError: not 1 to 32 letters, digits, spaces, `_`, `.`, `-`; nothing created.
        """
        raise NotImplementedError

    async def revoke(self, key_id: str) -> Key:
        """
        Revoke a key and tell the listeners; a second time changes nothing.

        Raises:
            KeyUnknownError: there is no such key.
        """
        raise NotImplementedError

    def keys(self, *, after: str = "", limit: int = 100) -> list[Key]:
        """Return a page of keys, newest first; `after` = the last key id of the page before."""
        raise NotImplementedError

    def authenticate(self, credential: str) -> Caller | None:
        """Return the caller; None for garbage, unknown and revoked alike."""
        raise NotImplementedError

    def on_revoked(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the owner of each revoked key; return what ends that."""
        raise NotImplementedError

    async def refresh(self) -> None:
        """Read what other processes have appended; listeners hear of their revocations."""
        raise NotImplementedError


class KeyNameError(ValueError):
    """A key's name is not allowed; the message says what is."""


class KeyUnknownError(LookupError):
    """No key has this id."""
