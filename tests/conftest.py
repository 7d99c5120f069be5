"""
What holds for every test? Fetched programs are found, and no test may skip where none has to.

`make tools` puts programs into var/tools/bin; LASTCARD_NO_SKIP turns each skip into a failure.
"""

import os
import signal
import sys
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from tests.rules import summary
from tests.rules.table import carried

# How long a draw takes is the machine's affair: the first of a checkout builds a table of letters.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Let tests find what `make tools` fetched before the machine's own programs."""
    fetched = config.rootpath / "var/tools/bin"
    os.environ["PATH"] = f"{fetched}{os.pathsep}{os.environ['PATH']}"
    _keep_what_is_compiled()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job
        signal.signal(signal.SIGINT, signal.default_int_handler)  # programs would inherit that


def _keep_what_is_compiled() -> None:
    """
    Let this run and the programs it starts compile each source once.

    Workers and servers are some two hundred processes; where the environment forbids to keep
    bytecode, as images often do, compiling the same sources again is a third of their time.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let `-k rules` select every test that carries a row of the law."""
    if carried(item.nodeid):
        item.extra_keyword_matches.add(summary.KEYWORD)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    """Say which rows have passed where the rules were asked for, and that a name matches none."""
    keyword = terminalreporter.config.option.keyword
    if keyword == summary.KEYWORD:
        summary.write(terminalreporter)
    elif keyword and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        terminalreporter.write_line(f"no test matches K={keyword}; part of a name does", red=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that start programs, lest a worker be left alone with one at the end."""
    items.sort(key=lambda item: not {"e2e", "faults"} & set(item.path.parts))


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
