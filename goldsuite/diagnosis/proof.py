"""The smallest repair of one failure, what each part of it is, and the evidence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from goldsuite.diagnosis.answer_checks import shown_result
from goldsuite.diagnosis.bench import Bench
from goldsuite.diagnosis.counterfactual.atoms import Atom, AtomKind
from goldsuite.diagnosis.counterfactual.edits import Edits
from goldsuite.diagnosis.counterfactual.experiment import (
    Allowance,
    Experiment,
    Trial,
    only_cell,
    same_cell,
    same_result,
)
from goldsuite.diagnosis.counterfactual.fragments import Fragments
from goldsuite.diagnosis.counterfactual.naming import Named, Namer
from goldsuite.diagnosis.counterfactual.preparing import Prepared, Schema, prepare
from goldsuite.diagnosis.counterfactual.probes import Probes, Repetition
from goldsuite.diagnosis.counterfactual.search import search
from goldsuite.diagnosis.drift import undefined_metric
from goldsuite.diagnosis.failure import Failure
from goldsuite.diagnosis.keys import Keys
from goldsuite.diagnosis.parents import causes_in_order
from goldsuite.diagnosis.roots import root_of
from goldsuite.diagnosis.row_evidence import row_evidence
from goldsuite.model.diagnosis import Cause, Confidence, Repair
from goldsuite.model.result_set import ResultSet

__all__ = ["Proof", "prove"]

_SHOWN_ALTERNATIVES = 3
_ANSWERS = frozenset({Cause.SIGN, Cause.UNIT_SCALE, Cause.ROUNDING})
"""How a right measure was told wrongly; no question of its definition."""
_MEASURES = frozenset({AtomKind.MEASURE, AtomKind.COLUMN})


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """What was found by running."""

    causes: tuple[Cause, ...]
    """The primary one first."""
    evidence: tuple[str, ...]
    repair: Repair
    latent: tuple[str, ...]
    alternatives: tuple[str, ...]
    confidence: Confidence
    root: str
    measured: bool
    """True where what is wrong lies in what is measured, not in which rows are."""


def prove(
    failure: Failure,
    bench: Bench,
    allowance: Allowance,
    *,
    own: ResultSet,
    gold: ResultSet,
    schema: Schema,
) -> Proof | None:
    """Search for the smallest repair; None where no set of differences gave the gold's result.

    Raises:
        NotApplicableError: one of the queries is of a kind that is not taken apart.
    """
    if failure.predicted_sql is None or failure.gold_sql is None:
        return None
    ways = prepare(failure.predicted_sql, failure.gold_sql, failure.dialect, schema)
    matches = failure.matches or _plain_match(gold)
    for way in ways:
        experiment = Experiment(
            way.merged,
            dialect=failure.dialect,
            columns_of=schema.columns_of,
            allowance=allowance,
            gold=gold,
            matches=matches,
        )
        if not _means_the_same(experiment, own, gold):
            continue
        trials = _smallest(way, experiment, failure, bench)
        if trials:
            way.check_named(trials[0].atoms)
            prover = _Prover(
                failure=failure, bench=bench, way=way, allowance=allowance, schema=schema
            )
            return prover.proof(trials, own=own, gold=gold)
    return None


def _plain_match(gold: ResultSet) -> Callable[[ResultSet], bool]:
    wanted = sorted(map(repr, gold.rows))
    return lambda found: sorted(map(repr, found.rows)) == wanted


def _means_the_same(experiment: Experiment, own: ResultSet, gold: ResultSet) -> bool:
    """Whether both queries still return what they did as they were written."""
    base = experiment.trial(())
    if base is None or base.result is None:
        return False
    if not same_result(base.result, own, _plain_match(own)):
        return False
    whole = experiment.whole()
    result = experiment.allowance.result(whole) if whole is not None else None
    return result is not None and same_result(result, gold, _plain_match(gold))


def _smallest(
    way: Prepared, experiment: Experiment, failure: Failure, bench: Bench
) -> tuple[Trial, ...]:
    """The smallest repairs; those that hold on other data too, where that can be told."""
    found = search(way.atoms, experiment, lambda _: True).trials
    distinguishes, gold_sql = bench.distinguishes, failure.gold_sql
    if distinguishes is None or gold_sql is None or not found:
        return found

    def holds(trial: Trial) -> bool:
        return distinguishes(trial.sql, gold_sql) is not True

    robust = tuple(trial for trial in found if holds(trial))
    if robust:
        return robust
    larger = search(way.atoms, experiment, holds).trials
    if not larger:
        return found
    needed = {atom.number for atom in larger[0].atoms}
    within = tuple(t for t in found if {a.number for a in t.atoms} <= needed)
    return within or larger


class _Prover:
    def __init__(
        self, *, failure: Failure, bench: Bench, way: Prepared, allowance: Allowance, schema: Schema
    ) -> None:
        self._failure = failure
        self._way = way
        self._fragments = Fragments(way.merged, failure.dialect)
        self._edits = Edits(self._fragments)
        probes = Probes(allowance, keys=Keys.of(bench.catalog), dialect=failure.dialect)
        self._namer = Namer(way.merged, probes=probes, times=schema.times)
        self._undefined = undefined_metric(failure, bench.dictionary, bench.author_dictionary)

    def proof(self, trials: Sequence[Trial], *, own: ResultSet, gold: ResultSet) -> Proof:
        best = trials[0]
        named = _by_sign(self._namer.name(best), own, gold)
        drift = self._drift(named)
        causes = causes_in_order(
            [Cause.UNDEFINED_METRIC_DRIFT] * bool(drift)
            + [n.cause for n in named if n.atom not in drift]
        )
        primary = [n for n in named if n.cause is causes[0]] or list(named)
        return Proof(
            causes=causes,
            evidence=tuple(self._evidence(best, named, drift, own, gold)),
            repair=Repair(
                edits=tuple(self._sentences(named)),
                sql=best.sql,
                returns=shown_result(best.result),
            ),
            latent=tuple(self._latent(best)),
            alternatives=tuple(self._alternatives(trials)),
            confidence="high" if len(trials) == 1 else "medium",
            root=root_of(causes[0], primary[0], self._fragments, self._undefined),
            measured=all(n.atom.kind in _MEASURES for n in named),
        )

    def _sentences(self, named: Sequence[Named]) -> Iterator[str]:
        """One for each difference, though it may be of several causes."""
        for atom in dict.fromkeys(n.atom.number for n in named):
            yield self._edits.sentence(next(n.atom for n in named if n.atom.number == atom))

    def _drift(self, named: Sequence[Named]) -> tuple[Atom, ...]:
        if self._undefined is None or named[0].cause is Cause.SUSPECT_GOLD:
            return ()
        return self._undefined.explains([n.atom for n in named if n.cause not in _ANSWERS])

    def _evidence(
        self,
        best: Trial,
        named: Sequence[Named],
        drift: Sequence[Atom],
        own: ResultSet,
        gold: ResultSet,
    ) -> Iterator[str]:
        if drift and self._undefined is not None:
            yield self._undefined.sentence
        edits = " ".join(self._sentences(named))
        yield (
            f"The analyst's SQL returns {shown_result(own)}, the gold {shown_result(gold)}."
            f" Minimal repair: {edits} It returns {shown_result(best.result)}, as the gold."
        )
        for each in named:
            if each.repetition is not None:
                yield _repetition_sentence(each.cause, *each.repetition)
        yield from row_evidence(own, gold)

    def _latent(self, best: Trial) -> Iterator[str]:
        """Differences that no part of the repair touched; joins that would only host are none."""
        for atom in self._way.atoms:
            if not atom.numbers & best.taken and atom.kind is not AtomKind.MISSING_JOIN:
                yield f"Changes nothing today: {self._edits.sentence(atom)}"

    def _alternatives(self, trials: Sequence[Trial]) -> Iterator[str]:
        for trial in trials[1 : 1 + _SHOWN_ALTERNATIVES]:
            edits = " ".join(self._edits.sentence(atom) for atom in trial.atoms)
            yield f"{edits} It returns the gold's result as well."


def _by_sign(named: tuple[Named, ...], own: ResultSet, gold: ResultSet) -> tuple[Named, ...]:
    """A measure that gives the gold's value but for its sign has no other fault."""
    ours, theirs = only_cell(own), only_cell(gold)
    if len(named) != 1 or named[0].atom.kind not in _MEASURES or ours is None or theirs is None:
        return named
    value, wanted = ours[0], theirs[0]
    if isinstance(value, str | bool | None) or isinstance(wanted, str | bool | None):
        return named
    try:
        negative = -value  # type: ignore[operator]
    except TypeError:
        return named
    if wanted and same_cell(negative, wanted):
        return (Named(atom=named[0].atom, cause=Cause.SIGN),)
    return named


def _repetition_sentence(cause: Cause, found: Repetition, other: Repetition | None) -> str:
    whose, others = "The analyst's", "the gold's"
    if cause is Cause.SUSPECT_GOLD:
        whose, others = "The gold's", "the analyst's"
    ratio = f"{other.ratio:.2f}" if other is not None else "1.00"
    return (
        f"{whose} joins have {found.rows:,} rows for {found.distinct:,} distinct rows of"
        f" `{found.table}` ({found.ratio:.2f} for each; {others} {ratio})."
    )
