"""The key: what the right answer to each case is. Opened only after the answers are locked."""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypeAlias

from goldsuite.model.number import DecimalMark

AnswerKind: TypeAlias = Literal["number", "text", "date", "boolean", "table", "refusal", "clarify"]
"""What shape the right answer has. A `table` is any number of rows and columns, a list included."""

RowOrder: TypeAlias = Literal["required", "ignored"]
ExtraColumns: TypeAlias = Literal["allowed", "refused"]

GoldScalar: TypeAlias = int | Decimal | str | bool | date | datetime | None
GoldValue: TypeAlias = GoldScalar | tuple[tuple[GoldScalar, ...], ...]
"""The stored reference: one value, or rows. Numbers are int or Decimal, never float."""

DEFAULT_TOLERANCE = Decimal("0.005")
"""Relative; for `unit: count` the default is 0 (exact)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Criterion:
    """One line of a rubric."""

    criterion: str
    weight: Decimal


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldCase:
    """What the suite says about the right answer to one case, defaults of the suite applied."""

    id: str
    question: str
    line: int
    """Where the case starts in the suite file, 1-based."""
    gold_sql: tuple[str, ...]
    """Any of them is right. Empty for `answer: refusal` or `clarify`, and for cases that are scored
    by process or judge alone."""
    gold_value: GoldValue = None
    """The stored reference, a sanity check only: the gold is recomputed by running `gold_sql`."""
    has_gold_value: bool = False
    """True where the file gives `gold_value` (it may be null)."""
    tolerance: Decimal = DEFAULT_TOLERANCE
    """Relative, inclusive; 0 means exact."""
    tolerance_given: bool = False
    """True where the case or the suite's defaults name a tolerance (0 counts as named)."""
    abs_tolerance: Decimal | None = None
    """Absolute, inclusive, in the gold's own unit. With both, the larger one decides."""
    unit: str | None = None
    currency: str | None = None
    """ISO 4217 code, upper case."""
    decimal_mark: DecimalMark = "auto"
    """In the answer's own numbers; what a warehouse returns is read by the documented rule."""
    answer: AnswerKind | None = None
    """None: seen from the gold result."""
    null_is_zero: bool = False
    allow_null: bool = False
    row_order: RowOrder | None = None
    """None: required only where the gold's top-level query orders."""
    extra_columns: ExtraColumns | None = None
    accept_rounding: bool = False
    must_pass: bool = False
    case_sensitive: bool = True
    metric: str | None = None
    tags: tuple[str, ...] = ()
    difficulty: str | None = None
    note: str | None = None
    verified_by: str | None = None
    verified_at: date | None = None
    paraphrases: tuple[str, ...] = ()
    expected_tools: tuple[str, ...] = ()
    expected_skills: tuple[str, ...] = ()
    max_turns: int | None = None
    rubric: tuple[Criterion, ...] = ()
    """Of `success_criteria` too, as one criterion."""
    target: str | None = None
    """What skill or agent the case tries; without a word of the suite, its first expected skill."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldSuite:
    """The key half of one gold file."""

    name: str
    file: str
    sha256: str
    """Of the file's bytes when the key was read; hex."""
    as_of: date | None
    cases: tuple[GoldCase, ...]
    """In the order of the file."""
    by_id: dict[str, GoldCase] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {case.id: case for case in self.cases})
