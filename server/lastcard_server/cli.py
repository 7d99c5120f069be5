"""
What can `lastcard` do on the command line?

Each subcommand lives in a module of its own and is imported when it is asked for, so that `--help`
is quick and needs the base packages alone.
"""

import errno
import importlib
import os
from difflib import get_close_matches

import click

COMMANDS = {
    "arena": "Play a contest described in a file and show the standings.",
    "bot": "Play with a bot of the house.",
    "journal": "Check the journal of a server.",
    "keys": "Create, list and revoke API keys.",
    "referee": "Rule on an act or a dispute, with the clause that decides.",
    "replay": "Print the record of a match readably.",
    "rules": "List, check, print and pick rules.",
    "serve": "Serve matches and contests over gRPC.",
    "verify": "Re-deal and replay records; name the first entry that is wrong.",
}

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What standard output may lack."""


class Commands(click.Group):
    """The subcommands, imported one at a time."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; output that finds no room is said in one sentence, with code 1."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            raise click.ClickException(f"output cannot be written: {error.strerror}") from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the command that was probably meant, which click does for those it has imported."""
        name = args[0]
        near = [] if name in COMMANDS else get_close_matches(name, COMMANDS, 1)
        if near and not ctx.resilient_parsing:
            ctx.fail(f"No such command {name!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names without importing anything."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        try:
            module = importlib.import_module(f"lastcard_server.commands.{cmd_name}")
        except ModuleNotFoundError as missing:
            raise click.ClickException(_what_is_missing(cmd_name, missing)) from None
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _what_is_missing(command: str, missing: ModuleNotFoundError) -> str:
    if (missing.name or "").startswith("lastcard"):
        raise missing
    return f"`lastcard {command}` needs the package {missing.name}: pip install 'lastcard[server]'."


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="lastcard")
def main() -> None:
    """Serve, play and judge UNO(R)-rules card games."""
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # the library's notes are no output of ours
