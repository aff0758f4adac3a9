"""What two queries say of values: literals they compare columns with, and columns that meet."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from sqlglot import exp

from goldsuite.diagnosis.coincidence.shape import Place
from goldsuite.diagnosis.coincidence.subject import Subject
from goldsuite.diagnosis.keys import Keys
from goldsuite.sqltext.parsing import UNREADABLE
from goldsuite.sqltext.resolve import resolve_names

__all__ = ["Condition", "Hints", "Literal", "read_hints"]

Literal = int | Decimal | str | bool

_COMPARISONS = (
    exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ,
    exp.Between, exp.In, exp.Like, exp.ILike, exp.Glob, exp.RegexpLike, exp.SimilarTo,
)  # fmt: skip
_WRAPPERS = (
    exp.Paren, exp.Cast, exp.TryCast, exp.Date, exp.TsOrDsToDate, exp.Lower, exp.Upper, exp.Trim,
    exp.Timestamp, exp.Datetime, exp.StrToDate, exp.StrToTime, exp.TsOrDsToTimestamp,
    exp.DateStrToDate, exp.Neg,
)  # fmt: skip
"""Through these the value compared is still the column's, or near it."""
_BOOLEAN_SPOTS = (
    exp.And, exp.Or, exp.Not, exp.Where, exp.Having, exp.Join, exp.If, exp.Filter, exp.Paren,
    exp.Xor,
)  # fmt: skip
_DAYS = {"DAY": 1, "WEEK": 7, "MONTH": 30, "QUARTER": 91, "YEAR": 365}
_INTERVALS = (
    exp.Interval, exp.DateAdd, exp.DateSub, exp.TimestampAdd, exp.TimestampSub, exp.DatetimeAdd,
    exp.DatetimeSub, exp.TsOrDsAdd,
)  # fmt: skip
_MOST = 400


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """A comparison of one column with literals, as one of the queries makes it."""

    place: Place
    operator: str
    """One of = <> > >= < <= in like part."""
    values: tuple[Literal, ...]
    negated: bool
    """Whether it stands under an odd number of NOTs."""


@dataclass(slots=True)
class Hints:
    """What was found in both queries."""

    literals: dict[Place, list[Literal]] = field(default_factory=dict)
    """That a column, or an expression of it, is compared with."""
    patterns: dict[Place, list[str]] = field(default_factory=dict)
    """That a column is LIKE."""
    numeric: set[Place] = field(default_factory=set)
    """Columns that are compared with numbers or cast to one: a text there must be a number."""
    dated: set[Place] = field(default_factory=set)
    """Columns that are cast to a date: a text there must be one."""
    links: set[frozenset[Place]] = field(default_factory=set)
    """Columns that are set equal, directly or through a cast."""
    days: list[int] = field(default_factory=list)
    """Distances between dates, in days."""
    group_sizes: list[int] = field(default_factory=list)
    """Thresholds of counts."""
    limits: list[int] = field(default_factory=list)
    conditions: list[tuple[Condition, ...]] = field(default_factory=list)
    """Of each query."""


def read_hints(subjects: list[Subject], keys: Keys) -> Hints:
    """Collect the hints of all `subjects`; what cannot be resolved is left out."""
    hints = Hints()
    for subject in subjects:
        tree = subject.tree.copy()
        # What could not be resolved is still of use as it was written.
        with suppress(*UNREADABLE, TypeError):
            resolve_names(tree, keys)
        _Reader(hints, tree, subject, keys).read()
    return hints


class _Reader:
    def __init__(self, hints: Hints, tree: exp.Query, subject: Subject, keys: Keys) -> None:
        self._hints = hints
        self._tree = tree
        self._tables = {t.name.lower(): t for t in subject.tables}
        self._keys = keys
        self._conditions: list[Condition] = []

    def read(self) -> None:
        for node in self._tree.walk():
            if isinstance(node, _COMPARISONS):
                self._comparison(node)
            elif isinstance(node, (*_INTERVALS, exp.DateDiff)):
                self._hints.days += _interval_days(node)
            elif isinstance(node, exp.Limit):
                self._hints.limits += [n for n in _whole_numbers(node) if n <= _MOST]
            elif isinstance(node, exp.Coalesce):
                self._spread(_columns(node), _literals(node))
            elif isinstance(node, exp.Column):
                self._boolean(node)
            elif isinstance(node, exp.Join):
                self._shared(node)
            elif isinstance(node, exp.Cast):
                self._cast(node)
        self._hints.conditions.append(tuple(self._conditions))

    def _place(self, column: exp.Column) -> Place | None:
        name = column.name.lower()
        if column.table.lower() in self._tables:
            return column.table.lower(), name
        owners = [t for t in self._tables if self._keys.has_column(t, name)]
        return (owners[0], name) if len(owners) == 1 else None

    def _comparison(self, node: exp.Expr) -> None:
        columns, literals = _columns(node), _literals(node)
        if isinstance(node, exp.In) and (query := node.args.get("query")) is not None:
            self._link(node.this, _only_projection(query))
            return
        if node.find(exp.Query) is not None:
            columns = [c for c in columns if c.find_ancestor(exp.Query) is _query_of(node)]
        if isinstance(node, exp.EQ):
            self._link(node.this, node.expression)
        if not literals:
            return
        if node.find(exp.Count) is not None:
            self._hints.group_sizes += [n for n in _whole_numbers(node) if n <= _MOST]
        if len(columns) > 1 or node.find(exp.DateDiff) is not None:
            self._hints.days += [n for n in _whole_numbers(node) if n <= _MOST]
        self._spread(columns, literals)
        place = self._place(columns[0]) if len(columns) == 1 else None
        if place is not None:
            if all(isinstance(v, (int, Decimal)) and not isinstance(v, bool) for v in literals):
                self._hints.numeric.add(place)
            self._condition(node, place, literals, columns[0])

    def _spread(self, columns: list[exp.Column], literals: list[Literal]) -> None:
        for place in filter(None, map(self._place, columns)):
            self._hints.literals.setdefault(place, []).extend(literals)

    def _cast(self, node: exp.Cast) -> None:
        places = set(filter(None, map(self._place, _columns(node.this))))
        if node.to.is_type(*exp.DataType.NUMERIC_TYPES):
            self._hints.numeric |= places
        elif node.to.is_type(*exp.DataType.TEMPORAL_TYPES):
            self._hints.dated |= places

    def _condition(
        self, node: exp.Expr, place: Place, literals: list[Literal], column: exp.Column
    ) -> None:
        operator = _operator(node)
        if isinstance(node, (exp.Like, exp.ILike, exp.Glob)):
            texts = [str(literal) for literal in literals]
            self._hints.patterns.setdefault(place, []).extend(texts)
        side = node.this
        if not isinstance(_unwrapped(side), exp.Column):
            if _unwrapped(node.args.get("expression") or side) is column:
                operator = _MIRRORED.get(operator, operator)
            else:
                operator = "part"
        negated = _is_negated(node) != (operator == "<>")
        if isinstance(node, exp.Between):
            low, high = _literals(node.args["low"]), _literals(node.args["high"])
            self._add(place, ">=", low, negated=negated)
            self._add(place, "<=", high, negated=negated)
            return
        self._add(place, "in" if operator in {"=", "<>"} else operator, literals, negated=negated)

    def _add(self, place: Place, operator: str, values: list[Literal], *, negated: bool) -> None:
        if values:
            self._conditions.append(
                Condition(place=place, operator=operator, values=tuple(values), negated=negated)
            )

    def _boolean(self, column: exp.Column) -> None:
        spot = column.parent
        if not isinstance(spot, _BOOLEAN_SPOTS):
            return
        place = self._place(column)
        if place is not None and not (isinstance(spot, exp.If) and column.arg_key != "this"):
            self._add(place, "in", [True], negated=_is_negated(column))

    def _link(self, one: exp.Expr | None, other: exp.Expr | None) -> None:
        ends = [_unwrapped(end) for end in (one, other) if end is not None]
        places = {p for e in ends if isinstance(e, exp.Column) and (p := self._place(e))}
        if len(ends) == 2 and len(places) == 2:
            self._hints.links.add(frozenset(places))

    def _shared(self, join: exp.Join) -> None:
        names = [identifier.name.lower() for identifier in join.args.get("using") or ()]
        for name in names:
            owners = sorted(t for t in self._tables if self._keys.has_column(t, name))
            for first, second in pairwise(owners):
                self._hints.links.add(frozenset({(first, name), (second, name)}))


_MIRRORED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=", exp.NullSafeEQ: "=", exp.NEQ: "<>", exp.NullSafeNEQ: "<>", exp.GT: ">",
    exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=", exp.In: "in", exp.Like: "like", exp.ILike: "like",
    exp.Glob: "like",
}  # fmt: skip


def _operator(node: exp.Expr) -> str:
    return _OPERATORS.get(type(node), "part")


def _query_of(node: exp.Expr) -> exp.Expr | None:
    return node.find_ancestor(exp.Query)


def _columns(node: exp.Expr) -> list[exp.Column]:
    return [c for c in node.find_all(exp.Column) if not isinstance(c.this, exp.Star)]


def _unwrapped(node: exp.Expr) -> exp.Expr:
    while isinstance(node, _WRAPPERS) and isinstance(node.this, exp.Expr):
        node = node.this
    return node


def _only_projection(query: exp.Expr) -> exp.Expr | None:
    inner = query.unnest()
    selects = inner.selects if isinstance(inner, exp.Query) else []
    return selects[0].unalias() if len(selects) == 1 else None


def _is_negated(node: exp.Expr) -> bool:
    nots = 0
    above = node.parent
    while above is not None and not isinstance(above, exp.Query):
        nots += isinstance(above, exp.Not)
        above = above.parent
    return nots % 2 == 1


def _literals(node: object) -> list[Literal]:
    """The literals in `node`, those of subqueries left out; each once, in the order written."""
    if not isinstance(node, exp.Expr):
        return []
    found: list[Literal] = []
    for part in node.walk(prune=lambda n: n is not node and isinstance(n, exp.Query)):
        if isinstance(part, exp.Boolean):
            found.append(bool(part.this))
        elif isinstance(part, exp.Literal) and not isinstance(part.parent, exp.Interval):
            value = _value(part)
            if value is not None:
                found.append(-value if _is_minus(part) and not isinstance(value, str) else value)
    return list(dict.fromkeys(found))


def _is_minus(part: exp.Expr) -> bool:
    return isinstance(part.parent, exp.Neg)


def _value(literal: exp.Literal) -> Literal | None:
    if literal.is_string:
        return str(literal.this)
    try:
        number = Decimal(literal.this)
    except InvalidOperation:
        return None
    return int(number) if number == number.to_integral_value() and abs(number) < 10**15 else number


def _whole_numbers(node: exp.Expr) -> list[int]:
    return [v for v in _literals(node) if isinstance(v, int) and not isinstance(v, bool) and v >= 0]


def _interval_days(node: exp.Expr) -> Iterator[int]:
    unit = _DAYS.get((node.text("unit") or "DAY").upper(), 1)
    for literal in node.find_all(exp.Literal):
        with suppress(ValueError):
            number = int(str(literal.this).split(" ")[0])
            if 0 < number * unit <= _MOST * 4:
                yield number * unit
