"""The app: its commands, and what becomes of an error."""

import os
import signal
import sys
import traceback

import typer

from goldsuite import __version__
from goldsuite.cli.audit import audit
from goldsuite.cli.check import check
from goldsuite.cli.compare import compare
from goldsuite.cli.evaluate import evaluate
from goldsuite.cli.exit_codes import ExitCode, code_of
from goldsuite.cli.failures import failures
from goldsuite.cli.grade import grade
from goldsuite.cli.init import init
from goldsuite.cli.judge import judge_app
from goldsuite.cli.mcp import mcp
from goldsuite.cli.reliability import reliability
from goldsuite.cli.report import report
from goldsuite.cli.runs import runs
from goldsuite.cli.show_case import show_case
from goldsuite.cli.suite import suite
from goldsuite.cli.trend import trend
from goldsuite.cli.try_fix import try_fix
from goldsuite.errors import GoldsuiteError

__all__ = ["app", "run"]

app = typer.Typer(
    name="goldsuite",
    help="Measure how good an analyst agent is, on questions whose answers you already trust.",
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("init", short_help="Write a starter suite and configuration.")(init)
app.command("check", short_help="Test the warehouse and every gold.")(check)
app.command("audit", short_help="Test the suite itself.")(audit)
app.command("eval", short_help="Ask, lock, grade, record, report.")(evaluate)
app.command("grade", short_help="Grade answers from a file.")(grade)
app.command("mcp", short_help="Serve warehouse and context to an agent.")(mcp)
app.command("report", short_help="Show a run record.")(report)
app.command("compare", short_help="Compare two runs case by case.")(compare)
app.command("trend", short_help="Show a figure run over run.")(trend)
app.command("reliability", short_help="Tell whether answers to one question agree.")(reliability)
app.add_typer(judge_app, name="judge", short_help="Judge a run by rubrics; check the judge.")
app.command("failures", short_help="Show what to fix first.")(failures)
app.command("show", short_help="Show one case, with all that explains it.")(show_case)
app.command("try", short_help="Try a suggested definition before it is written down.")(try_fix)
app.add_typer(runs, name="runs")
app.add_typer(suite, name="suite")


def _version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"goldsuite {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(  # noqa: FBT001 - typer's way
        False,  # noqa: FBT003
        "--version",
        help="Print the version and leave.",
        callback=lambda value: _version(wanted=value),
        is_eager=True,
    ),
) -> None:
    """Global options."""


def run(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    # A polite kill ends like Ctrl-C: the agents at work are ended, and the run can be resumed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        result = app(args=arguments, prog_name="goldsuite", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        _show(error)
        return ExitCode.USAGE
    except (KeyboardInterrupt, typer.Abort):
        return ExitCode.INTERRUPTED
    except GoldsuiteError as error:
        typer.echo(f"goldsuite: {error}", err=True)
        return code_of(error)
    except BrokenPipeError:
        # The reader (`| head`) has gone; point stdout away so that the exit stays silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except Exception:  # noqa: BLE001 - the last line of defence says that it is our fault
        traceback.print_exc()
        typer.echo(
            "goldsuite: this is a defect in goldsuite; please report the lines above", err=True
        )
        return 70
    return int(result) if isinstance(result, int) else ExitCode.DONE


def _show(error: typer.TyperException) -> None:
    """Usage errors know how to show themselves, with the usage line before the message."""
    show = getattr(error, "show", None)
    if show is None:
        typer.echo(f"goldsuite: {error.format_message()}", err=True)
    else:
        show()
