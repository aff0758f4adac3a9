"""Gates: the least accuracy that the cases of a tag must reach."""

from dataclasses import replace

import pytest

from goldsuite.cli.options import read_gates
from goldsuite.comparison.gate import Gate, judge_run
from goldsuite.comparison.summary import summarise
from goldsuite.errors import UsageError
from goldsuite.model.run import RunRecord
from goldsuite.runner.limits import ErrorLimit
from tests.sample_run import sample_record

ANY = ErrorLimit(share=1.0)
_NO_TAG = "--gate cor=0 is not reached: no case of the run has the tag 'cor'. Did you mean 'core'?"


def tagged(*, must_pass: bool = False) -> RunRecord:
    """One passed and one failed case of `core`, the failed one alone has `money`."""
    record = sample_record()
    passed, failed, broken = record.cases
    cases = (
        replace(passed, tags=("core",)),
        replace(failed, tags=("core", "money"), must_pass=must_pass),
        broken,
    )
    return replace(record, cases=cases, aggregate=summarise(cases))


@pytest.mark.parametrize(
    ("gates", "told"),
    [
        ({"core": 0.5}, []),
        ({"core": 0.9}, ["accuracy 0.5000 of tag 'core' (1 of 2) is below --gate core=0.9"]),
        (
            {"core": 0.5, "money": 1.0},
            ["accuracy 0.0000 of tag 'money' (0 of 1) is below --gate money=1"],
        ),
        (
            {"cor": 0.0},
            [_NO_TAG],
        ),
    ],
)
def test_a_gate_holds_the_cases_of_a_tag_to_a_share(
    gates: dict[str, float], told: list[str]
) -> None:
    named = [Gate(tag=tag, least=least) for tag, least in gates.items()]
    found = judge_run(tagged(), fail_under=None, max_errors=ANY, gates=named)
    assert (list(found.messages), found.below) == (told, bool(told))


def test_records_that_tell_no_tags_are_counted_from_their_cases() -> None:
    record = tagged()
    old = replace(record, aggregate=replace(record.aggregate, tags=None))
    gate = Gate(tag="core", least=0.5)
    assert not judge_run(old, fail_under=None, max_errors=ANY, gates=[gate]).below
    assert judge_run(old, fail_under=None, max_errors=ANY, gates=[replace(gate, least=0.51)]).below


def test_a_must_pass_case_fails_a_gate_that_is_reached() -> None:
    gate = Gate(tag="core", least=0.5)
    found = judge_run(tagged(must_pass=True), fail_under=None, max_errors=ANY, gates=[gate])
    assert found.messages == ("must-pass cases that are not correct: net-revenue",)
    assert found.below


@pytest.mark.parametrize(
    ("texts", "gates"),
    [
        (None, {}),
        (["core=0.9", "a=b=50%"], {"core": 0.9, "a=b": 0.5}),
        (["core=0"], {"core": 0.0}),
    ],
)
def test_gates_are_read_as_shares_by_tag(texts: list[str] | None, gates: dict[str, float]) -> None:
    assert read_gates(texts) == gates


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["core"], "a tag and a share are expected"),
        (["=0.5"], "a tag and a share are expected"),
        (["core=2"], "a share from 0 to 1 is expected"),
        (["core="], "a share from 0 to 1 is expected"),
        (["core=1", "core=0"], "has a gate already"),
    ],
)
def test_a_gate_that_is_none_says_what_is_expected(texts: list[str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        read_gates(texts)
