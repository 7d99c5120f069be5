"""
Who is the first to get in? A server on loopback writes an organiser's key into a file of its own.

The SDK and the command line fall back to that file, so that nothing has to be set up on one
machine. Whoever can read the file is trusted with everything.
"""

from pathlib import Path

from lastcard_server.key_registry import KeyRegistry
from lastcard_server.keys import Key, Role
from lastcard_server.secrets import KeyFileError, read_secret, write_secret
from lastcard_server.tokens import API_KEY, parse_credential

ORGANISER_FILE = "organiser.key"  # in the state directory


async def ensure_organiser(registry: KeyRegistry, path: Path) -> Key | None:
    """
    Give a registry that never had an organiser its first one, whose secret lies in a file.

    A secret that lies there already is admitted: a store that was emptied keeps its key. Where
    organisers were, revoked ones too, nothing is done: `lastcard keys` makes another.

    Returns:
        The key that was created or admitted; None if nothing was done.

    Raises:
        KeyFileError: the file cannot be used, or holds no key or a bot's; nothing was admitted.
    """
    if any(key.role is Role.ORGANISER for key in registry.keys(limit=None)):
        return None
    secret = (read_secret(path) or write_secret(path, f"{registry.new_secret()}\n")).strip()
    credential = parse_credential(secret)
    if credential is None or credential.prefix != API_KEY or registry.knows(secret):
        raise KeyFileError(f"{path} holds no organiser's key: delete it, and a new one is made")
    return await registry.admit(secret, "organiser", Role.ORGANISER)
