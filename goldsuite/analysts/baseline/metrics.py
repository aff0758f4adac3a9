"""Metrics of the dictionary: found in the question by their terms, bound to the warehouse."""

from collections.abc import Iterator

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from goldsuite.analysts.baseline import writing
from goldsuite.analysts.baseline.grouping import read_mean_period
from goldsuite.analysts.baseline.lookup import Lookup
from goldsuite.analysts.baseline.plan import Measure, UnresolvedError
from goldsuite.analysts.baseline.reading import Reading
from goldsuite.analysts.baseline.words import folded, position
from goldsuite.context.dictionary import Metric

_AGGREGATES: dict[str, type[exp.Expr]] = {
    "average": exp.Avg,
    "avg": exp.Avg,
    "mean": exp.Avg,
    "median": exp.Median,
}
_OTHER_METRIC_BEFORE = frozenset({"net", "gross", "adjusted", "distinct", "unique", "different"})
_OTHER_METRIC_AFTER = frozenset({"rate", "ratio", "share", "percentage", "date", "id", "name"})
_SLICED = frozenset({"per", "each", "every"})
_RANKED = frozenset({"top", "bottom", "best", "worst", "rank", "ranked", "sorted", "ordered"})
_SHARE_OF = frozenset({"share", "percentage", "percent", "proportion", "fraction"})
_ARTICLES = frozenset({"of", "the", "all", "our", "a"})


def find_metric(reading: Reading, lookup: Lookup) -> tuple[Metric, range] | None:
    """The metric that the question names: the longest wording, then the first.

    A wording does not count where the words around it make another metric of it: `refund rate` is
    not `refunds`, and `average revenue` is not a revenue that is a sum.
    """
    if "when" in reading.lower:
        return None
    found = [
        (-len(where), where.start, index, metric, where)
        for index, metric in enumerate(lookup.dictionary.metrics)
        for where in _places(reading, metric)
        if _stands_alone(reading, metric, where, lookup)
    ]
    if not found:
        return None
    *_, metric, where = min(found, key=lambda one: one[:3])
    return metric, where


def _places(reading: Reading, metric: Metric) -> Iterator[range]:
    for term in metric.terms:
        words = folded(term)
        start: int | None = 0
        while start is not None and (start := position(reading.folded, words, start)) is not None:
            yield range(start, start + len(words))
            start += 1


def _stands_alone(reading: Reading, metric: Metric, where: range, lookup: Lookup) -> bool:
    before = reading.lower[: where.start]
    after = reading.lower[where.stop : where.stop + 1]
    last = before[-1] if before else ""
    if last.isdigit() or last in _OTHER_METRIC_BEFORE | _SLICED:
        return False
    if set(after) & _OTHER_METRIC_AFTER:
        return False
    if last == "by" and not _RANKED.intersection(before):
        return False
    content = [word for word in before[-4:] if word not in _ARTICLES]
    if "of" in before[-3:] and content and content[-1] in _SHARE_OF:
        return False
    aggregates = [word for word in before if word in _AGGREGATES]
    if not aggregates or read_mean_period(reading, lookup)[1] is not None:
        return True
    return _aggregate_fits(metric, aggregates[-1])


def _aggregate_fits(metric: Metric, word: str) -> bool:
    wanted = _AGGREGATES.get(word)
    if wanted is None or metric.sql is None:
        return True
    # "average order value" fits a definition that averages; a sum is another metric.
    return word in metric.sql.lower() or wanted.__name__.lower() in metric.sql.lower()


def define(metric: Metric, lookup: Lookup) -> Measure | None:
    """The metric as a measure; None where only prose defines it.

    Raises:
        UnresolvedError: the definition cannot be parsed, or names a table the warehouse lacks.
    """
    if metric.sql is None:
        return None
    value = _parsed(metric, metric.sql, lookup)
    source = metric.source or next((c.table for c in value.find_all(exp.Column) if c.table), None)
    entity = lookup.schema.entity(source) if source else None
    if entity is None:
        raise UnresolvedError(
            f"metric {metric.name!r}: the warehouse has no table {source!r} to compute it from"
        )
    joins = tuple(_join(metric, text, entity.name, lookup) for text in metric.joins)
    known = (entity.alias, *(join.alias_or_name for join in joins))
    filters = tuple(_parsed(metric, text, lookup) for text in metric.filters)
    time = _parsed(metric, metric.time_column, lookup) if metric.time_column else None
    return Measure(
        value=_bound(value, known, lookup),
        source=entity.alias,
        joins=tuple(_bound_join(join, known, lookup) for join in joins),
        filters=tuple(_bound(one, known, lookup) for one in filters),
        time=_time(metric, time and _bound(time, known, lookup)),
        defined=True,
    )


def _parsed(metric: Metric, text: str, lookup: Lookup) -> exp.Expr:
    try:
        parsed = parse_one(text, dialect=lookup.dialect)
    except SqlglotError:
        parsed = None
    if parsed is None or isinstance(parsed, exp.Query | exp.Command):
        raise UnresolvedError(f"metric {metric.name!r}: cannot read {text!r} as an SQL expression")
    return parsed


def _join(metric: Metric, text: str, source: str, lookup: Lookup) -> exp.Join:
    stub = exp.select("1").from_(exp.Table(this=writing.identifier(source))).sql(lookup.dialect)
    for written in (f"{stub} JOIN {text}", f"{stub} {text}"):
        try:
            joins = parse_one(written, dialect=lookup.dialect).args.get("joins") or []
        except SqlglotError:
            continue
        if len(joins) == 1 and isinstance(joins[0], exp.Join) and joins[0].args.get("on"):
            return joins[0]
    raise UnresolvedError(f"metric {metric.name!r}: cannot read the join {text!r} as TABLE on ...")


def _bound_join(join: exp.Join, known: tuple[str, ...], lookup: Lookup) -> exp.Join:
    bound = join.copy()
    bound.set("on", _bound(join.args["on"], known, lookup))
    entity = lookup.schema.entity(join.this.name) if isinstance(join.this, exp.Table) else None
    if entity is not None and not join.this.alias:
        bound.set("this", writing.table(entity))
    return bound


def _bound(expression: exp.Expr, known: tuple[str, ...], lookup: Lookup) -> exp.Expr:
    """The expression with every column written as the catalog has it, with its table."""

    def bind(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
            return node
        for table in (node.table,) if node.table else known:
            entity = lookup.schema.entity(table)
            field = entity and entity.field(node.name)
            if field:
                return writing.column(field)
        return node

    return expression.copy().transform(bind, copy=False)


def _time(metric: Metric, column: exp.Expr | None) -> exp.Column | None:
    if column is None or isinstance(column, exp.Column):
        return column
    raise UnresolvedError(
        f"metric {metric.name!r}: time_column {metric.time_column!r} is no column"
    )
