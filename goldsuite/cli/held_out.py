"""The options that are said at the door to the held-out cases."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from goldsuite.model.run import RunRecord
    from goldsuite.pipeline.settings import Settings

__all__ = [
    "AllowLeaksOption",
    "LedgerOption",
    "PeekOption",
    "ReleaseOption",
    "RevealReasonOption",
    "confirm_reveal",
]

ReleaseOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--release",
        metavar="TAG",
        help="The release that held-out cases are asked for; else the git tag or commit, or a "
        "fingerprint of context, model and prompt.",
        show_default=False,
    ),
]
PeekOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--peek",
        metavar="REASON",
        help="Look at held-out cases once more, or reveal them; the reason is recorded.",
        show_default=False,
    ),
]
RevealReasonOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--peek",
        metavar="REASON",
        help="Why held-out cases are revealed; the look is recorded with it.",
        show_default=False,
    ),
]
LedgerOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        help="Where looks at held-out cases are recorded; beside the suite if nothing names one.",
        show_default=False,
    ),
]
AllowLeaksOption: TypeAlias = Annotated[
    bool,
    typer.Option("--allow-leaks", help="Go on where the context holds parts of held-out cases."),
]


def confirm_reveal(
    record: "RunRecord",
    path: Path,
    settings: "Settings",
    *,
    reveal: bool,
    peek: str | None,
    own_run: bool = False,
) -> None:
    """Count the look that showing `record`, which stands at `path`, with `--reveal` is.

    Raises:
        GoldsuiteError: it may not be shown.
    """
    from goldsuite.pipeline.revealing import Reveal

    Reveal(wanted=reveal, reason=peek, ledger=settings.ledger).confirm(
        [(record, path)], settings, own_run=own_run
    )
