"""A suite as promptfoo tests or as an inspect_ai dataset: JSON with the stored values as targets.

Both compare more coarsely than goldsuite does: the stored value is written, not the query's
result, and a table is left to the reader. Sources:
https://www.promptfoo.dev/docs/configuration/test-cases, https://inspect.aisi.org.uk/datasets.html.
"""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from goldsuite.model.key import GoldCase, GoldValue

__all__ = ["inspect_dataset", "promptfoo_tests"]


def promptfoo_tests(cases: Sequence[GoldCase]) -> str:
    """A list for `tests: file://...`; the prompt asks `{{question}}`."""
    return _dumped(
        [
            {
                "description": case.id,
                "vars": {"question": case.question},
                "assert": _assertions(case),
                "metadata": _metadata(case),
            }
            for case in cases
        ]
    )


def inspect_dataset(cases: Sequence[GoldCase]) -> str:
    """What `json_dataset` reads without a field specification."""
    return _dumped(
        [
            {
                "id": case.id,
                "input": case.question,
                "target": _target(case),
                "metadata": _metadata(case),
            }
            for case in cases
        ]
    )


def _assertions(case: GoldCase) -> list[dict[str, str]]:
    value = case.gold_value
    found = [{"type": "llm-rubric", "value": line.criterion} for line in case.rubric]
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        margin = max(abs(Decimal(value)) * case.tolerance, case.abs_tolerance or Decimal(0))
        # Number("") is 0 in JavaScript: saying nothing must not pass where 0 is right.
        test = (
            "String(output).trim() !== '' && "
            f"Math.abs(Number(output) - ({Decimal(value):f})) <= {margin:f}"
        )
        found.insert(0, {"type": "javascript", "value": test})
    elif value is not None and not isinstance(value, tuple):
        found.insert(0, {"type": "equals", "value": _text(value)})
    return found


def _target(case: GoldCase) -> str:
    if case.gold_value is None:
        return ""
    return _text(case.gold_value)


def _text(value: GoldValue) -> str:
    if isinstance(value, tuple):
        return json.dumps([[_cell(cell) for cell in row] for row in value], ensure_ascii=False)
    return str(_cell(value)).lower() if isinstance(value, bool) else str(_cell(value))


def _cell(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value, "f")
    known = value is None or isinstance(value, (bool, int, str))
    return value if known else value.isoformat()


def _metadata(case: GoldCase) -> dict[str, Any]:
    return {
        "id": case.id,
        "gold_sql": list(case.gold_sql),
        "gold_value": _cell(case.gold_value)
        if not isinstance(case.gold_value, tuple)
        else [[_cell(cell) for cell in row] for row in case.gold_value],
        "tolerance": format(case.tolerance, "f"),
        "unit": case.unit,
        "tags": list(case.tags),
        "difficulty": case.difficulty,
    }


def _dumped(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
