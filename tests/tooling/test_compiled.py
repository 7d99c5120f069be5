"""Does mypyc still take the hot path, and is nothing compiled unless somebody asks for it?"""

import subprocess
import sys
from pathlib import Path

import pytest

from tools import compiled
from tools.compiled_wheel import copy_sources, hot_modules, require_compiler

TRANSLATE = """
import sys
from tools import compiled_wheel
if only := sys.argv[2:]:
    compiled_wheel.hot_modules = lambda _: only
compiled_wheel.extensions(sys.argv[1])
"""


def translate(folder: Path, *only: str) -> subprocess.CompletedProcess[str]:
    """Translate the hot path of a copy of the sources to C, or some modules alone."""
    command = [sys.executable, "-c", TRANSLATE, str(folder), *only]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_mypyc_takes_the_hot_path(tmp_path: Path) -> None:
    """Every module of the compiled build translates to C; what C makes of it costs a minute."""
    copy_sources(tmp_path)
    modules = hot_modules(tmp_path)
    assert all((tmp_path / module).is_file() for module in modules)
    run = translate(tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert list((tmp_path / "build").glob("__native_lastcard.c"))


def test_what_mypyc_does_not_take_is_named(tmp_path: Path) -> None:
    """The file and line of a construct it cannot compile are said; one small module shows that."""
    copy_sources(tmp_path)
    name = "lastcard_engine/cards.py"
    assert name in hot_modules(tmp_path)
    module = tmp_path / name
    source = module.read_text() + "\n\nasync def odd() -> object:\n    yield 1\n"
    module.write_text(source)
    run = translate(tmp_path, name)
    assert run.returncode != 0
    assert f"{name}:{len(source.splitlines())}: error: " in run.stdout


def test_without_a_compiler_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the compiler that is missing and what still works without."""
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(
        SystemExit, match=r"^compiled: this needs the C compiler 'no-such-compiler'"
    ):
        require_compiler()


def test_changed_sources_are_never_run_by_older_extensions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stamp is of all sources, so that one more byte in any makes the build anew."""
    source = tmp_path / "turns.py"
    source.write_text("a = 1\n")
    monkeypatch.setattr(compiled, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(compiled, "own", lambda _package: [source])
    assert not compiled.is_fresh()
    compiled.STAMP.write_text(compiled.stamp())
    assert compiled.is_fresh()
    source.write_text("a = 2\n")
    assert not compiled.is_fresh()


def test_the_verbs_run_plain_python_unless_told_otherwise() -> None:
    """An unknown build is refused with the names of the two."""
    run = subprocess.run(
        ["make", "-n", "bench", "BUILD=fast"], capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert "BUILD is 'fast'; it must be plain or compiled" in run.stderr
    plain, built = (
        subprocess.run(
            ["make", "-n", "test", *build], capture_output=True, text=True, check=True
        ).stdout
        for build in ([], ["BUILD=compiled"])
    )
    assert "tools.compiled" not in plain
    assert "tools.compiled -m pytest" in built
