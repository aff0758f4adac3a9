"""The one table that says which of the five modes a finer cause belongs to.

A mode of its own has one parent. Where the parent depends on what was found, all that are possible
are listed, the usual one first. Causes without a parent are none of the five: at the top level they
are `unclassified`.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from goldsuite.model.diagnosis import Cause, FailureMode

__all__ = ["PARENTS", "PRECEDENCE", "causes_in_order", "parent_of"]

PRECEDENCE = (
    FailureMode.UNDEFINED_METRIC_DRIFT,
    FailureMode.WRONG_SOURCE,
    FailureMode.FAN_OUT,
    FailureMode.WRONG_FILTER,
    FailureMode.WRONG_GRAIN,
    FailureMode.UNCLASSIFIED,
)
"""Of several modes that apply, the first is the primary one."""

PARENTS: Mapping[str, tuple[FailureMode, ...]] = MappingProxyType({
    "undefined-metric-drift": (FailureMode.UNDEFINED_METRIC_DRIFT,),
    "wrong-source": (FailureMode.WRONG_SOURCE,),
    # The tables are right, the rows that are brought together are not.
    "wrong-join": (FailureMode.WRONG_SOURCE, FailureMode.FAN_OUT),
    "fan-out": (FailureMode.FAN_OUT,),
    # Under fan-out where a join repeats the rows, under grain where they repeat by themselves.
    "missing-distinct": (FailureMode.WRONG_GRAIN, FailureMode.FAN_OUT),
    "wrong-filter": (FailureMode.WRONG_FILTER,),
    "wrong-time-window": (FailureMode.WRONG_FILTER,),
    # A condition that treats NULL otherwise is a filter, a measure that does so is a grain.
    "null-handling": (FailureMode.WRONG_FILTER, FailureMode.WRONG_GRAIN),
    "wrong-grain": (FailureMode.WRONG_GRAIN,),
    # Something else is measured, of the right rows.
    "wrong-aggregation": (FailureMode.WRONG_GRAIN,),
    "wrong-column": (FailureMode.WRONG_GRAIN,),
    "wrong-order-limit": (FailureMode.WRONG_GRAIN,),
    "no-answer": (FailureMode.UNCLASSIFIED,),
    "execution-error": (FailureMode.UNCLASSIFIED,),
    "format-error": (FailureMode.UNCLASSIFIED,),
    "suspect-gold": (FailureMode.UNCLASSIFIED,),
    "unsupported-answer": (FailureMode.UNCLASSIFIED,),
    "sign": (FailureMode.UNCLASSIFIED,),
    "unit-scale": (FailureMode.UNCLASSIFIED,),
    "rounding": (FailureMode.UNCLASSIFIED,),
    "unclassified": (FailureMode.UNCLASSIFIED,),
})  # fmt: skip

_ORDER = tuple(Cause)


def causes_in_order(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Each cause once, by precedence; `unclassified` only where there is no other."""
    found = sorted(set(causes), key=_ORDER.index)
    told = tuple(cause for cause in found if cause is not Cause.UNCLASSIFIED)
    return told or (Cause.UNCLASSIFIED,)


def parent_of(cause: Cause, *, measured: bool = False) -> FailureMode:
    """The mode that a cause is shown under; `measured` where it lies in what is measured."""
    modes = PARENTS[cause.value]
    if cause is Cause.NULL_HANDLING and measured:
        return FailureMode.WRONG_GRAIN
    return modes[0]
