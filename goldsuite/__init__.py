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
    "GoldsuiteError": "goldsuite.errors",
    "Prompt": "goldsuite.model.question",
    "Reply": "goldsuite.model.answer",
    "RunRecord": "goldsuite.model.run",
    "compare_result_sets": "goldsuite.grading.result_sets",
    "grade_answer": "goldsuite.grading.verdicts",
    "parse_number": "goldsuite.numbers",
    "read_record": "goldsuite.records.file",
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
