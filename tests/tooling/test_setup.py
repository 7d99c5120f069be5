"""Does setup say in one sentence what a machine lacks?"""

import shutil
import subprocess
from pathlib import Path

import pytest

PYTHONS = ("python", "python3", *(f"python3.{minor}" for minor in range(11, 15)))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with nothing but what setup reads."""
    (tmp_path / "tools").mkdir()
    shutil.copy("tools/setup", tmp_path / "tools/setup")
    shutil.copytree("requirements", tmp_path / "requirements")
    return tmp_path


def setup_with(checkout: Path, python: str, *sets: str) -> subprocess.CompletedProcess[str]:
    """Run setup where every Python is the given shell script."""
    fakes = checkout / "fakes"
    fakes.mkdir()
    for name in PYTHONS:
        (fakes / name).write_text(f"#!/bin/sh\n{python}\n")
        (fakes / name).chmod(0o755)
    environment = {"PATH": f"{fakes}:/usr/bin:/bin"}
    command = [str(checkout / "tools/setup"), *sets]
    return subprocess.run(command, env=environment, check=False, capture_output=True, text=True)


def test_old_python_is_named(checkout: Path) -> None:
    """A machine whose Pythons are all too old is told which one to install."""
    run = setup_with(checkout, "exit 1", "base")
    assert run.returncode == 1
    assert run.stderr.startswith("setup: Python 3.11 or newer is needed: install one")
    assert run.stderr.count("\n") == 1
    assert not (checkout / ".venv").exists()


def test_missing_venv_is_named(checkout: Path) -> None:
    """A Python without venv is told which package brings it."""
    python = 'case "$*" in *ensurepip*) exit 1 ;; *-V*) echo "Python 3.11.2" ;; esac'
    run = setup_with(checkout, python, "base")
    assert run.returncode == 1
    assert run.stderr.startswith("setup: Python 3.11.2 lacks venv: install the package python3-ven")
    assert run.stderr.count("\n") == 1


def test_unknown_set_is_refused(checkout: Path) -> None:
    """A set of packages that does not exist is refused before anything is made."""
    run = setup_with(checkout, "exit 0", "server", "everything")
    assert run.returncode == 1
    assert "no set of packages is called 'everything'" in run.stderr
    assert not (checkout / ".venv").exists()
