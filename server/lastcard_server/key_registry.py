"""
Which keys are there, and who do they let in? The log "keys", folded.

Of a secret only its SHA-256 is kept.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import secrets
from collections.abc import Callable, Iterable
from itertools import islice

from lastcard_server.gathering import Gathered
from lastcard_server.journal.entry import UNREADABLE, Entry, Head, chained, genesis
from lastcard_server.journal.port import Append, Index, Journal, StoreCorrupt
from lastcard_server.keys import (
    OWNER,
    Caller,
    Key,
    KeyUnknownError,
    LastOrganiserError,
    Role,
    normal_name,
)
from lastcard_server.secrets import ServerKeys
from lastcard_server.tokens import API_KEY, digest, format_credential, parse_credential

LOG = "keys"
_INDEX = Index(None, (), live=True, label="")
_UNKNOWN_SECONDS = 0.1  # at most how often because of credentials that are not known
_log = logging.getLogger(__name__)


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
        self._unread: list[int] = []  # versions of entries that this release cannot read
        self._lapsed: set[str] = set()  # revoked keys whose revocation the store has lost
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

        Raises:
            StoreCorrupt: as `refresh`.
            StoreUnavailable: the store cannot answer.
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
            while not await self._appended("created", made):
                pass
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
                await self._appended("revoked", {"id": key_id})
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

    async def look_for(self, key_ids: Iterable[str]) -> None:
        """
        Have these keys if any server has made them by now; "" stands for none.

        Raises:
            StoreUnavailable: one is not known here, and the store does not answer.

        """
        if any(key_id and key_id not in self._keys for key_id in key_ids):
            await self.catch_up()

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
        await self._look()

    def is_revoked(self, owner: str) -> bool:
        """Tell whether an owner is a key that was revoked."""
        key = self._keys.get(owner.removeprefix(OWNER))
        return key is not None and key.revoked_us is not None

    def knows(self, credential: str) -> bool:
        """Tell whether a key with this secret was ever created, valid or revoked."""
        return digest(credential) in self._digests

    def on_revoked(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the owner of each revoked key; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def refresh(self) -> None:
        """
        Read what other processes have appended; listeners hear of their revocations.

        Where the store has lost a part of the log its keys are gone, but nobody who was revoked
        comes back: that is written again.

        Raises:
            StoreCorrupt: the log is damaged, or holds what this release cannot read; what it can
                is followed nevertheless.
            StoreUnavailable: the store cannot answer.
        """
        await self._look()
        while self._lapsed:
            await self._appended("revoked", {"id": min(self._lapsed)})
        if self._unread:
            raise StoreCorrupt(
                f"entry {self._unread[0]} of the log {LOG} cannot be read by this release"
            )

    async def _look(self) -> None:
        """Fold what has come after what is known here, or all of it where that was lost."""
        head = self._head
        grown = await self._journal.since({LOG: head})
        entries = grown.get(LOG, [])
        if entries is None:
            await self._begin_anew(head)
            return
        heads = [head, *(entry.head for entry in entries)]
        if self._head in heads:  # else another call knows better by now
            for entry in entries[heads.index(self._head) :]:
                self._fold(entry)

    async def _begin_anew(self, lost: Head) -> None:
        """Hold what the store holds, now that it does not hold a head which is known here."""
        entries = await self._journal.read(LOG)
        if self._head != lost:
            return
        before, self._keys = self._keys, {}
        self._head, self._unread, self._lapsed = genesis(LOG), [], set()
        self._digests.clear()
        self._callers.clear()
        for entry in entries:
            self._fold(entry)
        gone = [key for key in before.values() if key.key_id not in self._keys]
        for key in gone:
            self._tell(key)
        for key in before.values():
            if key.revoked_us is not None and not self.is_revoked(key.owner) and key not in gone:
                self._keys[key.key_id] = key
                self._shut_out(key)
                self._lapsed.add(key.key_id)
        _log.error(
            "the store has lost a part of the log %s; keys that are gone: %s; to be revoked again: "
            "%s",
            LOG,
            _names(gone),
            _names(self._keys[key_id] for key_id in self._lapsed),
        )

    def _seat_caller(self, credential: str) -> Caller | None:
        """Return the caller a seat token stands for."""
        claim = self._server_keys and self._server_keys.seat_claim(credential)
        if not claim:
            return None
        owner = f"seat:{claim.match_id}:{claim.seat}"
        return Caller(owner, Role.BOT, None, (claim.match_id, claim.seat), claim.generation)

    async def _appended(self, kind: str, made: dict[str, str]) -> bool:
        """
        Append one entry and fold it; where others were quicker follow them and return False.

        Whoever asked decides anew then: after what they have written it may be wrong, and an entry
        on a key that is gone could be read by nobody.
        """
        body = json.dumps(made, sort_keys=True, separators=(",", ":"))
        entry = chained(self._head, kind, self._journal.now_us(), body=body)
        (conflict,) = await self._journal.append([Append(LOG, self._head, (entry,), _INDEX)])
        if conflict is None:
            self._fold(entry)
        else:
            await self._look()
        return conflict is None

    def _fold(self, entry: Entry) -> None:
        """Follow one entry; one that another call has read meanwhile is passed over."""
        if entry.version <= self._head.version:
            return
        try:
            key, secret = self._read(entry)
        except UNREADABLE:
            self._unread.append(entry.version)
            self._head = entry.head
            return
        self._keys[key.key_id] = key
        if secret is not None:
            self._digests[secret] = key.key_id
            self._callers[secret] = Caller(key.owner, key.role, key.key_id)
        else:
            self._lapsed.discard(key.key_id)
            self._shut_out(key)
            self._tell(key)
        self._head = entry.head

    def _read(self, entry: Entry) -> tuple[Key, bytes | None]:
        """Return the key as an entry leaves it, and the digest of its secret if it is new."""
        made = json.loads(entry.body)
        if entry.kind == "created":
            key = Key(made["id"], made["name"], Role(made["role"]), entry.time_us)
            return key, bytes.fromhex(made["digest"])
        if entry.kind == "revoked":
            return self._keys[made["id"]]._replace(revoked_us=entry.time_us), None
        raise ValueError(entry.kind)

    def _shut_out(self, key: Key) -> None:
        """Admit nobody by a key any more."""
        for secret, key_id in self._digests.items():
            if key_id == key.key_id:
                self._callers.pop(secret, None)

    def _tell(self, key: Key) -> None:
        """Tell the listeners that a key has ended."""
        for listener in tuple(self._listeners):
            listener(key.owner)


def _names(keys: Iterable[Key]) -> str:
    """Return keys as the log shows them."""
    return ", ".join(f"{key.key_id} ({key.name})" for key in keys) or "none"
