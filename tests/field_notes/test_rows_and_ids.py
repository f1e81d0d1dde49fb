"""Field notes B07 to B19: rows that repeat, and ids that do not mean what somebody thinks."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

import irbridge


def approx(**values: float) -> Any:
    """To the four decimals that the notes give."""
    return pytest.approx(values, abs=5e-5)


# ------------------------------------------------------------------------------------------------- B07: a ranking


def test_b07_a_document_twice_in_a_ranking_is_refused_by_name(note: Any) -> None:
    note.qrels("q1 0 a 1")
    note.run("a 9, b 5, a 1")
    done = note.scored("AP RR")
    assert done.code == 2
    assert done.out == ""
    assert "query q1 has document a twice" in done.err
    assert "a.run" in done.err
    assert "--duplicates first" in done.err


def test_b07_the_line_is_that_of_the_second_row(note: Any) -> None:
    note.qrels("q1 0 a 1 / q2 0 a 1")
    note.run("q1 Q0 a 1 9 t / q1 Q0 b 2 5 t / q2 Q0 a 1 9 t / q2 Q0 b 2 5 t / q2 Q0 a 3 1 t")
    done = note.scored("AP")
    assert done.code == 2
    assert "a.run:5: query q2 has document a twice" in done.err


def test_b07_which_one_counts_is_said(note: Any) -> None:
    """The first: rank 1. The last, as ir_measures: a falls behind b."""
    note.qrels("q1 0 a 1")
    note.run("a 9, b 5, a 1")
    assert note.score("AP RR P@3 num_ret", duplicates="first") == {"AP": 1, "RR": 1, "P@3": 1 / 3, "num_ret": 2}
    assert note.score("AP RR P@3 num_ret", duplicates="last") == {"AP": 0.5, "RR": 0.5, "P@3": 1 / 3, "num_ret": 2}
    # The two rows are one document: nothing is counted twice.
    assert max(note.score("R@3 SetR nDCG SetP", duplicates="first").values()) == 1.0
    done = note.scored("AP", "--duplicates", "first")
    assert "1 query with a document twice in the ranking, the first counts: q1" in done.out


# --------------------------------------------------------------------------------------------------- B09: labels


def test_b09_equal_labels_collapse_and_are_counted(note: Any) -> None:
    note.qrels("q1 0 a 1 / q1 0 a 1")
    note.run("a 1")
    assert note.score("AP nDCG num_rel") == {"AP": 1.0, "nDCG": 1.0, "num_rel": 1}
    assert re.search(r"1 repeated judgment, equal to an earlier one, collapsed", note.scored("AP").out)


@pytest.mark.parametrize("query", ["q1", "q2"])
def test_b09_contradicting_labels_are_refused_whether_or_not_the_run_has_the_query(note: Any, query: str) -> None:
    note.qrels(f"q1 0 b 1 / {query} 0 a 1 / {query} 0 a 0")
    note.run("b 1")
    done = note.scored("AP")
    assert done.code == 2
    assert f"a.qrels:3: query {query} document a is judged twice, 1 and 0, already on line 2" in done.err
    assert "keep one of the two rows" in done.err


def test_b09_also_where_labels_come_from_records(note: Any) -> None:
    records = [("q1", "a", 1), ("q1", "a", 0)]
    with pytest.raises(irbridge.InputError, match="query q1 document a is judged twice, 1 and 0"):
        irbridge.score([irbridge.Qrel(*row, "0") for row in records], {"q1": {"a": 1.0}}, "AP")


# ------------------------------------------------------------------------------------------- B11: chunks, documents


def test_b11_chunk_ids_against_document_labels_are_pointed_out(note: Any) -> None:
    note.qrels("q1 0 doc7 1")
    note.run("doc7#c3 3, doc2#c1 2, doc7#c0 1")
    assert note.score("RR R@3 P@3") == {"RR": 0.0, "R@3": 0.0, "P@3": 0.0}
    done = note.scored("RR")
    said = " ".join(done.out.split())
    assert "0 of 3 retrieved ids are judged" in said
    assert "did you mean to map chunks to their parent documents?" in said


def test_b11_mapped_to_parents_the_better_chunk_counts() -> None:
    ranking = ["doc7#c3", "doc2#c1", "doc7#c0"]
    parents = [{"query_id": "q1", "ranking": [chunk.partition("#")[0] for chunk in ranking]}]
    run = {each["query_id"]: each["ranking"] for each in parents}
    found = irbridge.score({"q1": {"doc7": 1}}, run, "RR R@3 P@3 num_ret", duplicates="first").aggregates()
    assert found == {"RR": 1.0, "R@3": 1.0, "P@3": 1 / 3, "num_ret": 2}


def test_b11_labels_that_match_are_no_occasion_for_a_hint(note: Any) -> None:
    note.qrels("q1 0 doc7#c3 1")
    note.run("doc7#c3 3, doc2#c1 2")
    assert "hint" not in note.scored("RR").out


# ------------------------------------------------------------------------------------------------ B13: names of chunks


def test_b13_one_text_in_two_places_has_two_chunk_ids_and_one_digest() -> None:
    text = "See table 1."
    places = [irbridge.chunk_id("a.md", "r1", ordinal, text, "fixed/1") for ordinal in (3, 8)]
    assert len(set(places)) == 2
    assert irbridge.text_sha(text) == irbridge.text_sha(f"  {text}\r\n")


def test_b13_names_of_documents_are_taken_as_they_are() -> None:
    uris = ["A B.pdf", "A_B.pdf", "A%20B.pdf", "a b.pdf", " A B.pdf"]
    assert len({irbridge.chunk_id(uri, "r1", 0, "text", "fixed/1") for uri in uris}) == len(uris)


def test_b13_the_same_chunk_has_the_same_id_every_time() -> None:
    """SHA-256 of the five fields joined by U+001F, as spec/chunk-id.md defines it: made here without irbridge."""
    fields = ("A B.pdf", "r1", "0", "See table 1.", "fixed/1")
    expected = "c1:" + hashlib.sha256("\x1f".join(fields).encode()).hexdigest()[:32]
    assert irbridge.chunk_id("A B.pdf", "r1", 0, "See table 1.", "fixed/1") == expected


# ------------------------------------------------------------------------------------------ B14, B15: labels, corpora


def test_b14_an_unreachable_label_keeps_its_place_in_the_denominator(note: Any) -> None:
    note.qrels("q1 0 a 1 / q1 0 zz 1")
    note.run("a 1")
    assert note.score("R@10 AP nDCG@10") == approx(**{"R@10": 0.5, "AP": 0.5, "nDCG@10": 0.6131})


def test_b14_the_highest_value_that_can_be_reached_is_told(note: Any) -> None:
    note.qrels("q1 0 a 1 / q1 0 zz 1")
    note.bytes("corpus.jsonl", b'{"_id":"a","text":"one"}\n{"_id":"b","text":"two"}\n')
    done = note.command("validate", "--judgments", "a.qrels", "--corpus", "corpus.jsonl", "--json")
    found = {issue["code"]: issue for issue in json.loads(done.out)["issues"]}
    assert found["dangling-document"]["doc_uri"] == "zz"
    assert found["recall-bound"]["bound"] == 0.5


def test_b15_a_loaded_collection_pins_its_parts_together(note: Any) -> None:
    folder = note.folder / "tiny"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id":"x-2019-00001-000","title":"","text":"one"}\n')
    (folder / "queries.jsonl").write_text('{"_id":"1","text":"what"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\tx-2019-00001-000\t4\n")
    assert note.command("load", "tiny", "--out", "pinned").code == 0
    parts = json.loads(Path("pinned/manifest.json").read_text())["parts"]
    assert set(parts) == {"judgments", "queries", "documents"}
    for part in parts.values():
        assert part["sha256"] == hashlib.sha256(Path("pinned", part["file"]).read_bytes()).hexdigest()
    # New labels alone, with another id scheme: the digest of the labels changes and no other.
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\tSx-A971\t0\n")
    assert note.command("load", "tiny", "--out", "again").code == 0
    now = json.loads(Path("again/manifest.json").read_text())["parts"]
    assert [part for part in parts if parts[part]["sha256"] != now[part]["sha256"]] == ["judgments"]


# -------------------------------------------------------------------------------------------------- B17, B19: the query

ITSELF = ({"q1": {"a": 1}}, {"q1": {"q1": 9.0, "a": 1.0}})


def test_b17_a_query_that_finds_itself(note: Any) -> None:
    names = "RR nDCG@1 nDCG@10"
    assert irbridge.score(*ITSELF, names).aggregates() == approx(RR=0.5, **{"nDCG@1": 0.0, "nDCG@10": 0.6309})
    one = dict.fromkeys(names.split(), 1.0)
    assert irbridge.score(*ITSELF, names, self_retrieval="drop").aggregates() == one
    assert irbridge.score(*ITSELF, names, convention="beir").aggregates() == one
    # Said on screen, and a flag there.
    note.qrels("q1 0 a 1")
    note.run("q1 9.0, a 1.0")
    assert note.report(names, "--self-retrieval", "drop")["metrics"]["RR"]["value"] == 1.0
    assert "the query's own document dropped" in " ".join(note.scored(names, "--convention", "beir").out.split())


def test_b19_what_the_caller_hands_over_stays_as_it_was() -> None:
    qrels, run = copy.deepcopy(ITSELF)
    for convention in irbridge.CONVENTIONS:
        irbridge.score(qrels, run, "nDCG@10 RR", convention=convention)
        assert (qrels, run) == ITSELF
    # So the order of two calls is of no matter: BEIR gives 1.0 twice.
    assert irbridge.score(qrels, run, "RR", convention="beir").aggregates() == {"RR": 1.0}
    assert irbridge.score(qrels, run, "RR", convention="ir_measures").aggregates() == {"RR": 0.5}


def test_b19_lists_and_frames_too() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["q1", "a"], "score": [1.0, 9.0]})
    before = frame.copy()
    listed = {"q1": ["q1", "a"]}
    irbridge.score(ITSELF[0], frame, "RR", convention="beir")
    irbridge.score(ITSELF[0], listed, "RR", convention="beir")
    assert frame.equals(before)
    assert listed == {"q1": ["q1", "a"]}
