"""Does a sheet say what holds at this table, all of it, and mark what differs?"""

import itertools
import re
import tomllib
from dataclasses import replace

import pytest

from lastcard_engine.errors import RulesError
from lastcard_engine.options import OPTIONS
from lastcard_engine.plain import plain_rules
from lastcard_engine.presets import PRESETS
from lastcard_engine.rules import FinishCard
from lastcard_server.sheets.choice import OFFICIAL, Choice, choose
from lastcard_server.sheets.faces import Row
from lastcard_server.sheets.pick import Evening, pick
from lastcard_server.sheets.sheet import Sentence, Sheet, make_sheet
from lastcard_server.sheets.words import LANGUAGES, words
from tests.sheets.walk import operations, variants, with_rule


def said(choice: Choice, language: str = "en") -> dict[str, str | Row]:
    """Return what is said of a choice by heading and slot, without marks."""
    return {
        f"{section.heading}/{line.slot}": line.text if isinstance(line, Sentence) else line.row
        for section in make_sheet(choice, language).sections
        for line in section.lines
    }


def marked(sheet: Sheet) -> set[str]:
    """Return the slots that are marked."""
    return {line.slot for section in sheet.sections for line in section.lines if line.differs}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("option", OPTIONS)
def test_another_value_is_another_sheet(option: str, language: str) -> None:
    """Every value of every option has its own words in every language, outside the settings."""
    told = [said(choice, language) for choice in variants(option)]
    for one, other in itertools.combinations(told, 2):
        assert one != other


def test_an_option_has_at_least_two_values_to_tell_apart() -> None:
    """The walk leaves no option out."""
    assert len(OPTIONS) == 38
    assert all(len(variants(option)) >= 2 for option in OPTIONS)


@pytest.mark.parametrize("name", sorted(set(OFFICIAL.values())))
def test_r238_official_rules_carry_no_mark(name: str) -> None:
    """The sheet of an official edition says that nothing differs."""
    sheet = make_sheet(choose(name, {}), "en")
    assert not marked(sheet)
    assert not sheet.differs
    title = sheet.words.say(f"preset.{name}")
    assert sheet.legend == sheet.words.say("sheet.same", official=title)


@pytest.mark.parametrize("name", PRESETS)
def test_marks_stand_where_the_rules_differ_and_nowhere_else(name: str) -> None:
    """From official rules to the preset, option by option: what changes on the way is marked."""
    official = OFFICIAL[name]
    target, rules = plain_rules(PRESETS[name]), plain_rules(PRESETS[official])
    before = said(choose(official, {}))
    changed: set[str] = set()
    for option in target:
        if rules[option] != target[option]:
            rules[option] = target[option]
            after = said(choose(official, {o: v for o, v in rules.items() if v is not None}))
            changed |= {key for key, text in after.items() if before.get(key) != text}
            before = after
    if target["teams"] == "pairs":  # four play, and what two do is neither said nor marked
        changed = {key for key in changed if not key.endswith("/reverse")}
    sheet = make_sheet(Choice(official, choose(name, {}).rules), "en")
    assert marked(sheet) == {key.partition("/")[2] for key in changed if key in before}
    assert bool(changed) == sheet.differs


@pytest.mark.parametrize(
    ("name", "slots"),
    [
        (
            "house_dk",
            {"wd4_legality", "uno_window", "uno_penalty", "finish_card", "stacking"},
        ),
        (
            "house_no",
            {
                "draw_mode",
                "unlawful",
                "number",
                "received",
                "stacking",
                "stack_challenge",
                "seven_zero",
                "jump_in",
            },
        ),
        ("official_se_literal", {"shuffle_hands"}),
        ("official_se_low_total", {"scoring", "blocked"}),
        ("official_dk_literal", {"action_match"}),
        ("starter_no", set()),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_marks_of_the_books(name: str, slots: set[str], language: str) -> None:
    """What the books call a house rule or another reading is marked, in every language alike."""
    assert marked(make_sheet(choose(name, {}), language)) == slots


def test_r059_r117_r236_what_is_argued_about_most_is_always_said() -> None:
    """Stacking, drawing on, jumping in, the first card, a reverse for two: on every sheet."""
    for name in PRESETS:
        slots = {key.partition("/")[2] for key in said(choose(name, {}))}
        assert {"stacking", "draw_mode", "jump_in", "reverse", "first_card"} <= slots


@pytest.mark.parametrize("language", LANGUAGES)
def test_q12_r219_what_holds_in_pairs_is_said_of_pairs_alone(language: str) -> None:
    """The pair scores, never one player over all others; and nobody is told to catch a partner."""
    spoken = make_sheet(choose("pairs_se", {}), language).words
    told = said(choose("pairs_se", {}), language)
    points = told[f"{spoken.say('heading.scoring')}/scoring"]
    assert points == spoken.say("scoring.pairs", n=500)
    single = said(choose("pairs_se", {"scoring": "single_round"}), language)
    assert single[f"{spoken.say('heading.scoring')}/scoring"] == spoken.say("scoring.single_round")
    alone = said(choose("family_se", {}), language)
    assert points != alone[f"{spoken.say('heading.scoring')}/scoring"]


@pytest.mark.parametrize("scoring", ["low_total", "elimination"])
def test_s12_nm24_a_knocked_out_hand_is_written_down_and_brings_no_bonus(scoring: str) -> None:
    """The bonus is scored by a winner; where everybody counts a hand of their own there is none."""
    told = said(choose("no_mercy_points", {"scoring": scoring}))
    assert "writes down the points" in str(told["House rules/mercy_hand"])
    assert "House rules/mercy_bonus" not in told
    winner = said(choose("no_mercy_points", {}))
    assert "250 more points" in str(winner["House rules/mercy_bonus"])
    assert "House rules/mercy_hand" not in winner


@pytest.mark.parametrize("name", PRESETS)
def test_q01_s02_what_happens_without_cards_to_draw_is_always_said(name: str) -> None:
    """Both piles may run out under any rules."""
    assert "With nothing at all to draw" in str(said(choose(name, {}))["Your turn/none_left"])


def test_s10_a_stack_is_challenged_only_where_a_draw_four_can_be_wrong() -> None:
    """How a stack is challenged is said only with pairs that hold a wild draw four."""
    pairs: dict[str, object] = {"stacking": "pairs", "stack_pairs": ["d2>wd4"]}
    key = "House rules/stack_challenge"
    assert key in said(choose("standard_no", pairs))
    without: list[dict[str, object]] = [
        {"wd4_legality": "free"},
        {"wd4_enforcement": "block"},
        {"stack_pairs": ["d2>d2"]},
    ]
    for more in without:
        assert key not in said(choose("standard_no", pairs | more))


def test_the_settings_can_be_played_by() -> None:
    """What a sheet says for the server are the rules it was made from."""
    sheet = make_sheet(choose("official_dk", {"uno_penalty_cards": 4, "seven_zero": True}), "da")
    assert sheet.settings == (
        'preset = "official_dk"\n\n[overrides]\nuno_penalty_cards = 4\nseven_zero = true\n'
    )


def test_custom_rules_are_settings_too() -> None:
    """They stand in tables of their own, one a card, with whatever their text holds."""
    rule = {"id": "joke", "text": 'Say "ha \\ ha".', "ops": ["draw(next,1)"], "lose_turn": True}
    choice = choose(
        "official_se", {"custom_rules": [rule, {**rule, "id": "bad", "lose_turn": False}]}
    )
    written = tomllib.loads(make_sheet(choice, "en").settings)
    assert written["preset"] == "official_se"
    assert written["custom_rules"] == [
        rule,
        {"id": "bad", "text": rule["text"], "ops": rule["ops"]},
    ]
    told = said(choice)
    assert str(told["House rules/custom_1"]).endswith("The next player also loses the turn.")
    assert told["House rules/custom_2"] == (
        'Customizable card 2: Say "ha \\ ha". The next player must draw 1 card.'
    )
    assert "House rules/custom_blank" in told  # the third card


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operation_is_told_in_words_of_its_own(language: str) -> None:
    """Another kind, target, number, word or outcome is another sentence; none is in notation."""
    asked = operations()
    heading = words(language).say("heading.house")
    sentences = [str(said(with_rule(op), language)[f"{heading}/custom_1"]) for op in asked]
    assert len(set(sentences)) == len(asked)
    for sentence in sentences:
        assert not re.search(r"[(_;{]\w|\w\(", sentence), sentence
        assert re.match(r"[^:]+ 1: \w", sentence)
        assert sentence.split(": ", 1)[1][0].isupper()
        assert re.search(r"[.!?][”»«]?$", sentence), sentence


@pytest.mark.parametrize(
    ("language", "rule"),
    [
        (
            "en",
            (
                "The next player must do this or back out: “crow”. After backing out, or unless "
                "more of the others say yes than no, whoever was dared must draw 4 cards."
            ),
        ),
        (
            "sv",
            (
                "Nästa spelare ska göra detta eller avstå: ”crow”. Om uppdraget avböjs, eller inte "
                "får fler ja än nej av de andra, gäller: den som fick uppdraget ska dra 4 kort."
            ),
        ),
        (
            "nb",
            (
                "Neste spiller må gjøre dette eller la være: «crow». Blir oppdraget avslått, eller "
                "sier ikke flere av de andre ja enn nei, gjelder dette: den som fikk oppdraget, må "
                "trekke 4 kort."
            ),
        ),
        (
            "da",
            (
                "Næste spiller skal gøre dette eller lade være: »crow«. Bliver opgaven afslået, "
                "eller siger ikke flere af de andre ja end nej, gælder dette: den, der fik "
                "opgaven, skal trække 4 kort."
            ),
        ),
    ],
)
def test_cr01_a_dare_says_who_pays(language: str, rule: str) -> None:
    """In what follows a dare, `self` is who was dared, and the sheet says so."""
    told = said(with_rule("dare(next,crow,draw(self,4))"), language).values()
    assert any(str(line).endswith(f" 1: {rule}") for line in told)


def test_the_rules_own_text_comes_first_and_whom_it_is_aimed_at_is_chosen() -> None:
    """What its owners wrote stands as they wrote it; a stop is added where none is."""
    choice = with_rule("draw(chosen,2)", text="poke somebody")
    assert said(choice)["House rules/custom_1"] == (
        "Customizable card 1: poke somebody. Whoever lays it chooses a player. "
        "The chosen player must draw 2 cards."
    )


def test_q39_s15_where_cards_go_that_a_rule_lays_out_is_said() -> None:
    """Only where a rule lays out any, and with the card that stays under number_only."""
    slot = "House rules/custom_laid_out"
    assert slot not in said(with_rule("draw(next,1)"))
    assert str(said(with_rule("adjust_hand(all,3)"))[slot]).endswith("none left has gone out.")
    rules = replace(with_rule("discard_to(self,1)").rules, finish_card=FinishCard.NUMBER_ONLY)
    assert str(said(Choice("standard_no", rules))[slot]).endswith("none left keeps one.")


@pytest.mark.parametrize(
    ("overrides", "option"),
    [
        ({"mercy_bonus": 5}, "mercy_bonus"),
        ({"jump_in": "always"}, "jump_in"),
        ({"jump": "off"}, "jump"),
    ],
)
def test_rules_that_cannot_be_have_no_sheet(overrides: dict[str, object], option: str) -> None:
    """Contradictions, unknown options and unknown values are refused by name."""
    with pytest.raises(RulesError) as caught:
        make_sheet(choose("standard_no", overrides), "en")
    assert caught.value.option == option


@pytest.mark.parametrize("language", LANGUAGES)
def test_r189_a_last_card_that_is_a_number_makes_nobody_draw(language: str) -> None:
    """A sheet says nothing then of what a special last card does; a 7 or 0 may do something."""

    def lines(preset: str, overrides: dict[str, object]) -> set[str]:
        sheet = said(choose(preset, overrides), language)
        return {key.partition("/")[2] for key in sheet} & {"finish_draw_counts", "void"}

    assert not lines("house_dk", {})
    assert lines("house_dk", {"seven_zero": True}) == {"void"}
    assert lines("official_dk", {}) == {"finish_draw_counts", "void"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_r221_r224_a_tournament_says_nothing_of_two_and_who_deals(language: str) -> None:
    """Four sit at a table, each of whom deals once with the same partners."""
    tongue = words(language)
    for preset in ("tournament_4_se", "tournament_8_se"):
        text = str(said(choose(preset, {}), language))
        assert tongue.say("dealer_pick.tournament") in text
        assert tongue.say("dealer_pick.draw_high") not in text
        assert tongue.say("next_dealer.left") not in text
        assert tongue.say("reverse_two_players.turn_only") not in text
    text = str(said(choose("pairs_se", {}), language))
    assert tongue.say("dealer_pick.draw_high") in text
    assert tongue.say("reverse_two_players.turn_only") not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_do_not_contradict_each_other(language: str) -> None:
    """What a preset is for is not said where the evening may differ from it."""
    reasons = [reason.text for reason in pick(Evening(minutes=60), language).reasons]
    assert words(language).say("about.standard_no") not in reasons
    assert words(language).say("why.minutes_short", n=200) in reasons
    assert words(language).say("preset.standard_no") in reasons[0]
