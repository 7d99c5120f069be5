"""Which file of TLS cannot be used? The driver says what is wrong, and not with which file."""

import os
import ssl
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

_AUTHORITY, _CERTIFICATE = ("sslrootcert", "sslcrl"), "sslcert"
_VERIFYING = ("require", "verify-ca", "verify-full")  # the modes that ask for an authority
_DEFAULTS = {
    "sslrootcert": "root.crt",
    "sslcrl": "root.crl",
    "sslcert": "postgresql.crt",
    "sslkey": "postgresql.key",
}
"""What the driver takes from a folder of the user's where nothing is named."""


class TlsFileError(OSError):
    """
    A file of TLS cannot be used: the address or the environment is wrong, or the file.

    It is an OSError, and so one of `LOST`, for the sake of a server that runs: that waits, as the
    file may be put back. Only a start is ended by it.
    """


def wrong_file(address: str) -> TlsFileError | None:
    """
    Return what is wrong with the files that the driver takes for an address; None = nothing.

    Reads them on the event loop: they are small, and the driver has just done the same.
    """
    url = urlsplit(address)
    given = parse_qs(url.query)

    def setting(name: str) -> str:
        return given.get(name, [os.environ.get(f"PG{name.upper()}", "")])[-1]

    def file(name: str) -> str:
        return setting(name) or _default(name)

    host = unquote(url.hostname or "") or setting("host")
    # Without a mode no socket is spoken to by TLS.
    mode = setting("sslmode") or ("disable" if host.startswith("/") else "prefer")
    password = given.get("sslpassword", [""])[-1]  # the driver looks for it nowhere else
    for name, use, load in _loads(mode, file, password):
        try:
            load()
        except OSError as error:
            return TlsFileError(
                f"{file(name) or file(_CERTIFICATE)} ({name} of the database's address, or "
                f"PG{name.upper()}) cannot be used{use}: {error.strerror}"
            )
    return None


def _loads(
    mode: str, file: Callable[[str], str], password: str
) -> Iterator[tuple[str, str, Callable[[], None]]]:
    """Yield the files that a mode asks for: the setting, what for, and how it is loaded."""
    context, cert = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), file(_CERTIFICATE)
    for name in filter(file, _AUTHORITY if mode in _VERIFYING else ()):
        yield name, "", partial(context.load_verify_locations, file(name))
    if cert and mode != "disable":
        yield _CERTIFICATE, "", partial(context.load_verify_locations, cert)
        # Without a password OpenSSL would ask for it on the terminal.
        load = partial(context.load_cert_chain, cert, file("sslkey") or None, lambda: password)
        yield "sslkey", f" as the key of {cert}", load


def _default(name: str) -> str:
    """Return the file that is taken where none is named, if it is there."""
    try:
        file = Path.home() / ".postgresql" / _DEFAULTS[name]
    except RuntimeError:  # a user who has no home
        return ""
    return str(file) if file.exists() else ""
