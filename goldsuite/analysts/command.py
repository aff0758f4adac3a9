"""`command:` analysts: any program that reads a brief on stdin and prints its answer.

The command line is text, split as a shell would split it, with no shell behind it. The program is
looked up on our own PATH. It runs in a fresh directory, so an argument that names an existing file
relative to the place the command line was written in (`agent.py`, `--config=agent.toml`) is made
absolute; name other files by absolute paths, and Python modules by their file.

What this keeps away from an honest program is told by `isolation`: `directory`. A program that goes
looking (absolute paths, its parent's arguments in /proc) has the rights of whoever started us.
"""

import asyncio
import errno
import os
import shlex
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from goldsuite.analysts.brief import write_brief
from goldsuite.analysts.environment import (
    TOKEN,
    WAREHOUSE_URL,
    Environment,
    build_environment,
    hidden_paths,
    lies_in,
    mentions,
)
from goldsuite.analysts.masking import Mask, mask_for
from goldsuite.analysts.process import Finished, run_program
from goldsuite.analysts.reply import read_reply
from goldsuite.analysts.workdir import TEMP_NAME, WorkArea, remove_tree
from goldsuite.errors import AnalystError, UsageError
from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt

__all__ = ["CommandSource", "split_command"]

_SOON_S = 10.0
"""A program that fails within this time without a word most likely lacks something it needs."""
_SHOWN_NAMES = 40
_STDERR_LINES = 5
_STDERR_CHARACTERS = 1_000


class CommandSource:
    """Runs one program per trial."""

    def __init__(
        self,
        command: str,
        *,
        base_dir: Path,
        dialect: str,
        warehouse_url: str,
        hidden: Sequence[Path],
        prepare: Callable[[Path], None] | None,
        pass_env: Sequence[str] = (),
        environ: Mapping[str, str] | None = None,
        model: str | None = None,
        max_stdout: int = 10_000_000,
        grace_s: float = 2.0,
    ) -> None:
        """Check the command line and set up the private folder of the run.

        Args:
            command: the command line, as text.
            base_dir: what a relative file in `command` is relative to.
            dialect: sqlglot's name of the warehouse's SQL dialect, for the brief.
            warehouse_url: what the program finds in GOLDSUITE_WAREHOUSE_URL.
            hidden: folders that nothing may lead to: those of the suite, the runs, the project.
            prepare: lays out the context (`.knowledge/...`) in the directory it is given; called
                once per run, so that all trials read the same. None for no context.
            pass_env: names of our own variables to pass on; their values are kept out of errors.
            environ: our own variables; None for `os.environ`.
            model: the language model behind the program, if the user says.
            max_stdout: bytes after which a program that floods is ended.
            grace_s: seconds between SIGTERM and SIGKILL when a trial is ended from outside.

        Raises:
            UsageError: the command line, `pass_env` or the place for temporary files is no good.
        """
        own = os.environ if environ is None else environ
        paths = hidden_paths(hidden)
        self._setup = _Setup(
            argv=split_command(command, base_dir=base_dir, path=own.get("PATH", os.defpath)),
            dialect=dialect,
            warehouse_url=warehouse_url,
            context=prepare is not None,
            environment=(environment := build_environment(own, pass_env=pass_env, hidden=paths)),
            mask=mask_for(environment.passed, warehouse_url),
            max_stdout=max_stdout,
            grace_s=grace_s,
        )
        self._model = model
        self._notes = _notes(self._setup, paths)
        self._area = WorkArea(prepare, hidden=paths)

    @property
    def name(self) -> str:
        """`command:` with the names of program and script; other arguments may hold secrets."""
        program, *arguments = self._setup.argv
        script = next((a for a in arguments if Path(a).is_absolute() and Path(a).is_file()), None)
        names = [Path(word).name for word in (program, script) if word is not None]
        return f"command:{' '.join(names)}"

    @property
    def model(self) -> str | None:
        """As the user says; a program does not tell."""
        return self._model

    @property
    def isolation(self) -> str:
        """A directory and an environment of its own, and no more."""
        return "directory"

    @property
    def notes(self) -> Mapping[str, str]:
        """Names of the variables passed on and withheld, and what could lead to the suite."""
        return self._notes

    def fresh(self) -> "CommandAnalyst":
        """An analyst whose program will start in a directory of its own."""
        return CommandAnalyst(self._setup, self._area)

    async def aclose(self) -> None:
        """Remove the run's private folder; every trial has ended its own processes."""
        self._area.close()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Setup:
    """What all trials of a run share."""

    argv: tuple[str, ...]
    dialect: str
    warehouse_url: str
    context: bool
    environment: Environment
    mask: Mask
    max_stdout: int
    grace_s: float


class CommandAnalyst:
    """One program for one question."""

    def __init__(self, setup: _Setup, area: WorkArea) -> None:
        self._setup = setup
        self._area = area

    async def answer(self, prompt: Prompt) -> Reply:
        """Start the program, give it the brief, and read what it prints.

        Every fault of the program is told in `Reply.error`. Cancelling ends the program and all
        that it started, and removes its directory.
        """
        directory = self._area.create()
        try:
            finished = await self._run(prompt, directory)
            reply = _judge(finished, self._setup)
        except OSError as error:
            reply = Reply(error=_not_started(self._setup.argv[0], error))
        finally:
            await asyncio.shield(asyncio.to_thread(remove_tree, directory))
        return self._setup.mask.reply(reply)

    async def _run(self, prompt: Prompt, directory: Path) -> Finished:
        setup = self._setup
        brief = write_brief(prompt, dialect=setup.dialect, context=setup.context)
        own = {"HOME": str(directory), "TMPDIR": str(directory / TEMP_NAME)}
        given = {WAREHOUSE_URL: setup.warehouse_url, TOKEN: prompt.token}
        return await run_program(
            setup.argv,
            stdin=brief.encode("utf-8", "replace"),
            directory=directory,
            environ=own | dict(setup.environment.variables) | given,
            token=prompt.token,
            max_stdout=setup.max_stdout,
            grace_s=setup.grace_s,
        )


def split_command(command: str, *, base_dir: Path, path: str) -> tuple[str, ...]:
    """The command line as arguments, the program and existing files made absolute.

    Args:
        command: the command line.
        base_dir: what a relative file is relative to.
        path: a PATH to look the program up on.

    Raises:
        UsageError: it is empty, a quotation does not end, or there is no such program.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"command {command!r}: cannot be split: {error}.") from None
    if not words or not words[0]:
        raise UsageError("the command line of the analyst is empty: name a program to run.")
    program, *arguments = words
    return _program(program, base_dir, path), *(_argument(word, base_dir) for word in arguments)


def _program(program: str, base_dir: Path, path: str) -> str:
    beside = base_dir / program
    found = shutil.which(str(beside)) if "/" in program else shutil.which(program, path=path)
    if found is not None:
        return os.path.normpath(Path(found).absolute())
    if beside.is_file():
        hint = f"write './{program}'" if "/" not in program else "it is not executable: chmod +x"
        raise UsageError(f"analyst program {program!r}: {beside} is a file; {hint}.")
    if "/" in program:
        raise UsageError(f"analyst program {program!r}: there is no program {str(beside)!r}.")
    raise UsageError(
        f"analyst program {program!r} is not on PATH. Check its name, or give its path."
    )


def _argument(word: str, base_dir: Path) -> str:
    option, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
    if value and (base_dir / value).is_file():
        return f"{option}{equals}{os.path.normpath((base_dir / value).absolute())}"
    return word


def _notes(setup: _Setup, hidden: Sequence[str]) -> dict[str, str]:
    environment = setup.environment
    inside = [word for word in setup.argv if Path(word).is_absolute() and lies_in(word, hidden)]
    notes = {
        "environment_passed": ", ".join(sorted(environment.passed)),
        "environment_not_set": ", ".join(environment.unset),
        "environment_withheld": ", ".join(environment.withheld),
        "path_entries_removed": str(environment.path_removed or ""),
        "program_place": "the program or a file it is given lies in a folder that is hidden "
        "otherwise (suite, runs or project), so it can learn of that folder from its own arguments"
        if inside
        else "",
        "warehouse_place": "the warehouse's address names a folder that is hidden otherwise"
        if mentions(setup.warehouse_url, hidden)
        else "",
    }
    return {key: text for key, text in notes.items() if text}


def _not_started(program: str, error: OSError) -> str:
    hint = " Does its first line begin with #! ?" if error.errno == errno.ENOEXEC else ""
    return f"{Path(program).name!r} could not be started: {error.strerror or error}.{hint}"


def _judge(finished: Finished, setup: _Setup) -> Reply:
    """What the end of a program means."""
    if finished.flooded:
        return Reply(
            error=f"the program printed more than {setup.max_stdout:,} bytes and was ended for it"
        )
    text, lossy = _decode(finished.stdout)
    if finished.returncode != 0:
        return Reply(error=_failure(finished, text, setup))
    try:
        return read_reply(text, dialect=setup.dialect)
    except AnalystError as error:
        why = _without_secrets(error, text, setup)
        bytes_note = "; the output is not all UTF-8" if lossy else ""
        return Reply(error=f"{why}{bytes_note}{_last_words(finished, setup.mask)}")


def _without_secrets(error: AnalystError, text: str, setup: _Setup) -> AnalystError:
    """The same error about the masked text: a message may quote half of a secret."""
    try:
        read_reply(setup.mask.text(text), dialect=setup.dialect)
    except AnalystError as masked:
        return masked
    return error


def _decode(output: bytes) -> tuple[str, bool]:
    try:
        return output.decode("utf-8"), False
    except UnicodeDecodeError:
        return output.decode("utf-8", errors="replace"), True


def _failure(finished: Finished, text: str, setup: _Setup) -> str:
    parts = [f"the program {_ending(finished.returncode)}"]
    if text.strip():
        with suppress(AnalystError):
            said = read_reply(setup.mask.text(text), dialect=setup.dialect)
            parts.append(f", although it had answered (analyst_value: {said.value or ''!r})")
    parts.append(_last_words(finished, setup.mask))
    if not text.strip() and finished.returncode > 0 and finished.elapsed_s < _SOON_S:
        parts.append(_withheld(setup.environment))
    return "".join(parts)


def _ending(returncode: int) -> str:
    if returncode > 0:
        return f"ended with exit code {returncode}"
    try:
        return f"was ended by {signal.Signals(-returncode).name}"
    except ValueError:
        return f"was ended by signal {-returncode}"


def _last_words(finished: Finished, mask: Mask) -> str:
    text, _ = _decode(finished.stderr)
    # Masked before it is cut: the rest of a secret that was cut in two would not be known as one.
    lines = [line.strip() for line in mask.text(text).splitlines() if line.strip()]
    tail = " | ".join(lines[-_STDERR_LINES:])[-_STDERR_CHARACTERS:]
    return f"; stderr: {tail}" if tail else ""


def _withheld(environment: Environment) -> str:
    parts = []
    if environment.unset:
        parts.append(f"; asked for but not set: {', '.join(environment.unset)}")
    if environment.withheld:
        shown = environment.withheld[:_SHOWN_NAMES]
        more = len(environment.withheld) - len(shown)
        names = ", ".join(shown) + (f" and {more} more" if more else "")
        parts.append(f"; it did not get these variables: {names} (pass one on: --pass-env NAME)")
    if environment.path_removed:
        parts.append(f"; {environment.path_removed} entries of PATH were left out")
    return "".join(parts)
