"""Every reason has one status, the contract's comments say the same, and a test meets each."""

import re
from pathlib import Path

import pytest
from grpc import StatusCode

from lastcard.v1.error_reason_pb2 import ErrorReason
from lastcard_server.errors import Reason, Refusal
from lastcard_server.status import STATUS, code_name, error_detail
from tools import references

MET_ELSEWHERE = {
    Reason.NOTHING_TO_CATCH: "tests/matches/test_reactions.py: the rules decide it",
    Reason.HISTORY_LOST: "tests/matches/test_registry.py: needs a store restored from a copy",
}
"""Reasons that no test of the edge provokes over the wire, and where they are met."""
NEVER_SENT = {Reason.OPTION_NOT_AVAILABLE}
"""Reasons that the contract keeps and this release has no use for."""


def test_every_reason_of_the_contract_has_its_status() -> None:
    """The table names the status in the brackets of proto/, for each reason and no other."""
    said = {Reason[one.name]: StatusCode[one.status] for one in references.described()}
    assert said == dict(STATUS)
    names = [name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()]  # noqa: SIM118 - no mapping
    assert set(names) - {"UNSPECIFIED"} == {reason.name for reason in Reason}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_travels_as_itself(reason: Reason) -> None:
    """The detail names the reason and the sentence; an incident only where there is one."""
    detail = error_detail(Refusal(reason, "A sentence."), "7")
    assert ErrorReason.Name(detail.reason) == f"ERROR_REASON_{reason.name}"
    assert (detail.message, detail.incident_id) == ("A sentence.", "7")
    assert error_detail(Refusal(reason, "A sentence.")).incident_id == ""


def test_every_reason_is_met_by_a_test_or_said_where() -> None:
    """Each reason but those never sent is provoked: here over the wire, or elsewhere as listed."""
    folder = Path(__file__).parent
    tests = (path for path in folder.glob("test_*.py") if path != Path(__file__))
    texts = "".join(path.read_text() for path in tests)
    met = {reason for reason in Reason if re.search(rf'"{reason.value}"', texts)}
    assert set(Reason) - met == set(MET_ELSEWHERE) | NEVER_SENT
    for where in MET_ELSEWHERE.values():
        assert (folder.parent.parent / where.partition(":")[0]).exists()


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (StatusCode.OK, "OK"),
        (StatusCode.CANCELLED, "Canceled"),
        (StatusCode.INVALID_ARGUMENT, "InvalidArgument"),
        (StatusCode.RESOURCE_EXHAUSTED, "ResourceExhausted"),
        (StatusCode.DATA_LOSS, "DataLoss"),
    ],
)
def test_codes_are_named_as_dashboards_know_them(code: StatusCode, name: str) -> None:
    """Statuses are written as go-grpc-prometheus writes them."""
    assert code_name(code) == name


def test_the_reference_pages_are_fresh() -> None:
    """docs/reference says what contract and tables say; `python -m tools.references` writes it."""
    for path, page in references.pages().items():
        assert path.read_text() == page, f"{path} is stale: run python -m tools.references"
