"""Where does a skipped test count as a failure? Wherever LASTCARD_NO_SKIP is set, as in CI."""

import os

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> object:
    """Turn a skip into a failure that keeps its reason, where every toolchain must be there."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("LASTCARD_NO_SKIP"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped where nothing may be: {report.longrepr}"
    return report
