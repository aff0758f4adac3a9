"""The failures of a run by their roots, each with what to write down against it."""

from collections.abc import Sequence

from goldsuite.context.dictionary import MetricDictionary
from goldsuite.diagnosis.clusters import commonest, rank
from goldsuite.diagnosis.suggestions import CaseFacts, Suggester
from goldsuite.model.diagnosis import FailureCluster
from goldsuite.pipeline.case_record import GradedTrial

__all__ = ["ranked_failures"]


def ranked_failures(
    trials: Sequence[GradedTrial], *, dictionary: MetricDictionary, dialect: str
) -> tuple[FailureCluster, ...]:
    """The diagnosed failures of `trials`, grouped and ranked; trials in the order of the suite."""
    diagnoses = commonest((trial.case.id, trial.diagnosis) for trial in trials)
    facts = {trial.case.id: _facts(trial) for trial in trials if trial.case.id in diagnoses}
    advisor = Suggester(facts, dictionary=dictionary, dialect=dialect)
    order = list(dict.fromkeys(trial.case.id for trial in trials))
    return rank(diagnoses, order, advisor=advisor)


def _facts(trial: GradedTrial) -> CaseFacts:
    case = trial.case
    nearest = trial.similarity.gold_index if trial.similarity else 0
    return CaseFacts(
        question=case.question,
        split=trial.trial.question.split,
        gold_sql=case.gold_sql[nearest] if case.gold_sql else None,
        metric=case.metric,
        unit=case.unit,
    )
