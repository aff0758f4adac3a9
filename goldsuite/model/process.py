"""How an analyst went about a case, apart from whether its answer was right."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

__all__ = [
    "Part",
    "Preset",
    "ProcessFigures",
    "ProcessScores",
    "TargetFigures",
]


class Part(StrEnum):
    """One thing that a preset can weigh; each is a share from 0 to 1."""

    TOOL_ACCURACY = "tool_accuracy"
    """Expected tools that were used, over the expected ones; extra tools cost nothing."""
    TRIGGER_ACCURACY = "trigger_accuracy"
    """The same for skills."""
    ARGUMENT_ACCURACY = "argument_accuracy"
    """Calls that the tool accepted, over the calls of which that is known."""
    TURN_EFFICIENCY = "turn_efficiency"
    """1 within `max_turns`, else `max_turns` over the turns taken."""
    STEP_EFFICIENCY = "step_efficiency"
    """Fewest calls seen to give a correct answer to the case, over the calls made; at most 1."""
    TOOL_CORRECTNESS = "tool_correctness"
    """1 where every expected tool was used, else 0."""
    OUTPUT_QUALITY = "output_quality"
    """The judge's score over its greatest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Preset:
    """How parts become one score."""

    how: Literal["mean", "sum"]
    """`mean`: weighted, over the parts that were measured. `sum`: of all parts, each times its
    weight, and no more than `cap`."""
    weights: Mapping[Part, float]
    cap: float = 1.0
    pass_at: float | None = None
    """A score from which a trial passes; None where the preset has no such line."""


Parts: TypeAlias = Mapping[Part, float]
"""What was measured; a part that was not is left out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessScores:
    """One trial; None where a part was not asked for or not told, which is never 0."""

    tool_accuracy: float | None = None
    trigger_accuracy: float | None = None
    argument_accuracy: float | None = None
    turn_efficiency: float | None = None
    step_efficiency: float | None = None
    fewest_calls: int | None = None
    """Fewest calls seen to give a correct answer, in this run and in earlier ones."""
    missing_tools: tuple[str, ...] = ()
    """Expected and not used."""
    missing_skills: tuple[str, ...] = ()
    """Expected and not activated."""
    score: float | None = None
    """By the run's preset, 0 to 1; None where what was not measured could change it."""
    passed: bool | None = None
    """Whether the score reaches the preset's line; None where it has none, or that is open."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TargetFigures:
    """What the cases of one target show; every mean is over cases."""

    cases: int
    trigger_accuracy: float | None
    score: float | None
    judge_score: float | None
    """0 to 5."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessFigures:
    """Means over the cases in which each part was measured; None where in none."""

    trials: int
    """That were scored."""
    tool_accuracy: float | None
    trigger_accuracy: float | None
    argument_accuracy: float | None
    turn_efficiency: float | None
    step_efficiency: float | None
    score: float | None
    pass_rate: float | None
    """Share of passed trials among those where that is known."""
    targets: dict[str, TargetFigures]
    """By name, sorted."""
