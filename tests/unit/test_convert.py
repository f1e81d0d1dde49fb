from __future__ import annotations

import json
import os

import pytest

from irbridge.convert import convert
from irbridge.errors import InputError, LossError, UsageError

TREC = "q1 0 d1 2\nq1 0 d2 -1\nq2 1.5 dé 0\n"
JSONL = (
    '{"query_id":"q1","query":"what","doc_uri":"d","chunk_id":"c1:0123456789abcdef0123456789abcdef","relevance":2,'
    '"labeled_by":"human:a","mine":[1]}\n'
    '{"query_id":"q1","query":"what","doc_uri":"e","relevance":0}\n'
)
RUN = "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.25 t\nq2 Q0 a 1 7 t\n"


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_trec_to_jsonl_and_back_is_byte_equal(tmp_path):
    source = write(tmp_path, "q.txt", TREC)
    there = convert(source, "judgments", tmp_path / "j.jsonl")
    assert (there.rows_in, there.rows_out, there.losses) == ({"judgments": 3}, {"judgments": 3}, {})
    rows = [json.loads(line) for line in (tmp_path / "j.jsonl").read_text().splitlines()]
    assert rows[1]["relevance"] == 0
    back = convert(tmp_path / "j.jsonl", "qrels", tmp_path / "back.txt")
    assert back.losses == {}
    assert (tmp_path / "back.txt").read_text() == TREC


def test_what_qrels_cannot_hold_is_counted(tmp_path):
    source = write(tmp_path, "j.jsonl", JSONL)
    outcome = convert(source, "trec-qrels", tmp_path / "q.txt")
    assert (tmp_path / "q.txt").read_text() == "q1 0 c1:0123456789abcdef0123456789abcdef 2\nq1 0 e 0\n"
    assert outcome.losses == {"doc_uri (the row is keyed by its chunk_id)": 1, "query": 2, "labeled_by": 1, "mine": 1}


def test_strict_refuses_and_writes_nothing(tmp_path):
    source = write(tmp_path, "j.jsonl", JSONL)
    old = write(tmp_path, "q.txt", "as it was")
    with pytest.raises(LossError, match="query in 2 rows"):
        convert(source, "trec-qrels", old, strict=True)
    assert old.read_text() == "as it was"
    assert sorted(os.listdir(tmp_path)) == ["j.jsonl", "q.txt"]
    assert convert(write(tmp_path, "t.txt", TREC), "judgments", tmp_path / "out.jsonl", strict=True).losses == {}


def test_a_sidecar_brings_everything_back(tmp_path):
    source = write(tmp_path, "j.jsonl", JSONL)
    outcome = convert(source, "qrels", tmp_path / "q.txt", sidecar=tmp_path / "side.jsonl", strict=True)
    assert outcome.losses == {}
    convert(tmp_path / "q.txt", "judgments", tmp_path / "back.jsonl", sidecar=tmp_path / "side.jsonl")
    assert (tmp_path / "back.jsonl").read_text(encoding="utf-8") == JSONL


def test_a_sidecar_and_qrels_that_were_edited(tmp_path):
    source = write(tmp_path, "j.jsonl", JSONL)
    convert(source, "qrels", tmp_path / "q.txt", sidecar=tmp_path / "side.jsonl")
    edited = write(tmp_path, "q2.txt", "q1 0 e 3\nq1 0 new 1\n")
    outcome = convert(edited, "judgments", tmp_path / "back.jsonl", sidecar=tmp_path / "side.jsonl")
    assert [json.loads(line) for line in (tmp_path / "back.jsonl").read_text().splitlines()] == [
        {"query_id": "q1", "query": "what", "doc_uri": "e", "relevance": 3},
        {"query_id": "q1", "doc_uri": "new", "relevance": 1},
    ]
    assert any("another grade" in note for note in outcome.notes)
    assert any("left out" in note for note in outcome.notes)


def test_a_run_there_and_back(tmp_path):
    source = write(tmp_path, "r.run", RUN)
    outcome = convert(source, "run", tmp_path / "r.jsonl")
    assert (outcome.rows_in, outcome.losses) == ({"run": 3}, {})
    assert json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])["ranking"] == ["a", "b"]
    convert(tmp_path / "r.jsonl", "trec-run", tmp_path / "back.run")
    assert (tmp_path / "back.run").read_text() == RUN


def test_a_plain_ranking_becomes_falling_scores(tmp_path):
    source = write(tmp_path, "r.jsonl", '{"query_id":"q1","ranking":["b","a"]}\n')
    convert(source, "trec-run", tmp_path / "r.run")
    rows = [line.split() for line in (tmp_path / "r.run").read_text().splitlines()]
    assert [row[2] for row in rows] == ["b", "a"]
    assert float(rows[0][4]) > float(rows[1][4])


def test_a_contradicting_rank_column_needs_a_decision(tmp_path):
    # Field note B06.
    source = write(tmp_path, "r.run", "q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n")
    with pytest.raises(InputError, match="rank column contradicts"):
        convert(source, "run", tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
    for order, best in (("score", "b"), ("rank", "a")):
        convert(source, "run", tmp_path / "out.jsonl", order=order)
        assert json.loads((tmp_path / "out.jsonl").read_text())["ranking"][0] == best


def test_scattered_rows_are_gathered(tmp_path):
    source = write(tmp_path, "r.run", "q1 Q0 a 1 3 t\nq2 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n")
    outcome = convert(source, "run", tmp_path / "out.jsonl")
    assert [json.loads(line)["ranking"] for line in (tmp_path / "out.jsonl").read_text().splitlines()] == [
        ["a", "b"],
        ["a"],
    ]
    assert outcome.rows_out == {"run": 3}
    assert any("scattered" in note for note in outcome.notes)


def test_an_id_with_a_space_cannot_be_trec_and_nothing_is_written(tmp_path):
    source = write(tmp_path, "q.tsv", "query-id\tcorpus-id\tscore\nq1\ta b\t1\n")
    with pytest.raises(InputError, match="a b"):
        convert(source, "trec-qrels", tmp_path / "q.txt")
    assert not (tmp_path / "q.txt").exists()
    convert(source, "judgments", tmp_path / "j.jsonl")
    convert(tmp_path / "j.jsonl", "beir-qrels", tmp_path / "back.tsv")
    assert (tmp_path / "back.tsv").read_bytes() == source.read_bytes()


def test_to_objects(tmp_path):
    source = write(tmp_path, "q.txt", TREC)
    assert convert(source, "pytrec").result == {"q1": {"d1": 2, "d2": -1}, "q2": {"dé": 0}}
    assert convert(write(tmp_path, "r.run", RUN), "pytrec").result == {"q1": {"a": 2.5, "b": 1.25}, "q2": {"a": 7.0}}


@pytest.mark.parametrize("to, out", [("irds", "x"), ("trec-run", None)])
def test_what_cannot_be_written(tmp_path, to, out):
    source = write(tmp_path, "r.run", RUN)
    with pytest.raises(UsageError):
        convert(source, to, out)


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    source = write(tmp_path, "j.jsonl", JSONL)
    full = tmp_path / "full"
    full.mkdir()
    write(full, "mine.txt", "mine")
    with pytest.raises(UsageError, match="is not empty"):
        convert(source, "beir", full)
    assert os.listdir(full) == ["mine.txt"]
    assert sorted(os.listdir(tmp_path)) == ["full", "j.jsonl"]
    convert(source, "beir", full, force=True)
    assert "qrels" in os.listdir(full)
    assert "mine.txt" not in os.listdir(full)


def test_a_source_that_could_be_either_is_read_as_what_it_is():
    import pandas as pd

    run = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.5]})
    assert convert(run, "pytrec").result == {"q": {"a": 1.5}}
    qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [2]})
    assert convert(qrels, "pytrec").result == {"q": {"a": 2}}


def test_a_scattered_run_to_standard_output_is_written_once(tmp_path, capfdbinary):
    source = write(tmp_path, "r.run", "q1 Q0 a 1 3 t\nq2 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n")
    convert(source, "trec-run", "-")
    assert capfdbinary.readouterr().out.count(b"\n") == 3


def test_strict_to_standard_output_writes_nothing(tmp_path, capfdbinary):
    with pytest.raises(LossError):
        convert(write(tmp_path, "j.jsonl", JSONL), "trec-qrels", "-", strict=True)
    assert capfdbinary.readouterr().out == b""


def test_a_sidecar_keeps_subtopics_apart_and_is_never_the_output(tmp_path):
    text = (
        '{"query_id":"q1","doc_uri":"d1","relevance":1,"iteration":"1"}\n'
        '{"query_id":"q1","doc_uri":"d1","relevance":1,"iteration":"2"}\n'
    )
    source = write(tmp_path, "j.jsonl", text)
    convert(source, "trec-qrels", tmp_path / "q", sidecar=tmp_path / "s")
    convert(tmp_path / "q", "judgments", tmp_path / "back", sidecar=tmp_path / "s")
    assert (tmp_path / "back").read_text() == text
    with pytest.raises(UsageError, match="sidecar"):
        convert(source, "trec-qrels", tmp_path / "same", sidecar=tmp_path / "same")
    with pytest.raises(UsageError, match="sidecar"):
        convert(source, "beir", tmp_path / "folder", sidecar=tmp_path / "s2")


def test_an_input_is_not_replaced_by_less(tmp_path):
    source = write(tmp_path, "j.jsonl", JSONL)
    with pytest.raises(LossError, match="is the input"):
        convert(source, "trec-qrels", source)
    assert source.read_text(encoding="utf-8") == JSONL


def test_folders_that_must_not_be_replaced(tmp_path, monkeypatch):
    source = write(tmp_path, "r.run", RUN)
    full = tmp_path / "full"
    full.mkdir()
    write(full, "mine.txt", "mine")
    with pytest.raises(UsageError, match="cannot hold a run"):
        convert(source, "beir", full, part="run", force=True)
    assert os.listdir(full) == ["mine.txt"]
    monkeypatch.chdir(full)
    with pytest.raises(UsageError, match="current folder"):
        convert(write(tmp_path, "q.txt", TREC), "beir", ".", force=True)
    assert os.listdir(full) == ["mine.txt"]
    assert sorted(os.listdir(tmp_path)) == ["full", "q.txt", "r.run"]


def test_a_scattered_run_to_a_folder(tmp_path):
    source = write(tmp_path, "r.run", "q1 Q0 a 1 3 t\nq2 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n")
    assert convert(source, "collection", tmp_path / "c", part="run").rows_out["run"] == 3


def test_a_sidecar_of_a_collection_brings_its_labels_back(tmp_path):
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id":"d","title":"","text":"t"}\n')
    (folder / "queries.jsonl").write_text('{"_id":"q","text":"what?"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\t1\n")
    convert(folder, "trec-qrels", tmp_path / "q.txt", sidecar=tmp_path / "side.jsonl", strict=False)
    row = '{"query_id":"q","query":"what?","doc_uri":"d","relevance":1}\n'
    assert (tmp_path / "side.jsonl").read_text() == row
    convert(tmp_path / "q.txt", "judgments", tmp_path / "back.jsonl", sidecar=tmp_path / "side.jsonl")
    assert (tmp_path / "back.jsonl").read_text() == row
