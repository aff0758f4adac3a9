"""`python:module:function` analysts: a function of the user's, called in this process.

It gets the question as its first argument, and of what else there is what it declares by name. It
may be `async`; a plain one runs in a thread of its own, which nothing can end: where it hangs, its
trial ends at the timeout and the thread is left behind.

Nothing that it is given leads to the suite, and variables that would are taken out of the
environment for the time of the run. But it runs in our process, with our rights and our working
folder: this is no wall for a function that goes looking. A program (`command:`) is.
"""

import asyncio
import inspect
import os
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from goldsuite.analysts.environment import mentions, names_the_suite
from goldsuite.analysts.equipment import Equipment
from goldsuite.analysts.masking import Mask, credentials_in, mask_for
from goldsuite.analysts.python_function import load_function, wanted_parameters
from goldsuite.analysts.returned import reply_from
from goldsuite.analysts.toolbox import Toolbox
from goldsuite.analysts.workdir import WorkArea, remove_tree
from goldsuite.errors import AnalystError, GoldsuiteError, ServiceError
from goldsuite.model.answer import Reply
from goldsuite.model.question import Prompt

__all__ = ["PythonSource"]


class PythonSource:
    """Calls one function for every question."""

    def __init__(
        self,
        target: str,
        *,
        equipment: Equipment,
        base_dir: Path,
        hidden: Sequence[str],
        suite: Path,
    ) -> None:
        """Import the function and check what it declares; nothing is called.

        Args:
            target: `module:function`; the module may lie in `base_dir`.
            equipment: what it can be given; options are handed to parameters of their names.
            base_dir: where the analyst was named.
            hidden: absolute folders in which no directory of a trial may lie.
            suite: the gold file: no variable that names it stays in the environment.

        Raises:
            UsageError: there is no such module or function, or it cannot be called like this.
        """
        self._target = target
        self._removed = _take_out(suite)
        self._area: WorkArea | None = None
        try:
            function = load_function(target, base_dir)
            wanted = wanted_parameters(target, function, equipment.options)
            if "workdir" in wanted:
                self._area = WorkArea(equipment.lay_out, hidden=hidden)
            url = equipment.warehouse_url() if "warehouse_url" in wanted else None
        except BaseException:
            self._put_back()
            raise
        self._setup = _Setup(
            function=function,
            wanted=wanted,
            equipment=equipment,
            warehouse_url=url,
            mask=mask_for(credentials_in(os.environ), url or ""),
        )

    @property
    def name(self) -> str:
        """`python:module:function`."""
        return f"python:{self._target}"

    @property
    def model(self) -> str | None:
        """A function does not tell."""
        return None

    @property
    def isolation(self) -> str:
        """`in-process`."""
        return "in-process"

    @property
    def notes(self) -> Mapping[str, str]:
        """What it was given besides the question, and which variables were taken away."""
        notes = {
            "given": ", ".join(sorted(self._setup.wanted)),
            "environment_withheld": ", ".join(sorted(self._removed)),
        }
        return {name: text for name, text in notes.items() if text}

    def fresh(self) -> "PythonAnalyst":
        """One call of the function; what the function keeps is its own affair."""
        return PythonAnalyst(self._setup, self._area)

    async def aclose(self) -> None:
        """Remove the directories and put the variables back."""
        self._put_back()

    def _put_back(self) -> None:
        if self._area is not None:
            self._area.close()
        os.environ.update(self._removed)
        self._removed = {}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Setup:
    """What all trials of a run share."""

    function: Callable[..., Any]
    wanted: frozenset[str]
    equipment: Equipment
    warehouse_url: str | None
    mask: Mask


class PythonAnalyst:
    """One call for one question."""

    def __init__(self, setup: _Setup, area: WorkArea | None) -> None:
        self._setup = setup
        self._area = area

    async def answer(self, prompt: Prompt) -> Reply:
        """Call the function.

        Raises:
            AnalystError: it raised something, or returned what is no answer.
        """
        directory = None if self._area is None else self._area.create()
        toolbox = self._setup.equipment.toolbox() if "toolbox" in self._setup.wanted else None
        try:
            returned = await self._call(prompt, directory, toolbox)
            reply = reply_from(returned, dialect=self._setup.equipment.dialect)
        finally:
            if directory is not None:
                await asyncio.shield(asyncio.to_thread(remove_tree, directory))
        if toolbox is not None:
            reply = replace(reply, queries=toolbox.queries)
        return self._setup.mask.reply(reply)

    async def _call(
        self, prompt: Prompt, directory: Path | None, toolbox: Toolbox | None
    ) -> object:
        setup = self._setup
        offered: dict[str, object] = {
            "as_of": prompt.as_of,
            "dialect": setup.equipment.dialect,
            "token": prompt.token,
            "toolbox": toolbox,
            "warehouse_url": setup.warehouse_url,
            "workdir": directory,
            **setup.equipment.options,
        }
        arguments = {name: offered[name] for name in setup.wanted}
        try:
            if _is_async(setup.function):
                return await setup.function(prompt.text, **arguments)
            returned = await _in_thread(setup.function, prompt.text, arguments)
            # A plain function may still hand back a coroutine, such as a wrapper does.
            return await returned if inspect.isawaitable(returned) else returned
        except Exception as error:
            raise self._told(error) from error

    def _told(self, error: Exception) -> Exception:
        """The same without secrets, and with the place in the user's code."""
        if isinstance(error, GoldsuiteError) and not isinstance(error, AnalystError):
            return error
        mask = self._setup.mask
        if isinstance(error, ServiceError):
            return ServiceError(
                mask.text(str(error)),
                retry_after_s=error.retry_after_s,
                overloaded=error.overloaded,
            )
        if isinstance(error, AnalystError):
            return AnalystError(mask.text(str(error)))
        frame = traceback.extract_tb(error.__traceback__)[-1]
        text = mask.text(str(error))
        return AnalystError(
            f"{type(error).__name__}{': ' if text else ''}{text} "
            f"(at {Path(frame.filename).name}:{frame.lineno})"
        )


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - an object whose call is async
    )


async def _in_thread(
    function: Callable[..., Any], question: str, arguments: Mapping[str, object]
) -> object:
    """Call a plain function in a thread of its own.

    No pool: its few threads would hold back questions that could be asked at once, and one that
    hangs would keep the program from ending.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[object] = loop.create_future()

    def settle(set_it: Callable[[Any], None], outcome: object) -> None:
        if not done.done():
            set_it(outcome)

    def work() -> None:
        set_it: Callable[[Any], None]
        try:
            outcome: object = function(question, **arguments)
            set_it = done.set_result
        except BaseException as error:  # noqa: BLE001 - told to whoever waits
            # A future takes no StopIteration, and an exit is not the function's to order.
            plain = isinstance(error, Exception) and not isinstance(error, StopIteration)
            outcome = error if plain else RuntimeError(f"it raised {type(error).__name__}")
            set_it = done.set_exception
        try:
            loop.call_soon_threadsafe(settle, set_it, outcome)
        except RuntimeError:  # the run is over, and nobody waits any more
            return

    threading.Thread(target=work, name="python-analyst", daemon=True).start()
    return await done


def _take_out(suite: Path) -> dict[str, str]:
    """Take the variables that lead to the suite out of the environment; they are returned."""
    places = tuple({str(suite), str(suite.resolve())})
    removed = {
        name: value
        for name, value in os.environ.items()
        if names_the_suite(name) or mentions(value, places)
    }
    for name in removed:
        del os.environ[name]
    return removed
