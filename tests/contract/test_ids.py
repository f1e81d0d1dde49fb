"""An id is an id in every format (spec/formats.md 1.1): what cannot be one is refused wherever it comes from.

The registry decides what is tested: a format that is new and not in `MAKERS` fails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.collections import record, registered

from irbridge.errors import InputError
from irbridge.formats import FORMATS, Part
from irbridge.model import Document, Judgment, Query, Ranking
from irbridge.reading import Reading
from irbridge.source import Source

BAD = {"empty": "", "nul": "x\0", "half a pair": "\ud800"}
PARTS: tuple[Part, ...] = ("judgments", "run", "queries", "documents")

Maker = Callable[[Path, Part, str, str], Any]


def _file(path: Path, text: str) -> Source:
    """Text that may hold half a surrogate pair, as a program writes it that does not care."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return Source(path)


def _text(pattern: str) -> Maker:
    return lambda path, part, query, doc: _file(path / "input", pattern.format(q=query, d=doc))


def _judgments(path: Path, part: Part, query: str, doc: str) -> Source:
    return _file(path / "input", json.dumps({"query_id": query, "doc_uri": doc, "relevance": 1}) + "\n")


def _run(path: Path, part: Part, query: str, doc: str) -> Source:
    return _file(path / "input", json.dumps({"query_id": query, "ranking": [doc]}) + "\n")


def _nested(path: Path, part: Part, query: str, doc: str) -> Source:
    return _file(path / "input", json.dumps({query: {doc: 1}}))


def _texts(path: Path, query: str, doc: str) -> None:
    _file(path / "queries.jsonl", json.dumps({"_id": query, "text": "t"}) + "\n")
    _file(path / "corpus.jsonl", json.dumps({"_id": doc, "text": "t"}) + "\n")


def _beir(path: Path, part: Part, query: str, doc: str) -> Source:
    _texts(path, "q" if part == "judgments" else query, doc)
    _file(path / "qrels" / "test.tsv", f"query-id\tcorpus-id\tscore\n{query}\t{doc}\t1\n")
    return Source(path)


def _collection(path: Path, part: Part, query: str, doc: str) -> Source:
    _texts(path, query, doc)
    _judgments(path, part, query, doc)
    (path / "input").rename(path / "judgments.jsonl")
    _run(path, part, query, doc)
    (path / "input").rename(path / "run.jsonl")
    return Source(path)


def _irds(path: Path, part: Part, query: str, doc: str) -> str:
    return registered(
        qrels=[record(query_id=query, doc_id=doc, relevance=1)],
        scoreddocs=[record(query_id=query, doc_id=doc, score=1.0)],
        queries=[record(query_id=query, text="t")],
        docs=[record(doc_id=doc, text="t")],
    )


def _arrow(path: Path, part: Part, query: str, doc: str) -> Any:
    import pyarrow as pa

    def text(value: str) -> Any:
        # Arrow keeps what it is given: bytes that are called text need be no UTF-8.
        return pa.array([value.encode("utf-8", "surrogatepass")], pa.binary()).view(pa.string())

    if part in {"queries", "documents"}:
        return pa.table({"_id": text(query if part == "queries" else doc), "text": ["t"]})
    last = {"relevance": [1]} if part == "judgments" else {"score": [1.0]}
    return pa.table({"query_id": text(query), "doc_id": text(doc), **last})


def _parquet(path: Path, part: Part, query: str, doc: str) -> Source:
    import pyarrow.parquet

    pyarrow.parquet.write_table(_arrow(path, part, query, doc), path / "input")
    return Source(path / "input")


def _columns(part: Part, query: str, doc: str) -> dict[str, list[Any]]:
    return {"query_id": [query], "doc_id": [doc], "relevance" if part == "judgments" else "score": [1]}


def _pandas(path: Path, part: Part, query: str, doc: str) -> Any:
    import pandas as pd

    # Of objects: its own texts take none that is no UTF-8.
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in _columns(part, query, doc).items()})


def _polars(path: Path, part: Part, query: str, doc: str) -> Any:
    import polars as pl

    if not doc.isascii() or not query.isascii():
        return None  # it takes no text that is no UTF-8
    return pl.DataFrame(_columns(part, query, doc))


def _records(path: Path, part: Part, query: str, doc: str) -> list[Any]:
    return [Judgment(query, doc, 1) if part == "judgments" else Ranking(query, [doc])]


def _lines(path: Path, part: Part, query: str, doc: str) -> Source:
    _texts(path, query, doc)
    return Source(path / ("queries.jsonl" if part == "queries" else "corpus.jsonl"))


def _folder(path: Path, part: Part, query: str, doc: str) -> Source | None:
    if not doc or "\0" in doc:
        return None  # no file system takes such a name
    Path(os.fsdecode(os.fsencode(path) + b"/" + doc.encode("utf-8", "surrogatepass") + b".md")).write_text("t")
    return Source(path)


def _own(path: Path, part: Part, query: str, doc: str) -> list[Any]:
    return [Query(query, "t") if part == "queries" else Document(doc, "t")]


MAKERS: dict[str, Maker] = {
    "texts": _lines,
    "text-folder": _folder,
    "own-records": _own,
    "judgments": _judgments,
    "trec-qrels": _text("{q} 0 {d} 1\n"),
    "prefs": _text("{q} 0 0 {d} 1\n"),
    "qrels-prefs": _text("{q} 0 {d} 1\n"),
    "beir-qrels": _text("query-id\tcorpus-id\tscore\n{q}\t{d}\t1\n"),
    "ranx-qrels": _nested,
    "run": _run,
    "trec-run": _text("{q} Q0 {d} 1 1.5 t\n"),
    "msmarco-run": _text("{q}\t{d}\t1\n"),
    "ranx-run": _nested,
    "beir": _beir,
    "collection": _collection,
    "parquet": _parquet,
    "irds": _irds,
    "pytrec": lambda path, part, query, doc: {query: {doc: 1}},
    "ir-measures": _records,
    "pandas": _pandas,
    "pyterrier": _pandas,
    "polars": _polars,
    "pyarrow": _arrow,
}
CASES = [
    pytest.param(entry.name, part, what, id=f"{entry.name}-{part}-{what}")
    for entry in FORMATS
    for part in PARTS
    if entry.reader(part)
    for what in (
        ("query", "document") if part in {"judgments", "run"} else ("query" if part == "queries" else "document",)
    )
]


def _given(name: str, part: Part, path: Path, query: str, doc: str) -> Any:
    """An input of the format, or None where its library takes no such id."""
    needs = {"parquet": "pyarrow", "pyarrow": "pyarrow", "pandas": "pandas", "pyterrier": "pandas", "polars": "polars"}
    pytest.importorskip(needs.get(name, "irbridge"))
    return MAKERS[name](path, part, query, doc)


def _read(name: str, part: Part, given: Any) -> list[Any]:
    reader = FORMATS.get(name).reader(part)
    assert reader is not None
    return list(reader(given, Reading("input")))


@pytest.mark.parametrize("name, part, what", CASES)
def test_a_usual_id_is_taken(tmp_path: Path, name: str, part: Part, what: str) -> None:
    assert _read(name, part, _given(name, part, tmp_path, "q", "d"))


@pytest.mark.parametrize("bad", list(BAD))
@pytest.mark.parametrize("name, part, what", CASES)
def test_what_can_be_no_id_is_refused(tmp_path: Path, name: str, part: Part, what: str, bad: str) -> None:
    query, doc = (BAD[bad], "d") if what == "query" else ("q", BAD[bad])
    given = _given(name, part, tmp_path, query, doc)
    if given is None:
        return  # its library takes no such text
    with pytest.raises(InputError):
        _read(name, part, given)


def test_half_a_pair_in_ranx_s_packed_form_is_refused(tmp_path: Path) -> None:
    """CBOR of {id: {"d": 1}} by hand (RFC 8949, 3): 0xa1 a map of one pair, 0x60 + n a text of n bytes, 0x01 the number 1."""
    lz4 = pytest.importorskip("lz4.frame")
    for raw in (b"\xed\xa0\x80", b"x\0", b""):
        packed = b"\xa1" + bytes([0x60 + len(raw)]) + raw + b"\xa1\x61d\x01"
        path = tmp_path / "run.lz4"
        path.write_bytes(lz4.compress(lz4.compress(packed)))
        with pytest.raises(InputError):
            list(FORMATS.get("ranx-run").reader("run")(Source(path), Reading()))  # type: ignore[misc]
