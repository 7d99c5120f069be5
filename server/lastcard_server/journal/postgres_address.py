"""
Is everything understood that an address of PostgreSQL says? What is not is refused, never guessed.

The driver hands a parameter that it does not know to the server, after the password and over a
connection without the TLS that a mistyped `sslmode` asked for. No message shows a password, also
not where one with unescaped signs has made parameters or hosts of its parts.
"""

import os
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final
from urllib.parse import unquote, unquote_plus, urlsplit

MALFORMED: Final = (
    "an address of PostgreSQL is postgresql://USER@HOST:PORT/DATABASE, special signs as %XX"
)
_TLS_VERSIONS: Final = ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3")
_VALUES: Final[dict[str, Sequence[str]]] = {
    "sslmode": ("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
    "sslnegotiation": ("postgres", "direct"),
    "ssl_min_protocol_version": _TLS_VERSIONS,
    "ssl_max_protocol_version": _TLS_VERSIONS,
    "target_session_attrs": ("read-write",),  # a server writes, and the driver is told so
}
"""The parameters of which all values are known."""
_ENVIRONMENT: Final = {"PGSSLMODE": "sslmode", "PGSSLNEGOTIATION": "sslnegotiation"}
_SECRET: Final = ("password", "sslpassword")
PARAMETERS: Final = (
    *("host", "port", "user", "dbname", "database", "passfile", *_SECRET),
    *("sslcert", "sslkey", "sslrootcert", "sslcrl", *_VALUES),
    *("krbsrvname", "gsslib", "options", "application_name"),
)
"""What an address may say after its `?`."""


def check_address(address: str) -> None:
    """
    Refuse a parameter, or the value of one, that is not known.

    Raises:
        ValueError: what is wrong, and what would be right.
    """
    try:
        query = urlsplit(address).query
    except ValueError:
        raise ValueError(MALFORMED) from None
    parameters = _parameters(query)
    behind_secret = False
    for name, value in parameters:
        if "@" in query and not _is_known(name, value):  # it may be the rest of a password
            raise ValueError(MALFORMED)
        _check_name(name, quoted=not behind_secret)
        if value != "":  # which stands for the default
            _check_value(name, value, f"{name} of the database's address")
        behind_secret |= name in _SECRET
    for variable, name in _ENVIRONMENT.items():
        if variable in os.environ and not dict(parameters).get(name):
            _check_value(name, os.environ[variable], variable)


def host_of(address: str) -> str:
    """Return the host that an address of one host names, to be shown; "" if it may be secret."""
    url = urlsplit(address)
    user = url.netloc.rpartition("@")[0]
    if "@" in f"{user}{url.path}{url.query}{url.fragment}":
        return ""
    given = dict(_parameters(url.query))
    return unquote(url.hostname or "") or given.get("host") or os.environ.get("PGHOST", "")


def _parameters(query: str) -> list[tuple[str, str | None]]:
    """Return names and values in their order; None = there is no `=`."""
    pairs = [field.partition("=") for field in query.split("&") if field]
    return [
        (unquote_plus(name), unquote_plus(value) if equals else None)
        for name, equals, value in pairs
    ]


def _is_known(name: str, value: str | None) -> bool:
    return name in PARAMETERS and value is not None and value in _VALUES.get(name, (value,))


def _check_name(name: str, *, quoted: bool) -> None:
    if name in PARAMETERS:
        return
    what = repr(name) if quoted else "which is not shown as it stands behind a password"
    right = _nearest(name, PARAMETERS) or f"known are {', '.join(sorted(PARAMETERS))}"
    if "service" in name:
        right = "write what the service's file says into the address: host, user and dbname"
    raise ValueError(f"the database's address has an unknown parameter, {what}: {right}")


def _check_value(name: str, value: str | None, where: str) -> None:
    if value is None:
        raise ValueError(f"{where} has no value: write {name}=VALUE")
    known = _VALUES.get(name, (value,))
    if value not in known:
        right = _nearest(value, known) or f"known are {', '.join(known)}"
        raise ValueError(f"{where} is {value!r}: {right}")


def _nearest(given: str, known: Sequence[str]) -> str:
    """Return a question for the one that was meant; "" if none is near."""
    near = get_close_matches(given.lower().replace("_", "-"), known, 1)
    return f"did you mean {near[0]}?" if near else ""
