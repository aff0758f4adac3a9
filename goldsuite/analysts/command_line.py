"""The command line of a program: split into words, and filled in for every trial.

Words may hold `{question}` (the question alone), `{brief}` (the whole brief), `{workdir}` (the
trial's directory) and `{mcp_config}` (a file that starts our MCP server). What is put in never
passes a shell and never splits a word: a question stays one argument whatever it holds.
"""

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from goldsuite.errors import UsageError
from goldsuite.nearest import did_you_mean

__all__ = ["PLACEHOLDERS", "fill", "placeholders", "split_command"]

PLACEHOLDERS = ("question", "brief", "workdir", "mcp_config")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_]+)\}")


def split_command(command: str, *, base_dir: Path, path: str) -> tuple[str, ...]:
    """The command line as arguments, the program and existing files made absolute.

    Args:
        command: the command line.
        base_dir: what a relative file is relative to.
        path: a PATH to look the program up on.

    Raises:
        UsageError: it is empty, a quotation does not end, or there is no such program,
            or a placeholder is misspelt.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"command {command!r}: cannot be split: {error}.") from None
    if not words or not words[0]:
        raise UsageError("the command line of the analyst is empty: name a program to run.")
    program, *arguments = words
    for word in arguments:
        _check_placeholders(word)
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


def placeholders(words: Sequence[str]) -> frozenset[str]:
    """The known placeholders that the arguments in `words` hold."""
    found = {match[1] for word in words[1:] for match in _PLACEHOLDER.finditer(word)}
    return frozenset(found.intersection(PLACEHOLDERS))


def fill(words: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """`words` with each placeholder of `values` put in; other braces stay as they are."""

    def value(match: re.Match[str]) -> str:
        # A zero byte or half of a surrogate pair cannot be part of any argument.
        text = values.get(match[1], match[0]).replace("\0", "\ufffd")
        return text.encode("utf-8", "replace").decode("utf-8")

    return words[0], *(_PLACEHOLDER.sub(value, word) for word in words[1:])


def _check_placeholders(word: str) -> None:
    for match in _PLACEHOLDER.finditer(word):
        near = did_you_mean(match[1], PLACEHOLDERS)
        if match[1] not in PLACEHOLDERS and near:
            raise UsageError(
                f"command: {match[0]!r} is no placeholder.{near} Known are "
                f"{', '.join('{' + name + '}' for name in PLACEHOLDERS)}."
            )
