"""
What is on a disk when the power goes? What was synced, and of the rest any part.

The model: a file's bytes are durable once it was synced; a file's name, and that it was deleted,
once its folder was, and changes of a folder keep their order, as file systems with a journal do.
At a cut every write, cut or growth since the last sync is kept, lost, or kept in part: any sectors
of it, in any order, some torn in the middle, some filled with rubbish; what is missing below what
was kept reads as zeros. Bytes beside those that were being written stay as they are.

Not modelled: disks that lie about a sync, bytes that rot later, and the `-shm` file, which is
memory that SQLite makes anew from the log after a crash.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

SECTOR = 512


class _Content:
    """The bytes of a file: those that are durable, and what happened since."""

    def __init__(self, durable: bytes = b"") -> None:
        self.durable = bytearray(durable)
        # A write: where, and what; a change of size: to what.
        self.pending: list[tuple[int, bytes] | int] = []

    def sync(self) -> None:
        """Make everything durable."""
        for change in self.pending:
            _apply(self.durable, change)
        self.pending.clear()

    def after_cut(self, random: Random) -> bytes:
        """Return what is left of it."""
        left = bytearray(self.durable)
        kept = random.choice((0.0, 0.5, 0.9, 1.0))
        for change in self.pending:
            if isinstance(change, int):
                if random.random() < kept:
                    _apply(left, change)
            else:
                _write_parts(left, *change, kept, random)
        return bytes(left)


class Disk:
    """The files of one folder; a watch (see `watched`) that notes what SQLite does to them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._durable: dict[str, _Content] = {}
        self._names: dict[str, _Content] = {}
        # Changes of the folder since it was synced: a name and what it names now.
        self._changes: list[tuple[str, _Content | None]] = []
        self._calls_left = 0
        self._failure: Callable[[], Exception] | None = None

    def cut_after(self, calls: int, failure: Callable[[], Exception]) -> None:
        """Have the power fail after so many more calls; each one later fails."""
        self._calls_left, self._failure = calls, failure

    @property
    def is_cut(self) -> bool:
        """Tell whether the power has failed."""
        return self._failure is not None and self._calls_left < 0

    def restart(self, random: Random) -> None:
        """Leave in the folder what a machine finds when the power is back."""
        names = dict(self._durable)
        for name, content in self._changes[: random.randint(0, len(self._changes))]:
            _rename(names, name, content)
        self.clear()
        for name, content in names.items():
            self.put(name, content.after_cut(random))

    def put(self, name: str, content: bytes) -> None:
        """Lay a file there, durably."""
        (self._folder / name).write_bytes(content)
        self._durable[name] = self._names[name] = _Content(content)

    def clear(self) -> None:
        """Begin with an empty disk."""
        for path in self._folder.iterdir():
            path.unlink()
        self._durable, self._names, self._changes = {}, {}, []
        self._failure = None

    # What `watched.Watch` says; a call that the cut meets may have been begun

    def opening(self, path: str) -> None:
        """Note a file that is new."""
        name = Path(path).name
        if name not in self._names and not self.is_cut:
            self._change(name, _Content())
        self._count()

    def reading(self, path: str) -> None:
        """Let it be: what is read before the cut is what the system holds."""

    def writing(self, path: str, data: bytes, offset: int, write: Callable[[bytes], None]) -> None:
        """Note bytes that are not durable yet."""
        if not self.is_cut:
            self._names[Path(path).name].pending.append((offset, bytes(data)))
        self._count()
        write(data)

    def truncating(self, path: str, size: int) -> None:
        """Note a change of size that is not durable yet."""
        if not self.is_cut:
            self._names[Path(path).name].pending.append(size)
        self._count()

    def syncing(self, path: str, *, folder: bool) -> None:
        """Make a file durable."""
        self._count()
        self._names[Path(path).name].sync()
        if folder:
            self._sync_folder()

    def deleting(self, path: str, *, folder: bool) -> None:
        """Note that a name is gone."""
        name = Path(path).name
        if name in self._names and not self.is_cut:
            self._change(name, None)
        self._count()
        if folder:
            self._sync_folder()

    def _count(self) -> None:
        """Count a call, which fails once the power has failed."""
        self._calls_left -= 1
        if self._failure is not None and self._calls_left < 0:
            raise self._failure()

    def _change(self, name: str, content: _Content | None) -> None:
        _rename(self._names, name, content)
        self._changes.append((name, content))

    def _sync_folder(self) -> None:
        self._durable = dict(self._names)
        self._changes.clear()


def in_memory() -> str | None:
    """Return a folder in memory where the system has one: what is durable, a model decides."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _rename(names: dict[str, _Content], name: str, content: _Content | None) -> None:
    if content is None:
        names.pop(name, None)
    else:
        names[name] = content


def _apply(content: bytearray, change: tuple[int, bytes] | int) -> None:
    """Do a change to bytes."""
    if isinstance(change, int):
        del content[change:]
        content.extend(bytes(change - len(content)))
        return
    offset, data = change
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def _write_parts(content: bytearray, offset: int, data: bytes, kept: float, random: Random) -> None:
    """Do a write sector by sector, each with luck of its own."""
    start = 0
    while start < len(data):
        end = min(len(data), start + SECTOR - (offset + start) % SECTOR)
        part, luck = data[start:end], random.random()
        if luck < kept:
            _apply(content, (offset + start, part))
        elif luck > 0.98:
            _apply(content, (offset + start, random.randbytes(len(part))))
        elif luck > 0.9:
            _apply(content, (offset + start, part[: len(part) // 2]))
        start = end
