from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.formats import LABELS, RUN, labels, rankings, read, written

from irbridge.convert import convert
from irbridge.errors import InputError, InputErrors, MissingDependency, UsageError
from irbridge.formats import identify
from irbridge.formats.base import Collection
from irbridge.formats.parquet import FORMAT
from irbridge.load import load_collection
from irbridge.model import Document, Judgment, Query, Ranking
from irbridge.reading import Reading


def table(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path, **options)
    return path


# ----------------------------------------------------------------------------------------------------------- one file


@pytest.mark.parametrize(
    "names", ["query_id doc_id relevance", "qid docno label", "query-id corpus-id score", "q_id doc_id score"]
)
@pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.float64()])
def test_labels_under_the_names_of_every_tool(tmp_path: Path, names: str, kind: pa.DataType) -> None:
    query, doc, grade = names.split()
    path = table(tmp_path / "x.parquet", {grade: pa.array([1, -2], kind), doc: ["a", "b"], query: ["q", "p"]})
    found, reading = read(FORMAT, "judgments", path)
    assert found == [Judgment("q", "a", 1), Judgment("p", "b", -2)]
    assert {type(part) for part in found[0][:3]} == {str, int}
    assert reading.rows == 2
    assert ("whole-grades" in reading.notes) is pa.types.is_floating(kind)


def test_a_run_streams_and_a_query_may_come_back(tmp_path: Path) -> None:
    path = table(
        tmp_path / "x.parquet",
        {"q_id": ["q", "q", "p", "q"], "doc_id": ["a", "b", "c", "d"], "score": pa.array([1, 0.5, 2, 3], pa.float32())},
        row_group_size=1,
    )
    found, reading = read(FORMAT, "run", path)
    assert found == [Ranking("q", ["a", "b"], [1.0, 0.5]), Ranking("p", ["c"], [2.0]), Ranking("q", ["d"], [3.0])]
    assert reading.rows == 4


def test_a_query_may_span_batches(tmp_path: Path) -> None:
    count = 25_000
    columns = {
        "query_id": ["q"] * count,
        "doc_id": [f"d{n}" for n in range(count)],
        "score": [float(-n) for n in range(count)],
    }
    (found,), _ = read(FORMAT, "run", table(tmp_path / "x.parquet", columns))
    assert (found.query_id, len(found.doc_ids), found.doc_ids[-1], found.scores[-1]) == ("q", count, "d24999", -24999.0)


def test_without_scores_the_rank_is_the_order_wherever_the_rows_are(tmp_path: Path) -> None:
    columns = {"qid": ["q", "p", "q", "q"], "docno": ["c", "x", "a", "b"], "rank": [2, 0, 0, 1], "tag": ["t"] * 4}
    found, _ = read(FORMAT, "run", table(tmp_path / "x.parquet", columns))
    assert found == [Ranking("q", ["a", "b", "c"], None, [0, 1, 2], "t"), Ranking("p", ["x"], None, [0], "t")]


def test_unusable_rows_are_named_by_their_number(tmp_path: Path) -> None:
    count = 10_000
    columns = {
        "query_id": ["q"] * count + [None, "q", "q"],
        "doc_id": [f"d{number}" for number in range(count)] + ["x", "y", "z"],
        "score": [1.0] * (count + 1) + [float("nan"), None],
    }
    with pytest.raises(InputErrors) as caught:
        read(FORMAT, "run", table(tmp_path / "x.parquet", columns))
    assert [error.message for error in caught.value.errors] == [
        "row 10,001, document x: the query id is missing (None)",
        "row 10,002, query q, document y: the score is not a number (NaN)",
        "row 10,003, query q, document z: the score is missing (None)",
    ]


def test_bytes_are_no_text(tmp_path: Path) -> None:
    path = table(tmp_path / "x.parquet", {"qid": [b"q"], "docno": ["a"], "label": [1]})
    with pytest.raises(InputErrors, match="the query id b'q' is a bytes, not text"):
        read(FORMAT, "judgments", path)


def test_a_run_is_not_taken_for_labels(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(written(FORMAT, "run", RUN))
    with pytest.raises(InputError, match="is a run: it has score and tag, and no grades"):
        read(FORMAT, "judgments", path)


def test_queries_and_documents_in_one_file_each(tmp_path: Path) -> None:
    path = table(tmp_path / "q.parquet", {"_id": ["q1", "q2"], "text": ["what", None], "instruction": ["do", None]})
    found, reading = read(FORMAT, "queries", path)
    assert found == [Query("q1", "what", {"instruction": "do"}), Query("q2", "")]
    assert str(reading.notes["textless-queries"]) == "1 row without a text; it is taken as empty"
    columns = {
        "id": [1, 2, 3],
        "title": ["", None, "T"],
        "text": ["a", "b", "c"],
        "meta": [{"n": 1}, None, {"n": None}],
    }
    found, reading = read(FORMAT, "documents", table(tmp_path / "d.parquet", columns))
    assert found == [
        Document("1", "a", "", {"meta": {"n": 1}}),
        Document("2", "b"),
        Document("3", "c", "T", {"meta": {"n": None}}),
    ]
    assert reading.rows == 3
    assert reading.notes["numeric-document-ids"].count == 3


def test_a_row_without_an_id_is_refused(tmp_path: Path) -> None:
    path = table(tmp_path / "d.parquet", {"_id": ["a", None, ""], "text": ["x", "y", "z"]})
    with pytest.raises(InputErrors) as caught:
        read(FORMAT, "documents", path)
    assert [error.message for error in caught.value.errors] == [
        "row 2: the document id is missing (None)",
        "row 3: the document id is empty",
    ]


@pytest.mark.parametrize(
    "part, columns, message",
    [
        ("queries", {"_id": ["q"]}, "has no column for the query text; its columns are _id"),
        ("documents", {"text": ["q"]}, "has no column for the document id; its columns are text"),
        ("judgments", {"a": [1]}, "has no column for the query id; its columns are a"),
    ],
)
def test_a_missing_column_is_named(tmp_path: Path, part: Any, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(FORMAT, part, table(tmp_path / "x.parquet", columns))
    assert str(caught.value) == f"mine: {message}"


@pytest.mark.parametrize("keep", [4, 100, -1, -8])
def test_a_damaged_file_is_refused(tmp_path: Path, keep: int) -> None:
    path = table(tmp_path / "x.parquet", {"qid": ["q"], "docno": ["a"], "label": [1]})
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InputError, match=r"^mine: is not a parquet file that can be read: "):
        read(FORMAT, "judgments", path)


def test_damage_inside_is_found_when_it_is_read(tmp_path: Path) -> None:
    path = table(tmp_path / "x.parquet", {"qid": ["q"], "docno": ["a"], "label": [1]}, compression="zstd")
    data = bytearray(path.read_bytes())
    start = data.index(b"\x28\xb5\x2f\xfd")  # zstandard's magic number: the first compressed page
    data[start : start + 4] = b"\0\0\0\0"
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match=r"^mine: is not a parquet file that can be read: "):
        read(FORMAT, "judgments", path)


def test_a_compressed_file_and_a_pipe_are_read_whole(tmp_path: Path) -> None:
    path = table(tmp_path / "x.parquet", {"qid": ["q"], "docno": ["a"], "label": [1]})
    packed = tmp_path / "x.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert labels(FORMAT, packed) == [("q", "a", 1)]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    feeding = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()))
    feeding.start()
    entry, source = identify(pipe, "judgments", Reading())
    assert entry is FORMAT
    assert entry.read_judgments is not None
    assert [label.key for label in entry.read_judgments(source, Reading())] == ["a"]
    feeding.join()


def test_a_file_is_recognised_by_its_first_bytes(tmp_path: Path) -> None:
    path = table(tmp_path / "anything", {"qid": ["q"], "docno": ["a"], "label": [1]})
    for part in ("judgments", "run", "queries", "documents"):
        assert identify(path, part, Reading())[0] is FORMAT


def test_labels_are_written_with_the_columns_of_ir_measures() -> None:
    found = pq.read_table(io.BytesIO(written(FORMAT, "judgments", LABELS)))
    assert found.to_pydict() == {"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d1"], "relevance": [1, 0, -2]}
    assert [str(kind) for kind in found.schema.types] == ["string", "string", "int64"]


def test_further_fields_get_a_column_only_where_there_are_any(tmp_path: Path) -> None:
    given = [
        Judgment("q", "a", 1, iteration="3", stratum="s", extra={"split": "dev"}),
        Judgment("q", "b", 0, query="what", labeled_by="human:me", labeled_at="2026-01-01T00:00:00Z", notes="n"),
    ]
    path = tmp_path / "x.parquet"
    path.write_bytes(written(FORMAT, "judgments", given))
    assert pq.read_schema(path).names == [
        "query_id", "doc_id", "relevance", "split", "iteration", "query", "labeled_by", "labeled_at", "stratum", "notes"
    ]  # fmt: skip
    assert read(FORMAT, "judgments", path)[0] == given


def test_a_run_is_written_with_the_columns_of_ir_measures() -> None:
    run = [*RUN, Ranking("q3", ["b", "a"], tag="t"), Ranking("q4", [])]
    found = pq.read_table(io.BytesIO(written(FORMAT, "run", run)))
    assert found.to_pydict() == {
        "query_id": ["q1", "q1", "q2", "q3", "q3"],
        "doc_id": ["d2", "d1", "d3", "b", "a"],
        "score": [1.5, 0.25, -1e-9, 2.0, 1.0],
        "tag": [None, None, None, "t", "t"],
    }
    assert [str(kind) for kind in found.schema.types] == ["string", "string", "double", "string"]


def test_a_long_run_is_written_in_batches_and_read_back(tmp_path: Path) -> None:
    run = [
        Ranking(f"q{q}", [f"d{d}" for d in range(900)], [float(-d) for d in range(900)], None, "t") for q in range(30)
    ]
    path = tmp_path / "x.parquet"
    path.write_bytes(written(FORMAT, "run", run))
    assert pq.ParquetFile(path).num_row_groups > 1
    assert read(FORMAT, "run", path)[0] == run


def test_equal_records_give_equal_bytes() -> None:
    assert written(FORMAT, "judgments", LABELS) == written(FORMAT, "judgments", iter(LABELS))


def test_a_chunk_label_is_written_under_its_chunk() -> None:
    label = Judgment("q", "doc", 1, chunk_id="c1:" + "0" * 32)
    assert pq.read_table(io.BytesIO(written(FORMAT, "judgments", [label])))["doc_id"].to_pylist() == ["c1:" + "0" * 32]


def test_no_records_are_a_file_without_rows() -> None:
    for part in ("judgments", "run"):
        assert pq.read_table(io.BytesIO(written(FORMAT, part, []))).num_rows == 0


def test_half_a_surrogate_pair_cannot_be_written() -> None:
    with pytest.raises(InputError, match="cannot be written as parquet"):
        written(FORMAT, "judgments", [Judgment("q", "\ud800", 1)])


@pytest.mark.parametrize("part", ["judgments", "run"])
def test_without_pyarrow_the_pip_line_is_named(tmp_path: Path, part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(tmp_path / "x.parquet", {"qid": ["q"], "docno": ["a"], "label": [1], "score": [1.0]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for call in (lambda: read(FORMAT, part, path), lambda: written(FORMAT, part, [])):
        with pytest.raises(MissingDependency) as caught:
            call()
        assert caught.value.hint == "pip install 'irbridge[parquet]'"


# ------------------------------------------------------------------------------------------------------------ a folder


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """A collection as the hub's tools lay it out."""
    table(tmp_path / "corpus/corpus-00000-of-00002.parquet", {"_id": ["d1"], "title": ["T"], "text": ["one"]})
    table(tmp_path / "corpus/corpus-00001-of-00002.parquet", {"_id": ["d2"], "title": [""], "text": ["two"]})
    table(tmp_path / "queries/queries-00000-of-00001.parquet", {"_id": ["q1"], "text": ["what"]})
    scores = pa.array([1], pa.int32())
    for split, doc in (("train", "d1"), ("test", "d2")):
        columns = {"query-id": ["q1"], "corpus-id": [doc], "score": scores}
        table(tmp_path / f"data/{split}-00000-of-00001.parquet", columns)
    return tmp_path


def test_a_folder_is_recognised_and_its_parts_are_read(hub: Path) -> None:
    assert identify(hub, "judgments", Reading())[0] is FORMAT
    assert read(FORMAT, "documents", hub)[0] == [Document("d1", "one", "T"), Document("d2", "two", "")]
    assert read(FORMAT, "queries", hub)[0] == [Query("q1", "what")]
    assert read(FORMAT, "judgments", hub)[0] == [Judgment("q1", "d2", 1)]


def test_the_splits_of_a_folder(hub: Path) -> None:
    assert labels(FORMAT, hub, split="train") == [("q1", "d1", 1)]
    found, _ = read(FORMAT, "judgments", hub, split="*")
    assert found == [
        Judgment("q1", "d2", 1, extra={"split": "test"}),
        Judgment("q1", "d1", 1, extra={"split": "train"}),
    ]
    with pytest.raises(InputError, match="mine: has no judgments of the split 'dev'; there are test, train"):
        labels(FORMAT, hub, split="dev")


def test_errors_name_the_file_in_the_folder(hub: Path) -> None:
    table(hub / "data/dev-00000-of-00001.parquet", {"query-id": ["q1"], "corpus-id": ["d"], "score": [0.5]})
    with pytest.raises(InputErrors) as caught:
        labels(FORMAT, hub, split="dev")
    assert str(caught.value) == (
        f"{hub}/data/dev-00000-of-00001.parquet: row 1, query q1, document d: relevance 0.5 is not a whole number"
    )


def test_a_folder_has_no_run(hub: Path) -> None:
    with pytest.raises(UsageError, match="is a folder and has no run: that is one file"):
        rankings(FORMAT, hub)


def test_a_folder_of_labels_alone_is_a_collection(tmp_path: Path) -> None:
    hub = tmp_path / "hub"
    columns = {"query-id": ["q"], "corpus-id": ["d"], "score": pa.array([1], pa.int32())}
    table(hub / "data/test-00000-of-00001.parquet", columns)
    assert dict(load_collection(hub, tmp_path / "out").parts).keys() == {"judgments"}
    for target in ("beir", "collection", "parquet"):
        assert convert(hub, target, tmp_path / target).rows_out == {"judgments": 1}
    for part in ("queries", "documents"):
        with pytest.raises(UsageError, match=f"has no {part}"):
            read(FORMAT, part, hub)


def test_a_file_of_labels_is_no_file_of_queries(tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    table(path, {"query_id": ["q", "q"], "doc_id": ["d", "e"], "relevance": [1, 0], "query": ["who?", "who?"]})
    for part in ("queries", "documents"):
        with pytest.raises(UsageError, match=f"mine has no {part}: it holds labels or a run"):
            read(FORMAT, part, path)
    assert convert(path, "beir", tmp_path / "out").rows_out == {"judgments": 2, "queries": 1}


def test_a_folder_with_none_of_it_is_not_recognised(tmp_path: Path) -> None:
    table(tmp_path / "images/a.parquet", {"x": [1]})
    with pytest.raises(InputError, match="is a folder in no known layout"):
        identify(tmp_path, "judgments", Reading())


COLLECTION = {
    "documents": [Document("d1", "one", "T"), Document("d2", "two", ""), Document("d3", "three")],
    "queries": [Query("q1", "what"), Query("q2", "")],
    "judgments": [Judgment("q1", "d1", 1), Judgment("q2", "d2", -1), Judgment("q2", "d3", 2)],
}


def save(folder: Path, **parts: Any) -> dict[Any, int]:
    assert FORMAT.write_folder is not None
    return FORMAT.write_folder(Collection(**{name: iter(records) for name, records in parts.items()}), folder)


def test_a_folder_is_laid_out_as_mteb_reads_it(tmp_path: Path) -> None:
    assert save(tmp_path, **COLLECTION) == {"documents": 3, "queries": 2, "judgments": 3}
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()) == [
        "README.md",
        "corpus/corpus-00000-of-00001.parquet",
        "default/test-00000-of-00001.parquet",
        "queries/queries-00000-of-00001.parquet",
    ]
    qrels = pq.read_table(tmp_path / "default/test-00000-of-00001.parquet")
    assert qrels.to_pydict() == {"query-id": ["q1", "q2", "q2"], "corpus-id": ["d1", "d2", "d3"], "score": [1, -1, 2]}
    assert [str(kind) for kind in qrels.schema.types] == ["string", "string", "int32"]
    corpus = pq.read_table(tmp_path / "corpus/corpus-00000-of-00001.parquet")
    assert corpus.to_pydict() == {"_id": ["d1", "d2", "d3"], "title": ["T", "", None], "text": ["one", "two", "three"]}
    queries = pq.read_table(tmp_path / "queries/queries-00000-of-00001.parquet")
    assert queries.to_pydict() == {"_id": ["q1", "q2"], "text": ["what", ""]}
    assert (tmp_path / "README.md").read_text() == (
        "---\nconfigs:\n"
        "- config_name: default\n  data_files:\n  - split: test\n    path: default/test-*.parquet\n"
        "- config_name: corpus\n  data_files:\n  - split: corpus\n    path: corpus/corpus-*.parquet\n"
        "- config_name: queries\n  data_files:\n  - split: queries\n    path: queries/queries-*.parquet\n"
        "---\n"
    )


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    save(tmp_path, **COLLECTION)
    for part, records in COLLECTION.items():
        assert read(FORMAT, part, tmp_path)[0] == records


def test_splits_go_back_to_their_files(tmp_path: Path) -> None:
    given = [
        Judgment("q", "a", 1, iteration="2", extra={"split": "train"}),
        Judgment("q", "b", 1, stratum="s", extra={"split": "dev"}),
        Judgment("p", "a", 0, extra={"split": "train"}),
    ]
    assert save(tmp_path, judgments=given) == {"judgments": 3}
    found, _ = read(FORMAT, "judgments", tmp_path, split="*")
    assert found == [given[1], given[0], given[2]]
    # `datasets` refuses a configuration whose splits differ in their columns.
    names = {path.name[:3]: pq.read_schema(path).names for path in (tmp_path / "default").iterdir()}
    assert names["tra"] == names["dev"] == ["query-id", "corpus-id", "score", "iteration", "stratum"]


@pytest.mark.parametrize("late", [0, 3, 10_500])
def test_further_fields_of_a_document_are_kept_wherever_they_begin(tmp_path: Path, late: int) -> None:
    documents = [Document(f"d{number}", "t") for number in range(late)]
    documents += [Document("x", "t", "T", {"metadata": {"url": "u", "n": [1, None]}}), Document("y", "t")]
    assert save(tmp_path, documents=documents) == {"documents": late + 2}
    assert read(FORMAT, "documents", tmp_path)[0] == documents


def test_further_fields_of_a_query_are_kept(tmp_path: Path) -> None:
    queries = [Query("a", "t"), Query("b", "t", {"instruction": "do"})]
    save(tmp_path, queries=queries)
    assert read(FORMAT, "queries", tmp_path)[0] == queries


@pytest.mark.parametrize("value", ["plain", "{not json"])
def test_a_column_called_fields_that_is_not_ours_is_a_field(tmp_path: Path, value: str) -> None:
    path = table(tmp_path / "d.parquet", {"_id": ["a"], "text": ["t"], "fields": [value]})
    assert read(FORMAT, "documents", path)[0] == [Document("a", "t", None, {"fields": value})]


@pytest.mark.parametrize(
    "parts, error, message",
    [
        ({"run": RUN}, UsageError, "the folder layout has no place for a run"),
        ({"judgments": [Judgment("q", "d", 1, extra={"split": "../x"})]}, InputError, "is no name that the hub takes"),
        ({"judgments": [Judgment("q", "d", 1, extra={"split": 3})]}, InputError, "is no name that the hub takes"),
        # 2^31 - 1 is the largest int32, MTEB's type for grades.
        ({"judgments": [Judgment("q", "d", 2**31)]}, InputError, "cannot be written as parquet"),
    ],
)
def test_what_the_layout_cannot_hold_is_refused(
    tmp_path: Path, parts: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        save(tmp_path, **parts)


def test_a_failed_write_leaves_no_broken_file(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        save(tmp_path, judgments=[Judgment("q", "d", 2**31)])
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("name, part, expected", [
    ("qrels.parquet", "judgments", [("q1", "d1", 1), ("q1", "d2", 2), ("q1", "d3", 3), ("q2", "d1", 1), ("q2", "d2", 2)]),
    ("run.parquet", "run", [("q1", ["d3", "d2", "d1"], [0.3, 0.2, 0.1]), ("q2", ["d2", "d1"], [0.2, 0.1])]),
])  # fmt: skip
def test_ranx_own_files(shared: Path, name: str, part: str, expected: Any) -> None:
    # Written out by hand from qrels.json and run.json of the same folder.
    path = shared / "data" / "fixtures-small" / "ranx" / name
    assert (labels if part == "judgments" else rankings)(FORMAT, path) == expected
