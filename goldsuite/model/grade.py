"""Verdicts, and how an answer matched."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from goldsuite.model.key import AnswerKind, GoldValue


class Verdict(StrEnum):
    """Every selected case has exactly one."""

    CORRECT = "correct"
    WRONG = "wrong"
    NO_ANSWER = "no_answer"
    UNPARSEABLE = "unparseable"
    ANALYST_ERROR = "analyst_error"
    NOT_GRADABLE = "not_gradable"
    GOLD_ERROR = "gold_error"
    NO_GOLD = "no_gold"
    """The case is scored by process or judge alone, whatever was answered."""


FAILED = frozenset({Verdict.WRONG, Verdict.NO_ANSWER, Verdict.UNPARSEABLE})
ERRORS = frozenset({Verdict.ANALYST_ERROR, Verdict.NOT_GRADABLE})
OUTSIDE = frozenset({Verdict.GOLD_ERROR, Verdict.NO_GOLD})
"""Those that leave the accuracy: the case cannot be graded, for no analyst."""

Matched: TypeAlias = Literal["exact", "within_tolerance", "unit_adjusted", "rounded"]
QueryDiff: TypeAlias = Literal["identical", "changed"]
Faithfulness: TypeAlias = Literal["supported", "unsupported", "not_checkable"]


class Component(StrEnum):
    """The clauses in which two queries are compared."""

    SELECT = "select"
    FROM = "from"
    JOINS = "joins"
    WHERE = "where"
    GROUP_BY = "group_by"
    HAVING = "having"
    ORDER_BY = "order_by"
    LIMIT = "limit"
    SET_OPERATIONS = "set_operations"


@dataclass(frozen=True, kw_only=True, slots=True)
class Similarity:
    """Closeness of two SQL texts; says nothing about equivalence."""

    query_diff: QueryDiff
    query_similarity: float
    """Jaccard overlap of the two sets of tokens, 0 to 1."""
    parsed: bool
    """False where one of the texts is no SQL of the dialect, and raw tokens were compared."""
    gold_index: int = 0
    """Which of several golds was nearest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PartialScore:
    """How many cells of a table agree; reported beside the verdict, never instead of it."""

    precision: float
    """Matched cells over the cells of the answer, 0 to 1."""
    recall: float
    """Matched cells over the cells of the gold, 0 to 1."""
    f1: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Grade:
    """The verdict on one trial, with all that led to it."""

    verdict: Verdict
    kind: AnswerKind | None
    """What was asked for; None where the gold failed before that was known."""
    passed: bool
    """True for `correct`, and for a `no_answer` where refusing was right."""
    matched: Matched | None
    """None unless `passed` by value."""
    reason: str
    """One sentence: why this verdict; for a failure it names what differs."""
    gold_value: GoldValue
    """Recomputed. None also where it is NULL, or the gold failed."""
    execution_match: bool | None
    """Whether the analyst's SQL gives the gold; None where there is no SQL or it did not run."""
    faithfulness: Faithfulness
    gold_sql_index: int = 0
    """Which of several golds the answer matched, else the first."""
    flags: tuple[str, ...] = ()
    """Sorted codes, such as `loose_count` or `extra_columns`; the docs list them."""
    mismatches: tuple[str, ...] = ()
    """For a result that differs: its codes, such as `row_count` or `value`, in a fixed order."""
    partial_score: PartialScore | None = None
    """For a table whose rows were compared."""
