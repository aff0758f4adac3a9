"""A run at the door to the held-out cases: leaks first, then the ledger, then what is recorded."""

from collections.abc import Sequence
from dataclasses import dataclass

from goldsuite.errors import RefusedError
from goldsuite.model.context_state import ContextState
from goldsuite.model.held_out import HeldOutInfo, Leak
from goldsuite.model.question import Trial
from goldsuite.pipeline.held_out import (
    HeldOutDoor,
    HeldOutRequest,
    check_reveal,
    held_out_cases,
    ledger_info,
    ledger_path,
)
from goldsuite.pipeline.release import fingerprint_of, release_of
from goldsuite.pipeline.settings import Settings
from goldsuite.suite.intake import Intake

__all__ = ["HeldOutRun", "leak_lines"]

_NAMED = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldOutRun:
    """What a run needs to ask held-out cases, and what its record says of them."""

    settings: Settings
    request: HeldOutRequest
    intake: Intake
    analyst: str
    """A hash of the analyst as it was asked for, or of the answers that are graded."""
    model: str | None
    context: ContextState | None

    def admit(self, trials: Sequence[Trial]) -> None:
        """See whether a new run may ask these.

        Raises:
            RefusedError: parts of held-out cases among them stand in the context and that was not
                allowed, or the ledger says no.
        """
        if asked := held_out_cases(trials):
            if self.request.reveal:
                check_reveal(ledger_path(self.settings), len(asked), self.request.peek)
            self._refuse_leaks(asked)
            self._door(asked).check()

    def reserve(self, run_id: str, trials: Sequence[Trial]) -> None:
        """Note that the run has started.

        Raises:
            RefusedError: the ledger says no.
        """
        if asked := held_out_cases(trials):
            self._door(asked).reserve(run_id)

    def use(self, run_id: str, trials: Sequence[Trial]) -> None:
        """Count the look; to be called right before the key is opened.

        Raises:
            RefusedError: the ledger says no.
        """
        if asked := held_out_cases(trials):
            self._door(asked).use(run_id)

    def info(self, run_id: str) -> HeldOutInfo | None:
        """For the record; None for a suite without held-out cases."""
        suite = self.intake.questions
        if not any(question.split == "test" for question in suite.questions):
            return None
        return ledger_info(
            ledger_path(self.settings),
            runs_dir=self.settings.runs_dir,
            suite=suite.name,
            run_id=run_id,
            configurations=self.request.configurations,
        )

    def _door(self, asked: tuple[str, ...]) -> HeldOutDoor:
        ledger = ledger_path(self.settings)
        fingerprint = fingerprint_of(analyst=self.analyst, model=self.model, context=self.context)
        return HeldOutDoor(
            ledger=ledger,
            runs_dir=self.settings.runs_dir,
            suite=self.intake.questions.name,
            cases=len(asked),
            release=release_of(
                self.request.release,
                project=self.settings.root,
                ignored=(ledger, self.settings.runs_dir),
                fingerprint=fingerprint,
            ),
            request=self.request,
        )

    def _refuse_leaks(self, asked: tuple[str, ...]) -> None:
        leaks = [leak for leak in self.intake.leaks if leak.case in asked]
        if not leaks or self.request.allow_leaks:
            return
        places = "; ".join(_place(leak) for leak in leaks[:_NAMED])
        more = f"; and {len(leaks) - _NAMED} more" if len(leaks) > _NAMED else ""
        raise RefusedError(
            "what the analyst may read holds parts of held-out cases, so their figure would not "
            f"be honest: {places}{more}. Take them out of the context, or go on with "
            "--allow-leaks: the report then shows accuracy with and without those cases."
        )


def leak_lines(leaks: Sequence[Leak]) -> list[str]:
    """One line for each split whose cases leaked."""
    lines = []
    for split, name in (("train", "train"), ("test", "held-out")):
        found = [leak for leak in leaks if leak.split == split]
        if found:
            cases = len({leak.case for leak in found})
            shown = "; ".join(_place(leak) for leak in found[:3])
            more = f"; and {len(found) - 3} more" if len(found) > 3 else ""
            noun = "case" if cases == 1 else "cases"
            lines.append(f"the context holds parts of {cases} {name} {noun}: {shown}{more}")
    return lines


def _place(leak: Leak) -> str:
    return f"{leak.case} ({leak.kind}, {leak.file}:{leak.line})"
