"""The process that checks the key before a run, and searches the context for parts of it.

    python -m goldsuite.audit.intake_process < request.json > result.json

As `goldsuite.suite.check_process`, with the files of the context in the request and what was found
in them in the result: case, split, kind, file and line. No gold leaves this process.
"""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import cast

from goldsuite.audit.context_text import SearchedFile
from goldsuite.audit.leaks import Secret, find_leaks, numbers_in
from goldsuite.model.question import Split
from goldsuite.suite.check_process import ContextRow, Request, Result, examine, main
from goldsuite.suite.decode import Entry

__all__ = ["check_with_leaks"]


def check_with_leaks(request: Request) -> Result:
    """Check a whole gold file, and search the context that the request names."""
    checked, result = examine(request)
    if checked is not None:
        secrets = [_secret(entry) for entry in checked.entries]
        files = [file for row in request.get("context") or () if (file := _read(row)) is not None]
        leaks = find_leaks(secrets, files, dialect=request["dialect"] or "")
        result["leaks"] = [asdict(leak) for leak in leaks]
    return result


def _secret(entry: Entry) -> Secret:
    case = entry.case
    return Secret(
        case=case.id,
        split=cast(Split, case.split),
        questions=(case.question, *(case.paraphrases or ())),
        gold_sql=tuple(case.gold_sql or ()),
        values=numbers_in(case.gold_value),
        metric=case.metric,
    )


def _read(row: ContextRow) -> SearchedFile | None:
    """None for a file that cannot be read, which no analyst can read either."""
    try:
        text = Path(row["path"]).read_bytes().decode("utf-8", "replace")
    except OSError:
        return None
    return SearchedFile(name=row["name"], text=text)


if __name__ == "__main__":
    sys.exit(main(check_with_leaks))
