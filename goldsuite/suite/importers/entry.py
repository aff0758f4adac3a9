"""One entry of a foreign file: its texts, read strictly, with a reason where one is not there."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from goldsuite.nearest import did_you_mean
from goldsuite.suite.importers.base import Candidate, Reading, Untaken

__all__ = ["Entry", "NotTakenError", "collect", "one_line"]

_SHOWN = 60


class NotTakenError(Exception):
    """This entry cannot be a case; the message says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One entry, and where it stands."""

    place: str
    data: Mapping[str, Any]

    def text(self, *keys: str) -> str:
        """The text under the first of `keys` that is there.

        Raises:
            NotTakenError: none of them is, or it is no text, or an empty one.
        """
        found = self.optional(*keys)
        if found is None:
            near = next((hint for key in keys if (hint := did_you_mean(key, self.data))), "")
            raise NotTakenError(f"{keys[0]!r} is missing or empty.{near}")
        return found

    def optional(self, *keys: str) -> str | None:
        """As `text`; None where there is none.

        Raises:
            NotTakenError: what is there is no text.
        """
        key = next((key for key in keys if self.data.get(key) not in (None, "")), None)
        if key is None:
            return None
        value = self.data[key]
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise NotTakenError(f"{key!r} is no text")
        return value.strip() or None

    def candidate(
        self,
        *,
        question: str,
        gold_sql: Sequence[str],
        id: str | None = None,  # noqa: A002 - the file's own word
        database: str | None = None,
        hint: str | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> Candidate:
        """This entry as a candidate; fields that are None or empty are left out."""
        given = {key: value for key, value in (fields or {}).items() if value not in (None, "", [])}
        return Candidate(
            place=self.place,
            question=one_line(question),
            gold_sql=tuple(dict.fromkeys(gold_sql)),
            id=id,
            database=database,
            hint=hint,
            fields=given,
        )

    def untaken(self, reason: str) -> Untaken:
        """Why this entry is no case, with a name that a person finds it by."""
        words = (self.data.get(key) for key in ("id", "question_id", "name", "question"))
        name = next((str(word) for word in words if word not in (None, "")), None)
        return Untaken(
            place=self.place, name=name and one_line(name)[:_SHOWN], reason=reason.rstrip(".")
        )


def one_line(text: str) -> str:
    """`text` with every run of white space as one space."""
    return " ".join(text.split())


def collect(
    results: Iterable[Candidate | Untaken],
    *,
    entries: Iterable[Entry] = (),
    known: frozenset[str] = frozenset(),
    as_of: date | None = None,
) -> Reading:
    """Sort what an importer made of each entry; keys of `entries` not in `known` are counted."""
    results = tuple(results)
    spare = Counter(key for entry in entries for key in entry.data if key not in known)
    return Reading(
        candidates=tuple(each for each in results if isinstance(each, Candidate)),
        untaken=tuple(each for each in results if isinstance(each, Untaken)),
        ignored=dict(sorted(spare.items())),
        as_of=as_of,
    )
