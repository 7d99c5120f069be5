"""Does a journal outlive power cuts, and would the simulation notice one that does not?"""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from lastcard_server.journal.entry import Entry, chained
from tests.faults import powercuts
from tests.faults.disk import SECTOR, Disk
from tests.faults.outcome import Scenario
from tests.faults.powercuts import SCENARIOS
from tests.faults.short import check_few

CUTS = powercuts.CUTS_A_FILE
DATA = bytes(range(256)) * 16


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_power_cuts(scenario: Scenario) -> None:
    """With FULL nothing acknowledged is lost; with fewer syncs or none the same cuts lose."""
    check_few(scenario)


async def test_what_a_file_brings_along_is_no_traffic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an append of its own nothing was acknowledged, and the run says nothing."""
    monkeypatch.setattr(powercuts, "OLD_FILES", 1.0)
    monkeypatch.setattr(powercuts, "APPENDS", 0)
    outcome = await powercuts.run(CUTS, 1)
    assert outcome.acknowledged == 0
    assert not outcome.valid


async def test_what_a_file_brought_along_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that it held and does not hold any more fails the run, and is no lost append."""
    plain = powercuts.entries_of

    async def one_more(file: Path) -> dict[str, list[Entry]]:
        found = await plain(file)
        log = next(iter(found))
        return found | {log: [*found[log], chained(found[log][-1].head, "action", 0, 0, "more")]}

    monkeypatch.setattr(powercuts, "OLD_FILES", 1.0)
    monkeypatch.setattr(powercuts, "entries_of", one_more)
    outcome = await powercuts.run(CUTS, 1)
    assert (outcome.valid, outcome.lost, outcome.broken) == (True, 0, 1)
    assert not outcome.good


async def test_appends_are_counted_not_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two entries at a time are one append; lost with its file it is one, too."""
    noted = []
    plain = powercuts.Run.note_acknowledged

    def note(self: powercuts.Run, log: str, entries: Sequence[Entry]) -> None:
        noted.append(len(entries))
        plain(self, log, entries)

    monkeypatch.setattr(powercuts.Run, "note_acknowledged", note)
    outcome = await powercuts.run(CUTS * 4, 1, "OFF")
    assert {*noted} == {2}
    assert outcome.acknowledged == len(noted)
    assert 0 < outcome.lost <= outcome.acknowledged


def write(disk: Disk, name: str, data: bytes, offset: int = 0) -> None:
    """Open and write a file that is there for the model alone."""
    disk.opening(name)
    disk.writing(name, data, offset, lambda _: None)


def left(folder: Path, *, synced: bool, folder_synced: bool, seeds: int = 60) -> set[bytes | None]:
    """Return what a write may leave; None = no file."""
    found: set[bytes | None] = set()
    for seed in range(seeds):
        disk = Disk(folder)
        disk.clear()
        write(disk, "a", DATA)
        if synced:
            disk.syncing("a", folder=folder_synced)
        disk.restart(Random(seed))
        found.add((folder / "a").read_bytes() if (folder / "a").exists() else None)
    return found


def test_what_is_synced_stays(tmp_path: Path) -> None:
    """A file whose bytes and name were synced is there, whole; its bytes alone are not enough."""
    assert left(tmp_path, synced=True, folder_synced=True) == {DATA}
    assert left(tmp_path, synced=True, folder_synced=False) == {DATA, None}


def test_what_is_not_synced_is_kept_in_part(tmp_path: Path) -> None:
    """A write that was not synced is there, is not, or has holes where sectors are missing."""
    found = left(tmp_path, synced=False, folder_synced=False)
    assert {DATA, None, b""} < found
    holes = [parts for parts in found - {DATA, None} if parts and bytes(SECTOR) in parts]
    assert holes


def test_a_deleted_file_may_come_back(tmp_path: Path) -> None:
    """A file that was deleted is gone for good once its folder was synced, not before."""
    for synced, may_be in ((True, {False}), (False, {False, True})):
        seen = set()
        for seed in range(20):
            disk = Disk(tmp_path)
            disk.clear()
            disk.put("a", DATA)
            disk.deleting("a", folder=synced)
            disk.restart(Random(seed))
            seen.add((tmp_path / "a").exists())
        assert seen == may_be


def test_after_the_cut_nothing_is_done(tmp_path: Path) -> None:
    """Once the power has failed every call fails, and nothing of it reaches the disk."""
    disk = Disk(tmp_path)
    write(disk, "a", DATA)
    disk.syncing("a", folder=True)
    disk.cut_after(0, lambda: OSError("cut"))
    for data in (b"met by the cut", b"after it"):
        with pytest.raises(OSError, match="cut"):
            write(disk, "a", data)
    with pytest.raises(OSError, match="cut"):
        disk.syncing("a", folder=True)
    disk.restart(Random(3))
    assert (tmp_path / "a").read_bytes() == DATA
