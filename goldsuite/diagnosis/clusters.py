"""Failures grouped by mode, and within a mode by what exactly is wrong.

The largest group is the one to fix first; of groups of one size the one whose repairs prove more.
Works on diagnoses alone, without their queries, so that a report can group again.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from goldsuite.diagnosis.parents import PRECEDENCE, parent_of
from goldsuite.model.diagnosis import (
    Cause,
    Diagnosis,
    FailureCluster,
    FailureMode,
    RootCluster,
    Suggestion,
)

__all__ = ["Advisor", "commonest", "rank", "relabel"]

_ONE_MENDS_ALL = frozenset({Cause.UNDEFINED_METRIC_DRIFT, Cause.FAN_OUT})
"""Causes whose root is one thing to write down, however many edits a query needs for it."""


class Advisor(Protocol):
    """Knows the cases' questions and golds."""

    def root(self, case: str, diagnosis: Diagnosis) -> str | None:
        """A closer root than the diagnosis has; None where it is the diagnosis' own."""
        ...

    def suggest(self, cause: Cause, root: str, cases: Sequence[str]) -> Suggestion | None:
        """What to write down against a root."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class _Rooted:
    case: str
    diagnosis: Diagnosis
    cause: Cause
    root: str


def rank(
    diagnoses: Mapping[str, Diagnosis], order: Sequence[str], *, advisor: Advisor | None = None
) -> tuple[FailureCluster, ...]:
    """Group `diagnoses`, by case id, under their primary mode and there under their root.

    Ranked by count, equal counts by precedence; cases within a group in the given `order`, then
    those that it does not name, by id.
    """
    places = {case: place for place, case in enumerate(order)}
    cases = sorted(diagnoses, key=lambda case: (places.get(case, len(places)), case))
    groups: dict[FailureMode, list[_Rooted]] = {mode: [] for mode in PRECEDENCE}
    for case in cases:
        groups[diagnoses[case].mode].append(_rooted(case, diagnoses[case], advisor))
    ids = _ids({(each.cause, each.root) for group in groups.values() for each in group})
    return _ranked(
        FailureCluster(
            mode=mode,
            count=len(group),
            cases=tuple(each.case for each in group),
            clusters=_by_root(group, ids, advisor),
        )
        for mode, group in groups.items()
    )


def _ranked(clusters: Iterable[FailureCluster]) -> tuple[FailureCluster, ...]:
    found = [cluster for cluster in clusters if cluster.count]
    return tuple(sorted(found, key=lambda c: (-c.count, PRECEDENCE.index(c.mode))))


def _rooted(case: str, diagnosis: Diagnosis, advisor: Advisor | None) -> _Rooted:
    cause = diagnosis.cause or Cause(diagnosis.mode.value)
    closer = advisor.root(case, diagnosis) if advisor is not None else None
    return _Rooted(
        case=case, diagnosis=diagnosis, cause=cause, root=closer or _own_root(cause, diagnosis)
    )


def _own_root(cause: Cause, diagnosis: Diagnosis) -> str:
    """Without a proof the sentence that names the fragments is all that is known of the root."""
    if parent_of(cause) is FailureMode.UNCLASSIFIED:
        return cause.value  # it lies in the answer, whatever is wrong with the SQL besides
    if diagnosis.root is not None:
        return diagnosis.root
    return ": ".join((cause.value, *diagnosis.evidence[-1:]))


def _by_root(
    group: Sequence[_Rooted], ids: Mapping[tuple[Cause, str], str], advisor: Advisor | None
) -> tuple[RootCluster, ...]:
    found: dict[tuple[Cause, str], list[_Rooted]] = {}
    for each in group:
        found.setdefault((each.cause, each.root), []).append(each)
    clusters = [_cluster(ids[key], *key, members, advisor) for key, members in found.items()]
    return tuple(sorted(clusters, key=lambda c: (-len(c.cases), -len(c.flips), -len(c.proven))))


def _cluster(
    name: str, cause: Cause, root: str, members: Sequence[_Rooted], advisor: Advisor | None
) -> RootCluster:
    cases = tuple(each.case for each in members)
    return RootCluster(
        id=name,
        cause=cause,
        root=root,
        cases=cases,
        proven=tuple(each.case for each in members if each.diagnosis.repair is not None),
        flips=tuple(each.case for each in members if _flips(each.diagnosis)),
        suggestion=advisor.suggest(cause, root, cases) if advisor is not None else None,
    )


def _flips(diagnosis: Diagnosis) -> bool:
    """Whether the repair of this one root was run, and gave the gold's result."""
    if diagnosis.repair is None or len(diagnosis.causes) != 1:
        return False
    return diagnosis.causes[0] in _ONE_MENDS_ALL or len(diagnosis.repair.edits) == 1


def _ids(keys: Iterable[tuple[Cause, str]]) -> dict[tuple[Cause, str], str]:
    """A short name for each root; names that two roots would share get a part of their hash."""
    names = {key: _name(*key) for key in keys}
    shared = Counter(names.values())
    return {
        key: name if shared[name] == 1 else f"{name}-{_hash(key[1])}" for key, name in names.items()
    }


def _name(cause: Cause, root: str) -> str:
    what = root.partition(": ")[2]
    if what and what.isidentifier():
        lead = "define" if cause is Cause.UNDEFINED_METRIC_DRIFT else cause.value
        return f"{lead}-{what.lower().replace('_', '-')}"
    return f"{cause.value}-{_hash(root)}" if what else cause.value


def _hash(root: str) -> str:
    return hashlib.sha256(root.encode()).hexdigest()[:4]


def relabel(
    clusters: Sequence[FailureCluster], labels: Mapping[str, Cause], order: Sequence[str]
) -> tuple[FailureCluster, ...]:
    """The same failures, those that a person labelled moved to where the label says.

    `labels` has a cause by case id; a case that is in no cluster stays out.
    """
    known = {case for cluster in clusters for case in cluster.cases}
    moved = {case: cause for case, cause in labels.items() if case in known}
    if not moved:
        return tuple(clusters)
    kept = {cluster.mode: _without(cluster, moved) for cluster in clusters}
    places = {case: place for place, case in enumerate(order)}
    for cause in sorted(set(moved.values()), key=tuple(Cause).index):
        cases = sorted(
            (case for case in moved if moved[case] is cause), key=lambda case: places.get(case, 0)
        )
        mode = parent_of(cause)
        old = kept.get(mode) or FailureCluster(mode=mode, count=0, cases=())
        kept[mode] = _with(old, cause, cases, places)
    return _ranked(kept.values())


def _without(cluster: FailureCluster, moved: Mapping[str, Cause]) -> FailureCluster:
    cases = tuple(case for case in cluster.cases if case not in moved)
    roots = [_root_without(each, moved) for each in cluster.clusters]
    return replace(
        cluster,
        count=cluster.count - (len(cluster.cases) - len(cases)),
        cases=cases,
        clusters=tuple(each for each in roots if each.cases),
    )


def _root_without(cluster: RootCluster, moved: Mapping[str, Cause]) -> RootCluster:
    def left(cases: Iterable[str]) -> tuple[str, ...]:
        return tuple(case for case in cases if case not in moved)

    return replace(
        cluster,
        cases=left(cluster.cases),
        proven=left(cluster.proven),
        flips=left(cluster.flips),
    )


def _with(
    cluster: FailureCluster, cause: Cause, cases: Sequence[str], places: Mapping[str, int]
) -> FailureCluster:
    labelled = RootCluster(
        id=f"labelled-{cause.value}",
        cause=cause,
        root=f"{cause.value}: labelled by a person",
        cases=tuple(cases),
    )
    roots = sorted((*cluster.clusters, labelled), key=lambda c: (-len(c.cases), -len(c.flips)))
    return replace(
        cluster,
        count=cluster.count + len(cases),
        cases=tuple(sorted((*cluster.cases, *cases), key=lambda case: places.get(case, 0))),
        clusters=tuple(roots),
    )


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
