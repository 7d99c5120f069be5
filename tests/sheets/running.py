"""Runs `lastcard rules`."""

from pathlib import Path

from click.testing import CliRunner, Result

from lastcard_server.cli import main


def rules(*arguments: str | Path, answers: str = "") -> Result:
    """Run `lastcard rules`."""
    return CliRunner().invoke(main, ["rules", *map(str, arguments)], input=answers)
