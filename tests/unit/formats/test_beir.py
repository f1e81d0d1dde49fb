from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from irbridge.errors import InputError, InputErrors, UsageError
from irbridge.formats import FORMATS
from irbridge.formats.base import Collection, Head
from irbridge.formats.beir import FORMAT
from irbridge.model import Document, Judgment, Query
from irbridge.reading import Reading
from irbridge.source import Source

CORPUS = '{"_id": "d1", "title": "One", "text": "first", "metadata": {"n": 1}}\n{"_id": "d2", "text": "second"}\n'
QUERIES = '{"_id": "q1", "text": "who?", "metadata": {}}\n{"_id": "q2", "text": "why?"}\n'
HEADER = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "beir"
    (made / "qrels").mkdir(parents=True)
    (made / "corpus.jsonl").write_text(CORPUS)
    (made / "queries.jsonl").write_text(QUERIES)
    (made / "qrels" / "test.tsv").write_text(HEADER + "q1\td1\t2\nq1\td2\t-1\n")
    (made / "qrels" / "dev.tsv").write_text(HEADER + "q2\td2\t1\n")
    return made


def judgments(folder: Path, reading: Reading | None = None) -> list[Judgment]:
    assert FORMAT.read_judgments is not None
    return list(FORMAT.read_judgments(Source(folder), reading or Reading()))


class TestSplits:
    def test_test_is_the_default(self, folder: Path) -> None:
        assert judgments(folder) == [Judgment("q1", "d1", 2, "who?"), Judgment("q1", "d2", -1, "who?")]

    def test_one_can_be_named(self, folder: Path) -> None:
        assert judgments(folder, Reading(split="dev")) == [Judgment("q2", "d2", 1, "why?")]

    def test_the_only_one_needs_no_name(self, folder: Path) -> None:
        (folder / "qrels" / "test.tsv").unlink()
        assert judgments(folder) == [Judgment("q2", "d2", 1, "why?")]

    def test_all_of_them_are_marked(self, folder: Path) -> None:
        reading = Reading(split="*")
        found = judgments(folder, reading)
        assert [(label.query_id, dict(label.extra)) for label in found] == [
            ("q2", {"split": "dev"}),
            ("q1", {"split": "test"}),
            ("q1", {"split": "test"}),
        ]
        assert reading.rows == 3

    def test_without_a_default_they_are_listed(self, folder: Path) -> None:
        (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "train.tsv")
        with pytest.raises(UsageError, match="several splits") as raised:
            judgments(folder)
        assert raised.value.hint == "name one: dev, train; or * for all"

    def test_one_that_is_not_there_is_refused(self, folder: Path) -> None:
        with pytest.raises(UsageError, match="has no split 'val'") as raised:
            judgments(folder, Reading(split="val"))
        assert raised.value.hint == "its splits: dev, test; or * for all"

    @pytest.mark.parametrize("name", ["notes.txt", ".hidden.tsv"])
    def test_other_files_are_no_splits(self, folder: Path, name: str) -> None:
        (folder / "qrels" / name).write_text("x")
        assert len(judgments(folder, Reading(split="*"))) == 3


class TestReading:
    def test_compressed_files_are_read_as_well(self, folder: Path) -> None:
        for path in (folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / "test.tsv"):
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
            path.unlink()
        assert [label.query for label in judgments(folder)] == ["who?", "who?"]
        assert FORMAT.read_documents is not None
        assert [document.doc_id for document in FORMAT.read_documents(Source(folder), Reading())] == ["d1", "d2"]
        assert FORMAT.sniff is not None
        assert FORMAT.sniff(Head.of(Source(folder))) == 90

    def test_a_judged_query_without_text_is_kept_and_noted(self, folder: Path) -> None:
        (folder / "qrels" / "test.tsv").write_text(HEADER + "q9\td1\t1\nq9\td2\t1\nq1\td1\t1\n")
        reading = Reading()
        assert [label.query for label in judgments(folder, reading)] == [None, None, "who?"]
        assert reading.notes["unknown-queries"].count == 1

    def test_no_queries_at_all_leave_the_labels(self, folder: Path) -> None:
        (folder / "queries.jsonl").unlink()
        assert [label.query for label in judgments(folder)] == [None, None]

    @pytest.mark.parametrize("part, name", [("queries", "queries.jsonl"), ("documents", "corpus.jsonl")])
    def test_a_part_that_is_not_there_is_named(self, folder: Path, part: str, name: str) -> None:
        (folder / name).unlink()
        reader = FORMAT.reader(part)  # type: ignore[arg-type]
        assert reader is not None
        with pytest.raises(UsageError, match=f"has no {part}: there is no {name} in it"):
            list(reader(Source(folder), Reading()))

    def test_no_labels_are_named(self, folder: Path) -> None:
        for path in (folder / "qrels").iterdir():
            path.unlink()
        with pytest.raises(UsageError, match="has no judgments"):
            judgments(folder)

    def test_errors_name_the_file_in_the_folder(self, folder: Path) -> None:
        (folder / "qrels" / "test.tsv").write_text(HEADER + "q1\td1\tx\n")
        with pytest.raises(InputErrors, match=r"qrels/test\.tsv:2: the grade is not a number"):
            judgments(folder)
        (folder / "queries.jsonl").write_text("{}\n")
        with pytest.raises(InputErrors, match=r'queries\.jsonl:1: there is no "_id"'):
            judgments(folder)

    def test_a_byte_order_mark_is_noted_where_it_is(self, folder: Path) -> None:
        for name in ("corpus.jsonl", "queries.jsonl"):
            (folder / name).write_text("\ufeff" + (folder / name).read_text())
        reading = Reading()
        assert FORMAT.read_documents is not None
        assert FORMAT.read_queries is not None
        assert len(list(FORMAT.read_documents(Source(folder), reading))) == 2
        assert len(list(FORMAT.read_queries(Source(folder), reading))) == 2
        assert reading.notes["bom"].count == 2


class TestSniffing:
    @pytest.mark.parametrize(
        "names, certainty",
        [
            (["corpus.jsonl", "qrels"], 90),
            (["qrels"], 60),
            (["corpus.jsonl", "queries.jsonl.gz"], 70),
            (["queries.jsonl"], 50),
            (["x"], 0),
            ([], 0),
        ],
    )
    def test_certainty(self, names: list[str], certainty: int) -> None:
        assert FORMAT.sniff is not None
        assert FORMAT.sniff(Head("x", is_dir=True, entries=tuple(names))) == certainty
        assert FORMAT.sniff(Head("x", is_dir=False, entries=tuple(names))) == 0


class TestWriting:
    def test_a_folder_comes_back_to_the_byte(self, folder: Path, tmp_path: Path) -> None:
        source = Source(folder)
        assert FORMAT.read_documents is not None
        assert FORMAT.read_queries is not None
        assert FORMAT.write_folder is not None
        rows = FORMAT.write_folder(
            Collection(
                judgments=judgments(folder, Reading(split="*")),
                queries=FORMAT.read_queries(source, Reading()),
                documents=FORMAT.read_documents(source, Reading()),
            ),
            tmp_path / "copy",
        )
        assert rows == {"documents": 2, "queries": 2, "judgments": 3}
        written = {
            str(path.relative_to(tmp_path / "copy")): path.read_bytes() for path in (tmp_path / "copy").rglob("*.*")
        }
        original = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}
        assert written == original

    def write(self, folder: Path, *labels: Judgment, **parts: object) -> dict[str, int]:
        assert FORMAT.write_folder is not None
        return dict(FORMAT.write_folder(Collection(judgments=iter(labels), **parts), folder))  # type: ignore[arg-type]

    def test_splits_may_come_in_any_order_and_default_to_test(self, tmp_path: Path) -> None:
        train = {"split": "train"}
        self.write(
            tmp_path, Judgment("a", "d", 1, extra=train), Judgment("b", "d", 1), Judgment("c", "d", 1, extra=train)
        )
        assert (tmp_path / "qrels" / "train.tsv").read_text() == HEADER + "a\td\t1\nc\td\t1\n"
        assert (tmp_path / "qrels" / "test.tsv").read_text() == HEADER + "b\td\t1\n"

    def test_queries_come_from_the_labels_where_there_are_no_others(self, tmp_path: Path) -> None:
        rows = self.write(tmp_path, Judgment("a", "d", 1, "who?"), Judgment("a", "e", 1, "who?"), Judgment("b", "e", 1))
        assert rows == {"judgments": 3, "queries": 1}
        assert (tmp_path / "queries.jsonl").read_text() == '{"_id":"a","text":"who?"}\n'

    def test_an_empty_part_leaves_no_file(self, tmp_path: Path) -> None:
        rows = self.write(tmp_path, Judgment("a", "d", 1), queries=iter(()), documents=iter(()))
        assert rows == {"judgments": 1, "queries": 0, "documents": 0}
        assert [path.name for path in tmp_path.iterdir()] == ["qrels"]

    @pytest.mark.parametrize("split", ["../x", "a/b", "", ".x", None, ["test"], "a b"])
    def test_a_split_that_is_no_file_name_is_refused(self, tmp_path: Path, split: object) -> None:
        with pytest.raises(InputError, match="cannot be a file name"):
            self.write(tmp_path, Judgment("a", "d", 1, extra={"split": split}))

    def test_nothing_half_written_is_left(self, tmp_path: Path) -> None:
        with pytest.raises(InputError):
            self.write(tmp_path, Judgment("a", "d", 1), Judgment("a", "d\te", 1))
        assert list((tmp_path / "qrels").iterdir()) == []

    def test_records_of_other_formats_are_written_in_beirs_shape(self, tmp_path: Path) -> None:
        self.write(
            tmp_path,
            Judgment("q", "d", 1),
            queries=[Query("q", "caf\u00e9?")],
            documents=[Document("d", "t", "T", {"u": 1})],
        )
        assert (tmp_path / "corpus.jsonl").read_text() == '{"_id":"d","title":"T","text":"t","u":1}\n'
        assert (tmp_path / "queries.jsonl").read_text() == '{"_id":"q","text":"caf\u00e9?"}\n'


def test_it_is_registered() -> None:
    assert FORMATS.get("beir") is FORMAT


@pytest.mark.skipif(sys.platform == "win32", reason="limits of open files are POSIX's")
def test_more_splits_than_a_process_may_have_files_open(tmp_path: Path) -> None:
    """5,000 splits whose rows come in turns, under a limit of 256 open files; there and back."""
    count = 5000
    rows = [
        {"query_id": f"q{n}", "doc_uri": f"d{part}", "relevance": part, "split": f"s{n:04}"}
        for part in (1, 2)
        for n in range(count)
    ]
    (tmp_path / "j.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)); from irbridge.cli.main import run;"
        "sys.exit(run(['convert', 'j.jsonl', '--to', 'beir', '-o', 'out', '--split', 'all'])"
        " or run(['convert', 'out', '--split', 'all', '--to', 'judgments', '-o', 'back.jsonl']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out" / "qrels").iterdir())) == count
    for name in ("s0000", "s0063", "s0064", "s4999"):
        number = int(name[1:])
        wanted = f"{HEADER}q{number}\td1\t1\nq{number}\td2\t2\n"
        assert (tmp_path / "out" / "qrels" / f"{name}.tsv").read_text() == wanted
    back = [json.loads(line) for line in (tmp_path / "back.jsonl").read_text().splitlines()]
    assert sorted(map(str, back)) == sorted(map(str, rows))
