"""Is a skipped test red where LASTCARD_NO_SKIP is set, and only there?"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPED = {
    "test": "import pytest\n\ndef test_x():\n    pytest.skip('no tool')\n",
    "mark": "import pytest\n\n@pytest.mark.skip(reason='no tool')\ndef test_x():\n    pass\n",
    "module": "import pytest\n\npytest.skip('no tool', allow_module_level=True)\n",
}
EXPECTED_FAILURE = "import pytest\n\n@pytest.mark.xfail\ndef test_x():\n    assert False\n"


def run(folder: Path, source: str, *, no_skip: bool) -> subprocess.CompletedProcess[str]:
    """Run one test file under the project's conftest."""
    (folder / "test_one.py").write_text(source)
    environment = {name: value for name, value in os.environ.items() if "LASTCARD" not in name}
    if no_skip:
        environment["LASTCARD_NO_SKIP"] = "1"
    environment["PYTHONPATH"] = str(Path.cwd())
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:randomly"]
    return subprocess.run(
        [*command, "-q", "--rootdir", str(folder), str(folder)],
        env=environment,
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("kind", sorted(SKIPPED))
def test_a_skip_is_red_where_nothing_may_skip(tmp_path: Path, kind: str) -> None:
    """A skipped test, by call, mark or module, fails with its reason."""
    done = run(tmp_path, SKIPPED[kind], no_skip=True)
    assert done.returncode != 0
    assert "skipped where nothing may be" in done.stdout
    assert "no tool" in done.stdout


@pytest.mark.parametrize("kind", sorted(SKIPPED))
def test_a_skip_is_a_skip_elsewhere(tmp_path: Path, kind: str) -> None:
    """On a developer's machine the same test is skipped."""
    assert "1 skipped" in run(tmp_path, SKIPPED[kind], no_skip=False).stdout


def test_an_expected_failure_is_no_skip(tmp_path: Path) -> None:
    """A test that is known to fail stays expected where nothing may skip."""
    done = run(tmp_path, EXPECTED_FAILURE, no_skip=True)
    assert done.returncode == 0
    assert "1 xfailed" in done.stdout
