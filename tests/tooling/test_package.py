"""Does the wheel hold the three packages whole, and nothing else?"""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import yaml

from tools.files import own
from tools.golden import NEXT

SOURCES = ("server/lastcard_engine", "server/lastcard_server", "clients/python/lastcard")


def test_the_wheel_holds_the_packages(tmp_path: Path) -> None:
    """Engine, server and SDK with the stubs are packed with their types, no test is."""
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    where = ["--no-build-isolation", "--wheel-dir", str(tmp_path), "."]
    subprocess.run([*build, *where], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("lastcard-0.2.0-py3-none-any.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    for source in SOURCES:
        parent = Path(source).parent
        expected = {path.relative_to(parent).as_posix() for path in own(source)}
        assert {name for name in packed if name.startswith(f"{Path(source).name}/")} == expected
        assert f"{Path(source).name}/py.typed" in packed
    assert {name.split("/")[0] for name in packed} == {Path(source).name for source in SOURCES}


def test_everything_has_the_version_of_what_it_writes() -> None:
    """Package, chart and clients agree with the journals kept and with the table of schemas."""
    version = tomllib.loads(Path("pyproject.toml").read_text())["project"]["version"]
    chart = yaml.safe_load(Path("helm/lastcard/Chart.yaml").read_text())
    package = json.loads(Path("clients/typescript/package.json").read_text())
    assert [chart["version"], chart["appVersion"], package["version"], NEXT] == [version] * 4
    schemas = Path("docs/explanation/journal.md").read_text()
    brought = re.findall(r"^\| \d+ \| (\d+\.\d+\.\d+) \|", schemas, re.MULTILINE)
    assert brought[-1] == version
