"""What an outside analyst is told: the same text for every case, but for the question.

It must not say what kind of answer the key holds, and it gives no help with metrics that the
dictionary leaves undefined: how an analyst copes with those is what is measured.
"""

from datetime import date

from goldsuite.model.question import Prompt

__all__ = ["write_brief", "write_tool_brief"]

_TASK = """\
You are a data analyst. Answer the one question at the end of this text by querying the warehouse.
"""

_CONTEXT = """\
Before you answer, read the team's notes. They are files below your working directory:
- `.knowledge/active.yaml` names the active dataset, called NAME below.
- `.knowledge/datasets/NAME/` holds `manifest.yaml`, `schema.md` (tables and columns) and
  `quirks.md` (what is odd about the data).
- In the same folder, `metrics/index.yaml` is the metric dictionary, `semantic/` describes
  dimensions and joins, and `verified_queries.yaml` (in older layouts inside `semantic/`) shows
  queries that the team trusts.
A file that is not there is not needed. Use only these notes: read no other context directory and
nothing under `.knowledge/reliability/`.
"""

_DEFINITIONS = """\
If the dictionary defines the metric that is asked for, use that definition exactly as it stands. If
it does not, decide yourself how the metric is best defined and measured.
"""

_NO_CONTEXT = """\
There is no metric dictionary: decide yourself how what is asked for is best defined and measured.
"""

_WAREHOUSE = """\
The environment variable GOLDSUITE_WAREHOUSE_URL holds the warehouse's address as an SQLAlchemy URL.
Its SQL dialect is {dialect}. You can only read. Take your numbers from the warehouse itself, never
from memory or from the notes.
"""

_WAREHOUSE_BY_MCP = """\
Reach the warehouse through the tools of the MCP server `goldsuite`: `list_tables` and
`describe_table` show what it holds, and `run_query` runs one SQL query in the dialect {dialect}.
You can only read. Take your numbers from the warehouse itself, never from memory or from the notes.
"""

_AS_OF = """\
Today is {as_of}. "Today", "this month", "last year" and the like are meant from that day.
"""

_TASK_WITH_TOOLS = """\
You are a data analyst. Answer the one question that you are asked by querying the warehouse with
the tools that you are given.
"""

_CONTEXT_BY_TOOLS = """\
Before you answer, read the team's notes: `list_context` names them and `read_context` reads one.
Below `.knowledge/datasets/`, `manifest.yaml`, `schema.md` (tables and columns) and `quirks.md`
(what is odd about the data) describe the dataset; `metrics/index.yaml` is the metric dictionary,
`semantic/` describes dimensions and joins, and `verified_queries.yaml` shows queries that the team
trusts. A file that is not there is not needed.
"""

_WAREHOUSE_BY_TOOLS = """\
`list_tables` and `describe_table` show what the warehouse holds, and `run_query` runs one SQL query
in the dialect {dialect}. You can only read. Take your numbers from the warehouse itself, never from
memory or from the notes. Where a query fails, repair it; where a result is cut, ask for less in
SQL.
"""

_ANSWER_BY_TOOL = """\
Give your answer by calling the tool `give_answer` once, and never in another way:
- `analyst_value`: the single value: a number in digits only, a text, or a date; empty where rows \
are asked for
- `analyst_query`: the exact SQL that gives the answer
- `definition_source`: "metric dictionary" or "my own choice"
"""

_ANSWER = """\
Print nothing but these three lines as your answer:
analyst_value: <the single value: a number in digits only, a text, or a date; empty where rows are \
asked for>
analyst_query: <the exact SQL that gives the answer, on one line>
definition_source: <"metric dictionary" or "my own choice">
"""


def write_brief(prompt: Prompt, *, dialect: str, context: bool = True, tools: bool = False) -> str:
    """The brief for one question.

    Args:
        prompt: the question, and the date that "today" means if the suite says one.
        dialect: sqlglot's name of the warehouse's SQL dialect.
        context: whether the working directory holds the team's notes.
        tools: whether the warehouse is reached through our MCP server, and not by its address.
    """
    parts = [
        _TASK,
        *((_CONTEXT, _DEFINITIONS) if context else (_NO_CONTEXT,)),
        (_WAREHOUSE_BY_MCP if tools else _WAREHOUSE).format(dialect=dialect),
        _today(prompt.as_of),
        _ANSWER,
        # Last, so that all briefs of a run share their beginning and a model's cache can hold it.
        f"Question: {prompt.text}\n",
    ]
    return "\n".join(part for part in parts if part)


def write_tool_brief(*, dialect: str, as_of: date | None, context: bool = True) -> str:
    """The brief for an agent that works through our tools, but for the question.

    It is the same text for every question of a run, so that a model's cache can hold it.

    Args:
        dialect: sqlglot's name of the warehouse's SQL dialect.
        as_of: the date that "today" means, if the suite says one.
        context: whether the tools can read the team's notes.
    """
    parts = [
        _TASK_WITH_TOOLS,
        *((_CONTEXT_BY_TOOLS, _DEFINITIONS) if context else (_NO_CONTEXT,)),
        _WAREHOUSE_BY_TOOLS.format(dialect=dialect),
        _today(as_of),
        _ANSWER_BY_TOOL,
    ]
    return "\n".join(part for part in parts if part)


def _today(as_of: date | None) -> str:
    return "" if as_of is None else _AS_OF.format(as_of=as_of.isoformat())
