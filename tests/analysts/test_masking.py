"""Secrets do not get into anything that is written down."""

import pytest

from goldsuite.analysts.masking import mask_for
from goldsuite.model.answer import LoggedQuery, Reply, ToolCall, TraceEvent


@pytest.mark.parametrize(
    ("passed", "url", "text", "expected"),
    [
        ({"API_KEY": "sk-12345678"}, "duckdb:///x", "bad key sk-12345678.", "bad key ***."),
        ({"REGION": "eu"}, "duckdb:///x", "in eu", "in eu"),
        ({"A": "abcd", "B": "abcdefgh"}, "duckdb:///x", "abcdefgh abcd", "*** ***"),
        ({"PEM": "---BEGIN\nMIIEvQIB\n---END"}, "duckdb:///x", "at MIIEvQIB", "at ***"),
        ({}, "postgresql://u:p%40ssword@h/d", "no p@ssword, no p%40ssword", "no ***, no ***"),
        ({}, "postgresql://u:pw@h/d", "open postgresql://u:pw@h/d failed", "open *** failed"),
        ({}, "snowflake://h/d?token=tok-998877", "bad tok-998877", "bad ***"),
        ({}, "duckdb:////data/w.duckdb", "no duckdb:////data/w.duckdb",
         "no duckdb:////data/w.duckdb"),
    ],
)  # fmt: skip
def test_secrets_are_starred(passed: dict[str, str], url: str, text: str, expected: str) -> None:
    assert mask_for(passed, url).text(text) == expected


def test_an_answer_loses_credentials_and_keeps_other_words() -> None:
    mask = mask_for({"API_KEY": "sk-12345678", "SCHEMA": "analytics_prod"}, "duckdb:///x")
    reply = mask.reply(
        Reply(
            value="sk-12345678",
            query="select 1 from analytics_prod.t",
            error="analytics_prod said sk-12345678",
        )
    )
    assert reply == Reply(value="***", query="select 1 from analytics_prod.t", error="*** said ***")


@pytest.mark.parametrize(
    ("name", "value", "answer", "expected"),
    [
        ("MYTOK", "hunter-two", "hunter-two", "***"),
        ("GH_PAT", "abcdefghij", "abcdefghij", "***"),
        ("DSN", "postgresql://u:p4ss-word@h/d", "p4ss-word", "***"),
        ("X", "a8f3k2m9q1", "say a8f3k2m9q1", "say ***"),
        ("REGION", "eu-central-1", "eu-central-1", "eu-central-1"),
        ("DATA", "/mnt/data/2024-01-01", "/mnt/data/2024-01-01", "/mnt/data/2024-01-01"),
        ("ACCOUNT", "123456789", "123456789", "123456789"),
    ],
)
def test_what_looks_or_is_named_like_a_credential_leaves_an_answer(
    name: str, value: str, answer: str, expected: str
) -> None:
    mask = mask_for({name: value}, "duckdb:///x")
    reply = Reply(value=answer, tools=(answer,))
    assert mask.reply(reply) == Reply(value=expected, tools=(expected,))


@pytest.mark.parametrize(
    "spelled", ['p"w\\/é+1', r"p\"w\\/\u00e9+1", r"p\"w\\/é+1", "p%22w%5C%2F%C3%A9%2B1"]
)
def test_a_secret_is_known_in_every_spelling(spelled: str) -> None:
    mask = mask_for({"API_KEY": 'p"w\\/é+1'}, "duckdb:///x")
    assert mask.text(f"bad {spelled}.") == "bad ***."


def test_what_an_agent_did_loses_secrets_like_what_it_said() -> None:
    mask = mask_for({"API_KEY": "sk-12345678", "SCHEMA": "analytics_prod"}, "duckdb:///x")
    said = "sk-12345678 in analytics_prod"
    reply = Reply(
        skills=(said,),
        calls=(ToolCall(name=said, arguments=said, accepted=True),),
        queries=(LoggedQuery(sql=said, rows=1, value=said, error=said),),
        trace=(TraceEvent(kind="tool_result", text=said, name=said),),
    )
    kept = "*** in analytics_prod"
    assert mask.reply(reply) == Reply(
        skills=(kept,),
        calls=(ToolCall(name=kept, arguments=kept, accepted=True),),
        queries=(LoggedQuery(sql=kept, rows=1, value=kept, error="*** in ***"),),
        trace=(TraceEvent(kind="tool_result", text="*** in ***", name=kept),),
    )
