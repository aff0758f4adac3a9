"""What a sandboxed program sees: the system, itself, and what it is given; never the key."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldsuite.analysts.environment import hidden_paths, lies_in
from goldsuite.errors import UsageError

__all__ = ["Mount", "View", "make_view", "read_mount"]

_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/gnu/store",
)
_WRITABLE = ":rw"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mount:
    """A file or folder that the user admits."""

    path: Path
    writable: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What all programs of a run see; absolute paths, shown where they really are."""

    system: tuple[str, ...] = _SYSTEM
    """Read-only; those that are not there are passed over."""
    masked: tuple[str, ...] = ()
    """Folders inside of `system` that are shown empty."""
    readable: tuple[str, ...] = ()
    """Read-only, also where they lie in a masked folder."""
    writable: tuple[str, ...] = ()


def read_mount(text: str, *, base_dir: Path) -> Mount:
    """What `--mount PATH` or `--mount PATH:rw` names.

    Raises:
        UsageError: there is no such file or folder.
    """
    name = text.removesuffix(_WRITABLE)
    path = Path(os.path.normpath(base_dir / Path(name).expanduser())) if name else None
    if path is None or not path.exists():
        raise UsageError(
            f"mount {text!r}: there is no such file or folder. Name one that is there, with "
            f"{_WRITABLE} behind it where the agent writes to it."
        )
    return Mount(path=path, writable=text.endswith(_WRITABLE))


def make_view(
    argv: Sequence[str],
    *,
    hidden: Sequence[Path],
    secrets: Sequence[Path],
    readable: Sequence[Path] = (),
    mounts: Sequence[Mount] = (),
    home: Path | None = None,
) -> View:
    """What the program of `argv` needs to start, and what is given to it besides.

    A program `X/bin/name` gets all of `X`, such as a virtual environment; another program, and
    every file that is named in its arguments, is shown alone.

    Args:
        argv: the program and its arguments, the program by its absolute path.
        hidden: folders that are not shown even where they lie in the system's.
        secrets: the suite and the runs, which nothing that is shown may hold.
        readable: further files and folders, such as the copy of the warehouse.
        mounts: what the user admits.
        home: the user's own folder, which is never shown as a whole; None for `~`.

    Raises:
        UsageError: something that would be shown holds the suite or the runs.
    """
    masks = tuple(path for path in hidden_paths(hidden) if _lies_in_any(path, _SYSTEM))
    shown: list[str | Path] = [
        *_program_places(argv, hidden, secrets, home or Path.home()),
        *_named_files(argv),
        *readable,
        *(mount.path for mount in mounts if not mount.writable),
    ]
    places = tuple(dict.fromkeys(place for path in shown for place in _written(path)))
    writable = [mount.path for mount in mounts if mount.writable]
    for place in (*map(Path, places), *writable):
        _check_shown(place, hidden, secrets)
    return View(
        masked=masks,
        readable=tuple(p for p in places if _must_be_bound(p, masks)),
        writable=tuple(dict.fromkeys(place for path in writable for place in _written(path))),
    )


def _program_places(
    argv: Sequence[str], hidden: Sequence[Path], secrets: Sequence[Path], home: Path
) -> Iterator[str]:
    for written in _written(argv[0]):
        program = Path(written)
        prefix = program.parent.parent
        whole = (
            program.parent.name in {"bin", "sbin"}
            and prefix != Path(prefix.anchor)
            and not home.is_relative_to(prefix)
            and not _holds_any(prefix, hidden)
            and not any(_overlap(prefix, secret) for secret in secrets)
        )
        yield str(prefix if whole else program)


def _named_files(argv: Sequence[str]) -> Iterator[str]:
    for word in argv[1:]:
        value = word.partition("=")[2] if word.startswith("-") else word
        if os.path.isabs(value) and Path(value).is_file():  # noqa: PTH117 - a word, not yet a path
            yield value


def _written(path: str | Path) -> tuple[str, ...]:
    """Each way the path leads: as it is written, and without symbolic links."""
    return tuple(dict.fromkeys((os.path.abspath(path), os.path.realpath(path))))  # noqa: PTH100


def _must_be_bound(place: str, masks: Sequence[str]) -> bool:
    return not _lies_in_any(place, _SYSTEM) or _lies_in_any(place, masks)


def _lies_in_any(path: str, folders: Iterable[str]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


def _holds_any(place: Path, paths: Sequence[Path]) -> bool:
    return any(Path(path).is_relative_to(place) for path in hidden_paths(paths))


def _overlap(place: Path, secret: Path) -> bool:
    return lies_in(str(place), hidden_paths([secret])) or _holds_any(place, [secret])


def _check_shown(place: Path, hidden: Sequence[Path], secrets: Sequence[Path]) -> None:
    if _holds_any(place, hidden) or any(_overlap(place, secret) for secret in secrets):
        raise UsageError(
            f"--sandbox: {str(place)!r} would be shown to the agent, and the suite or the runs "
            "lie in it, or the other way round. Name a smaller part, or move what the agent needs."
        )
