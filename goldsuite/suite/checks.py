"""What the cases of a gold file say about each other, and what each says about itself."""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from goldsuite.model.key import AnswerKind, GoldValue
from goldsuite.suite.decode import Entry
from goldsuite.suite.fields import KNOWN_UNITS
from goldsuite.suite.findings import Finding
from goldsuite.suite.query import query_fault

__all__ = ["PROCESS_KEYS", "check_entries", "check_queries"]

_WITHOUT_GOLD = frozenset({"refusal", "clarify"})
PROCESS_KEYS = ("rubric", "success_criteria", "expected_tools", "expected_skills", "max_turns")
"""What a case without gold may be scored by."""
_MONEYLESS = frozenset({"count", "percent", "pp", "bps", "rate", "days"})


def check_entries(entries: Iterable[Entry]) -> Iterator[Finding]:
    """Find duplicates, and cases that contradict themselves."""
    entries = tuple(entries)
    yield from _duplicate_ids(entries)
    yield from _duplicate_questions(entries)
    for entry in entries:
        yield from _check_presence(entry)
        yield from _check_rubric(entry)
        yield from _check_value(entry)
        yield from _check_currency(entry)


def _duplicate_ids(entries: Iterable[Entry]) -> Iterator[Finding]:
    first: dict[str, Entry] = {}
    for entry in entries:
        if not entry.case.id:
            continue
        earlier = first.setdefault(entry.case.id, entry)
        if earlier is not entry:
            message = f"the id is given twice, first in line {earlier.line}. Rename one of them."
            yield Finding(path=(*entry.path, "id"), message=message)


def _duplicate_questions(entries: Iterable[Entry]) -> Iterator[Finding]:
    first: dict[str, Entry] = {}
    for entry in entries:
        words = " ".join(entry.case.question.casefold().split())
        if not words:
            continue
        earlier = first.setdefault(words, entry)
        if earlier is not entry:
            yield Finding(path=(*entry.path, "question"), message=_same_question(earlier, entry))


def _same_question(earlier: Entry, entry: Entry) -> str:
    name = repr(earlier.case.id) if earlier.case.id else "without an id"
    message = f"the question is that of case {name} (line {earlier.line})"
    splits = {earlier.case.split, entry.case.split}
    if splits == {"train", "test"}:
        return f"{message}, on the other side of the split: it is not held out. Remove one."
    return f"{message}. Ask each question once; further wordings go under `paraphrases`."


def check_queries(entries: Iterable[Entry], dialect: str | None) -> Iterator[Finding]:
    """Find golds that are no single read-only query.

    Args:
        dialect: sqlglot's name of the warehouse's SQL; None for a general reading.
    """
    for entry in entries:
        queries = entry.case.gold_sql or ()
        several = len(queries) > 1
        for position, sql in enumerate(queries):
            fault = query_fault(sql, dialect)
            if fault:
                place = f"gold_sql, item {position + 1}" if several else "gold_sql"
                path = (*entry.path, "gold_sql", *([position] if several else []))
                yield Finding(path=path, message=f"{place}: {fault}")


def _check_presence(entry: Entry) -> Iterator[Finding]:
    case, unsure = entry.case, entry.unsure
    excused = case.answer in _WITHOUT_GOLD or not unsure.isdisjoint({"answer", "gold_sql"})
    if case.gold_sql is not None or excused:
        return
    # By its own words alone: defaults would let every case go whose query was forgotten.
    if not any(getattr(entry.own, key) or key in unsure for key in PROCESS_KEYS):
        yield Finding(path=entry.path, message=_NO_GOLD)
    elif "gold_value" in entry.own.model_fields_set:
        message = "gold_value: without `gold_sql` nothing is compared with it. Add the query."
        yield Finding(path=(*entry.path, "gold_value"), message=message)
    elif entry.own.must_pass:
        message = "must_pass: without `gold_sql` the case is never correct. Remove one of the two."
        yield Finding(path=(*entry.path, "must_pass"), message=message)


_NO_GOLD = (
    "`gold_sql` is missing. Add the trusted query; only `answer: refusal` or `clarify` goes "
    "without, and a case with a `rubric`, `success_criteria`, `expected_tools`, `expected_skills` "
    "or `max_turns` of its own."
)


def _check_rubric(entry: Entry) -> Iterator[Finding]:
    if entry.own.rubric and entry.own.success_criteria:
        message = "`rubric` and `success_criteria` say the same thing. Keep one of them."
        yield Finding(path=(*entry.path, "success_criteria"), message=message)


def _check_value(entry: Entry) -> Iterator[Finding]:
    if "gold_value" not in entry.own.model_fields_set or "answer" in entry.unsure:
        return
    problem = _contradiction(entry)
    if problem:
        yield Finding(path=(*entry.path, "gold_value"), message=f"gold_value: {problem}")


def _contradiction(entry: Entry) -> str | None:
    case, value = entry.case, entry.case.gold_value
    if value is None:
        unsure = not entry.unsure.isdisjoint({"allow_null", "null_is_zero"})
        fine = case.allow_null or case.null_is_zero or case.answer in _WITHOUT_GOLD or unsure
        if case.answer == "table":
            return "`answer: table` and null contradict each other. Write rows."
        return None if fine else "a NULL gold is an error unless the case says `allow_null: true`."
    if isinstance(value, str) and entry.own.unit in KNOWN_UNITS:
        return f"`unit: {entry.own.unit}` and a text contradict each other. {_FIX['number']}"
    if case.answer is None or _is_a(case.answer, value):
        return None
    said = f"`answer: {case.answer}` and {_kind(value)} contradict each other"
    return f"{said}. {_FIX[case.answer]}"


_FIX: dict[AnswerKind, str] = {
    "number": "Write one number, without quotes, signs or separators.",
    "text": "Write one text, in quotes.",
    "date": "Write a day such as 2025-12-31.",
    "boolean": "Write true or false, without quotes.",
    "table": "Write rows: [[a, 1], [b, 2]].",
    "refusal": "Where declining is right there is no value: remove one of the two.",
    "clarify": "Where asking back is right there is no value: remove one of the two.",
}


def _is_a(answer: AnswerKind, value: GoldValue) -> bool:
    match answer:
        case "number":
            return isinstance(value, (int, Decimal)) and not isinstance(value, bool)
        case "text":
            return isinstance(value, str)
        case "date":
            return isinstance(value, date) or (isinstance(value, str) and _is_iso_date(value))
        case "boolean":
            return isinstance(value, bool)
        case "table":
            return isinstance(value, tuple)
        case _:
            return False


def _is_iso_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _kind(value: GoldValue) -> str:
    """What a stored value is, in words that do not tell it."""
    if isinstance(value, tuple):
        return "rows"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, Decimal)):
        return "a number"
    return "a date" if isinstance(value, date) else "a text"


def _check_currency(entry: Entry) -> Iterator[Finding]:
    # What the case itself says: a currency among the defaults is for those cases that are money.
    unit = entry.own.unit
    if entry.own.currency and unit in _MONEYLESS:
        message = f"currency: `unit: {unit}` is no money. Remove one of the two."
        yield Finding(path=(*entry.path, "currency"), message=message)
