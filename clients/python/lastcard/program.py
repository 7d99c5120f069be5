"""What does a shell here find the program `lastcard` by? For sentences that propose a command."""

import os
import shutil
import sys
from pathlib import Path

NAME = "lastcard"


def program() -> str:
    """Return its name where that is on the path, else the path it was called by or lies at."""
    if shutil.which(NAME):
        return NAME
    called, beside = sys.argv[0], str(Path(sys.executable).with_name(NAME))
    places = [called, beside] if Path(called).name == NAME else [beside]
    return next((place for place in places if os.access(place, os.X_OK)), NAME)
