"""The runs directory: which records it holds, and where the files of one run stand."""

from pathlib import Path

from goldsuite.errors import RecordError
from goldsuite.nearest import did_you_mean
from goldsuite.records.latest import LATEST, record_paths

__all__ = ["answers_path", "find_record", "keep_earlier", "record_path", "record_paths"]


def record_path(runs_dir: Path, run_id: str) -> Path:
    """Where the record of `run_id` stands."""
    return runs_dir / f"{run_id}.json"


def answers_path(record: Path) -> Path:
    """The journal that belongs to a record file."""
    return record.with_suffix("") / "answers.jsonl"


def keep_earlier(record: Path) -> None:
    """Move the record file at `record`, if there is one, beside its answers as `record-N.json`.

    A run that is graded or judged again keeps what was there before.
    """
    folder = answers_path(record).parent
    if record.exists() and folder.is_dir():
        kept = len(list(folder.glob("record-*.json"))) + 1
        record.replace(folder / f"record-{kept}.json")


def find_record(run: str | None, runs_dir: Path) -> Path:
    """The record that `run` names: a run id, a path, or None or `latest` for the latest.

    Raises:
        RecordError: nothing fits.
    """
    if run is None or run == Path(LATEST).stem:
        return _latest(runs_dir)
    path = Path(run)
    if path.suffix == ".json" and path.is_file():
        # The answers of a run stand beside its record, not beside the link to it.
        is_link = path.name == LATEST and path.is_symlink()
        return path.parent / path.readlink() if is_link else path
    inside = record_path(runs_dir, run)
    if inside.is_file():
        return inside
    raise RecordError(_not_found(run, runs_dir))


def _latest(runs_dir: Path) -> Path:
    paths = record_paths(runs_dir)
    if not paths:
        raise RecordError(
            f"{runs_dir}: holds no run record yet. Run `goldsuite eval train` first, or name the "
            "folder of your runs with --runs-dir."
        )
    return paths[-1]


def _not_found(run: str, runs_dir: Path) -> str:
    if (runs_dir / run / "answers.jsonl").is_file():
        return (
            f"{run!r} has answers but no record: it was not finished. "
            f"Finish it with `goldsuite eval --resume {run}`."
        )
    names = [path.stem for path in record_paths(runs_dir)]
    return f"{runs_dir}: no record of a run {run!r}.{did_you_mean(run, names)}"
