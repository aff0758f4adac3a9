"""What a gold file says, key by key: the wire model, and the source of the JSON Schema.

It is not what the code passes around: `goldsuite.suite.key` and the checking process turn it into
the frozen objects of `goldsuite.model`.
"""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, TypeAlias, cast, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from goldsuite.model.key import AnswerKind, ExtraColumns, RowOrder
from goldsuite.model.number import DecimalMark
from goldsuite.model.question import Split
from goldsuite.suite import fields

__all__ = ["Case", "Criterion", "Defaults", "Head", "Suite", "wire_schema"]

_SCALAR_SCHEMA: dict[str, Any] = {"type": ["number", "string", "boolean", "null"]}
_GOLD_VALUE_SCHEMA: dict[str, Any] = {
    "anyOf": [
        _SCALAR_SCHEMA,
        {"type": "array", "items": _SCALAR_SCHEMA},
        {"type": "array", "items": {"type": "array", "items": _SCALAR_SCHEMA, "minItems": 1}},
    ]
}
_GOLD_SQL_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
    ]
}
_UNIT_SCHEMA: dict[str, Any] = {
    "anyOf": [{"enum": list(fields.KNOWN_UNITS)}, {"type": "string", "minLength": 1}]
}


def _number_schema(**limits: int) -> WithJsonSchema:
    return WithJsonSchema({"type": "number", **limits})


def _reads(reader: Any) -> BeforeValidator:
    return BeforeValidator(fields.optional(reader))


Text: TypeAlias = Annotated[str, BeforeValidator(fields.read_text)]
_Text: TypeAlias = Annotated[
    str | None, _reads(fields.read_text), WithJsonSchema({"type": ["string", "null"]})
]
_Texts: TypeAlias = Annotated[tuple[str, ...] | None, _reads(fields.read_texts)]
_Flag: TypeAlias = Annotated[bool | None, _reads(fields.read_flag)]
_Date: TypeAlias = Annotated[date | None, _reads(fields.read_date)]
_Tolerance: TypeAlias = Annotated[
    Annotated[Decimal, _number_schema(minimum=0, exclusiveMaximum=1)] | None,
    _reads(fields.read_tolerance),
]
_AbsTolerance: TypeAlias = Annotated[
    Annotated[Decimal, _number_schema(minimum=0)] | None, _reads(fields.read_abs_tolerance)
]


class _Wire(BaseModel):
    # Every field has a reader that is stricter than pydantic's own conversions.
    model_config = ConfigDict(extra="forbid", frozen=True)


class Criterion(_Wire):
    """One line of a rubric."""

    criterion: Text = Field(description="What a good answer does.")
    weight: Annotated[
        Decimal, BeforeValidator(fields.read_weight), _number_schema(exclusiveMinimum=0)
    ] = Field(
        default=Decimal(1), description="Its weight in the score; above 0, and 1 if not given."
    )


def _read_rubric(raw: object) -> object:
    if not isinstance(raw, list) or not all(isinstance(item, dict) for item in raw):
        raise ValueError("a list of criteria is expected. Write `- criterion: ...` lines.")
    return tuple(raw)


class Defaults(_Wire):
    """What holds for every case that does not say otherwise; null in a case takes it back."""

    tolerance: _Tolerance = Field(
        default=None,
        description="Relative and inclusive: 0.005 means 0.5 %, 0 exact. Without it 0.005 holds, "
        "and 0 where `unit` is count.",
    )
    abs_tolerance: _AbsTolerance = Field(
        default=None,
        description="Absolute and inclusive, in the gold's own unit. The larger tolerance decides.",
    )
    unit: Annotated[
        Annotated[str, WithJsonSchema(_UNIT_SCHEMA)] | None, _reads(fields.read_unit)
    ] = Field(
        default=None,
        description="What the number counts: count, currency, rate, percent, days and so on.",
    )
    currency: Annotated[
        Annotated[str, WithJsonSchema({"type": "string", "pattern": "^[A-Za-z]{3}$"})] | None,
        _reads(fields.read_currency),
    ] = Field(default=None, description="ISO 4217 code, such as EUR.")
    decimal_mark: Annotated[
        Annotated[DecimalMark, WithJsonSchema({"enum": list(get_args(DecimalMark))})] | None,
        _reads(fields.read_decimal_mark),
    ] = Field(
        default=None,
        description='Which mark is decimal in the numbers of answers: "." or ",". Without it, or '
        "with auto, a rule tells it from the number: 1,234 is 1234, and 1.234 is 1.234.",
    )
    # Not shown: whoever takes `answer` for the right answer writes gold there.
    answer: Annotated[AnswerKind | None, _reads(fields.one_of(AnswerKind, shown=False))] = Field(
        default=None,
        description="The shape of the right answer. Without it, it is seen from the gold result. "
        "refusal: declining is right. clarify: asking back is right.",
    )
    null_is_zero: _Flag = Field(default=None, description="Whether a NULL gold means 0.")
    allow_null: _Flag = Field(
        default=None, description="Whether NULL is a right gold; else such a gold is an error."
    )
    row_order: Annotated[RowOrder | None, _reads(fields.one_of(RowOrder))] = Field(
        default=None,
        description="Whether the order of rows counts. Without it, only where the gold orders.",
    )
    extra_columns: Annotated[ExtraColumns | None, _reads(fields.one_of(ExtraColumns))] = Field(
        default=None, description="Whether an answer may have more columns than the gold."
    )
    accept_rounding: _Flag = Field(
        default=None, description="Whether a correct rounding outside the tolerance passes."
    )
    case_sensitive: _Flag = Field(
        default=None, description="Whether upper and lower case count in texts; true by default."
    )
    must_pass: _Flag = Field(
        default=None, description="Whether a release fails if this case is not correct."
    )
    metric: _Text = Field(default=None, description="The metric that the question asks for.")
    tags: _Texts = Field(
        default=None, description="Words to select and report by. A case's own replace these."
    )
    difficulty: _Text = Field(default=None, description="A word of your own, such as hard.")
    verified_by: _Text = Field(default=None, description="Who trusts this gold.")
    verified_at: _Date = Field(default=None, description="Since when: a day such as 2025-12-31.")
    expected_tools: _Texts = Field(
        default=None, description="Tools that a good run uses. Measured apart from accuracy."
    )
    expected_skills: _Texts = Field(
        default=None, description="Skills that a good run activates. Apart from accuracy."
    )
    max_turns: Annotated[
        Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1})] | None,
        _reads(fields.read_turns),
    ] = Field(default=None, description="Turns within which a good run ends.")
    rubric: Annotated[tuple[Criterion, ...] | None, _reads(_read_rubric)] = Field(
        default=None, description="Criteria for a judge. Never decides about the number."
    )
    target: _Text = Field(
        default=None,
        description="What skill or agent the case tries, to report by. Without it, its first "
        "expected skill.",
    )


class Case(Defaults):
    """One question with its trusted answer."""

    # Whether these three are there is checked apart: a case without one is still read and checked.
    model_config = ConfigDict(json_schema_extra={"required": ["id", "question", "split"]})

    id: Annotated[str, BeforeValidator(fields.read_id)] = Field(
        default="", description="Unique in the file; one line without / and \\."
    )
    question: Text = Field(default="", description="What the analyst is asked, word for word.")
    split: Annotated[
        Split | None,
        BeforeValidator(fields.one_of(Split)),
        WithJsonSchema({"enum": list(get_args(Split))}),
    ] = Field(
        default=None, description="train: iterated on. test: held out, run once before a release."
    )
    gold_sql: Annotated[
        Annotated[tuple[str, ...], WithJsonSchema(_GOLD_SQL_SCHEMA)] | None,
        BeforeValidator(fields.read_gold_sql),
    ] = Field(
        default=None,
        description="The trusted read-only query, or a list of which any is right. "
        "Only cases with `answer: refusal` or `clarify` go without, and those scored by process "
        "or judge alone.",
    )
    gold_value: Annotated[
        Any, BeforeValidator(fields.read_gold_value), WithJsonSchema(_GOLD_VALUE_SCHEMA)
    ] = Field(
        default=None,
        description="A stored reference: one value, or rows [[a, 1], [b, 2]]. The gold is "
        "recomputed by running `gold_sql`; this only shows drift.",
    )
    paraphrases: _Texts = Field(
        default=None, description="The same question in other words, for reliability."
    )
    success_criteria: _Text = Field(
        default=None, description="What a good answer does: a rubric of one criterion."
    )
    note: _Text = Field(default=None, description="For people; never shown to the analyst.")

    def under(self, defaults: Defaults) -> "Case":
        """This case with what `defaults` say and it does not."""
        missing = defaults.model_fields_set - self.model_fields_set
        if not missing:
            return self
        return self.model_copy(update={name: getattr(defaults, name) for name in missing})


class Head(_Wire):
    """What stands at the top of the file, beside the cases and their defaults."""

    name: _Text = Field(default=None, description="How reports call the suite.")
    as_of: _Date = Field(
        default=None,
        description="The day that 'today' means: told to the analyst, and put in place of clock "
        "functions.",
    )


class Suite(Head):
    """A gold file for goldsuite: questions whose answers a team trusts."""

    defaults: Defaults | None = Field(
        default=None, description="Values for every case that does not give its own."
    )
    cases: tuple[Case, ...] = Field(min_length=1, description="The questions, in your order.")


def wire_schema() -> dict[str, Any]:
    """The JSON Schema of a gold file (draft 2020-12)."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Gold file"}
    return schema | cast("dict[str, Any]", _plain(Suite.model_json_schema()))


def _plain(node: Any, *, names: bool = False) -> Any:
    """Without the titles that repeat a key, and the defaults, which only say "not given"."""
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    noise = frozenset[str]() if names else frozenset({"title", "default"})
    return {
        key: _plain(value, names=key in {"properties", "$defs"})
        for key, value in node.items()
        if key not in noise
    }
