"""Files of answers that cannot be read: what is wrong, and on which line."""

import json
from pathlib import Path

import pytest

from goldsuite.analysts.predictions import AnswersFormat, read_predictions
from goldsuite.errors import GoldsuiteError, RecordError
from goldsuite.model.question import Question

QUESTIONS = tuple(
    Question(id=case, text=text, split="train", line=line)
    for line, (case, text) in enumerate(
        [
            ("count", "How many sales are there?"),
            ("total", "What is the total of sales?"),
            ("shops", "Which shops are there?"),
            ("largest", "What is the largest sale?"),
        ],
        start=3,
    )
)


def rows(**answers: object) -> str:
    return "".join(json.dumps({"id": i, "analyst_value": v}) + "\n" for i, v in answers.items())


def refused(path: Path, text: str, answers_format: AnswersFormat | None = None) -> str:
    path.write_bytes(text.encode())
    with pytest.raises(GoldsuiteError) as caught:
        read_predictions(
            path,
            questions=QUESTIONS,
            places=QUESTIONS,
            answers_format=answers_format,
            dialect="sqlite",
        )
    return str(caught.value)


FAULTS = (
    (rows(count=3, totl=1), "answers.jsonl:2: the suite has no case 'totl'. Did you mean 'total'?"),
    (rows(count=3) * 2, "answers.jsonl:2: case 'count' is answered twice, first on line 1."),
    (rows(count=3) + '{"id": "total", ', "answers.jsonl:2: no JSON"),
    (rows(count=3) + '{"id": "total"}', "answers.jsonl:2: neither 'analyst_value' nor"),
    ('{"analyst_value": 3}\n', "answers.jsonl:1: 'id' is missing"),
    (rows(count=3) + '{"id": "total", "trial": 2, "analyst_value": 1}', "'trial' is 2"),
    ("", "the file is empty"),
    ("\n\n", "the file is empty"),
    ("what is this?\n", "the format of these answers is not seen"),
)


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_a_faulty_file_of_rows_is_refused_with_its_line(
    tmp_path: Path, text: str, message: str
) -> None:
    assert message in refused(tmp_path / "answers.jsonl", text)


FORMAT_FAULTS = (
    ("p.sql", "select 1\nselect 2\nselect 3\n", "holds 3 predictions for 4 cases"),
    ("p.json", '{"0": "select 1", "4": "select 1"}', "index 1 is missing, index 4 has no case"),
    ("p.json", '{"zero": "select 1"}', "index 'zero': whole numbers from 0"),
    ("p.json", '{"0": "a", "0": "b", "1": "", "2": "", "3": ""}', "'0' is given more than once"),
    ("p.json", '{\n"0": "a",\n"1" "b"}', "p.json:3: no JSON"),
    ("p.csv", "question,generated_query\nHow many sale are there?,select 1\n",
     "p.csv:2: no case of the suite asks 'How many sale are there?'. Did you mean"),
    ("p.csv", 'question,generated_query\n"How many', "no CSV"),
    ("p.csv", "question,generated_query\na\n", "p.csv:2: 1 cells instead of 2"),
    ("p.csv", "generated_query\nselect 1\n", "p.csv:1: column 'question' is missing"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "text", "message"), FORMAT_FAULTS)
def test_a_prediction_that_finds_no_case_is_a_fault(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    assert message in refused(tmp_path / name, text)


def test_many_faults_are_counted_after_the_first_twenty(tmp_path: Path) -> None:
    text = refused(tmp_path / "a.jsonl", rows(**{f"x{n}": 1 for n in range(25)}))
    assert len(text.splitlines()) == 21
    assert text.endswith("... and 5 more")


def test_text_that_is_not_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "count", "analyst_value": 3}\n\xff\n')
    with pytest.raises(RecordError, match=r"a\.jsonl:2: the text is not UTF-8"):
        read_predictions(path, questions=QUESTIONS, places=QUESTIONS)


def test_a_format_that_is_named_is_not_looked_for(tmp_path: Path) -> None:
    found = refused(tmp_path / "a.txt", rows(count=3), AnswersFormat.SPIDER)
    assert "holds 1 predictions for 4 cases" in found


def test_a_byte_order_mark_and_windows_lines_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + rows(count=3, total=4).replace("\n", "\r\n").encode())
    found = read_predictions(path, questions=QUESTIONS, places=QUESTIONS)
    assert [(a.id, a.reply.value) for a in found.answers] == [("count", "3"), ("total", "4")]
