"""Are address and key found where they should be, and refused with a sentence where not?"""

import traceback
from pathlib import Path

import pytest

import lastcard
from lastcard.backoff import Backoff
from lastcard.connection import connection, read_key


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run in an empty directory, without settings in the environment."""
    for name in ("LASTCARD_ADDRESS", "LASTCARD_KEY", "LASTCARD_CA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("address", "target", "tls"),
    [
        ("127.0.0.1:5", "127.0.0.1:5", False),
        ("localhost:5", "localhost:5", False),
        ("[::1]:5", "[::1]:5", False),
        ("cards.example:5", "cards.example:5", True),
        ("http://cards.example:5", "cards.example:5", False),
        ("https://127.0.0.1:5", "127.0.0.1:5", True),
        ("unix:var/socket", "unix:var/socket", False),
        ("unix:var/a,b", "unix:var/a,b", False),
        ("127.0.0.1:5,localhost:6", "127.0.0.1:5,localhost:6", False),
        ("127.0.0.1:5, cards.example:6", "127.0.0.1:5,cards.example:6", True),
        ("http://a.example:5,b.example:6", "a.example:5,b.example:6", False),
        ("https://127.0.0.1:5,https://127.0.0.1:6", "127.0.0.1:5,127.0.0.1:6", True),
    ],
)
def test_plaintext_is_for_this_machine_only(*, address: str, target: str, tls: bool) -> None:
    """An address without a scheme is plaintext on loopback and TLS elsewhere."""
    made = connection(address, "k")
    assert (made.target, made.tls) == (target, tls)


@pytest.mark.parametrize(
    "address",
    [
        *("cards", "cards:", ":5", "cards:x", "ftp://cards:5", "cards:5/x", "cards:70000"),
        *(
            "a:5,",
            ",",
            "a:5,,b:5",
            "a:5,b",
            "a:5,unix:x",
            "a:5,http://b:5",
            "http://a:5,https://b:5",
        ),
    ],
)
def test_address_that_is_none_is_refused(address: str) -> None:
    """What cannot be dialled is refused with the forms that can."""
    with pytest.raises(lastcard.BadSetting, match="HOST:PORT"):
        connection(address, "k")


def test_key_comes_from_the_argument_the_environment_and_the_local_server(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An argument beats LASTCARD_KEY, which beats the organiser key of a server started here."""
    with pytest.raises(lastcard.BadSetting, match="set LASTCARD_KEY"):
        connection()
    (nowhere / "var").mkdir()
    (nowhere / "var/organiser.key").write_text("from-file\n")
    assert connection().key == "from-file"
    assert connection().target == "127.0.0.1:50051"
    monkeypatch.setenv("LASTCARD_KEY", "from-environment")
    monkeypatch.setenv("LASTCARD_ADDRESS", "127.0.0.1:9")
    assert connection().key == "from-environment"
    assert connection().target == "127.0.0.1:9"
    assert connection("127.0.0.1:8", "given").metadata() == (("authorization", "Bearer given"),)


def test_organiser_key_of_this_machine_goes_nowhere_else(nowhere: Path) -> None:
    """The key of a local server is never sent to another machine."""
    (nowhere / "var").mkdir()
    (nowhere / "var/organiser.key").write_text("from-file\n")
    with pytest.raises(lastcard.BadSetting, match="there is no key"):
        connection("cards.example:5")


def test_authority_that_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file of certificates is named at once."""
    monkeypatch.setenv("LASTCARD_CA", "missing.pem")
    with pytest.raises(lastcard.BadSetting, match=r"missing\.pem"):
        connection("cards.example:5", "k")


def test_pauses_double_with_chance_until_patience_ends() -> None:
    """Pauses grow to two seconds, are shortened by at most a half, and end with the patience."""
    clock = [0.0]
    backoff = Backoff(60.0, now=lambda: clock[0])
    pauses = []
    while (pause := backoff.failed()) is not None:
        pauses.append(pause)
        clock[0] += pause
    longest = [min(0.1 * 2**n, 2.0) for n in range(len(pauses))]
    assert all(top / 2 <= pause <= top for pause, top in zip(pauses, longest, strict=True))
    assert 55.0 <= clock[0] <= 60.0
    assert backoff.failures == len(pauses) + 1
    backoff.succeeded()
    assert backoff.failed() is not None
    assert backoff.failures == 1


@pytest.mark.parametrize("key", ["lck_a\nb", "lck_a b", "lck_\x1b[1m", "lck_ä"])
def test_key_that_no_header_may_carry_is_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says where it came from and does not repeat it."""
    monkeypatch.setenv("LASTCARD_KEY", key)
    with pytest.raises(lastcard.BadSetting, match="in LASTCARD_KEY is malformed") as refusal:
        connection()
    assert key not in str(refusal.value)


@pytest.mark.parametrize("held", [b"", b"two words", b"\xff\xfe"])
def test_file_without_a_key_is_named(nowhere: Path, held: bytes) -> None:
    """A file of keys that is missing or holds something else is named."""
    path = nowhere / "some.key"
    with pytest.raises(lastcard.BadSetting, match=r"some\.key cannot be read: no such file"):
        read_key(path)
    path.write_bytes(held)
    with pytest.raises(lastcard.BadSetting, match=r"some\.key holds no key"):
        read_key(path)


def test_errors_of_play_are_short() -> None:
    """What ends a program says it in one sentence and shows one frame of the SDK."""
    with pytest.raises(lastcard.BadSetting, match="there is no key") as ended:
        lastcard.play(lambda _turn: 0, "kitchen")
    frames = [frame.name for frame in traceback.extract_tb(ended.value.__traceback__)]
    assert frames[1:] == ["play"]
    assert ended.value.__suppress_context__


@pytest.mark.parametrize("table", ["", "two words", "x" * 61])
def test_bad_name_of_a_table_is_refused(table: str) -> None:
    """The sentence speaks of the table, before anything is dialled."""
    with pytest.raises(lastcard.BadSetting, match="is no table: 1 to 60 letters"):
        lastcard.play(lambda _turn: 0, table)
