"""Thousands of faulty replies in one run leave nothing behind.

`python -m benchmarks.claude_soak` does the same with ten thousand.
"""

import asyncio
from pathlib import Path

import pytest

from tests.analysts.claude_agents import lab, only_the_stand_in
from tests.analysts.claude_soak import soak, trouble

REPLIES = 800


def test_faulty_replies_each_have_one_clear_end_and_leave_no_task_connection_or_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    only_the_stand_in(monkeypatch)
    with lab(tmp_path) as shop:
        ends, left = asyncio.run(soak(shop, REPLIES, rounds=4))
    assert trouble(ends, left, REPLIES) == []
