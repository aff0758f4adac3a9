"""The run record: everything that reports, comparisons and trends need, and nothing else."""

from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from typing import Any, Literal, TypeAlias

from goldsuite.model.answer import ErrorSource
from goldsuite.model.coincidence import Coincidence
from goldsuite.model.context_state import ContextState
from goldsuite.model.diagnosis import CaseLabel, Diagnosis, FailureCluster, FailureMode
from goldsuite.model.grade import Component, Faithfulness, Matched, PartialScore, QueryDiff, Verdict
from goldsuite.model.held_out import HeldOutInfo, Leak, TrainAgainstTest
from goldsuite.model.judge import JudgeFigures, JudgeInfo, JudgeResult
from goldsuite.model.number import DecimalMark
from goldsuite.model.process import ProcessFigures, ProcessScores
from goldsuite.model.question import Split

__all__ = [
    "SCHEMA_VERSION",
    "Aggregate",
    "CallRecord",
    "CaseRecord",
    "ContextState",
    "DoorExecutions",
    "Environment",
    "Executions",
    "JsonScalar",
    "JsonValue",
    "RunRecord",
    "RunSplit",
    "SuiteInfo",
    "TagFigures",
    "WarehouseInfo",
]

SCHEMA_VERSION = 2
"""Of the record file. A record with a greater number is refused by this version."""

RunSplit: TypeAlias = Literal["train", "test", "all"]

JsonScalar: TypeAlias = int | float | str | bool | None
JsonValue: TypeAlias = JsonScalar | list[list[JsonScalar]]
"""A gold value in the file: a number where a double holds it exactly, else its text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteInfo:
    name: str
    file: str
    """As the user named it."""
    sha256: str
    """Of the file that the questions were taken from."""
    sha256_at_grading: str
    """Of the file that the key was read from; another value means that it was edited meanwhile."""
    cases: int
    """In the whole file."""
    as_of: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class WarehouseInfo:
    dialect: str
    """sqlglot's name."""
    engine: str
    """Name and version."""
    url: str
    """Secrets masked."""
    time_zone: str | None = None
    """Of the sessions of both doors; None where the engine could not be held to one."""
    snapshot: str | None = None
    """What kept gold and analyst SQL on one state of the data, as in `warehouse.base`; None in
    records that were written before this was told."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DoorExecutions:
    """The statements of one door at grading."""

    asked: int
    """By all cases together, and for a second look at the golds."""
    executed: int
    """Each distinct statement of the cases once, also one that failed, and every second look."""
    cache_hits: int
    """Asked again, and answered with what the first execution gave: asked - executed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Executions:
    """What the warehouse was asked at grading; the catalog is not counted."""

    gold: DoorExecutions
    analyst: DoorExecutions


@dataclass(frozen=True, kw_only=True, slots=True)
class Environment:
    goldsuite: str
    python: str
    platform: str
    packages: dict[str, str]
    """Version of each package that grading depends on."""
    git_revision: str | None
    """Of the folder that holds the suite; None outside of a git checkout."""
    git_dirty: bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class TagFigures:
    """Figures over the trials of the cases that have one tag."""

    cases: int
    """Distinct."""
    passed: int
    gradable: int
    accuracy: float | None
    """As in `Aggregate`, and so is its interval."""
    accuracy_interval: tuple[float, float] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Aggregate:
    """Figures over all selected cases; None where nothing was measured."""

    selected: int
    gradable: int
    """Selected, less the cases whose gold failed, and those that have none."""
    passed: int
    failed: int
    errors: int
    gold_errors: int
    verdicts: dict[str, int]
    """Count of every verdict that occurred."""
    accuracy: float | None
    """passed / gradable."""
    accuracy_interval: tuple[float, float] | None
    """Wilson, 95 %."""
    accuracy_graded: float | None
    """passed / (passed + failed)."""
    strict_accuracy: float | None
    """Share of gradable cases that matched exactly, with no adjustment."""
    execution_accuracy: float | None
    """Share of gradable cases whose SQL gives the gold; None where no analyst gave SQL."""
    faithfulness: float | None
    """Share of checkable answers that their own SQL supports."""
    avg_query_similarity: float | None
    avg_latency_ms: float | None
    total_cost: float | None
    """US dollars: of the whole run where that is known, else of the trials that told their cost."""
    costed_trials: int
    cost_per_correct: float | None
    """None unless every trial told its cost, or the run's is known, and at least one passed."""
    cases: int | None = None
    """Distinct cases; `selected` and the other counts are of trials, which are more where cases
    were asked several times. None in records that do not tell."""
    waited_ms: float | None = None
    """All trials' waiting for a service; None where none has one."""
    retries: int | None = None
    exact_match: float | None = None
    """Share of the measured cases whose SQL has every clause of the nearest gold; closeness of
    text, not equivalence."""
    component_match: dict[Component, float] | None = None
    """For each clause the share of cases that have it the same, over those where it was measured;
    clauses that no case has are left out."""
    total_tokens: dict[str, int] | None = None
    """By kind as in `CaseRecord.tokens`, over the trials that told them."""
    correct_roundings: int | None = None
    """Failures that are correct roundings of the gold beside SQL that gives the gold: what
    `accept_rounding` would let pass. None, as the next three, in records that do not tell."""
    right_value_wrong_sql: int | None = None
    """Passed by what was said, while the SQL beside it does not give the gold."""
    right_sql_wrong_value: int | None = None
    """Failed by what was said, while the SQL beside it gives the gold."""
    vacuous: int | None = None
    """Passed since both results are empty, which is weak evidence."""
    without_gold: int = 0
    """Trials that are scored by process or judge alone, and left out of every share above."""
    lucky_passes: int | None = None
    """Right answers whose SQL differs from the gold's on other data; those that a strict run counts
    as failed are among them. None where nothing was examined."""
    process: ProcessFigures | None = None
    """None where no case asks for it."""
    judge: JudgeFigures | None = None
    """None where nobody judged."""
    tags: dict[str, TagFigures] | None = None
    """By tag, sorted; empty where no case has one."""
    slices: dict[str, dict[str, TagFigures]] | None = None
    """By `metric`, `difficulty` and `target`, each as `tags`; what no case has is left out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CallRecord:
    """One call of a tool; its arguments stay in the answers file."""

    name: str
    accepted: bool | None = None
    """False where the tool answered with an error; None where not told."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseRecord:
    """One trial of one case."""

    id: str
    trial: int
    split: Split
    question: str
    tags: tuple[str, ...] = ()
    difficulty: str | None = None
    kind: str | None = None
    """What was asked for: number, text, date, boolean, table, refusal, clarify."""
    verdict: Verdict
    passed: bool
    matched: Matched | None = None
    unit_adjusted: bool = False
    reason: str | None = None
    gold_value: JsonValue = None
    """Recomputed on the live warehouse."""
    gold_stored: JsonValue = None
    """The suite's `gold_value`."""
    gold_drift: str | None = None
    """One sentence where the stored value is no longer the recomputed one."""
    paraphrase: str | None = None
    """What was asked in place of `question`; None where that was asked itself."""
    analyst_value: str | None = None
    """As said."""
    gold_sql: str | None = None
    analyst_query: str | None = None
    query_diff: QueryDiff | None = None
    query_similarity: float | None = None
    exact_match: bool | None = None
    """Whether every clause is that of the nearest gold; None where a text cannot be read."""
    component_match: dict[Component, bool] | None = None
    """The same for each clause that either query has."""
    execution_match: bool | None = None
    mismatches: tuple[str, ...] = ()
    """For a result that differs: codes such as `row_count` or `value`."""
    partial_score: PartialScore | None = None
    """For a table whose rows were compared; beside the verdict, never instead of it."""
    faithfulness: Faithfulness | None = None
    definition_source: str | None = None
    decimal_mark: DecimalMark | None = None
    """What the case settles about the answer's numbers; None where the general rule held."""
    latency_ms: float | None = None
    waited_ms: float | None = None
    """Waiting for a service that limits its rate, which is not in `latency_ms`."""
    retries: int | None = None
    """Requests sent again after a fault of the service."""
    tokens: dict[str, int] | None = None
    """By kind: input, cache_write, cache_write_1h, cache_read, output, and thinking, which is a
    part of output and never added to it. Kinds that were not told are left out."""
    cost: float | None = None
    turns: int | None = None
    tools: tuple[str, ...] | None = None
    calls: tuple[CallRecord, ...] | None = None
    """The same calls with what became of each; None where not told."""
    skills: tuple[str, ...] | None = None
    queries_run: int | None = None
    """Statements that ran for the analyst through a door of ours; None where it has its own."""
    error: str | None = None
    """What broke, for `analyst_error`."""
    error_source: ErrorSource | None = None
    """Whose fault it was."""
    must_pass: bool = False
    failure_mode: FailureMode | None = None
    failure_labels: tuple[FailureMode, ...] = ()
    diagnosis: Diagnosis | None = None
    coincidence: Coincidence | None = None
    """Whether a pass was luck; None where it was not examined, and for what did not pass by SQL."""
    target: str | None = None
    """What skill or agent the case tries."""
    metric: str | None = None
    """The metric that the question asks for, where the suite names it."""
    process: ProcessScores | None = None
    """None where the case asks for none, or the analyst broke."""
    judge: JudgeResult | None = None
    """None where the trial was not judged. Never changes the verdict."""
    flags: tuple[str, ...] = ()
    suspicions: tuple[str, ...] = ()
    """Why the trace looks as if the key had been seen; whole sentences without any gold."""
    lineage: tuple[str, ...] = ()
    """What the tables and columns that the SQL reads show: of what is forbidden or required, and
    of a definition that was claimed; whole sentences."""
    label: CaseLabel | None = None
    """A person's, laid over the record when it is shown; the file itself holds None."""
    case_sha256: str | None = None
    """Of what the suite says of the case, as `goldsuite.suite.case_hash` has it, by which
    `eval --since` sees a change; None in records that do not tell."""
    hidden: bool = False
    """True where gold, SQL and evidence of a held-out case were left out for showing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswersLockInfo:
    """A lock that was lifted when a graded run was resumed for what had ended in an error."""

    answers_sha256: str
    answers_locked_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRecord:
    """One finished run."""

    schema_version: int = SCHEMA_VERSION
    record_sha256: str | None = field(default=None, compare=False)
    """Of all else that the file says, as `goldsuite.records.seal` has it; None until it is written,
    and in records that were written before there was one."""
    altered: bool = False
    """Whether the file was changed after it was written; told by whoever reads it, and kept in
    what is made of it."""
    run_id: str
    started_at: datetime
    key_checked_at: datetime
    """When a separate process checked the file's key half, returning locations only."""
    answers_locked_at: datetime
    key_opened_at: datetime
    finished_at: datetime
    answers_sha256: str
    """Of the locked `answers.jsonl`."""
    earlier_locks: tuple[AnswersLockInfo, ...] = ()
    """Oldest first; not empty means that answers were added after the key had been opened once."""
    split: RunSplit
    selection: dict[str, str] = field(default_factory=dict)
    """Options that narrowed the run (`case`, `tag`, `slice`, `failed_from`, `errors_from`); empty
    for a whole split."""
    repeat: int = 1
    """How often each question was asked."""
    paraphrased: bool = False
    """Whether its paraphrases were asked too, as often each."""
    limits: dict[str, str] = field(default_factory=dict)
    """What the run was held to: `max_cost`, `max_tokens`, `max_errors`, as given."""
    strict: bool = False
    """Whether passes that small databases refute were counted as failed."""
    run_cost: float | None = None
    """US dollars that the user gave for the whole run; the cases then tell no cost."""
    suite: SuiteInfo
    warehouse: WarehouseInfo
    analyst: str
    model: str | None
    isolation: str
    """What kept the key away from the analyst: `in-process`, `directory`, `sandboxed`."""
    analyst_notes: dict[str, str] = field(default_factory=dict)
    process_preset: str | None = None
    """By which parts of the process became one score."""
    judge: JudgeInfo | None = None
    """Who judged it, if anybody did."""
    changelog: str | None
    context_state: ContextState | None
    """None for a run without a context."""
    replayed: bool = False
    regraded_from: str | None = None
    """Id of the run whose locked answers were graded again here; nobody was asked."""
    environment: Environment
    executions: Executions | None = None
    """None in records that were written before this was counted."""
    held_out: HeldOutInfo | None = None
    """None for a suite without held-out cases, and in records that do not tell."""
    leaks: tuple[Leak, ...] = ()
    """Where the context held parts of cases of the suite, whether they were asked or not."""
    train_against_test: TrainAgainstTest | None = None
    """None where the run is no whole test run, or there is no train run to hold against it."""
    aggregate: Aggregate
    failure_modes: tuple[FailureCluster, ...]
    """Ranked by count."""
    cases: tuple[CaseRecord, ...]
    """In the order of the suite, then by trial."""

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row per trial: see `goldsuite.records.frame.cases_frame`."""
        # By name: the model knows neither pandas nor what is built on it.
        return import_module("goldsuite.records.frame").cases_frame(self)
