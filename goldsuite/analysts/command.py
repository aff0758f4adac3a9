"""`command:` analysts: any program that gets a brief and prints its answer.

The command line is text, split as a shell would split it, with no shell behind it. The program is
looked up on our own PATH. It runs in a fresh directory, so an argument that names an existing file
relative to the place the command line was written in (`agent.py`, `--config=agent.toml`) is made
absolute; name other files by absolute paths, and Python modules by their file. The brief comes on
stdin, unless the command line has a place for it or for the question (`command_line`).

What this keeps away from an honest program is told by `isolation`: `directory`. A program that goes
looking (absolute paths, its parent's arguments in /proc, the directories of other trials at work)
has the rights of whoever started us, unless it is put into a sandbox: `sandboxed`.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goldsuite.analysts.brief import write_brief
from goldsuite.analysts.command_line import fill, placeholders, split_command
from goldsuite.analysts.environment import (
    TOKEN,
    WAREHOUSE_URL,
    Environment,
    build_environment,
    hidden_paths,
    lies_in,
    mentions,
)
from goldsuite.analysts.masking import mask_for
from goldsuite.analysts.process import Finished, run_program
from goldsuite.analysts.program_reply import Reading, not_started, reply_of
from goldsuite.analysts.sandbox import Confinement, SandboxRequest, confine
from goldsuite.analysts.toolbox.mcp_config import QUERY_LOG, server_places, write_mcp_config
from goldsuite.analysts.toolbox.query_log import read_query_log
from goldsuite.analysts.workdir import TEMP_NAME, WorkArea, remove_tree
from goldsuite.errors import AnalystError
from goldsuite.model.answer import Reply, TraceEvent
from goldsuite.model.question import Prompt

__all__ = ["CommandSource"]

_MCP_FOLDER = ".goldsuite"
"""The folder inside a trial's directory that holds what our MCP server needs."""


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
        allow_functions: Sequence[str] = (),
        sandbox: SandboxRequest | None = None,
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
            allow_functions: SQL functions that our MCP server lets through besides the known ones.
            sandbox: what the program sees besides itself and its directory; None for no sandbox.
            environ: our own variables; None for `os.environ`.
            model: the language model behind the program, if the user says.
            max_stdout: bytes after which a program that floods is ended.
            grace_s: seconds between SIGTERM and SIGKILL when a trial is ended from outside.

        Raises:
            UsageError: the command line, `pass_env` or the place for temporary files is no good, or
                a sandbox is asked for that cannot be had.
        """
        own = os.environ if environ is None else environ
        paths = hidden_paths(hidden)
        argv = split_command(command, base_dir=base_dir, path=own.get("PATH", os.defpath))
        environment = build_environment(own, pass_env=pass_env, hidden=paths)
        self._setup = _Setup(
            argv=argv,
            places=placeholders(argv),
            warehouse_url=warehouse_url,
            context=prepare is not None,
            allow_functions=tuple(allow_functions),
            reading=Reading(
                dialect=dialect,
                environment=environment,
                mask=mask_for(environment.passed, warehouse_url),
                max_stdout=max_stdout,
                sandboxed=sandbox is not None,
            ),
            grace_s=grace_s,
            confinement=_confinement(argv, sandbox, hidden, own),
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
        """`directory`: one of its own, and an environment; `sandboxed`: nothing else is there."""
        return "directory" if self._setup.confinement is None else "sandboxed"

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
    places: frozenset[str]
    """The placeholders that `argv` has."""
    warehouse_url: str
    context: bool
    allow_functions: tuple[str, ...]
    reading: Reading
    grace_s: float
    confinement: Confinement | None

    @property
    def environment(self) -> Environment:
        return self.reading.environment

    @property
    def tools(self) -> bool:
        """Whether the program reaches the warehouse through our MCP server alone."""
        return "mcp_config" in self.places


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
            reply = await asyncio.to_thread(self._read, finished, prompt, directory)
        except OSError as error:
            reply = Reply(error=not_started(self._setup.argv[0], error))
        finally:
            await asyncio.shield(asyncio.to_thread(remove_tree, directory))
        return self._setup.reading.mask.reply(reply)

    async def _run(self, prompt: Prompt, directory: Path) -> Finished:
        setup = self._setup
        dialect = setup.reading.dialect
        brief = write_brief(prompt, dialect=dialect, context=setup.context, tools=setup.tools)
        values = {"question": prompt.text, "brief": brief, "workdir": str(directory)}
        if setup.tools:
            values["mcp_config"] = str(self._write_mcp_config(prompt, directory))
        own = {"HOME": str(directory), "TMPDIR": str(directory / TEMP_NAME)}
        given = {TOKEN: prompt.token}
        if not setup.tools:
            given[WAREHOUSE_URL] = setup.warehouse_url
        on_stdin = "" if setup.places & {"question", "brief"} else brief
        argv = fill(setup.argv, values)
        if setup.confinement is not None:
            argv = setup.confinement.wrap(argv, directory=directory)
        return await run_program(
            argv,
            stdin=on_stdin.encode("utf-8", "replace"),
            directory=directory,
            environ=own | dict(setup.environment.variables) | given,
            token=prompt.token,
            max_stdout=setup.reading.max_stdout,
            grace_s=setup.grace_s,
        )

    def _write_mcp_config(self, prompt: Prompt, directory: Path) -> Path:
        return write_mcp_config(
            directory / _MCP_FOLDER,
            warehouse_url=self._setup.warehouse_url,
            context=directory if self._setup.context else None,
            token=prompt.token,
            allow_functions=self._setup.allow_functions,
        )

    def _read(self, finished: Finished, prompt: Prompt, directory: Path) -> Reply:
        reply = reply_of(finished, self._setup.reading)
        return _logged(reply, prompt.token, directory) if self._setup.tools else reply


def _logged(reply: Reply, token: str, directory: Path) -> Reply:
    """`reply` with what ran through our MCP server for it."""
    try:
        log = read_query_log(directory / _MCP_FOLDER / QUERY_LOG, token=token)
    except AnalystError as error:
        return replace(reply, trace=(*reply.trace, TraceEvent(kind="note", text=str(error))))
    if log is None:
        note = TraceEvent(kind="note", text="the MCP server was never started")
        return replace(reply, trace=(*reply.trace, note))
    notes = (TraceEvent(kind="note", text=fault) for fault in log.faults)
    return replace(reply, queries=log.queries, trace=(*reply.trace, *notes))


def _confinement(
    argv: Sequence[str],
    request: SandboxRequest | None,
    hidden: Sequence[Path],
    environ: Mapping[str, str],
) -> Confinement | None:
    if request is None:
        return None
    if "mcp_config" in placeholders(argv):
        request = replace(request, readable=(*request.readable, *server_places()))
    return confine(argv, request, hidden=hidden, environ=environ)


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
        "mcp_place": "the command of the MCP server names a folder that is hidden otherwise"
        if setup.tools and lies_in(sys.executable, hidden)
        else "",
        "warehouse_place": "the warehouse's address names a folder that is hidden otherwise"
        if mentions(setup.warehouse_url, hidden)
        else "",
    }
    return {key: text for key, text in notes.items() if text}
