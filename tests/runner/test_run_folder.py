"""The folder of one run."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from goldsuite.errors import RecordError, RefusedError, UsageError
from goldsuite.model.question import Question
from goldsuite.runner.folder import create_run, open_run
from goldsuite.runner.plan import plan_trials

NOW = datetime(2026, 12, 1, 11, 45, 14, tzinfo=UTC)
QUESTIONS = tuple(
    Question(id=name, text=f"What is {name}?", split="train", line=1) for name in ("a", "b")
)
TRIALS = plan_trials(QUESTIONS)


def test_a_run_is_named_by_time_and_split_and_its_plan_is_there_at_once(tmp_path: Path) -> None:
    with create_run(
        tmp_path / "runs",
        TRIALS,
        split="train",
        now=NOW,
        options={"slice": 2},
        suffix=lambda: "3f9a",
    ) as folder:
        assert folder.path == tmp_path / "runs" / "20261201-114514-train-3f9a"
        fields = json.loads((folder.path / "plan.json").read_text())
    assert fields["run_id"] == "20261201-114514-train-3f9a"
    assert [(t["id"], t["trial"], t["token"]) for t in fields["trials"]] == [
        ("a", 1, TRIALS[0].token),
        ("b", 1, TRIALS[1].token),
    ]
    assert "What is" not in json.dumps(fields)


def test_a_plan_is_read_back_and_gives_the_same_trials(tmp_path: Path) -> None:
    with create_run(tmp_path, TRIALS, split="train", now=NOW, options={"tags": ["x"]}) as made:
        run_id = made.plan.run_id
    with open_run(tmp_path, run_id) as again:
        assert again.plan == made.plan
        assert again.plan.options == {"tags": ["x"]}
        assert again.plan.created_at == NOW
        assert again.plan.restore(reversed(QUESTIONS)) == TRIALS


def test_runs_of_the_same_second_have_different_names(tmp_path: Path) -> None:
    suffixes = iter(["aaaa", "aaaa", "bbbb", "cccc"])
    (tmp_path / "20261201-114514-train-bbbb.json").write_text("{}")
    names = []
    for _ in range(2):
        with create_run(
            tmp_path, TRIALS, split="train", now=NOW, options={}, suffix=lambda: next(suffixes)
        ) as folder:
            names.append(folder.path.name[-4:])
    # The record of `bbbb` is there although its folder is gone.
    assert names == ["aaaa", "cccc"]


def test_a_run_is_held_by_one_process_alone(tmp_path: Path) -> None:
    with create_run(tmp_path, TRIALS, split="train", now=NOW, options={}) as folder:
        run_id = folder.plan.run_id
        with pytest.raises(UsageError, match="another process is at work"):
            open_run(tmp_path, run_id)
        script = (
            "import sys; from pathlib import Path; from goldsuite.runner.folder import open_run\n"
            "open_run(Path(sys.argv[1]), sys.argv[2])"
        )
        root = Path(__file__).parents[2]
        other = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path), run_id],
            cwd=root,
            capture_output=True,
            text=True,
        )
        assert "another process is at work" in other.stderr
    open_run(tmp_path, run_id).close()


@pytest.mark.parametrize("run_id", ["20261201-114514-train-0000", "../runs", "", ".", "a/b"])
def test_a_run_that_is_not_there_is_named(tmp_path: Path, run_id: str) -> None:
    with pytest.raises(UsageError, match="there is no run"):
        open_run(tmp_path, run_id)


def test_a_question_that_changed_since_the_start_is_not_asked(tmp_path: Path) -> None:
    with create_run(tmp_path, TRIALS, split="train", now=NOW, options={}) as folder:
        changed = (QUESTIONS[0], replace(QUESTIONS[1], text="What is b now?"))
        with pytest.raises(RefusedError, match="case 'b' has a new question"):
            folder.plan.restore(changed)
        with pytest.raises(RefusedError, match="case 'b' is no longer in the suite"):
            folder.plan.restore(QUESTIONS[:1])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no plan that can be read"),
        ('{"plan_version": 1}', "no plan that can be read"),
        ('{"plan_version": 99}', "newer goldsuite"),
    ],
)
def test_a_plan_that_cannot_be_read_is_named_and_the_run_let_go(
    tmp_path: Path, text: str, part: str
) -> None:
    with create_run(tmp_path, TRIALS, split="train", now=NOW, options={}) as folder:
        run_id = folder.plan.run_id
    (tmp_path / run_id / "plan.json").write_text(text)
    for _ in range(2):
        with pytest.raises(RecordError, match=part):
            open_run(tmp_path, run_id)


def test_programs_that_a_killed_runner_left_are_ended(tmp_path: Path) -> None:
    with create_run(tmp_path, TRIALS, split="train", now=NOW, options={}) as folder:
        run_id = folder.plan.run_id
    marked = {"GOLDSUITE_TOKEN": TRIALS[1].token}
    with (
        subprocess.Popen(["sleep", "60"], env=os.environ | marked) as left,
        open_run(tmp_path, run_id),
    ):
        assert left.wait(timeout=10) == -9


def test_a_place_that_cannot_hold_runs_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(RecordError, match="no run can be kept there"):
        create_run(tmp_path / "runs", TRIALS, split="train", now=NOW, options={})


def test_a_paraphrase_is_planned_and_restored_as_it_was_asked(tmp_path: Path) -> None:
    worded = replace(QUESTIONS[0], paraphrases=("Tell a.",))
    trials = plan_trials([worded], paraphrases=True)
    with create_run(tmp_path, trials, split="train", now=NOW, options={}) as made:
        assert made.plan.restore([worded]) == trials
        for changed in (QUESTIONS[0], replace(worded, paraphrases=("Tell b.",))):
            with pytest.raises(RefusedError, match="'a' has a new question"):
                made.plan.restore([changed])
