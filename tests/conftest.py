"""Where does a skipped test count as a failure? Wherever LASTCARD_NO_SKIP is set, as in CI."""

import os
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Refuse a skipped test where every toolchain must be there."""
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Refuse a skipped module likewise."""
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure that keeps its reason; an expected failure is no skip."""
    if report.skipped and not hasattr(report, "wasxfail") and "LASTCARD_NO_SKIP" in os.environ:
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {report.longrepr}"
