"""Which custom rules are read, and how are all others refused (R154)?"""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lastcard_engine as engine
from lastcard_engine.custom_ops import SHAPES, Operation, OpKind
from lastcard_engine.custom_text import WrongRuleError, format_operation, parse_operation
from lastcard_engine.names import is_shown
from tests.written import IDEAS, MIXED, written

PHRASES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=80).filter(
    lambda text: is_shown(text) and text == text.strip() and not set(text) & set("(),;")
)


@st.composite
def operations(draw: st.DrawFn, *, follows: OpKind | None = None) -> Operation:
    """Draw an operation; one that follows a dare or a vote asks nothing."""
    barred = {OpKind.DARE, OpKind.VOTE, OpKind.EXTRA_TURN} if follows else set()
    kind = draw(st.sampled_from([kind for kind in OpKind if kind not in barred]))
    fields: dict[str, Any] = {}
    for argument in SHAPES[kind]:
        if argument.field in ("yes", "no"):
            later = st.lists(operations(follows=kind), max_size=4)
            fields[argument.field] = tuple(draw(later))
        elif argument.high:
            fields["number"] = draw(st.integers(argument.low, argument.high))
        elif argument.words:
            fields[argument.field] = draw(st.sampled_from(argument.words))
        else:
            fields[argument.field] = draw(PHRASES)
    fields.pop("", None)
    return Operation(kind, **fields)


@given(operations())
def test_reading_and_writing_are_inverses(op: Operation) -> None:
    """Every operation is read from the text it is written as, blanks around marks aside."""
    text = format_operation(op)
    if len(text) > 500:
        with pytest.raises(WrongRuleError, match="at most 500 characters"):
            parse_operation(text)
        return
    assert parse_operation(text) == op
    spaced = text.replace(",", " , ")
    assert len(spaced) > 500 or format_operation(parse_operation(spaced)) == text


@given(st.text(max_size=60) | st.lists(st.sampled_from("draw(next,3);vote dare all")).map("".join))
def test_whatever_is_no_operation_is_refused_in_one_sentence(text: str) -> None:
    """Nothing but WrongRuleError comes of any text, and it repeats none of it."""
    sentences = []
    try:
        parse_operation(text)
    except WrongRuleError as error:
        sentences.append(str(error))
    assert all("\n" not in said and len(said) < 300 for said in sentences)


NESTED = "vote(a," * 4_000 + ")" * 4_000
HOSTILE: dict[str, tuple[Any, str]] = {
    "no list": ({}, "may be one rule for each"),
    "too many": ([{"id": "a", "ops": ["draw(next,1)"]}] * 9, "at most 8 rules"),
    "no map": (["draw(next,1)"], "a rule is a map of id, text"),
    "unknown field": ([{"id": "a", "ops": ["draw(next,1)"], "run": "x"}], "a rule is a map of"),
    "no id": ([{"ops": ["draw(next,1)"]}], "id is 1 to 32 letters"),
    "long id": ([{"id": "a" * 33, "ops": ["draw(next,1)"]}], "id is 1 to 32 letters"),
    "id of other letters": ([{"id": "å", "ops": ["draw(next,1)"]}], "id is 1 to 32 letters"),
    "two of an id": (
        [{"id": "a", "ops": ["draw(next,1)"]}, {"id": "a", "ops": ["draw(next,2)"]}],
        "rules that differ need ids that differ",
    ),
    "long text": ([{"id": "a", "text": "x" * 10_000_000, "ops": ["draw(next,1)"]}], "at most 200"),
    "text that obeys": ([{"id": "a", "text": "\x1b[2J", "ops": ["draw(next,1)"]}], "printable"),
    "turned text": ([{"id": "a", "text": "a\u202eb", "ops": ["draw(next,1)"]}], "printable"),
    "no operations": ([{"id": "a", "ops": []}], "1 to 8 operations"),
    "many operations": ([{"id": "a", "ops": ["draw(next,1)"] * 10_000}], "1 to 8 operations"),
    "operation of no text": ([{"id": "a", "ops": [3]}], "operation 1 must be a text"),
    "ten million letters": ([{"id": "a", "ops": ["x" * 10_000_000]}], "at most 500 characters"),
    "nested deeply": ([{"id": "a", "ops": [NESTED]}], "at most 500 characters"),
    "nested": ([{"id": "a", "ops": ["vote(a,vote(b,,),)"]}], "vote may not follow a vote"),
    "dare in a dare": ([{"id": "a", "ops": ["dare(next,a,dare(next,b,))"]}], "may not follow"),
    "turn for the dared": (
        [{"id": "a", "ops": ["dare(next,a,extra_turn(self))"]}],
        "extra_turn may not follow a dare",
    ),
    "unknown operation": ([{"id": "a", "ops": ["eval(next,1)"]}], "the names are draw, draw_until"),
    "code": ([{"id": "a", "ops": ["__import__('os').system('x')"]}], "the names are draw"),
    "open bracket": ([{"id": "a", "ops": ["draw(next,1"]}], "written name(argument"),
    "missing argument": ([{"id": "a", "ops": ["draw(next)"]}], "draw takes 2 arguments"),
    "unknown target": ([{"id": "a", "ops": ["draw(dealer,1)"]}], "self, next, all, others, chosen"),
    "huge number": ([{"id": "a", "ops": ["draw(next," + "9" * 400 + ")"]}], "1 to 10"),
    "no cards": ([{"id": "a", "ops": ["draw(next,0)"]}], "argument 2 of draw may be 1 to 10"),
    "minus": ([{"id": "a", "ops": ["draw(next,-1)"]}], "1 to 10"),
    "other digits": ([{"id": "a", "ops": ["draw(next,\u0665)"]}], "1 to 10"),
    "empty hands": ([{"id": "a", "ops": ["adjust_hand(all,0)"]}], "1 to 15"),
    "all but none": ([{"id": "a", "ops": ["discard_to(self,0)"]}], "1 to 15"),
    "all draw until": ([{"id": "a", "ops": ["draw_until(all,g)"]}], "self, next, chosen"),
    "purple": ([{"id": "a", "ops": ["draw_until(next,p)"]}], "r, y, g, b, named"),
    "turns without end": (
        [{"id": "a", "ops": ["extra_turn(self)", "extra_turn(self)"]}],
        "at most once",
    ),
    "turn of another": ([{"id": "a", "ops": ["extra_turn(next)"]}], "may be self"),
    "turn taken and given": (
        [{"id": "a", "ops": ["extra_turn(self)"], "lose_turn": True}],
        "lose_turn does not go with extra_turn",
    ),
    "unseen text": ([{"id": "a", "text": "a\u2800b", "ops": ["draw(next,1)"]}], "printable"),
    "unseen question": ([{"id": "a", "ops": ["vote(\u3164,,)"]}], "printable characters"),
    "question of control": ([{"id": "a", "ops": ["vote(a\x07b,,)"]}], "printable characters"),
    "no flag": ([{"id": "a", "ops": ["draw(next,1)"], "lose_turn": 1}], "true or false"),
    "more rules than wilds": (
        [{"id": f"a{n}", "ops": ["draw(next,1)"]} for n in range(4)],
        "one rule for each custom wild",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_rule_that_cannot_be_played_is_refused(name: str) -> None:
    """One short sentence names the option, the place and what is allowed; nothing is run."""
    value, sentence = HOSTILE[name]
    with pytest.raises(engine.RulesError) as refused:
        engine.make_rules("official_se", {"custom_rules": value})
    assert refused.value.option == "custom_rules"
    assert sentence in refused.value.message or sentence in refused.value.allowed[0]
    assert len(refused.value.message) < 400
    assert "\n" not in refused.value.message
    assert "\x1b" not in refused.value.message


@pytest.mark.parametrize(
    ("options", "seats", "sentence"),
    [
        ({"hand_size": 9}, 10, "would empty the deck"),
        ({"hand_size": 3}, 10, None),
    ],
)
def test_a_rule_that_would_empty_the_deck_is_refused(
    options: dict[str, Any], seats: int, sentence: str | None
) -> None:
    """Ten seats that draw three each need more cards than hands of nine leave in the pile."""
    rules = engine.make_rules(
        "official_se", {**options, "custom_rules": [{"id": "a", "ops": ["draw(all,3)"]}]}
    )
    if sentence is None:
        engine.validate(rules, seats)
        return
    with pytest.raises(engine.RulesError, match=sentence) as refused:
        engine.validate(rules, seats)
    assert refused.value.option == "custom_rules"
    engine.validate(rules, 2)


def test_hands_may_not_be_brought_to_more_cards_than_there_are() -> None:
    """Ten seats cannot hold fifteen cards each; five can hold fifteen."""
    rules = engine.make_rules(
        "official_se", {"custom_rules": [{"id": "a", "ops": ["adjust_hand(all,15)"]}]}
    )
    with pytest.raises(engine.RulesError, match="would empty the deck"):
        engine.validate(rules, 10)
    engine.validate(rules, 5)


@pytest.mark.parametrize("rules", [IDEAS, MIXED], ids=["ideas", "mixed"])
def test_rules_become_plain_values_and_back(rules: dict[str, tuple[str, ...]]) -> None:
    """Through JSON and back they are the same, and a second reading finds nothing wrong."""
    made = engine.make_rules("official_se", written(rules=rules))
    plain = json.loads(json.dumps(engine.plain_rules(made)))
    assert engine.read_rules(plain) == made
    engine.validate(made, 4)
