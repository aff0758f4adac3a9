"""Which cases an import holds out."""

import pytest

from goldsuite.model.question import Split
from goldsuite.suite.importers.split import Drawn, draw_splits


def drawn(name: str, stratum: str = "s", group: str | None = None, **given: Split) -> Drawn:
    return Drawn(id=name, stratum=stratum, group=group or name, **given)


def held_out(splits: dict[str, Split]) -> list[str]:
    return sorted(name for name, side in splits.items() if side == "test")


@pytest.mark.parametrize(
    ("count", "share", "expected"),
    [
        (10, 0.3, 3),
        (10, 0.0, 0),
        (10, 1.0, 10),
        # 0.3 of two is none, but then nothing would be held out.
        (2, 0.3, 1),
        (2, 0.9, 1),
        (1, 0.5, 0),
        (0, 0.3, 0),
    ],
)
def test_the_share_is_held_out_and_neither_side_is_empty(
    count: int, share: float, expected: int
) -> None:
    cases = [drawn(str(number)) for number in range(count)]
    assert len(held_out(draw_splits(cases, test_share=share, seed=0))) == expected


def test_every_stratum_has_its_share_and_the_largest_remainder_the_rest() -> None:
    # 20 + 10 + 4 = 34, 30 % are 10.2: 6 + 3 + 1 (1.2).
    sizes = {"easy": 20, "hard": 10, "odd": 4}
    cases = [drawn(f"{name}{n}", name) for name, size in sizes.items() for n in range(size)]
    found = held_out(draw_splits(cases, test_share=0.3, seed=7))
    counts = {name: sum(each.startswith(name) for each in found) for name in sizes}
    assert counts == {"easy": 6, "hard": 3, "odd": 1}


def test_cases_with_the_same_gold_stay_together() -> None:
    cases = [drawn(f"{pair}{side}", group=str(pair)) for pair in range(20) for side in "ab"]
    splits = draw_splits(cases, test_share=0.3, seed=1)
    assert all(splits[f"{pair}a"] == splits[f"{pair}b"] for pair in range(20))
    assert len(held_out(splits)) == 12


def test_a_split_that_the_file_gives_is_kept_and_its_group_follows() -> None:
    cases = [drawn("a", given="test", group="g"), drawn("b", group="g"), drawn("c", given="train")]
    assert draw_splits(cases, test_share=0.0, seed=0) == {"a": "test", "b": "test", "c": "train"}


def test_seed_and_ids_decide_and_not_the_order() -> None:
    cases = [drawn(str(number)) for number in range(30)]
    first = draw_splits(cases, test_share=0.3, seed=0)
    assert draw_splits(cases[::-1], test_share=0.3, seed=0) == first
    assert draw_splits(cases, test_share=0.3, seed=1) != first
