"""The time in which gold and analyst are asked: the statements of a case, back to back.

What keeps the data still in it is the adapter's matter (`Steady.hold_still`). One way needs help
from here: sessions that can only take their own snapshots are opened first, and begin right after
each other.
"""

from collections.abc import Sequence
from contextlib import ExitStack

from sqlalchemy.engine import Connection

from goldsuite.model.result_set import Execution
from goldsuite.warehouse.adapter import Hold
from goldsuite.warehouse.base import Answers, Snapshot
from goldsuite.warehouse.door import SqlDoor
from goldsuite.warehouse.server import AT_ONCE


class HeldMoment:
    """Implements `goldsuite.warehouse.base.Moment`."""

    def __init__(self, gold: SqlDoor, analyst: SqlDoor, hold: Hold) -> None:
        """Ask through these doors while `hold` lasts."""
        self._gold = gold
        self._analyst = analyst
        self._hold = hold
        self._begins_together = hold.snapshot is Snapshot.BEGUN_TOGETHER
        self._apart = False

    @property
    def snapshot(self) -> Snapshot:
        """What held so far. Read it last: a snapshot can be lost."""
        return Snapshot.NONE if self._apart else self._hold.snapshot

    def execute(self, gold: Sequence[str], analyst: Sequence[str]) -> Answers:
        """Run the statements of one case back to back. Safe to call from several threads."""
        asked = [(self._gold, sql) for sql in gold] + [(self._analyst, sql) for sql in analyst]
        together = self._begins_together and len(asked) > 1
        done = self._begun_together(asked) if together else _one_by_one(asked)
        return Answers(gold=tuple(done[: len(gold)]), analyst=tuple(done[len(gold) :]))

    def _begun_together(self, asked: Sequence[tuple[SqlDoor, str]]) -> list[Execution]:
        # Not counted among the door's places: waiting for several at once could last for ever.
        with ExitStack() as stack:
            try:
                begun = [stack.enter_context(_connect(door)) for door, _ in asked]
                for connection in begun:
                    connection.begin()
            except (*self._gold.faults, *self._analyst.faults):
                # Each door tells by itself what is wrong, for its own statement.
                self._apart = True
                return _one_by_one(asked)
            done = [
                door.execute(sql, connection=connection)
                for (door, sql), connection in zip(asked, begun, strict=True)
            ]
            # The door asked again, on a connection that began later.
            self._apart |= any(connection.invalidated for connection in begun)
            return done


def _connect(door: SqlDoor) -> Connection:
    return door.sqlalchemy_engine.execution_options(**{AT_ONCE: True}).connect()


def _one_by_one(asked: Sequence[tuple[SqlDoor, str]]) -> list[Execution]:
    return [door.execute(sql) for door, sql in asked]
