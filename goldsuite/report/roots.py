"""Clusters of failures as every format shows them."""

from collections.abc import Iterable
from dataclasses import dataclass

from goldsuite.model.diagnosis import FailureCluster, FailureMode, RootCluster, Suggestion
from goldsuite.report.figures import counted

__all__ = ["RootRow", "root_rows"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RootRow:
    """One cluster, in words."""

    id: str
    mode: FailureMode
    root: str
    count: int
    proof: str
    """How many are proven, and how many this one root mends."""
    suggestion: Suggestion | None
    cases: tuple[str, ...]
    cluster: RootCluster


def root_rows(clusters: Iterable[FailureCluster]) -> tuple[RootRow, ...]:
    """All clusters, the largest first; of equals the one whose mending mends more, then by mode."""
    rows = [_row(root, cluster.mode) for cluster in clusters for root in cluster.clusters]
    return tuple(
        sorted(rows, key=lambda r: (-r.count, -len(r.cluster.flips), -len(r.cluster.proven)))
    )


def _row(root: RootCluster, mode: FailureMode) -> RootRow:
    return RootRow(
        id=root.id,
        mode=mode,
        root=root.root,
        count=len(root.cases),
        proof=_proof(root),
        suggestion=root.suggestion,
        cases=root.cases,
        cluster=root,
    )


def _proof(root: RootCluster) -> str:
    total = len(root.cases)
    if not root.proven:
        return f"{counted(total, 'case')}, no repair proven"
    share = f"{len(root.proven)} of {counted(total, 'case')} proven by a repair that ran"
    if not root.flips:
        return f"{share}; none flips by this alone"
    verb = "flips" if len(root.flips) == 1 else "flip"
    return f"{share}; {len(root.flips)} {verb} if this is fixed"
