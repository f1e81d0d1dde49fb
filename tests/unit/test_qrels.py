from __future__ import annotations

import numpy as np
import pytest

from irbridge.errors import InputError
from irbridge.model import Judgment, Qrel
from irbridge.qrels import Qrels, unique
from irbridge.reading import Reading


def numbered(labels, reading):
    for reading.line, label in enumerate(labels, 1):
        yield label


def test_labels_are_numbered_by_query_in_order_of_first_appearance():
    qrels = Qrels.from_judgments(
        [Judgment("q2", "b", 1), Judgment("q1", "a", 0), Judgment("q2", "a", -1), Judgment("q1", "c", 3)]
    )
    assert qrels.query_ids == ["q2", "q1"]
    assert qrels.labels == [{"b": 0, "a": 1}, {"a": 2, "c": 3}]
    assert qrels.grades.tolist() == [1, -1, 0, 3]
    assert qrels.offsets.tolist() == [0, 2, 4]
    assert qrels.query_of.tolist() == [0, 0, 1, 1]
    assert list(qrels) == [Qrel("q2", "b", 1), Qrel("q2", "a", -1), Qrel("q1", "a", 0), Qrel("q1", "c", 3)]
    assert len(qrels) == 4
    assert qrels.strata is None


def test_a_chunk_is_the_key_where_there_is_one_and_strata_follow_their_labels():
    qrels = Qrels.from_judgments(
        [Judgment("q1", "d", 1, chunk_id="c"), Judgment("q2", "d", 1, stratum="s"), Judgment("q1", "d", 2, stratum="t")]
    )
    assert qrels.labels == [{"c": 0, "d": 1}, {"d": 2}]
    assert qrels.strata == ["_unstratified", "t", "s"]
    part = qrels.subset(np.array([False, True, True]))
    assert part.query_ids == ["q1", "q2"]
    assert part.labels == [{"d": 0}, {"d": 1}]
    assert part.strata == ["t", "s"]
    assert qrels.subset(np.array([True, True, False])).query_ids == ["q1"]


def test_identical_rows_are_collapsed_and_noted():
    reading = Reading("q.txt")
    labels = [Judgment("q1", "a", 1), Judgment("q1", "a", 1), Judgment("q1", "a", 1)]
    assert len(Qrels.from_judgments(numbered(labels, reading), reading)) == 1
    assert reading.notes["duplicates"].count == 2
    assert reading.notes["duplicates"].first_line == 2


def test_two_grades_for_one_document_are_refused_with_both_lines():
    reading = Reading("q.txt")
    labels = [Judgment("q1", "a", 1), Judgment("q1", "b", 1), Judgment("q1", "a", 0)]
    with pytest.raises(InputError, match=r"q.txt:3: query q1 document a is judged twice, 1 and 0, already on line 1"):
        Qrels.from_judgments(numbered(labels, reading), reading)
    with pytest.raises(InputError, match=r"q.txt:3: .*already on line 1"):
        list(unique(numbered(labels, reading), reading))


def test_subtopics_are_one_label_each_for_conversion_and_no_set_for_scoring():
    labels = [Judgment("q1", "a", 1, iteration="1"), Judgment("q1", "a", 0, iteration="2")]
    assert list(unique(labels, Reading())) == labels
    with pytest.raises(InputError) as caught:
        Qrels.from_judgments(labels)
    assert "subtopic" in (caught.value.hint or "")


@pytest.mark.parametrize("grade", [2**53 + 1, -(2**53) - 1, 10**30])
def test_grades_beyond_a_double_are_refused(grade):
    with pytest.raises(InputError, match="out of range"):
        Qrels.from_judgments([Judgment("q1", "a", grade)])


def test_no_label_is_an_error():
    with pytest.raises(InputError, match="holds no label"):
        Qrels.from_judgments([])


@pytest.mark.parametrize(
    "text",
    [
        "q1 0 a 1\nq1 0 b -2\nq2 0 a 0\n",
        "q1\t0\ta\t1\r\nq1\t0\tb\t3",
        "q1 0 a 1\nq2 0 a 1\nq1 0 b 2\n",  # scattered
        "q1 0 a 1\nq1 0 a 1\n",  # repeated
        "# note\nq1 0 a 1.0\n\nq2 0 é 123456789\n",
        "q1 2 " + "x" * 40 + " 1\nq1 1 é -12345678\n",
    ],
)
def test_labels_as_columns_are_the_labels_one_by_one(text, tmp_path):
    from irbridge.inputs import Input, labels_of

    path = tmp_path / "q.txt"
    path.write_bytes(text.encode())
    fast = labels_of(Input(path, "judgments"))
    source = Input(path, "judgments")
    careful = Qrels.from_judgments(iter(source), source.reading)
    assert list(fast) == list(careful)
    assert fast.offsets.tolist() == careful.offsets.tolist()
    assert list(fast.labels) == list(careful.labels)
    assert fast.labels[-1] == careful.labels[-1]
    assert fast.labels[:1] == careful.labels[:1]


def test_what_is_refused_is_refused_with_its_line_whichever_way_it_is_read(tmp_path):
    from irbridge.inputs import Input, labels_of

    path = tmp_path / "q.txt"
    path.write_text("q1 0 a 1\nq1 0 b 1\nq1 0 a 0\n")
    with pytest.raises(InputError, match=r"q.txt:3: query q1 document a is judged twice, 1 and 0, already on line 1"):
        labels_of(Input(path, "judgments"))
