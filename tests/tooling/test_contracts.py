"""Do the import contracts of pyproject.toml object to each import that the design forbids?"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = {
    "lastcard_engine": "",
    "lastcard_server": "",
    "lastcard": "",
    "lastcard/v1": "",
    "loadtest": "",
}
ENGINE = "The engine is pure"
BOTH = "Only conversions and servicers"
LAYERS = "The server is layered"
CLIENTS = "The SDK and its bots"
LOAD = "Load and benchmarks"


def told(folder: Path, modules: dict[str, str]) -> str:
    """Return what import-linter prints for packages with these modules added."""
    for package, text in PACKAGES.items():
        (folder / package).mkdir(exist_ok=True)
        (folder / package / "__init__.py").write_text(text)
    (folder / "lastcard/v1/card_pb2.py").write_text("")
    for name, text in modules.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy("pyproject.toml", folder)
    program = Path(sys.executable).parent / "lint-imports"
    run = subprocess.run(
        [program, "--no-cache", "--no-logo"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{Path.cwd()}", "COLUMNS": "200"},
        check=False,
        capture_output=True,
        text=True,
    )
    lines = [line for line in run.stdout.splitlines() if line.endswith("BROKEN")]
    assert bool(run.returncode) == bool(lines), run.stdout + run.stderr
    return run.stdout


def broken(folder: Path, modules: dict[str, str]) -> str:
    """Return the contracts that packages with these modules added break."""
    return "\n".join(line for line in told(folder, modules).splitlines() if line.endswith("BROKEN"))


def test_the_engine_is_pure(tmp_path: Path) -> None:
    """The engine imports neither a clock, a log, a thread, a socket, chance, nor a package."""
    names = ["asyncio", "datetime", "logging", "random", "socket", "threading", "time", "grpc"]
    modules = {f"lastcard_engine/of_{name}.py": f"import {name}\n" for name in names}
    said = told(tmp_path, modules | {"lastcard_engine/of_os.py": "import os.path\n"})
    (first, *_) = (line for line in said.splitlines() if line.endswith("BROKEN"))
    assert ENGINE in first
    for name in ("os", *names):
        assert f"lastcard_engine.of_{name} imports {name}\n" in said


def test_the_engine_knows_no_server(tmp_path: Path) -> None:
    """The engine does not import what is built on it."""
    assert ENGINE in broken(tmp_path, {"lastcard_engine/deep.py": "import lastcard_server\n"})


def test_types_meet_in_conversions_only(tmp_path: Path) -> None:
    """A module of the server outside convert and servicers sees one side alone."""
    both = "import lastcard_engine\nfrom lastcard.v1 import card_pb2\n"
    assert BOTH in broken(tmp_path, {"lastcard_server/match.py": both})
    (tmp_path / "lastcard_server/match.py").unlink()
    places = ("convert.py", "convert_view.py", "servicers/play.py")
    allowed = {f"lastcard_server/{place}": both for place in places}
    allowed["lastcard_server/servicers/__init__.py"] = ""
    assert broken(tmp_path, allowed) == ""


def test_no_layer_looks_up(tmp_path: Path) -> None:
    """A layer of the server imports what stands below it, never what stands above."""
    upwards = {"journal": "matches", "matches": "convert", "contests": "servicers", "hub": "app"}
    empty = dict.fromkeys((f"lastcard_server/{name}.py" for name in upwards.values()), "")
    up = {f"lastcard_server/{low}.py": _imports(high) for low, high in upwards.items()}
    down = {f"lastcard_server/{high}.py": _imports(low) for low, high in upwards.items()}
    said = told(tmp_path, empty | up)
    for low, high in upwards.items():
        assert f"lastcard_server.{low} -> lastcard_server.{high} (l.1)" in said
    (first, *_) = (line for line in said.splitlines() if line.endswith("BROKEN"))
    assert LAYERS in first
    assert broken(tmp_path, dict.fromkeys(up, "") | down) == ""


def _imports(name: str) -> str:
    """Return a module that imports one of the server's."""
    return f"import lastcard_server.{name}\n"


@pytest.mark.parametrize("package", ["lastcard_engine", "lastcard_server"])
def test_clients_see_the_contract_alone(tmp_path: Path, package: str) -> None:
    """The SDK imports neither the engine nor the server."""
    assert CLIENTS in broken(tmp_path, {"lastcard/bot.py": f"import {package}\n"})


def test_load_never_looks_into_the_server(tmp_path: Path) -> None:
    """Benchmarks measure the engine, and the server from outside."""
    assert LOAD in broken(tmp_path, {"loadtest/load.py": "import lastcard_server\n"})
    (tmp_path / "loadtest/load.py").write_text("")
    assert broken(tmp_path, {"loadtest/bench.py": "import lastcard_engine\n"}) == ""
