"""After the last answer nothing changes unseen."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from goldsuite.errors import RecordError, RefusedError
from goldsuite.runner.journal import Journal
from goldsuite.runner.lock import LockState, lift_lock, lock_answers, read_lock, verify_lock

NOW = datetime(2026, 12, 1, 11, 45, 14, tzinfo=UTC)
LATER = datetime(2026, 12, 1, 12, 0, 0, tzinfo=UTC)
ROWS = b'{"id": "a", "analyst_value": 1}\n'


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(ROWS)
    return path


def test_the_lock_holds_hash_and_time_and_the_file_is_read_only(answers: Path) -> None:
    lock = lock_answers(answers, now=NOW)
    assert lock.answers_sha256 == sha256(ROWS).hexdigest()
    assert lock.answers_locked_at == NOW
    assert answers.stat().st_mode & 0o777 == 0o444
    assert json.loads((answers.parent / "lock.json").read_text()) == {
        "answers_sha256": sha256(ROWS).hexdigest(),
        "answers_locked_at": "2026-12-01T11:45:14+00:00",
    }
    assert read_lock(answers) == lock
    assert verify_lock(answers) is LockState.INTACT


def test_a_changed_byte_is_seen(answers: Path) -> None:
    lock = lock_answers(answers, now=NOW)
    answers.chmod(0o644)
    answers.write_bytes(ROWS.replace(b"1", b"2"))
    assert verify_lock(answers) is LockState.CHANGED
    assert verify_lock(answers, sha256=lock.answers_sha256) is LockState.CHANGED


def test_a_lock_that_was_changed_too_is_seen_by_the_hash_in_the_record(answers: Path) -> None:
    lock = lock_answers(answers, now=NOW)
    answers.chmod(0o644)
    answers.write_bytes(b"other")
    (answers.parent / "lock.json").unlink()
    lock_answers(answers, now=LATER)
    assert verify_lock(answers) is LockState.INTACT
    assert verify_lock(answers, sha256=lock.answers_sha256) is LockState.CHANGED


def test_what_is_missing_is_said(answers: Path) -> None:
    assert verify_lock(answers) is LockState.MISSING
    lock_answers(answers, now=NOW)
    answers.unlink()
    assert verify_lock(answers) is LockState.MISSING
    assert verify_lock(answers, sha256="00") is LockState.MISSING


def test_locking_again_gives_the_first_lock(answers: Path) -> None:
    assert lock_answers(answers, now=NOW) == lock_answers(answers, now=LATER)


def test_changed_answers_are_not_locked_again(answers: Path) -> None:
    lock_answers(answers, now=NOW)
    answers.chmod(0o644)
    answers.write_bytes(b"other")
    with pytest.raises(RefusedError, match="has changed since it was locked"):
        lock_answers(answers, now=LATER)
    with pytest.raises(RefusedError, match="has changed since it was locked"):
        lift_lock(answers)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"answers_sha256": "x"}', "null"])
def test_a_lock_that_cannot_be_read_is_named(answers: Path, text: str) -> None:
    (answers.parent / "lock.json").write_text(text)
    with pytest.raises(RecordError, match=r"lock\.json: no lock that can be read"):
        verify_lock(answers)


def test_answers_that_are_not_there_cannot_be_locked(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be locked"):
        lock_answers(tmp_path / "answers.jsonl", now=NOW)


def test_a_lifted_lock_is_kept_and_answers_can_be_added(answers: Path) -> None:
    for number in (1, 2):
        lock = lock_answers(answers, now=NOW)
        assert lift_lock(answers) == lock
        kept = json.loads((answers.parent / f"lock-{number}.json").read_text())
        assert kept["answers_sha256"] == lock.answers_sha256
    Journal(answers).close()


def test_a_run_killed_between_closing_and_locking_goes_on(answers: Path) -> None:
    answers.chmod(0o444)
    Journal(answers).close()
    assert answers.stat().st_mode & 0o777 == 0o644
