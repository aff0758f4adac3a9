"""Scores of the way to an answer: by hand, and absent where nothing was measured."""

import pytest

from goldsuite.grading.process import missing_of, parts_of, rescore, score_process
from goldsuite.grading.process_presets import COMPOSITE, PRESETS, combine
from goldsuite.model.answer import Reply, ToolCall
from goldsuite.model.key import GoldCase
from goldsuite.model.process import Part, Parts, ProcessScores

MEAN, SUM = PRESETS["mean"], PRESETS["sum-capped"]


def _case(
    tools: tuple[str, ...] = (), skills: tuple[str, ...] = (), max_turns: int | None = None
) -> GoldCase:
    return GoldCase(
        id="a", question="q", line=1, gold_sql=(), expected_tools=tools, expected_skills=skills,
        max_turns=max_turns,
    )  # fmt: skip


def _scores(case: GoldCase, reply: Reply, fewest: int | None = None) -> ProcessScores:
    scores = score_process(case, reply, fewest_calls=fewest, preset=MEAN)
    assert scores is not None
    return scores


@pytest.mark.parametrize(
    ("expected", "used", "accuracy", "missing"),
    [
        (("query",), ("query",), 1.0, ()),
        (("query", "describe"), ("query",), 0.5, ("describe",)),
        (("query",), ("query", "query", "read", "write"), 1.0, ()),
        (("query", "query"), ("query",), 1.0, ()),
        (("query",), (), 0.0, ("query",)),
        (("query",), ("Query",), 0.0, ("query",)),
        (("query",), ("mcp__shop__query",), 1.0, ()),
        (("mcp__shop__query",), ("mcp__shop__query",), 1.0, ()),
        (("mcp__shop__query",), ("query",), 0.0, ("mcp__shop__query",)),
        (("query",), None, None, ()),
    ],
)
def test_tool_accuracy_is_the_share_of_expected_tools_that_were_used(
    expected: tuple[str, ...],
    used: tuple[str, ...] | None,
    accuracy: float | None,
    missing: tuple[str, ...],
) -> None:
    scores = _scores(_case(tools=expected), Reply(tools=used))
    assert (scores.tool_accuracy, scores.missing_tools) == (accuracy, missing)


def test_skills_are_counted_like_tools_and_a_plugin_s_by_their_last_part() -> None:
    scores = _scores(_case(skills=("revenue", "dates")), Reply(skills=("finance:revenue",)))
    assert (scores.trigger_accuracy, scores.missing_skills) == (0.5, ("dates",))
    assert _scores(_case(skills=("revenue",)), Reply()).trigger_accuracy is None
    assert missing_of(("a", "b", "a"), ("b",)) == ("a",)


def test_argument_accuracy_is_over_the_calls_of_which_it_is_known() -> None:
    told = (True, False, None, True)
    calls = tuple(ToolCall(name="query", accepted=accepted) for accepted in told)
    assert _scores(_case(tools=("query",)), Reply(calls=calls)).argument_accuracy == 2 / 3
    unknown = (ToolCall(name="query"),)
    for reply in (Reply(calls=()), Reply(calls=unknown), Reply()):
        assert _scores(_case(tools=("query",)), reply).argument_accuracy is None


def test_tools_are_read_from_the_calls_where_only_those_are_told() -> None:
    assert _scores(_case(tools=("a",)), Reply(calls=(ToolCall(name="a"),))).tool_accuracy == 1


@pytest.mark.parametrize(
    ("turns", "efficiency"), [(3, 1.0), (4, 1.0), (5, 0.8), (16, 0.25), (None, None)]
)
def test_turn_efficiency_falls_beyond_max_turns(
    turns: int | None, efficiency: float | None
) -> None:
    assert _scores(_case(max_turns=4), Reply(turns=turns)).turn_efficiency == efficiency


@pytest.mark.parametrize(
    ("made", "fewest", "efficiency"),
    [(4, 2, 0.5), (2, 2, 1.0), (1, 2, 1.0), (0, 0, 1.0), (3, 0, 0.0), (4, None, None),
     (None, 2, None)],
)  # fmt: skip
def test_step_efficiency_compares_with_the_fewest_calls_that_were_enough(
    made: int | None, fewest: int | None, efficiency: float | None
) -> None:
    reply = Reply(tools=None if made is None else ("query",) * made)
    assert _scores(_case(max_turns=4), reply, fewest).step_efficiency == efficiency


def test_a_case_that_asks_for_nothing_and_a_trial_that_broke_have_no_scores() -> None:
    assert score_process(_case(), Reply(turns=1), fewest_calls=1, preset=MEAN) is None
    broken = Reply(tools=(), error="exit code 3")
    assert score_process(_case(tools=("a",)), broken, fewest_calls=1, preset=MEAN) is None


TOOLS, TURNS, QUALITY = Part.TOOL_ACCURACY, Part.TURN_EFFICIENCY, Part.OUTPUT_QUALITY


@pytest.mark.parametrize(
    ("preset", "parts", "score", "passed"),
    [
        ("mean", {TOOLS: 0.5, TURNS: 1.0}, 0.75, None),
        ("mean", {TOOLS: 0.5}, 0.5, None),
        ("mean", {QUALITY: 1.0}, None, None),
        ("mean", {}, None, None),
        # 0.5 + 0.2 + 0.5 * 0.4
        ("sum-capped", {TOOLS: 0.5, TURNS: 0.2, QUALITY: 0.4}, 0.9, True),
        ("sum-capped", {TOOLS: 0.5, TURNS: 0.1, QUALITY: 0.2}, 0.7, True),
        ("sum-capped", {TOOLS: 0.5, TURNS: 0.1, QUALITY: 0.1}, 0.65, False),
        # Full tools and turns: the quality never matters.
        ("sum-capped", {TOOLS: 1.0, TURNS: 1.0, QUALITY: 0.0}, 1.0, True),
        ("sum-capped", {TOOLS: 1.0, TURNS: 1.0}, 1.0, True),
        # Unmeasured quality may add up to 0.5: the score is open, and here whether it passes.
        ("sum-capped", {TOOLS: 0.5, TURNS: 0.1}, None, None),
        ("sum-capped", {TOOLS: 0.5, TURNS: 0.3}, None, True),
        ("sum-capped", {TOOLS: 0.0, TURNS: 0.1}, None, False),
        ("sum-capped", {TOOLS: 1.0}, 1.0, True),
        ("sum-capped", {TOOLS: 0.5}, None, None),
        ("sum-capped", {Part.STEP_EFFICIENCY: 1.0}, None, None),
    ],
)
def test_a_preset_combines_what_was_measured(
    preset: str, parts: Parts, score: float | None, passed: bool | None
) -> None:
    found = combine(parts, PRESETS[preset])
    assert found.score == (None if score is None else pytest.approx(score))
    assert found.passed is passed


def test_the_composite_needs_all_of_its_four_parts() -> None:
    scores = ProcessScores(tool_accuracy=0.5, argument_accuracy=0.75, step_efficiency=0.5)
    # 0.5 * 4/5 + 0.2 * 0 (a tool is missing) + 0.2 * 0.75 + 0.1 * 0.5
    assert combine(parts_of(scores, 4.0), COMPOSITE).score == pytest.approx(0.6)
    assert combine(parts_of(scores), COMPOSITE).score is None
    assert combine(parts_of(None, 4.0), COMPOSITE).score is None


def test_a_judge_s_score_settles_what_was_open() -> None:
    scores = rescore(ProcessScores(tool_accuracy=0.5, turn_efficiency=0.1), SUM)
    assert (scores.score, scores.passed) == (None, None)
    judged = rescore(scores, SUM, judge_score=2.0)
    # 0.5 + 0.1 + 0.5 * 2/5
    assert judged.score == pytest.approx(0.8)
    assert judged.passed is True
