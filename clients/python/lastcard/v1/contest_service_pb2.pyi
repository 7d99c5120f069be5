import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from lastcard.v1 import match_service_pb2 as _match_service_pb2
from lastcard.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Schedule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCHEDULE_UNSPECIFIED: _ClassVar[Schedule]
    SCHEDULE_ROUND_ROBIN: _ClassVar[Schedule]
    SCHEDULE_PAIRS: _ClassVar[Schedule]
    SCHEDULE_TOURNAMENT_4: _ClassVar[Schedule]
    SCHEDULE_TOURNAMENT_8: _ClassVar[Schedule]

class ContestState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTEST_STATE_UNSPECIFIED: _ClassVar[ContestState]
    CONTEST_STATE_CREATED: _ClassVar[ContestState]
    CONTEST_STATE_RUNNING: _ClassVar[ContestState]
    CONTEST_STATE_FINISHED: _ClassVar[ContestState]

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_LATE: _ClassVar[FaultKind]
    FAULT_KIND_ABSENT: _ClassVar[FaultKind]
    FAULT_KIND_ILLEGAL: _ClassVar[FaultKind]
    FAULT_KIND_CRASHED: _ClassVar[FaultKind]
SCHEDULE_UNSPECIFIED: Schedule
SCHEDULE_ROUND_ROBIN: Schedule
SCHEDULE_PAIRS: Schedule
SCHEDULE_TOURNAMENT_4: Schedule
SCHEDULE_TOURNAMENT_8: Schedule
CONTEST_STATE_UNSPECIFIED: ContestState
CONTEST_STATE_CREATED: ContestState
CONTEST_STATE_RUNNING: ContestState
CONTEST_STATE_FINISHED: ContestState
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_LATE: FaultKind
FAULT_KIND_ABSENT: FaultKind
FAULT_KIND_ILLEGAL: FaultKind
FAULT_KIND_CRASHED: FaultKind

class Contest(_message.Message):
    __slots__ = ("contest_id", "spec", "state", "create_time", "game_count", "finished_game_count")
    CONTEST_ID_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    FINISHED_GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    contest_id: str
    spec: ContestSpec
    state: ContestState
    create_time: _timestamp_pb2.Timestamp
    game_count: int
    finished_game_count: int
    def __init__(self, contest_id: _Optional[str] = ..., spec: _Optional[_Union[ContestSpec, _Mapping]] = ..., state: _Optional[_Union[ContestState, str]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., game_count: _Optional[int] = ..., finished_game_count: _Optional[int] = ...) -> None: ...

class ContestSpec(_message.Message):
    __slots__ = ("name", "rules", "settings", "entrants", "seat_count", "schedule", "block_count", "concurrent_match_count", "duplicate_deals")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNT_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    BLOCK_COUNT_FIELD_NUMBER: _ClassVar[int]
    CONCURRENT_MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_DEALS_FIELD_NUMBER: _ClassVar[int]
    name: str
    rules: _rules_pb2.RulesChoice
    settings: _match_service_pb2.MatchSettings
    entrants: _containers.RepeatedCompositeFieldContainer[Entrant]
    seat_count: int
    schedule: Schedule
    block_count: int
    concurrent_match_count: int
    duplicate_deals: bool
    def __init__(self, name: _Optional[str] = ..., rules: _Optional[_Union[_rules_pb2.RulesChoice, _Mapping]] = ..., settings: _Optional[_Union[_match_service_pb2.MatchSettings, _Mapping]] = ..., entrants: _Optional[_Iterable[_Union[Entrant, _Mapping]]] = ..., seat_count: _Optional[int] = ..., schedule: _Optional[_Union[Schedule, str]] = ..., block_count: _Optional[int] = ..., concurrent_match_count: _Optional[int] = ..., duplicate_deals: _Optional[bool] = ...) -> None: ...

class Entrant(_message.Message):
    __slots__ = ("name", "key_id", "house_strategy")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    HOUSE_STRATEGY_FIELD_NUMBER: _ClassVar[int]
    name: str
    key_id: str
    house_strategy: str
    def __init__(self, name: _Optional[str] = ..., key_id: _Optional[str] = ..., house_strategy: _Optional[str] = ...) -> None: ...

class CreateContestRequest(_message.Message):
    __slots__ = ("spec", "request_id")
    SPEC_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    spec: ContestSpec
    request_id: str
    def __init__(self, spec: _Optional[_Union[ContestSpec, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateContestResponse(_message.Message):
    __slots__ = ("contest",)
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    contest: Contest
    def __init__(self, contest: _Optional[_Union[Contest, _Mapping]] = ...) -> None: ...

class StartContestRequest(_message.Message):
    __slots__ = ("contest_id",)
    CONTEST_ID_FIELD_NUMBER: _ClassVar[int]
    contest_id: str
    def __init__(self, contest_id: _Optional[str] = ...) -> None: ...

class StartContestResponse(_message.Message):
    __slots__ = ("contest",)
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    contest: Contest
    def __init__(self, contest: _Optional[_Union[Contest, _Mapping]] = ...) -> None: ...

class GetContestRequest(_message.Message):
    __slots__ = ("contest_id",)
    CONTEST_ID_FIELD_NUMBER: _ClassVar[int]
    contest_id: str
    def __init__(self, contest_id: _Optional[str] = ...) -> None: ...

class GetContestResponse(_message.Message):
    __slots__ = ("contest",)
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    contest: Contest
    def __init__(self, contest: _Optional[_Union[Contest, _Mapping]] = ...) -> None: ...

class GetStandingsRequest(_message.Message):
    __slots__ = ("contest_id",)
    CONTEST_ID_FIELD_NUMBER: _ClassVar[int]
    contest_id: str
    def __init__(self, contest_id: _Optional[str] = ...) -> None: ...

class GetStandingsResponse(_message.Message):
    __slots__ = ("contest", "complete_block_count", "standings")
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_BLOCK_COUNT_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    contest: Contest
    complete_block_count: int
    standings: _containers.RepeatedCompositeFieldContainer[Standing]
    def __init__(self, contest: _Optional[_Union[Contest, _Mapping]] = ..., complete_block_count: _Optional[int] = ..., standings: _Optional[_Iterable[_Union[Standing, _Mapping]]] = ...) -> None: ...

class Standing(_message.Message):
    __slots__ = ("name", "game_count", "win_count", "win_rate", "points", "faults", "point_total")
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    WIN_COUNT_FIELD_NUMBER: _ClassVar[int]
    WIN_RATE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    POINT_TOTAL_FIELD_NUMBER: _ClassVar[int]
    name: str
    game_count: int
    win_count: float
    win_rate: Estimate
    points: Estimate
    faults: _containers.RepeatedCompositeFieldContainer[FaultCount]
    point_total: int
    def __init__(self, name: _Optional[str] = ..., game_count: _Optional[int] = ..., win_count: _Optional[float] = ..., win_rate: _Optional[_Union[Estimate, _Mapping]] = ..., points: _Optional[_Union[Estimate, _Mapping]] = ..., faults: _Optional[_Iterable[_Union[FaultCount, _Mapping]]] = ..., point_total: _Optional[int] = ...) -> None: ...

class Estimate(_message.Message):
    __slots__ = ("mean", "low", "high")
    MEAN_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    mean: float
    low: float
    high: float
    def __init__(self, mean: _Optional[float] = ..., low: _Optional[float] = ..., high: _Optional[float] = ...) -> None: ...

class FaultCount(_message.Message):
    __slots__ = ("kind", "fault_count")
    KIND_FIELD_NUMBER: _ClassVar[int]
    FAULT_COUNT_FIELD_NUMBER: _ClassVar[int]
    kind: FaultKind
    fault_count: int
    def __init__(self, kind: _Optional[_Union[FaultKind, str]] = ..., fault_count: _Optional[int] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ("contest_id", "page_size", "page_token")
    CONTEST_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    contest_id: str
    page_size: int
    page_token: str
    def __init__(self, contest_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games", "next_page_token")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[Game]
    next_page_token: str
    def __init__(self, games: _Optional[_Iterable[_Union[Game, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Game(_message.Message):
    __slots__ = ("game", "block", "leg", "attempt", "match_id", "seat_names", "places", "points", "action_count", "faults", "end_time", "chain_hash", "record_hash")
    GAME_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    LEG_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_NAMES_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ACTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    CHAIN_HASH_FIELD_NUMBER: _ClassVar[int]
    RECORD_HASH_FIELD_NUMBER: _ClassVar[int]
    game: int
    block: int
    leg: int
    attempt: int
    match_id: str
    seat_names: _containers.RepeatedScalarFieldContainer[str]
    places: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    action_count: int
    faults: _containers.RepeatedCompositeFieldContainer[SeatFaults]
    end_time: _timestamp_pb2.Timestamp
    chain_hash: bytes
    record_hash: bytes
    def __init__(self, game: _Optional[int] = ..., block: _Optional[int] = ..., leg: _Optional[int] = ..., attempt: _Optional[int] = ..., match_id: _Optional[str] = ..., seat_names: _Optional[_Iterable[str]] = ..., places: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., action_count: _Optional[int] = ..., faults: _Optional[_Iterable[_Union[SeatFaults, _Mapping]]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., chain_hash: _Optional[bytes] = ..., record_hash: _Optional[bytes] = ...) -> None: ...

class SeatFaults(_message.Message):
    __slots__ = ("faults",)
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    faults: _containers.RepeatedCompositeFieldContainer[FaultCount]
    def __init__(self, faults: _Optional[_Iterable[_Union[FaultCount, _Mapping]]] = ...) -> None: ...

class WatchContestRequest(_message.Message):
    __slots__ = ("contest_id",)
    CONTEST_ID_FIELD_NUMBER: _ClassVar[int]
    contest_id: str
    def __init__(self, contest_id: _Optional[str] = ...) -> None: ...

class WatchContestResponse(_message.Message):
    __slots__ = ("contest", "decision_count")
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    DECISION_COUNT_FIELD_NUMBER: _ClassVar[int]
    contest: Contest
    decision_count: int
    def __init__(self, contest: _Optional[_Union[Contest, _Mapping]] = ..., decision_count: _Optional[int] = ...) -> None: ...
