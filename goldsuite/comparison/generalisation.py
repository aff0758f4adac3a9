"""Train against test: whether the train cases go better than the held-out ones by more than chance.

Only a significant difference is evidence that the context fits the train questions too closely; no
difference is none that it does not.
"""

from collections.abc import Iterable

from goldsuite.model.grade import OUTSIDE
from goldsuite.model.held_out import TrainAgainstTest
from goldsuite.model.question import Split
from goldsuite.model.run import CaseRecord, RunRecord
from goldsuite.stats.difference import newcombe_interval
from goldsuite.stats.fisher import fisher_exact
from goldsuite.stats.proportion import Proportion

__all__ = ["compare_splits", "split_score"]

_SIGNIFICANT = 0.05


def split_score(cases: Iterable[CaseRecord], split: Split) -> Proportion:
    """Passed of the gradable cases of a split; of several trials of a case the first counts.

    Trials of one case go together, so that counting them all would claim more cases than there are.
    """
    first: dict[str, CaseRecord] = {}
    for case in cases:
        if case.split == split:
            first.setdefault(case.id, case)
    gradable = [case for case in first.values() if case.verdict not in OUTSIDE]
    return Proportion(sum(case.passed for case in gradable), len(gradable))


def compare_splits(train: RunRecord, test: RunRecord) -> TrainAgainstTest | None:
    """Hold the train cases of one record against the held-out cases of another, or of the same.

    None where one of them has no case that could be graded.
    """
    one, two = split_score(train.cases, "train"), split_score(test.cases, "test")
    interval, p = newcombe_interval(one, two), fisher_exact(one, two)
    if interval is None or p is None or one.share is None or two.share is None:
        return None
    difference = one.share - two.share
    return TrainAgainstTest(
        train_run=train.run_id,
        same_context=_files(train) == _files(test),
        train_passed=one.successes,
        train_gradable=one.n,
        test_passed=two.successes,
        test_gradable=two.n,
        difference=difference,
        interval=(interval.low, interval.high),
        p=p,
        overfit_likely=difference > 0 and p < _SIGNIFICANT,
    )


def _files(record: RunRecord) -> str | None:
    return record.context_state.files_sha256 if record.context_state else None
