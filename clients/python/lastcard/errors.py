"""
What can go wrong for a client, each with one sentence that says what and what would be right?

Everything the SDK raises of its own accord is an `Error`; a bot's own exceptions pass through
untouched.
"""

import re
from typing import cast

import grpc

from lastcard.program import program
from lastcard.v1 import error_reason_pb2 as reasons

DETAIL_KEY = "lastcard-error-bin"
PREFIX = "ERROR_REASON_"
# Reasons that pass by themselves: another pod, or the same one a little later, will answer.
PASSING = frozenset({"draining", "store_unavailable"})
# What a server advises at the end of a sentence, and the SDK does of its own accord.
ADVICE = re.compile(r"[:;,] (send|try|connect) [^:;,]*\Z")
# What a library or a proxy says when a connection breaks.
BROKEN = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.ABORTED,
    }
)
# How the library says that a handshake failed for good.
UNTRUSTED = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER")


class Error(Exception):
    """Something could not be done; the text says why and what would be right."""


class BadSetting(Error):
    """An address, a key or another setting is missing or cannot be understood."""


class BadReply(Error):
    """A bot's reply names none of the legal actions of its turn."""


class Unreachable(Error):
    """No server answered within the client's patience."""


class Replaced(Error):
    """A newer stream of the same instance plays these seats now."""


class Revoked(Error):
    """The key or seat token was revoked."""


class UnknownEvent(Error):
    """The server told an event that this release does not know and may not pass over."""


class Interrupted(SystemExit, KeyboardInterrupt):
    """Ctrl-C while a bot sat at a table; unless caught it ends the program without a traceback."""


class Refused(Error):
    """
    The server refused a request; nothing changed.

    Attributes:
        reason: The reason in lower case without its prefix, for example `table_full`.
        incident_id: What to quote to the operator; empty unless the reason is `internal`.
    """

    def __init__(self, detail: reasons.ErrorDetail) -> None:
        super().__init__(detail.message)
        self.reason = reason_name(detail.reason)
        self.incident_id = detail.incident_id


def reason_name(reason: reasons.ErrorReason) -> str:
    """Return a reason in lower case without its prefix; `unknown_NUMBER` for a newer server's."""
    try:
        return reasons.ErrorReason.Name(reason).removeprefix(PREFIX).lower()
    except ValueError:
        return f"unknown_{reason}"


def is_passing(error: Error) -> bool:
    """Tell whether the same call may succeed a little later."""
    return isinstance(error, Unreachable) or (
        isinstance(error, Refused) and error.reason in PASSING
    )


def while_it_passes(error: Error) -> str:
    """Return what a line says that goes on with what is done about a passing error."""
    text = str(error)
    if not isinstance(error, Refused):
        return text
    text = ADVICE.sub("", text).rstrip(".")
    return text[:1].lower() + text[1:]


def from_rpc(error: grpc.RpcError, server: str, origin: str) -> Error:
    """Turn a failed call into an error of ours; `server` and `origin` name server and key."""
    call = cast("grpc.Call", error)  # what the library raises is both
    for key, value in call.trailing_metadata() or ():
        if key == DETAIL_KEY and isinstance(value, bytes):
            return _refused(reasons.ErrorDetail.FromString(value), server, origin)
    status, text = call.code(), call.details() or ""
    if any(sign in text for sign in UNTRUSTED):
        return BadSetting(
            f"the server at {server} is not trusted: LASTCARD_CA names the file of an authority of "
            "one's own, http:// a server without TLS"
        )
    if status in BROKEN:
        start = f"`{program()} serve` starts one"
        return Unreachable(f"no lastcard server answers at {server}; {start}")
    if status is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Unreachable(f"the server at {server} did not answer in time")
    if status is grpc.StatusCode.UNIMPLEMENTED:
        return Error(f"the server at {server} is no lastcard server of this version")
    return Error(f"the call to {server} failed: {status.name}: {text}")


def _refused(detail: reasons.ErrorDetail, server: str, origin: str) -> Refused:
    """Return a refusal in the server's words; which key it does not know we can say better."""
    if detail.reason == reasons.ERROR_REASON_UNAUTHENTICATED:
        detail.message = f"{origin} is not one of the server at {server}, or was revoked"
    return Refused(detail)
