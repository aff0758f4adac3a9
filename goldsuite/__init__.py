"""goldsuite: how good is your analyst agent?

Public names resolve on first use, so that importing an analyst never loads the key.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME_OF = {
    "Analyst": "goldsuite.analysts.base",
    "AnalystError": "goldsuite.errors",
    "AnalystSource": "goldsuite.analysts.base",
    "Column": "goldsuite.model.result_set",
    "ComparisonPolicy": "goldsuite.grading.result_sets",
    "Execution": "goldsuite.model.result_set",
    "GoldCase": "goldsuite.model.key",
    "GoldsuiteError": "goldsuite.errors",
    "Prompt": "goldsuite.model.question",
    "Reply": "goldsuite.model.answer",
    "ResultSet": "goldsuite.model.result_set",
    "RunRecord": "goldsuite.model.run",
    "Tolerance": "goldsuite.grading.tolerance",
    "cases_frame": "goldsuite.records.frame",
    "compare_result_sets": "goldsuite.pipeline.frames",
    "grade_answer": "goldsuite.grading.verdicts",
    "load_runs": "goldsuite.records.load_runs",
    "parse_number": "goldsuite.numbers",
    "read_record": "goldsuite.records.file",
    "result_set_from_frame": "goldsuite.records.frame",
}

__all__ = ["__version__", *sorted(_HOME_OF)]  # noqa: PLE0604 - pinned by a test


def __getattr__(name: str) -> Any:
    try:
        home = _HOME_OF[name]
    except KeyError:
        raise AttributeError(f"module 'goldsuite' has no attribute {name!r}") from None
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return list(__all__)
