"""The ledger of looks: a chain that grows, and shows whatever is done to it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goldsuite.errors import RecordError
from goldsuite.records.ledger import Ledger, LedgerPen, default_ledger, open_ledger, read_ledger
from goldsuite.records.ledger_entry import Entry, EntryKind, Release, read_entry, write_entry

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
V1 = Release(name="v1", basis="git tag", commit="c1", fingerprint="f1")


def write(path: Path, *kinds: EntryKind) -> Ledger:
    """One line each, by runs r1, r2, ..., each of a look of its own."""
    for number, kind in enumerate(kinds, 1):
        with open_ledger(path) as pen:
            add(pen, kind, number)
    return read_ledger(path)


def add(pen: LedgerPen, kind: EntryKind, number: int) -> Entry:
    return pen.append(
        kind, at=AT, suite="shop", look=f"look-{number}", run_id=f"r{number}", release=V1, cases=2
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gold-cases.ledger.jsonl"


USED, PEEKED, REVEALED = EntryKind.USED, EntryKind.PEEKED, EntryKind.REVEALED
RESERVED, RETIRED = EntryKind.RESERVED, EntryKind.RETIRED


def test_the_ledger_stands_beside_the_suite() -> None:
    assert default_ledger(Path("a/gold.yaml")) == Path("a/gold.ledger.jsonl")


def test_a_line_is_read_as_it_was_written() -> None:
    entry = Entry(
        number=3, kind=PEEKED, at=AT, suite="shöp", looks=2, look="l", run_id="r", release=V1,
        cases=4, case=None, reason='a "reason"\nin two lines', heads=("h",), previous="p",
    )  # fmt: skip
    line = write_entry(entry)
    assert b"\n" not in line
    assert read_entry(line) == entry


def test_each_line_holds_the_hash_of_the_one_before(path: Path) -> None:
    ledger = write(path, RESERVED, USED, PEEKED)
    lines = path.read_bytes().splitlines()
    assert [json.loads(line)["previous"] for line in lines] == ["", *ledger.hashes[:2]]
    assert ledger.length == 3
    assert ledger.unnoticed == ()


@pytest.mark.parametrize(
    ("kinds", "looks"),
    [
        ((), 0),
        ((RESERVED,), 0),
        ((RESERVED, USED), 1),
        ((USED, PEEKED, REVEALED), 3),
        ((USED, RETIRED), 1),
    ],
)
def test_looks_are_what_was_used_peeked_at_or_revealed(
    path: Path, kinds: tuple[EntryKind, ...], looks: int
) -> None:
    assert write(path, *kinds).looks == looks


def test_runs_of_one_command_are_one_look(path: Path) -> None:
    with open_ledger(path) as pen:
        entries = [add(pen, USED, number) for number in (1, 1, 2)]
    assert [entry.looks for entry in entries] == [1, 1, 2]


def _edit(lines: list[bytes]) -> None:
    lines[1] = lines[1].replace(b'"used"', b'"reserved"')


def _take_out(lines: list[bytes]) -> None:
    del lines[1]


def _put_in(lines: list[bytes]) -> None:
    lines.insert(1, lines[1])


def _swap(lines: list[bytes]) -> None:
    lines[1], lines[2] = lines[2], lines[1]


def _spoil(lines: list[bytes]) -> None:
    lines[0] = b"not a line"


@pytest.mark.parametrize("harm", [_edit, _take_out, _put_in, _swap, _spoil])
def test_whatever_is_done_inside_the_chain_is_seen(
    path: Path, harm: Callable[[list[bytes]], None]
) -> None:
    write(path, RESERVED, USED, PEEKED)
    lines = path.read_bytes().splitlines()
    harm(lines)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    assert read_ledger(path).unnoticed


def test_a_cut_tail_is_seen_by_who_remembers_the_head(path: Path) -> None:
    whole = write(path, RESERVED, USED, PEEKED)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    cut = read_ledger(path)
    assert cut.unnoticed == ()
    assert cut.holds(length=2, head=whole.hashes[1])
    assert not cut.holds(length=3, head=whole.head)
    path.unlink()
    assert not read_ledger(path).holds(length=1, head=whole.hashes[0])
    assert read_ledger(path).holds(length=0, head="")


def test_what_somebody_noticed_is_no_longer_in_the_way_and_stays_told(path: Path) -> None:
    write(path, RESERVED, USED)
    path.write_bytes(path.read_bytes().replace(b'"shop"', b'"shed"', 1))
    assert read_ledger(path).unnoticed
    with open_ledger(path) as pen:
        pen.append(EntryKind.NOTICED, at=AT, suite="shop", heads=("lost",), looks=7)
        entry = add(pen, USED, 9)
    ledger = read_ledger(path)
    assert ledger.unnoticed == ()
    assert ledger.problems
    assert ledger.holds(length=99, head="lost")
    # Seven looks were told of, and one is new.
    assert entry.looks == ledger.looks == 8


def test_a_line_that_was_cut_off_is_not_joined_to_the_next(path: Path) -> None:
    write(path, USED)
    path.write_bytes(path.read_bytes() + b'{"ledger_ver')
    with open_ledger(path) as pen:
        add(pen, PEEKED, 2)
    ledger = read_ledger(path)
    assert [entry.kind for entry in ledger.entries] == [USED, PEEKED]
    assert [problem.line for problem in ledger.problems] == [2]


def test_looking_writes_no_file(path: Path) -> None:
    with open_ledger(path) as pen:
        assert pen.ledger.length == 0
    assert not path.exists()


def test_a_place_that_cannot_be_written_is_told_with_the_way_out(tmp_path: Path) -> None:
    with (
        pytest.raises(RecordError, match="Name another place with --ledger"),
        open_ledger(tmp_path / "no folder" / "x.jsonl"),
    ):
        pass


def release(name: str, basis: str, commit: str | None, fingerprint: str) -> Release:
    return Release(name=name, basis=basis, commit=commit, fingerprint=fingerprint)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        (release("v1", "git tag", "c9", "f9"), True),
        (release("v1", "option", None, "f9"), True),
        # A tag on a commit that was looked at is no new release; nor is another name for it.
        (release("v2", "git tag", "c1", "f9"), True),
        (release("c1", "git commit", "c1", "f9"), True),
        (release("v2", "git tag", "c2", "f1"), False),
        # A tree with changes that change nothing of what is measured.
        (release("f1", "fingerprint", None, "f1"), True),
        (release("f2", "fingerprint", None, "f2"), False),
        # A name that a person gives is taken at its word.
        (release("v2", "option", "c1", "f1"), False),
    ],
)
def test_a_release_is_known_again(path: Path, asked: Release, same: bool) -> None:
    ledger = write(path, USED)
    found = ledger.use_of(asked, look="other", run_id="other")
    assert (found is not None) is same


def test_a_look_does_not_stand_in_its_own_way(path: Path) -> None:
    ledger = write(path, USED)
    assert ledger.use_of(V1, look="look-1", run_id="r2") is None
    assert ledger.use_of(V1, look="look-2", run_id="r1") is None
    assert ledger.use_of(V1, look="look-2", run_id="r2") is not None
