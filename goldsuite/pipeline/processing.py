"""The process scores of a run: each trial's own, with the fewest calls that were ever enough."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from goldsuite.grading.process import calls_made, score_process
from goldsuite.grading.process_presets import PRESETS
from goldsuite.pipeline.case_record import GradedTrial
from goldsuite.records.fewest_calls import CaseKey

__all__ = ["score_trials"]


def score_trials(
    graded: Sequence[GradedTrial], *, preset: str, earlier: Mapping[CaseKey, int]
) -> tuple[GradedTrial, ...]:
    """The same trials with their process scores.

    Args:
        preset: a name of `PRESETS`.
        earlier: fewest calls that gave a correct answer in earlier runs.
    """
    fewest = dict(earlier)
    for trial in graded:
        calls = calls_made(trial.answer.reply)
        if trial.grade.passed and calls is not None:
            fewest[_key(trial)] = min(calls, fewest.get(_key(trial), calls))
    return tuple(
        replace(
            trial,
            process=score_process(
                trial.case,
                trial.answer.reply,
                fewest_calls=fewest.get(_key(trial)),
                preset=PRESETS[preset],
            ),
        )
        for trial in graded
    )


def _key(trial: GradedTrial) -> CaseKey:
    return trial.case.id, trial.case.question
