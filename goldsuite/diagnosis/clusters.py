"""Failures of one mode, ranked: the largest group is the one to fix first."""

from collections.abc import Mapping, Sequence

from goldsuite.diagnosis.parents import PRECEDENCE
from goldsuite.model.diagnosis import Diagnosis, FailureCluster

__all__ = ["rank"]


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
