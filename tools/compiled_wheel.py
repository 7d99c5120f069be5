"""
How is the wheel built whose hot path is machine code? A hook of hatchling, asleep by default.

`HATCH_BUILD_HOOK_ENABLE_CUSTOM=true pip wheel .` wakes it; `make compiled` does. mypyc compiles the
modules below from a copy of the sources, so that no extension ever lies beside a source that may
change. What is not compiled runs as it is; nothing behaves differently.
"""

import os
import shutil
import sysconfig
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES: Final = ("server/lastcard_engine", "server/lastcard_server", "clients/python/lastcard")

_COLD: Final = (
    "__init__",
    "absence",
    "between",
    "deck",
    "errors",
    "invariants",
    "notation",
    "options",
    "plain",
    "position",
    "position_text",
    "presets",
    "record",
    "record_fields",
    "revisions",
    "rules",
    "settings",
)
"""Modules of the engine that no turn goes through: compiling them would gain nothing."""

_SERVER: Final = {
    "": ("holders", "outbox"),
    "convert": ("actions", "cards", "play", "turns", "views"),
    "journal": ("entry",),
    "matches": (
        "answered",
        "asking",
        "audience",
        "bodies",
        "commands",
        "deciding",
        "folding",
        "history",
        "match",
        "news",
        "runtime",
        "slots",
        "turns",
        "writing",
    ),
}
"""Modules of the server that every turn goes through and mypyc takes, by folder."""

_OPTIONS: Final = (
    "--config-file=",
    "--explicit-package-bases",
    "--namespace-packages",
    "--local-partial-types",
    "--ignore-missing-imports",  # the build needs no types of other packages; `make lint` has them
)


def hot_modules(folder: Path) -> list[str]:
    """Return the modules to compile, as paths below a copy of the sources."""
    engine = sorted(path.stem for path in (folder / "lastcard_engine").glob("*.py"))
    return [
        *(f"lastcard_engine/{name}.py" for name in engine if name not in _COLD),
        *(
            str(Path("lastcard_server", package, f"{name}.py"))
            for package, names in _SERVER.items()
            for name in names
        ),
    ]


def copy_sources(folder: Path) -> None:
    """Copy the packages into a folder."""
    for package in PACKAGES:
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, folder / Path(package).name, ignore=leave)


def extensions(folder: Path) -> list[Any]:
    """
    Translate the hot path of a copy of the sources to C; what setuptools compiles then.

    Raises:
        SystemExit: mypyc does not take something; it has said on standard output what and where.

    """
    from mypyc.build import mypycify  # noqa: PLC0415 - only where something is compiled

    with chdir(folder):
        return mypycify(
            [*_OPTIONS, *hot_modules(Path())], opt_level="2", debug_level="0", group_name="lastcard"
        )


def require_compiler() -> None:
    """
    Refuse to go on where nothing can be compiled.

    Raises:
        SystemExit: there is no C compiler, or Python's headers are missing.

    """
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    header = Path(sysconfig.get_path("include"), "Python.h")
    if shutil.which(compiler) is None or not header.exists():
        raise SystemExit(
            f"compiled: this needs the C compiler '{compiler}' and {header} (Debian, Ubuntu: "
            "apt-get install gcc python3-dev); without it lastcard runs as plain Python."
        )


def compile_in(folder: Path) -> list[Path]:
    """Compile the hot path of a copy of the sources in place; return the extensions."""
    from setuptools import Distribution  # noqa: PLC0415 - likewise
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    command = build_ext(Distribution({"ext_modules": extensions(folder)}))
    command.inplace = True
    with chdir(folder):
        command.ensure_finalized()
        command.run()
        return [path for path in Path().rglob("*.so") if path.parts[0] != "build"]


class CompiledWheel(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the extensions into the wheel, beside the sources they were made of."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; an editable install stays plain Python."""
        if version != "standard":
            return
        require_compiler()
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        with chdir(self.root):
            copy_sources(folder)
        built = compile_in(folder)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"] |= {str(folder / path): str(path) for path in built}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's signature
        """Drop the copy."""
        if version == "standard":
            self._folder.cleanup()
