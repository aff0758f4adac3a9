"""The question asks for a metric that the analyst's dictionary lacks, and the analyst's own
definition differs.

That the metric is undefined is not enough: the difference has to be one of definition. The measure,
the table it is read from, or a condition that the question does not ask for belong to a definition;
a window of time or a value that the question names do not.
"""

from goldsuite.diagnosis.causes.base import Case, Evidence
from goldsuite.diagnosis.wording import defines, fragment, mentions, names_predicate, quoted
from goldsuite.model.diagnosis import FailureMode
from goldsuite.sqltext.conditions import Predicate

__all__ = ["UndefinedMetricDrift", "definitional_predicates"]

_OWN_CHOICE = "my own choice"


class UndefinedMetricDrift:
    """See the module."""

    mode = FailureMode.UNDEFINED_METRIC_DRIFT

    def find(self, case: Case) -> Evidence | None:
        """Evidence of an undefined metric and of how its definition was guessed otherwise."""
        undefined = _undefined(case)
        differences = _definitional(case)
        return (undefined, *differences) if undefined and differences else None


def definitional_predicates(case: Case) -> tuple[Predicate, ...]:
    """Conditions that differ although the question asks for none of them.

    A condition that the analyst put in place of one of the gold's is one of them.
    """
    question, predicates = case.failure.question, case.difference.predicates
    left_out = [p for p in predicates.missing if not p.temporal]
    added = [p for p in predicates.extra if not p.temporal and not names_predicate(question, p)]
    unasked = [p for p in left_out if not names_predicate(question, p)]
    # Where the question asks for all that was left out, what was added only replaces that.
    return (*unasked, *added) if unasked or not left_out else ()


def _undefined(case: Case) -> str | None:
    metric = case.failure.metric
    if metric is not None:
        if defines(case.dictionary, metric):
            return None
        return f"The case is about `{metric}`, which the analyst's dictionary does not define."
    source = (case.failure.definition_source or "").strip().strip('"').lower()
    terms = [term for known in case.dictionary.metrics for term in known.terms]
    if source != _OWN_CHOICE or any(mentions(case.failure.question, term) for term in terms):
        return None
    return (
        "The analyst chose the definition itself, and the question names no metric of its"
        " dictionary."
    )


def _definitional(case: Case) -> Evidence:
    difference, sentences = case.difference, []
    if difference.swap is not None:
        swap = difference.swap
        sentences.append(
            f"The analyst measures from `{swap.predicted}`, the gold from `{swap.gold}`."
        )
    if difference.measures:
        ours = quoted(difference.measures.missing) or "none of it"
        theirs = quoted(map(difference.as_written, difference.measures.extra)) or "without it"
        sentences.append(f"The definition measures {ours}; the analyst measures {theirs}.")
    for predicate in definitional_predicates(case):
        left_out = predicate in difference.predicates.missing
        who = "The definition has" if left_out else "The analyst's definition adds"
        text = predicate.text if left_out else difference.as_written(predicate.text)
        sentences.append(f"{who} {fragment(text)}, which the question does not say.")
    return tuple(sentences)
