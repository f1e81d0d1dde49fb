"""What is written in memory is taken by the libraries it is written for, and gives their own numbers."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pyarrow.parquet as pq
import pytest
import pytrec_eval
from ir_measures import AP, P, nDCG
from support.formats import labels, rankings, read, written

from irbridge.formats import FORMATS, identify
from irbridge.formats.base import Collection, Format, Part
from irbridge.model import Judgment, Ranking
from irbridge.reading import Reading

# Worked by hand. q1: ranking d2, d1, d3; relevant d1, d4. AP = (1/2) / 2 = 0.25, P@2 = 1/2.
# q2: ranking d1 (relevant, grade 2), the only relevant one. AP = P@1 = 1, P@2 = 1/2.
LABELS = [
    Judgment("q1", "d1", 1), Judgment("q1", "d2", 0), Judgment("q1", "d4", 1), Judgment("q2", "d1", 2), Judgment("q2", "d9", -1)
]  # fmt: skip
RUN = [Ranking("q1", ["d2", "d1", "d3"], [3.0, 2.5, 0.125]), Ranking("q2", ["d1"], [-1.0])]
EXPECTED = {("q1", "AP"): 0.25, ("q1", "P@2"): 0.5, ("q2", "AP"): 1.0, ("q2", "P@2"): 0.5}


def made(name: str, part: Part, records: Any) -> Any:
    entry = FORMATS.get(name)
    assert entry.to_object is not None
    return entry.to_object(part, records)


def evaluated(qrels: Any, run: Any) -> dict[tuple[str, str], float]:
    return {
        (found.query_id, str(found.measure)): found.value for found in ir_measures.iter_calc([AP, P @ 2], qrels, run)
    }


@pytest.mark.parametrize("name", ["ir-measures", "pytrec", "pandas"])
def test_ir_measures_evaluates_what_is_written(name: str) -> None:
    assert evaluated(made(name, "judgments", LABELS), made(name, "run", RUN)) == EXPECTED


@pytest.mark.parametrize("name", ["polars", "pyarrow"])
def test_ir_measures_evaluates_frames_by_way_of_pandas(name: str) -> None:
    qrels, run = made(name, "judgments", LABELS), made(name, "run", RUN)
    if name == "polars":
        qrels, run = qrels.to_arrow(), run.to_arrow()
    assert evaluated(qrels.to_pandas(), run.to_pandas()) == EXPECTED


def test_pyterriers_frames_are_ir_measures_after_its_own_renaming() -> None:
    # pyterrier's evaluate renames qid, docno, label and score before it calls ir_measures.
    names = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}
    qrels, run = made("pyterrier", "judgments", LABELS), made("pyterrier", "run", RUN)
    assert evaluated(qrels.rename(columns=names), run.rename(columns=names)) == EXPECTED


def test_pytrec_eval_evaluates_what_is_written() -> None:
    evaluator = pytrec_eval.RelevanceEvaluator(made("pytrec", "judgments", LABELS), {"map", "P_2"})
    found = evaluator.evaluate(made("pytrec", "run", RUN))
    assert {key: {"AP": found[key[0]]["map"], "P@2": found[key[0]]["P_2"]}[key[1]] for key in EXPECTED} == EXPECTED


def test_pytrec_eval_takes_what_it_would_have_refused() -> None:
    # Field note B51: int ids, numpy grades and float32 scores are TypeErrors in pytrec_eval itself.
    import numpy as np

    qrels, run = {1: {10: np.int64(1), 11: True}}, {1: {11: np.float32(0.5), 12: np.float32(0.25)}}
    entry = FORMATS.get("pytrec")
    clean_qrels = made("pytrec", "judgments", read(entry, "judgments", qrels)[0])
    clean_run = made("pytrec", "run", read(entry, "run", run)[0])
    # One of two relevant documents, at rank 1: AP 1/2.
    assert pytrec_eval.RelevanceEvaluator(clean_qrels, {"map"}).evaluate(clean_run) == {"1": {"map": 0.5}}


# --------------------------------------------------------------------------------------------------- reading their files


@pytest.mark.parametrize("name", ["ir_measures/compat", "ir_measures/cwl"])
def test_the_readers_of_ir_measures_and_of_pytrec_eval_give_the_same_records(shared: Path, name: str) -> None:
    stem = shared / "data" / "fixtures-small" / name
    records, dicts, trec_qrels, trec_run = (FORMATS.get(n) for n in ("ir-measures", "pytrec", "trec-qrels", "trec-run"))
    ours = labels(trec_qrels, Path(f"{stem}.qrels"))
    assert labels(records, ir_measures.read_trec_qrels(f"{stem}.qrels")) == ours
    run = rankings(trec_run, Path(f"{stem}.run"))
    assert run
    assert rankings(records, ir_measures.read_trec_run(f"{stem}.run")) == run
    with open(f"{stem}.run", encoding="utf-8") as stream:
        assert rankings(dicts, pytrec_eval.parse_run(stream)) == run
    with open(f"{stem}.qrels", encoding="utf-8") as stream:
        assert sorted(labels(dicts, pytrec_eval.parse_qrel(stream))) == sorted(ours)


@pytest.mark.parametrize("name", ["ir-measures", "pytrec", "pandas", "polars", "pyarrow", "parquet", "ranx"])
def test_a_real_run_keeps_its_values_on_every_way_there_and_back(shared: Path, tmp_path: Path, name: str) -> None:
    stem = shared / "data" / "fixtures-small" / "ir_measures" / "compat"
    qrels = read(FORMATS.get("trec-qrels"), "judgments", Path(f"{stem}.qrels"))[0]
    run = read(FORMATS.get("trec-run"), "run", Path(f"{stem}.run"))[0]
    expected = evaluated(ir_measures.read_trec_qrels(f"{stem}.qrels"), ir_measures.read_trec_run(f"{stem}.run"))
    assert expected
    there: list[Any] = []
    for part, records, kind in (("judgments", qrels, "qrels"), ("run", run, "run")):
        entry: Format = FORMATS.get(f"ranx-{kind}" if name == "ranx" else name)
        given: Any
        if entry.shape == "object":
            given = made(name, part, records)
        else:
            given = tmp_path / kind
            given.write_bytes(written(entry, part, records))
        there.append(made("ir-measures", part, read(entry, part, given)[0]))
    assert evaluated(*there) == expected


def test_ranx_trec_files_and_its_other_layouts_hold_the_same(shared: Path) -> None:
    folder = shared / "data" / "fixtures-small" / "ranx"
    records = FORMATS.get("ir-measures")
    qrels = labels(records, ir_measures.read_trec_qrels(str(folder / "qrels.trec")))
    assert len(qrels) == 5
    assert (
        labels(records, ir_measures.read_trec_qrels(gzip.decompress((folder / "qrels.trec.gz").read_bytes()).decode()))
        == qrels
    )
    assert labels(FORMATS.get("ranx-qrels"), folder / "qrels.json") == qrels
    assert labels(FORMATS.get("parquet"), folder / "qrels.parquet") == qrels
    run = rankings(records, ir_measures.read_trec_run(str(folder / "run.trec")))
    assert [len(found[1]) for found in run] == [3, 2]
    for name, entry in (("run.json", "ranx-run"), ("run.lz4", "ranx-run"), ("run.parquet", "parquet")):
        assert rankings(FORMATS.get(entry), folder / name) == run


def test_pandas_reads_our_parquet_as_ir_measures_wants_it() -> None:
    parquet = FORMATS.get("parquet")
    qrels = pd.read_parquet(io.BytesIO(written(parquet, "judgments", LABELS)))
    run = pd.read_parquet(io.BytesIO(written(parquet, "run", RUN)))
    assert evaluated(qrels, run) == EXPECTED


def test_a_folder_is_read_by_the_rules_of_mtebs_loader(tmp_path: Path) -> None:
    """Its steps (mteb/abstasks/retrieval_dataset_loaders.py) on what `datasets` makes of the front matter."""
    import yaml

    parquet = FORMATS.get("parquet")
    assert parquet.write_folder is not None
    from irbridge.model import Document, Query

    documents, queries = [Document("d1", "one", "T")], [Query("q1", "what"), Query("q2", "who")]
    parquet.write_folder(Collection(judgments=LABELS, queries=queries, documents=documents), tmp_path)
    front = yaml.safe_load((tmp_path / "README.md").read_text().split("---\n")[1])
    configs = {
        entry["config_name"]: {file["split"]: file["path"] for file in entry["data_files"]}
        for entry in front["configs"]
    }

    def load(config: str) -> Any:
        splits = configs[config]
        (path,) = tmp_path.glob(splits["test"] if "test" in splits else next(iter(splits.values())))
        return pq.read_table(path)

    assert load("corpus").to_pylist() == [{"_id": "d1", "title": "T", "text": "one"}]
    assert load("queries").column("_id").to_pylist() == ["q1", "q2"]
    found: dict[str, dict[str, int]] = {}
    for row in load("default").select(["query-id", "corpus-id", "score"]).to_pylist():
        found.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
    assert pytrec_eval.RelevanceEvaluator(found, {"map"}).evaluate(made("pytrec", "run", RUN))["q1"]["map"] == 0.25


def test_the_generator_of_ir_measures_is_read_once(shared: Path) -> None:
    run = ir_measures.read_trec_run(str(shared / "data" / "fixtures-small" / "ir_measures" / "cwl.run"))
    assert rankings(FORMATS.get("ir-measures"), run)
    assert next(run, None) is None


def test_graded_values_are_those_of_ir_measures_own_records() -> None:
    own = [ir_measures.Qrel(label.query_id, label.doc_uri, label.relevance) for label in LABELS]
    run = [
        ir_measures.ScoredDoc(found.query_id, *pair)
        for found in RUN
        for pair in zip(found.doc_ids, found.scores, strict=True)
    ]
    expected = ir_measures.calc_aggregate([nDCG @ 10], own, run)
    assert (
        ir_measures.calc_aggregate([nDCG @ 10], made("pandas", "judgments", LABELS), made("pytrec", "run", RUN))
        == expected
    )


@pytest.mark.parametrize(
    "name, part, queries, rows",
    [
        # Counted with grep -c . and cut | sort -u, not with irbridge.
        ("pyserini/nfcorpus-qrels.tsv", "judgments", 5, 234),
        ("pyserini/simple_trec_run_filter.txt", "run", 4, 6),
        ("pyserini/simple_trec_run_fusion_1.txt", "run", 2, 3),
        ("pyserini/simple_trec_run_fusion_2.txt", "run", 2, 3),
        ("pyserini/simple_trec_run_msmarco_doc1.txt", "run", 4, 20),
        ("ranx/qrels.trec.gz", "judgments", 2, 5),
        ("ranx/run.trec.gz", "run", 2, 5),
    ],
)
def test_every_small_fixture_is_recognised_and_read_whole(
    shared: Path, name: str, part: Part, queries: int, rows: int
) -> None:
    entry, source = identify(shared / "data" / "fixtures-small" / name, part, Reading())
    found, reading = read(entry, part, source)
    assert len({record.query_id for record in found}) == queries
    assert reading.rows == rows
