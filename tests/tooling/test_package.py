"""Does the wheel hold the three packages whole, and nothing else?"""

import subprocess
import sys
import zipfile
from pathlib import Path

from tools.files import own

SOURCES = ("server/lastcard_engine", "server/lastcard_server", "clients/python/lastcard")


def test_the_wheel_holds_the_packages(tmp_path: Path) -> None:
    """Engine, server and SDK with the stubs are packed with their types, no test is."""
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    where = ["--no-build-isolation", "--wheel-dir", str(tmp_path), "."]
    subprocess.run([*build, *where], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("lastcard-0.1.0-py3-none-any.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    for source in SOURCES:
        parent = Path(source).parent
        expected = {path.relative_to(parent).as_posix() for path in own(source)}
        assert {name for name in packed if name.startswith(f"{Path(source).name}/")} == expected
        assert f"{Path(source).name}/py.typed" in packed
    assert {name.split("/")[0] for name in packed} == {Path(source).name for source in SOURCES}
