"""What irbridge reads by id equals what ir_datasets itself iterates, and the counts of its metadata."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irbridge import catalogue
from irbridge.errors import InputError, MissingDependency
from irbridge.formats.irds import FORMAT
from irbridge.integrations.irds import to_irds
from irbridge.load import datasets, load_collection
from irbridge.reading import Reading

ir_datasets = pytest.importorskip("ir_datasets")

pytestmark = [
    # ir_datasets leaves files open here and there, for the garbage collector to close.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

WHOLE = ["cranfield", "vaswani", "beir/scifact/train", "beir/scifact/test", "miracl/yo/dev"]

# The home that the tests copy has 56 of the 200 queries of these two (its README): those that matter, with all labels.
FEWER_QUERIES = {"msmarco-passage/trec-dl-2019": 56, "msmarco-document/trec-dl-2019": 56}
# Their labels are there, their 25,000 to 100,000 queries are not.
NO_QUERIES = {"gov2/trec-tb-2005/efficiency", "gov2/trec-tb-2006/efficiency", "gov2/trec-tb-2006/efficiency/stream3"}


def read(part: str, name: str, reading: Reading | None = None) -> Iterator[Any]:
    found: Iterator[Any] = getattr(FORMAT, f"read_{part}")(name, reading or Reading())
    return found


@pytest.mark.parametrize("name", WHOLE)
def test_every_row_of_a_whole_collection(irds_home: Path, name: str) -> None:
    dataset = ir_datasets.load(name)
    queries = {query.query_id: query.default_text() for query in dataset.queries_iter()}
    assert [tuple(query[:2]) for query in read("queries", name)] == list(queries.items())

    labels = list(read("judgments", name))
    theirs = list(dataset.qrels_iter())
    assert [(one.query_id, one.doc_uri, one.relevance, one.iteration) for one in labels] == [
        tuple(one) for one in theirs
    ]
    assert [one.query for one in labels] == [queries[one.query_id] for one in theirs]

    documents = 0
    for ours, original in zip(read("documents", name), dataset.docs_iter(), strict=True):
        assert ours.doc_id == original.doc_id
        assert (ours.text if ours.title is None else f"{ours.title} {ours.text}") == original.default_text()
        kept = {**ours.fields, "title": ours.title, "text": ours.text, "doc_id": ours.doc_id}
        for field, value in original._asdict().items():
            assert kept[field] == value
        documents += 1
    counts = (dataset.docs_metadata(), dataset.queries_metadata(), dataset.qrels_metadata())
    assert [count["count"] for count in counts] == [documents, len(queries), len(labels)]


def test_every_id_either_gives_the_counts_of_the_metadata_or_says_what_is_missing(irds_home: Path) -> None:
    """All ids of the registry that have labels, as if somebody went through them without a network."""
    served: dict[str, tuple[int, int | None]] = {}
    speechless = []
    for name in [
        name for name in catalogue.ids() if catalogue.has(name, "judgments") and not name.startswith("local/")
    ]:
        reading = Reading()
        try:
            rows = sum(1 for _ in read("judgments", name, reading))
            queries = None if "no-queries" in reading.notes else sum(1 for _ in read("queries", name))
            served[name] = rows, queries
        except MissingDependency:
            continue
        except InputError as error:
            if "not on this machine" not in error.message or error.hint is None:
                speechless.append((name, error.lines()))
    assert speechless == []

    expected = {}
    for name in served:
        dataset = ir_datasets.registry[name]
        queries = FEWER_QUERIES.get(name, dataset.queries_metadata().get("count"))
        expected[name] = dataset.qrels_metadata()["count"], None if name in NO_QUERIES else queries
    assert served == expected
    # The README of the home speaks of 79 ids beside the whole collections; it does not count these three.
    assert len(served) == len(WHOLE) + 79 + len(NO_QUERIES)


@pytest.mark.parametrize(
    "name", ["cord19/trec-covid", "codec", "hc4/fa/test", "trec-cast/v0/train", "clueweb09/en/trec-web-2012"]
)
def test_every_row_of_other_label_sets(irds_home: Path, name: str) -> None:
    ours = [(one.query_id, one.doc_uri, one.relevance, one.iteration) for one in read("judgments", name)]
    assert ours == [tuple(one) for one in ir_datasets.load(name).qrels_iter()]


def test_the_catalogue_has_the_counts_of_the_metadata() -> None:
    found = {entry.id: entry for entry in datasets()}
    for name in ir_datasets.registry:
        if name.startswith("local/"):
            continue
        dataset = ir_datasets.registry[name]
        counts = [
            getattr(dataset, f"{entity}_metadata")().get("count") if dataset.has(entity) else None
            for entity in ("docs", "queries", "qrels")
        ]
        assert list(found[name][1:4]) == counts


# ---------------------------------------------------------------------------------------------------------- and back


@pytest.fixture(scope="module")
def scifact(irds_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("loaded") / "scifact"
    load_collection("irds:beir/scifact/test", out)
    return out


def test_a_loaded_collection_is_the_same_dataset_again(scifact: Path) -> None:
    """ir_datasets -> folder -> ir_datasets."""
    there = ir_datasets.load("beir/scifact/test")
    back = to_irds(scifact, "local/differential-scifact")
    assert ir_datasets.load("local/differential-scifact") is back
    assert list(back.qrels_iter()) == list(there.qrels_iter())
    assert list(back.queries_iter()) == list(there.queries_iter())
    assert [(one.doc_id, one.title, one.text, one.default_text()) for one in back.docs_iter()] == [
        (one.doc_id, one.title, one.text, one.default_text()) for one in there.docs_iter()
    ]
    assert (back.docs_count(), back.queries_count(), back.qrels_count()) == (5183, 300, 339)
    ids = [one.doc_id for one in there.docs_iter()[1000:1010]]
    assert {key: one.text for key, one in back.docs_store().get_many(ids).items()} == {
        key: one.text for key, one in there.docs_store().get_many(ids).items()
    }


def test_the_shared_beir_folder_holds_the_same_collection(scifact: Path, shared: Path) -> None:
    back = to_irds(scifact, None)
    beir = to_irds(shared / "data" / "beir" / "scifact", None)
    assert list(back.qrels_iter()) == list(beir.qrels_iter())
    judged = back.queries_dict()
    assert {key: one for key, one in beir.queries_dict().items() if key in judged} == judged
    texts = [(one.doc_id, one.default_text()) for one in back.docs_iter()]
    assert texts == [(one.doc_id, one.default_text()) for one in beir.docs_iter()]


def test_ir_measures_scores_it_like_the_original(scifact: Path) -> None:
    import ir_measures
    from ir_measures import AP, RR, P, nDCG

    there = ir_datasets.load("beir/scifact/test")
    # A run that finds the right document at rank 1, 2, 3, ... or not at all.
    run: dict[str, dict[str, float]] = {}
    others = [one.doc_id for one in there.docs_iter()[:20]]
    for position, qrel in enumerate(there.qrels_iter()):
        found = others[: position % 12] + ([qrel.doc_id] if position % 12 < 11 else []) + others[12:]
        run.setdefault(qrel.query_id, {doc_id: float(-rank) for rank, doc_id in enumerate(dict.fromkeys(found))})
    back = to_irds(scifact, "local/differential-run", run=run)
    measures = [nDCG @ 10, AP, RR, P @ 5]
    expected = ir_measures.calc_aggregate(measures, there.qrels_iter(), run)
    assert ir_measures.calc_aggregate(measures, back.qrels_iter(), back.scoreddocs_iter()) == expected
    assert 0 < expected[RR] < 1


def test_a_beir_like_consumer_gets_what_it_wants(scifact: Path) -> None:
    """Dicts of dicts, as BEIR's retrievers and pytrec_eval take them."""
    back = to_irds(scifact, None)
    corpus = {one.doc_id: {"title": one.title, "text": one.text} for one in back.docs}
    queries = {one.query_id: one.text for one in back.queries}
    qrels = back.qrels.asdict()
    assert set(qrels) == set(queries)
    assert {doc_id for own in qrels.values() for doc_id in own} <= set(corpus)
    assert (len(back.docs), len(back.queries)) == (5183, 300)
    assert back.docs.lookup("4983").doc_id == "4983"


def test_the_manifest_has_what_ir_datasets_documents(irds_home: Path, tmp_path: Path) -> None:
    load_collection("irds:msmarco-passage/trec-dl-2019/judged", tmp_path / "dl19", without_documents=True)
    manifest = json.loads((tmp_path / "dl19" / "manifest.json").read_text())
    dataset = ir_datasets.load("msmarco-passage/trec-dl-2019/judged")
    assert {int(grade): text for grade, text in manifest["levels"].items()} == dataset.qrels_defs()
    counts = dataset.qrels_metadata()["fields"]["relevance"]["counts_by_value"]
    assert manifest["grades"] == {str(grade): count for grade, count in counts.items()}
    assert (
        manifest["official_measures"]
        == dataset.documentation()["official_measures"]
        == ["nDCG@10", "RR(rel=2)", "AP(rel=2)"]
    )
    assert manifest["bibtex_ids"] == dataset.documentation()["bibtex_ids"]
    assert manifest["source"]["version"] == ir_datasets.__version__
    assert "MSMARCO data usage agreement found at http" in manifest["licence"]
