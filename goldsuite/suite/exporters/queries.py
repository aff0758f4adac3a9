"""The gold and prediction files of Spider and BIRD: one query for each case, in the suite's order.

Spider: a line for each case, `SQL<tab>database`; a prediction goes without the database. BIRD:
golds as Spider has them, predictions as JSON `{"0": "SQL<tab>----- bird -----<tab>database"}`.
Sources: https://github.com/taoyds/spider (evaluation.py) and https://bird-bench.github.io.
"""

import json
from collections.abc import Sequence

import sqlglot
from sqlglot.errors import SqlglotError

from goldsuite.errors import UsageError

__all__ = ["bird_predictions", "gold_lines", "spider_predictions"]

_BIRD_MARK = "\t----- bird -----\t"


def gold_lines(golds: Sequence[str], *, database: str, dialect: str | None) -> str:
    """The first gold of each case with its database."""
    return "".join(f"{_one_line(sql, dialect)}\t{database}\n" for sql in golds)


def spider_predictions(answers: Sequence[str | None], *, dialect: str | None) -> str:
    """A line for each answer; an empty one where there is no SQL."""
    return "".join(f"{_one_line(sql, dialect) if sql else ''}\n" for sql in answers)


def bird_predictions(answers: Sequence[str | None], *, database: str) -> str:
    """An entry for each answer, an empty query where there is no SQL."""
    rows = {str(index): f"{sql or ''}{_BIRD_MARK}{database}" for index, sql in enumerate(answers)}
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def _one_line(sql: str, dialect: str | None) -> str:
    """`sql` without line breaks; written anew, since a comment or a text may hold one.

    Raises:
        UsageError: that cannot be done without changing it.
    """
    text = sql.strip().removesuffix(";").strip()
    if not {"\n", "\r", "\t"} & set(text):
        return text
    try:
        line = sqlglot.parse_one(text, read=dialect).sql(dialect=dialect, comments=False)
    except (SqlglotError, RecursionError):
        line = text
    if {"\n", "\r", "\t"} & set(line):
        raise UsageError(f"{text[:60]!r}: cannot be written in one line, as the format needs")
    return line
