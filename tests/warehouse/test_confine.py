"""A process that gave up changing files can do so nowhere, and still reads and answers."""

import subprocess
import sys
from pathlib import Path

import pytest

from goldsuite.warehouse.confine import can_forbid_changes

pytestmark = pytest.mark.skipif(not can_forbid_changes(), reason="this system has no Landlock")

CONFINED = """\
import os, socket, subprocess, sys
from pathlib import Path
from goldsuite.warehouse.confine import forbid_changes
folder = Path(sys.argv[1])
assert forbid_changes()
attempts = {
    "write": lambda: (folder / "kept").open("a"),
    "empty": lambda: (folder / "kept").open("w"),
    "truncate": lambda: os.truncate(folder / "kept", 0),
    "create": lambda: (folder / "new").open("x"),
    "remove": lambda: (folder / "kept").unlink(),
    "rename": lambda: (folder / "kept").rename(folder / "gone"),
    "link": lambda: (folder / "link").symlink_to(folder / "kept"),
    "folder": lambda: (folder / "made").mkdir(),
    "run": lambda: subprocess.run(["/bin/true"]),
}
for name, attempt in attempts.items():
    try:
        attempt()
    except OSError:
        continue
    print("let through:", name)
print((folder / "kept").read_text())
"""


def test_files_are_read_and_nothing_is_changed_or_run(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("as it was")
    done = subprocess.run(
        [sys.executable, "-c", CONFINED, str(tmp_path)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    # What was open before, such as this pipe, is still written to.
    assert done.stdout == "as it was\n"
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").read_text() == "as it was"
