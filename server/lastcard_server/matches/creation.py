"""
What does the entry say that creates a match? Rules, seats, deal, and who wanted it.

Its body is two lines of JSON: the terms, which many matches share, and the rest.
"""

from typing import NamedTuple

from lastcard_engine.revisions import Revisions
from lastcard_server.journal.port import Journal, StoreError
from lastcard_server.matches import deals, setup
from lastcard_server.matches.bodies import read_structured, structured


class Creation(NamedTuple):
    """What is fixed about a match from its first entry on."""

    creator: str
    """The owner who created it."""
    setup: setup.MatchSetup
    deal: deals.Deal
    revision: int
    """Of the engine that plays it to its end."""


def creation_body(creation: Creation) -> str:
    """Return the body of `created`."""
    values = {
        "creator": creation.creator,
        "deal": deals.plain(creation.deal),
        "revision": creation.revision,
        "seats": setup.plain_seats(creation.setup),
    }
    return f"{setup.terms_text(creation.setup)}\n{structured(values)}"


def read_creation(body: str) -> Creation:
    """Return what `creation_body` wrote."""
    terms, _, rest = body.partition("\n")
    values = read_structured(rest)
    wanted = setup.read_setup(terms, values["seats"])
    deal = deals.from_plain(values["deal"])
    return Creation(values["creator"], wanted, deal, values["revision"])


def revision_of(body: str) -> int:
    """Return the engine revision that the body of `created` names, whatever else is in it."""
    return int(read_structured(body.partition("\n")[2])["revision"])


class OtherRevision(Exception):
    """The match takes an engine revision that is not run here; others may go on with it."""

    def __init__(self, revision: int, runs: Revisions) -> None:
        super().__init__(f"the match takes engine revision {revision}, here run {runs}")
        self.revision = revision


class LeftBehind(StoreError):
    """The store holds live matches that are too old for this release."""


async def require_runnable(journal: Journal, revisions: Revisions) -> None:
    """
    Refuse a store in which a live match would be left behind.

    Raises:
        LeftBehind: a live match takes a revision of the engine before those that are run.
        StoreError: the store does not answer.

    """
    lowest = await journal.lowest_revision()
    if lowest is not None and lowest < revisions.oldest:
        raise LeftBehind(
            f"a live match takes engine revision {lowest} and this release runs {revisions}; "
            f"let a release that runs {lowest} bring it to its end, or cancel it there"
        )
