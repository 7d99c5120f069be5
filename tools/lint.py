"""
Is the tree as we like it? Runs every check, two at a time, and shows what each one found.

With paths as arguments only the checks that work on single files run, on those paths.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from tools.files import own

BIN = Path(sys.executable).parent
TYPED = ("server", "clients/python", "demo", "loadtest", "tools", "tests")


@dataclass(frozen=True)
class Check:
    """One command that exits with 0 when it is content."""

    name: str
    command: list[str]


def of_files(paths: list[str]) -> list[Check]:
    """Return the checks that can look at some paths only."""
    python = [path for path in paths if path.endswith(".py") or own(f"{path}/*.py")]
    checks = [
        Check("words", [sys.executable, "-m", "tools.words", *paths]),
        Check("sizes", [sys.executable, "-m", "tools.sizes", *paths]),
    ]
    if not python:
        return checks
    return [
        Check("types", [f"{BIN}/mypy", "--no-error-summary", *python]),
        Check("style", [f"{BIN}/ruff", "check", "--quiet", *python]),
        Check("format", [f"{BIN}/ruff", "format", "--quiet", "--diff", *python]),
        *checks,
    ]


def of_contract() -> list[Check]:
    """Return the checks of proto/: style, format, compatibility, freshness of the stubs."""
    if not Path("proto/buf.yaml").exists():
        return []
    breaking = [f"{BIN}/buf", "breaking", "proto", "--against", "proto/baseline.binpb"]
    return [
        Check("proto style", [f"{BIN}/buf", "lint", "proto"]),
        Check("proto format", [f"{BIN}/buf", "format", "--diff", "--exit-code", "proto"]),
        Check("stubs", [sys.executable, "-m", "tools.stubs", "--check"]),
        Check("proto breaking", breaking),
    ]


def of_tree() -> list[Check]:
    """Return every check."""
    typed = [path for path in TYPED if own(f"{path}/*.py")]
    dockerfiles = [str(path) for path in own("*Dockerfile", "*.Dockerfile")]
    images = [Check("images", [f"{BIN}/hadolint", *dockerfiles])] if dockerfiles else []
    imports = Check("imports", [f"{BIN}/lint-imports", "--no-logo"])
    return [*of_files(typed)[:-2], *of_files([]), imports, *of_contract(), *images]


def is_ours(path: Path) -> bool:
    """Tell whether a path exists and lies in the repository."""
    return path.exists() and path.resolve().is_relative_to(Path.cwd())


def run(check: Check) -> tuple[Check, float, subprocess.CompletedProcess[str]]:
    """Run one check and time it."""
    began = time.monotonic()
    done = subprocess.run(check.command, check=False, capture_output=True, text=True)
    return check, time.monotonic() - began, done


def main(paths: list[str]) -> int:
    """Run the checks and print a line for each; return how the program exits."""
    if unknown := [path for path in paths if not is_ours(Path(path))]:
        print(f"lint: no such path in the repository: {', '.join(unknown)}", file=sys.stderr)
        return 2
    failed = []
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for future in as_completed(
            pool.submit(run, c) for c in (of_files(paths) if paths else of_tree())
        ):
            check, seconds, done = future.result()
            print(f"lint: {check.name}: {'FAILED' if done.returncode else 'ok'} ({seconds:.1f} s)")
            if done.returncode or check.name == "sizes":
                print((done.stdout + done.stderr).strip())
            if done.returncode:
                failed.append(check.name)
    if failed:
        print(f"lint: {len(failed)} checks failed: {', '.join(failed)}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
