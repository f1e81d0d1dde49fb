"""The files that numbers rest on beside labels and run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import irbridge
from irbridge.corpora import corpus_of
from irbridge.measures.own import Seen
from irbridge.provenance import InputRecord, files_beside, own_files


def second(seen: Seen) -> float:
    return 0.0 if len(seen.grades) < 2 else float(seen.grades[1] or 0)


def test_measures_of_irbridge_s_own_have_no_file() -> None:
    assert own_files(irbridge.parse_measures("AP")[0].family) == ()
    assert list(files_beside(irbridge.parse_measures("AP nDCG@10"), None, digest=True)) == []


def test_a_function_s_file_once_for_all_its_measures() -> None:
    own = irbridge.own_measure(second, "Second", "the grade of the second document")
    measures = irbridge.parse_measures([own @ 5, own @ 10, "AP"])
    digest = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    assert list(files_beside(measures, None, digest=True)) == [InputRecord("measures", __file__, "python", digest)]
    assert [each.sha256 for each in files_beside(measures, None, digest=False)] == [None]


def test_lengths_are_an_input_of_budgets_alone(tmp_path: Path) -> None:
    path = tmp_path / "lengths.tsv"
    path.write_text("a\t1\n")
    assert list(files_beside(irbridge.parse_measures("P@5"), path, digest=True)) == []
    budget = irbridge.parse_measures("P@5tok")
    digest = hashlib.sha256(b"a\t1\n").hexdigest()
    assert list(files_beside(budget, path, digest=True)) == [InputRecord("lengths", str(path), "lengths", digest)]
    assert list(files_beside(budget, {"a": 1}, digest=True)) == [InputRecord("lengths", "the program", "lengths", None)]


def test_the_corpus_is_an_input_where_a_budget_is_counted_in_it(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"_id": "a", "text": "one"}\n')
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    corpus, budget = corpus_of(path), irbridge.parse_measures("P@5tok")
    assert list(files_beside(budget, None, corpus, digest=True)) == [
        InputRecord("corpus", str(path), "documents", digest)
    ]
    assert list(files_beside(irbridge.parse_measures("P@5"), None, corpus, digest=True)) == []
    assert [each.role for each in files_beside(budget, {"a": 1}, corpus, digest=True)] == ["lengths"]
