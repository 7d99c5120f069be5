from lastcard.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_YES: _ClassVar[Verdict]
    VERDICT_NO: _ClassVar[Verdict]
    VERDICT_BLUFF: _ClassVar[Verdict]
    VERDICT_DEPENDS: _ClassVar[Verdict]
VERDICT_UNSPECIFIED: Verdict
VERDICT_YES: Verdict
VERDICT_NO: Verdict
VERDICT_BLUFF: Verdict
VERDICT_DEPENDS: Verdict

class Preset(_message.Message):
    __slots__ = ("name", "rules")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    name: str
    rules: _rules_pb2.Rules
    def __init__(self, name: _Optional[str] = ..., rules: _Optional[_Union[_rules_pb2.Rules, _Mapping]] = ...) -> None: ...

class ListPresetsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListPresetsResponse(_message.Message):
    __slots__ = ("presets",)
    PRESETS_FIELD_NUMBER: _ClassVar[int]
    presets: _containers.RepeatedCompositeFieldContainer[Preset]
    def __init__(self, presets: _Optional[_Iterable[_Union[Preset, _Mapping]]] = ...) -> None: ...

class ValidateRulesRequest(_message.Message):
    __slots__ = ("rules", "seat_count")
    RULES_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNT_FIELD_NUMBER: _ClassVar[int]
    rules: _rules_pb2.RulesChoice
    seat_count: int
    def __init__(self, rules: _Optional[_Union[_rules_pb2.RulesChoice, _Mapping]] = ..., seat_count: _Optional[int] = ...) -> None: ...

class ValidateRulesResponse(_message.Message):
    __slots__ = ("rules", "warnings")
    RULES_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    rules: _rules_pb2.Rules
    warnings: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, rules: _Optional[_Union[_rules_pb2.Rules, _Mapping]] = ..., warnings: _Optional[_Iterable[str]] = ...) -> None: ...

class GetSheetRequest(_message.Message):
    __slots__ = ("rules", "language", "format", "theme")
    RULES_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    THEME_FIELD_NUMBER: _ClassVar[int]
    rules: _rules_pb2.RulesChoice
    language: str
    format: str
    theme: str
    def __init__(self, rules: _Optional[_Union[_rules_pb2.RulesChoice, _Mapping]] = ..., language: _Optional[str] = ..., format: _Optional[str] = ..., theme: _Optional[str] = ...) -> None: ...

class GetSheetResponse(_message.Message):
    __slots__ = ("content", "media_type")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    media_type: str
    def __init__(self, content: _Optional[bytes] = ..., media_type: _Optional[str] = ...) -> None: ...

class PickRulesRequest(_message.Message):
    __slots__ = ("player_count", "minutes", "children", "harshness", "book", "box", "house_rules", "language")
    PLAYER_COUNT_FIELD_NUMBER: _ClassVar[int]
    MINUTES_FIELD_NUMBER: _ClassVar[int]
    CHILDREN_FIELD_NUMBER: _ClassVar[int]
    HARSHNESS_FIELD_NUMBER: _ClassVar[int]
    BOOK_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    HOUSE_RULES_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    player_count: int
    minutes: int
    children: bool
    harshness: str
    book: str
    box: str
    house_rules: _containers.RepeatedScalarFieldContainer[str]
    language: str
    def __init__(self, player_count: _Optional[int] = ..., minutes: _Optional[int] = ..., children: _Optional[bool] = ..., harshness: _Optional[str] = ..., book: _Optional[str] = ..., box: _Optional[str] = ..., house_rules: _Optional[_Iterable[str]] = ..., language: _Optional[str] = ...) -> None: ...

class PickRulesResponse(_message.Message):
    __slots__ = ("rules", "reasons")
    RULES_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    rules: _rules_pb2.RulesChoice
    reasons: _containers.RepeatedCompositeFieldContainer[PickReason]
    def __init__(self, rules: _Optional[_Union[_rules_pb2.RulesChoice, _Mapping]] = ..., reasons: _Optional[_Iterable[_Union[PickReason, _Mapping]]] = ...) -> None: ...

class PickReason(_message.Message):
    __slots__ = ("options", "text")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    options: _containers.RepeatedScalarFieldContainer[str]
    text: str
    def __init__(self, options: _Optional[_Iterable[str]] = ..., text: _Optional[str] = ...) -> None: ...

class ExplainRequest(_message.Message):
    __slots__ = ("rules", "position", "match", "dispute")
    RULES_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    DISPUTE_FIELD_NUMBER: _ClassVar[int]
    rules: _rules_pb2.RulesChoice
    position: PositionQuestion
    match: MatchQuestion
    dispute: DisputeQuestion
    def __init__(self, rules: _Optional[_Union[_rules_pb2.RulesChoice, _Mapping]] = ..., position: _Optional[_Union[PositionQuestion, _Mapping]] = ..., match: _Optional[_Union[MatchQuestion, _Mapping]] = ..., dispute: _Optional[_Union[DisputeQuestion, _Mapping]] = ...) -> None: ...

class PositionQuestion(_message.Message):
    __slots__ = ("position", "action", "seat")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    position: str
    action: str
    seat: int
    def __init__(self, position: _Optional[str] = ..., action: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class MatchQuestion(_message.Message):
    __slots__ = ("match_id", "seat", "action")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    action: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., action: _Optional[str] = ...) -> None: ...

class DisputeQuestion(_message.Message):
    __slots__ = ("dispute",)
    DISPUTE_FIELD_NUMBER: _ClassVar[int]
    dispute: str
    def __init__(self, dispute: _Optional[str] = ...) -> None: ...

class ExplainResponse(_message.Message):
    __slots__ = ("rulings",)
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    rulings: _containers.RepeatedCompositeFieldContainer[Ruling]
    def __init__(self, rulings: _Optional[_Iterable[_Union[Ruling, _Mapping]]] = ...) -> None: ...

class Ruling(_message.Message):
    __slots__ = ("dispute", "verdict", "text", "hidden", "clauses", "options")
    DISPUTE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    CLAUSES_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    dispute: str
    verdict: Verdict
    text: str
    hidden: bool
    clauses: _containers.RepeatedCompositeFieldContainer[Clause]
    options: _containers.RepeatedCompositeFieldContainer[OptionInForce]
    def __init__(self, dispute: _Optional[str] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., text: _Optional[str] = ..., hidden: _Optional[bool] = ..., clauses: _Optional[_Iterable[_Union[Clause, _Mapping]]] = ..., options: _Optional[_Iterable[_Union[OptionInForce, _Mapping]]] = ...) -> None: ...

class Clause(_message.Message):
    __slots__ = ("clause_id", "wording", "book", "title", "edition")
    CLAUSE_ID_FIELD_NUMBER: _ClassVar[int]
    WORDING_FIELD_NUMBER: _ClassVar[int]
    BOOK_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    clause_id: str
    wording: str
    book: str
    title: str
    edition: str
    def __init__(self, clause_id: _Optional[str] = ..., wording: _Optional[str] = ..., book: _Optional[str] = ..., title: _Optional[str] = ..., edition: _Optional[str] = ...) -> None: ...

class OptionInForce(_message.Message):
    __slots__ = ("option", "value", "is_house_rule")
    OPTION_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    IS_HOUSE_RULE_FIELD_NUMBER: _ClassVar[int]
    option: str
    value: str
    is_house_rule: bool
    def __init__(self, option: _Optional[str] = ..., value: _Optional[str] = ..., is_house_rule: _Optional[bool] = ...) -> None: ...
