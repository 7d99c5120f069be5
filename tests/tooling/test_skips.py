"""Is a skipped test red where LASTCARD_NO_SKIP is set, and only there?"""

import os
import subprocess
import sys
from pathlib import Path

SKIPPED = {
    "test": "import pytest\n\ndef test_x():\n    pytest.skip('no tool')\n",
    "mark": "import pytest\n\n@pytest.mark.skip(reason='no tool')\ndef test_x():\n    pass\n",
    "module": "import pytest\n\npytest.skip('no tool', allow_module_level=True)\n",
}
TOLD = "skipped where nothing may be: "
EXPECTED_FAILURE = "import pytest\n\n@pytest.mark.xfail\ndef test_x():\n    assert False\n"


def run(
    folder: Path, sources: dict[str, str], *, no_skip: bool
) -> subprocess.CompletedProcess[str]:
    """Run test files under the project's conftest."""
    for kind, source in sources.items():
        (folder / f"test_{kind}.py").write_text(source)
    environment = {name: value for name, value in os.environ.items() if "LASTCARD" not in name}
    if no_skip:
        environment["LASTCARD_NO_SKIP"] = "1"
    environment["PYTHONPATH"] = str(Path.cwd())
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:randomly"]
    return subprocess.run(
        [*command, "-q", "--continue-on-collection-errors", "--rootdir", str(folder), str(folder)],
        env=environment,
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )


def test_a_skip_is_red_where_nothing_may_skip(tmp_path: Path) -> None:
    """A skipped test, by call, mark or module, fails with its reason."""
    done = run(tmp_path, SKIPPED, no_skip=True)
    assert done.returncode != 0
    assert done.stdout.splitlines()[-1].startswith("1 failed, 2 errors in ")
    told = [line for line in done.stdout.splitlines() if line.startswith(TOLD)]
    assert len(told) == 3
    assert all("no tool" in line for line in told)


def test_a_skip_is_a_skip_elsewhere(tmp_path: Path) -> None:
    """On a developer's machine the same tests are skipped."""
    done = run(tmp_path, SKIPPED, no_skip=False)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("3 skipped in ")


def test_an_expected_failure_is_no_skip(tmp_path: Path) -> None:
    """A test that is known to fail stays expected where nothing may skip."""
    done = run(tmp_path, {"one": EXPECTED_FAILURE}, no_skip=True)
    assert done.returncode == 0
    assert "1 xfailed" in done.stdout
