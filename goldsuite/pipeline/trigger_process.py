"""The process that watches how often expected skills are triggered while a run goes on.

    python -m goldsuite.pipeline.trigger_process

Which skills a case expects belongs to the key, and the process that runs analysts must not hold it.
So this one does: it is told of every answer by case and skills, and tells nothing but whether the
run should stop. Its first line of input is
`{"path": ..., "floor": ..., "planned": {case: trials}}`, each further one
`{"id": ..., "trial": ..., "skills": [...] or null, "broke": ...}`. To each it writes one line,
`{"stop": null}` or `{"stop": why}`.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

from goldsuite.grading.process import missing_of
from goldsuite.suite.key import load_key

__all__ = ["Expected", "TriggerTally", "main"]

_EPSILON = 1e-9
"""The mean of shares may miss the floor by a rounding error."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """What one case is to trigger."""

    target: str
    skills: tuple[str, ...]
    trials: int
    """That are planned."""


_Trial: TypeAlias = tuple[str, int]


class TriggerTally:
    """Sees when a target cannot reach the floor any more.

    The best that can still come is that every open trial triggers all of its skills. Where even
    then the mean over the target's cases stays below the floor, the run is past hope; before that,
    a first miss among many cases to come says nothing.
    """

    def __init__(self, expected: Mapping[str, Expected], floor: float) -> None:
        """Hold each target of `expected`, by case id, to `floor`, a share from 0 to 1."""
        self._expected = expected
        self._floor = floor
        self._shares: dict[_Trial, float | None] = {}

    def add(
        self, case: str, trial: int, skills: Sequence[str] | None, *, broke: bool
    ) -> str | None:
        """Count an answer; a text says why the run should stop.

        A trial that broke, or did not tell its skills, was not measured. A later answer to the same
        trial takes the place of the earlier one.
        """
        expected = self._expected.get(case)
        if expected is None:
            return None
        share: float | None = None
        if skills is not None and not broke:
            missing = len(missing_of(expected.skills, skills))
            share = 1 - missing / len(set(expected.skills))
        self._shares[case, trial] = share
        return self._judged(expected.target)

    def _judged(self, target: str) -> str | None:
        best = [
            fmean(shares)
            for case, expected in self._expected.items()
            if expected.target == target and (shares := self._best(case, expected.trials))
        ]
        if not best or fmean(best) >= self._floor - _EPSILON:
            return None
        return (
            f"trigger accuracy over target {target!r} cannot reach --trigger-floor "
            f"{self._floor:g} any more: {fmean(best):.4f} if all that is left triggers its skills. "
            "Look at the skills; to go on all the same, resume it with --trigger-floor 0"
        )

    def _best(self, case: str, trials: int) -> list[float]:
        """A share for each trial of `case`, those not measured left out."""
        told = [share for (name, _), share in self._shares.items() if name == case]
        left = max(trials - len(told), 0)
        return [share for share in told if share is not None] + [1.0] * left


def _open(first: str) -> TriggerTally:
    request = json.loads(first)
    planned = request["planned"]
    expected = {
        case.id: Expected(target=case.target, skills=case.expected_skills, trials=planned[case.id])
        for case in load_key(Path(request["path"])).cases
        if case.id in planned and case.expected_skills and case.target
    }
    return TriggerTally(expected, request["floor"])


def main() -> int:
    """Answer line by line until the input ends."""
    try:
        tally = _open(sys.stdin.readline())
        _write(None)
        for line in sys.stdin:
            said = json.loads(line)
            _write(tally.add(said["id"], said["trial"], said["skills"], broke=said["broke"]))
    except Exception as error:  # noqa: BLE001 - its text may hold the key, and must not reach the parent
        sys.stderr.write(f"{type(error).__name__}\n")
        return 1
    return 0


def _write(stop: str | None) -> None:
    sys.stdout.write(f"{json.dumps({'stop': stop})}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
