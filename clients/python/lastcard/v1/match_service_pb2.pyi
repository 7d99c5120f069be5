import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from lastcard.v1 import event_pb2 as _event_pb2
from lastcard.v1 import rules_pb2 as _rules_pb2
from lastcard.v1 import turn_pb2 as _turn_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATE_UNSPECIFIED: _ClassVar[MatchState]
    MATCH_STATE_OPEN: _ClassVar[MatchState]
    MATCH_STATE_READYING: _ClassVar[MatchState]
    MATCH_STATE_RUNNING: _ClassVar[MatchState]
    MATCH_STATE_FINISHED: _ClassVar[MatchState]
    MATCH_STATE_CANCELLED: _ClassVar[MatchState]
    MATCH_STATE_FROZEN: _ClassVar[MatchState]

class Reactions(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REACTIONS_UNSPECIFIED: _ClassVar[Reactions]
    REACTIONS_RACE: _ClassVar[Reactions]
    REACTIONS_POLLED: _ClassVar[Reactions]

class AbsencePolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ABSENCE_POLICY_UNSPECIFIED: _ClassVar[AbsencePolicy]
    ABSENCE_POLICY_PLAY_DEFAULT: _ClassVar[AbsencePolicy]
    ABSENCE_POLICY_KNOCK_OUT_ROUND: _ClassVar[AbsencePolicy]
    ABSENCE_POLICY_FORFEIT_MATCH: _ClassVar[AbsencePolicy]
MATCH_STATE_UNSPECIFIED: MatchState
MATCH_STATE_OPEN: MatchState
MATCH_STATE_READYING: MatchState
MATCH_STATE_RUNNING: MatchState
MATCH_STATE_FINISHED: MatchState
MATCH_STATE_CANCELLED: MatchState
MATCH_STATE_FROZEN: MatchState
REACTIONS_UNSPECIFIED: Reactions
REACTIONS_RACE: Reactions
REACTIONS_POLLED: Reactions
ABSENCE_POLICY_UNSPECIFIED: AbsencePolicy
ABSENCE_POLICY_PLAY_DEFAULT: AbsencePolicy
ABSENCE_POLICY_KNOCK_OUT_ROUND: AbsencePolicy
ABSENCE_POLICY_FORFEIT_MATCH: AbsencePolicy

class Match(_message.Message):
    __slots__ = ("match_id", "state", "rules", "preset", "settings", "seats", "create_time", "deal_commitment", "version", "result")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    DEAL_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    state: MatchState
    rules: _rules_pb2.Rules
    preset: str
    settings: MatchSettings
    seats: _containers.RepeatedCompositeFieldContainer[MatchSeat]
    create_time: _timestamp_pb2.Timestamp
    deal_commitment: bytes
    version: int
    result: _event_pb2.MatchEnded
    def __init__(self, match_id: _Optional[str] = ..., state: _Optional[_Union[MatchState, str]] = ..., rules: _Optional[_Union[_rules_pb2.Rules, _Mapping]] = ..., preset: _Optional[str] = ..., settings: _Optional[_Union[MatchSettings, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[MatchSeat, _Mapping]]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deal_commitment: _Optional[bytes] = ..., version: _Optional[int] = ..., result: _Optional[_Union[_event_pb2.MatchEnded, _Mapping]] = ...) -> None: ...

class MatchSeat(_message.Message):
    __slots__ = ("name", "taken")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    name: str
    taken: bool
    def __init__(self, name: _Optional[str] = ..., taken: _Optional[bool] = ...) -> None: ...

class MatchSettings(_message.Message):
    __slots__ = ("reactions", "absence_policy", "action_cap", "max_rounds", "start_limit_duration", "move_limit_duration", "bank_duration", "increment_duration", "network_margin_duration", "reaction_duration", "reaction_limit_duration", "reaction_hold_duration")
    REACTIONS_FIELD_NUMBER: _ClassVar[int]
    ABSENCE_POLICY_FIELD_NUMBER: _ClassVar[int]
    ACTION_CAP_FIELD_NUMBER: _ClassVar[int]
    MAX_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    START_LIMIT_DURATION_FIELD_NUMBER: _ClassVar[int]
    MOVE_LIMIT_DURATION_FIELD_NUMBER: _ClassVar[int]
    BANK_DURATION_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_DURATION_FIELD_NUMBER: _ClassVar[int]
    NETWORK_MARGIN_DURATION_FIELD_NUMBER: _ClassVar[int]
    REACTION_DURATION_FIELD_NUMBER: _ClassVar[int]
    REACTION_LIMIT_DURATION_FIELD_NUMBER: _ClassVar[int]
    REACTION_HOLD_DURATION_FIELD_NUMBER: _ClassVar[int]
    reactions: Reactions
    absence_policy: AbsencePolicy
    action_cap: int
    max_rounds: int
    start_limit_duration: _duration_pb2.Duration
    move_limit_duration: _duration_pb2.Duration
    bank_duration: _duration_pb2.Duration
    increment_duration: _duration_pb2.Duration
    network_margin_duration: _duration_pb2.Duration
    reaction_duration: _duration_pb2.Duration
    reaction_limit_duration: _duration_pb2.Duration
    reaction_hold_duration: _duration_pb2.Duration
    def __init__(self, reactions: _Optional[_Union[Reactions, str]] = ..., absence_policy: _Optional[_Union[AbsencePolicy, str]] = ..., action_cap: _Optional[int] = ..., max_rounds: _Optional[int] = ..., start_limit_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., move_limit_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., bank_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., increment_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., network_margin_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reaction_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reaction_limit_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reaction_hold_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SeatSpec(_message.Message):
    __slots__ = ("open", "house_bot", "reserved")
    OPEN_FIELD_NUMBER: _ClassVar[int]
    HOUSE_BOT_FIELD_NUMBER: _ClassVar[int]
    RESERVED_FIELD_NUMBER: _ClassVar[int]
    open: OpenSeat
    house_bot: HouseBot
    reserved: ReservedSeat
    def __init__(self, open: _Optional[_Union[OpenSeat, _Mapping]] = ..., house_bot: _Optional[_Union[HouseBot, _Mapping]] = ..., reserved: _Optional[_Union[ReservedSeat, _Mapping]] = ...) -> None: ...

class OpenSeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class HouseBot(_message.Message):
    __slots__ = ("strategy", "name")
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    strategy: str
    name: str
    def __init__(self, strategy: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class ReservedSeat(_message.Message):
    __slots__ = ("key_id", "name")
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    key_id: str
    name: str
    def __init__(self, key_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class CreateMatchRequest(_message.Message):
    __slots__ = ("rules", "settings", "seats", "request_id")
    RULES_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    rules: _rules_pb2.RulesChoice
    settings: MatchSettings
    seats: _containers.RepeatedCompositeFieldContainer[SeatSpec]
    request_id: str
    def __init__(self, rules: _Optional[_Union[_rules_pb2.RulesChoice, _Mapping]] = ..., settings: _Optional[_Union[MatchSettings, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[SeatSpec, _Mapping]]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("state", "page_size", "page_token")
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    state: MatchState
    page_size: int
    page_token: str
    def __init__(self, state: _Optional[_Union[MatchState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[Match, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class JoinMatchRequest(_message.Message):
    __slots__ = ("match_id", "seat", "name", "request_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    name: str
    request_id: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., name: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class JoinMatchResponse(_message.Message):
    __slots__ = ("match", "seat", "seat_token")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    match: Match
    seat: int
    seat_token: str
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ..., seat: _Optional[int] = ..., seat_token: _Optional[str] = ...) -> None: ...

class LeaveMatchRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class LeaveMatchResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CancelMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class CancelMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping]] = ...) -> None: ...

class WatchMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class WatchMatchResponse(_message.Message):
    __slots__ = ("update", "over")
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    update: _turn_pb2.Update
    over: _turn_pb2.MatchOver
    def __init__(self, update: _Optional[_Union[_turn_pb2.Update, _Mapping]] = ..., over: _Optional[_Union[_turn_pb2.MatchOver, _Mapping]] = ...) -> None: ...
