"""
Where does a match's deal come from? A secret that several matches may share, and its commitment.

A lone match is a deal group of its own. At rest there are 32 random bytes and the id of a server
key; the secret follows from both and the group's name. The file knows nothing of seats or rules.
"""

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from lastcard_engine.dealing import commitment
from lastcard_server.secrets import ServerKeys, UnknownKeyError


class Pool(NamedTuple):
    """What all matches of a deal group share."""

    group: str
    """The group's name; of a lone match its match id."""
    key_id: str
    random: bytes
    """32 bytes."""

    def secret(self, keys: ServerKeys) -> bytes:
        """
        Return the deal secret, 32 bytes.

        Raises:
            UnknownKeyError: the server key is gone.

        """
        return keys.deal_secret(self.key_id, self.random, self.group)


class Deal(NamedTuple):
    """The deal of one match."""

    pool: Pool
    salt: bytes
    """32 bytes, this match's alone, so that equal secrets have unlike commitments."""
    commitment: bytes
    """32 bytes, public from the start."""

    def require_key(self, keys: ServerKeys) -> None:
        """
        Refuse keys with which other cards would be dealt than those committed to.

        Raises:
            UnknownKeyError: the server key is gone, or another one has its name.

        """
        if commitment(self.pool.secret(keys), self.salt) != self.commitment:
            raise UnknownKeyError(
                f"the server key {self.pool.key_id!r} is another one than the match was created "
                "with; all servers on one store need the same keys"
            )


def new_pool(keys: ServerKeys, group: str) -> Pool:
    """Return a new deal for a group."""
    return Pool(group, keys.current, secrets.token_bytes(32))


def new_deal(keys: ServerKeys, pool: Pool) -> Deal:
    """Return the deal of a match from its group's, under a commitment of its own."""
    salt = secrets.token_bytes(32)
    return Deal(pool, salt, commitment(pool.secret(keys), salt))


def plain(deal: Deal) -> dict[str, str]:
    """Return a deal as values that JSON holds."""
    pool = deal.pool
    return {
        "group": pool.group,
        "key": pool.key_id,
        "random": pool.random.hex(),
        "salt": deal.salt.hex(),
        "commitment": deal.commitment.hex(),
    }


def from_plain(values: Mapping[str, Any]) -> Deal:
    """Return the deal that `plain` wrote."""
    pool = Pool(values["group"], values["key"], bytes.fromhex(values["random"]))
    return Deal(pool, bytes.fromhex(values["salt"]), bytes.fromhex(values["commitment"]))
