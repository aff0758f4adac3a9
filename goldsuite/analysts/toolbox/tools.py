"""What the tools are called, what they take, and what they give back.

A tool's arguments are a pydantic model: the JSON schema that the agent is shown and the check of
what it sends are one thing. Bounds are checked by the tools and not by the schema, because services
that hold a model to a schema know only a part of JSON Schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from goldsuite.nearest import did_you_mean

__all__ = [
    "ARGUMENTS_OF",
    "TOOLS",
    "Arguments",
    "ArgumentsError",
    "DescribeTable",
    "ListContext",
    "ListTables",
    "ReadContext",
    "RunQuery",
    "ToolResult",
    "ToolSpec",
    "read_arguments",
    "shown",
]

_SHOWN_CHARACTERS = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolSpec:
    """One tool as an agent is told of it."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    """JSON Schema of an object, with no keys besides those named."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResult:
    """What a call gave."""

    text: str
    """Bounded in length; what was left out is said in it."""
    ok: bool
    """False where the call failed; the text says why, so that the agent can do better."""


class ArgumentsError(ValueError):
    """The arguments of a call are not what the tool takes; the message is for the agent."""


class Arguments(BaseModel):
    """What one tool takes; the docstring of a subclass is the tool's description."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    tool: ClassVar[str]


class ListTables(Arguments):
    """List the tables and views of the warehouse, with their numbers of rows and comments."""

    tool = "list_tables"

    containing: str | None = Field(
        default=None, description="Only tables whose name or comment contains this text."
    )


class DescribeTable(Arguments):
    """Describe one table: columns with types, comments and sample values, keys, number of rows."""

    tool = "describe_table"

    table: str = Field(description="Name of the table, as list_tables gives it.")


class RunQuery(Arguments):
    """Run one read-only SQL query on the warehouse and see the rows.

    Only the first rows of a large result are shown, and the text says so: aggregate or filter in
    SQL. An error comes back as text, so that the query can be repaired.
    """

    tool = "run_query"

    sql: str = Field(description="One query in the warehouse's own SQL dialect.")


class ListContext(Arguments):
    """List the files that tell about the data: metric dictionary, schema notes, verified queries.

    Read them before defining a metric yourself.
    """

    tool = "list_context"

    containing: str | None = Field(
        default=None, description="Only files whose name contains this text."
    )


class ReadContext(Arguments):
    """Read one file of the context."""

    tool = "read_context"

    file: str = Field(description="Name of the file, as list_context gives it.")
    offset: int = Field(
        default=0, description="Characters to pass over, to go on in a file that was cut."
    )


_ALL: tuple[type[Arguments], ...] = (ListTables, DescribeTable, RunQuery, ListContext, ReadContext)
ARGUMENTS_OF: Mapping[str, type[Arguments]] = {model.tool: model for model in _ALL}


def _spec(model: type[Arguments]) -> ToolSpec:
    schema = model.model_json_schema()
    properties = {
        name: {key: value for key, value in entry.items() if key != "title"}
        for name, entry in schema.get("properties", {}).items()
    }
    return ToolSpec(
        name=model.tool,
        description=" ".join((model.__doc__ or "").split()),
        input_schema={
            "type": "object",
            "properties": properties,
            "required": list(schema.get("required", [])),
            "additionalProperties": False,
        },
    )


TOOLS: tuple[ToolSpec, ...] = tuple(map(_spec, _ALL))


def read_arguments(name: str, arguments: Mapping[str, object]) -> Arguments:
    """The arguments of a call of the tool `name`.

    Raises:
        ArgumentsError: there is no such tool, or it does not take these arguments.
    """
    model = ARGUMENTS_OF.get(name)
    if model is None:
        hint = did_you_mean(name[:_SHOWN_CHARACTERS], ARGUMENTS_OF)
        known = ", ".join(ARGUMENTS_OF)
        raise ArgumentsError(f"there is no tool {shown(name)}.{hint} The tools are: {known}.")
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        faults = [_fault(detail, model) for detail in error.errors(include_url=False)]
        raise ArgumentsError(f"{name}: {'; '.join(faults[:5])}.") from None


def _fault(detail: Any, model: type[Arguments]) -> str:
    place = ".".join(map(str, detail["loc"]))
    match detail["type"]:
        case "missing":
            return f"the argument {place!r} is missing"
        case "extra_forbidden":
            hint = did_you_mean(place[:_SHOWN_CHARACTERS], model.model_fields).rstrip("?")
            known = ", ".join(map(repr, model.model_fields))
            return f"there is no argument {shown(place)};{hint or f' known: {known}'}"
        case "model_type" | "dict_type":
            return f"the arguments are {shown(detail['input'])}, and an object is expected"
    expected = detail["msg"].removeprefix("Input should be ")
    return f"the argument {place!r} is {shown(detail['input'])}, and {expected} is expected"


def shown(value: object) -> str:
    """`value` as a message may quote it."""
    if isinstance(value, str):
        value = value[:_SHOWN_CHARACTERS]  # repr of a megabyte would be one, too
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 1]}…"
