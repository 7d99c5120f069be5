"""Would server/Dockerfile build and start? Its steps, as far as they go without a container."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from lastcard_server.cli import main
from lastcard_server.config import Config
from tools.files import own

STEPS = [
    (found[1], " ".join(found[2].split()))
    for found in re.finditer(
        r"^([A-Z]+) (.+)$",
        re.sub(r"\\\n|^#.*\n", "", Path("server/Dockerfile").read_text(), flags=re.MULTILINE),
        re.MULTILINE,
    )
]
PROJECT = tomllib.loads(Path("pyproject.toml").read_text())["project"]
INSTALL = "/opt/lastcard/bin/pip install --no-cache-dir "


def said(instruction: str) -> list[str]:
    """Return what every instruction of a kind says, in order."""
    return [text for kind, text in STEPS if kind == instruction]


def installs() -> list[list[str]]:
    """Return the arguments of the calls of pip, in order."""
    calls = [call.strip() for run in said("RUN") for call in run.split("&&")]
    return [shlex.split(call.removeprefix(INSTALL)) for call in calls if call.startswith(INSTALL)]


def pip(*arguments: str, folder: Path = Path()) -> subprocess.CompletedProcess[str]:
    """Run pip without asking any index."""
    return subprocess.run(
        [sys.executable, "-m", "pip", *arguments, "--no-index"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds what the image copies, laid out as in the image."""
    folder = tmp_path_factory.mktemp("context")
    for copied in said("COPY"):
        if copied.startswith("--from="):
            continue
        *sources, target = copied.split()
        for source in sources:
            files = own(source.rstrip("/"))
            assert files, f"COPY {source}: there is no such file"
            for path in files:
                inside = path.relative_to(source) if source.endswith("/") else Path(path.name)
                (folder / target / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, folder / target / inside)
    return folder


def test_the_locks_install_together(context: Path) -> None:
    """The first call of pip takes all its locks at once: every package hashed, none at odds."""
    arguments = installs()[0]
    assert {"--require-hashes", "--only-binary"} <= set(arguments)
    done = pip("install", "--dry-run", *arguments, folder=context)
    assert done.returncode == 0, done.stderr


def test_the_project_builds_from_what_is_copied(context: Path, tmp_path: Path) -> None:
    """The second call of pip needs nothing more, and brings the program that is started."""
    assert installs()[1] == ["--no-deps", "--no-build-isolation", "."]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), "."]
    done = pip(*build, folder=context)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (scripts,) = (name for name in names if name.endswith("entry_points.txt"))
        programs = packed.read(scripts).decode()
    assert "lastcard_server/__main__.py" in names
    (entrypoint,) = map(json.loads, said("ENTRYPOINT"))
    assert entrypoint == ["lastcard"]
    assert "lastcard = lastcard_server.__main__:main" in programs


def test_what_is_copied_is_sent_and_nothing_else() -> None:
    """Journals, keys and environments stay out of the build, and no source is kept out."""
    wanted = {
        source
        for copied in said("COPY")
        if not copied.startswith("--from=")
        for source in copied.split()[:-1]
    }
    lines = Path(".dockerignore").read_text().splitlines()
    assert next(line for line in lines if not line.startswith("#")) == "*"
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == wanted


def test_it_serves_as_nobody_in_a_folder_of_its_own() -> None:
    """The user is no root, by number, as the chart's; it can write in its volume alone."""
    chart = Path("helm/lastcard/templates/_pod.tpl").read_text()
    (user,) = said("USER")
    assert user == "10001:10001"
    for name in ("runAsUser", "runAsGroup", "fsGroup"):
        assert f"{name}: 10001" in chart
    assert said("WORKDIR")[-1] == said("VOLUME")[0]
    assert f"--mode=0700 {said('VOLUME')[0]}" in said("RUN")[-1]
    assert STEPS.index(("USER", user)) > max(
        n for n, (kind, _) in enumerate(STEPS) if kind == "RUN"
    )


def test_it_starts_a_server_on_the_port_it_exposes() -> None:
    """Without arguments the image serves; the port is the default of command and chart."""
    (words,) = map(json.loads, said("CMD"))
    whole = main.make_context("lastcard", list(words))
    command = main.get_command(whole, words[0])
    assert command is not None
    command.make_context(words[0], words[1:], parent=whole)  # or click forgets `-h` for later tests
    values = yaml.safe_load(Path("helm/lastcard/values.yaml").read_text())
    assert said("EXPOSE") == [str(Config().port)] == [str(values["service"]["port"])]


def test_its_python_is_one_that_the_project_supports() -> None:
    """The version stands among the classifiers of the project."""
    (image,) = said("ARG")
    version = re.fullmatch(r"PYTHON_IMAGE=python:(3\.\d+)-slim-\w+", image)
    assert version
    assert f"Programming Language :: Python :: {version[1]}" in PROJECT["classifiers"]
    assert said("FROM") == ["${PYTHON_IMAGE} AS build", "${PYTHON_IMAGE}"]
