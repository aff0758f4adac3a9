"""Reading back what an analyst printed."""

from decimal import Decimal

import pytest

from goldsuite.analysts.reply import read_reply
from goldsuite.errors import AnalystError
from goldsuite.model.answer import Reply, Usage

PLAIN = """\
analyst_value: 42
analyst_query: select count(*) from orders
definition_source: metric dictionary
"""
THE_REPLY = Reply(
    value="42", query="select count(*) from orders", definition_source="metric dictionary"
)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        f"\ufeff{PLAIN}",
        f"I looked at the orders.\n\n{PLAIN}\n\nLet me know if you need more.",
        f"```\n{PLAIN}```\n",
        f"```text\n{PLAIN}```\nDone.",
        f"\x1b[1m{PLAIN}\x1b[0m",
        "\n".join(reversed(PLAIN.splitlines())),
        (
            "ANALYST_VALUE: 42\nAnalyst_Query: select count(*) from orders\n"
            "Definition_Source: Metric dictionary."
        ),
        (
            "analyst value: 42\nanalyst query: select count(*) from orders\n"
            "definition source: metric_dictionary"
        ),
        (
            "**analyst_value:** 42\n**analyst_query:** `select count(*) from orders`\n"
            '**definition_source:** "metric dictionary"'
        ),
        (
            "**analyst_value**: **42**\n**analyst_query**: select count(*) from orders\n"
            "**definition_source**: *metric dictionary*"
        ),
        (
            "- `analyst_value`: `42`\n- `analyst_query`: `select count(*) from orders`\n"
            "- `definition_source`: `metric dictionary`"
        ),
        (
            "`analyst_value: 42`\n`analyst_query: select count(*) from orders`\n"
            "`definition_source: metric dictionary`"
        ),
        (
            "**analyst_value: 42**\n**analyst_query: select count(*) from orders**\n"
            "**definition_source: metric dictionary**"
        ),
        (
            "> analyst_value: 42\n> analyst_query: select count(*) from orders\n"
            "> definition_source: metric dictionary"
        ),
        (
            "1. analyst_value: '42'\n2. analyst_query: \"select count(*) from orders\"\n"
            "3. definition_source: metric dictionary"
        ),
        (
            "### analyst_value:\n42\n### analyst_query:\n```sql\nselect count(*) from orders\n```\n"
            "### definition_source:\nmetric dictionary"
        ),
        (
            "analyst_value: 42\nanalyst_query: ```sql select count(*) from orders```\n"
            "definition_source: metric dictionary"
        ),
        (
            "analyst_value: 42\ndefinition_source: metric dictionary\nanalyst_query: |\n"
            "  select count(*) from orders\n"
        ),
        (
            "analyst_value: 7\nanalyst_query: select 7\ndefinition_source: my own choice\n"
            f"No, test customers do not count. Again:\n{PLAIN}"
        ),
        (
            '{"analyst_value": 42, "analyst_query": "select count(*) from orders", '
            '"definition_source": "metric dictionary"}'
        ),
        (
            '```json\n{\n  "analyst_value": "42",\n'
            '  "analyst_query": "select count(*) from orders",\n'
            '  "definition_source": "metric dictionary"\n}\n```'
        ),
        (
            'Here {it} is: {"checks": {"rows": 3}, "analyst_value": 42, "analyst_query": '
            '"select count(*) from orders", "definition_source": "metric dictionary"} - done {}.'
        ),
        (
            '{"result": {"analyst_value": 42, "analyst_query": "select count(*) from orders", '
            '"definition_source": "metric dictionary"}}'
        ),
        (
            '{"analyst_value": 1}\n{"analyst_value": 42, "analyst_query": "select count(*) from '
            'orders", "definition_source": "metric dictionary"}'
        ),
        f'{{"analyst_value": 1}}\n{PLAIN}',
        (
            'analyst_value: 1\n{"analyst_value": 42, "analyst_query": "select count(*) from '
            'orders", "definition_source": "metric dictionary"}'
        ),
    ],
)
def test_the_same_answer_is_read_from_every_way_of_writing_it(text: str) -> None:
    assert read_reply(text) == THE_REPLY


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (
            "analyst_query: select a,\n  b\nfrom t\nwhere a > 1",
            "select a,\n  b\nfrom t\nwhere a > 1",
        ),
        ("analyst_query: select *\nfrom t", "select *\nfrom t"),
        ("analyst_query: select a\n\nfrom t\n\nThat is all I found.", "select a\n\nfrom t"),
        ("analyst_query: select a from t\n\nDone", "select a from t"),
        ("analyst_query: select a from t;\n\nI hope this helps!", "select a from t;"),
        ("analyst_query: select a from t\nThis counts every row.", "select a from t"),
        ("analyst_query:\n```sql\nselect 1\n\nfrom t\n```\nProse.", "select 1\n\nfrom t"),
        ("analyst_query:\n\n```sql\nselect 1\n```", "select 1"),
        ("analyst_query:\n\nselect 1 from t", "select 1 from t"),
        ("analyst_query: ```select 1 from t```", "select 1 from t"),
        ('analyst_query: "select \\"a\\" from t"', 'select "a" from t'),
        ('analyst_query: select "a" from "t"', 'select "a" from "t"'),
        ("analyst_query: select 'x:y' from t -- analyst", "select 'x:y' from t -- analyst"),
        # SQL that we cannot parse is still the analyst's query, whole.
        ("analyst_query: selekt ~~ from\n\nwhere", "selekt ~~ from\n\nwhere"),
        # Two statements stay two: the gate has to see them.
        ("analyst_query: select 1; drop table t", "select 1; drop table t"),
        ("analyst_query: null\n\nI could not find the table.", None),
        ("analyst_query:\n\nI could not find the table.", None),
        ("analyst_query: None", None),
        ('{"analyst_query": "select\n  1"}', "select\n  1"),
    ],
)
def test_the_query_ends_where_prose_begins(text: str, query: str | None) -> None:
    assert read_reply(f"analyst_value: 1\n{text}").query == query


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("analyst_value:", None),
        ("analyst_value: null", None),
        ("analyst_value: None", None),
        ('analyst_value: ""', None),
        ("analyst_value:\nanalyst_query: select 1", None),
        ("analyst_value:\n\nI found nothing.", None),
        ('{"analyst_value": null, "analyst_query": null}', None),
        ('{"analyst_value": ""}', None),
        ("analyst_value: $1,234.50", "$1,234.50"),
        ("analyst_value: (3)", "(3)"),
        ("analyst_value: 2025-12-31", "2025-12-31"),
        ("analyst_value: North: East", "North: East"),
        ("analyst_value: it's", "it's"),
        ('{"analyst_value": 12.50}', "12.50"),
        ('{"analyst_value": 0.1000000000000000055511151231257827}',
         "0.1000000000000000055511151231257827"),
        ('{"analyst_value": 12345678901234567890}', "12345678901234567890"),
        ('{"analyst_value": 1E+3}', "1E+3"),
        ('{"analyst_value": -0.0}', "-0.0"),
        ('{"analyst_value": NaN}', "NaN"),
        ('{"analyst_value": true}', "true"),
        ('{"analyst_value": [["a", 1.10], ["b", 2]]}', '[["a", 1.10], ["b", 2]]'),
        ('{"analyst_value": "\\ud800x"}', "?x"),
    ],
)  # fmt: skip
def test_a_value_is_taken_as_it_was_said(text: str, value: str | None) -> None:
    assert read_reply(text).value == value


@pytest.mark.parametrize("text", ["", "  \n\t\n", "\ufeff\r\n"])
def test_nothing_said_is_an_empty_reply(text: str) -> None:
    assert read_reply(text) == Reply()


def test_a_block_without_content_is_an_empty_reply() -> None:
    assert read_reply("analyst_value:\nanalyst_query:\ndefinition_source:\n") == Reply()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("The revenue was 42.", "it begins 'The revenue was 42.'"),
        ('{"value": 42}', "no answer in the output"),
        ('{"analyst_value": 42', "no answer in the output"),
        ("{" * 100_000, "no answer in the output"),
        ("*" * 100_000, "no answer in the output"),
        ('{"analyst_value": ' + "[" * 50_000, "no answer in the output"),
        ('{"analyst_query": ["select 1"]}', "'analyst_query' is ['select 1']: a text is expected"),
        ('{"analyst_value": 1, "cost": "cheap"}', "'cost' is 'cheap': a number is expected"),
    ],
)
def test_text_without_an_answer_is_a_fault_that_is_named(text: str, part: str) -> None:
    with pytest.raises(AnalystError) as caught:
        read_reply(text)
    assert part in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_json_answer_may_tell_its_cost_and_tools() -> None:
    reply = read_reply(
        '{"analyst_value": 1, "cost": 0.0123, "turns": 3, "tools": ["sql", "sql"],'
        ' "usage": {"input_tokens": 10, "output_tokens": 2}}'
    )
    assert reply == Reply(
        value="1",
        cost=Decimal("0.0123"),
        turns=3,
        tools=("sql", "sql"),
        usage=Usage(input_tokens=10, output_tokens=2),
    )


def test_another_definition_source_is_kept_as_said() -> None:
    assert (
        read_reply("analyst_value: 1\ndefinition_source: The Wiki").definition_source == "The Wiki"
    )
