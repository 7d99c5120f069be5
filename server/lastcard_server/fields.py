"""
May a field of a request hold this? The limits that the comments in proto/ give, as checks.

Every check returns the value to use or raises a Refusal whose sentence names the field and what
would be right; it never repeats the value.
"""

import re
from collections.abc import Iterable
from typing import Final

from lastcard_engine.names import WANTED
from lastcard_server.errors import Reason, Refusal
from lastcard_server.keys import Caller, KeyNameError, Role, normal_name

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ID: Final = re.compile(r"[a-z0-9]{26}")


def name(text: str, field: str = "name") -> str:
    """
    Return a name in normal form, where letters and marks are one character if Unicode can (NFC).

    What may stand in it is `lastcard_engine.names`' to say.

    Raises:
        Refusal: BAD_NAME.

    """
    try:
        return normal_name(text)
    except KeyNameError:
        raise Refusal(Reason.BAD_NAME, f"{field} must be {WANTED}.") from None


def token(text: str, field: str = "request_id") -> str:
    """
    Return an identifier chosen by the caller: 1 to 64 of letters, digits, `-`, `_`.

    Raises:
        Refusal: BAD_FIELD.

    """
    if not _TOKEN.fullmatch(text):
        raise Refusal(Reason.BAD_FIELD, f"{field} must be 1 to 64 of letters, digits, - and _.")
    return text


def match_id(text: str) -> str:
    """
    Return a match id; one that cannot exist is treated as one that does not.

    Raises:
        Refusal: NOT_FOUND.

    """
    return _known(text, "match")


def contest_id(text: str) -> str:
    """
    Return a contest id; one that cannot exist is treated as one that does not.

    Raises:
        Refusal: NOT_FOUND.

    """
    return _known(text, "contest")


def is_id(text: str) -> bool:
    """Tell whether a match or a contest can have this id."""
    return _ID.fullmatch(text) is not None


def _known(text: str, what: str) -> str:
    if not is_id(text):
        raise no_such(what)
    return text


def between(value: int, low: int, high: int, field: str, *, default: int | None = None) -> int:
    """
    Return a number that lies in a range, ends included; 0 means `default` where there is one.

    Raises:
        Refusal: BAD_FIELD.

    """
    if value == 0 and default is not None:
        return default
    if not low <= value <= high:
        raise Refusal(Reason.BAD_FIELD, f"{field} must be {low:,} to {high:,}.")
    return value


def one_of(text: str, allowed: Iterable[str], field: str) -> str:
    """
    Return a name that is among the allowed ones.

    Raises:
        Refusal: BAD_FIELD.

    """
    names = list(allowed)
    if text not in names:
        *first, last = names
        raise Refusal(Reason.BAD_FIELD, f"{field} must be {', '.join(first)} or {last}.")
    return text


def page_number(text: str) -> int | None:
    """
    Return the number a page token holds; None for the first page.

    Raises:
        Refusal: BAD_FIELD.

    """
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise bad_page_token()
    return int(text)


def bad_page_token() -> Refusal:
    """Return the refusal of a page token that no response held."""
    return Refusal(Reason.BAD_FIELD, "page_token must be the next_page_token of the page before.")


def require_role(caller: Caller, *roles: Role) -> None:
    """
    Refuse a caller whose role is none of these, and every seat token.

    Raises:
        Refusal: FORBIDDEN.

    """
    if caller.role not in roles or caller.seat is not None:
        names = " or ".join(role.value for role in roles)
        raise Refusal(Reason.FORBIDDEN, f"This call needs a key with the role {names}.")


def no_such(what: str) -> Refusal:
    """Return the one refusal for what does not exist and for what the caller may not know of."""
    return Refusal(Reason.NOT_FOUND, f"There is no such {what}, or none that you may know of.")
