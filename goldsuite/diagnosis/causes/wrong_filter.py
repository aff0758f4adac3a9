"""A condition on rows or groups is missing, extra or different, windows of time included."""

from collections.abc import Iterator

from goldsuite.diagnosis.causes.base import Case, Evidence
from goldsuite.diagnosis.difference import Sides, bare_names
from goldsuite.diagnosis.wording import fragment, quoted
from goldsuite.model.diagnosis import FailureMode
from goldsuite.sqltext.conditions import Predicate

__all__ = ["WrongFilter"]


class WrongFilter:
    """See the module."""

    mode = FailureMode.WRONG_FILTER

    def find(self, case: Case) -> Evidence | None:
        """Evidence of each condition that only one of the queries has."""
        predicates = case.difference.predicates
        if case.difference.swap is not None:
            predicates = _not_forced(predicates, case)
        found = (*_time(predicates), *_moved(predicates), *_others(predicates), *_existence(case))
        return found or None


def _not_forced(predicates: Sides[Predicate], case: Case) -> Sides[Predicate]:
    """What differs beyond the swap of tables: conditions that the other table could have had."""
    swap = case.difference.swap
    if swap is None:
        return predicates

    def possible(predicate: Predicate) -> bool:
        names = [c.rpartition(".") for c in predicate.columns]
        own = [column for table, _, column in names if table == swap.gold]
        return bool(own) and all(case.keys.has_column(swap.predicted, c) for c in own)

    return Sides(missing=tuple(p for p in predicates.missing if possible(p)))


def _time(predicates: Sides[Predicate]) -> Iterator[str]:
    missing = [p.text for p in predicates.missing if p.temporal]
    extra = [p.text for p in predicates.extra if p.temporal]
    if missing and extra:
        yield f"The analyst's time window is {quoted(extra)}; the gold's is {quoted(missing)}."
    elif missing:
        yield f"The analyst leaves out the time window {quoted(missing)}, which the gold has."
    elif extra:
        yield f"The analyst adds the time window {quoted(extra)}, which the gold does not have."


def _moved(predicates: Sides[Predicate]) -> Iterator[str]:
    """The same condition in the ON of an outer join and in WHERE: it keeps or removes rows."""
    extra = {p.text: p for p in predicates.extra}
    for predicate in predicates.missing:
        other = extra.get(predicate.text)
        if other is None:
            continue
        if predicate.outer_join is not None:
            yield (
                f"The analyst filters by {fragment(predicate.text)} where the gold has it in the ON"
                f" of its outer join of `{predicate.outer_join}`: rows without a match are lost."
            )
        else:
            yield (
                f"The analyst has {fragment(predicate.text)} in the ON of an outer join, where it"
                " removes no rows; the gold filters by it."
            )


def _others(predicates: Sides[Predicate]) -> Iterator[str]:
    moved = {p.text for p in predicates.missing} & {p.text for p in predicates.extra}
    missing = [p for p in predicates.missing if not p.temporal and p.text not in moved]
    extra = [p for p in predicates.extra if not p.temporal and p.text not in moved]
    for predicate in missing:
        same = next((p for p in extra if p.columns == predicate.columns), None)
        if same is None:
            yield f"The analyst leaves out {fragment(predicate.text)}, which the gold has."
        else:
            extra.remove(same)
            theirs, ours = fragment(same.text), fragment(predicate.text)
            yield f"The analyst filters by {theirs}, the gold by {ours}."
    for predicate in extra:
        yield f"The analyst adds {fragment(predicate.text)}, which the gold does not have."


def _existence(case: Case) -> Iterator[str]:
    """IN and EXISTS on a table that the other query does not read at all."""
    gold, predicted = case.difference.gold, case.difference.predicted
    if case.difference.swap is not None:
        return
    for table in sorted(bare_names(gold.semi_tables) - bare_names(predicted.tables)):
        yield f"The analyst leaves out that a row of `{table}` must exist, which the gold asks for."
    for table in sorted(bare_names(predicted.semi_tables) - bare_names(gold.tables)):
        yield f"The analyst asks that a row of `{table}` exists, which the gold does not."
