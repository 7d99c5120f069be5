"""
What if the journal's file system can only be read? It refuses, goes on reading, and comes back.

A file system with open files is not remounted read-only by order; ext4 turns so by itself after an
error, for good until it is mounted anew. Each test has a mount that no other process sees.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard_server.journal.entry import genesis, verify_chain
from lastcard_server.journal.open_store import open_store
from lastcard_server.journal.port import Journal, Snapshot, StoreUnavailable
from lastcard_server.journal.sqlite import open_sqlite
from tests.journal.logs import LOG, append_to, bodies, grow
from tests.processes import LASTCARD, ServerProcess

ROOT = Path(__file__).parents[2]
_TOOLS = ("unshare", "mount", "mkfs.ext4", "e2fsck", "chattr")

pytestmark = [
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0 or None in map(shutil.which, _TOOLS),
        reason="mounting file systems of its own takes Linux, root, util-linux and e2fsprogs",
    ),
    pytest.mark.skipif(
        not Path("/dev/loop-control").exists(),
        reason="mounting a file system in a file takes loop devices, which a container may lack",
    ),
]


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """Return where a file system is to be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    return folder


def run_within(mounting: str, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end behind mounts that vanish with it."""
    within = ("unshare", "--mount", "sh", "-ec", f'{mounting}; exec "$@"', "sh")
    return subprocess.run(
        [*within, *command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


def check_within(mounting: str, check: str, disk: Path) -> None:
    """Let one of the functions below look at a disk that is mounted like that."""
    code = (
        f"import asyncio, sys; from pathlib import Path; from {__name__} import {check}\n"
        f"asyncio.run({check}(Path(sys.argv[1])))"
    )
    done = run_within(mounting, sys.executable, "-c", code, str(disk))
    assert done.returncode == 0, done.stderr


def on_ext4(disk: Path) -> str:
    """Return what mounts an empty disk of ext4."""
    image = disk.with_name("image")
    return (
        f"truncate -s 16M {image}; mkfs.ext4 -q {image}; "
        f"mount -t ext4 -o loop,errors=remount-ro {image} {disk}"
    )


def run(*command: str) -> None:
    """Run a program of the system."""
    subprocess.run(command, check=True, capture_output=True)


async def check_refused(journal: Journal) -> None:
    """Nothing can be written, nothing of it is visible, all else can be read."""
    head = await journal.head(LOG)
    both = [append_to(LOG, head, "lost"), append_to("match/new", None, "lost")]
    neighbour = journal.append([append_to("match/n", None, "lost")])
    results = await asyncio.gather(journal.append(both), neighbour, return_exceptions=True)
    assert [type(result) for result in results] == [StoreUnavailable] * 2
    assert str(results[0]).endswith("cannot be used: input or output failed")
    for write in (journal.save_snapshot(LOG, Snapshot(1, 1, b"")), journal.heartbeat("pod")):
        with pytest.raises(StoreUnavailable):
            await write
    assert await journal.snapshot(LOG) is None
    assert await journal.heartbeats() == {}
    assert await bodies(journal, LOG) == ["1", "2"]
    assert await journal.head(LOG) == head
    assert await journal.head("match/new") == genesis("match/new")
    assert [listed.log for listed in await journal.logs("match/")] == [LOG]


async def check_written(journal: Journal) -> None:
    """What was acknowledged is there and nothing else, and more can be written."""
    assert await bodies(journal, LOG) == ["1", "2"]
    await grow(journal, LOG, "3")
    await grow(journal, "match/new", "1")
    assert verify_chain(genesis(LOG), await journal.read(LOG)) == await journal.head(LOG)


async def turn_for_good(disk: Path) -> None:
    """Let ext4 find an error while a journal is open, and mount it anew."""
    journal = await open_sqlite(disk / "journal.db")
    await grow(journal, LOG, "1", "2")
    run("mount", "-o", "remount,abort", str(disk))
    with pytest.raises(OSError, match="Read-only file system"):
        (disk / "anything").touch()
    await check_refused(journal)
    await check_refused(journal)
    await journal.aclose()
    with pytest.raises(StoreUnavailable, match="read-only file system"):
        await open_store(f"sqlite:{disk}/journal.db")
    image = str(disk.with_name("image"))
    run("umount", str(disk))
    run("sh", "-c", f"e2fsck -fp {image} || test $? -eq 1")  # 1 = it has mended what it found
    run("mount", "-o", "loop", image, str(disk))
    journal = await open_sqlite(disk / "journal.db")
    await check_written(journal)
    await journal.aclose()


def test_a_file_system_turns_read_only(disk: Path) -> None:
    """Appends are refused, reads go on; mounted anew it holds what was acknowledged."""
    check_within(on_ext4(disk), "turn_for_good", disk)


async def turn_for_a_while(disk: Path) -> None:
    """Let the system refuse every write to a file that is open, and then take them again."""
    journal = await open_sqlite(disk / "journal.db")
    await grow(journal, LOG, "1", "2")
    run("chattr", "+i", f"{disk}/journal.db-wal")
    await check_refused(journal)
    await check_refused(journal)
    run("chattr", "-i", f"{disk}/journal.db-wal")
    await check_written(journal)
    await journal.aclose()


def test_a_file_may_not_be_written_for_a_while(disk: Path) -> None:
    """As soon as it may be written again appends succeed, by the same process."""
    check_within(on_ext4(disk), "turn_for_a_while", disk)


async def remount(disk: Path) -> None:
    """Remount a disk by order, with its journal open and closed."""
    journal = await open_sqlite(disk / "journal.db")
    await grow(journal, LOG, "1", "2")
    with pytest.raises(subprocess.CalledProcessError):
        run("mount", "-o", "remount,ro", str(disk))
    await journal.aclose()
    run("mount", "-o", "remount,ro", str(disk))
    with pytest.raises(StoreUnavailable, match="read-only file system"):
        await open_store(f"sqlite:{disk}/journal.db")
    run("mount", "-o", "remount,rw", str(disk))
    journal = await open_sqlite(disk / "journal.db")
    await check_written(journal)
    await journal.aclose()


def test_a_file_system_is_remounted(disk: Path) -> None:
    """An open journal keeps its file system writable; a read-only one is refused at the start."""
    check_within(f"mount -t tmpfs none {disk}", "remount", disk)


@pytest.fixture
def mounting(disk: Path) -> str:
    """Return what mounts a disk, read-only, on which servers have been."""
    with ServerProcess(disk.parent) as server:
        server.stop()
    var = disk.parent / "var"
    return (
        f"mount -t tmpfs none {disk}; mkdir {disk}/empty {disk}/keys; cp -a {var} {disk}/old; "
        f"cp -a {var}/server.keys {disk}/keys; mount -o remount,ro {disk}"
    )


@pytest.mark.parametrize(
    ("options", "file"),
    [
        (["--state-dir={disk}/old"], "old/journal.sqlite"),
        (["--state-dir={disk}/keys"], "keys/journal.sqlite"),
        (["--state-dir={disk}/empty"], "empty/journal.sqlite"),
        (["--state-dir={disk}/empty", "--store=memory"], "empty/server.keys"),
        (["--state-dir={disk}/keys", "--store=memory"], "keys/organiser.key"),
        (["--state-dir={disk}/../var", "--store=sqlite:{disk}/new"], "new"),
    ],
)
def test_a_server_starts_on_a_read_only_folder(
    disk: Path, mounting: str, options: list[str], file: str
) -> None:
    """It ends with code 4 and one sentence that names the file and the reason."""
    given = [option.format(disk=disk) for option in options]
    done = run_within(mounting, str(LASTCARD), "serve", "--port=0", *given)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith("lastcard serve: ")
    assert done.stderr.endswith(": read-only file system\n")
    assert f"{disk}/{file} cannot be" in done.stderr
    assert done.stderr.count("\n") == 1
