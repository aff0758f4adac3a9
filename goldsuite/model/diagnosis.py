"""Why a failure failed."""

from dataclasses import dataclass
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
    method: Literal["structure"] = "structure"
    """How it was found: by comparing the two queries' trees, nothing executed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FailureCluster:
    """All failures of one mode."""

    mode: FailureMode
    count: int
    cases: tuple[str, ...]
    """Case ids in the order of the suite."""
