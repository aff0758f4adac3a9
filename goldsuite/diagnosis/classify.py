"""Why an answer is wrong, as far as the two queries' trees tell; nothing is executed.

A difference of structure is a suspicion, not a proof: two queries can differ in writing and agree
in every result. So confidence is never high here, and what no cause explains is called
unclassified.
"""

from collections.abc import Iterator
from dataclasses import replace

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.causes.base import Case, Cause, Evidence
from goldsuite.diagnosis.causes.fan_out import FanOut, repeating_joins
from goldsuite.diagnosis.causes.undefined_metric_drift import (
    UndefinedMetricDrift,
    definitional_predicates,
)
from goldsuite.diagnosis.causes.wrong_filter import WrongFilter
from goldsuite.diagnosis.causes.wrong_grain import WrongGrain
from goldsuite.diagnosis.causes.wrong_source import WrongSource
from goldsuite.diagnosis.difference import Difference, bare_names, compare
from goldsuite.diagnosis.failure import Failure
from goldsuite.diagnosis.keys import Keys
from goldsuite.diagnosis.wording import quoted
from goldsuite.model.diagnosis import Diagnosis, FailureMode
from goldsuite.sqltext.parsing import parse_query
from goldsuite.warehouse.base import Catalog

__all__ = ["CAUSES", "Failure", "classify"]

DRIFT = UndefinedMetricDrift()
CAUSES: tuple[Cause, ...] = (WrongSource(), FanOut(), WrongFilter(), WrongGrain())
"""In order of precedence, after drift, which explains differences that are then no causes."""


def classify(
    failure: Failure, *, dictionary: MetricDictionary, catalog: Catalog | None = None
) -> Diagnosis:
    """Diagnose one failure. Raises nothing: what cannot be told is `unclassified`, and why.

    With a `catalog`, its keys and types are used in place of guesses from names.
    """
    if failure.gold_sql is None or failure.predicted_sql is None:
        return _unclassified(_without_sql(failure))
    keys = Keys.of(catalog)
    difference = compare(failure.gold_sql, failure.predicted_sql, failure.dialect, keys)
    if difference is None:
        return _unclassified(_unreadable(failure))
    case = Case(failure=failure, difference=difference, dictionary=dictionary, keys=keys)
    found = list(_found(case))
    if not found:
        return _unclassified(_unexplained(case))
    return Diagnosis(
        mode=found[0][0],
        labels=tuple(mode for mode, _ in found),
        evidence=tuple(dict.fromkeys(sentence for _, evidence in found for sentence in evidence)),
        confidence="medium" if len(found) == 1 else "low",
    )


def _found(case: Case) -> Iterator[tuple[FailureMode, Evidence]]:
    drift = DRIFT.find(case)
    if drift is not None:
        yield DRIFT.mode, drift
        left = case.difference.without_definition(definitional_predicates(case))
        case = replace(case, difference=left)
    for cause in CAUSES:
        evidence = cause.find(case)
        if evidence is not None:
            yield cause.mode, evidence


def _unclassified(evidence: Evidence) -> Diagnosis:
    mode = FailureMode.UNCLASSIFIED
    return Diagnosis(mode=mode, labels=(mode,), evidence=evidence, confidence="low")


def _without_sql(failure: Failure) -> Evidence:
    whose = "the analyst gave none" if failure.predicted_sql is None else "the case has no gold SQL"
    return (f"There are no two queries to compare: {whose}.", failure.reason)


def _unreadable(failure: Failure) -> Evidence:
    texts = {"gold's": failure.gold_sql, "analyst's": failure.predicted_sql}
    broken = [
        whose for whose, sql in texts.items() if parse_query(sql or "", failure.dialect) is None
    ]
    if not broken:
        return ("The names in one of the two queries contradict each other.", failure.reason)
    which = " and the ".join(broken)
    sentence = f"The {which} SQL cannot be read as one query in {failure.dialect}."
    return (sentence, failure.reason)


def _unexplained(case: Case) -> Evidence:
    difference = case.difference
    suspect = tuple(repeating_joins("The gold", difference.gold, difference.predicted, case.keys))
    if suspect:
        return ("It may be the gold that counts rows more than once.", *suspect)
    return (*_other_tables(difference), case.failure.reason)


def _other_tables(difference: Difference) -> Iterator[str]:
    gold, predicted = bare_names(difference.gold.tables), bare_names(difference.predicted.tables)
    if gold == predicted:
        yield (
            "The two queries read, filter, group and measure the same; what differs is how the"
            " value is computed from that, or the answer itself."
        )
    if predicted - gold:
        yield f"The analyst also reads {quoted(sorted(predicted - gold))}."
    if gold - predicted:
        yield f"The analyst does not read {quoted(sorted(gold - predicted))}."
