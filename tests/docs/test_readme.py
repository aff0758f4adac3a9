"""Every command of the README is run, and prints what the README shows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.readme import ROOT, Shell, copy_checkout, masked, matches, steps
from tests.stand_in.process import call, say, stand_in


@pytest.fixture
def claude(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A stand-in for the service, which the variables lead to."""
    with stand_in() as service:
        service.script({"*": [say(call("give_answer", analyst_value="1", analyst_query=""))]})
        for name, value in {**service.environ, "NO_PROXY": "127.0.0.1"}.items():
            monkeypatch.setenv(name, value)
        yield


@pytest.mark.usefixtures("claude")
def test_every_command_prints_what_the_readme_shows(tmp_path: Path) -> None:
    shell = Shell(copy_checkout(tmp_path))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    asked = [step for step in steps(text) if not step.command.startswith("make test")]
    assert len(asked) >= 8
    for step in asked:
        found = masked(shell.run(step))
        shown = masked(step.output)
        assert matches(shown, found), f"README.md:{step.line}: {step.command}\n" + "\n".join(found)


def test_a_block_is_read_with_its_commands_and_outputs() -> None:
    text = "x\n```console\n$ a <<E\n> b\n> E\nout\n\n$ c\n```\n$ no\n```python\n$ no\n```\n"
    found = [(step.line, step.command, step.output) for step in steps(text)]
    assert found == [(3, "a <<E\nb\nE", ("out", "")), (8, "c", ())]


def test_dots_stand_for_any_lines() -> None:
    assert matches(["a", "...", "d"], ["a", "b", "c", "d"])
    assert matches(["a", "..."], ["a"])
    assert not matches(["a", "d"], ["a", "b", "d"])
