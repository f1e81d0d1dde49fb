"""The demo collection: the hand-written files hold together, and the derived ones are what the build script makes."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import unicodedata
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "irbridge" / "demo" / "data"
CHUNKINGS = {"paragraph/1": "chunks-paragraph.json", "window/60/10": "chunks-window.json"}
CHUNK_FIELDS = ["chunk_id", "doc_uri", "doc_revision", "ordinal", "text", "text_sha"]


def load_build():
    spec = importlib.util.spec_from_file_location("build_demo", ROOT / "tests" / "data" / "build_demo.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = load_build()


def jsonl(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


DOCS = {doc["_id"]: doc for doc in jsonl("corpus.jsonl")}
QUERIES = {query["_id"]: query["text"] for query in jsonl("queries.jsonl")}


def qrels():
    lines = (DATA / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "query-id\tcorpus-id\tscore"
    return [(query_id, doc_id, int(grade)) for query_id, doc_id, grade in (line.split("\t") for line in lines[1:])]


def grades():
    found = defaultdict(dict)
    for query_id, doc_id, grade in qrels():
        found[query_id][doc_id] = grade
    return found


def run(tag):
    found = defaultdict(list)
    for line in (DATA / f"{tag}.run").read_text(encoding="utf-8").splitlines():
        query_id, q0, doc_id, rank, score, last = line.split(" ")
        assert (q0, last, int(rank)) == ("Q0", tag, len(found[query_id]) + 1)
        assert re.fullmatch(r"\d+\.\d{4}", score)
        found[query_id].append((doc_id, float(score)))
    return found


# ------------------------------------------------------------------------------------------------------------- derived


@pytest.mark.parametrize("name", BUILD.derive())
def test_derived_files_are_what_the_script_makes(name):
    assert (DATA / name).read_bytes() == BUILD.derive()[name].encode("utf-8"), "run tests/data/build_demo.py"


def test_the_check_says_so_when_a_file_is_out_of_date(tmp_path, monkeypatch, capsys):
    for name, content in BUILD.derive().items():
        (tmp_path / name).write_bytes(content.encode("utf-8"))
    (tmp_path / "bm25.run").write_bytes(b"old\n")
    fresh = BUILD.derive()
    monkeypatch.setattr(BUILD, "derive", lambda: fresh)
    monkeypatch.setattr(BUILD, "DATA", tmp_path)
    assert BUILD.main(["--check"]) == 1
    assert (tmp_path / "bm25.run").read_bytes() == b"old\n"
    assert capsys.readouterr().out == f"out of date: {tmp_path / 'bm25.run'}\n"
    assert BUILD.main([]) == 0
    assert BUILD.main(["--check"]) == 0


def test_bm25_by_hand():
    # N = 2, df = 2: idf = ln(1 + 0.5/2.5) = 0.18232156. Mean length 2.5.
    # a: 1 / (1 + 0.9*(0.6 + 0.4*2/2.5)) = 1/1.828;  b: 2 / (2 + 0.9*(0.6 + 0.4*3/2.5)) = 2/2.972
    scores = BUILD.bm25({"q": "Bike, zebra!"}, {"a": "red bike", "b": "bike bike shop"})
    assert scores == {"q": {"a": pytest.approx(0.0997383, abs=1e-7), "b": pytest.approx(0.1226928, abs=1e-7)}}
    assert BUILD.bm25({"q": "zebra"}, {"a": "red bike"}) == {"q": {}}


def test_ngram_by_hand():
    # Document a holds " ab", "ab ", " ab ", all with equal weight; of the query "abc" only " ab" is known: 1/sqrt(3).
    scores = BUILD.ngram({"same": "AB", "near": "abc", "far": "xyz"}, {"a": "ab", "b": "cd"})
    assert scores["same"] == {"a": pytest.approx(1.0), "b": 0.0}
    assert scores["near"] == {"a": pytest.approx(0.57735027, abs=1e-8), "b": 0.0}
    assert scores["far"] == {}


def test_a_run_sorts_by_the_written_score_then_by_id_and_drops_zeros():
    scores = {"q": {"b": 0.50004, "a": 0.50001, "c": 0.9, "d": 0.00001}}
    assert BUILD.trec_run(scores, "t") == "q Q0 c 1 0.9000 t\nq Q0 a 2 0.5000 t\nq Q0 b 3 0.5000 t\n"


def test_windows_by_hand():
    text = "a b c  d\n\ne f g h"
    spans = BUILD.window_spans(text, size=4, overlap=1)
    assert [text[start:end] for start, end in spans] == ["a b c  d", "d\n\ne f g", "g h"]
    assert [text[start:end] for start, end in BUILD.paragraph_spans(text)] == ["a b c  d", "e f g h"]


def test_a_label_that_slipped_to_another_paragraph_stops_the_build():
    chunk = {"doc_uri": "d1", "ordinal": 0, "chunk_id": "c1:", "text_sha": "t1:", "text": "Other words."}
    with pytest.raises(SystemExit, match="d1 paragraph 0 does not begin with 'These words'"):
        BUILD.judgments([chunk], {"q1": "q"}, "header\nq1\td1\t0\t1\ts\tThese words\n")


# ---------------------------------------------------------------------------------------------------------------- BEIR


def test_documents():
    assert list(DOCS) == [f"d{number:02}" for number in range(1, 41)]
    for doc in DOCS.values():
        assert list(doc) == ["_id", "title", "text", "metadata"]
        assert list(doc["metadata"]) == ["section", "revision"]
        assert doc["title"]
        assert doc["text"] == doc["text"].strip()
        assert unicodedata.is_normalized("NFC", doc["text"])
        assert 80 <= len(doc["text"].split()) <= 220
        assert 2 <= len(doc["text"].split("\n\n")) <= 5
    assert len({doc["title"] for doc in DOCS.values()}) == 40
    assert sum(not doc["text"].isascii() for doc in DOCS.values()) >= 8


def test_queries():
    assert list(QUERIES) == [f"q{number:02}" for number in range(1, 21)]
    assert len(set(QUERIES.values())) == 20
    for query in jsonl("queries.jsonl"):
        assert list(query) == ["_id", "text", "metadata"]
        assert list(query["metadata"]) == ["kind", "area"]


def test_qrels():
    rows = qrels()
    assert len(rows) == 168
    assert len({row[:2] for row in rows}) == 168
    assert {query_id for query_id, _, _ in rows} == set(QUERIES)
    assert {doc_id for _, doc_id, _ in rows} <= set(DOCS)
    assert {grade for *_, grade in rows} == {0, 1, 2, 3}
    assert [query_id for query_id, found in grades().items() if max(found.values()) == 0] == ["q12"]


@pytest.mark.parametrize("tag", ["bm25", "ngram"])
def test_runs(tag):
    for query_id, ranking in run(tag).items():
        ids = [doc_id for doc_id, _ in ranking]
        scores = [score for _, score in ranking]
        assert query_id in QUERIES
        assert 1 <= len(ids) <= 20
        assert len(set(ids)) == len(ids)
        assert set(ids) <= set(DOCS)
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0
    assert any(len({s for _, s in ranking}) < len(ranking) for ranking in run(tag).values()), (
        "ties are part of the demo"
    )


def test_what_the_readme_says_to_look_out_for():
    bm25, ngram = run("bm25"), run("ngram")
    assert set(QUERIES) - set(bm25) == {"q14"}
    assert set(ngram) == set(QUERIES)
    assert bm25["q09"][0][1] == bm25["q09"][1][1]
    assert (bm25["q09"][0][0], bm25["q09"][1][0]) == ("d16", "d18")
    assert grades()["q09"]["d16"] > grades()["q09"]["d18"]


def test_the_runs_differ_in_effectiveness_by_another_engine():
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(dict(grades()), {"ndcg_cut.10"})
    mean = {}
    for tag in ("bm25", "ngram"):
        found = evaluator.evaluate({query_id: dict(ranking) for query_id, ranking in run(tag).items()})
        values = {query_id: found[query_id]["ndcg_cut_10"] if query_id in found else 0.0 for query_id in QUERIES}
        mean[tag] = sum(values.values()) / len(QUERIES)
    assert 0.5 < mean["bm25"] < mean["ngram"] - 0.05 < 0.8


# -------------------------------------------------------------------------------------------------------------- chunks


def digest(prefix, text):
    return prefix + hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


@pytest.mark.parametrize("fingerprint", CHUNKINGS)
def test_chunks_carry_the_right_names(fingerprint):
    corpus = json.loads((DATA / CHUNKINGS[fingerprint]).read_bytes())
    assert list(corpus) == ["corpus_fingerprint", "chunker_fingerprint", "chunks"]
    assert corpus["chunker_fingerprint"] == fingerprint
    assert corpus["corpus_fingerprint"] == f"port-ellory-1/{fingerprint}"
    expected_ordinals = Counter()
    for chunk in corpus["chunks"]:
        # The texts are in normal form already, so the definition of spec/chunk-id.md is one digest each.
        text, doc = chunk["text"], DOCS[chunk["doc_uri"]]
        fields = [doc["_id"], doc["metadata"]["revision"], str(chunk["ordinal"]), text, fingerprint]
        assert list(chunk) == CHUNK_FIELDS
        assert text in doc["text"]
        assert text == text.strip()
        assert chunk["doc_revision"] == doc["metadata"]["revision"]
        assert chunk["ordinal"] == expected_ordinals[doc["_id"]]
        assert chunk["text_sha"] == digest("t1:", text)
        assert chunk["chunk_id"] == digest("c1:", "\x1f".join(fields))
        expected_ordinals[doc["_id"]] += 1
    assert set(expected_ordinals) == set(DOCS)


def texts_by_doc(fingerprint):
    found = defaultdict(list)
    for chunk in json.loads((DATA / CHUNKINGS[fingerprint]).read_bytes())["chunks"]:
        found[chunk["doc_uri"]].append(chunk["text"])
    return found


def test_paragraphs_put_together_are_the_document():
    for doc_id, texts in texts_by_doc("paragraph/1").items():
        assert "\n\n".join(texts) == DOCS[doc_id]["text"]


def test_windows_have_60_words_and_share_10_with_the_next():
    for doc_id, texts in texts_by_doc("window/60/10").items():
        words = [text.split() for text in texts]
        assert all(len(part) == 60 for part in words[:-1])
        assert 10 < len(words[-1]) <= 60
        for before, after in pairwise(words):
            assert before[-10:] == after[:10]
        assert words[0] + [word for part in words[1:] for word in part[10:]] == DOCS[doc_id]["text"].split()


def test_chunk_judgments():
    chunks = {c["chunk_id"]: c for c in json.loads((DATA / "chunks-paragraph.json").read_bytes())["chunks"]}
    records = jsonl("chunk-judgments.jsonl")
    doc_grades = grades()
    assert len(records) == 30
    assert len({(r["query_id"], r["chunk_id"]) for r in records}) == 30
    assert Counter(r["stratum"] for r in records) == {"hire": 10, "membership": 10, "workshop": 10}
    for record in records:
        assert list(record) == [
            *("query_id", "query", "doc_uri", "chunk_id", "text_sha", "chunk_text", "relevance"),
            *("corpus_fingerprint", "labeled_by", "stratum"),
        ]
        chunk = chunks[record["chunk_id"]]
        assert record["query"] == QUERIES[record["query_id"]]
        assert record["doc_uri"] == chunk["doc_uri"]
        assert (record["text_sha"], record["chunk_text"]) == (chunk["text_sha"], chunk["text"])
        assert 0 <= record["relevance"] <= doc_grades[record["query_id"]][record["doc_uri"]]
        assert record["corpus_fingerprint"] == "port-ellory-1/paragraph/1"
        assert record["labeled_by"] == "human:demo"
    for query_id in {r["query_id"] for r in records}:
        assert max(r["relevance"] for r in records if r["query_id"] == query_id) == 3


def test_what_becomes_of_the_chunk_labels_in_windows():
    windows = [text for texts in texts_by_doc("window/60/10").values() for text in texts]
    found = Counter()
    for record in jsonl("chunk-judgments.jsonl"):
        text = record["chunk_text"]
        inside = sum(window in text for window in windows)
        found[
            "same"
            if text in windows
            else "cut"
            if inside > 1
            else "within"
            if any(text in w for w in windows)
            else "across"
        ] += 1
    assert found == {"same": 2, "within": 16, "cut": 1, "across": 11}
    assert "2 texts are a chunk there too, 16 lie inside one, 1 is\n  cut into two, and 11 run across" in readme()


# ------------------------------------------------------------------------------------------------------ size and page


def readme():
    return (DATA / "README.md").read_text(encoding="utf-8")


def test_the_readme_counts_right():
    counts = {name: int(rows) for name, rows in re.findall(r"^\| `([^`]+)` \|.*\| (\d+) \|$", readme(), re.MULTILINE)}
    chunk_counts = {name: len(json.loads((DATA / name).read_bytes())["chunks"]) for name in CHUNKINGS.values()}
    line_counts = {
        name: len((DATA / name).read_bytes().splitlines()) - (name == "qrels/test.tsv")
        for name in set(counts) - set(chunk_counts)
    }
    assert counts == chunk_counts | line_counts
    assert {*counts, "README.md"} == {p.relative_to(DATA).as_posix() for p in DATA.rglob("*") if p.is_file()}
    levels = {int(level): int(n) for level, n in re.findall(r"^\| ([0-3]) \|.*\| (\d+) \|$", readme(), re.MULTILINE)}
    assert levels == Counter(grade for *_, grade in qrels())


def test_the_collection_stays_small():
    files = [path for path in DATA.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 150_000
    for path in files:
        content = path.read_bytes()
        assert b"\r" not in content
        assert content.endswith(b"\n")
