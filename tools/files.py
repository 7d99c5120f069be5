"""Which files are the project's own? Tracked and new ones; nothing ignored."""

import subprocess
from pathlib import Path

GENERATED = ("clients/python/lastcard/v1/",)


def own(*patterns: str) -> list[Path]:
    """Return the files that git tracks or would add, below the paths or globs if any, sorted."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    run = subprocess.run([*listing, *patterns], check=True, capture_output=True, text=True)
    paths = (Path(name) for name in sorted(set(run.stdout.split("\0"))) if name)
    return [path for path in paths if path.is_file()]


def is_generated(path: Path) -> bool:
    """Tell whether a program wrote the file, so that no style is asked of it."""
    return path.as_posix().startswith(GENERATED)
