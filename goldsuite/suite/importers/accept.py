"""Which candidates the loader of gold files takes: the same checks as for a file by hand."""

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from goldsuite.suite.authoring import suite_text
from goldsuite.suite.checks import check_entries, check_queries
from goldsuite.suite.decode import decode
from goldsuite.suite.file import read_gold_file
from goldsuite.suite.importers.base import Candidate, Untaken

__all__ = ["accept", "case_fields", "with_ids"]


def with_ids(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Each candidate with an id; those that the file names keep it."""
    width = len(str(len(candidates)))
    return tuple(
        each if each.id else replace(each, id=f"case-{number:0{width}}")
        for number, each in enumerate(candidates, start=1)
    )


def accept(
    candidates: Sequence[Candidate], *, dialect: str | None, as_of: date | None
) -> tuple[tuple[Candidate, ...], tuple[Untaken, ...]]:
    """The candidates without a fault, and the others with what is wrong.

    Args:
        dialect: sqlglot's name of the golds' SQL; None for a general reading.
    """
    single, untaken = _without_repeats(candidates)
    if not single:
        return (), tuple(untaken)
    faults = _faults(single, dialect=dialect, as_of=as_of)
    untaken += [
        Untaken(place=single[index].place, name=single[index].id, reason=reason)
        for index, reason in faults.items()
    ]
    return tuple(each for index, each in enumerate(single) if index not in faults), tuple(untaken)


def case_fields(candidate: Candidate) -> dict[str, Any]:
    """The case as a gold file says it; one without a split is of train."""
    golds = candidate.gold_sql
    return {
        "id": candidate.id,
        "question": candidate.question,
        "split": "train",
        "gold_sql": golds[0] if len(golds) == 1 else list(golds),
        **candidate.fields,
    }


def _without_repeats(
    candidates: Sequence[Candidate],
) -> tuple[list[Candidate], list[Untaken]]:
    """The first of those with one id, or one question; here, since a message names the place."""
    ids: dict[str, Candidate] = {}
    questions: dict[str, Candidate] = {}
    single: list[Candidate] = []
    untaken: list[Untaken] = []
    for each in candidates:
        words = " ".join(each.question.casefold().split())
        if each.id in ids:
            reason = f"the id is that of {ids[each.id or ''].place}"
        elif words in questions:
            earlier = questions[words]
            same = "too" if earlier.gold_sql == each.gold_sql else "with another gold"
            reason = f"asks what {earlier.place} ({earlier.id}) asks, {same}"
        else:
            ids[each.id or ""] = questions[words] = each
            single.append(each)
            continue
        untaken.append(Untaken(place=each.place, name=each.id, reason=reason))
    return single, untaken


def _faults(
    candidates: Sequence[Candidate], *, dialect: str | None, as_of: date | None
) -> dict[int, str]:
    """By position: every fault of that case, in one line."""
    text = suite_text(map(case_fields, candidates), name="import", as_of=as_of, header="")
    with tempfile.TemporaryDirectory(prefix="goldsuite-import-") as folder:
        path = Path(folder) / "suite.yaml"
        path.write_text(text, encoding="utf-8")
        file = read_gold_file(path, shown="suite.yaml")
    decoded = decode(file)
    findings = [
        *decoded.findings,
        *check_entries(decoded.entries),
        *check_queries(decoded.entries, dialect),
    ]
    by_case: dict[int, list[str]] = defaultdict(list)
    for finding in findings:
        match finding.path:
            case ("cases", int(index), *_):
                by_case[index].append(finding.message)
            case _:
                raise AssertionError(f"the head of an import is at fault: {finding.message}")
    return {index: " ".join(dict.fromkeys(found)) for index, found in by_case.items()}
