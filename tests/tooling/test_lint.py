"""Does lint choose its checks by what it is given, and say with its exit code what it found?"""

import shutil
import sys
from pathlib import Path

import pytest

from tools import lint


def names(checks: list[lint.Check]) -> set[str]:
    """Return what the checks are called."""
    return {check.name for check in checks}


def test_an_unknown_path_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A path that does not exist or lies elsewhere is wrong usage: exit code 2, one sentence."""
    assert lint.main(["server", "sever", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.err == f"lint: no such path in the repository: sever, {tmp_path}\n"
    assert said.out == ""


def test_a_path_without_python_is_not_typed() -> None:
    """Style, format and types look at Python alone; words and sizes at every file."""
    assert names(lint.of_files(["Makefile"])) == {"words", "sizes"}
    assert names(lint.of_files(["tools"])) == {"types", "style", "format", "words", "sizes"}


def test_the_whole_tree_gets_every_check() -> None:
    """Without paths the imports are checked as well, and the contract."""
    expected = {"types", "style", "format", "words", "sizes", "imports"}
    expected |= {"proto style", "proto format", "proto breaking", "stubs"}
    assert names(lint.of_tree()) >= expected


@pytest.mark.parametrize("held", [True, False])
def test_the_contract_is_held_to_its_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, held: bool
) -> None:
    """What the contract promised is compared with the committed baseline; without one it fails."""
    shutil.copytree("proto", tmp_path / "proto")
    monkeypatch.chdir(tmp_path)
    if not held:
        Path("proto/baseline.binpb").unlink()
    (breaking,) = (check for check in lint.of_contract() if check.name == "proto breaking")
    _, _, done = lint.run(breaking)
    assert (done.returncode == 0) == held
    assert held or "baseline.binpb" in done.stderr


def test_a_failed_check_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a failed check printed is shown, its name repeated at the end; exit code 1."""
    good = lint.Check("good", [sys.executable, "-c", "print('quiet')"])
    bad = lint.Check("bad", [sys.executable, "-c", "print('wrong'); raise SystemExit(1)"])
    monkeypatch.setattr(lint, "of_tree", lambda: [good, bad])
    assert lint.main([]) == 1
    out = capsys.readouterr().out
    assert "wrong" in out
    assert "quiet" not in out
    assert out.endswith("lint: 1 checks failed: bad\n")
    monkeypatch.setattr(lint, "of_tree", lambda: [good])
    assert lint.main([]) == 0
