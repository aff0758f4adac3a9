"""Was a pass luck? Two queries against each other: a proof first, then many small databases."""

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date

from goldsuite.diagnosis.coincidence.answers import Answers, Difference
from goldsuite.diagnosis.coincidence.calendars import Calendars
from goldsuite.diagnosis.coincidence.databases import Generator, TinyDatabase
from goldsuite.diagnosis.coincidence.domains import domains_of
from goldsuite.diagnosis.coincidence.hints import read_hints
from goldsuite.diagnosis.coincidence.laboratory import Laboratory
from goldsuite.diagnosis.coincidence.local import LocalEngine, LocalLaboratory
from goldsuite.diagnosis.coincidence.minimise import minimise
from goldsuite.diagnosis.coincidence.proof import canonical_text, same_text
from goldsuite.diagnosis.coincidence.shape import Shape, TableKeys, shape_of
from goldsuite.diagnosis.coincidence.showing import shown
from goldsuite.diagnosis.coincidence.stability import is_stable
from goldsuite.diagnosis.coincidence.subject import (
    NotApplicableError,
    Subject,
    TableFinder,
    read_subject,
)
from goldsuite.diagnosis.coincidence.warehouse import WarehouseLaboratory
from goldsuite.model.coincidence import (
    Coincidence,
    CoincidenceMethod,
    CoincidenceVerdict,
    Counterexample,
)
from goldsuite.model.result_set import Execution
from goldsuite.sqltext.parsing import UNREADABLE
from goldsuite.warehouse.base import Catalog

__all__ = ["DEFAULT_DATABASES", "Bounds", "Examiner"]

DEFAULT_DATABASES = 200
_CHECKING_A_PROOF = 40
"""Databases that a proof by sqlglot is checked on: its rules are not free of slips."""
_BROKEN_SHARE = 5
"""For so many databases that keep to all references there is one that does not."""
_LEAST_BROKEN = 10
_MOST_CANDIDATES = 12
"""Databases with a difference that are looked at closely."""
_TRIED_IN_ORDER = 25
_FIRST = 48

_SPENT = "Time or executions were used up before any database was tried."
_NEVER_RAN = "On no small database did both queries run."
_TIED = "They differed only where rows tie and either of them may come first."
_ORDER = "They differ only in the order of the rows."
_NOTHING = "They differ only where no row qualifies: one gives NULL or no row, the other 0."


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """What one examination may take."""

    databases: int = DEFAULT_DATABASES
    """Small databases that keep to all references."""
    warehouse_databases: int = 96
    """The most of them that are written into statements for a warehouse, where each costs more."""
    executions: int = 2_000
    """Statements in a DuckDB of our own, where most judge all databases at once."""
    warehouse_executions: int = 120
    """Statements in the warehouse."""
    deadline_s: float = 15.0
    """After that nothing new is run, and what runs in our DuckDB is stopped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Pair:
    gold: Subject
    analyst: Subject
    shape: Shape
    answers: Answers

    @property
    def both(self) -> tuple[Subject, Subject]:
        return self.gold, self.analyst


class Examiner:
    """Examines the pairs of one run. Safe to use from several threads if `execute` is."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        dialect: str,
        execute: Callable[[str], Execution] | None = None,
        as_of: date | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        """Make ready; nothing is run yet.

        Args:
            dialect: sqlglot's name of the warehouse's.
            execute: the guarded door of the warehouse. On DuckDB it is only asked whether a column
                is unique and for the days of calendars; elsewhere the small databases are written
                into statements for it too. None: nothing is asked of the data, and queries are
                transpiled to DuckDB.
            as_of: what day it is for queries that ask.
        """
        self._dialect = dialect
        self._execute = execute
        self._as_of = as_of
        self._bounds = bounds or Bounds()
        self._find = TableFinder(catalog)
        self._keys = TableKeys(catalog, dialect=dialect, execute=execute)
        self._calendars = Calendars(execute, dialect=dialect)
        self._engine = LocalEngine()

    def close(self) -> None:
        """Give the memory back."""
        self._engine.close()

    def examine(
        self, gold_sql: str, analyst_sql: str, answers: Answers | None = None
    ) -> Coincidence:
        """Look for a database on which the two queries differ; raises nothing.

        Args:
            answers: the case's own comparison; None for equal rows in any order.
        """
        started = time.monotonic()
        if same_text(gold_sql, analyst_sql, self._dialect):
            found = Coincidence(
                verdict=CoincidenceVerdict.PROVEN, databases=0, method="canonical_form"
            )
        else:
            try:
                found = self._examine(gold_sql, analyst_sql, answers or Answers(), started)
            except NotApplicableError as reason:
                found = _not_applicable(f"{str(reason)[:1].upper()}{str(reason)[1:]}.")
            except UNREADABLE:
                found = _not_applicable("The queries are of a kind that sqlglot cannot take apart.")
        elapsed = round(1000 * (time.monotonic() - started), 3)
        return replace(found, elapsed_ms=elapsed)

    def _examine(
        self, gold_sql: str, analyst_sql: str, answers: Answers, started: float
    ) -> Coincidence:
        pair, generator = self._read(gold_sql, analyst_sql, answers)
        forms = [canonical_text(subject) for subject in pair.both]
        is_proven = forms[0] is not None and forms[0] == forms[1]
        bounds = self._bounds
        count = min(_CHECKING_A_PROOF, bounds.databases) if is_proven else bounds.databases
        keeping = generator.keeping(count)
        breaking = (
            [] if is_proven else generator.breaking(max(_LEAST_BROKEN, count // _BROKEN_SHARE))
        )
        deadline = started + bounds.deadline_s
        found = self._try(pair, keeping, breaking, deadline)
        if is_proven and found.verdict is not CoincidenceVerdict.REFUTED:
            return replace(
                found, verdict=CoincidenceVerdict.PROVEN, method="canonical_form", reason=None
            )
        return found

    def _read(self, gold_sql: str, analyst_sql: str, answers: Answers) -> tuple[_Pair, Generator]:
        subjects = [
            read_subject(sql, self._dialect, whose=whose, find=self._find, as_of=self._as_of)
            for sql, whose in ((gold_sql, "gold"), (analyst_sql, "analyst's"))
        ]
        _check_views(*subjects)
        hints = read_hints(subjects, self._keys.keys)
        shape = shape_of(subjects, self._keys, hints.links)
        seed = hashlib.sha256(f"{gold_sql}\0{analyst_sql}".encode()).hexdigest()
        domains = domains_of(shape, hints)
        real = self._calendars.rows(shape, domains, hints)
        generator = Generator(shape, domains, hints, seed=seed, real=real)
        pair = _Pair(gold=subjects[0], analyst=subjects[1], shape=shape, answers=answers)
        return pair, generator

    def _try(
        self,
        pair: _Pair,
        keeping: Sequence[TinyDatabase],
        breaking: Sequence[TinyDatabase],
        deadline: float,
    ) -> Coincidence:
        if self._dialect != "duckdb" and self._execute is not None:
            laboratory = WarehouseLaboratory(
                self._execute, pair.shape, dialect=self._dialect, deadline=deadline,
                executions=self._bounds.warehouse_executions,
            )  # fmt: skip
            most = self._bounds.warehouse_databases
            found = _Trial(pair, laboratory).run(
                keeping[:most], breaking[: max(_LEAST_BROKEN, most // _BROKEN_SHARE)]
            )
            if found.verdict is not CoincidenceVerdict.NOT_APPLICABLE or laboratory.spent:
                return found
        local = LocalLaboratory(
            self._engine, pair.shape, dialect=self._dialect, deadline=deadline,
            executions=self._bounds.executions,
        )  # fmt: skip
        with closing(local):
            return _Trial(pair, local).run(keeping, breaking)


def _check_views(gold: Subject, analyst: Subject) -> None:
    """A view that only one of them reads is made of tables that the other may read."""
    read = [{t.name for t in s.tables if t.kind == "view"} for s in (gold, analyst)]
    for name in sorted(read[0] ^ read[1]):
        raise NotApplicableError(f"only one of the queries reads the view {name!r}")


def _not_applicable(reason: str) -> Coincidence:
    return Coincidence(
        verdict=CoincidenceVerdict.NOT_APPLICABLE, databases=0, method=None, reason=reason
    )


def _stages(count: int) -> list[tuple[int, int]]:
    """A few databases first: most of what can be refuted is refuted by them."""
    return [(0, min(_FIRST, count)), (_FIRST, count)] if count > _FIRST else [(0, count)]


class _Trial:
    """One pair of queries in one laboratory."""

    def __init__(self, pair: _Pair, laboratory: Laboratory) -> None:
        self._pair = pair
        self._laboratory = laboratory
        self._compared = 0
        self._unstable = 0

    def run(self, keeping: Sequence[TinyDatabase], breaking: Sequence[TinyDatabase]) -> Coincidence:
        for databases, verdict in (
            (keeping, CoincidenceVerdict.REFUTED),
            (breaking, CoincidenceVerdict.REFUTED_ONLY_IF_FK_BREAKS),
        ):
            found = self._refute(databases, verdict)
            if found is not None:
                return found
        if not self._compared:
            why = _SPENT if self._laboratory.spent else _NEVER_RAN
            return replace(_not_applicable(why), executions=self._laboratory.executions)
        reason = _TIED if self._unstable else None
        return self._found(CoincidenceVerdict.NOT_REFUTED, reason=reason)

    def _found(
        self,
        verdict: CoincidenceVerdict,
        *,
        counterexample: Counterexample | None = None,
        reason: str | None = None,
    ) -> Coincidence:
        method: CoincidenceMethod = self._laboratory.method
        return Coincidence(
            verdict=verdict,
            databases=self._compared,
            method=method,
            counterexample=counterexample,
            reason=reason,
            executions=self._laboratory.executions,
        )

    def _refute(
        self, databases: Sequence[TinyDatabase], verdict: CoincidenceVerdict
    ) -> Coincidence | None:
        if not databases:
            return None
        for start, end in _stages(len(databases)):
            found = self._refute_stage(databases[start:end], verdict)
            if found is not None:
                return found
        return self._refute_in_order(databases, verdict)

    def _refute_stage(
        self, databases: Sequence[TinyDatabase], verdict: CoincidenceVerdict
    ) -> Coincidence | None:
        differences = self._differences(databases)
        self._compared += sum(difference is not None for difference in differences)
        told = [
            (difference is Difference.NOTHING, database.size, database, difference)
            for database, difference in zip(databases, differences, strict=True)
            if difference is not None and difference is not Difference.NONE
        ]
        told.sort(key=lambda found: found[:2])
        for _, _, database, difference in told[:_MOST_CANDIDATES]:
            proof = self._counterexample(database, difference, verdict)
            if proof is not None:
                reason = _NOTHING if difference is Difference.NOTHING else None
                return self._found(verdict, counterexample=proof, reason=reason)
        return None

    def _refute_in_order(
        self, databases: Sequence[TinyDatabase], verdict: CoincidenceVerdict
    ) -> Coincidence | None:
        """Where order is part of the answer, whether only the order differs."""
        if self._pair.answers.same_in_order is None or not self._laboratory.keeps_order:
            return None
        for database in databases[:_TRIED_IN_ORDER]:
            proof = self._counterexample(database, None, verdict)
            if proof is not None:
                return self._found(verdict, counterexample=proof, reason=_ORDER)
        return None

    def _differences(self, databases: Sequence[TinyDatabase]) -> list[Difference | None]:
        gold, analyst = (self._laboratory.batch(s, databases) for s in self._pair.both)
        return [
            None if ours is None or theirs is None else self._pair.answers.differ(ours, theirs)
            for ours, theirs in zip(gold, analyst, strict=True)
        ]

    def _confirmed(self, database: TinyDatabase, *, ordered: bool) -> Difference | None:
        """The difference that the texts as they are make; None where one of them fails."""
        gold, analyst = (self._laboratory.plain(s, [database])[0] for s in self._pair.both)
        if gold is None or analyst is None:
            return None
        return self._pair.answers.differ(gold, analyst, ordered=ordered)

    def _is_proof(self, database: TinyDatabase, *, ordered: bool) -> bool:
        """Whether the texts as they are differ on it, and not by which of tied rows comes first."""
        if self._confirmed(database, ordered=ordered) in {None, Difference.NONE}:
            return False
        # Where the gold has one order, the analyst's has to be that one, by chance or not.
        subjects = (self._pair.gold,) if ordered else self._pair.both
        tells = all(
            is_stable(self._laboratory, subject, database, self._pair.shape, ordered=ordered)
            for subject in subjects
        )
        self._unstable += not tells
        return tells

    def _counterexample(
        self, database: TinyDatabase, kind: Difference | None, verdict: CoincidenceVerdict
    ) -> Counterexample | None:
        """The smallest part of `database` that tells the queries apart; None: it does not.

        Args:
            kind: how they differ on it; None for the order of their rows alone.
        """
        ordered = kind is None
        if not self._is_proof(database, ordered=ordered):
            return None

        def differ(found: Sequence[TinyDatabase]) -> list[bool]:
            if ordered:
                return [self._confirmed(d, ordered=True) is Difference.VALUE for d in found]
            return [each is kind for each in self._differences(found)] if found else []

        keep = verdict is CoincidenceVerdict.REFUTED
        smallest = minimise(database, self._pair.shape, differ, keep_references=keep)
        if smallest is not database and self._is_proof(smallest, ordered=ordered):
            database = smallest
        return self._shown(database)

    def _shown(self, database: TinyDatabase) -> Counterexample | None:
        gold, analyst = (self._laboratory.plain(s, [database])[0] for s in self._pair.both)
        if gold is None or analyst is None:
            return None
        return shown(self._pair.shape, database, gold, analyst)
