from __future__ import annotations

import numpy as np
import pytest

from irbridge.errors import InputError
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.subtopics import subtopic_qrels


def label(query_id: str, doc_id: str, grade: int, topic: str, stratum: str | None = None) -> Judgment:
    return Judgment(query_id, doc_id, grade, iteration=topic, stratum=stratum)


LABELS = [
    label("x", "a", 1, "1"),
    label("x", "b", 0, "1"),
    label("y", "a", 1, "2"),
    label("x", "a", 2, "2"),  # x's labels are apart
]


def test_one_label_a_document_with_its_highest_grade() -> None:
    qrels = subtopic_qrels(LABELS)
    assert qrels.query_ids == ["x", "y"]
    assert [dict(own) for own in qrels.labels] == [{"a": 0, "b": 1}, {"a": 2}]
    assert qrels.grades.tolist() == [2, 0, 1]
    assert qrels.subtopics is not None
    assert list(qrels.subtopics.rows()) == [(0, 0, 1), (0, 1, 2), (1, 0, 0), (2, 1, 1)]


def test_a_subset_keeps_its_subtopics() -> None:
    part = subtopic_qrels(LABELS).subset(np.array([True, False, True]))
    assert part.subtopics is not None
    assert list(part.subtopics.rows()) == [(0, 0, 1), (0, 1, 2), (1, 1, 1)]


def test_a_label_of_one_subtopic_twice() -> None:
    reading = Reading("qrels")
    assert len(subtopic_qrels([*LABELS, LABELS[0]], reading)) == 3
    with pytest.raises(InputError, match="judged twice, 1 and 3"):
        subtopic_qrels([*LABELS, label("x", "a", 3, "1")])


def test_one_subtopic_is_noted() -> None:
    reading = Reading("qrels")
    subtopic_qrels([label("x", "a", 1, "0")], reading)
    assert list(reading.notes) == ["one-subtopic"]


def test_the_digest_tells_subtopics_apart() -> None:
    one = subtopic_qrels([label("x", "a", 1, "1"), label("x", "b", 1, "2")])
    other = subtopic_qrels([label("x", "a", 1, "1"), label("x", "b", 1, "1"), label("y", "c", 0, "2")])
    same = subtopic_qrels([label("x", "a", 1, "1"), label("x", "b", 1, "2")])
    assert one.sha256() == same.sha256() != other.sha256()


def test_the_digest_tells_preferences_apart() -> None:
    def digest(level: float, subgroup: str = "1") -> str:
        extra = {"judgment_subgroup": subgroup, "preference_level": level}
        labels = [label("x", "a", 1, "1"), label("x", "b", 1, "1")]
        return subtopic_qrels(
            [labels[0]._replace(extra=extra), labels[1]._replace(extra={**extra, "preference_level": 1})]
        ).sha256()

    assert digest(2.0) == digest(2.0) != digest(0.5)
