"""Do whole bots, each a process of its own, play matches on a real server?"""

import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice, pairwise
from pathlib import Path

import pytest

import lastcard
from lastcard.bots import HOUSE
from lastcard.v1 import key_service_pb2 as key_pb2
from lastcard.v1 import match_service_pb2 as match_pb2
from lastcard.v1 import play_service_pb2 as play_pb2
from tests.processes import LASTCARD, ServerProcess, said

ROOT = Path(__file__).parents[2]
TYPESCRIPT = ROOT / "clients/typescript"
PLACE = re.compile(r"match (\w{26}): place (\d) of 2")
PATIENT = match_pb2.MatchSettings(move_limit_duration=timedelta(minutes=5))
PAGES = ["README.md", "clients/python/README.md", "docs/tutorial/write-a-bot.md"]
WRONG_KEY = "the key in LASTCARD_KEY is not one of the server at {}, or was revoked"
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Run a server on SQLite in a directory of its own."""
    with ServerProcess(tmp_path) as running:
        yield running


def greedy(turn: lastcard.Turn) -> int:
    """Play as the greedy bot of the house."""
    return HOUSE["greedy"](turn.message)


@pytest.mark.parametrize("page", PAGES)
def test_bot_of_the_documentation_plays_at_a_table(server: ServerProcess, page: str) -> None:
    """The documented bot has at most ten lines, blank ones apart; two of it meet and play."""
    code = documented(page)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    (server.folder / "bot.py").write_text(code)
    bots = [server.bot(sys.executable, "bot.py", "kitchen") for _ in range(2)]
    results = [PLACE.fullmatch(said(bot)) for bot in bots]
    assert all(results)
    assert len({result[1] for result in results if result}) == 1
    assert sorted(result[2] for result in results if result) == ["1", "2"]


@pytest.mark.parametrize("page", PAGES)
def test_bot_of_the_documentation_says_what_is_wrong(server: ServerProcess, page: str) -> None:
    """One sentence, without a traceback."""
    (server.folder / "bot.py").write_text(documented(page))
    bot = server.bot("env", "LASTCARD_KEY=lck_wrong", sys.executable, "bot.py", "kitchen")
    _, err = bot.communicate(timeout=30)
    assert (bot.returncode, err) == (1, f"{WRONG_KEY.format(server.address)}\n")


def documented(page: str) -> str:
    """Return the bot of a page."""
    blocks: list[str] = CODE.findall((ROOT / page).read_text())
    return next(block for block in blocks if "play(" in block)


def test_bot_finds_the_local_server_and_its_key(server: ServerProcess) -> None:
    """Started beside a server a bot needs no key; a table that is over is laid anew."""
    address = f"--address={server.address}"
    matches = []
    for strategies in islice(pairwise(HOUSE), 2):
        bots = [
            subprocess.Popen(
                [LASTCARD, "bot", strategy, "kitchen", address],
                cwd=server.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for strategy in strategies
        ]
        places = [PLACE.fullmatch(said(bot)) for bot in bots]
        matches.append({place[1] for place in places if place})
    assert [len(ids) for ids in matches] == [1, 1]
    assert matches[0] != matches[1]


def test_typescript_bot_plays_against_a_python_bot(server: ServerProcess) -> None:
    """The TypeScript bot passes its tests, meets a Python bot, and outlives a killed server too."""
    needs_typescript()
    tests = subprocess.run(
        ["npm", "test"], cwd=TYPESCRIPT, check=False, capture_output=True, text=True
    )
    assert tests.returncode == 0, tests.stdout + tests.stderr
    files = [path for path in TYPESCRIPT.glob("*.ts") if not path.name.endswith(".test.ts")]
    assert sum(map(lines_of_code, files)) < 250
    for kill in (False, True):
        there = server.bot("node", "dist/bot.js", "kitchen", cwd=TYPESCRIPT)
        here = play_slowly(server, kill=kill)
        match_id, _, *places = said(there).split()
        assert match_id == here.match_id
        assert [int(place) for place in places] == list(here.places)
        assert sorted(here.places) == [1, 2]


def lines_of_code(path: Path) -> int:
    """Count the lines of a TypeScript file that are neither empty nor comment."""
    lines = (line.strip() for line in path.read_text().splitlines())
    return sum(bool(line) and not line.startswith(("/*", "*", "//")) for line in lines)


@pytest.mark.parametrize("table", [(), ("kitchen",)])
def test_typescript_bot_names_a_wrong_key_by_its_origin(
    server: ServerProcess, table: tuple[str, ...]
) -> None:
    """A key that the server does not know ends it with one sentence, at a table and without."""
    needs_typescript()
    subprocess.run(
        ["npm", "run", "--silent", "build"], cwd=TYPESCRIPT, check=True, capture_output=True
    )
    command = ("env", "LASTCARD_KEY=lck_wrong", "node", "dist/bot.js", *table)
    bot = server.bot(*command, cwd=TYPESCRIPT)
    _, err = bot.communicate(timeout=30)
    assert (bot.returncode, err) == (1, f"{WRONG_KEY.format(server.address)}\n")


def needs_typescript() -> None:
    """Skip the test where Node.js or the client's packages are missing."""
    if shutil.which("npm") is None or not (TYPESCRIPT / "node_modules").exists():
        pytest.skip("needs Node.js and the client's packages: `make tools` fetches them")


@pytest.mark.parametrize("house", [True, False])
def test_interrupted_bot_at_a_table_ends_quietly(server: ServerProcess, *, house: bool) -> None:
    """Alone at a table a bot says that it waits; Ctrl-C ends it with 130 and nothing more."""
    (server.folder / "bot.py").write_text("import lastcard\nlastcard.play(lambda turn: 0, 'hall')")
    script = (sys.executable, "bot.py")
    bot = server.bot(*((LASTCARD, "bot", "random", "hall") if house else script))
    assert bot.stderr is not None
    assert bot.stderr.readline() == "waiting for others at 'hall'\n"
    bot.send_signal(signal.SIGINT)
    out, err = bot.communicate(timeout=30)
    assert (bot.returncode, out, err) == (130, "", "")


def test_wrong_key_is_named_by_its_origin(server: ServerProcess) -> None:
    """A key that the server does not know is told apart by where it came from."""
    wrong = "lck_wrong"
    bot = server.bot("env", f"LASTCARD_KEY={wrong}", LASTCARD, "bot", "random", "hall")
    _, err = bot.communicate(timeout=30)
    assert bot.returncode == 1
    assert err == f"lastcard bot: {WRONG_KEY.format(server.address)}\n"
    (server.folder / "other.key").write_text(wrong)
    keys = server.bot(LASTCARD, "keys", "--key-file", "other.key", "list")
    _, err = keys.communicate(timeout=30)
    assert keys.returncode == 1
    assert err.startswith("Error: other.key: the key given is not one of the server at ")


def play_slowly(server: ServerProcess, *, kill: bool) -> lastcard.Result:
    """Play a match at the table kitchen, in the midst of which the server is killed if wanted."""

    def bot(turn: lastcard.Turn) -> int:
        asked.release()
        time.sleep(0.002)
        return greedy(turn)

    asked = threading.Semaphore(0)
    caller = server.client().connection
    with ThreadPoolExecutor() as pool:
        playing = pool.submit(
            lambda: lastcard.play(bot, "kitchen", address=caller.target, key=caller.key)
        )
        if kill:
            for _ in range(4):
                assert asked.acquire(timeout=30)
            server.kill()
            server.start()
        return playing.result(timeout=60)


def test_stopped_bot_says_what_it_did(server: ServerProcess) -> None:
    """SIGTERM ends a bot that plays all seats of a key, with a count and exit code 0."""
    with server.client() as client:
        (secret, key_id), (other, other_id) = new_key(client), new_key(client)
        bot = server.bot("env", f"LASTCARD_KEY={secret}", LASTCARD, "bot", "random")
        match_id = client.create("m", seats=reserved(key_id, key_id)).match_id
        for _ in client.watch_match(match_id):
            pass
        # Whoever moves in a later match has been told that the one before is over.
        client.create("n", seats=reserved(key_id, other_id), settings=PATIENT)
        caller = client.connection
    with lastcard.Client(server.address, secret) as seen, pytest.raises(_HasMovedError):
        list(lastcard.Player(_until_moved(seen), caller._replace(key=other)).matches())
    bot.send_signal(signal.SIGTERM)
    assert re.fullmatch(r"matches: 1, answers: \d+", said(bot))


class _HasMovedError(Exception):
    """The other seat of a match has moved."""


def _until_moved(other: lastcard.Client) -> lastcard.Bot:
    """Return a bot that plays until the other seat has moved; then its match stands still."""

    def bot(turn: lastcard.Turn) -> int:
        request = play_pb2.GetViewRequest(match_id=turn.match_id)
        if other.call(other.plays.GetView, request).has_answered:
            raise _HasMovedError
        return 0

    return bot


def new_key(client: lastcard.Client) -> tuple[str, str]:
    """Create a bot's key; return its secret and its identifier."""
    request = key_pb2.CreateKeyRequest(name="bot", role=key_pb2.KEY_ROLE_BOT)
    made = client.call(client.keys.CreateKey, request, repeat=False)
    return made.secret, made.key.key_id


def reserved(*key_ids: str) -> list[match_pb2.SeatSpec]:
    """Return seats reserved for keys."""
    holders = (match_pb2.ReservedSeat(key_id=key_id) for key_id in key_ids)
    return [match_pb2.SeatSpec(reserved=holder) for holder in holders]


def test_matches_outlive_a_killed_server(server: ServerProcess) -> None:
    """Killed with kill -9 in mid-match and started again, the server loses and doubles nothing."""
    with server.client() as client:
        keys = [new_key(client) for _ in range(2)]
        seats = reserved(*(key_id for _, key_id in keys))
        ids = [client.create(f"m{n}", seats=seats).match_id for n in range(40)]
        players = [
            lastcard.Player(greedy, client.connection._replace(key=secret)) for secret, _ in keys
        ]
    with ThreadPoolExecutor() as pool:
        playing = [pool.submit(list, player.matches()) for player in players]
        for answered in (200, 600):
            while players[0].answered < answered:
                time.sleep(0.01)
            server.kill()
            server.start()
        with server.client() as client:
            for match_id in ids:
                for _ in client.watch_match(match_id):
                    pass
            states = {client.get(match_id).state for match_id in ids}
        for player in players:
            player.stop()
        ended = [[over.match_id for over in played.result(timeout=30)] for played in playing]
    assert states == {match_pb2.MATCH_STATE_FINISHED}
    assert [len(set(ids)) for ids in ended] == [len(ids) for ids in ended]
    assert [dict(player.refused) for player in players] == [{}, {}]


def test_table_outlives_a_killed_server(server: ServerProcess) -> None:
    """Both players at a table learn the same result, whatever happened to the server meanwhile."""
    with ThreadPoolExecutor() as pool:
        other = pool.submit(play_slowly, server, kill=False)
        one, two = play_slowly(server, kill=True), other.result(timeout=60)
    assert one.match_id == two.match_id
    assert one.places == two.places
    assert one.won != two.won
