"""Rules are chosen by name and told complete; what cannot be is refused without an echo."""

import pytest

from lastcard.v1.rules_pb2 import CustomRule, RulesChoice, RulesOverride
from lastcard.v1.rules_pb2 import Rules as RulesMessage
from lastcard_engine.presets import PRESETS, make_rules
from lastcard_server.convert.rules import rules_from, rules_message
from lastcard_server.errors import Reason, Refusal


def choice(preset: str, *overrides: tuple[str, str]) -> RulesChoice:
    """Return a choice of rules."""
    return RulesChoice(
        preset=preset, overrides=[RulesOverride(option=o, value=v) for o, v in overrides]
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_of_every_preset_is_told(preset: str) -> None:
    """Each enum has its own value, each number and flag its own, under the option's name."""
    rules, message = PRESETS[preset], rules_message(PRESETS[preset])
    for name, field in RulesMessage.DESCRIPTOR.fields_by_name.items():
        value, said = getattr(rules, name), getattr(message, name)
        if field.enum_type is not None and not field.is_repeated:
            spoken = field.enum_type.values_by_number[said].name.lower()
            assert said != 0
            assert spoken.endswith(f"_{value.value}")
        elif not field.is_repeated and field.message_type is None:
            assert said == value
    assert message.deck_extras.shuffle_hands == rules.deck_extras.shuffle_hands
    assert len(message.stack_pairs) == len(rules.stack_pairs)


def test_overrides_are_read_by_the_kind_of_their_option() -> None:
    """Names, numbers, flags, maps and lists in text become the values the engine takes."""
    preset, rules = rules_from(
        choice(
            "standard_no",
            ("jump_in", "identical"),
            ("hand_size", "5"),
            ("voluntary_draw", "false"),
            ("deck_extras", "shuffle_hands=1, custom_wild=2"),
            ("stack_pairs", "d2>d2"),
        )
    )
    assert preset == "standard_no"
    assert rules == make_rules(
        "standard_no",
        {
            "jump_in": "identical",
            "hand_size": 5,
            "voluntary_draw": False,
            "deck_extras": {"shuffle_hands": 1, "custom_wild": 2},
            "stack_pairs": ["d2>d2"],
        },
    )


def with_rules(*rules: CustomRule) -> RulesChoice:
    """Return a choice of a preset with custom wilds, and what is written on them."""
    return RulesChoice(preset="official_se", custom_rules=rules)


def test_custom_rules_go_over_and_come_back() -> None:
    """They are read field by field, and told with the kind their operations make them."""
    crow = CustomRule(rule_id="crow", text="Kra!", operations=["dare(next, crow, draw(self,4))"])
    seven = CustomRule(rule_id="seven", operations=["adjust_hand(next,7)"], lose_turn=True)
    _, rules = rules_from(with_rules(crow, seven))
    told = rules_message(rules).custom_rules
    assert [rule.rule_id for rule in told] == ["crow", "seven"]
    assert told[0].operations == ["dare(next,crow,draw(self,4))"]
    assert (told[0].kind, told[1].kind) == (2, 1)
    assert told[1].lose_turn
    assert rules_from(with_rules(*told))[1] == rules


BAD = {
    "custom rules in text": (
        choice("official_se", ("custom_rules", "draw(next,3)")),
        Reason.BAD_RULES,
        "a field of their own",
    ),
    "custom rule": (
        with_rules(CustomRule(rule_id="a", operations=["secret_x(next)"])),
        Reason.BAD_RULES,
        "rule 1: operation 1: an operation is written name(argument,...)",
    ),
    "custom kind": (
        with_rules(CustomRule(rule_id="a", operations=["draw(next,1)"], kind=99)),  # type: ignore[arg-type]
        Reason.BAD_RULES,
        "kind is mechanical",
    ),
    "more rules than wilds": (
        with_rules(*[CustomRule(rule_id="a", operations=["draw(next,1)"])] * 4),
        Reason.BAD_RULES,
        "one rule for each custom wild",
    ),
    "preset": (choice("secret_x"), Reason.BAD_RULES, "standard_no"),
    "no preset": (RulesChoice(), Reason.BAD_RULES, "standard_no"),
    "option": (choice("standard_no", ("secret_x", "1")), Reason.BAD_RULES, "mercy_bonus"),
    "enum": (choice("standard_no", ("jump_in", "secret_x")), Reason.BAD_RULES, "identical"),
    "number": (choice("standard_no", ("hand_size", "40")), Reason.BAD_RULES, "1 to 15"),
    "no number": (choice("standard_no", ("hand_size", "secret_x")), Reason.BAD_RULES, "1 to 15"),
    "huge number": (choice("standard_no", ("hand_size", "9" * 5_000)), Reason.BAD_RULES, "1 to 15"),
    "other digits": (choice("standard_no", ("hand_size", "\u0665")), Reason.BAD_RULES, "1 to 15"),
    "flag": (choice("standard_no", ("voluntary_draw", "yes")), Reason.BAD_RULES, "true"),
    "map": (choice("standard_no", ("deck_extras", "secret_x=1")), Reason.BAD_RULES, "custom_wild"),
    "map, huge number": (
        choice("standard_no", ("deck_extras", f"custom_wild={'9' * 5_000}")),
        Reason.BAD_RULES,
        "custom_wild 0 to 8",
    ),
    "map, one name twice": (
        choice("standard_no", ("deck_extras", "custom_wild=1, custom_wild=3")),
        Reason.BAD_RULES,
        "custom_wild 0 to 8",
    ),
    "card counted twice": (
        choice("standard_no", ("deck", "custom"), ("deck_counts", "r5=40,r5=3,g2=30")),
        Reason.BAD_RULES,
        "0 to 100",
    ),
    "wild of a rule that is not there": (
        choice("standard_no", ("deck", "custom"), ("deck_counts", "r5=60,WC3=3")),
        Reason.BAD_RULES,
        "custom wilds are counted as WC",
    ),
    "twice": (
        choice("standard_no", ("hand_size", "5"), ("hand_size", "5")),
        Reason.BAD_RULES,
        "once",
    ),
    "deck without counts": (
        choice("standard_no", ("deck", "custom")),
        Reason.BAD_RULES,
        "need each other",
    ),
    "counts of no card": (
        choice("standard_no", ("deck", "custom"), ("deck_counts", "secret_x=60")),
        Reason.BAD_RULES,
        "0 to 100",
    ),
    "no numbers": (
        choice("standard_no", ("deck", "custom"), ("deck_counts", "rS=60,W=10")),
        Reason.BAD_RULES,
        "at least one number card",
    ),
}


@pytest.mark.parametrize(("wrong", "reason", "right"), BAD.values(), ids=BAD)
def test_rules_that_cannot_be_are_refused(wrong: RulesChoice, reason: Reason, right: str) -> None:
    """The refusal names what would be right and repeats nothing of the request."""
    with pytest.raises(Refusal) as refused:
        rules_from(wrong)
    assert refused.value.reason is reason
    assert right in refused.value.message
    assert "secret_x" not in refused.value.message
    assert len(refused.value.message) < 1_000


def test_a_custom_deck_is_read_and_told() -> None:
    """Counts go by the notation of their cards, and come back as cards."""
    numbers = ",".join(f"{colour}{face}=2" for colour in "rygb" for face in range(10))
    _, rules = rules_from(choice("standard_no", ("deck", "custom"), ("deck_counts", numbers)))
    told = rules_message(rules)
    assert len(told.deck_counts) == 40
    assert {count.card_count for count in told.deck_counts} == {2}
