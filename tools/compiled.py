"""
Build the wheel whose hot path is compiled and unpack it, unless that of these sources is there.

With arguments, run Python with them on what was unpacked: `python -m tools.compiled -m pytest`. It
never runs what other sources were compiled to, and the .venv is left as it is: without this door
everything is plain Python, and removing var/compiled removes all of it.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Final

from tools.compiled_wheel import PACKAGES, require_compiler
from tools.files import own

FOLDER: Final = Path("var/compiled")
TREE: Final = FOLDER / "tree"
STAMP: Final = FOLDER / "stamp"
_RECIPE: Final = ("pyproject.toml", "requirements/dev.txt", "tools/compiled_wheel.py")


def stamp() -> str:
    """Return what the build depends on as one checksum: sources, recipe, Python and platform."""
    digest = hashlib.sha256(f"{sys.version}\n{sysconfig.get_platform()}\n".encode())
    for path in [*map(Path, _RECIPE), *(path for package in PACKAGES for path in own(package))]:
        digest.update(f"{path} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def is_fresh() -> bool:
    """Tell whether what is unpacked was compiled from the present sources."""
    return STAMP.exists() and STAMP.read_text(encoding="ascii") == stamp()


def build() -> None:
    """
    Build the wheel and unpack it.

    Raises:
        SystemExit: there is no compiler, or the sources do not compile.

    """
    require_compiler()
    print("compiled: compiling the hot path with mypyc, about a minute ...", file=sys.stderr)
    shutil.rmtree(FOLDER, ignore_errors=True)
    made_of = stamp()
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    where = ["--no-build-isolation", "--wheel-dir", str(FOLDER), "."]
    awake = os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}
    if subprocess.run([*command, *where], check=False, env=awake).returncode:
        raise SystemExit("compiled: the sources do not compile; see above.")
    zipfile.ZipFile(wheel()).extractall(TREE)
    STAMP.write_text(made_of, encoding="ascii")


def wheel() -> Path:
    """Return the wheel that was built last."""
    return next(FOLDER.glob("*.whl"))


def main(arguments: list[str]) -> None:
    """Build what is missing; run what is asked for."""
    if not is_fresh():
        build()
    if not arguments:
        print(f"compiled: {wheel()}; BUILD=compiled runs it, rm -r {FOLDER} removes it")
        return
    path = [str(TREE.absolute()), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path)}
    os.execve(sys.executable, [sys.executable, *arguments], environment)  # noqa: S606 - instead of this process


if __name__ == "__main__":
    main(sys.argv[1:])
