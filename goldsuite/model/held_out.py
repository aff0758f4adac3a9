"""What a record tells of the held-out cases: who looked when, and what of the key leaked."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from goldsuite.model.question import Split

__all__ = ["HeldOutInfo", "Leak", "LeakKind", "ReleaseBasis", "TrainAgainstTest"]

ReleaseBasis: TypeAlias = Literal["option", "git tag", "git commit", "fingerprint"]
"""Where a release's name comes from; the fingerprint is one of context, model and prompt."""

LeakKind: TypeAlias = Literal["gold SQL", "gold value", "question", "case id"]


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutInfo:
    """The ledger of looks at the held-out cases, as it stood when the record was written."""

    ledger: str
    """Its place, relative to the folder of the records."""
    length: int
    """Lines of it; 0 where there was none yet."""
    head: str
    """Hash of its last line; hex, empty where there was none."""
    looks: int
    """At the held-out cases so far, this run's included."""
    look: int | None = None
    """Which of them this run was, 1-based; None for a run that asked no held-out case."""
    release: str | None = None
    basis: ReleaseBasis | None = None
    peek: str | None = None
    """The reason that was given with `--peek`; None where none was."""
    configurations: int = 1
    """Analysts that one command asked, which are one look together."""
    problems: tuple[str, ...] = ()
    """What was found wrong with the ledger; whole sentences."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Leak:
    """One place where what the analyst may read holds a part of a case."""

    case: str
    split: Split
    kind: LeakKind
    file: str
    """As the analyst sees it."""
    line: int
    """1-based."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainAgainstTest:
    """How much better the train cases went than the held-out ones."""

    train_run: str
    """Id of the run that the train figures are of; it may be this very run."""
    same_context: bool
    """Whether both runs read the same context."""
    train_passed: int
    train_gradable: int
    test_passed: int
    test_gradable: int
    """Cases, not trials: of several trials the first counts."""
    difference: float
    """Share of train less that of test."""
    interval: tuple[float, float]
    """Newcombe's, 95 %."""
    p: float
    """Fisher's exact test, two-sided."""
    overfit_likely: bool
    """Train is better, and p is below 0.05."""
