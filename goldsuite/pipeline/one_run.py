"""One run, whoever answers: an analyst that is asked, or a file in which the answers are already.

`replay:FILE` is read and graded by the path of `goldsuite grade`, so that a file means the same to
both; what only makes sense where somebody is asked is refused.
"""

from pathlib import Path

from goldsuite.analysts.spec import kind_of, read_spec
from goldsuite.errors import UsageError
from goldsuite.pipeline.asking import Display, RunRequest
from goldsuite.pipeline.evaluate import evaluate_suite
from goldsuite.pipeline.grade_file import GradeRequest, grade_file
from goldsuite.pipeline.settings import Settings

__all__ = ["run_once"]


def run_once(settings: Settings, request: RunRequest, display: Display) -> Path:
    """Carry `request` out, and write its record.

    Returns the path of the record.

    Raises:
        UsageError: the answers of a file cannot be had in the way that is asked for.
        GoldsuiteError: whatever else stops the run.
        KeyboardInterrupt: the run can be resumed.
    """
    analyst = settings.analyst or ""
    if kind_of(analyst) != "replay":
        return evaluate_suite(settings, request, display)
    spec = read_spec(analyst)
    if not spec.target:
        raise UsageError("analyst 'replay': name the file of the answers: replay:FILE.")
    _check_replayable(request)
    graded = GradeRequest(
        answers=settings.analyst_base / Path(spec.target).expanduser(),
        split=request.split,
        cases=request.cases,
        tags=request.tags,
        first=request.first,
        changelog=request.changelog,
        held_out=request.held_out,
    )
    return grade_file(settings, graded, display)


def _check_replayable(request: RunRequest) -> None:
    asked = {
        "--resume": request.resume,
        "--repeat": request.repeat > 1,
        "--paraphrases": request.paraphrases,
        "--failed-from": request.failed_from,
        "--errors-from": request.errors_from,
        "--run-cost": request.run_cost is not None,
    }
    for option, given in asked.items():
        if given:
            raise UsageError(
                f"{option} does not go with a replay: nobody is asked, the answers of the file are "
                "graded as they are."
            )
