"""
Are these the server keys that a store was written with? The store keeps what tells a key apart.

Only fingerprints are kept, in a log of their own: from one no key can be found. Stores of 0.1.0
have none; there the newest matches tell.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from lastcard_server.journal.entry import ChainError, Entry, Head, chained, genesis
from lastcard_server.journal.port import (
    Append,
    Index,
    Journal,
    Listed,
    StoreCorrupt,
    StoreError,
)
from lastcard_server.journal.sqlite_old import old_file
from lastcard_server.matches.creation import OtherRevision
from lastcard_server.matches.folding import Diverged, replay
from lastcard_server.matches.following import PREFIX
from lastcard_server.matches.history import HistorySeal
from lastcard_server.secrets import (
    KeyFileError,
    ServerKeys,
    UnknownKeyError,
    make_server_keys,
    read_server_keys,
)

LOG: Final = "server"
_INDEX: Final = Index(None, (), live=True, label="")


class Written(Protocol):
    """A store as far as it tells with which keys it was written."""

    async def read(self, log: str) -> list[Entry]:
        """Return the entries of a log; StoreCorrupt if they are damaged."""

    async def logs(self, prefix: str, *, limit: int = 100) -> list[Listed]:
        """Return up to `limit` logs of one family, the newest first."""


class OtherKeysError(Exception):
    """The server keys are not those that a store was written with."""


async def keys_for(journal: Journal, file: Path) -> ServerKeys:
    """
    Return the server keys of a file and note them in a store; where neither has any, make them.

    Raises:
        KeyFileError: it cannot be used, or the store was written with other keys; then no file was
            made, unless another server gave the store its keys at the same moment.
        StoreUnavailable: the store cannot answer.
    """
    is_used = await _is_used(journal)  # before the file is read: who uses a store has its file
    held = read_server_keys(file)
    if is_used and held is None:
        raise KeyFileError(_missing(file))
    keys = held or make_server_keys(file)  # before they are noted: else a crash would lose them
    try:
        await ensure_same_keys(journal, keys)
    except OtherKeysError:
        raise KeyFileError(_strange(file) if held else _overtaken(file)) from None
    return keys


def _missing(file: Path) -> str:
    return (
        f"this store has its server keys, and {file} is missing: put the server.keys of the "
        "server that made the store there, or name it with --server-keys"
    )


def _strange(file: Path) -> str:
    return (
        f"the server keys in {file} are not those that this store was written with: name the "
        "server.keys of the server that made it, the same to all, with --server-keys"
    )


def _overtaken(file: Path) -> str:
    return (
        f"another server has given this store its keys while this one made {file}: put the "
        "server.keys of that server there, or name it with --server-keys"
    )


async def _is_used(journal: Written) -> bool:
    """Tell whether a store was written with keys, whichever they are."""
    return bool(await journal.read(LOG) or await journal.logs(PREFIX, limit=1))


async def ensure_same_keys(journal: Journal, keys: ServerKeys) -> None:
    """
    Note the keys in a store that knows none; let nobody serve it who could not read its matches.

    A server needs the first key of all, which names matches and seals histories, and the one that
    was last taken for new deals and seat tokens. Older ones may be gone.

    Raises:
        OtherKeysError: it lacks one of them, or the key of a match; nothing was noted.
        StoreUnavailable: the store cannot answer.
    """
    first, newest = (keys.fingerprints()[place] for place in (0, -1))
    while True:
        entries = await journal.read(LOG)
        noted = _prints(entries)
        if _lacks(keys, noted) or (not noted and False in await _opened(journal, keys)):
            raise OtherKeysError
        new = [print_ for print_ in dict.fromkeys((first, newest)) if print_ not in noted]
        if not new or await _noted(journal, entries, new):
            return


async def refuse_unmigrated(url: str, keys: ServerKeys | None, file: Path) -> None:
    """
    Refuse other keys, or none, before a journal file of an earlier release is migrated.

    Raises:
        KeyFileError: as `refuse_other_keys`, or the file of the keys is missing.
    """
    with old_file(url) as old, suppress(StoreError):  # to open it says what cannot be read
        if old and keys:
            await refuse_other_keys(old, keys, file)
        elif old and await _is_used(old):
            raise KeyFileError(_missing(file))


async def refuse_other_keys(journal: Written, keys: ServerKeys, file: Path) -> None:
    """
    Refuse keys with which a store was not written, as far as it can tell; nothing is noted.

    A store without fingerprints tells by its newest matches, of which not one can be opened.

    Raises:
        KeyFileError: they are others.
        StoreUnavailable: the store cannot answer.
    """
    noted: list[str] = []
    with suppress(StoreCorrupt):  # what is damaged says nothing of keys
        noted = _prints(await journal.read(LOG))
    if _lacks(keys, noted) or (not noted and {*await _opened(journal, keys)} == {False}):
        raise KeyFileError(_strange(file))


def _prints(entries: list[Entry]) -> list[str]:
    return [str(json.loads(entry.body)["fingerprint"]) for entry in entries]


def _lacks(keys: ServerKeys, noted: list[str]) -> bool:
    """Tell whether keys are without the first or the newest of those that a store knows."""
    prints = keys.fingerprints()
    return bool(noted) and (noted[0] != prints[0] or noted[-1] not in prints)


async def _opened(journal: Written, keys: ServerKeys) -> list[bool]:
    """Return of the newest matches that can be read whether the keys open them."""
    seal, opened = HistorySeal(keys.history_key(), 0), []
    for listed in await journal.logs(PREFIX):
        with suppress(StoreCorrupt, ChainError, Diverged, OtherRevision):
            created = (await journal.read(listed.log))[:1]
            try:
                replay(listed.log.removeprefix(PREFIX), created, keys, seal)
            except UnknownKeyError:
                opened.append(False)
            else:
                opened.append(True)
    return opened


async def _noted(journal: Journal, entries: list[Entry], prints: list[str]) -> bool:
    """Note further fingerprints; return whether no other server was faster."""
    head = found = entries[-1].head if entries else genesis(LOG)
    made: list[Entry] = []
    for print_ in prints:
        made.append(_entry(journal, head, print_))
        head = made[-1].head
    (conflict,) = await journal.append([Append(LOG, found, tuple(made), _INDEX)])
    return conflict is None


def _entry(journal: Journal, head: Head, print_: str) -> Entry:
    body = json.dumps({"fingerprint": print_}, separators=(",", ":"))
    return chained(head, "keyed", journal.now_us(), body=body)
