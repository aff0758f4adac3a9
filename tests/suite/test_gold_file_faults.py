"""Every kind of fault, with the line it is in and the words that help on."""

import pytest

from tests.suite.conftest import Faults

GOOD = """\
cases:
  - id: a
    question: How many?
    split: train
    gold_sql: select 1
"""


def test_a_good_file_has_no_fault(faults_of: Faults) -> None:
    assert faults_of(GOOD) == []


# Each row is added as line 6 to the good file above.
@pytest.mark.parametrize(
    ("added", "words"),
    [
        ("tolerence: 0", "case 'a': unknown field 'tolerence'. Did you mean 'tolerance'?"),
        ("sql: select 1", "unknown field 'sql'. Did you mean 'gold_sql'?"),
        ("as_of: 2026-01-01", "'as_of' stands at the top of the file"),
        ("4711: x", "unknown field. "),
        ("id: b", "the key 'id' is given twice, first in line 2"),
        ("tolerance: -0.1", "not negative"),
        ('tolerance: "0.5%"', "0.005 for 0.5 %"),
        ("tolerance: 0.5%", "0.005 for 0.5 %"),
        ("tolerance: 5", "0.005 means 0.5 %"),
        ("tolerance: 1", "0.005 means 0.5 %"),
        ("tolerance: 1e-6", "1.0e-6"),
        ("tolerance: true", "a number is expected, and true or false is given"),
        ("tolerance: .nan", "finite"),
        ("tolerance:", "nothing is given"),
        ("abs_tolerance: -1", "not negative"),
        ("unit: ''", "empty"),
        ("unit: percnt", "Did you mean 'percent'?"),
        ("unit: percentage", "'percent'"),
        ("unit: EUR", "under `currency`"),
        ("unit: $", "under `currency`"),
        ("currency: Euro", "three letters"),
        ("currency: €", "'EUR'"),
        ("decimal_mark: comma", "unknown decimal mark"),
        ("decimal_mark: 0.5", 'Write "." or "," in quotes, or auto.'),
        ("decimal_mark:", "nothing is given"),
        ("decimal_separator: ','", "Did you mean 'decimal_mark'?"),
        ("locale: de", "Did you mean 'decimal_mark'?"),
        ("answer: nubmer", "Did you mean 'number'?"),
        ("null_is_zero: 1", "true or false is expected, and a number is given"),
        ('must_pass: "yes"', "true or false is expected, and a text is given"),
        ("row_order: requird", "Did you mean 'required'?"),
        ("extra_columns: maybe", "Known: allowed, refused"),
        ("tags: revenue", "[first, second]"),
        ("tags: [revenue, no]", "tags, item 2: YAML reads this word as false"),
        ("tags: [2025]", "Put it in quotes"),
        ("paraphrases: How much?", "a list of texts is expected"),
        ("metric: 2025-01-01", "and a date is given. Put it in quotes"),
        ("difficulty: 012", "another base"),
        ("note: 12:30:45", "Put it in quotes"),
        ("verified_at: last year", "2025-12-31"),
        ("verified_at: 2025-02-30", "no such date"),
        ("verified_at: 2025-12-31 10:00:00", "without a time"),
        ("max_turns: 0", "1 or more"),
        ("max_turns: 2.5", "a whole number"),
        ("rubric: be nice", "- criterion: ..."),
        ("rubric: [{weight: 1}]", "rubric, item 1: `criterion` is missing"),
        ("rubric: [{criterion: x, weight: 0}]", "rubric, item 1, weight: a weight is above 0"),
        ("rubric: [{criterion: x, wieght: 1}]", "Did you mean 'weight'?"),
        ("gold_value: 012", "another base"),
        ("gold_value: 0x1F", "another base"),
        ("gold_value: 12:30:45", "Put it in quotes"),
        ("gold_value: no", "reads this word as false"),
        ("gold_value: 1e-6", "1.0e-6"),
        ("gold_value: -.5", "reads this as text"),
        ("gold_value: 08", "reads this as text"),
        ("gold_value:", "Write null for NULL"),
        ("gold_value: null", "allow_null: true"),
        ("gold_value: .inf", "finite"),
        ("gold_value: 1.0e+999", "too large"),
        ("gold_value: !!binary aGk=", "plain values"),
        ("gold_value: {a: 1}", "a mapping is given"),
        ("gold_value: [{a: 1}]", "Leave the column names out"),
        ("gold_value: [1, [2]]", "mixed"),
        ("gold_value: [[1, 2], [3]]", "different lengths"),
        ("gold_value: [[]]", "[] for a table without rows"),
        ("gold_value: [[[1]]]", "one value in each cell"),
        ("gold_value: [[1, 1e5]]", "gold_value, item 1, item 2: YAML reads this as text"),
        ("<<: 3", "`<<` takes a mapping"),
    ],
)
def test_a_faulty_key_is_one_fault_in_its_line(faults_of: Faults, added: str, words: str) -> None:
    [(line, message)] = faults_of(f"{GOOD}    {added}\n")
    assert line == 6
    assert words in message


# Each row takes the place of one line of the good file.
@pytest.mark.parametrize(
    ("line", "instead", "words"),
    [
        (2, "  - id: 7", "case number 1: id: a text is expected, and a number is given"),
        (2, "  - id: ''", "case number 1: id: the text is empty"),
        (2, "  - id: ' a'", "no spaces at its ends"),
        (2, "  - id: a/b", "no / or \\"),
        (2, '  - id: "a\\tb"', "printable"),
        (2, "  - id: '..'", "not . or .."),
        (2, f"  - id: {'x' * 201}", "at most 200 characters, not 201"),
        (3, "    question: ''", "empty"),
        (3, "    question: 2025", "Put it in quotes"),
        (3, "    question: [a]", "and a list is given"),
        (4, "    split: tran", "unknown word 'tran'. Did you mean 'train'?"),
        (4, "    split: on", "reads this word as true"),
        (5, "    gold_sql: ''", "the SQL is empty"),
        (5, "    gold_sql: '-- todo'", "a comment only"),
        (5, "    gold_sql: ' ; '", "a comment only"),
        (5, "    gold_sql: []", "at least one query"),
        (5, "    gold_sql: 5", "a query, or a list of queries is expected"),
        (5, "    gold_sql: select 1; select 2", "several statements"),
        (5, "    gold_sql: delete from t", "A gold only reads"),
        (5, "    gold_sql: with a as (delete from t returning 1) select * from a", "only reads"),
        (5, "    gold_sql: select 1 as x into t", "only reads"),
        (5, "    gold_sql: call f()", "SELECT or WITH"),
        (5, "    gold_sql: [select 1, drop table t]", "gold_sql, item 2: the SQL writes"),
        (5, "    gold_sql:", "nothing is given"),
    ],
)
def test_a_faulty_required_key_is_one_fault_in_its_line(
    faults_of: Faults, line: int, instead: str, words: str
) -> None:
    lines = GOOD.splitlines()
    lines[line - 1] = instead
    [(found, message)] = faults_of("\n".join(lines))
    assert found == line
    assert words in message


@pytest.mark.parametrize(
    "sql",
    [
        "select 1;",
        "select 1; -- done",
        "select 'insert into t; drop table t' as x",
        "from t select x",
        "values (1)",
        "select replace(a, 'x', 'y') from t",
        "summarize t",
        "selct what the engine may know",
        "select 'not closed",
    ],
)
def test_what_reads_or_cannot_be_parsed_is_no_fault(faults_of: Faults, sql: str) -> None:
    quoted = "'" + sql.replace("'", "''") + "'"
    assert faults_of(GOOD.replace("select 1", quoted)) == []


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("id", "`id` is missing"),
        ("question", "`question` is missing"),
        ("split", "Write `split: train`"),
        ("gold_sql", "`gold_sql` is missing"),
    ],
)
def test_a_missing_key_is_a_fault_of_its_case(faults_of: Faults, key: str, words: str) -> None:
    lines = [line for line in GOOD.splitlines() if f"{key}:" not in line]
    lines[1] = f"  - {lines[1].strip(' -')}"
    [(line, message)] = faults_of("\n".join(lines))
    assert line == 2
    assert words in message


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("name: x\n", 1, "`cases` is missing"),
        ("name: x\ncases:\n", 2, "holds no case"),
        ("name: x\ncases: []\n", 2, "holds no case"),
        ("cases:\n  a: {question: q}\n", 1, "not a list"),
        (f"{GOOD}  - just text\n", 6, "case number 2: a case is a mapping"),
        (f"nmae: x\n{GOOD}", 1, "unknown field 'nmae'. Did you mean 'name'?"),
        (f"name: 7\n{GOOD}", 1, "Put it in quotes"),
        (f"name:\n{GOOD}", 1, "nothing is given"),
        (f"tolerance: 0\n{GOOD}", 1, "belongs into a case"),
        (f"as_of: someday\n{GOOD}", 1, "2025-12-31"),
        (f"defaults: 0.5\n{GOOD}", 1, "no mapping"),
        (f"defaults: {{split: train}}\n{GOOD}", 1, "Each case gives its own 'split'"),
        (f"defaults:\n  tolerence: 0\n{GOOD}", 2, "defaults: unknown field 'tolerence'"),
        (f"defaults:\n  unit:\n{GOOD}", 2, "defaults: unit: nothing is given"),
    ],
)
def test_a_fault_outside_the_cases_is_found(
    faults_of: Faults, text: str, line: int, words: str
) -> None:
    [(found, message)] = faults_of(text)
    assert found == line
    assert words in message


# Added to the good file, whose gold is there.
@pytest.mark.parametrize(
    ("added", "words"),
    [
        ("answer: number\n    gold_value: 'x'", "`answer: number` and a text contradict"),
        ("answer: number\n    gold_value: true", "`answer: number` and true or false"),
        ("answer: number\n    gold_value: [1]", "`answer: number` and rows"),
        ("answer: text\n    gold_value: 5", "in quotes"),
        ("answer: date\n    gold_value: 'soon'", "2025-12-31"),
        ("answer: boolean\n    gold_value: 1", "true or false"),
        ("answer: table\n    gold_value: 1", "[[a, 1], [b, 2]]"),
        ("answer: table\n    gold_value: null", "Write rows"),
        ("answer: refusal\n    gold_value: 1", "remove one of the two"),
        ("answer: clarify\n    gold_value: 'x'", "remove one of the two"),
        ("unit: count\n    currency: EUR", "`unit: count` is no money"),
        ("unit: percent\n    gold_value: 33.2%", "`unit: percent` and a text contradict"),
        ("unit: currency\n    gold_value: $1,200", "without quotes, signs or separators"),
    ],
)
def test_a_case_that_contradicts_itself_is_a_fault(
    faults_of: Faults, added: str, words: str
) -> None:
    [(line, message)] = faults_of(f"{GOOD}    {added}\n")
    assert line == 7
    assert words in message


@pytest.mark.parametrize(
    "added",
    [
        "must_pass: yes",
        "case_sensitive: off",
        "note: 1e-6",
        "difficulty: 33%",
        "gold_value: null\n    allow_null: true",
        "gold_value: ~\n    null_is_zero: true",
        "gold_value: []",
        "gold_value: $47,607,350",
        "gold_value: 10-20",
        "answer: date\n    gold_value: '2025-10-01'",
        "answer: table\n    gold_value: [a, b]",
        "tolerance: 0",
        "unit: orders",
        "unit: PERCENT",
        "currency: eur",
        "verified_at: '2025-12-31'",
    ],
)
def test_what_can_be_meant_is_no_fault(faults_of: Faults, added: str) -> None:
    assert faults_of(f"{GOOD}    {added}\n") == []


SECOND = """\
  - id: b
    question: HOW   many?
    split: test
    gold_sql: select 2
"""


def test_a_duplicate_question_names_the_other_case_and_the_broken_hold_out(
    faults_of: Faults,
) -> None:
    [(line, message)] = faults_of(GOOD + SECOND)
    assert line == 7
    assert "case 'a' (line 2)" in message
    assert "not held out" in message


def test_a_duplicate_question_within_a_split_is_a_fault_too(faults_of: Faults) -> None:
    [(line, message)] = faults_of(GOOD + SECOND.replace("test", "train"))
    assert line == 7
    assert "paraphrases" in message


def test_a_duplicate_id_names_both_lines(faults_of: Faults) -> None:
    second = SECOND.replace("id: b", "id: a").replace("many", "much")
    [(line, message)] = faults_of(GOOD + second)
    assert line == 6
    assert "first in line 2" in message


@pytest.mark.parametrize("answer", ["refusal", "clarify"])
def test_a_case_where_no_answer_is_right_needs_no_gold(faults_of: Faults, answer: str) -> None:
    assert faults_of(GOOD.replace("gold_sql: select 1", f"answer: {answer}")) == []


PROCESS = [
    "rubric: [{criterion: polite}]",
    "success_criteria: It is polite.",
    "expected_tools: [query]",
    "expected_skills: [revenue]",
    "max_turns: 3",
]


@pytest.mark.parametrize("added", PROCESS)
def test_a_case_scored_by_process_or_judge_alone_needs_no_gold(
    faults_of: Faults, added: str
) -> None:
    assert faults_of(GOOD.replace("gold_sql: select 1", added)) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # Defaults excuse nobody: the query of this case was forgotten.
        (f"defaults: {{max_turns: 3}}\n{GOOD.replace('gold_sql: select 1', 'tags: [x]')}",
         "`gold_sql` is missing"),
        (GOOD.replace("gold_sql: select 1", "max_turns: 3\n    gold_value: 3"),
         "nothing is compared with it"),
        (GOOD.replace("gold_sql: select 1", "max_turns: 3\n    must_pass: true"),
         "never correct"),
        (f"{GOOD}    rubric: [{{criterion: polite}}]\n    success_criteria: polite\n",
         "Keep one of them"),
    ],
)  # fmt: skip
def test_a_case_without_gold_has_nothing_that_needs_gold(
    faults_of: Faults, text: str, told: str
) -> None:
    [(_, message)] = faults_of(text)
    assert told in message


def test_a_null_takes_a_default_back_and_is_a_fault_without_one(faults_of: Faults) -> None:
    with_unit = f"{GOOD}    unit: null\n"
    assert faults_of(f"defaults: {{unit: currency}}\n{with_unit}") == []
    [(line, message)] = faults_of(with_unit)
    assert line == 6
    assert "nothing is given" in message


def test_one_faulty_key_hides_no_other_fault_of_its_case(faults_of: Faults) -> None:
    text = GOOD.replace("train", "tran").replace("select 1", "drop table t") + "    tolerance: 2\n"
    assert [line for line, _ in faults_of(text)] == [4, 6, 5]


def test_a_key_under_another_name_is_not_called_missing_too(faults_of: Faults) -> None:
    [(line, message)] = faults_of(GOOD.replace("gold_sql", "query"))
    assert line == 5
    assert "Did you mean 'gold_sql'?" in message


def test_fifty_faults_are_listed_at_once_in_the_order_of_the_file(faults_of: Faults) -> None:
    cases = [
        f"  - {{id: c{n}, question: Q{n}, split: dev, gold_sql: select {n}}}" for n in range(50)
    ]
    faults = faults_of("cases:\n" + "\n".join(cases))
    assert [line for line, _ in faults] == list(range(2, 52))


def test_lines_are_right_behind_block_texts_comments_and_merged_mappings(
    faults_of: Faults,
) -> None:
    text = """\
# a comment
name: lines
cases:
  - &base
    id: a
    question: |
      How
      many?
    split: train
    gold_sql: >-
      select 1

      as x
    unit: percnt
  - <<: *base
    id: b
    question: Another?
    unit: count
    tolerance: 7
"""
    assert [line for line, _ in faults_of(text)] == [14, 19]
