"""Failures are ranked by count, then by precedence, in the order of the suite."""

from goldsuite.diagnosis.clusters import commonest, rank, relabel
from goldsuite.diagnosis.parents import PARENTS, PRECEDENCE
from goldsuite.model.diagnosis import Cause, Diagnosis, FailureMode, Repair


def diagnosis(mode: FailureMode) -> Diagnosis:
    return Diagnosis(mode=mode, labels=(mode,), evidence=("It differs.",), confidence="low")


def test_the_largest_group_comes_first_and_equal_ones_by_precedence() -> None:
    modes = {
        "e": FailureMode.WRONG_GRAIN,
        "d": FailureMode.WRONG_FILTER,
        "c": FailureMode.FAN_OUT,
        "b": FailureMode.WRONG_FILTER,
        "a": FailureMode.UNDEFINED_METRIC_DRIFT,
    }
    ranked = rank({case: diagnosis(mode) for case, mode in modes.items()}, order="abcde")
    assert [(c.mode, c.count, c.cases) for c in ranked] == [
        (FailureMode.WRONG_FILTER, 2, ("b", "d")),
        (FailureMode.UNDEFINED_METRIC_DRIFT, 1, ("a",)),
        (FailureMode.FAN_OUT, 1, ("c",)),
        (FailureMode.WRONG_GRAIN, 1, ("e",)),
    ]


def test_a_case_that_the_order_does_not_name_comes_last() -> None:
    same = diagnosis(FailureMode.FAN_OUT)
    (cluster,) = rank({"y": same, "x": same, "known": same}, order=["known"])
    assert cluster.cases == ("known", "x", "y")


def test_no_failures_are_no_clusters() -> None:
    assert rank({}, order=["a"]) == ()


def test_every_mode_has_a_place_and_a_parent() -> None:
    assert set(PRECEDENCE) == set(FailureMode)
    assert {mode for modes in PARENTS.values() for mode in modes} == set(FailureMode)
    assert all(PARENTS[mode] == (mode,) for mode in FailureMode)


def test_a_case_that_was_asked_several_times_has_the_mode_of_most_of_its_trials() -> None:
    grain, filtered = diagnosis(FailureMode.WRONG_GRAIN), diagnosis(FailureMode.WRONG_FILTER)
    trials = [
        ("a", grain), ("b", None), ("c", grain), ("a", filtered), ("c", filtered), ("a", filtered),
    ]  # fmt: skip
    # c has one of each: the first seen counts.
    assert commonest(trials) == {"a": filtered, "c": grain}


def proven(
    root: str, *causes: Cause, edits: int = 1, mode: FailureMode = FailureMode.WRONG_FILTER
) -> Diagnosis:
    """A failure whose repair ran."""
    sentences = tuple(f"Edit {number}." for number in range(edits))
    return Diagnosis(
        mode=mode,
        labels=(mode,),
        evidence=("It differs.",),
        confidence="high",
        method="counterfactual",
        cause=causes[0],
        causes=causes,
        repair=Repair(edits=sentences, sql="select 1", returns="1"),
        root=root,
    )


MISSING = "wrong-filter: needs orders.state <> 'cancelled'"


def test_failures_of_one_root_are_one_cluster_and_the_largest_comes_first() -> None:
    other = proven("wrong-filter: without a.b > 1", Cause.WRONG_FILTER)
    same = proven(MISSING, Cause.WRONG_FILTER)
    (filters,) = rank({"a": other, "b": same, "c": same}, order="abc")
    assert [(c.root, c.cases, c.proven) for c in filters.clusters] == [
        (MISSING, ("b", "c"), ("b", "c")),
        ("wrong-filter: without a.b > 1", ("a",), ("a",)),
    ]


def test_a_case_flips_where_its_whole_repair_is_of_the_one_root() -> None:
    drift = "undefined-metric-drift: revenue"
    cases = {
        "alone": proven(MISSING, Cause.WRONG_FILTER),
        "two-edits": proven(MISSING, Cause.WRONG_FILTER, edits=2),
        "two-causes": proven(MISSING, Cause.WRONG_FILTER, Cause.WRONG_GRAIN),
        # A definition is one thing to write down, whatever a query needs for it.
        "definition": proven(
            drift,
            Cause.UNDEFINED_METRIC_DRIFT,
            edits=3,
            mode=FailureMode.UNDEFINED_METRIC_DRIFT,
        ),
    }
    ranked = rank(cases, order=list(cases))
    flips = {case for mode in ranked for root in mode.clusters for case in root.flips}
    assert flips == {"alone", "definition"}


def test_a_root_has_the_same_short_id_in_every_run() -> None:
    drift = proven(
        "undefined-metric-drift: net_revenue",
        Cause.UNDEFINED_METRIC_DRIFT,
        mode=FailureMode.UNDEFINED_METRIC_DRIFT,
    )
    same = proven(MISSING, Cause.WRONG_FILTER)
    alone = rank({"x": same}, order="x")
    beside = rank({"a": drift, "b": same}, order="ab")
    ids = {root.root: root.id for mode in beside for root in mode.clusters}
    assert ids["undefined-metric-drift: net_revenue"] == "define-net-revenue"
    assert ids[MISSING] == alone[0].clusters[0].id
    # The first four digits of the SHA-256 of the root, by sha256sum.
    assert ids[MISSING] == "wrong-filter-b908"


def test_what_lies_in_the_answer_is_one_root_whatever_its_sql() -> None:
    mode = FailureMode.UNCLASSIFIED
    cases = {
        "a": proven("wrong-aggregation: needs MIN(x)", Cause.FORMAT_ERROR, mode=mode),
        "b": proven("wrong-grain: grain", Cause.FORMAT_ERROR, mode=mode),
    }
    (unclassified,) = rank(cases, order="ab")
    assert [(c.id, c.cases) for c in unclassified.clusters] == [("format-error", ("a", "b"))]


def test_a_label_moves_a_case_to_the_mode_that_it_names_and_leaves_the_rest() -> None:
    same = proven(MISSING, Cause.WRONG_FILTER)
    ranked = rank({"a": same, "b": same, "c": same}, order="abc")
    moved = relabel(ranked, {"b": Cause.MISSING_DISTINCT, "gone": Cause.FAN_OUT}, "abc")
    assert [(m.mode, m.count, m.cases) for m in moved] == [
        (FailureMode.WRONG_FILTER, 2, ("a", "c")),
        (FailureMode.WRONG_GRAIN, 1, ("b",)),
    ]
    (root,) = moved[0].clusters
    assert (root.cases, root.proven, root.flips) == (("a", "c"), ("a", "c"), ("a", "c"))
    assert [(c.id, c.cases, c.proven) for c in moved[1].clusters] == [
        ("labelled-missing-distinct", ("b",), ())
    ]


def test_without_labels_nothing_moves() -> None:
    ranked = rank({"a": proven(MISSING, Cause.WRONG_FILTER)}, order="a")
    assert relabel(ranked, {}, "a") == ranked
