"""The tool by which the model gives its answer, and how a call of it is read."""

import json
from collections.abc import Mapping
from typing import Any

from goldsuite.analysts.reply import read_reply
from goldsuite.analysts.row import ANSWER_KEYS
from goldsuite.errors import AnalystError
from goldsuite.model.answer import Reply

__all__ = ["ANSWER_TOOL", "GIVE_ANSWER", "LAST_TURN", "REMINDER", "read_answer"]

GIVE_ANSWER = "give_answer"

ANSWER_TOOL: Mapping[str, Any] = {
    "name": GIVE_ANSWER,
    "description": "Give your final answer. Nothing can be said or asked after it.",
    "strict": True,
    "input_schema": {
        "type": "object",
        "properties": {
            "analyst_value": {
                "type": "string",
                "description": "The single value: a number in digits only, a text, or a date; "
                "empty where rows are asked for.",
            },
            "analyst_query": {
                "type": "string",
                "description": "The exact SQL that gives the answer.",
            },
            "definition_source": {
                "type": "string",
                "enum": ["metric dictionary", "my own choice"],
                "description": "Where the definition of what was measured comes from.",
            },
        },
        "required": list(ANSWER_KEYS),
        "additionalProperties": False,
    },
}
"""`strict`: the service holds the model to the schema. The call cannot be forced: the models that
always think refuse that."""

REMINDER = f"You have not given your answer yet: give it now by calling `{GIVE_ANSWER}`."
LAST_TURN = f"This is your last turn: call `{GIVE_ANSWER}` now."


def read_answer(arguments: object) -> Reply:
    """The answer that a call gives: value, query and definition source, and nothing else.

    Raises:
        AnalystError: the arguments are no answer; the message is for the model.
    """
    if not isinstance(arguments, Mapping):
        raise AnalystError(f"an object with {', '.join(ANSWER_KEYS)} is expected")
    said = {key: arguments[key] for key in ANSWER_KEYS if key in arguments}
    missing = [key for key in ANSWER_KEYS[:2] if key not in said]
    if missing:
        known = ", ".join(ANSWER_KEYS)
        raise AnalystError(f"{' and '.join(missing)} missing; the arguments are {known}")
    # By the reader of what programs print: `null`, `none` and quotes mean the same for all.
    return read_reply(json.dumps(said))
