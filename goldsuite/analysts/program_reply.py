"""What the end of a program means: its answer, or what broke."""

import errno
import signal
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from goldsuite.analysts.environment import Environment
from goldsuite.analysts.masking import Mask
from goldsuite.analysts.process import Finished
from goldsuite.analysts.reply import read_reply
from goldsuite.analysts.stream_json import read_stream
from goldsuite.errors import AnalystError
from goldsuite.model.answer import Reply

__all__ = ["Reading", "not_started", "reply_of"]

_SOON_S = 10.0
"""A program that fails within this time without a word most likely lacks something it needs."""
_SHOWN_NAMES = 40
_STDERR_LINES = 5
_STDERR_CHARACTERS = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """By what the output of a program is read."""

    dialect: str
    environment: Environment
    mask: Mask
    max_stdout: int
    sandboxed: bool = False


def not_started(program: str, error: OSError) -> str:
    """Why `program` did not even start."""
    hint = " Does its first line begin with #! ?" if error.errno == errno.ENOEXEC else ""
    return f"{Path(program).name!r} could not be started: {error.strerror or error}.{hint}"


def reply_of(finished: Finished, reading: Reading) -> Reply:
    """What the end of a program means."""
    if finished.flooded:
        return Reply(
            error=f"the program printed more than {reading.max_stdout:,} bytes and was ended for it"
        )
    text, lossy = _decode(finished.stdout)
    heard = _heard(text, reading)
    if heard is not None:
        return _at_its_end(heard, finished, reading)
    if finished.returncode != 0:
        return Reply(error=_failure(finished, text, reading))
    try:
        return read_reply(text, dialect=reading.dialect)
    except AnalystError as error:
        why = _without_secrets(error, text, reading)
        bytes_note = "; the output is not all UTF-8" if lossy else ""
        return Reply(error=f"{why}{bytes_note}{_last_words(finished, reading.mask)}")


def _heard(text: str, reading: Reading) -> Reply | None:
    """What a headless agent told; None where the program is none."""
    heard = read_stream(text, dialect=reading.dialect)
    if heard is None or not reading.mask.secrets:
        return heard
    # Errors and traces are cut to a length, and the rest of a secret would not be known as one.
    masked = read_stream(reading.mask.text(text), dialect=reading.dialect) or Reply()
    error = heard.error and (masked.error or "the agent's stream tells of an error")
    return replace(heard, trace=masked.trace, error=error)


def _at_its_end(heard: Reply, finished: Finished, reading: Reading) -> Reply:
    """What was told before a fault is kept: an agent that broke has cost money too."""
    if heard.declined is not None or (heard.error is None and finished.returncode == 0):
        return heard
    ending = f"the program {_ending(finished.returncode)}"
    if heard.error is None:
        error = f"{ending}, although it had answered (analyst_value: {heard.value or ''!r})"
    else:
        error = heard.error if finished.returncode == 0 else f"{heard.error}; {ending}"
    return replace(
        heard,
        value=None,
        query=None,
        definition_source=None,
        error=f"{reading.mask.text(error)}{_last_words(finished, reading.mask)}",
        error_source=heard.error_source or "analyst",
    )


def _without_secrets(error: AnalystError, text: str, reading: Reading) -> AnalystError:
    """The same error about the masked text: a message may quote half of a secret."""
    try:
        read_reply(reading.mask.text(text), dialect=reading.dialect)
    except AnalystError as masked:
        return masked
    return error


def _decode(output: bytes) -> tuple[str, bool]:
    try:
        return output.decode("utf-8"), False
    except UnicodeDecodeError:
        return output.decode("utf-8", errors="replace"), True


def _failure(finished: Finished, text: str, reading: Reading) -> str:
    parts = [f"the program {_ending(finished.returncode)}"]
    if text.strip():
        with suppress(AnalystError):
            said = read_reply(reading.mask.text(text), dialect=reading.dialect)
            parts.append(f", although it had answered (analyst_value: {said.value or ''!r})")
    parts.append(_last_words(finished, reading.mask))
    if not text.strip() and finished.returncode > 0 and finished.elapsed_s < _SOON_S:
        parts.append(_withheld(reading.environment))
        if reading.sandboxed:
            parts.append(
                "; in the sandbox it sees the system, itself and its own directory alone (admit "
                "what it needs besides: --mount PATH)"
            )
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
