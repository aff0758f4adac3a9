"""Which cases are held out: drawn by a seed, in every stratum alike.

Cases that share a gold query stay on one side: the second would tell the first one's answer.
"""

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from goldsuite.model.question import Split

__all__ = ["Drawn", "draw_splits"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """One case as the draw sees it."""

    id: str
    stratum: Hashable
    """Cases of the same stratum are spread over both sides in the share that was asked for."""
    group: Hashable
    """Cases of one group are never parted."""
    given: Split | None = None
    """What the file says of it, which is kept, and followed by its whole group."""


def draw_splits(cases: Sequence[Drawn], *, test_share: float, seed: int) -> dict[str, Split]:
    """The split of each case, by id; the same for the same cases, share and seed.

    Each stratum gets the share of its cases, rounded; what rounding leaves over is settled by the
    largest remainders, so that the whole has the share as nearly as whole groups allow. Where the
    share is neither 0 nor 1, one case of two or more is held out and one is not.
    """
    splits: dict[str, Split] = {}
    groups: dict[Hashable, list[Drawn]] = defaultdict(list)
    for case in cases:
        groups[case.group].append(case)
    free: dict[Hashable, list[list[Drawn]]] = defaultdict(list)
    for group in groups.values():
        given = next((case.given for case in group if case.given), None)
        if given is None:
            free[group[0].stratum].append(group)
        else:
            splits |= {case.id: case.given or given for case in group}
    quotas = _quotas({name: sum(map(len, found)) for name, found in free.items()}, test_share)
    for stratum, found in free.items():
        splits |= _draw(found, quotas[stratum], seed)
    return splits


def _quotas(sizes: Mapping[Hashable, int], share: float) -> dict[Hashable, int]:
    """How many cases of each stratum are held out, by largest remainder."""
    total = sum(sizes.values())
    wanted = round(total * share)
    if 0 < share < 1 and total > 1:
        wanted = min(max(wanted, 1), total - 1)
    quotas = {name: int(size * share) for name, size in sizes.items()}
    # Ties go to the larger stratum, then by name: never by the order of a hash.
    order = sorted(
        sizes, key=lambda name: (quotas[name] - sizes[name] * share, -sizes[name], str(name))
    )
    position = 0
    while sum(quotas.values()) < wanted:
        name = order[position % len(order)]
        quotas[name] = min(quotas[name] + 1, sizes[name])
        position += 1
    return quotas


def _draw(groups: Sequence[Sequence[Drawn]], quota: int, seed: int) -> dict[str, Split]:
    splits: dict[str, Split] = {}
    for group in sorted(groups, key=lambda group: _lot(group[0].id, seed)):
        # A pair goes where half of it fits, else strata of pairs would hold out too few; but what
        # is all there is goes to train.
        held_out = len(group) <= quota or (0 < len(group) <= 2 * quota and len(groups) > 1)
        quota -= len(group) if held_out else 0
        splits |= dict.fromkeys((case.id for case in group), "test" if held_out else "train")
    return splits


def _lot(case: str, seed: int) -> str:
    """A number that only id and seed decide: further cases change nobody else's."""
    return hashlib.sha256(f"{seed}\n{case}".encode()).hexdigest()
