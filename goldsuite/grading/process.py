"""Scores of how an analyst worked on one trial, from what it told of its work. Pure.

A part that the case does not ask for, or that the analyst does not tell, is not measured: None,
never 0. A trial that broke has no scores at all: an error is not a failure.
"""

from collections.abc import Sequence
from dataclasses import replace

from goldsuite.grading.process_presets import combine
from goldsuite.model.answer import Reply, ToolCall
from goldsuite.model.judge import BEST
from goldsuite.model.key import GoldCase
from goldsuite.model.process import Part, Parts, Preset, ProcessScores

__all__ = ["asks_for_process", "calls_made", "missing_of", "parts_of", "rescore", "score_process"]


def asks_for_process(case: GoldCase) -> bool:
    """Whether the case says anything about the way to its answer."""
    return bool(case.expected_tools or case.expected_skills or case.max_turns)


def score_process(
    case: GoldCase, reply: Reply, *, fewest_calls: int | None, preset: Preset
) -> ProcessScores | None:
    """The scores of one trial; None where the case asks for none, or the analyst broke.

    Args:
        fewest_calls: that were seen to give a correct answer to the case; None if none was.
    """
    if reply.error is not None or not asks_for_process(case):
        return None
    tools = reply.tools if reply.tools is not None else _names(reply.calls)
    missing_tools = missing_of(case.expected_tools, tools or ())
    missing_skills = missing_of(case.expected_skills, reply.skills or ())
    scores = ProcessScores(
        tool_accuracy=_found(case.expected_tools, missing_tools, told=tools is not None),
        trigger_accuracy=_found(
            case.expected_skills, missing_skills, told=reply.skills is not None
        ),
        argument_accuracy=_argument_accuracy(reply.calls),
        turn_efficiency=_turn_efficiency(case.max_turns, reply.turns),
        step_efficiency=_step_efficiency(fewest_calls, calls_made(reply)),
        fewest_calls=fewest_calls,
        missing_tools=() if tools is None else missing_tools,
        missing_skills=() if reply.skills is None else missing_skills,
    )
    return rescore(scores, preset)


def rescore(
    scores: ProcessScores, preset: Preset, *, judge_score: float | None = None
) -> ProcessScores:
    """The same parts, combined by `preset`, with a judge's score from 0 to 5 where there is one."""
    combined = combine(parts_of(scores, judge_score), preset)
    return replace(scores, score=combined.score, passed=combined.passed)


def parts_of(scores: ProcessScores | None, judge_score: float | None = None) -> Parts:
    """What was measured, as a preset weighs it."""
    parts: dict[Part, float | None] = {}
    if scores is not None:
        tools = scores.tool_accuracy
        parts = {
            Part.TOOL_ACCURACY: tools,
            Part.TRIGGER_ACCURACY: scores.trigger_accuracy,
            Part.ARGUMENT_ACCURACY: scores.argument_accuracy,
            Part.TURN_EFFICIENCY: scores.turn_efficiency,
            Part.STEP_EFFICIENCY: scores.step_efficiency,
            Part.TOOL_CORRECTNESS: None if tools is None else float(tools == 1),
        }
    parts[Part.OUTPUT_QUALITY] = None if judge_score is None else judge_score / BEST
    return {part: value for part, value in parts.items() if value is not None}


def missing_of(expected: Sequence[str], used: Sequence[str]) -> tuple[str, ...]:
    """Which of the `expected` names are not among the `used`, each once and in order.

    An agent names the tools of a server `mcp__SERVER__TOOL`, and the skills of a plugin
    `PLUGIN:SKILL`: a suite may say the last part alone.
    """
    known = set(used) | {name.rsplit(":", 1)[-1] for name in used}
    known |= {name.split("__", 2)[-1] for name in used if name.startswith("mcp__")}
    return tuple(name for name in dict.fromkeys(expected) if name not in known)


def calls_made(reply: Reply) -> int | None:
    """How many tools were called; None where the analyst does not tell."""
    told = reply.calls if reply.calls is not None else reply.tools
    return None if told is None else len(told)


def _names(calls: Sequence[ToolCall] | None) -> tuple[str, ...] | None:
    return None if calls is None else tuple(call.name for call in calls)


def _found(expected: Sequence[str], missing: Sequence[str], *, told: bool) -> float | None:
    names = len(set(expected))
    return (names - len(missing)) / names if told and names else None


def _argument_accuracy(calls: Sequence[ToolCall] | None) -> float | None:
    known = [call.accepted for call in calls or () if call.accepted is not None]
    return sum(known) / len(known) if known else None


def _turn_efficiency(max_turns: int | None, turns: int | None) -> float | None:
    if max_turns is None or turns is None:
        return None
    return 1.0 if turns <= max_turns else max_turns / turns


def _step_efficiency(fewest: int | None, made: int | None) -> float | None:
    if fewest is None or made is None:
        return None
    # A wrong answer may have taken fewer calls than any right one did.
    return 1.0 if made <= fewest else fewest / made
