"""Claude agents over a small shop, with the stand-in in place of the service."""

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypeVar

import pytest

from goldsuite.analysts.claude.options import ClaudeOptions
from goldsuite.analysts.claude.source import ClaudeSource, open_claude
from goldsuite.analysts.prices import PriceTable
from goldsuite.analysts.toolbox import Toolbox
from goldsuite.context.files import ContextFile
from goldsuite.errors import ServiceError
from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt
from goldsuite.warehouse.engines import OpenWarehouse, open_warehouse
from tests.stand_in.process import StandIn, call, say, stand_in

_T = TypeVar("_T")

WHOLE = ClaudeOptions(max_tokens=1_000)
STREAMED = ClaudeOptions(max_tokens=30_000)
"""More than the SDK waits for without a stream."""
MODEL = "claude-opus-5-5"

ANSWER = call(
    "give_answer",
    analyst_value="3",
    analyst_query="select count(*) from orders",
    definition_source="my own choice",
)
ANSWERED = say(ANSWER)


class Patience:
    """A pace without waiting: asks up to `tries` times, and keeps the faults it saw."""

    def __init__(self, tries: int = 1) -> None:
        self.tries = tries
        self.faults: list[ServiceError] = []

    async def send(self, request: Callable[[], Awaitable[_T]]) -> _T:
        for _ in range(self.tries - 1):
            try:
                return await request()
            except ServiceError as fault:
                self.faults.append(fault)
        try:
            return await request()
        except ServiceError as fault:
            self.faults.append(fault)
            raise


@dataclass(frozen=True)
class Notes:
    """The context: one file."""

    files: tuple[ContextFile, ...]


@dataclass(frozen=True)
class Lab:
    """The stand-in, the shop and its notes."""

    stand_in: StandIn
    warehouse: OpenWarehouse
    notes: Notes
    pace: Patience = field(default_factory=Patience)

    def source(
        self,
        options: ClaudeOptions = WHOLE,
        *,
        pace: Patience | None = None,
        model: str = MODEL,
        prices: PriceTable | None = None,
    ) -> ClaudeSource:
        return open_claude(
            model,
            options=options,
            toolbox=lambda: Toolbox(self.warehouse.analyst, self.warehouse.catalog, self.notes),
            pace=pace or Patience(),
            dialect="sqlite",
            context=True,
            environ=self.stand_in.environ,
            prices=prices,
        )

    def ask(
        self,
        *questions: str,
        options: ClaudeOptions = WHOLE,
        pace: Patience | None = None,
        model: str = MODEL,
        as_of: date | None = None,
    ) -> list[Reply]:
        """The replies to `questions`, asked one after the other in one run."""

        async def run() -> list[Reply]:
            source = self.source(options, pace=pace, model=model)
            try:
                return [
                    await source.fresh().answer(Prompt(token="t", text=question, as_of=as_of))
                    for question in questions
                ]
            finally:
                await source.aclose()

        return asyncio.run(run())

    def reply(self, *steps: object, options: ClaudeOptions = WHOLE) -> Reply:
        """The reply to one question that the stand-in answers by `steps`."""
        self.stand_in.script({"How many orders?": steps})  # type: ignore[dict-item]
        return self.ask("How many orders?", options=options)[0]


@contextmanager
def lab(folder: Path) -> Iterator[Lab]:
    """A shop of three orders in `folder`, and a stand-in."""
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("create table orders (id integer primary key, amount integer)")
        connection.execute("insert into orders values (1, 5), (2, 7), (3, 30)")
    index = folder / "index.yaml"
    index.write_text("metrics: [{name: revenue, sql: sum(amount)}]\n")
    name = ".knowledge/datasets/shop/metrics/index.yaml"
    notes = Notes(files=(ContextFile(name=name, path=index),))
    with open_warehouse(f"sqlite:///{path}") as warehouse, stand_in() as service:
        yield Lab(stand_in=service, warehouse=warehouse, notes=notes)


def only_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the machine's own settings leads the SDK elsewhere."""
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
