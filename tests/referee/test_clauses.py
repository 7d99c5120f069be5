"""Has every situation its clauses, and is every clause a row of the law?"""

from typing import Any, get_args

import pytest

from lastcard_engine import Action, Event, Face, Reason
from lastcard_engine.cards import ALL_CARDS
from lastcard_engine.options import OPTIONS
from lastcard_engine.presets import PRESETS
from lastcard_server.referee import law, outcome
from lastcard_server.referee.books import book_of
from lastcard_server.referee.clauses import rows
from lastcard_server.referee.disputes import DISPUTES
from lastcard_server.referee.naming import effect_of
from lastcard_server.sheets.choice import choose
from tests.rules.table import rows as law_rows
from tests.sheets.walk import values_of

PSEUDO = {
    "preset": set(PRESETS),
    "seats": {str(seats) for seats in range(2, 11)},
    "custom_rules": {"none", "some"},
    "stacks_draw_two": {"true", "false"},
    "answers_draw_two": {"true", "false"},
    "answers_draw_four": {"true", "false"},
}


def kinds_of_action() -> list[str]:
    """Return `play`, `accept_draw` and so on for every action there is."""
    names = (kind.__name__ for kind in get_args(Action))
    return ["".join(f"_{c.lower()}" if c.isupper() else c for c in name)[1:] for name in names]


def needed() -> list[str]:
    """Return a situation for each refusal, each kind of action and each effect of a card."""
    refusals = [f"refused.{reason}" for reason in Reason]
    actions = [f"allowed.{kind}" for kind in kinds_of_action()]
    return [*refusals, *actions, *dict.fromkeys(map(effect_of, ALL_CARDS))]


def all_entries() -> list[law.Entry]:
    """Return the entries of situations and disputes."""
    found = [entry for entries in law.situations().values() for entry in entries]
    disputes = law.table_of("disputes.toml")
    for name in DISPUTES:
        for answer in disputes[name]["answers"]:
            found += law.entries(answer["entries"])
    return found


def test_packaged_rows_are_rows_of_the_law_in_its_own_words() -> None:
    """Each id stands in tests/rules; the wording is the row's, with its default if it has one."""
    for row in rows().values():
        known: dict[str, Any] = law_rows()[row.id]
        full = known["rule"]
        if row.id[0] == "Q" or row.id[:2] == "NM":
            full = f"{known['rule']}: {known['default']}"
        assert full.startswith(row.wording), row.id
        assert len(row.wording) > 0.6 * len(full), row.id


def test_packaged_rows_are_those_that_are_cited() -> None:
    """None is missing and none lies there for nothing."""
    cited = {name for entry in all_entries() for name in (*entry.cite, *entry.also)}
    assert cited == set(rows())


def test_rules_have_a_book_and_open_points_have_none() -> None:
    """R rows stand in the books, all others are points that the books leave open."""
    assert all(bool(row.lines) == (row.id[0] == "R") for row in rows().values())


@pytest.mark.parametrize("preset", PRESETS)
def test_every_refusal_action_and_effect_has_a_clause(preset: str) -> None:
    """For every preset, with two seats and with four; no answer is `unknown`."""
    choice = choose(preset, {})
    for situation in (
        *needed(),
        *(name for name in law.situations() if name.startswith("follows")),
    ):
        for seats in (2, 4):
            assert law.cite([situation], choice, seats).clauses, situation


def test_closer_situations_have_a_general_one() -> None:
    """`reason.more` and `kind.more` stand beside `reason` and `kind`; every key is asked for."""
    general = {".".join(name.split(".")[:2]) for name in law.situations()}
    assert general <= {*needed(), *(n for n in law.situations() if n.startswith("follows."))}
    assert set(needed()) <= set(law.situations())


def test_conditions_name_options_and_values_that_exist() -> None:
    """A misspelt option or value would never hold."""
    for entry in all_entries():
        for option, wanted in entry.when.items():
            if option in PSEUDO:
                allowed = PSEUDO[option]
            else:
                assert option in OPTIONS, option
                allowed = {str(value).lower() for value in values_of(option)} | {""}
            values = wanted if isinstance(wanted, list) else [wanted.removeprefix("!")]
            assert set(values) <= allowed, (option, wanted)


def test_every_preset_follows_a_book() -> None:
    """Each is listed once, by the language of its rules."""
    books = {preset: book_of(preset) for preset in PRESETS}
    assert {book for name, book in books.items() if name.endswith("_dk")} == {"D4"}
    assert books["no_mercy"] == books["house_no"] == "D1"
    assert books["family_se"] == books["pairs_se"] == "D3"
    assert books["short_se"] == "D2"
    assert books["guide_se"] == "D0"


def test_every_event_is_told_or_left_out_on_purpose() -> None:
    """A new event of the engine has to be thought of here."""
    assert set(outcome.SAYS) == set(get_args(Event))


def test_every_face_has_an_effect() -> None:
    """Numbers but for seven and zero share one."""
    effects = set(map(effect_of, ALL_CARDS))
    assert {f"effect.{face.name.lower()}" for face in Face if face >= Face.SKIP} <= effects
    assert {"effect.seven", "effect.zero", "effect.number"} <= effects
