"""
Who calls, and what may they do? API keys as a log, and the caller a credential stands for.

Of a secret only its SHA-256 is kept. What a role allows is decided where a call is served.
"""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from lastcard_engine.names import WANTED, is_name
from lastcard_server.gathering import Gathered
from lastcard_server.journal.entry import Entry, chained, genesis
from lastcard_server.journal.port import Append, Index, Journal, StoreError
from lastcard_server.secrets import ServerKeys
from lastcard_server.tokens import API_KEY, digest, format_credential, parse_credential

LOG = "keys"
_OWNER = "key:"
_INDEX = Index(None, (), live=True, label="")
_LOOK_SECONDS = 1.0  # how often others' entries are looked for, hints or not
_UNKNOWN_SECONDS = 0.1  # at most how often because of credentials that are not known


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
        return _OWNER + self.key_id


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


class KeyRegistry:
    """
    The API keys of a server, folded from the log "keys"; made by `open`.

    `authenticate` and `keys` answer from memory; `create` and `revoke` return when durable.
    """

    def __init__(
        self, journal: Journal, server_keys: ServerKeys | None, random: Callable[[int], bytes]
    ) -> None:
        self._journal = journal
        self._server_keys = server_keys
        self._random = random
        self._head = genesis(LOG)
        self._keys: dict[str, Key] = {}
        self._digests: dict[bytes, str] = {}  # of every key, revoked ones too
        self._callers: dict[bytes, Caller] = {}  # of valid keys, by their digest
        self._listeners: list[Callable[[str], None]] = []
        self._changing = asyncio.Lock()
        self._grown = asyncio.Event()
        self._unknown = Gathered[str](self._look_again, _UNKNOWN_SECONDS)

    @classmethod
    async def open(
        cls,
        journal: Journal,
        server_keys: ServerKeys | None = None,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> KeyRegistry:
        """
        Read the registry.

        Args:
            journal: where the log is.
            server_keys: what seat tokens are made with; None = none is accepted, as in commands
                on the file of a stopped server.
            random: returns so many unpredictable bytes.
        """
        registry = cls(journal, server_keys, random)
        await registry.refresh()
        return registry

    async def create(self, name: str, role: Role) -> tuple[Key, str]:
        """
        Create a key; return it with its secret, which nobody can look up again.

        Raises:
            KeyNameError: as `normal_name`; nothing was created.
        """
        secret = self.new_secret()
        return await self.admit(secret, name, role), secret

    def new_secret(self) -> str:
        """Return a secret that no key has yet."""
        return format_credential(API_KEY, self._random(20))

    async def admit(self, secret: str, name: str, role: Role) -> Key:
        """Register a credential that exists already; KeyNameError as `create`."""
        name = normal_name(name)
        key_id = base64.b32encode(self._random(10)).decode().lower()
        made = {"digest": digest(secret).hex(), "id": key_id, "name": name, "role": role}
        async with self._changing:
            await self._append("created", made)
        return self._keys[key_id]

    async def revoke(self, key_id: str) -> Key:
        """
        Revoke a key and tell the listeners; a second time changes nothing.

        Raises:
            KeyUnknownError: there is no such key.
            LastOrganiserError: no other valid key is an organiser's; it stays valid.
        """
        async with self._changing:
            await self.catch_up()
            while self.key(key_id).revoked_us is None:
                self._refuse_last_organiser(key_id)
                await self._append("revoked", {"id": key_id})
        return self._keys[key_id]

    def _refuse_last_organiser(self, key_id: str) -> None:
        """Refuse to shut everybody out who could let anybody in."""
        valid = {
            key.key_id
            for key in self._keys.values()
            if key.role is Role.ORGANISER and key.revoked_us is None
        }
        if valid == {key_id}:
            raise LastOrganiserError(
                "this is the last valid organiser's key: create another one before it is revoked"
            )

    def has(self, key_id: str) -> bool:
        """Tell whether a key is known here; "" stands for none and always is."""
        return not key_id or key_id in self._keys

    def key(self, key_id: str) -> Key:
        """Return a key; KeyUnknownError if there is none."""
        if key_id not in self._keys:
            raise KeyUnknownError("there is no key with this id")
        return self._keys[key_id]

    def keys(self, *, after: str = "", limit: int | None = 100) -> list[Key]:
        """
        Return a page of keys, newest first.

        Args:
            after: the last key id of the page before; "" = from the newest on.
            limit: most keys to return; None = all.

        Raises:
            KeyUnknownError: there is no key `after`.
        """
        ids = reversed(self._keys)
        if after:
            self.key(after)
            while next(ids) != after:
                pass
        return [self._keys[key_id] for key_id in islice(ids, limit)]

    def authenticate(self, credential: str) -> Caller | None:
        """Return the caller; None for garbage, unknown and revoked alike."""
        if not credential.isascii():
            return None
        caller = self._callers.get(digest(credential))
        return caller or self._seat_caller(credential)

    async def admit_caller(self, credential: str) -> Caller | None:
        """
        Return the caller as `authenticate` does; a key that another server has made is looked for.

        Raises:
            StoreUnavailable: the key is not known here, and the store cannot answer.
        """
        caller = self.authenticate(credential)
        if caller is None and self._may_be_new(credential):
            await self._unknown.ask(credential)
            caller = self.authenticate(credential)
        return caller

    def _may_be_new(self, credential: str) -> bool:
        """Tell whether another server may have made a key that is not known here."""
        if not self._journal.shared or not credential.isascii() or self.knows(credential):
            return False
        parsed = parse_credential(credential)
        return parsed is not None and parsed.prefix == API_KEY

    async def catch_up(self) -> None:
        """Have all keys that any server has made by now; raises StoreUnavailable."""
        if self._journal.shared:
            await self.refresh()

    async def _look_again(self, _credentials: list[str]) -> None:
        await self.refresh()

    def is_revoked(self, owner: str) -> bool:
        """Tell whether an owner is a key that was revoked."""
        key = self._keys.get(owner.removeprefix(_OWNER))
        return key is not None and key.revoked_us is not None

    def knows(self, credential: str) -> bool:
        """Tell whether a key with this secret was ever created, valid or revoked."""
        return digest(credential) in self._digests

    def on_revoked(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the owner of each revoked key; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def refresh(self) -> None:
        """Read what other processes have appended; listeners hear of their revocations."""
        for entry in await self._journal.read(LOG, self._head.version):
            self._fold(entry)

    async def follow(self) -> None:
        """Refresh as soon as another server has appended, and every second, until cancelled."""
        listening = asyncio.create_task(self._listen())
        try:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_SECONDS):
                        await self._grown.wait()
                self._grown.clear()
                with suppress(StoreError):
                    await self.refresh()
        finally:
            listening.cancel()

    async def _listen(self) -> None:
        async for hint in self._journal.hints():
            if hint.log == LOG:
                self._grown.set()

    def _seat_caller(self, credential: str) -> Caller | None:
        """Return the caller a seat token stands for."""
        claim = self._server_keys and self._server_keys.seat_claim(credential)
        if not claim:
            return None
        owner = f"seat:{claim.match_id}:{claim.seat}"
        return Caller(owner, Role.BOT, None, (claim.match_id, claim.seat), claim.generation)

    async def _append(self, kind: str, made: dict[str, str]) -> None:
        """Append one entry behind whatever others append meanwhile, and fold it."""
        body = json.dumps(made, sort_keys=True, separators=(",", ":"))
        while True:
            entry = chained(self._head, kind, self._journal.now_us(), body=body)
            append = Append(LOG, self._head, (entry,), _INDEX)
            (conflict,) = await self._journal.append([append])
            if conflict is None:
                return self._fold(entry)
            await self.refresh()

    def _fold(self, entry: Entry) -> None:
        """Follow one entry; one that another call has read meanwhile is passed over."""
        if entry.version <= self._head.version:
            return
        made = json.loads(entry.body)
        if entry.kind == "created":
            key = Key(made["id"], made["name"], Role(made["role"]), entry.time_us)
            secret = bytes.fromhex(made["digest"])
            self._digests[secret] = key.key_id
            self._callers[secret] = Caller(key.owner, key.role, key.key_id)
        else:
            key = self._keys[made["id"]]._replace(revoked_us=entry.time_us)
            self._revoked(key)
        self._keys[key.key_id] = key
        self._head = entry.head

    def _revoked(self, key: Key) -> None:
        """Shut a key out and tell the listeners."""
        for secret, key_id in self._digests.items():
            if key_id == key.key_id:
                self._callers.pop(secret, None)
        for listener in tuple(self._listeners):
            listener(key.owner)


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
