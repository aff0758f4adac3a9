"""The right rows are measured at another level, by another aggregate or column, or cut off."""

from collections.abc import Iterator

from goldsuite.diagnosis.causes.base import Case, Evidence
from goldsuite.diagnosis.difference import Difference, Sides
from goldsuite.diagnosis.wording import quoted
from goldsuite.model.diagnosis import FailureMode

__all__ = ["WrongGrain"]


class WrongGrain:
    """See the module."""

    mode = FailureMode.WRONG_GRAIN

    def find(self, case: Case) -> Evidence | None:
        """Evidence of another grouping, measure, output, window, order or limit."""
        difference = case.difference
        if difference.swap is not None:
            return None  # another table forces another grouping and another measure
        found = list(_grouping(difference))
        found += _in_place(difference.measures, "measures")
        if difference.outputs.missing:
            found += _in_place(difference.outputs, "returns")
        found += _in_place(difference.windows, "computes over")
        found += _in_place(_orderings(difference), "has")
        found += _in_place(difference.set_operations, "combines by")
        return tuple(found) or None


def _grouping(difference: Difference) -> Iterator[str]:
    grains = difference.grains
    missing = " and ".join(quoted(grain) for grain in grains.missing)
    extra = " and ".join(quoted(grain) for grain in grains.extra)
    if missing and extra:
        yield f"The analyst groups by {extra}, the gold by {missing}."
    elif missing:
        yield f"The gold has one row for each {missing}; the analyst does not group so."
    elif extra:
        yield f"The analyst has one row for each {extra}; the gold does not group so."


def _orderings(difference: Difference) -> Sides[str]:
    """An order that the gold does not ask for is no fault, unless it also cuts."""
    missing = tuple(o.text for o in difference.orderings.missing)
    extra = tuple(o.text for o in difference.orderings.extra if o.cuts or missing)
    return Sides(missing=missing, extra=extra)


def _in_place(sides: Sides[str], verb: str) -> Iterator[str]:
    if sides.missing and sides.extra:
        yield f"The analyst {verb} {quoted(sides.extra)}, the gold {quoted(sides.missing)}."
    elif sides.missing:
        yield f"The gold {verb} {quoted(sides.missing)}; the analyst's query does not."
    elif sides.extra:
        yield f"The analyst {verb} {quoted(sides.extra)}; the gold does not."
