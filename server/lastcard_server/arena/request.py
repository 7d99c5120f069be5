"""How is a contest file said in the contract's words?"""

from collections.abc import Mapping
from typing import Any, cast

from google.protobuf.duration_pb2 import Duration

from lastcard.v1.contest_service_pb2 import ContestSpec, Entrant, Schedule
from lastcard.v1.match_service_pb2 import AbsencePolicy, MatchSettings, Reactions
from lastcard.v1.rules_pb2 import CustomKind, CustomRule, RulesChoice, RulesOverride
from lastcard_server.arena.file import SETTINGS_MS, Bot, ContestFile, ContestFileError

ENUMS = {
    "schedule": ("SCHEDULE_", Schedule),
    "reactions": ("REACTIONS_", Reactions),
    "absence_policy": ("ABSENCE_POLICY_", AbsencePolicy),
}


def spec_of(contest: ContestFile, key_ids: Mapping[str, str]) -> ContestSpec:
    """
    Return what a file asks the server to play; `key_ids` names the key of each bot that is run.

    Raises:
        ContestFileError: a setting has no such value.

    """
    overrides = [RulesOverride(option=o, value=v) for o, v in contest.overrides.items()]
    return ContestSpec(
        name=contest.name,
        rules=RulesChoice(
            preset=contest.preset,
            overrides=overrides,
            custom_rules=[_custom_rule(contest, rule) for rule in contest.custom_rules],
        ),
        settings=_settings(contest),
        entrants=[_entrant(bot, key_ids) for bot in contest.bots],
        seat_count=contest.seats,
        schedule=cast("Schedule", _enum(contest, "schedule", contest.schedule)),
        block_count=contest.blocks,
        concurrent_match_count=contest.concurrency,
        duplicate_deals=contest.duplicate_deals,
    )


def _custom_rule(contest: ContestFile, rule: Mapping[str, Any]) -> CustomRule:
    """Return what the file writes on a custom wild."""
    kind = rule.get("kind", "unspecified")
    if kind not in _KINDS:
        allowed = ", ".join(list(_KINDS)[1:])
        raise ContestFileError(f"{contest.path}: the kind of a custom rule may be {allowed}")
    return CustomRule(
        rule_id=rule["id"],
        text=rule.get("text", ""),
        operations=rule["ops"],
        lose_turn=rule.get("lose_turn", False),
        kind=_KINDS[kind],
    )


_KINDS = {name.removeprefix("CUSTOM_KIND_").lower(): name for name in CustomKind.keys()}  # noqa: SIM118 - an enum of protobuf has no other iterator


def _entrant(bot: Bot, key_ids: Mapping[str, str]) -> Entrant:
    if bot.house:
        return Entrant(name=bot.name, house_strategy=bot.house)
    return Entrant(name=bot.name, key_id=key_ids[bot.name])


def _settings(contest: ContestFile) -> MatchSettings:
    """Return the settings; those the file leaves out stay for the server to fill."""
    settings = MatchSettings()
    for name, value in contest.settings.items():
        if name in SETTINGS_MS and isinstance(value, int):
            duration = Duration(seconds=value // 1000, nanos=value % 1000 * 1_000_000)
            getattr(settings, f"{name.removesuffix('_ms')}_duration").CopyFrom(duration)
        elif isinstance(value, str):
            setattr(settings, name, _enum(contest, name, value, "setting "))
        else:
            setattr(settings, name, value)
    return settings


def _enum(contest: ContestFile, name: str, value: str, kind: str = "") -> int:
    """Return the number of a value written in lower case; a complaint calls it `kind` and name."""
    prefix, enum = ENUMS[name]
    values = {key.removeprefix(prefix).lower(): number for key, number in enum.items() if number}
    if value not in values:
        raise ContestFileError(
            f"{contest.path}: {kind}{name!r} is {value!r}; it may be {', '.join(values)}"
        )
    return values[value]
