"""The figures of parts of a run: the cases of one metric, one difficulty, one target."""

from collections.abc import Callable, Sequence

from goldsuite.model.run import CaseRecord, TagFigures
from goldsuite.records.tag_figures import figures_by_tag

__all__ = ["slices_of"]

_PARTS: dict[str, Callable[[CaseRecord], str | None]] = {
    "metric": lambda case: case.metric,
    "difficulty": lambda case: case.difficulty,
    "target": lambda case: case.target,
}


def slices_of(cases: Sequence[CaseRecord]) -> dict[str, dict[str, TagFigures]]:
    """By metric, difficulty and target, each sorted by name; what no case has is left out.

    A case that names none is in no slice, so the counts of a part may add up to less than the run.
    """
    found = {part: _figures(cases, name_of) for part, name_of in _PARTS.items()}
    return {part: figures for part, figures in found.items() if figures}


def _figures(
    cases: Sequence[CaseRecord], name_of: Callable[[CaseRecord], str | None]
) -> dict[str, TagFigures]:
    return figures_by_tag(
        (case.id, (name,), case.verdict, case.passed)
        for case in cases
        if (name := name_of(case)) is not None
    )
