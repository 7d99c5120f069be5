"""
What does the server count, and how is it shown to Prometheus?

Counting is adding to plain integers; families are made when somebody scrapes. Names of the gRPC
part are those of go-grpc-prometheus. No label ever names a match, a seat or a caller.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from lastcard_server.pace import Pace

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Histogram:
    """Counts observations up to each of some bounds; the counts are not yet cumulative."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count one observation."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def cumulative(self) -> list[tuple[str, float]]:
        """Return the counts as Prometheus wants them: bound and how many were at most that."""
        names = [*map(str, map(float, self.bounds)), "+Inf"]
        return list(zip(names, accumulate(self.counts), strict=True))


class MethodCounts:
    """What one rpc has done so far."""

    __slots__ = ("handled", "labels", "received", "seconds", "sent", "started")

    def __init__(self, kind: str, service: str, method: str) -> None:
        self.labels = (kind, service, method)
        self.started = 0
        self.received = 0
        self.sent = 0
        self.handled: dict[str, int] = defaultdict(int)
        self.seconds = Histogram(SECONDS)


class Spec(NamedTuple):
    """How one metric is named and described."""

    name: str
    kind: type[CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily]
    text: str
    labels: tuple[str, ...] = ()


_RPC: Final = ("grpc_type", "grpc_service", "grpc_method")
SPECS: Final = (
    Spec("grpc_server_started", CounterMetricFamily, "Calls begun.", _RPC),
    Spec("grpc_server_handled", CounterMetricFamily, "Calls ended.", (*_RPC, "grpc_code")),
    Spec("grpc_server_msg_received", CounterMetricFamily, "Messages received.", _RPC),
    Spec("grpc_server_msg_sent", CounterMetricFamily, "Messages sent.", _RPC),
    Spec("grpc_server_handling_seconds", HistogramMetricFamily, "Seconds a call took.", _RPC),
    Spec("lastcard_answers", CounterMetricFamily, "Answers and acts, by outcome.", ("outcome",)),
    Spec("lastcard_turns_delivered", CounterMetricFamily, "Turns put into messages."),
    Spec("lastcard_turns_moved", CounterMetricFamily, "Turns whose stream ended unanswered."),
    Spec("lastcard_views_replaced", CounterMetricFamily, "Event queues replaced by a full view."),
    Spec("lastcard_batch_turns", HistogramMetricFamily, "Turns in a message sent."),
    Spec("lastcard_batch_answers", HistogramMetricFamily, "Answers in a message received."),
    Spec("lastcard_answer_seconds", HistogramMetricFamily, "Receipt to durable, by message."),
    Spec("lastcard_streams", GaugeMetricFamily, "Streams open now."),
    Spec("lastcard_stream_pending_bytes", GaugeMetricFamily, "Bytes streams have yet to take."),
    Spec("lastcard_messages_waiting", GaugeMetricFamily, "Messages that wait to be decided."),
    Spec("lastcard_matches_in_memory", GaugeMetricFamily, "Matches held in memory now."),
    Spec("lastcard_matches_remembered", GaugeMetricFamily, "Matches known as they were, now."),
    Spec("lastcard_contests_in_memory", GaugeMetricFamily, "Contests held in memory now."),
    Spec("lastcard_seats_in_memory", GaugeMetricFamily, "Seats streams are told of now."),
    Spec("lastcard_subscriptions", GaugeMetricFamily, "Listeners to seats and matches now."),
    Spec("lastcard_deadlines", GaugeMetricFamily, "Deadlines held in memory now."),
    Spec("lastcard_append_conflicts", CounterMetricFamily, "Appends others were quicker with."),
    Spec("lastcard_catch_ups", CounterMetricFamily, "Matches brought up to what others wrote."),
    Spec("lastcard_matches_reread", CounterMetricFamily, "Matches dropped and read again."),
    Spec("lastcard_histories_lost", CounterMetricFamily, "Matches the store had more of before."),
    Spec("lastcard_contests_lost", CounterMetricFamily, "Contests the store had more of before."),
    Spec("lastcard_matches_quarantined", CounterMetricFamily, "Matches not to be followed here."),
    Spec("lastcard_entries", CounterMetricFamily, "Entries made durable, by kind.", ("kind",)),
    Spec("lastcard_append_seconds", HistogramMetricFamily, "Time a call to append took."),
    Spec("lastcard_credentials_refused", CounterMetricFamily, "Calls without a valid credential."),
    Spec("lastcard_internal_errors", CounterMetricFamily, "Calls ended by a fault of the server."),
    Spec("lastcard_store_failures", CounterMetricFamily, "Calls the store could not serve."),
)
"""Every metric of our own; counters are exposed with `_total` behind the name."""

Labelled = Callable[[], Iterable[tuple[tuple[str, ...], float]]]


class Telemetry(Collector):
    """The counters of one server."""

    def __init__(self) -> None:
        self.methods: list[MethodCounts] = []
        self.answers: dict[str, int] = defaultdict(int)
        self.entries: dict[str, int] = defaultdict(int)
        self.turns_delivered = 0
        self.pace = Pace()
        self.turns_moved = 0
        self.views_replaced = 0
        self.credentials_refused = 0
        self.internal_errors = 0
        self.store_failures = 0
        self.batch_turns = Histogram(SIZES)
        self.batch_answers = Histogram(SIZES)
        self.answer_seconds = Histogram(SECONDS)
        self.append_seconds = Histogram(SECONDS)
        self._sources: dict[str, Labelled] = {}

    def method(self, kind: str, service: str, method: str) -> MethodCounts:
        """Return new counters for one rpc."""
        counts = MethodCounts(kind, service, method)
        self.methods.append(counts)
        return counts

    def gauge(self, name: str, value: Callable[[], int]) -> None:
        """Read one number from elsewhere at each scrape, in the thread of the scrape."""
        self._sources[name] = lambda: [((), value())]

    def source(self, name: str, values: Labelled) -> None:
        """Read a metric from elsewhere at each scrape: pairs of label values and number."""
        self._sources[name] = values

    def collect(self) -> Iterator[Metric]:
        """Yield every metric; called from the thread that serves a scrape."""
        for spec in SPECS:
            metric = spec.kind(spec.name, spec.text, labels=spec.labels)
            self._fill(spec.name, metric)
            yield metric

    def describe(self) -> Iterable[Metric]:
        """Return nothing: registration needs no scrape."""
        return ()

    def _fill(
        self,
        name: str,
        metric: CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily,
    ) -> None:
        if isinstance(metric, HistogramMetricFamily):
            for labels, histogram in self._histograms(name):
                metric.add_metric(labels, histogram.cumulative(), histogram.total)
        else:
            for labels, value in self._values(name):
                metric.add_metric(labels, value)

    def _histograms(self, name: str) -> Iterator[tuple[tuple[str, ...], Histogram]]:
        if name == "grpc_server_handling_seconds":
            yield from ((counts.labels, counts.seconds) for counts in self.methods)
        else:
            yield (), getattr(self, name.removeprefix("lastcard_"))

    def _values(self, name: str) -> Iterable[tuple[tuple[str, ...], float]]:
        if name in self._sources:
            return self._sources[name]()
        own = name.removeprefix("lastcard_")
        if own != name:
            found = getattr(self, own, 0)
            return [((), found)] if isinstance(found, int) else labelled(found)
        if name == "grpc_server_handled":
            return [((*m.labels, c), n) for m in self.methods for (c,), n in labelled(m.handled)]
        return [(m.labels, getattr(m, _ATTRIBUTES[name])) for m in self.methods]


_ATTRIBUTES: Final = {
    "grpc_server_started": "started",
    "grpc_server_msg_received": "received",
    "grpc_server_msg_sent": "sent",
}


def labelled(counts: dict[str, int]) -> list[tuple[tuple[str, ...], float]]:
    """Return counts by one label; safe while another thread adds to them."""
    return [((str(label),), count) for label, count in tuple(counts.items())]
