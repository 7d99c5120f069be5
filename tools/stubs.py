"""
Are the committed stubs those of the contract? Writes them, or with --check compares.

The generator is the lowest grpcio-tools supported (pyproject.toml), since generated code refuses
to run with a grpcio older than its generator.
"""

import filecmp
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROTO = Path("proto")
PYTHON = Path("clients/python")
PACKAGE = Path("lastcard/v1")
INIT = '"""Generated from proto/lastcard/v1 by `make proto`: messages and stubs."""\n'


def generate(out: Path) -> None:
    """Write messages, service stubs and their types for every file of the contract below `out`."""
    (out / PACKAGE).mkdir(parents=True, exist_ok=True)
    (out / PACKAGE / "__init__.py").write_text(INIT)
    outputs = [f"--{plugin}_out={out}" for plugin in ("python", "pyi", "grpc_python", "mypy_grpc")]
    sources = sorted(str(path.relative_to(PROTO)) for path in (PROTO / PACKAGE).glob("*.proto"))
    protoc = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", *outputs, *sources]
    plugins = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        protoc, env=os.environ | {"PATH": plugins}, check=False, capture_output=True, text=True
    )
    if run.returncode:
        sys.exit(f"stubs: protoc refused the contract:\n{run.stderr}")


def names(root: Path) -> set[str]:
    """Return the names of the generated files below `root`."""
    return {path.name for path in (root / PACKAGE).glob("*.py*") if path.is_file()}


def stale() -> list[str]:
    """Return what differs between the committed stubs and fresh ones, one sentence each."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        both = names(fresh) & names(PYTHON)
        _, differing, _ = filecmp.cmpfiles(fresh / PACKAGE, PYTHON / PACKAGE, both, shallow=False)
        missing = names(fresh) - names(PYTHON)
        orphans = names(PYTHON) - names(fresh)
    kinds = (("is stale", differing), ("is missing", missing), ("has no proto file", orphans))
    return [f"{PYTHON / PACKAGE / n} {what}" for what, found in kinds for n in sorted(found)]


def write() -> None:
    """Replace the committed stubs by fresh ones."""
    for name in names(PYTHON):
        (PYTHON / PACKAGE / name).unlink()
    generate(PYTHON)
    print(f"stubs: {len(names(PYTHON))} files in {PYTHON / PACKAGE}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        findings = stale()
        sys.exit("\n".join([*findings, "run `make proto`"]) if findings else 0)
    if sys.argv[1:]:
        sys.exit(f"stubs: unknown argument {sys.argv[1]}; the only one is --check")
    write()
