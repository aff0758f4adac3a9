"""Directories of trials: what is taken away with them, and what is not."""

import stat
from pathlib import Path

from goldsuite.analysts.workdir import WorkArea, remove_tree


def _prepare(directory: Path) -> None:
    (directory / ".knowledge").mkdir()
    (directory / ".knowledge" / "active.yaml").write_text("active: shop\n")


def test_a_directory_is_removed_with_what_the_program_left_in_it(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir(mode=0o500)
    area = WorkArea(_prepare, hidden=[])
    trial = area.create()
    (trial / "locked/inner").mkdir(parents=True)
    (trial / "locked/inner/file").touch()
    (trial / "link").symlink_to(precious)
    (trial / "locked/inner").chmod(0)
    (trial / "locked").chmod(0)
    remove_tree(trial)
    assert not trial.exists()
    assert stat.S_IMODE(precious.stat().st_mode) == 0o500
    remove_tree(trial)  # a second time is no error
    area.close()
    assert not trial.parent.exists()


def test_a_directory_that_was_replaced_by_a_link_does_not_take_its_target_with_it(
    tmp_path: Path,
) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (tmp_path / "trial").symlink_to(target)
    remove_tree(tmp_path / "trial")
    assert target.exists()
    assert not (tmp_path / "trial").is_symlink()
