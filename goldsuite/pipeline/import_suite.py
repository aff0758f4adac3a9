"""`goldsuite suite import`: a suite of another tool becomes a gold file that loads without faults.

Every entry of the file ends up as a case, or in the list of those that were not taken, with the
reason. A case is judged twice: by the loader of gold files, and by running its gold.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goldsuite.durable import write_whole
from goldsuite.errors import UsageError
from goldsuite.model.question import Split
from goldsuite.nearest import did_you_mean
from goldsuite.pipeline.import_golds import Tried, try_golds
from goldsuite.pipeline.session import open_session_warehouse
from goldsuite.pipeline.settings import Settings
from goldsuite.sqltext.canonical import normal_form
from goldsuite.suite.authoring import suite_text
from goldsuite.suite.importers.accept import accept, with_ids
from goldsuite.suite.importers.base import Candidate, Reading, Untaken
from goldsuite.suite.importers.kind import Kind
from goldsuite.suite.importers.kinds import read_kind
from goldsuite.suite.importers.split import Drawn, draw_splits
from goldsuite.suite.importers.translate import translate
from goldsuite.suite.key import load_key
from goldsuite.suite.place import shown_path

__all__ = ["ImportReport", "ImportRequest", "import_suite"]

_NAMED = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportRequest:
    """What is asked for."""

    kind: Kind
    path: Path
    out: Path
    from_dialect: str | None = None
    """sqlglot's name of the file's SQL; None where it is the warehouse's own."""
    database: str | None = None
    """Which one of the databases that the file asks about."""
    hints: bool = False
    """Whether a benchmark's hints are part of the question; else they are notes."""
    test_share: float = 0.3
    seed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportReport:
    """What became of the file."""

    out: str
    entries: int
    splits: dict[Split, int]
    untaken: tuple[Untaken, ...]
    notes: tuple[Untaken, ...]
    """Cases that were taken, though not with all that the file says of them."""
    ignored: dict[str, int]
    """Keys that a gold file has no place for, and how many entries had them."""
    translated: int
    """Golds that were written anew for the warehouse's dialect."""
    executed: bool
    """False where no warehouse was there to run the golds on."""
    clock_dependent: int
    """Cases whose gold asks what day it is, while no `as_of` answers."""


def import_suite(settings: Settings, request: ImportRequest) -> ImportReport:
    """Read, translate, run, split and write.

    Raises:
        UsageError: the new file is there already, or no case is left to write.
        SuiteError: the file is no file of that kind.
        PreflightError: the warehouse does not answer.
    """
    if request.out.exists():
        raise UsageError(f"--out {shown_path(request.out)}: is there already; not overwritten")
    reading = read_kind(request.kind, request.path, shown=shown_path(request.path))
    entries = len(reading.candidates) + len(reading.untaken)
    reading = _of_database(reading, request)
    candidates = with_ids([_with_hint(each, request) for each in reading.candidates])
    if settings.warehouse is None:
        if request.from_dialect is not None:
            raise UsageError("--from-dialect: give --warehouse too, to know what to translate into")
        taken, untaken = accept(candidates, dialect=None, as_of=reading.as_of)
        tried = Tried(candidates=taken, untaken=untaken)
    else:
        tried = _tried(settings, request, candidates, reading)
    untaken = (*reading.untaken, *tried.untaken)
    if not tried.candidates:
        raise UsageError(_nothing(request, untaken))
    splits = _write(request, reading, tried)
    return ImportReport(
        out=shown_path(request.out),
        entries=entries,
        splits={side: list(splits.values()).count(side) for side in ("train", "test")},
        untaken=untaken,
        notes=tried.notes,
        ignored=dict(reading.ignored),
        translated=tried.translated,
        executed=settings.warehouse is not None,
        clock_dependent=tried.clock_dependent,
    )


def _of_database(reading: Reading, request: ImportRequest) -> Reading:
    """The entries on the one database that the suite is about; the others are not taken."""
    names = Counter(each.database for each in reading.candidates if each.database)
    wanted = request.database
    if wanted is None:
        if len(names) > 1:
            shown = ", ".join(f"{name} ({count})" for name, count in names.most_common(_NAMED))
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            raise UsageError(
                f"{shown_path(request.path)}: asks about {len(names)} databases, and a suite is "
                f"of one warehouse. Name one with --database: {shown}{more}."
            )
        return reading
    if wanted not in names:
        raise UsageError(
            f"--database {wanted}: {shown_path(request.path)} has no question on {wanted!r}."
            f"{did_you_mean(wanted, names) or _databases(names)}"
        )
    others = [each for each in reading.candidates if each.database != wanted]
    untaken = tuple(_untaken(each, f"is of the database {each.database!r}") for each in others)
    return replace(
        reading,
        candidates=tuple(each for each in reading.candidates if each.database == wanted),
        untaken=(*reading.untaken, *untaken),
    )


def _databases(names: Counter[str]) -> str:
    if not names:
        return " It names no databases: leave the option out."
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f" Its databases: {', '.join(sorted(names)[:_NAMED])}{more}."


def _with_hint(candidate: Candidate, request: ImportRequest) -> Candidate:
    if candidate.hint is None:
        return candidate
    if request.hints:
        return replace(candidate, question=f"{candidate.question} ({candidate.hint})")
    note = {"note": f"The benchmark's hint: {candidate.hint}"}
    return replace(candidate, fields={**note, **candidate.fields})


def _tried(
    settings: Settings,
    request: ImportRequest,
    candidates: Sequence[Candidate],
    reading: Reading,
) -> Tried:
    with open_session_warehouse(settings) as warehouse:
        translated = 0
        refused: list[Untaken] = []
        if request.from_dialect is not None:
            done = translate(candidates, read=request.from_dialect, write=warehouse.dialect)
            candidates, refused, translated = done.candidates, list(done.untaken), done.translated
        taken, untaken = accept(candidates, dialect=warehouse.dialect, as_of=reading.as_of)
        tried = try_golds(
            taken, warehouse, as_of=reading.as_of or settings.as_of, tolerance=settings.tolerance
        )
    return replace(tried, untaken=(*refused, *untaken, *tried.untaken), translated=translated)


def _write(request: ImportRequest, reading: Reading, tried: Tried) -> dict[str, Split]:
    drawn = [_drawn(each, tried.dialect) for each in tried.candidates]
    splits = draw_splits(drawn, test_share=request.test_share, seed=request.seed)
    cases = [
        {
            "id": each.id,
            "question": each.question,
            "gold_sql": each.gold_sql[0] if len(each.gold_sql) == 1 else list(each.gold_sql),
            **each.fields,
            "split": splits[each.id or ""],
        }
        for each in tried.candidates
    ]
    text = suite_text(
        cases, name=request.out.stem, as_of=reading.as_of, header=_header(request, tried)
    )
    write_whole(request.out, text)
    # Whatever was written must be what the loader reads: a difference is a defect of ours.
    load_key(request.out)
    return splits


def _drawn(candidate: Candidate, dialect: str) -> Drawn:
    given = candidate.fields.get("split")
    value = candidate.fields.get("gold_value")
    return Drawn(
        id=candidate.id or "",
        stratum=(
            str(candidate.fields.get("difficulty") or ""),
            "rows" if isinstance(value, (list, tuple)) else "value",
        ),
        group=normal_form(candidate.gold_sql[0], dialect).text,
        given="test" if given == "test" else "train" if given == "train" else None,
    )


def _header(request: ImportRequest, tried: Tried) -> str:
    source = f"Imported from {request.path.name} ({request.kind.value})"
    if tried.translated:
        source += f", its SQL translated from {request.from_dialect} to {tried.dialect}"
    return (
        f"{source}.\ntrain and test were drawn with --test-share {request.test_share:g} "
        f"--seed {request.seed}, where the file does not say."
    )


def _untaken(candidate: Candidate, reason: str) -> Untaken:
    return Untaken(place=candidate.place, name=candidate.id, reason=reason)


def _nothing(request: ImportRequest, untaken: Sequence[Untaken]) -> str:
    reasons = "\n".join(f"  {each}" for each in untaken[:_NAMED])
    more = f"\n  and {len(untaken) - _NAMED} more" if len(untaken) > _NAMED else ""
    where = shown_path(request.path)
    return f"{where}: no case could be taken, and nothing is written.\n{reasons}{more}"
