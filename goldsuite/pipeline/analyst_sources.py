"""From the name of an analyst to what answers: a table of kinds, and what packages add to it.

Each kind is one function, which opens what it needs and nothing else; what is heavy is imported in
it. A package adds a kind by an entry point of the group `goldsuite.analysts`: a function that gets
the target and an `Equipment`, and gives back an `AnalystSource`.
"""

import asyncio
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TypeAlias

from goldsuite.analysts.base import AnalystSource, Pace
from goldsuite.analysts.equipment import Equipment
from goldsuite.analysts.spec import AnalystSpec, kind_of, read_spec
from goldsuite.analysts.toolbox import MAX_FETCHED_ROWS, Toolbox
from goldsuite.context.hand_out import copy_context
from goldsuite.errors import ConfigurationError, GoldsuiteError, UsageError
from goldsuite.nearest import did_you_mean
from goldsuite.pipeline.sandboxing import check_sandbox, sandbox_request
from goldsuite.pipeline.session import AnalystContext, open_analyst_warehouse
from goldsuite.pipeline.settings import Settings
from goldsuite.warehouse.engines import OpenWarehouse
from goldsuite.warehouse.handout import Handout, hand_out
from goldsuite.warehouse.urls import mask_url

__all__ = ["ENTRY_POINTS", "KINDS", "OpenAnalyst", "open_analyst"]

ENTRY_POINTS = "goldsuite.analysts"


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenAnalyst:
    """An analyst that is ready to be asked."""

    source: AnalystSource
    name: str
    """How the record names it: the source's own name, with options that make a difference."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What the record should say besides the source's own notes; no secrets."""


class _Room:
    """What there is to open an analyst with; opened when it is asked for, closed with the run."""

    def __init__(
        self,
        settings: Settings,
        warehouse: OpenWarehouse,
        context: AnalystContext,
        pace: Pace,
        stack: ExitStack,
    ) -> None:
        self.settings = settings
        self.context = context
        self.pace = pace
        self._gold_warehouse = warehouse
        self._stack = stack

    @cached_property
    def warehouse(self) -> OpenWarehouse:
        """The one that analysts are to use."""
        opened = open_analyst_warehouse(self.settings)
        if opened is None:
            return self._gold_warehouse
        return self._stack.enter_context(closing(opened))

    @property
    def dialect(self) -> str:
        """Of the warehouse that gold runs on, without opening the other."""
        return self._gold_warehouse.dialect

    @cached_property
    def handed(self) -> Handout:
        """The warehouse as a program gets it: a copy where it is a file."""
        settings = self.settings
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="warehouse-"))
        own = settings.analyst_warehouse
        base = settings.analyst_warehouse_base if own else settings.warehouse_base
        return hand_out(own or settings.warehouse or "", Path(folder), base_dir=base)

    @property
    def lay_out(self) -> Callable[[Path], None] | None:
        """Writes the context into a folder; None without one."""
        resolved = self.context.resolved
        return None if resolved is None else lambda folder: copy_context(resolved, folder)

    @property
    def hidden(self) -> tuple[Path, ...]:
        """The folders that nothing may lead to."""
        return (self.settings.suite.parent, self.settings.runs_dir, self.settings.root)

    def toolbox(self) -> Toolbox:
        """The tools of one trial."""
        door = self.warehouse.analyst.limited_to(MAX_FETCHED_ROWS)
        return Toolbox(door, self.warehouse.catalog, self.context.resolved)

    def equipment(self, options: Mapping[str, str]) -> Equipment:
        """What an analyst of the user's own gets."""
        return Equipment(
            dialect=self.dialect,
            toolbox=self.toolbox,
            pace=self.pace,
            warehouse_url=lambda: self.handed.url,
            lay_out=self.lay_out,
            options=options,
        )

    def file(self, spec: AnalystSpec, option: str) -> Path | None:
        """The file that an option names, relative to where the analyst was named."""
        name = spec.options.get(option)
        return None if name is None else self.settings.analyst_base / Path(name).expanduser()


_Kind: TypeAlias = Callable[[AnalystSpec, _Room], OpenAnalyst]


@contextmanager
def open_analyst(
    settings: Settings, warehouse: OpenWarehouse, context: AnalystContext, *, pace: Pace
) -> Iterator[OpenAnalyst]:
    """The analyst of `settings`; what it needs besides is gone when the block ends.

    Raises:
        ConfigurationError: no analyst is named, or one that is not known or not installed rightly.
        UsageError: its target or an option cannot be meant.
    """
    check_sandbox(settings)
    if settings.analyst is None:
        raise ConfigurationError(
            "no analyst: give --analyst baseline or --analyst 'command:PROGRAM', or write "
            f'`analyst = "..."` in goldsuite.toml ({settings.origin})'
        )
    open_kind = _kind(settings.analyst)
    spec = read_spec(settings.analyst)
    with ExitStack() as stack:
        analyst = open_kind(spec, _Room(settings, warehouse, context, pace, stack))
        try:
            yield analyst
        except BaseException:
            # Whoever asks closes it; where nobody came to that, it is closed here.
            asyncio.run(analyst.source.aclose())
            raise


def _baseline(spec: AnalystSpec, room: _Room) -> OpenAnalyst:
    from goldsuite.analysts.baseline import BaselineSource

    _no_target(spec)
    spec.check_options()
    own = room.warehouse
    source = BaselineSource(
        dictionary=room.context.dictionary, catalog=own.catalog(), door=own.analyst
    )
    return OpenAnalyst(source=source, name=source.name)


def _command(spec: AnalystSpec, room: _Room) -> OpenAnalyst:
    from goldsuite.analysts.command import CommandSource

    settings, handed = room.settings, room.handed
    source = CommandSource(
        spec.target,
        base_dir=settings.analyst_base,
        dialect=room.dialect,
        warehouse_url=handed.url,
        hidden=room.hidden,
        prepare=room.lay_out,
        pass_env=settings.pass_env,
        allow_functions=settings.allow_functions,
        sandbox=sandbox_request(settings, handed.url),
    )
    return OpenAnalyst(source=source, name=source.name, notes={"warehouse": handed.note})


def _http(spec: AnalystSpec, room: _Room) -> OpenAnalyst:
    from goldsuite.analysts.http import HttpSource

    spec.check_options("ca_file", prefix=_HEADER)
    headers = {
        name.removeprefix(_HEADER): variable
        for name, variable in spec.options.items()
        if name.startswith(_HEADER)
    }
    source = HttpSource(
        f"{spec.kind}:{spec.target}",
        pace=room.pace,
        dialect=room.dialect,
        headers=headers,
        ca_file=room.file(spec, "ca_file"),
    )
    return OpenAnalyst(source=source, name=source.name)


def _python(spec: AnalystSpec, room: _Room) -> OpenAnalyst:
    from goldsuite.analysts.environment import hidden_paths
    from goldsuite.analysts.python_callable import PythonSource

    source = PythonSource(
        spec.target,
        equipment=room.equipment(spec.options),
        base_dir=room.settings.analyst_base,
        hidden=hidden_paths(room.hidden),
        suite=room.settings.suite,
    )
    # What options hold is the function's affair, and may be a secret: their names are told alone.
    notes = {"options": ", ".join(spec.options)} if spec.options else {}
    return OpenAnalyst(source=source, name=source.name, notes=notes)


def _anthropic(spec: AnalystSpec, room: _Room) -> OpenAnalyst:
    from goldsuite.analysts.claude.options import ClaudeOptions, read_effort
    from goldsuite.analysts.claude.source import open_claude
    from goldsuite.analysts.prices import read_prices

    spec.check_options("effort", "max_turns", "max_tokens", "prices")
    effort = spec.options.get("effort")
    plain = ClaudeOptions()
    options = ClaudeOptions(
        effort=None if effort is None else read_effort(effort),
        max_turns=spec.whole("max_turns", plain.max_turns),
        max_tokens=spec.whole("max_tokens", plain.max_tokens),
    )
    source = open_claude(
        spec.target,
        options=options,
        toolbox=room.toolbox,
        pace=room.pace,
        dialect=room.dialect,
        context=room.context.resolved is not None,
        prices=read_prices(room.file(spec, "prices")),
    )
    told = [f"{n}={v}" for n, v in spec.options.items() if n != "prices"]
    return OpenAnalyst(source=source, name=" ".join([source.name, *told]))


def _replay(spec: AnalystSpec, _room: _Room) -> OpenAnalyst:
    # A run over a file asks nobody, and so opens no analyst: `one_run`.
    raise UsageError(
        f"analyst 'replay:{spec.target}': its answers are there already, so nobody can be asked."
    )


_HEADER = "header."
KINDS: dict[str, _Kind] = {
    "anthropic": _anthropic,
    "baseline": _baseline,
    "command": _command,
    "http": _http,
    "https": _http,
    "python": _python,
    "replay": _replay,
}
_WRITTEN = (
    "anthropic:MODEL",
    "baseline",
    "command:PROGRAM ARGUMENTS",
    "http://ADDRESS",
    "https://ADDRESS",
    "python:MODULE:FUNCTION",
    "replay:FILE",
)


def _no_target(spec: AnalystSpec) -> None:
    if spec.target:
        raise UsageError(
            f"analyst '{spec.kind}:{spec.target}': {spec.kind!r} has nothing behind its name."
        )


# -- What packages add -----------------------------------------------------------------------------


def _kind(text: str) -> _Kind:
    """What opens the kind of analyst that `text` names; ours come before those of packages.

    Raises:
        ConfigurationError: nothing does.
    """
    kind = kind_of(text)
    if kind in KINDS:
        return KINDS[kind]
    points = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if kind in points:
        return partial(_open_added, points[kind])
    known = ", ".join(f"`{name}`" for name in (*_WRITTEN, *sorted(points)))
    # A program without its kind is the commonest slip. What follows it may hold a secret.
    shown = mask_url(next(iter(text.split(maxsplit=1)), text))
    hint = did_you_mean(kind, [*KINDS, *points])
    raise ConfigurationError(
        f"unknown analyst {shown!r}.{hint} Known are {known}. A program is written "
        f"'command:{shown} ...'."
    )


def _open_added(point: EntryPoint, spec: AnalystSpec, room: _Room) -> OpenAnalyst:
    place = f"analyst {spec.kind!r}, which {_package(point)} adds"
    try:
        source = point.load()(spec.target, room.equipment(spec.options))
    except GoldsuiteError:
        raise
    except Exception as error:
        raise ConfigurationError(
            f"{place}: it cannot be opened: {type(error).__name__}: {error}"
        ) from error
    missing = [name for name in _SOURCE if not hasattr(source, name)]
    if missing:
        raise ConfigurationError(
            f"{place}: {point.value} gave {type(source).__name__}, which is no AnalystSource: it "
            f"has no {missing[0]!r}."
        )
    return OpenAnalyst(source=source, name=source.name, notes={"added_by": _package(point)})


_SOURCE = ("name", "model", "isolation", "notes", "fresh", "aclose")


def _package(point: EntryPoint) -> str:
    return "a package" if point.dist is None else f"{point.dist.name} {point.dist.version}"
