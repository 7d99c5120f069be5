"""Do the locks hold what pyproject.toml asks for, the same versions in each, every file hashed?"""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = {path.stem: path.read_text() for path in sorted(Path("requirements").glob("*.txt"))}
PROJECT = tomllib.loads(Path("pyproject.toml").read_text())["project"]
SETS = {
    "base": PROJECT["dependencies"],
    **{
        extra: [*PROJECT["dependencies"], *needs]
        for extra, needs in PROJECT["optional-dependencies"].items()
    },
}


def pins(lock: str) -> dict[str, set[str]]:
    """Return the locked versions of each package; more than one where markers tell them apart."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9._-]+)==([^ ]+)", LOCKS[lock], re.MULTILINE):
        found.setdefault(canonicalize_name(name), set()).add(version)
    return found


@pytest.mark.parametrize("name", sorted(SETS))
def test_lock_satisfies_the_project(name: str) -> None:
    """Every requirement of a set is in its lock, in a version that it allows."""
    locked = pins(name)
    for requirement in map(Requirement, SETS[name]):
        if requirement.name != "lastcard":
            versions = locked.get(canonicalize_name(requirement.name), set())
            assert versions, f"{requirement.name} is not locked: run tools/lock"
            assert all(requirement.specifier.contains(version) for version in versions)


@pytest.mark.parametrize("name", sorted(LOCKS))
def test_every_package_is_hashed(name: str) -> None:
    """Each locked package carries a hash, and no lock names the place it came from."""
    packages = re.split(r"^(?=\S)", LOCKS[name], flags=re.MULTILINE)[1:]
    assert packages
    assert all("--hash=sha256:" in package for package in packages)
    assert "://" not in LOCKS[name]


@pytest.mark.parametrize("name", ["base", "server", "bench", "build"])
def test_locks_agree(name: str) -> None:
    """One environment can hold every set, since shared packages have the same version."""
    dev = pins("dev")
    assert all(dev[package] == pins(name)[package] for package in dev.keys() & pins(name).keys())


def test_the_server_lock_has_no_development_package() -> None:
    """What `make demo` installs is the server's needs alone."""
    assert pins("base").keys() <= pins("server").keys()
    assert not pins("server").keys() & {"pytest", "mypy", "ruff", "grpcio-tools", "locust", "uv"}
