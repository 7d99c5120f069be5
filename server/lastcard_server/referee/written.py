"""How is a ruling written, for people as lines and for programs as plain values?"""

import textwrap
from collections.abc import Iterator
from typing import Final

from lastcard_server.referee.ruling import Ruling, Verdict

_ACTS: Final = {
    Verdict.YES: "Allowed",
    Verdict.NO: "Not allowed",
    Verdict.BLUFF: "Against the rules, but it can be laid",
    Verdict.DEPENDS: "That depends",
}
_ANSWERS: Final = {Verdict.YES: "Yes", Verdict.NO: "No"}


def sentence(ruling: Ruling) -> str:
    """Return verdict and outcome of a ruling on an act as one sentence."""
    return f"{_ACTS[ruling.verdict]}: {ruling.text.rstrip('.')}."


def answer(ruling: Ruling) -> str:
    """Return the answer to a dispute: a word, and the sentence that says it for these rules."""
    return f"{_ANSWERS[ruling.verdict]}. {ruling.text}"


def grounds(ruling: Ruling) -> str:
    """Return what decides: a clause with its book a paragraph, and the options in force."""
    return "\n".join([*_clauses(ruling), *_options(ruling)])


def _clauses(ruling: Ruling) -> Iterator[str]:
    for clause in ruling.cited.clauses:
        source = clause.source
        book = f"{source.title} ({source.book})" if source.book else source.title
        said = f"{clause.wording.rstrip('.')}. {book[0].upper()}{book[1:]}: {source.edition}."
        yield textwrap.fill(
            said, 100, initial_indent=f"  {clause.id:<5} ", subsequent_indent=" " * 8
        )


def _options(ruling: Ruling) -> Iterator[str]:
    for option in ruling.cited.options:
        house = " (house rule)" if option.house else ""
        yield f"  {option.option}={option.value}{house}"


def plain(ruling: Ruling) -> dict[str, object]:
    """Return a ruling as JSON has it."""
    return {
        "verdict": str(ruling.verdict),
        "text": ruling.text,
        "reason": ruling.reason,
        "hidden": ruling.hidden,
        "clauses": [
            {
                "id": clause.id,
                "wording": clause.wording,
                "book": clause.source.book,
                "title": clause.source.title,
                "edition": clause.source.edition,
            }
            for clause in ruling.cited.clauses
        ],
        "options": [option._asdict() for option in ruling.cited.options],
    }
