"""Which records stand for their split, and which are only a part of it."""

from goldsuite.model.run import RunRecord

__all__ = ["is_partial", "partial_text"]


def is_partial(record: RunRecord) -> bool:
    """Whether the run asked only some cases of its split.

    Such a figure is not that of the split, above all where the cases were chosen by how they had
    been answered before (`--failed-from`): it never enters a trend.
    """
    return bool(record.selection)


def partial_text(record: RunRecord) -> str:
    """What narrowed the run, as in `case a, b; tag money`; empty for a whole split."""
    named = {"failed_from": "failed in", "errors_from": "errors of"}
    return "; ".join(f"{named.get(name, name)} {value}" for name, value in record.selection.items())
