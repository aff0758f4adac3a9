"""The JSON Schema of a record file, as it ships: for programs that read records without us.

`python -m goldsuite.records.schema` writes it anew after a change of the model.
"""

import ast
import inspect
import json
import sys
from collections.abc import Collection
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["generated_schema_text", "schema_text"]

_NAME = "run-record.schema.json"


def schema_text() -> str:
    """The schema that ships with the package, as JSON text."""
    return (files("goldsuite.records") / _NAME).read_text(encoding="utf-8")


def generated_schema_text() -> str:
    """The schema of the model as it is now, with what the model says of each field."""
    return json.dumps(_schema(), indent=2, ensure_ascii=False) + "\n"


def _schema() -> dict[str, Any]:
    # pydantic is dear to import, and whoever reads the shipped text does without.
    from pydantic import TypeAdapter

    import goldsuite.model.run as run
    from goldsuite.model.run import SCHEMA_VERSION, RunRecord

    # As a reader sees it: what has a default may be missing in a record of an earlier version.
    schema = TypeAdapter(RunRecord).json_schema(mode="validation")
    definitions: dict[str, Any] = schema["$defs"]
    named = [each.__module__ for each in vars(run).values() if isinstance(each, type)]
    models = {sys.modules[name] for name in named if name.startswith("goldsuite.model.")}
    for name, fields in _described(models).items():
        target = schema if name == RunRecord.__name__ else definitions.get(name)
        for field, text in fields.items():
            if target is not None and field in target.get("properties", {}):
                target["properties"][field]["description"] = text
    schema["properties"]["schema_version"] = {"const": SCHEMA_VERSION, "type": "integer"}
    schema["required"] = ["schema_version", *schema["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Run record of goldsuite",
        "description": "One finished run. What was not measured is null or missing, never 0.",
    } | {key: value for key, value in schema.items() if key not in {"title", "description"}}


def _described(modules: Collection[ModuleType]) -> dict[str, dict[str, str]]:
    """By class and field, the text that stands below the field in the code."""
    found: dict[str, dict[str, str]] = {}
    for module in modules:
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = dict(_fields(node))
    return found


def _fields(node: ast.ClassDef) -> list[tuple[str, str]]:
    return [
        (field.target.id, " ".join(text.value.value.split()))
        for field, text in zip(node.body, node.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    ]


if __name__ == "__main__":
    Path(__file__).with_name(_NAME).write_text(generated_schema_text(), encoding="utf-8")
