"""BEIR's own GenericDataLoader reads what irbridge writes, and irbridge reads what it reads."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.formats.base import Collection
from irbridge.formats.beir import FORMAT
from irbridge.model import Document, Judgment, Query
from irbridge.reading import Reading
from irbridge.source import Source

pytest.importorskip("beir")

# BEIR's loader never closes the labels.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

HEADER = "query-id\tcorpus-id\tscore\n"

Loaded = tuple[dict[str, dict[str, Any]], dict[str, str], dict[str, dict[str, int]]]


def beir(folder: Path, split: str = "test") -> Loaded:
    """Documents, judged queries and labels as BEIR loads them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from beir.datasets.data_loader import GenericDataLoader

    loaded: Loaded = GenericDataLoader(data_folder=str(folder)).load(split=split)
    return loaded


def ours(folder: Path, split: str = "test") -> Loaded:
    """The same, as irbridge reads it; what BEIR does not keep is left out."""
    source = Source(folder)
    assert FORMAT.read_documents is not None
    assert FORMAT.read_judgments is not None
    corpus = {
        document.doc_id: {"text": document.text, "title": document.title}
        for document in FORMAT.read_documents(source, Reading())
    }
    queries: dict[str, str] = {}
    qrels: dict[str, dict[str, int]] = {}
    for label in FORMAT.read_judgments(source, Reading(split=split)):
        qrels.setdefault(label.query_id, {})[label.doc_uri] = label.relevance
        assert label.query is not None
        queries[label.query_id] = label.query
    return corpus, queries, qrels


def copied(folder: Path, target: Path) -> Path:
    source = Source(folder)
    assert FORMAT.read_documents is not None
    assert FORMAT.read_judgments is not None
    assert FORMAT.read_queries is not None
    assert FORMAT.write_folder is not None
    parts = Collection(
        judgments=FORMAT.read_judgments(source, Reading(split="*")),
        queries=FORMAT.read_queries(source, Reading()),
        documents=FORMAT.read_documents(source, Reading()),
    )
    FORMAT.write_folder(parts, target)
    return target


@pytest.mark.parametrize("split", ["test", "train"])
def test_scifact_is_the_same_to_both(shared: Path, split: str) -> None:
    folder = shared / "data" / "beir" / "scifact"
    assert ours(folder, split) == beir(folder, split)


def test_scifact_comes_back_to_the_byte(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "beir" / "scifact"
    target = copied(folder, tmp_path / "copy")
    names = ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv", "qrels/train.tsv"]
    assert [name for name in names if (folder / name).read_bytes() != (target / name).read_bytes()] == []


def folder_of(path: Path, corpus: str, queries: str, qrels: str) -> Path:
    (path / "qrels").mkdir(parents=True)
    (path / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    (path / "queries.jsonl").write_text(queries, encoding="utf-8")
    (path / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8", newline="")
    return path


PLAIN = '{"_id":"d","text":"t"}\n'

# What BEIR reads: (corpus, queries, rows below the header).
NASTY = {
    "titles": (
        '{"_id":"a","text":"t"}\n{"_id":"b","text":"t","title":null}\n{"_id":"c","text":"t","title":""}\n',
        None,
        None,
    ),
    "no final newline": ('{"_id":"a","text":"t"}', '{"_id":"q","text":"x"}', "q\ta\t1"),
    "white space in the JSON": ('  { "_id" : "a" ,\t"text":"t" }  \n', None, None),
    "escapes": ('{"_id":"caf\\u00e9","text":"\\ud83d\\ude00 \\n\\t\\u2028"}\n', None, "q\tcaf\u00e9\t1\n"),
    "line separators in text": ('{"_id":"a","text":"x\u2028y\u0085z\x7f"}\n', None, None),
    "a document twice": ('{"_id":"a","text":"1"}\n{"_id":"a","text":"2"}\n', None, None),
    "a query twice": (None, '{"_id":"q","text":"1"}\n{"_id":"q","text":"2"}\n', None),
    "an empty query": (None, '{"_id":"q","text":""}\n', None),
    "spaces in ids": (None, '{"_id":" q 1 ","text":"x"}\n', " q 1 \td  e\t1\n"),
    "quotes inside ids": (None, '{"_id":"q\\"1\\"","text":"x"}\n', 'q"1"\td\'"\t1\n'),
    "quoted rows": (None, '{"_id":"q\\"1","text":"x"}\n', '"q""1"\t"d"\t"2"\n'),
    "CRLF": (None, None, "q\ta\t1\r\nq\tb\t0\r\n"),
    "signs and spaces": (None, None, "q\ta\t-1\nq\tb\t+2\nq\tc\t 3 \nq\td\t007\n"),
    "a row twice": (None, None, "q\ta\t1\nq\ta\t1\n"),
    "hash signs": (None, '{"_id":"#q","text":"x"}\n', "#q\t#d\t1\n"),
    "unknown documents": (None, None, "q\tnowhere\t1\n"),
    "right-to-left and combining": (None, '{"_id":"\u05d0\u0301","text":"x"}\n', "\u05d0\u0301\t\u202ed\t1\n"),
}


@pytest.mark.parametrize("case", NASTY)
def test_what_beir_reads_we_read_the_same_before_and_after_writing(tmp_path: Path, case: str) -> None:
    corpus, queries, rows = NASTY[case]
    folder = folder_of(
        tmp_path / "a", corpus or PLAIN, queries or '{"_id":"q","text":"x"}\n', HEADER + (rows or "q\td\t1\n")
    )
    expected = beir(folder)
    assert ours(folder) == expected
    assert beir(copied(folder, tmp_path / "b")) == expected


def test_a_quoted_tab_is_read_by_both_and_written_by_neither(tmp_path: Path) -> None:
    """tests/unit/formats/test_beirlines.py has the refusal."""
    folder = folder_of(tmp_path, PLAIN, '{"_id":"q","text":"x"}\n', HEADER + 'q\t"a\tb"\t2\n')
    assert ours(folder)[2] == beir(folder)[2] == {"q": {"a\tb": 2}}


def test_a_byte_order_mark_before_the_labels_hides_nothing_from_either(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, PLAIN, '{"_id":"q","text":"x"}\n', "\ufeff" + HEADER + "q\td\t1\n")
    assert ours(folder) == beir(folder)


class TestWhereBeirStumbles:
    """Input that BEIR's loader refuses or misreads; irbridge reads it, and what it writes is safe for BEIR."""

    def check(self, tmp_path: Path, corpus: str, queries: str, qrels: str, expected: dict[str, dict[str, int]]) -> None:
        folder = folder_of(tmp_path / "a", corpus, queries, qrels)
        try:
            stumbles = beir(folder)[2] != expected
        except (KeyError, ValueError, IndexError):
            stumbles = True
        assert stumbles
        assert ours(folder)[2] == expected
        assert beir(copied(folder, tmp_path / "b"))[2] == expected

    def test_no_header(self, tmp_path: Path) -> None:
        self.check(tmp_path, PLAIN, '{"_id":"q","text":"x"}\n', "q\td\t1\nq\te\t1\n", {"q": {"d": 1, "e": 1}})

    def test_blank_lines(self, tmp_path: Path) -> None:
        self.check(
            tmp_path,
            "\n" + PLAIN + "\n",
            '{"_id":"q","text":"x"}\n\n',
            HEADER + "q\td\t1\n\nq\te\t1\n\n",
            {"q": {"d": 1, "e": 1}},
        )

    def test_numbers_as_ids(self, tmp_path: Path) -> None:
        self.check(tmp_path, '{"_id":7,"text":"t"}\n', '{"_id":8,"text":"x"}\n', HEADER + "8\t7\t1\n", {"8": {"7": 1}})

    def test_whole_fractions(self, tmp_path: Path) -> None:
        self.check(tmp_path, PLAIN, '{"_id":"q","text":"x"}\n', HEADER + "q\td\t1.0\n", {"q": {"d": 1}})

    def test_a_quote_that_is_never_closed(self, tmp_path: Path) -> None:
        rows = '"q\td\t1\nq2\td\t1\n'
        queries = '{"_id":"\\"q","text":"x"}\n{"_id":"q2","text":"x"}\n'
        self.check(tmp_path, PLAIN, queries, HEADER + rows, {'"q': {"d": 1}, "q2": {"d": 1}})

    def test_columns_in_another_order(self, tmp_path: Path) -> None:
        qrels = "corpus-id\tquery-id\tscore\nd\tq\t1\n"
        self.check(tmp_path, PLAIN, '{"_id":"q","text":"x"}\n', qrels, {"q": {"d": 1}})


# Any id that a row can hold.
ids = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\t\n\r\0"), min_size=1, max_size=8)
awkward = st.text(st.sampled_from("\"'a #\\,;\u2028\x0b\x85"), min_size=1, max_size=5)


@given(
    labels=st.dictionaries(st.tuples(ids | awkward, ids | awkward), st.integers(-5, 5), min_size=1, max_size=6),
    text=st.text(st.characters(exclude_categories=("Cs",)), max_size=20),
    title=st.none() | st.text(st.characters(exclude_categories=("Cs",)), max_size=5),
)
def test_whatever_is_written_beir_reads_back(
    tmp_path_factory: pytest.TempPathFactory,
    labels: dict[tuple[str, str], int],
    text: str,
    title: str | None,
) -> None:
    folder = tmp_path_factory.mktemp("written")
    assert FORMAT.write_folder is not None
    FORMAT.write_folder(
        Collection(
            judgments=[Judgment(query, document, grade) for (query, document), grade in labels.items()],
            queries=[Query(query, text) for query in dict.fromkeys(query for query, _ in labels)],
            documents=[
                Document(document, text, title) for document in dict.fromkeys(document for _, document in labels)
            ],
        ),
        folder,
    )
    expected: Loaded = ({}, {}, {})
    for (query, document), grade in labels.items():
        expected[0][document] = {"text": text, "title": title}
        expected[1][query] = text
        expected[2].setdefault(query, {})[document] = grade
    assert beir(folder) == expected
    assert ours(folder) == expected
