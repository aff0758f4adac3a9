"""Whether a repaired difference is one of definition, of a metric the analyst was not given."""

from collections.abc import Iterable, Sequence

from sqlglot import exp

from goldsuite.context.dictionary import Metric, MetricDictionary
from goldsuite.diagnosis.counterfactual.atoms import Atom, AtomKind
from goldsuite.diagnosis.counterfactual.plan import (
    Condition,
    Source,
    parts_of,
    plans_below,
    refers_to,
)
from goldsuite.diagnosis.counterfactual.walking import parts_in
from goldsuite.diagnosis.failure import Failure
from goldsuite.diagnosis.wording import defines, mentions, names_predicate
from goldsuite.sqltext.conditions import Predicate
from goldsuite.sqltext.parsing import UNREADABLE

__all__ = ["Undefined", "undefined_metric"]

_OWN_CHOICE = "my own choice"
_DEFINING = frozenset(
    {
        AtomKind.SWAP, AtomKind.GRAIN, AtomKind.LEVELS, AtomKind.MEASURE, AtomKind.COLUMN,
        AtomKind.WHOLE, AtomKind.DISTINCT,
    }
)  # fmt: skip
"""Measure, source and grain belong to a definition whatever the question says."""


class Undefined:
    """A metric that the question asks for and the analyst's dictionary lacks."""

    def __init__(self, *, name: str | None, sentence: str, metric: Metric | None, question: str):
        self.name = name
        """None where it is not known which one."""
        self.sentence = sentence
        self._question = question
        self._columns = _defining_columns(metric)

    def explains(self, atoms: Sequence[Atom]) -> tuple[Atom, ...]:
        """The atoms that are differences of definition; empty where none is."""
        found = [atom for atom in atoms if self._is_definitional(atom)]
        if not found:
            return ()
        named = _aliases_in(found)
        # A join that only feeds what is measured otherwise is a part of that.
        hosts = [a for a in atoms if a not in found and _joined(a) and _joined(a) <= named]
        return (*found, *hosts)

    def _is_definitional(self, atom: Atom) -> bool:
        if atom.kind in _DEFINING:
            return True
        if atom.kind is AtomKind.TIME:
            return bool(self._columns & _columns_of(atom))
        if atom.kind not in (AtomKind.FILTER, AtomKind.HAVING):
            return False
        if self._columns & _columns_of(atom):
            return True
        wanted = [c for slot in atom.slots for c in slot.gold or ()]
        stated = wanted or [c for slot in atom.slots for c in slot.analyst or ()]
        return not any(names_predicate(self._question, _predicate(c)) for c in stated)


def undefined_metric(
    failure: Failure, dictionary: MetricDictionary, author: MetricDictionary | None
) -> Undefined | None:
    """The metric that the question is about, where the analyst's dictionary lacks it."""
    known = _author_metric(failure, author)
    name = failure.metric or (known.name if known is not None else None)
    if name is not None:
        terms = (name, *(known.terms if known is not None else ()))
        if any(defines(dictionary, term) for term in terms):
            return None
        sentence = (
            f"The question is about `{name}`, which the analyst's dictionary does not define."
        )
        return Undefined(name=name, sentence=sentence, metric=known, question=failure.question)
    source = (failure.definition_source or "").strip().strip('"').lower()
    seen = (term for metric in dictionary.metrics for term in metric.terms)
    if source != _OWN_CHOICE or any(mentions(failure.question, term) for term in seen):
        return None
    sentence = (
        "The analyst chose the definition itself, and the question names no metric of its"
        " dictionary."
    )
    return Undefined(name=None, sentence=sentence, metric=None, question=failure.question)


def _author_metric(failure: Failure, author: MetricDictionary | None) -> Metric | None:
    """The author's metric that the case, or else the question, names; the longest name wins."""
    if author is None:
        return None
    if failure.metric is not None:
        return next(
            (
                metric
                for metric in author.metrics
                if defines(MetricDictionary(metrics=(metric,)), failure.metric)
            ),
            None,
        )
    said = [
        (len(term), number, metric)
        for number, metric in enumerate(author.metrics)
        for term in metric.terms
        if mentions(failure.question, term)
    ]
    return max(said, key=lambda found: (found[0], -found[1]))[2] if said else None


def _defining_columns(metric: Metric | None) -> frozenset[str]:
    """The columns that a definition filters by, by their bare lower-case names."""
    found: set[str] = set()
    for text in metric.filters if metric is not None else ():
        try:
            tree: exp.Expr = exp.maybe_parse(text)
        except UNREADABLE:
            continue
        found |= {column.name.lower() for column in tree.find_all(exp.Column)}
    return frozenset(found)


def _columns_of(atom: Atom) -> frozenset[str]:
    sides = [side for slot in atom.slots for side in (slot.analyst, slot.gold)]
    return frozenset(
        name.lower() for side in sides for part in parts_in(side) for _, name in refers_to(part)
    )


def _aliases_in(atoms: Iterable[Atom]) -> frozenset[str]:
    sides = [side for a in atoms for slot in a.slots for side in (slot.analyst, slot.gold)]
    return frozenset(
        alias for side in sides for part in parts_in(side) for alias, _ in refers_to(part)
    )


def _joined(atom: Atom) -> frozenset[str]:
    """The sources that an atom joins or leaves out; empty for any other atom."""
    if atom.kind not in (AtomKind.EXTRA_JOIN, AtomKind.MISSING_JOIN, AtomKind.JOIN):
        return frozenset()
    sides = [side for slot in atom.slots for side in (slot.analyst, slot.gold)]
    return frozenset(side.alias for side in sides if isinstance(side, Source))


def _predicate(condition: Condition) -> Predicate:
    """What a condition says, that of its subqueries included."""
    nodes = [condition.part.node]
    for hole in condition.part.holes:
        nodes += [part.node for below in plans_below(hole) for part in parts_of(below)]
    columns = {
        f"{c.table}.{c.name}" if c.table else c.name
        for node in nodes
        for c in node.find_all(exp.Column)
    }
    literals = {literal.name for node in nodes for literal in node.find_all(exp.Literal)}
    return Predicate(
        text=condition.text,
        columns=tuple(sorted(columns)),
        literals=tuple(sorted(literals)),
        temporal=condition.kind == "time",
    )
