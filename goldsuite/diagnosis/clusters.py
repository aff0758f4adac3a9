"""Failures of one mode, ranked: the largest group is the one to fix first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from goldsuite.diagnosis.parents import PRECEDENCE
from goldsuite.model.diagnosis import Diagnosis, FailureCluster

__all__ = ["commonest", "rank"]


def rank(diagnoses: Mapping[str, Diagnosis], order: Sequence[str]) -> tuple[FailureCluster, ...]:
    """Group `diagnoses`, by case id, under their primary mode.

    Ranked by count, equal counts by precedence; cases within a group in the given `order`, then
    those that it does not name, by id.
    """
    places = {case: place for place, case in enumerate(order)}
    cases = sorted(diagnoses, key=lambda case: (places.get(case, len(places)), case))
    groups = [
        (mode, tuple(case for case in cases if diagnoses[case].mode is mode)) for mode in PRECEDENCE
    ]
    clusters = [
        FailureCluster(mode=mode, count=len(found), cases=found) for mode, found in groups if found
    ]
    return tuple(sorted(clusters, key=lambda cluster: -cluster.count))


def commonest(trials: Iterable[tuple[str, Diagnosis | None]]) -> dict[str, Diagnosis]:
    """For each case one diagnosis, of the mode that most of its failed trials have.

    Of modes that are equally frequent the one that was seen first counts. A case without a
    diagnosis is left out.
    """
    found: dict[str, list[Diagnosis]] = {}
    for case, diagnosis in trials:
        if diagnosis is not None:
            found.setdefault(case, []).append(diagnosis)
    return {case: _commonest(diagnoses) for case, diagnoses in found.items()}


def _commonest(diagnoses: Sequence[Diagnosis]) -> Diagnosis:
    # A Counter keeps the order of first sight, and so does what it ranks equal.
    mode = Counter(diagnosis.mode for diagnosis in diagnoses).most_common(1)[0][0]
    return next(diagnosis for diagnosis in diagnoses if diagnosis.mode is mode)
