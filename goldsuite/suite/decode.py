"""From plain data to the wire model, case by case: one wrong field hides no other fault."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from goldsuite.nearest import nearest
from goldsuite.suite.file import GoldFile
from goldsuite.suite.findings import Finding, Path, named, or_known
from goldsuite.suite.nodes import Plain, Trap
from goldsuite.suite.wire import Case, Criterion, Defaults, Head, Suite

__all__ = ["Decoded", "Entry", "decode"]

_FLAGS = frozenset({"null_is_zero", "allow_null", "accept_rounding", "case_sensitive", "must_pass"})
_NUMBERS = frozenset({"tolerance", "abs_tolerance", "max_turns", "weight"})
_CASE_ONLY = frozenset(Case.model_fields) - frozenset(Defaults.model_fields)

_OTHER_NAMES = {
    "sql": "gold_sql",
    "query": "gold_sql",
    "gold_query": "gold_sql",
    "value": "gold_value",
    "expected": "gold_value",
    "expected_value": "gold_value",
    "gold_answer": "gold_value",
    "gold_rows": "gold_value",
    "prompt": "question",
    "text": "question",
    "difficulty_level": "difficulty",
    "locale": "decimal_mark",
    "decimal_separator": "decimal_mark",
}
"""What other suites call our keys; too far from them for a comparison of letters."""

_MISSING = {
    "id": "`id` is missing. Give each case a short, unique id.",
    "question": "`question` is missing. Write what the analyst is asked.",
    "split": "`split` is missing. Write `split: train` to work on the case, `split: test` to "
    "hold it out.",
}

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One case as far as it could be read."""

    path: Path
    line: int
    own: Case
    """As the case says it."""
    case: Case
    """With the suite's defaults."""
    unsure: frozenset[str]
    """Keys that are faulty, and read here as if they were not given."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decoded:
    """A whole gold file, as far as it could be read."""

    head: Head
    entries: tuple[Entry, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Notes:
    """What the reading of the YAML noted, by the part of the file that it concerns."""

    traps: Mapping[Path, Mapping[Path, Trap]]
    broken: frozenset[Path]
    """Keys whose value could not be read; that is said already."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Validated(Generic[Model]):
    base: Path
    model: Model
    unsure: frozenset[str]
    findings: list[Finding]


def decode(file: GoldFile) -> Decoded:
    """Read every case; what is wrong is in `findings`, and left out of the models."""
    notes = _Notes(
        traps=_by_owner(file.traps), broken=frozenset(_key_of(f.path) for f in file.findings)
    )
    top = {key: value for key, value in file.data.items() if key not in {"defaults", "cases"}}
    head = _validated(Head, top, (), notes)
    defaults, wrong = _defaults(file.data.get("defaults"), notes)
    findings = [*file.findings, *head.findings, *wrong]
    entries: list[Entry] = []
    for case in _cases(file.data, defaults, notes):
        findings += case if isinstance(case, list) else case.findings
        if isinstance(case, _Validated):
            entries.append(_entry(case, defaults, file))
    return Decoded(head=head.model, entries=tuple(entries), findings=tuple(findings))


def _cases(
    data: Mapping[str, Plain], defaults: Defaults, notes: _Notes
) -> Iterator[_Validated[Case] | list[Finding]]:
    """Each case, or what is wrong where there is none to read."""
    raw = data.get("cases")
    if not isinstance(raw, list) or not raw:
        yield [Finding(path=("cases",), message=_no_cases(data))]
        return
    for index, item in enumerate(raw):
        path = ("cases", index)
        if not isinstance(item, dict):
            message = "a case is a mapping. Write `- id: ...` with its other keys below."
            yield [Finding(path=path, message=message)]
            continue
        case = _validated(Case, item, path, notes, defaults=defaults)
        missing = [key for key in _MISSING if key not in item and key not in case.unsure]
        case.findings.extend(Finding(path=path, message=_MISSING[key]) for key in missing)
        yield case


def _entry(case: _Validated[Case], defaults: Defaults, file: GoldFile) -> Entry:
    return Entry(
        path=case.base,
        line=file.lines.of(case.base),
        own=case.model,
        case=case.model.under(defaults),
        unsure=case.unsure,
    )


def _no_cases(data: Mapping[str, Plain]) -> str:
    if "cases" not in data:
        return "`cases` is missing. List the questions below `cases:`."
    if isinstance(data["cases"], dict):
        return "`cases` is a mapping, not a list. Start each case with `- id: ...`."
    return "`cases` holds no case. List the questions below it, each starting with `- id: ...`."


def _defaults(raw: Plain, notes: _Notes) -> tuple[Defaults, list[Finding]]:
    if raw is None:
        return Defaults(), []
    if not isinstance(raw, dict):
        message = "`defaults` is no mapping. Write keys such as `tolerance: 0.005` below it."
        return Defaults(), [Finding(path=("defaults",), message=message)]
    read = _validated(Defaults, raw, ("defaults",), notes)
    return read.model, read.findings


def _validated(
    model: type[Model],
    raw: dict[str, Plain],
    base: Path,
    notes: _Notes,
    defaults: Defaults | None = None,
) -> _Validated[Model]:
    """The model without its faulty keys, and what is wrong with these."""
    unsure = {key for key in raw if (*base, key) in notes.broken} if notes.broken else set()
    given = unsure if defaults is None else unsure | defaults.model_fields_set
    findings = [
        *_trapped(model, notes.traps.get(base, {}), base),
        *_empty(model, raw, base, given),
    ]
    unsure |= {cast(str, finding.path[len(base)]) for finding in findings}
    try:
        value = model.model_validate({k: v for k, v in raw.items() if k not in unsure})
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_input=False):
            findings.append(_finding(detail, model, base))
            key = cast(str, detail["loc"][0])
            # What an unknown key was meant to be is not reported as missing besides.
            unsure |= {key, _OTHER_NAMES.get(key.lower()) or nearest(key, model.model_fields)}
        value = model.model_validate({k: v for k, v in raw.items() if k not in unsure})
    return _Validated(base=base, model=value, unsure=frozenset(unsure), findings=findings)


def _owner(path: Path) -> Path:
    """The case, the defaults or the top of the file that `path` lies in."""
    return path[: {"cases": 2, "defaults": 1}.get(str(path[0]) if path else "", 0)]


def _key_of(path: Path) -> Path:
    return path[: len(_owner(path)) + 1]


def _by_owner(traps: Mapping[Path, Trap]) -> dict[Path, dict[Path, Trap]]:
    owners: dict[Path, dict[Path, Trap]] = {}
    for path, trap in traps.items():
        owners.setdefault(_owner(path), {})[path] = trap
    return owners


def _trapped(model: type[BaseModel], traps: Mapping[Path, Trap], base: Path) -> Iterator[Finding]:
    for path, trap in traps.items():
        inner = path[len(base) :]
        if inner and inner[0] in model.model_fields and _matters(trap, inner):
            yield Finding(path=path, message=f"{_place(inner)}: {trap.message}.")


def _matters(trap: Trap, inner: Path) -> bool:
    in_gold = inner[0] == "gold_value"
    if trap.kind == "number":
        return True
    if trap.kind == "word":
        return inner[0] not in _FLAGS
    return in_gold or (trap.kind == "text" and inner[-1] in _NUMBERS)


def _empty(
    model: type[BaseModel], raw: Mapping[str, Plain], base: Path, given: set[str]
) -> Iterator[Finding]:
    """Keys without a value: null takes a default back, and means NULL in `gold_value`."""
    if None not in raw.values():
        return
    for key, value in raw.items():
        known = key in model.model_fields and key != "gold_value"
        if value is None and known and key not in given:
            message = f"{key}: nothing is given. Write a value, or leave the line out."
            yield Finding(path=(*base, key), message=message)


def _finding(detail: ErrorDetails, model: type[BaseModel], base: Path) -> Finding:
    location: Path = tuple(detail["loc"])
    owner = Criterion if len(location) > 1 else model
    path = (*base, *location)
    if detail["type"] == "extra_forbidden":
        name = str(location[-1])
        return Finding(path=path, message=f"unknown field{named(name)}. {_hint(name, owner)}")
    if detail["type"] == "missing":
        message = f"{_place(location[:-1])}: `{location[-1]}` is missing. Add it."
        return Finding(path=path[:-1], message=message)
    told = detail.get("ctx", {}).get("error", "the value cannot be read.")
    return Finding(path=path, message=f"{_place(location)}: {told}")


def _place(location: Path) -> str:
    """`tags, item 2`: positions are counted from 1, as people do."""
    steps = [f"item {step + 1}" if isinstance(step, int) else step for step in location]
    return ", ".join(steps)


def _hint(name: str, owner: type[BaseModel]) -> str:
    known = Suite.model_fields if owner is Head else owner.model_fields
    other = _OTHER_NAMES.get(name.lower())
    if other in known:
        return f"Did you mean {other!r}?"
    if owner is Case and name in Suite.model_fields:
        return f"{name!r} stands at the top of the file."
    if owner is Defaults and name in _CASE_ONLY:
        return f"Each case gives its own {name!r}."
    if owner is Head and name in Case.model_fields:
        return f"{name!r} belongs into a case, or into `defaults` where it can stand there."
    return or_known(name, known)
