from __future__ import annotations

import gc
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from irbridge.api import load
from irbridge.errors import InputError, UsageError
from irbridge.integrations.irds import to_irds
from irbridge.load import load_collection
from irbridge.model import Judgment, Ranking

ir_datasets = pytest.importorskip("ir_datasets")

HEADER = "query-id\tcorpus-id\tscore\n"
RUN = {"q1": {"d1": 2.0, "d2": 1.5}, "q2": {"d2": 1.0}}


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    made = tmp_path / "tiny"
    (made / "qrels").mkdir(parents=True)
    (made / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "One", "text": "first", "metadata": {"n": 1}}\n'
        '{"_id": "d2", "title": null, "text": "second"}\n{"_id": "d3", "text": "third"}\n'
    )
    (made / "queries.jsonl").write_text('{"_id": "q1", "text": "who?"}\n{"_id": "q2", "text": "why?"}\n')
    (made / "qrels" / "test.tsv").write_text(HEADER + "q1\td1\t2\nq1\td2\t-1\nq1\td1\t2\n")
    (made / "qrels" / "dev.tsv").write_text(HEADER + "q2\td2\t1\n")
    return made


class TestParts:
    def test_a_beir_folder_has_docs_queries_and_qrels(self, beir: Path) -> None:
        found = to_irds(beir, None)
        assert [found.has(entity) for entity in ("docs", "queries", "qrels", "scoreddocs", "docpairs")] == [
            True,
            True,
            True,
            False,
            False,
        ]
        assert [tuple(qrel) for qrel in found.qrels_iter()] == [("q1", "d1", 2, "0"), ("q1", "d2", -1, "0")]
        assert [type(row).__name__ for row in (*found.qrels_iter(), *found.queries_iter())] == ["TrecQrel"] * 2 + [
            "GenericQuery"
        ] * 2
        assert [(one.doc_id, one.default_text()) for one in found.docs_iter()] == [
            ("d1", "One first"),
            ("d2", "second"),
            ("d3", "third"),
        ]
        assert next(iter(found.docs)).metadata == {"metadata": {"n": 1}}

    def test_another_split(self, beir: Path) -> None:
        assert [qrel.query_id for qrel in to_irds(beir, None, split="dev").qrels_iter()] == ["q2"]
        assert [qrel.query_id for qrel in to_irds(beir, None, split="*").qrels_iter()] == ["q2", "q1", "q1"]

    def test_a_loaded_collection_brings_its_levels(self, beir: Path, tmp_path: Path, irds_home: Path) -> None:
        load_collection("irds:vaswani", tmp_path / "vaswani", without_documents=True)
        found = to_irds(tmp_path / "vaswani", None)
        assert not found.has("docs")
        assert found.qrels_defs() == ir_datasets.load("vaswani").qrels_defs() != {}
        assert found.qrels_count() == 2083

    def test_labels_alone_bring_their_queries(self, tmp_path: Path) -> None:
        labels = [Judgment("q", "d", 1, query="who?"), Judgment("p", "d", 0, chunk_id="c1:0", iteration="2")]
        found = to_irds(labels, None)
        assert not found.has("docs")
        assert found.queries_dict() == {"q": ("q", "who?")}
        assert [tuple(qrel) for qrel in found.qrels_iter()] == [("q", "d", 1, "0"), ("p", "c1:0", 0, "2")]
        assert not to_irds([Judgment("q", "d", 1)], None).has("queries")

    @pytest.mark.parametrize("wrap", [lambda given: given, load])
    def test_a_generator_is_read_as_often_as_a_list(self, wrap: Any) -> None:
        labels = [Judgment("q", "d", 1, query="who?"), Judgment("p", "d", 0)]
        found = to_irds(wrap(label for label in labels), None, run=(Ranking(q, ["d"]) for q in "qp"))
        for _ in range(2):
            assert [tuple(qrel) for qrel in found.qrels_iter()] == [("q", "d", 1, "0"), ("p", "d", 0, "0")]
            assert [tuple(query) for query in found.queries_iter()] == [("q", "who?")]
            assert [tuple(row) for row in found.scoreddocs_iter()] == [("q", "d", 1.0), ("p", "d", 1.0)]

    def test_a_run_becomes_scoreddocs(self, beir: Path, tmp_path: Path) -> None:
        expected = [("q1", "d1", 2.0), ("q1", "d2", 1.5), ("q2", "d2", 1.0)]
        (tmp_path / "my.run").write_text(
            "".join(f"{query} Q0 {document} 1 {score} x\n" for query, document, score in expected)
        )
        for run in (RUN, tmp_path / "my.run"):
            found = to_irds(beir, None, run=run)
            assert [tuple(row) for row in found.scoreddocs_iter()] == expected
            assert found.scoreddocs_count() == 3

    def test_a_run_without_scores_gets_falling_ones(self, beir: Path) -> None:
        found = to_irds(beir, None, run=[Ranking("q1", ["d2", "d1"])])
        assert [tuple(row) for row in found.scoreddocs_iter()] == [("q1", "d2", 2.0), ("q1", "d1", 1.0)]

    def test_records_are_read_anew_each_time(self, beir: Path) -> None:
        found = to_irds(beir, None, run=RUN)
        for iterate in (found.docs_iter, found.queries_iter, found.qrels_iter, found.scoreddocs_iter):
            assert list(iterate()) == list(iterate()) != []

    def test_contradicting_labels_are_refused_when_they_are_read(self, beir: Path) -> None:
        (beir / "qrels" / "test.tsv").write_text(HEADER + "q1\td1\t2\nq1\td1\t1\n")
        with pytest.raises(InputError, match="judged twice"):
            list(to_irds(beir, None).qrels_iter())


class TestDocuments:
    def test_a_range_and_one_by_position(self, beir: Path) -> None:
        found = to_irds(beir, None)
        ids = ["d1", "d2", "d3"]
        for key in (slice(1), slice(1, None), slice(-2, None), slice(None, None, 2), slice(5, 9), slice(1, -1)):
            assert [one.doc_id for one in found.docs_iter()[key]] == ids[key]
        assert [one.doc_id for one in found.docs_iter()[1:][1:]] == ["d3"]
        assert [found.docs_iter()[position].doc_id for position in (0, 2, -1)] == ["d1", "d3", "d3"]
        with pytest.raises(IndexError):
            found.docs_iter()[3]
        with pytest.raises(ValueError, match="positive"):
            found.docs_iter()[::-1]

    def test_they_can_be_looked_up(self, beir: Path) -> None:
        found = to_irds(beir, None)
        store = found.docs_store()
        assert store.get("d2").text == "second"
        assert {key: one.title for key, one in store.get_many(["d1", "d3", "zz"]).items()} == {"d1": "One", "d3": ""}
        assert found.docs.lookup("d1").default_text() == "One first"
        with pytest.raises(KeyError):
            store.get("zz")
        assert (found.docs_count(), len(found.docs), store.count()) == (3, 3, 3)

    def test_nothing_is_written_beside_the_source_and_nothing_stays(
        self, beir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(scratch))
        before = sorted(os.fspath(path) for path in beir.rglob("*"))
        found = to_irds(beir, None)
        assert found.docs_store().get("d1").title == "One"
        assert len(list(scratch.iterdir())) == 1
        assert sorted(os.fspath(path) for path in beir.rglob("*")) == before
        del found
        gc.collect()
        assert list(scratch.iterdir()) == []


class TestRegistration:
    def test_it_is_found_under_its_name(self, beir: Path) -> None:
        found = to_irds(beir, "local/unit-named", run=RUN)
        assert ir_datasets.load("local/unit-named") is found
        assert found.dataset_id() == "local/unit-named"
        assert (found.queries_count(), found.qrels_count(), found.docs_count(), found.scoreddocs_count()) == (
            2,
            2,
            3,
            3,
        )

    def test_our_own_name_is_given_anew_and_no_other(self, beir: Path) -> None:
        to_irds(beir, "local/unit-again")
        found = to_irds(beir, "local/unit-again", split="dev")
        assert ir_datasets.load("local/unit-again") is found
        with pytest.raises(UsageError, match="is taken by another collection"):
            to_irds(beir, "cranfield")

    def test_what_was_registered_is_an_id_like_any_other(self, beir: Path) -> None:
        """ir_datasets' registry, seen through `irds:`."""
        from irbridge.formats.irds import FORMAT
        from irbridge.reading import Reading

        to_irds(beir, "local/unit-through", run=RUN)
        assert FORMAT.read_judgments is not None
        assert FORMAT.read_documents is not None
        labels = list(FORMAT.read_judgments("local/unit-through", Reading()))
        assert labels == [Judgment("q1", "d1", 2, "who?"), Judgment("q1", "d2", -1, "who?")]
        documents = list(FORMAT.read_documents("local/unit-through", Reading()))
        assert [(one.title, one.text) for one in documents] == [("One", "first"), (None, "second"), (None, "third")]


class TestRefusals:
    @pytest.mark.parametrize("what", [{"a": 1}, 3])
    def test_what_is_no_collection(self, what: Any) -> None:
        with pytest.raises((InputError, UsageError)):
            to_irds(what, None)

    def test_a_path_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such file"):
            to_irds(tmp_path / "nothing", None)

    def test_a_run_that_is_none(self, beir: Path) -> None:
        with pytest.raises((InputError, UsageError)):
            to_irds(beir, None, run=beir / "queries.jsonl")
