"""`goldsuite compare --run A.toml B.toml`: two configurations, the same questions, in turns."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldsuite.errors import RunStoppedError, UsageError
from goldsuite.runner.limits import ErrorLimit, Limits

if TYPE_CHECKING:
    from goldsuite.model.run import RunRecord

__all__ = ["Questions", "run_and_read"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Questions:
    """What both are asked, in the user's words."""

    cases: tuple[str, ...]
    tags: tuple[str, ...]
    first: int | None
    repeat: int
    paraphrases: bool
    max_cost: Decimal | None
    """US dollars for each of the two."""


def run_and_read(
    files: Sequence[str], questions: Questions, places: Mapping[str, Any], *, plain: bool
) -> tuple["RunRecord", "RunRecord"]:
    """Run the configurations in `files` on the train split, and read their records.

    Each file has the keys of goldsuite.toml, and says what it has otherwise than that.

    Args:
        files: two of them.
        questions: what is asked.
        places: options that hold for both, by the name of their setting.
        plain: whether progress is told in plain lines.

    Raises:
        UsageError: there are not two files.
    """
    if len(files) != 2:
        raise UsageError(
            "compare --run takes two configuration files: goldsuite compare --run A.toml B.toml"
        )
    from goldsuite.cli.progress import progress_display
    from goldsuite.pipeline.asking import RunRequest
    from goldsuite.pipeline.context_compare import Configuration, run_both
    from goldsuite.pipeline.settings import read_settings
    from goldsuite.records.file import read_record

    one, two = (
        Configuration(
            name=Path(file).name if Path(files[0]).name != Path(files[1]).name else file,
            settings=read_settings(places, folder=Path.cwd(), over=Path(file)),
        )
        for file in files
    )
    request = RunRequest(
        split="train",
        cases=questions.cases,
        tags=questions.tags,
        first=questions.first,
        repeat=questions.repeat,
        paraphrases=questions.paraphrases,
        limits=Limits(max_cost=questions.max_cost, max_errors=ErrorLimit.parse("0.05")),
    )
    with progress_display(sys.stderr, plain=plain) as display:
        try:
            paths = run_both((one, two), request, display)
        except (KeyboardInterrupt, RunStoppedError):
            if display.run_id is not None:
                display.say(
                    "what was answered is kept in both runs; make the comparison anew, or finish "
                    "each with `goldsuite eval --resume RUN` and the settings of its file"
                )
            raise
    first, second = map(read_record, paths)
    print(f"records: {first.run_id}, {second.run_id}", file=sys.stderr)
    return first, second
