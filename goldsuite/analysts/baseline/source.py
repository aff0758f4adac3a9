"""`baseline`: an analyst without a model, which looks words up in the dictionary and the catalog.

It answers what a plain dictionary lookup would: a defined metric as defined, an undefined one by
the naive choice of an uninformed analyst (`definition_source: my own choice`). What it cannot read
it declines. It knows nothing but the prompt's text and date; where no date is given, "today" is the
latest date in the column that the time phrase applies to.
"""

import asyncio
from collections.abc import Mapping
from datetime import date, datetime

from goldsuite.analysts.base import Analyst
from goldsuite.analysts.baseline.compose import compose, latest_day
from goldsuite.analysts.baseline.lookup import Lookup, make_lookup
from goldsuite.analysts.baseline.plan import Plan, UnresolvedError
from goldsuite.analysts.baseline.rendering import single_value
from goldsuite.analysts.baseline.resolve import resolve
from goldsuite.context.dictionary import MetricDictionary
from goldsuite.model.answer import DefinitionSource, Reply
from goldsuite.model.question import Prompt
from goldsuite.model.result_set import Cell, Execution
from goldsuite.warehouse.base import Catalog, Door

_TOOL = "run_sql"
_ANY_DAY = date(2000, 1, 1)


class BaselineSource:
    """Makes baseline analysts over one dictionary and one warehouse."""

    def __init__(self, *, dictionary: MetricDictionary, catalog: Catalog, door: Door) -> None:
        self._door = door
        self._lookup = make_lookup(dictionary, catalog, door.dialect)

    @property
    def name(self) -> str:
        """`baseline`."""
        return "baseline"

    @property
    def model(self) -> str | None:
        """None: there is no language model."""
        return None

    @property
    def isolation(self) -> str:
        """`in-process`: import contracts keep the key away."""
        return "in-process"

    @property
    def notes(self) -> Mapping[str, str]:
        """Nothing to add."""
        return {}

    def fresh(self) -> Analyst:
        """A new analyst; the indexes that all share are never written to."""
        return _Baseline(self._lookup, self._door)

    async def aclose(self) -> None:
        """Nothing to release: the door belongs to the caller."""


class _Baseline:
    def __init__(self, lookup: Lookup, door: Door) -> None:
        self._lookup = lookup
        self._door = door

    async def answer(self, prompt: Prompt) -> Reply:
        """Answer from dictionary and catalog; never raises for a question it cannot read."""
        return await asyncio.to_thread(self._answer, prompt)

    def _answer(self, prompt: Prompt) -> Reply:
        tools: list[str] = []
        try:
            plan = self._plan(prompt, tools)
            sql = compose(plan, self._lookup)
        except UnresolvedError as error:
            return Reply(declined=str(error), turns=1, tools=tuple(tools))
        tools.append(_TOOL)
        return _reply(self._door.execute(sql), _definition_source(plan), tuple(tools))

    def _plan(self, prompt: Prompt, tools: list[str]) -> Plan:
        plan = resolve(prompt.text, self._lookup, prompt.as_of or _ANY_DAY)
        if prompt.as_of is not None or not plan.times.relative or plan.time is None:
            return plan
        tools.append(_TOOL)
        latest = self._door.execute(latest_day(plan.time, self._lookup))
        rows = latest.result.rows if latest.result else ()
        today = _as_day(rows[0][0]) if rows else None
        if today is None:
            raise UnresolvedError("no date is given for today, and the data tell no latest one")
        return resolve(prompt.text, self._lookup, today)


def _definition_source(plan: Plan) -> DefinitionSource:
    defined = plan.measure is not None and plan.measure.defined
    return "metric dictionary" if defined else "my own choice"


def _reply(execution: Execution, source: DefinitionSource, tools: tuple[str, ...]) -> Reply:
    problem = execution.problem
    if problem is not None and problem.kind == "timed_out":
        return Reply(error=f"the warehouse stopped the query: {problem.message}", tools=tools)
    if problem is not None or execution.result is None:
        why = problem.message if problem else "no result"
        return Reply(
            declined=f"the composed SQL did not run: {why}: {execution.sql}", turns=1, tools=tools
        )
    return Reply(
        value=single_value(execution.result),
        query=execution.sql,
        definition_source=source,
        turns=1,
        tools=tools,
    )


def _as_day(cell: Cell) -> date | None:
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    try:
        return datetime.fromisoformat(cell).date() if isinstance(cell, str) else None
    except ValueError:
        return None
