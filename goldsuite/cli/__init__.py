"""The command line: one file per command; the only part that turns an error into an exit code."""


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    from goldsuite.cli.app import run

    raise SystemExit(run())
