"""
Write the reference pages of rules, refusals and metrics from the contract and our own tables.

`--check` writes nothing and fails where a page is not what would be written.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

from lastcard_server.errors import Reason
from lastcard_server.status import DETAIL_KEY, STATUS
from lastcard_server.telemetry import SPECS, Spec
from tools.rules_page import rules_page

PROTO = Path("proto/lastcard/v1/error_reason.proto")
ERRORS = Path("docs/reference/errors.md")
METRICS = Path("docs/reference/metrics.md")
RULES = Path("docs/reference/rules.md")
_VALUE = re.compile(
    r"// \[(?P<status>[A-Z_]+)\] (?P<text>[^\n]+) Example: (?P<example>[^\n]+)\.\n"
    r"\s+ERROR_REASON_(?P<name>[A-Z0-9_]+) = "
)


class Refused(NamedTuple):
    """A reason as the contract describes it."""

    name: str
    status: str
    text: str
    example: str


def described() -> list[Refused]:
    """Return every reason of the contract with what its comment says."""
    found = _VALUE.finditer(PROTO.read_text())
    return [Refused(m["name"], m["status"], m["text"], m["example"]) for m in found]


_ERRORS_HEAD = f"""# Refusals

A refused call ends with a status and carries a serialised `ErrorDetail` in the trailing metadata
entry `{DETAIL_KEY}`; a stream answers `Refused` with the same detail instead. A refusal changes
nothing, says what would be right, and never repeats what was sent. What a caller may not know of
does not exist for it: both are `NOT_FOUND`, word for word.

| reason | status | meaning | example |
| --- | --- | --- | --- |
"""
_ERRORS_TAIL = """
## Errors without a detail

What ends a call before the server knows of it, or after it has let go of it, comes from the gRPC
libraries and carries no `ErrorDetail`. A client treats it as a broken connection: it calls again,
with the same `request_id`, or opens its stream anew and sends what was not acknowledged. The Python
SDK does so by itself.

- UNAVAILABLE with `error code 7`: the connection had its 128 calls, and nothing of this one was
  looked at. Libraries that know the limit queue what is beyond it, but they count a call as ended
  as soon as they hear so, and the server not before it has put it away: of a burst of hundreds of
  calls some are refused. The limit is kept that strictly because it bounds what a client can open
  and reset. Keep to fewer calls at a time on a connection, or call again.
- UNAVAILABLE otherwise: the connection is gone or cannot be made. Call again.
- INTERNAL with `Internal error from Core`: Python's `grpc.aio`, and not its `grpc`, says so where a
  message was being written while the server ended the stream; it then loses the true end, a
  `Closing` or a detail. Open the stream anew: if the key was revoked, for instance, that says so.
- RESOURCE_EXHAUSTED: the request is larger than 64 KiB. Send less at a time.
- CANCELLED: the client or a proxy has given up the call.
"""
_METRICS_HEAD = """# Metrics

`lastcard serve --metrics-port PORT` serves them to Prometheus. The gRPC part has the names of
go-grpc-prometheus. No label ever names a match, a seat or a caller. Metrics of the process and of
Python's garbage collector come with them.

| metric | type | labels | meaning |
| --- | --- | --- | --- |
"""
_METRICS_TAIL = """
What is over leaves memory: `lastcard_matches_in_memory` and `lastcard_seats_in_memory` fall to 0
when nothing is live, `lastcard_subscriptions` to 1, which is the house's. `lastcard_deadlines`
stays within 64 and twice the matches in memory when the last deadline was set; of finished contests
the eight that were asked for last are kept.

`lastcard_matches_remembered` tells of those that are in memory as they were: on PostgreSQL each
match that is over, whole, for some ten seconds (ten looks at a store that answers), as a standby
may take over without its end; on every store those that were dropped and not yet read again, and
those whose logs are damaged, until they are restored. It falls to 0, too, but for these and for
matches that cannot be followed, which are known until they are ended.
"""


def errors_page() -> str:
    """Return the page of refusals."""
    return _ERRORS_HEAD + "".join(map(_refusal, described())) + _ERRORS_TAIL


def _refusal(reason: Refused) -> str:
    status = STATUS[Reason[reason.name]].name
    return f"| `{reason.name}` | {status} | {reason.text} | {reason.example} |\n"


def metrics_page() -> str:
    """Return the page of metrics."""
    return _METRICS_HEAD + "".join(map(_metric, SPECS)) + _METRICS_TAIL


def _metric(spec: Spec) -> str:
    kind = spec.kind.__name__.removesuffix("MetricFamily").lower()
    name = f"{spec.name}_total" if kind == "counter" else spec.name
    labels = ", ".join(f"`{label}`" for label in spec.labels)
    return f"| `{name}` | {kind} | {labels} | {spec.text} |\n"


def pages() -> dict[Path, str]:
    """Return every page with its text."""
    return {ERRORS: errors_page(), METRICS: metrics_page(), RULES: rules_page()}


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` say which are stale; return how the program exits."""
    stale = [p for p, text in pages().items() if not p.exists() or p.read_text() != text]
    for path in stale:
        print(f"references: {path} is {'stale' if '--check' in arguments else 'written'}")
        if "--check" not in arguments:
            path.write_text(pages()[path])
    return bool(stale) and "--check" in arguments


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
