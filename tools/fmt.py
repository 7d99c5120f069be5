"""How does formatted source look? Rewrites the Python and proto files, or only the paths named."""

import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent


def main(paths: list[str]) -> int:
    """Format the paths, or everything; return the first exit code that is not 0."""
    commands = [
        [f"{BIN}/ruff", "format", *(paths or ["."])],
        [f"{BIN}/ruff", "check", "--select", "I", "--fix", *(paths or ["."])],
    ]
    if Path("proto/buf.yaml").exists() and not paths:
        commands.append([f"{BIN}/buf", "format", "--write", "proto"])
    codes = [subprocess.run(command, check=False).returncode for command in commands]
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
