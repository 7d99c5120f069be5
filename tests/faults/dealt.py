"""A server whose cards are fixed: the same deal groups get the same deals in every run."""

import hashlib
import hmac

from lastcard_engine.dealing import commitment
from lastcard_server import __main__ as program
from lastcard_server.matches import deals
from lastcard_server.secrets import ServerKeys

_SEED = b"two runs of one contest"


def main() -> None:
    """Draw the randomness of deals from a seed and run the program."""
    plain = deals.new_deal

    def new_pool(keys: ServerKeys, group: str) -> deals.Pool:
        return deals.Pool(group, keys.current, _drawn("pool", group))

    def new_deal(keys: ServerKeys, pool: deals.Pool) -> deals.Deal:
        salt = _drawn("salt", pool.group)
        return plain(keys, pool)._replace(salt=salt, commitment=commitment(pool.secret(keys), salt))

    deals.new_pool, deals.new_deal = new_pool, new_deal
    program.main()


def _drawn(what: str, group: str) -> bytes:
    return hmac.digest(_SEED, f"{what} {group}".encode(), hashlib.sha256)
