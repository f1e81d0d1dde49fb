"""Worked by hand on two subtopics: a serves 1 and 2, b serves 1, c serves 2, d neither; the ranking is b, n, a, c."""

from __future__ import annotations

import math

import pytest

import irbridge
from irbridge.errors import InputError
from irbridge.model import Qrel

LOG3, LOG5 = math.log2(3), math.log2(5)
LABELS = [
    Qrel("q", "a", 1, "1"),
    Qrel("q", "a", 2, "2"),
    Qrel("q", "b", 1, "1"),
    Qrel("q", "c", 1, "2"),
    Qrel("q", "d", 0, "1"),
    Qrel("q", "d", 0, "3"),  # a subtopic that nothing serves does not count
]
RUN = {"q": {"b": 9.0, "n": 8.0, "a": 7.0, "c": 6.0}}
# b gains 1 (subtopic 1), a gains 1/2 + 1, c gains 1/2. The best ranking: a (2), then c before b (ids descend): 1/2, 1/2.


@pytest.mark.parametrize(
    "name, expected",
    [
        ("alpha_DCG@4", (1 + 1.5 / 2 + 0.5 / LOG5) / (2 * (1 + 0.5 / LOG3 + 0.25 / 2 + 0.125 / LOG5))),
        ("alpha_nDCG@4", (1 + 1.5 / 2 + 0.5 / LOG5) / (2 + 0.5 / LOG3 + 0.5 / 2)),
        ("alpha_nDCG@1", 1 / 2),
        ("\u03b1_nDCG@4", (1 + 1.5 / 2 + 0.5 / LOG5) / (2 + 0.5 / LOG3 + 0.5 / 2)),
        ("alpha_nDCG(alpha=0)@4", (1 + 2 / 2 + 1 / LOG5) / (2 + 1 / LOG3 + 1 / 2)),
        ("ERR_IA@4", (1 + 1.5 / 3 + 0.5 / 4) / (2 * (1 + 0.5 / 2 + 0.25 / 3 + 0.125 / 4))),
        ("nERR_IA@4", (1 + 1.5 / 3 + 0.5 / 4) / (2 + 0.5 / 2 + 0.5 / 3)),
        ("NRBP", 0.75 / 2 * (1 + 1.5 / 4 + 0.5 / 8)),
        ("nNRBP", (1 + 1.5 / 4 + 0.5 / 8) / (2 + 0.5 / 2 + 0.5 / 4)),
        ("AP_IA", ((1 + 2 / 3) / 2 + (1 / 3 + 2 / 4) / 2) / 2),
        ("P_IA@3", (2 / 3 + 1 / 3) / 2),
        ("P_IA@10", (2 / 10 + 2 / 10) / 2),
        ("StRecall@1", 1 / 2),
        ("StRecall@3", 1.0),
        ("StRecall(rel=2)@3", 1.0),  # only subtopic 2 has a label of grade 2
    ],
)
def test_by_hand(name: str, expected: float) -> None:
    assert irbridge.score(LABELS, RUN, name).aggregates()[name] == pytest.approx(expected, abs=1e-15)


def test_other_measures_see_the_highest_grade_of_a_document() -> None:
    """a has grades 1 and 2: DCG 1 + 2/2 + 1/log2(5)."""
    found = irbridge.score(LABELS, RUN, "StRecall@1 DCG NumRel").aggregates()
    assert found["DCG"] == pytest.approx(1 + 2 / 2 + 1 / LOG5)
    assert found["NumRel"] == 3


def test_labels_without_subtopics_are_refused_by_what_needs_them() -> None:
    """A table that was read without them; as a dict all labels are of one subtopic, which is noted."""
    from irbridge.inputs import qrels_of

    with pytest.raises(InputError, match="NRBP needs labels of subtopics") as error:
        irbridge.score(qrels_of({"q": {"a": 1}}), RUN, "NRBP")
    assert "second column" in (error.value.hint or "")
    assert irbridge.score({"q": {"a": 1}}, RUN, "StRecall@3").aggregates() == {"StRecall@3": 1.0}
