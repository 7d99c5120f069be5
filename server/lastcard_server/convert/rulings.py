"""How are rulings of the referee told?"""

from lastcard.v1 import rules_service_pb2 as pb
from lastcard_server.referee.clauses import Clause
from lastcard_server.referee.law import InForce
from lastcard_server.referee.ruling import Ruling


def ruling_message(ruling: Ruling, dispute: str = "") -> pb.Ruling:
    """Return a ruling as a message; `dispute` is empty for a ruling on an act."""
    return pb.Ruling(
        dispute=dispute,
        verdict=f"VERDICT_{ruling.verdict.name}",
        text=ruling.text,
        hidden=ruling.hidden,
        clauses=map(_clause, ruling.cited.clauses),
        options=map(_option, ruling.cited.options),
    )


def _clause(clause: Clause) -> pb.Clause:
    source = clause.source
    return pb.Clause(
        clause_id=clause.id,
        wording=clause.wording,
        book=source.book,
        title=source.title,
        edition=source.edition,
    )


def _option(option: InForce) -> pb.OptionInForce:
    return pb.OptionInForce(option=option.option, value=option.value, is_house_rule=option.house)
