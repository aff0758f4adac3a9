"""The journal outlives whatever happens to the runner."""

from decimal import Decimal
from pathlib import Path

import pytest

from goldsuite.errors import RecordError, RefusedError
from goldsuite.model.answer import Answer, Reply
from goldsuite.runner.journal import Journal, read_journal

ONE = Answer(id="a", trial=1, reply=Reply(value="1.50", cost=Decimal("0.10")), latency_ms=12.5)
TWO = Answer(id="b", trial=1, reply=Reply(value="München", query="select 1\nfrom t"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.jsonl"


def _write(path: Path, *answers: Answer) -> None:
    with Journal(path) as journal:
        for answer in answers:
            journal.append(answer)


def test_answers_are_in_the_file_as_soon_as_they_are_added(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(ONE)
        assert read_journal(path) == (ONE,)
        journal.append(TWO)
        assert read_journal(path) == (ONE, TWO)


def test_a_file_that_is_not_there_holds_no_answers(path: Path) -> None:
    assert read_journal(path) == ()


def test_the_later_row_of_a_case_and_trial_counts(path: Path) -> None:
    broken = Answer(id="a", trial=1, reply=Reply(error="down"))
    second = Answer(id="a", trial=2, reply=Reply(value="3"))
    _write(path, broken, TWO, second, ONE)
    assert read_journal(path) == (ONE, TWO, second)


def test_a_last_line_torn_at_any_byte_is_dropped_and_cut_off(path: Path) -> None:
    _write(path, ONE)
    whole = path.read_bytes()
    _write(path, TWO)
    both = path.read_bytes()
    for size in range(len(whole), len(both)):
        path.write_bytes(both[:size])
        # Only the line break is missing: then the answer is there.
        expected = (ONE, TWO) if size == len(both) - 1 else (ONE,)
        assert read_journal(path) == expected
        third = Answer(id="c", trial=1, reply=Reply(value="3"))
        _write(path, third)
        assert read_journal(path) == (*expected, third)
        assert path.read_bytes().count(b"\n") == len(expected) + 1


def test_a_corrupt_line_in_the_middle_is_named(path: Path) -> None:
    _write(path, ONE, TWO)
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:20] + b"\n" + second)
    with pytest.raises(RecordError, match=rf"^{path}:2: no JSON"):
        read_journal(path)


def test_bytes_that_are_no_text_are_named(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(RecordError, match=rf"^{path}:1: "):
        read_journal(path)


def test_blank_lines_and_a_byte_order_mark_are_passed_over(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{"id": "a", "analyst_value": 1.50}\r\n\n')
    assert read_journal(path) == (Answer(id="a", trial=1, reply=Reply(value="1.50")),)


def test_a_locked_journal_takes_no_answer(path: Path) -> None:
    _write(path, ONE)
    (path.parent / "lock.json").write_text("{}")
    with pytest.raises(RefusedError, match="locked"):
        Journal(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be opened"):
        Journal(tmp_path / "none" / "answers.jsonl")


def test_a_full_disk_leaves_the_earlier_answers_and_no_torn_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    real = os.write
    with Journal(path) as journal:
        journal.append(ONE)

        def write_a_part(handle: int, data: bytes) -> int:
            if len(data) <= 20:
                raise OSError(28, "No space left on device")
            return real(handle, bytes(data)[:20])

        monkeypatch.setattr("os.write", write_a_part)
        with pytest.raises(RecordError, match="No space left on device"):
            journal.append(Answer(id="b", trial=1, reply=Reply(value="x" * 3)))
        monkeypatch.undo()
        journal.append(TWO)
    assert read_journal(path) == (ONE, TWO)
