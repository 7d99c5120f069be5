"""Records of matches played at random by the engine alone."""

from pathlib import Path
from random import Random

import lastcard_engine as engine
from lastcard_engine.record import Entry, EntryKind, Record, write_record
from lastcard_server.contests.ledger import Game
from lastcard_server.verification import digest, outcome

NAMES = ("ann", "bob", "cid", "dot")


def a_record(seed: int = 1, *, leg: int = 0, names: tuple[str, ...] = NAMES) -> Record:
    """Return a match of one round in which every seat lays a card at random if it can."""
    random = Random(seed)
    rules = engine.make_rules("standard_no", {})
    settings = engine.Settings(rounds=1)
    secret, salt = bytes([seed]) * 32, bytes([leg]) * 32
    nonces = tuple(b"" for _ in names)
    state = engine.new_match(rules, settings, len(names), engine.deal_key(secret, nonces))
    log = Log(state)
    log.add(EntryKind.CREATED)
    log.add(EntryKind.STARTED)
    log.add(EntryKind.ROUND_STARTED)
    engine.start_round(state)
    while not state.over:
        log.play(random)
    log.add(EntryKind.ENDED)
    return Record(
        match_id=f"m{leg}".ljust(26, "x"),
        rules=rules,
        settings=settings,
        seats=names,
        secret=secret,
        salt=salt,
        commitment=engine.commitment(secret, salt),
        nonces=nonces,
        entries=tuple(log.entries),
        group=f"g{seed}",
        leg=leg,
    )


class Log:
    """The entries of a match that is being played."""

    def __init__(self, state: engine.State) -> None:
        self.state = state
        self.entries: list[Entry] = []

    def add(
        self,
        kind: EntryKind,
        seat: engine.Seat | None = None,
        action: engine.Action | None = None,
        *,
        uno: bool = False,
    ) -> None:
        """Add an entry; the last one holds the hash of the state it finds."""
        version = len(self.entries) + 1
        found = engine.state_hash(self.state) if kind is EntryKind.ENDED else None
        self.entries.append(Entry(version, kind, seat, action, uno, found, 1_000_000 * version))

    def play(self, random: Random) -> None:
        """Let whoever is asked act at random, then close a group that is answered."""
        reacting = self.state.group is not None
        for seat in engine.to_act(self.state):
            lawful = engine.legal_actions(self.state, seat)
            plays = [action for action in lawful if isinstance(action, engine.Play)]
            action, uno = random.choice(plays or lawful), bool(plays) and random.random() < 0.9
            kind = EntryKind.REACTION if reacting else EntryKind.ACTION
            self.add(kind, seat, action, uno=uno)
            engine.apply(self.state, seat, action, uno)
        if reacting:
            self.add(EntryKind.GROUP_CLOSED)
            engine.close_group(self.state)


def a_game(record: Record, game: int = 0) -> Game:
    """Return what a ledger says of a match."""
    found = outcome(record)
    return Game(
        contest="c",
        game=game,
        block=0,
        leg=record.leg,
        attempt=0,
        match=record.match_id,
        record=digest(record),
        **found._asdict(),
    )


def write(folder: Path, record: Record) -> Path:
    """Write a record into a file."""
    path = folder / f"{record.match_id}.jsonl"
    path.write_text(write_record(record))
    return path
