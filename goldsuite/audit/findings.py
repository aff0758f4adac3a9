"""What an audit of a suite found, as reports show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from goldsuite.audit.coverage import Coverage
from goldsuite.audit.likeness import NearDuplicate, SharedGold
from goldsuite.audit.strength import CaseStrength, suite_score
from goldsuite.model.question import Split

__all__ = ["CaseAudit", "GoldFault", "SplitPower", "SuiteAudit"]


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldFault:
    """Something that is wrong or weak in a gold itself."""

    code: str
    """`broken`, `drifted`, `clock_dependent`, or one of `goldsuite.grading.flags`."""
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseAudit:
    """One case."""

    id: str
    split: Split
    line: int
    faults: tuple[GoldFault, ...]
    strength: CaseStrength | None
    """None where the gold is broken, or there is none."""
    hidden: bool = False
    """Whether what was done to its gold is left out, since it is held out."""

    @property
    def is_weak(self) -> bool:
        """Whether a faulty query would pass."""
        return self.strength is not None and bool(self.strength.survivors)


@dataclass(frozen=True, kw_only=True, slots=True)
class SplitPower:
    """What a comparison of two runs over one split can show."""

    split: Split
    cases: int
    """That enter the accuracy."""
    detectable_gain: float | None
    """The smallest net gain that is shown with probability 0.8; None where none would be."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteAudit:
    """The whole audit."""

    suite: str
    cases: tuple[CaseAudit, ...]
    near_duplicates: tuple[NearDuplicate, ...]
    shared_golds: tuple[SharedGold, ...]
    coverage: Coverage
    power: tuple[SplitPower, ...]
    leaks: tuple[str, ...] = ()
    """What of the key stands in the analyst's context, a line for each split."""

    @property
    def score(self) -> float | None:
        """Mean share of mutants that a case tells from its gold; None where none was tried."""
        return suite_score(_strengths(self.cases))

    @property
    def is_sound(self) -> bool:
        """Whether no gold is broken or has drifted."""
        codes = {fault.code for case in self.cases for fault in case.faults}
        return not codes & {"broken", "drifted"}


def _strengths(cases: Sequence[CaseAudit]) -> list[CaseStrength]:
    return [case.strength for case in cases if case.strength is not None]
