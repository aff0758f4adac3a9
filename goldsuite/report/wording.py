"""The sentences of the report: what a mode means, what fixes it, what a split is for."""

from goldsuite.model.diagnosis import FailureMode
from goldsuite.model.grade import Verdict
from goldsuite.model.run import RunSplit

MARK = {
    Verdict.CORRECT: "✓",
    Verdict.WRONG: "✗",
    Verdict.NO_ANSWER: "–",
    Verdict.UNPARSEABLE: "?",
    Verdict.ANALYST_ERROR: "!",
    Verdict.NOT_GRADABLE: "!",
    Verdict.GOLD_ERROR: "#",
    Verdict.NO_GOLD: "·",
}
"""A sign for each verdict, so that colour is never the only carrier."""

MEANING = {
    FailureMode.UNDEFINED_METRIC_DRIFT: (
        "The question names a metric that the dictionary does not define, and the analyst's own "
        "definition differs from the team's."
    ),
    FailureMode.WRONG_SOURCE: "The analyst read another table than the trusted query does.",
    FailureMode.FAN_OUT: "A join multiplies rows before they are summed or counted.",
    FailureMode.WRONG_FILTER: "A condition or a window of time is missing, extra or different.",
    FailureMode.WRONG_GRAIN: "Rows are grouped, counted or aggregated at another level.",
    FailureMode.UNCLASSIFIED: "No structural cause was found, or there was no SQL to compare.",
}

FIX = {
    FailureMode.UNDEFINED_METRIC_DRIFT: "Add the trusted definition to the metric dictionary.",
    FailureMode.WRONG_SOURCE: "Say in the schema notes which table is the source of this figure.",
    FailureMode.FAN_OUT: "Document the join convention: aggregate first, or count distinct keys.",
    FailureMode.WRONG_FILTER: "Document the condition that belongs to the figure.",
    FailureMode.WRONG_GRAIN: "Document what one row of the table stands for.",
    FailureMode.UNCLASSIFIED: "Read these one by one.",
}

SIMILARITY_NOTE = (
    "Similarity, exact match and the match of clauses measure how close two SQL texts are, not "
    "whether they are equivalent."
)

CORRECT_ROUNDINGS = (
    "correct roundings that failed",
    "the SQL beside them gives the gold; to let them pass say `accept_rounding: true`",
)
RIGHT_VALUE_WRONG_SQL = (
    "right value, wrong SQL",
    "passed, though the SQL beside the value does not give the gold",
)
RIGHT_SQL_WRONG_VALUE = (
    "right SQL, wrong value",
    "failed, though the SQL beside the value gives the gold",
)
VACUOUS = ("both results empty", "passed, which proves little")
"""Of answers that a notice counts: what they are, and what that means."""

ALTERED = (
    "This record was changed after it was written: its hash is no longer that of its content, so "
    "none of its figures can be trusted."
)

NO_SNAPSHOT = (
    "Nothing kept the data from changing between gold and analyst SQL: an answer may differ from "
    "its gold for that alone."
)

_HELD_OUT = (
    "Held-out: this is the honest figure. Do not tune on it; if train climbed and this did not, "
    "the context fits the train questions too closely."
)

ADVICE: dict[RunSplit, str] = {
    "train": "Train: this is your working number. Fix the largest failure mode first, run again.",
    "test": _HELD_OUT,
    "all": "Train and test together: tune on the train cases alone. " + _HELD_OUT,
}

ISOLATION = {
    "in-process": "the analyst ran inside goldsuite; nothing it was given leads to the key.",
    "directory": (
        "each question was answered in a fresh directory with a cleaned environment. A program of "
        "the same user could still read files by absolute path or its parent's arguments."
    ),
    "sandboxed": (
        "each question was answered in a sandbox, in which the suite, the runs and other processes "
        "do not exist."
    ),
    "remote": "the analyst is a service elsewhere; what it knows besides is not known here.",
    "replayed": (
        "the answers come from a file; how they were made, and what was seen, is not known here."
    ),
}
