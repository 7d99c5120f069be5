"""
Are these the server keys that a store was written with? The store keeps what tells a key apart.

Only fingerprints are kept, in a log of their own: from one no key can be found. Stores of 0.1.0
have none; there the newest matches tell.
"""

import json
from contextlib import suppress
from typing import Final

from lastcard_server.journal.entry import ChainError, Entry, Head, chained, genesis
from lastcard_server.journal.port import Append, Index, Journal, StoreCorrupt
from lastcard_server.matches.creation import OtherRevision
from lastcard_server.matches.folding import Diverged, replay
from lastcard_server.matches.following import PREFIX
from lastcard_server.matches.history import HistorySeal
from lastcard_server.secrets import KeyFileError, ServerKeys, UnknownKeyError

LOG: Final = "server"
_INDEX: Final = Index(None, (), live=True, label="")


async def ensure_same_keys(journal: Journal, keys: ServerKeys) -> None:
    """
    Note the keys in a store that knows none; let nobody serve it who could not read its matches.

    A server needs the first key of all, which names matches and seals histories, and the one that
    was last taken for new deals and seat tokens. Older ones may be gone.

    Raises:
        KeyFileError: it lacks one of them, or the key of a match; nothing was noted.
        StoreUnavailable: the store cannot answer.
    """
    prints = keys.fingerprints()
    while True:
        entries = await journal.read(LOG)
        noted = [str(json.loads(entry.body)["fingerprint"]) for entry in entries]
        if noted and (noted[0] != prints[0] or noted[-1] not in prints):
            raise _strange()
        if not noted:
            await _refuse_strange(journal, keys)
        new = [print_ for print_ in dict.fromkeys((prints[0], prints[-1])) if print_ not in noted]
        if not new or await _noted(journal, entries, new):
            return


async def _refuse_strange(journal: Journal, keys: ServerKeys) -> None:
    """Refuse keys that cannot open the newest matches; what cannot be read says nothing of keys."""
    seal = HistorySeal(keys.history_key(), 0)
    for listed in await journal.logs(PREFIX):
        with suppress(StoreCorrupt, ChainError, Diverged, OtherRevision):
            created = (await journal.read(listed.log))[:1]
            try:
                replay(listed.log.removeprefix(PREFIX), created, keys, seal)
            except UnknownKeyError:
                raise _strange() from None


def _strange() -> KeyFileError:
    return KeyFileError(
        "the server keys are not those that this store was written with: give the server.keys of "
        "the server that wrote it, the same to all (--server-keys)"
    )


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
