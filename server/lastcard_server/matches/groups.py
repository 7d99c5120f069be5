"""
What do the matches of a deal group agree on? A log of at most two entries a group.

The first holds the deal and the legs, the second the nonces, which the first leg to be ready fixes
for all of them. Only what is durable there enters a leg, so that no two legs can differ.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from lastcard_engine.record import ENDS
from lastcard_server.journal.entry import Entry, Head, chained, genesis
from lastcard_server.journal.port import Append, Index, Journal, LogCorrupt
from lastcard_server.matches.bodies import nonces_body, read_nonces, read_structured, structured
from lastcard_server.matches.deals import Pool
from lastcard_server.matches.match import log_of

CREATED = "created"
NONCES = "nonces"


class Group(NamedTuple):
    """A deal group as its log tells."""

    pool: Pool
    legs: tuple[str, ...]
    """Match ids, in the order of the legs."""
    nonces: tuple[bytes, ...] | None
    """What goes into the deal, by entrant; None as long as no leg has been ready."""
    creator: str
    head: Head

    @property
    def log(self) -> str:
        """Return the name of the group's log."""
        return log_name(self.pool.group)


def log_name(group_id: str) -> str:
    """Return the name of a group's log."""
    return f"group/{group_id}"


async def read(journal: Journal, group_id: str) -> Group | None:
    """Return a group, None if there is none."""
    entries = await journal.read(log_name(group_id))
    return _folded(group_id, entries) if entries else None


def _folded(group_id: str, entries: Sequence[Entry]) -> Group:
    values = read_structured(entries[0].body)
    pool = Pool(group_id, values["key"], bytes.fromhex(values["random"]))
    nonces = read_nonces(entries[1].body) if len(entries) > 1 else None
    return Group(pool, tuple(values["legs"]), nonces, values["creator"], entries[-1].head)


async def create(
    journal: Journal, creator: str, pool: Pool, legs: Sequence[str], now_us: int
) -> Group:
    """Return the group of this name, created with this deal unless it exists."""
    values = {
        "creator": creator,
        "key": pool.key_id,
        "legs": list(legs),
        "random": pool.random.hex(),
    }
    start = genesis(log_name(pool.group))
    entry = chained(start, CREATED, now_us, body=structured(values))
    return await _appended(journal, pool.group, creator, start, entry)


async def fix_nonces(journal: Journal, group: Group, nonces: Sequence[bytes], now_us: int) -> Group:
    """Return the group with its nonces: these, unless others have been fixed before."""
    entry = chained(group.head, NONCES, now_us, body=nonces_body(nonces))
    return await _appended(journal, group.pool.group, group.creator, group.head, entry)


async def _appended(
    journal: Journal, group_id: str, creator: str, expected: Head, entry: Entry
) -> Group:
    """Append if nobody was quicker; return what the log says then."""
    index = Index(None, (), live=False, label=creator)
    await journal.append([Append(log_name(group_id), expected, (entry,), index)])
    return _folded(group_id, await journal.read(log_name(group_id)))


async def is_over(journal: Journal, group: Group) -> bool:
    """Tell whether every leg is over, by the last entry of each; one that is damaged may go on."""
    for leg in group.legs:
        log = log_of(leg)
        head = await journal.head(log)
        last: list[Entry] = []
        with suppress(LogCorrupt):
            last = await journal.read(log, head.version - 1)
        if not last or last[-1].kind not in ENDS:
            return False
    return True
