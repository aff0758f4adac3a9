"""Why a failure failed."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, TypeAlias


class FailureMode(StrEnum):
    """The five modes that gold-suite users know, and `unclassified`, said openly."""

    UNDEFINED_METRIC_DRIFT = "undefined-metric-drift"
    WRONG_SOURCE = "wrong-source"
    FAN_OUT = "fan-out"
    WRONG_FILTER = "wrong-filter"
    WRONG_GRAIN = "wrong-grain"
    UNCLASSIFIED = "unclassified"


class Cause(StrEnum):
    """What exactly was done wrong, in order of precedence: of several the first is the primary."""

    NO_ANSWER = "no-answer"
    EXECUTION_ERROR = "execution-error"
    FORMAT_ERROR = "format-error"
    SUSPECT_GOLD = "suspect-gold"
    UNSUPPORTED_ANSWER = "unsupported-answer"
    SIGN = "sign"
    UNIT_SCALE = "unit-scale"
    ROUNDING = "rounding"
    UNDEFINED_METRIC_DRIFT = "undefined-metric-drift"
    WRONG_SOURCE = "wrong-source"
    FAN_OUT = "fan-out"
    WRONG_JOIN = "wrong-join"
    WRONG_FILTER = "wrong-filter"
    WRONG_TIME_WINDOW = "wrong-time-window"
    WRONG_GRAIN = "wrong-grain"
    MISSING_DISTINCT = "missing-distinct"
    WRONG_AGGREGATION = "wrong-aggregation"
    WRONG_COLUMN = "wrong-column"
    NULL_HANDLING = "null-handling"
    WRONG_ORDER_LIMIT = "wrong-order-limit"
    UNCLASSIFIED = "unclassified"


@dataclass(frozen=True, kw_only=True, slots=True)
class Repair:
    """The smallest change that was found to turn the analyst's result into the gold's."""

    edits: tuple[str, ...]
    """In words, one for each cause; whole sentences."""
    sql: str
    """Runs, and was run."""
    returns: str
    """What it returned, as a person reads it: one value, or how many rows."""


Confidence: TypeAlias = Literal["low", "medium", "high"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    """What a classifier made of one failure."""

    mode: FailureMode
    """The primary one."""
    labels: tuple[FailureMode, ...]
    """Every mode that applies, the primary first."""
    evidence: tuple[str, ...]
    """Whole sentences; each names the fragments of SQL that differ."""
    confidence: Confidence
    method: Literal["structure", "answer", "counterfactual"] = "structure"
    """How it was found: by comparing the two queries' trees, nothing executed; by the answer alone;
    or by running the analyst's query with parts of the gold's until it gave the gold's result."""
    cause: Cause | None = None
    """The primary one; None in records of before causes were told."""
    causes: tuple[Cause, ...] = ()
    """Every cause that applies, the primary first."""
    repair: Repair | None = None
    """None where none was found or looked for."""
    latent: tuple[str, ...] = ()
    """Differences between the queries that change nothing today; whole sentences."""
    alternatives: tuple[str, ...] = ()
    """Other repairs of the same size that give the gold's result as well; whole sentences."""
    executions: int | None = None
    """Statements run for it; None where running was no part of the method."""
    elapsed_ms: float | None = None
    root: str | None = None
    """What exactly is wrong, written the same for every failure of that root."""
    not_applicable: str | None = None
    """Why the queries could not be taken apart and tried; None where they could."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """What to write down so that a root does not come up again."""

    text: str
    """One sentence."""
    file: str | None = None
    """Where `entry` belongs, in the dataset's folder of the context; None without an entry."""
    entry: str | None = None
    """Ready to paste: an entry of the metric dictionary, or a line of notes. None where the queries
    do not give one."""
    metric: str | None = None
    """The metric that the entry defines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RootCluster:
    """Failures with one concrete root: the same metric, the same join, the same condition."""

    id: str
    """Short, and the same in every run with this root."""
    cause: Cause
    root: str
    cases: tuple[str, ...]
    """Case ids in the order of the suite."""
    proven: tuple[str, ...] = ()
    """Those whose repair was run and gave the gold's result."""
    flips: tuple[str, ...] = ()
    """Those of the proven whose repair is of this root alone: mending it mends them."""
    suggestion: Suggestion | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FailureCluster:
    """All failures of one mode."""

    mode: FailureMode
    count: int
    cases: tuple[str, ...]
    """Case ids in the order of the suite."""
    clusters: tuple[RootCluster, ...] = ()
    """The same cases by what exactly is wrong, the largest first; empty in records that do not
    tell."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseLabel:
    """What a person says a failure is, kept beside what was found automatically."""

    case: str
    cause: Cause
    mode: FailureMode
    """That `cause` is shown under."""
    note: str | None
    labelled_at: datetime
