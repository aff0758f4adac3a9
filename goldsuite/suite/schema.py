"""The JSON Schema of a gold file, as it ships: an editor completes and checks with it.

`python -m goldsuite.suite.schema` writes it anew after a change of the wire model.
"""

import json
from importlib.resources import files
from pathlib import Path

__all__ = ["generated_schema_text", "schema_text"]

_NAME = "gold-file.schema.json"


def schema_text() -> str:
    """The schema that ships with the package, as JSON text."""
    return (files("goldsuite.suite") / _NAME).read_text(encoding="utf-8")


def generated_schema_text() -> str:
    """The schema of the wire model as it is now."""
    # pydantic is dear to import, and whoever reads the shipped text does without.
    from goldsuite.suite.wire import wire_schema

    return json.dumps(wire_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name(_NAME).write_text(generated_schema_text(), encoding="utf-8")
