"""A starter suite and configuration for a warehouse, true from the first minute.

The two cases count the rows of the warehouse's largest table, and their values are measured, so
that `goldsuite check` passes before anything was written by hand.
"""

import json
from contextlib import closing
from pathlib import Path

from goldsuite.durable import write_whole
from goldsuite.errors import UsageError, WarehouseError
from goldsuite.warehouse.base import Catalog, CatalogTable, Warehouse
from goldsuite.warehouse.engines import open_warehouse
from goldsuite.warehouse.files import absolute_url
from goldsuite.warehouse.urls import has_secret

__all__ = ["write_starter"]

_CONFIGURATION = """\
# Settings of goldsuite. Paths are relative to this file. A variable GOLDSUITE_<NAME> beats a
# setting of the same name here, and an option of the command beats both.

suite = "gold-cases.yaml"
{warehouse}

# `baseline` looks words up in the metric dictionary and needs no key: it shows what your suite
# scores without any agent. Your own agent, any program: "command:python my_agent.py".
analyst = "baseline"

# The folder with `.knowledge/` that the analyst reads. It must never hold the suite.
# context = "context"

runs_dir = "runs"
# concurrency = 4        # questions asked at once
# timeout = 300          # seconds for one question
# tolerance = 0.005      # relative, where a case names none
# pass_env = ["MY_KEY"]  # variables that an outside agent may have
"""

_SUITE = """\
# The gold file: questions whose answers you trust. Keep it out of your agent's reach.
name: starter

# The date that "today" means in questions and queries, so that a gold stays true:
# as_of: 2025-12-31

cases:
  # Start with five queries that you trust: month-end figures, verified dashboard tiles.
  - id: {table_id}-rows
    question: {question}
    split: train            # train: iterate on it. test: held out, run once before a release.
    gold_sql: {sql}
    gold_value: {value}     # a reference; the gold is recomputed by running gold_sql
    unit: count             # a count is exact; a number without a unit passes within 0.5 %

  - id: {table_id}-rows-again
    question: {second_question}
    split: test
    gold_sql: {sql}
    gold_value: {value}
    unit: count

  # More keys, all optional:
  # - id: net-revenue-2025-q4
  #   question: "What was total net revenue in Q4 2025?"
  #   split: train
  #   gold_sql: |
  #     select sum(net_revenue) from orders
  #     where ordered_at >= '2025-10-01' and ordered_at < '2026-01-01'
  #   gold_value: 4823910.55
  #   tolerance: 0.005      # relative; abs_tolerance is in the gold's own unit
  #   currency: EUR         # an answer in another currency is wrong
  #   metric: net_revenue   # the name that your metric dictionary uses
  #   tags: [revenue]
"""


def write_starter(url: str, folder: Path, *, base: Path) -> tuple[Path, ...]:
    """Write `goldsuite.toml` and `gold-cases.yaml` into `folder`, and say what was written.

    A relative file in `url` is taken from `base`.

    Raises:
        UsageError: one of the files is there already; nothing is written.
        PreflightError: the warehouse does not answer.
        WarehouseError: it has no table to ask about.
    """
    configuration, suite = folder / "goldsuite.toml", folder / "gold-cases.yaml"
    for path in (configuration, suite):
        if path.exists():
            raise UsageError(f"{path}: is there already, and is not overwritten")
    with closing(open_warehouse(url, base_dir=base)) as warehouse:
        text = _suite_text(warehouse)
    lasting = url if folder == base else absolute_url(url, base_dir=base)
    write_whole(suite, text)
    write_whole(configuration, _CONFIGURATION.format(warehouse=_warehouse_line(lasting)))
    return configuration, suite


def _warehouse_line(url: str) -> str:
    if has_secret(url):
        return (
            "# The warehouse's URL holds a secret, so it stays out of this file:\n"
            "# export GOLDSUITE_WAREHOUSE='dialect://user:password@host/database'"
        )
    # A JSON string is a TOML basic string too.
    return f"warehouse = {json.dumps(url, ensure_ascii=False)}"


def _suite_text(warehouse: Warehouse) -> str:
    table = _largest(warehouse.catalog())
    sql = _count_sql(table, warehouse.dialect)
    done = warehouse.gold.execute(sql)
    if done.result is None:
        message = done.problem.message if done.problem else ""
        raise WarehouseError(f"{table.name!r} cannot be counted: {message}")
    return _SUITE.format(
        table_id="".join(c if c.isalnum() else "-" for c in table.name.lower()),
        question=json.dumps(f"How many rows does {table.name} have?", ensure_ascii=False),
        second_question=json.dumps(f"How many {table.name} are there?", ensure_ascii=False),
        sql=json.dumps(sql, ensure_ascii=False),
        value=done.result.rows[0][0],
    )


def _largest(catalog: Catalog) -> CatalogTable:
    tables = [table for table in catalog.tables if table.kind == "table"] or list(catalog.tables)
    if not tables:
        raise WarehouseError("the warehouse has no table that a question could be about")
    return max(tables, key=lambda table: (table.row_count or 0, table.name))


def _count_sql(table: CatalogTable, dialect: str) -> str:
    from sqlglot import exp

    source = exp.table_(table.name, db=table.schema, quoted=True)
    return exp.select(exp.Count(this=exp.Star())).from_(source).sql(dialect=dialect)
