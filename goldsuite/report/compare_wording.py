"""The sentences of a comparison: what differs between two analysts, and what a result means."""

from collections.abc import Iterator, Mapping
from math import ceil

from goldsuite.comparison.compare import TestName
from goldsuite.model.run import RunRecord
from goldsuite.report.figures import counted
from goldsuite.stats.power import minimum_detectable_gain

__all__ = ["TEST_LABEL", "TEST_NOTE", "changes_of", "needed_text"]

TEST_LABEL: Mapping[TestName, str] = {
    "mcnemar_midp": "McNemar mid-p",
    "sign_flip_midp": "sign-flip mid-p",
}

TEST_NOTE = (
    "cases were asked several times: a case passes where more than half of its trials do, and the "
    "test weighs each case once, by its share of passed trials"
)


def needed_text(needed: int | None, compared: int) -> str:
    """What an inconclusive comparison may be taken for."""
    gain = minimum_detectable_gain(compared)
    noticed = (
        f"{counted(compared, 'case')} notice no gain reliably"
        if gain is None
        else f"{counted(compared, 'case')} notice a gain of {_whole(gain)} or more"
    )
    if needed is None:
        return f"No net difference was seen ({noticed}, at 80 % power)."
    return (
        f"Too few cases to tell: about {needed:,} would show a difference like this one "
        f"({noticed}, at 80 % power)."
    )


def _whole(gain: float) -> str:
    """Rounded up: a suite never notices less than what is said here."""
    return counted(ceil(100 * gain), "point")


def changes_of(first: RunRecord, second: RunRecord) -> Iterator[str]:
    """What the records know to differ between the analysts, one sentence each."""
    for label, one, two in (
        ("analyst", first.analyst, second.analyst),
        ("model", first.model, second.model),
        ("isolation", first.isolation, second.isolation),
        ("engine", first.warehouse.engine, second.warehouse.engine),
        ("goldsuite", first.environment.goldsuite, second.environment.goldsuite),
        ("trials of a question", str(first.repeat), str(second.repeat)),
    ):
        if one != two:
            yield f"{label}: {one or 'not told'} → {two or 'not told'}"
    yield from _context(first, second)
    names = sorted({*first.analyst_notes, *second.analyst_notes})
    for name in names:
        one, two = first.analyst_notes.get(name), second.analyst_notes.get(name)
        if one != two:
            yield f"{name}: {one or 'not set'} → {two or 'not set'}"


def _context(first: RunRecord, second: RunRecord) -> Iterator[str]:
    one, two = first.context_state, second.context_state
    if one is None or two is None:
        if one is not two:
            yield f"context: {'given' if one else 'none'} → {'given' if two else 'none'}"
        return
    added = sorted({*two.metrics} - {*one.metrics})
    gone = sorted({*one.metrics} - {*two.metrics})
    if added or gone:
        parts = [f"+ {', '.join(added)}"] if added else []
        parts += [f"− {', '.join(gone)}"] if gone else []
        yield f"metrics defined: {one.count} → {two.count} ({'; '.join(parts)})"
    elif one.sha256 != two.sha256:
        yield f"definitions of metrics were changed ({counted(two.count, 'metric')} as before)"
    elif one.files_sha256 != two.files_sha256:
        yield "files of the context were changed, the definitions of metrics were not"
