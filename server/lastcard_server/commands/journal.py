"""`lastcard journal`: checks the journal of a server, and writes its indexes anew."""

import asyncio
from collections import Counter
from pathlib import Path

import click
from click.core import ParameterSource

from lastcard_server.commands.inputs import BadInput
from lastcard_server.fingerprint import refuse_other_keys, refuse_unmigrated
from lastcard_server.journal.open_store import StoreAddressError, open_store
from lastcard_server.journal.port import (
    Journal,
    StoreCorrupt,
    StoreError,
    StoreForeign,
    StoreInUse,
)
from lastcard_server.journal_check import FAMILIES, Finding, check, mend
from lastcard_server.secrets import SERVER_KEYS, KeyFileError, ServerKeys, read_server_keys


class _Closed(click.ClickException):
    """A store that cannot be opened; the code is that of a server then."""

    exit_code = 4


@click.group("journal")
def command() -> None:
    """
    Check the journal of a server.

    Exits with 0 when nothing is wrong, 1 when something in it is, 2 for a wrong argument, 4 if it
    cannot be opened.
    """


@command.command("check")
@click.argument("store", metavar="FILE|ADDRESS", envvar="LASTCARD_STORE")
@click.option(
    "--server-keys",
    "keys_file",
    type=click.Path(path_type=Path),
    default=Path("var", SERVER_KEYS),
    show_default=True,
    help="File with the server's own keys; without them only chains are proved.",
)
@click.option("--rebuild", is_flag=True, help="Write indexes anew that are wrong.")
def check_command(store: str, keys_file: Path, *, rebuild: bool) -> None:
    """
    Prove every chain and head, and compare the index of every match with its entries.

    FILE is a journal that no server has open, ADDRESS one of a database, which servers may go on
    using; LASTCARD_STORE in its place hides a password. Prints counts and names what is wrong.
    Where there are no keys only chains are proved.
    Exits with 0 when nothing is, or all of it was mended; 1 when something is; 2 for a wrong
    argument: no such file, of a journal or of keys that were named, no journal that this release
    can read, other server keys than it was written with; 4 if it cannot be opened: in use, not to
    be reached, refused.
    """
    try:
        wrong = asyncio.run(_check(_address(store), keys_file, rebuild=rebuild))
    except StoreAddressError as error:
        raise click.UsageError(str(error)) from None
    except (KeyFileError, StoreForeign) as error:
        raise BadInput(str(error)) from None
    except StoreCorrupt as error:
        raise click.ClickException(str(error)) from None
    except StoreInUse as error:
        raise _Closed(f'{error}, or check a copy (sqlite3 FILE ".backup COPY")') from None
    except StoreError as error:
        raise _Closed(str(error)) from None
    if wrong:
        raise click.ClickException(f"{wrong:,} {'log is' if wrong == 1 else 'logs are'} not whole")


def _address(store: str) -> str:
    """Return the address of a store; a file needs none, and is not made, nor filled."""
    path = Path(store.removeprefix("sqlite:"))
    if path.is_file():
        if _is_empty(path) and _is_empty(path.with_name(f"{path.name}-wal")):
            raise BadInput(f"the file {path} is empty: a journal never is")
        return f"sqlite:{path}"
    if store.startswith("sqlite:") or ":" not in store:
        raise BadInput(f"there is no file {path}")
    return store


def _is_empty(path: Path) -> bool:
    return not path.exists() or not path.stat().st_size


def _keys(file: Path) -> ServerKeys | None:
    """Read the server's keys, if the file is there; one that was named has to be."""
    keys = read_server_keys(file)
    if keys is None:
        named = click.get_current_context().get_parameter_source("keys_file")
        if named is not ParameterSource.DEFAULT:
            raise BadInput(f"there is no file {file} with server keys")
        click.echo(
            f"{file} is not there: only chains are proved, indexes are not compared", err=True
        )
    return keys


async def _check(address: str, keys_file: Path, *, rebuild: bool) -> int:
    """Look at every log; return how many are still wrong."""
    keys = _keys(keys_file)
    if keys:
        await refuse_unmigrated(address, keys, keys_file)
    journal = await open_store(address, unsafe=True)  # whether it may be is the server's affair
    counts: dict[str, Counter[str]] = {family: Counter() for family in FAMILIES}
    nowhere = Counter[str]()
    try:
        if keys:
            await refuse_other_keys(journal, keys, keys_file)
        async for finding in check(journal, keys):
            family = finding.log[: finding.log.find("/") + 1] or finding.log
            counts.get(family, nowhere).update(await _told(journal, finding, rebuild=rebuild))
    finally:
        await journal.aclose()
    for family, count in counts.items():
        _show(family, count)
    return sum(count["wrong"] for count in (*counts.values(), nowhere))


async def _told(journal: Journal, finding: Finding, *, rebuild: bool) -> Counter[str]:
    """Say what is wrong with a log, mend it if that is wanted; return what is counted."""
    count = Counter(logs=1, live=finding.live, entries=finding.entries)
    count["compared"] = finding.compared
    if finding.damage:
        click.echo(f"{finding.log}: damaged: {finding.damage}")
        count["wrong"] = 1
    elif finding.stale:
        mended = rebuild and await mend(journal, finding)
        click.echo(f"{finding.log}: index {'was wrong' if mended else 'is wrong'}: {finding.stale}")
        count["mended" if mended else "wrong"] = 1
    return count


def _show(family: str, count: Counter[str]) -> None:
    indexed = ("compared", "mended") if family == "match/" else ()
    words = [f"{count[word]:,} {word}" for word in ("live", "entries", *indexed)]
    wrong = f", {count['wrong']:,} not whole" if count["wrong"] else ""
    click.echo(f"{family:<11} {count['logs']:>7,} logs: {', '.join(words)}{wrong}")
