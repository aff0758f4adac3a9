"""The ways in which parts of a process become one score: data, and how it is applied."""

from collections.abc import Mapping
from dataclasses import dataclass

from goldsuite.model.process import Part, Parts, Preset

__all__ = ["COMPOSITE", "DEFAULT_PRESET", "PRESETS", "Combined", "combine"]

DEFAULT_PRESET = "mean"

PRESETS: Mapping[str, Preset] = {
    "mean": Preset(
        how="mean",
        weights={
            Part.TOOL_ACCURACY: 1.0,
            Part.TRIGGER_ACCURACY: 1.0,
            Part.ARGUMENT_ACCURACY: 1.0,
            Part.TURN_EFFICIENCY: 1.0,
            Part.STEP_EFFICIENCY: 1.0,
        },
    ),
    "sum-capped": Preset(
        how="sum",
        # Full tools and turns reach the cap by themselves, so that the quality, worth half a point
        # at most, then changes nothing: that is how this figure is known.
        weights={Part.TOOL_ACCURACY: 1.0, Part.TURN_EFFICIENCY: 1.0, Part.OUTPUT_QUALITY: 0.5},
        cap=1.0,
        pass_at=0.7,
    ),
}
"""What a user can name."""

COMPOSITE = Preset(
    how="sum",
    weights={
        Part.OUTPUT_QUALITY: 0.5,
        Part.TOOL_CORRECTNESS: 0.2,
        Part.ARGUMENT_ACCURACY: 0.2,
        Part.STEP_EFFICIENCY: 0.1,
    },
)
"""Outcome and process in one figure, beside a judge's score."""

_EPSILON = 1e-9
"""Sums of weighted shares meet a threshold in spite of rounding."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Combined:
    """What a preset makes of the parts."""

    score: float | None
    """None where nothing was measured, or what was not could change it."""
    passed: bool | None


def combine(parts: Parts, preset: Preset) -> Combined:
    """One score from `parts`.

    A sum needs all of its parts. Where one was not measured it is known only if neither 0 nor 1 in
    its place would change it, as at the cap; and so for whether it passes.
    """
    if preset.how == "mean":
        weights = {part: w for part, w in preset.weights.items() if part in parts}
        if not weights:
            return Combined(score=None, passed=None)
        mean = sum(w * parts[part] for part, w in weights.items()) / sum(weights.values())
        return Combined(score=mean, passed=_passes(mean, preset))
    if not any(part in parts for part in preset.weights):
        return Combined(score=None, passed=None)
    low, high = (_sum(parts, preset, missing) for missing in (0.0, 1.0))
    passes = {_passes(low, preset), _passes(high, preset)}
    return Combined(
        score=low if high - low < _EPSILON else None,
        passed=passes.pop() if len(passes) == 1 else None,
    )


def _sum(parts: Parts, preset: Preset, missing: float) -> float:
    total = sum(w * parts.get(part, missing) for part, w in preset.weights.items())
    return min(total, preset.cap)


def _passes(score: float, preset: Preset) -> bool | None:
    return None if preset.pass_at is None else score >= preset.pass_at - _EPSILON
