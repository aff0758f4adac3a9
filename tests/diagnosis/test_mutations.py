"""Faults that are put into right queries are found again, one alone and two together."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from goldsuite.diagnosis.bench import Bench
from goldsuite.diagnosis.diagnose import diagnose
from goldsuite.diagnosis.failure import Failure
from goldsuite.diagnosis.parents import causes_in_order
from goldsuite.model.diagnosis import Cause, Diagnosis
from goldsuite.model.result_set import Execution
from tests.diagnosis.mutations import Mutation, mutations
from tests.diagnosis.schemas import Gold, Schema, all_golds

ONE_IN = 4
"""Of the single faults, to keep the tests quick; `benchmarks/diagnosis.py` runs them all."""
PAIR_IN = 48
"""Of the pairs that come from every eighth single fault."""


@dataclass(frozen=True)
class Broken:
    """A query with known faults."""

    name: str
    schema: str
    gold: Gold
    sql: str
    causes: tuple[Cause, ...]


def told(execution: Execution) -> list[list[str]] | None:
    """The result's rows, floats but for noise; None where there is no result."""
    if execution.result is None:
        return None
    rows = [[_cell(cell) for cell in row] for row in execution.result.rows]
    return sorted(rows)


def _cell(cell: object) -> str:
    try:
        return f"{float(cell):.9g}"  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return str(cell)


def effective(gold: Gold, schema: Schema, bench: Bench) -> list[tuple[Mutation, list[list[str]]]]:
    """The mutations of one gold that change its result."""
    assert bench.execute is not None
    right = told(bench.execute(gold.sql))
    assert right is not None, gold.name
    results = ((m, told(bench.execute(m.sql))) for m in mutations(gold.sql, schema))
    return [(m, rows) for m, rows in results if rows is not None and rows != right]


def singles(benches: dict[str, Bench]) -> Iterator[Broken]:
    """One fault each."""
    for schema, gold in all_golds():
        for mutation, _ in effective(gold, schema, benches[schema.name]):
            name = f"{schema.name}/{gold.name}/{mutation.name}"
            yield Broken(name, schema.name, gold, mutation.sql, (mutation.cause,))


def pairs(benches: dict[str, Bench], *, one_in: int) -> Iterator[Broken]:
    """Two faults of different causes, each of which changes the result beside the other."""
    number = 0
    for schema, gold in all_golds():
        bench = benches[schema.name]
        assert bench.execute is not None
        alone = effective(gold, schema, bench)
        kinds = {mutation.name[:-1] for mutation, _ in alone}
        known = [told(bench.execute(gold.sql)), *(rows for _, rows in alone)]
        for first, _ in alone[::8]:
            for second in mutations(first.sql, schema):
                if second.cause is first.cause or second.name[:-1] not in kinds:
                    continue
                number += 1
                both = told(bench.execute(second.sql)) if number % (one_in // 8) == 0 else None
                if both is not None and both not in known:
                    name = f"{schema.name}/{gold.name}/{first.name}+{second.name}"
                    causes = (first.cause, second.cause)
                    yield Broken(name, schema.name, gold, second.sql, causes)


def diagnosed(broken: Broken, benches: dict[str, Bench]) -> Diagnosis:
    failure = Failure(
        question=broken.gold.question,
        gold_sql=broken.gold.sql,
        predicted_sql=broken.sql,
        definition_source="metric dictionary",
        reason="The value differs.",
        metric=None,
        dialect="duckdb",
    )
    return diagnose(failure, benches[broken.schema])


def missed(found: list[Broken], benches: dict[str, Bench]) -> list[str]:
    """Those whose primary cause is another than the first of theirs by precedence."""
    return [
        f"{broken.name}: {wrong.cause}"
        for broken in found
        if (wrong := diagnosed(broken, benches)).cause is not causes_in_order(broken.causes)[0]
    ]


def test_one_fault_is_found_in_95_of_100(benches: dict[str, Bench]) -> None:
    found = list(singles(benches))
    assert len({broken.causes for broken in found}) >= 14
    sample = found[::ONE_IN]
    wrong = missed(sample, benches)
    assert len(wrong) <= 0.05 * len(sample), wrong


def test_the_first_of_two_faults_is_found_in_85_of_100(benches: dict[str, Bench]) -> None:
    sample = list(pairs(benches, one_in=PAIR_IN))
    wrong = missed(sample, benches)
    assert len(sample) > 40
    assert len(wrong) <= 0.15 * len(sample), wrong


@pytest.mark.parametrize("number", range(3))
def test_a_right_query_in_other_words_has_no_cause(number: int, benches: dict[str, Bench]) -> None:
    for schema, gold in list(all_golds())[number::9]:
        same = Broken(gold.name, schema.name, gold, gold.sql, ())
        found = diagnosed(same, benches)
        assert found.causes == (Cause.UNCLASSIFIED,), gold.name
