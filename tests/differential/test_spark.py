"""What Spark's jobs give, in local mode, against what the local functions give of the same real data: equal, to the bit."""

from __future__ import annotations

import math
import os
import random
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import irbridge
from irbridge.engines import spark
from irbridge.errors import InputError, IrbridgeError, UsageError
from irbridge.model import Chunk, Judgment

pytestmark = [
    pytest.mark.may_skip("Spark needs Java, which is not everywhere"),
    # Spark's own: of sockets that it leaves open, and of releases of pandas newer than itself.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning", "ignore::DeprecationWarning"),
]

CHUNK = "chunk_id string, doc_uri string, doc_revision string, ordinal int, text string, text_sha string, start int, end int"
RUN = "query_id string, doc_id string, score double"


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Spark with two threads, small and silent, and without a look at the network."""
    pytest.importorskip("pyspark")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("there is no Java")
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]").appName("tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # The workers run what runs here, not what the system calls python3.
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
        found = builder.getOrCreate()
        found.sparkContext.setLogLevel("OFF")
        yield found
        found.stop()


def frame(session: Any, rows: Any, schema: str, parts: int = 3, seed: int = 0) -> Any:
    """Rows in a frame, in no order and in several partitions."""
    shuffled = random.Random(seed).sample(list(rows), len(rows))
    return session.createDataFrame(shuffled, schema).repartition(parts)


def chunk_frame(session: Any, chunks: list[Chunk], **options: Any) -> Any:
    return frame(session, [chunk[:8] for chunk in chunks], CHUNK, **options)


def in_order(chunks: Any) -> list[Chunk]:
    return sorted(chunks, key=lambda chunk: (chunk.doc_uri, chunk.ordinal, chunk.chunk_id))


# ---------------------------------------------------------------------------------------------------------------- chunks


@pytest.mark.parametrize(
    "name, by", [("irds:cranfield", "whole/1"), ("irds:vaswani", "fixed/200/20"), ("scifact", "recursive/512/64")]
)
def test_chunks_of_a_collection(session, shared, irds_home, name, by):
    collection = str(shared / "data" / "beir" / name) if name == "scifact" else name
    documents = [(each.doc_id, each.text, each.title) for each in irbridge.load(collection, "documents")]
    there = spark.chunk_documents(frame(session, documents, "doc_id string, text string, title string"), by)
    here = [chunk[:8] for chunk in irbridge.corpus_of(collection, by)]
    assert there.columns == list(Chunk._fields[:8])
    assert sorted(map(tuple, there.collect())) == sorted(here)
    assert len(here) > 1000


def test_names_for_other_peoples_chunks(session, shared):
    chunks = list(irbridge.corpus_of(str(shared / "data" / "beir" / "scifact"), "recursive/512/64"))[:500]
    rows = chunk_frame(session, chunks).drop("chunk_id")
    stamped = spark.stamp(rows.withColumn("mine", rows.start + 1), "recursive/512/64").collect()
    assert {row.chunk_id: row.mine for row in stamped} == {chunk.chunk_id: chunk.start + 1 for chunk in chunks}
    bare = spark.stamp(rows.select("text", "ordinal", "doc_uri"), "ours", "r7").collect()
    assert sorted(map(tuple, bare)) == sorted(
        (each.text, each.ordinal, each.doc_uri, irbridge.chunk_id(each.doc_uri, "r7", each.ordinal, each.text, "ours"),
         each.text_sha, "r7")
        for each in chunks
    )  # fmt: skip


def test_ids_that_are_numbers_become_text(session):
    rows = session.createDataFrame([(7, "one two")], "id int, text string")
    assert [(row.doc_uri, row.text) for row in spark.chunk_documents(rows, "whole/1").collect()] == [("7", "one two")]


# ---------------------------------------------------------------------------------------------------------------- scores


def run_rows(path: Path) -> list[tuple[str, str, float, int]]:
    return [
        (ranking.query_id, doc_id, float(score), rank)
        for ranking in irbridge.load(str(path), "run")
        for rank, (doc_id, score) in enumerate(zip(ranking.doc_ids, ranking.scores, strict=True), 1)
    ]


def assert_same(there: spark.Scored, here: irbridge.Scores) -> None:
    assert list(there.scores.per_query()) == list(here.per_query())
    assert there.scores.aggregates() == here.aggregates()
    assert there.scores.convention == here.convention
    mine, theirs = there.scores.coverage._asdict(), here.coverage._asdict()
    assert {**mine, "repeated": set(mine["repeated"]), "contradicting": set(mine["contradicting"])} == {
        **theirs, "repeated": set(theirs["repeated"]), "contradicting": set(theirs["contradicting"])
    }  # fmt: skip
    assert sorted(map(tuple, there.per_query.collect())) == sorted(here.per_query())
    assert {row.measure: row.value for row in there.means.collect()} == here.aggregates()


def test_scores_under_several_conventions(session, shared):
    folder = shared / "data" / "trec" / "dl-hard"
    qrels, run = str(folder / "dl_hard-passage.qrels"), folder / "passage" / "bm25.run"
    rows = frame(session, run_rows(run), f"{RUN}, rank int").cache()
    for measures, knobs in [
        ("nDCG@10 AP(rel=2) RR@10 Judged@10 Bpref infAP Hole@10 RBP", {}),
        ("map ndcg gm_map num_q num_ret", {"convention": "trec_eval-9"}),
        ("nDCG@10 P@5", {"tied": "expected"}),
        ("ndcg@10 recall@10 mrr@10", {}),  # as given: by the column rank
        ("AP nDCG@20", {"ties": "docid-asc", "missing": "skip", "depth": 20, "rel": 2, "gain": {1: 3}}),
    ]:
        assert_same(spark.score(qrels, rows, measures, **knobs), irbridge.score(qrels, str(run), measures, **knobs))


def test_scores_against_labels_in_a_frame(session, shared):
    folder = shared / "data" / "trec" / "web2012"
    qrels = [
        (each.query_id, each.key, each.relevance) for each in irbridge.load(str(folder / "qrels.web.151-200.adhoc.txt"))
    ]
    run = min((folder / "runs").iterdir())
    # Negative grades; a query fewer, and one that nobody judged.
    rows = [row for row in run_rows(run) if row[0] != "151"] + [("9999", "d", 1.0, 1)]
    labels = frame(session, qrels, "query_id string, doc_id string, relevance int", parts=1, seed=1)
    there = spark.score(labels, frame(session, rows, f"{RUN}, rank int").drop("rank"), "nDCG@20 AP ERR@20 P@5")
    held: dict[str, dict[str, float]] = {}
    for query_id, doc_id, score, _ in rows:
        held.setdefault(query_id, {})[doc_id] = score
    here = irbridge.score(_as_dicts(qrels, labels), held, "nDCG@20 AP ERR@20 P@5")
    assert_same(there, here)
    assert (there.scores.coverage.missing, there.scores.coverage.extra) == (["151"], 1)


def _as_dicts(qrels: list[tuple[str, str, int]], labels: Any) -> dict[str, dict[str, int]]:
    """The labels in the order of the frame, which decides the order of queries."""
    found: dict[str, dict[str, int]] = {}
    for row in labels.collect():
        found.setdefault(row.query_id, {})[row.doc_id] = row.relevance
    assert sum(map(len, found.values())) == len(qrels)
    return found


def test_a_run_of_ranks_alone(session):
    rows = session.createDataFrame([("1", 3, 2), ("1", 9, 1), ("2", 4, 1)], "qid string, docno int, rank int")
    # By hand: document 3 stands second for query 1; query 2 finds nothing.
    there = spark.score({"1": {"3": 1}, "2": {"7": 1}}, rows, "RR")
    assert sorted(map(tuple, there.per_query.collect())) == [("1", "RR", 0.5), ("2", "RR", 0.0)]
    assert [tuple(row) for row in there.means.collect()] == [("RR", 0.25)]


# ----------------------------------------------------------------------------------------------------------------- drift


def labels_of(chance: random.Random, old: list[Chunk], live: list[Chunk]) -> list[Judgment]:
    """Labels of chunks that were, with everything that labels may lack, and some that are still true."""
    labels = []
    for number, chunk in enumerate(old):
        label = Judgment(
            f"q{number % 90}", chunk.doc_uri, number % 3, chunk_id=chunk.chunk_id, text_sha=chunk.text_sha,
            chunk_text=chunk.text, corpus_fingerprint="old", stratum="ab"[number % 2],
        )  # fmt: skip
        if number % 7 == 0:
            label = label._replace(doc_uri=f"gone-{number % 50}")
        if number % 11 == 0:
            label = label._replace(chunk_id=None)
        if number % 13 == 0:
            label = label._replace(chunk_text=None)
        if number % 5 == 0:
            words = (label.chunk_text or "").split(" ")
            label = label._replace(chunk_text=" ".join(words[:9] + words[10:]), text_sha=None)
        if number % 17 == 0:
            place = {"span": {"start": chunk.start, "end": chunk.end}, "doc_revision": chunk.doc_revision}
            label = label._replace(extra=place)
        labels.append(label)
    picked = chance.sample(live, min(40, len(live)))
    return labels + [Judgment("q", each.doc_uri, 1, chunk_id=each.chunk_id, chunk_text=each.text) for each in picked]


def assert_same_drift(there: spark.Drifted, here: Any) -> None:
    mine, theirs = there.inspected.drift, here.drift
    assert [found for found, known in zip(mine.findings, theirs.findings, strict=True) if found != known] == []
    assert mine.summary == theirs.summary
    assert (mine.per_stratum, mine.untold) == (theirs.per_stratum, theirs.untold)
    assert there.inspected.repair == here.repair
    rows = there.findings.orderBy("label").collect()
    assert [(row.label, row.status, row.reanchor_to) for row in rows] == [
        (number, found.status, found.reanchor_to) for number, found in enumerate(theirs.findings)
    ]


@pytest.mark.parametrize("bare", [False, True], ids=["", "without digests and places"])
def test_drift_of_a_collection(session, shared, bare):
    collection = str(shared / "data" / "beir" / "scifact")
    chance = random.Random(1)
    old = chance.sample(list(irbridge.corpus_of(collection, "recursive/400")), 600)
    live = in_order(irbridge.corpus_of(collection, "recursive/512/64"))
    labels = labels_of(chance, old, live)
    chunks = chunk_frame(session, live)
    if bare:
        live = [chunk._replace(text_sha=None, start=None, end=None) for chunk in live]
        chunks = chunks.drop("text_sha", "start", "end")
    here, there = irbridge.drift(labels, live), spark.drift(labels, chunks)
    summary = here.drift.summary
    assert min(summary.valid, summary.re_anchorable, summary.merged, summary.orphaned) > 20  # the test sees all of them
    assert {"shifted", "edited", "moved"} <= set(summary.by_evidence)
    assert_same_drift(there, here)


def test_drift_of_long_documents_in_the_order_of_a_column(session, shared):
    folder = shared / "data" / "spans" / "chunking-evaluation" / "corpora"
    texts = {path.stem: path.read_text(encoding="utf-8")[:150_000] for path in sorted(folder.glob("*.md"))}
    texts["copy"] = texts["wikitexts"]  # equal texts in two documents: the order says which
    cut = [irbridge.chunker(spec) for spec in ("recursive/400/50", "sentence/1")]
    old, live = ([row for name, text in texts.items() for row in irbridge.chunks(name, text, by)] for by in cut)
    chance = random.Random(2)
    chance.shuffle(live)  # documents in pieces all over the corpus
    labels = labels_of(chance, chance.sample(old, 500), live)
    rows = [(*chunk[:8], place) for place, chunk in enumerate(live)]
    chunks = frame(session, rows, f"{CHUNK}, line bigint", seed=3)
    here = irbridge.drift(labels, live)
    assert here.drift.summary.split > 20
    assert_same_drift(spark.drift(labels, chunks, place="line"), here)


# ---------------------------------------------------------------------------------------------------------------- errors


def refused(call: Any) -> list[str]:
    with pytest.raises(IrbridgeError) as caught:
        call()
    assert "java" not in str(caught.value).lower()
    return caught.value.lines()


def test_rows_of_a_run_that_cannot_be_used(session):
    rows = session.createDataFrame([("q", "a", 1.0), ("q", "b", math.nan)], RUN).coalesce(1)
    (line,) = refused(lambda: spark.score({"q": {"a": 1}}, rows, "AP"))
    assert line.startswith("run, partition ")
    assert line.endswith("query q, document b: the score is not a number (NaN)")


def test_a_ranking_that_a_convention_refuses(session):
    rows = session.createDataFrame([("q", "a", 1.0), ("q", "a", 0.5)], RUN)
    message, way_out = refused(lambda: spark.score({"q": {"a": 1}}, rows, "AP"))
    assert message.endswith("query q has document a twice in its ranking")
    assert way_out == "try  remove one, or --duplicates first counts the better one"


def test_no_query_in_common(session):
    rows = session.createDataFrame([("other", "a", 1.0)], RUN)
    assert refused(lambda: spark.score({"q": {"a": 1}}, rows, "AP"))[0] == (
        "run: no query in common: the judgments have q; the run has other"
    )


def test_an_order_that_a_frame_does_not_have(session):
    rows = session.createDataFrame([("q", "a", 1.0)], RUN)
    with pytest.raises(UsageError, match="rows of a DataFrame have no order"):
        spark.score({"q": {"a": 1}}, rows, "AP", ties="given")
    with pytest.raises(UsageError, match="counts the last of repeated rows, and rows of a DataFrame have no order"):
        spark.score({"q": {"a": 1}}, rows, "AP", duplicates="last")


def test_columns_that_are_not_there(session):
    rows = session.createDataFrame([("a", "b")], "name string, body string")
    for call, message in [
        (
            lambda: spark.chunk_documents(rows, "whole/1"),
            "documents: has no column for the document id; its columns are",
        ),
        (lambda: spark.stamp(rows, "ours/1"), "chunks: has no column for the doc_uri"),
        (lambda: spark.drift([Judgment("q", "d", 1)], rows), "chunks: has no column for the chunk_id"),
        (lambda: spark.score({"q": {"a": 1}}, rows), "run: has no column for the query id"),
    ]:
        assert refused(call)[0].startswith(message)
    with pytest.raises(UsageError, match="must be a DataFrame of Spark's, not a list"):
        spark.chunk_documents([], "whole/1")


def test_what_a_lazy_frame_refuses_when_it_is_computed(session):
    rows = session.createDataFrame([("d1", "r", 0, "one", None), ("d2", "r", 1, "two", "t1:no")],
                                   "doc_uri string, doc_revision string, ordinal int, text string, text_sha string")  # fmt: skip
    stamped = spark.stamp(rows.coalesce(1), "ours/1")

    def written() -> None:
        with spark.plain_errors():
            stamped.collect()

    lines = refused(written)
    assert lines[0].endswith("document d2, ordinal 1: text_sha is t1:no, which is not that of the text")
    assert lines[1] == "try  each row has doc_uri, ordinal, text, doc_revision"


def test_a_chunk_that_is_none(session):
    rows = session.createDataFrame([("c", "d", -1)], "chunk_id string, doc_uri string, ordinal int")
    (message, _) = refused(lambda: spark.drift([Judgment("q", "d", 1, chunk_id="c")], rows))
    assert message.endswith("document d, chunk c: ordinal must be an integer >= 0, not -1")


def test_what_spark_itself_refuses(session):
    def failing() -> None:
        with spark.plain_errors():
            session.sql("select nothing from nowhere").collect()

    assert refused(failing)[0].startswith("Spark failed: [TABLE_OR_VIEW_NOT_FOUND]")


def test_an_error_is_one_of_ours_by_class(session):
    rows = session.createDataFrame([(None, "x")], "doc_id string, text string")
    with pytest.raises(InputError, match="the document id is missing"), spark.plain_errors():
        spark.chunk_documents(rows, "whole/1").collect()
