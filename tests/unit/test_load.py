from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from irbridge.errors import InputError, UnknownName, UsageError
from irbridge.inputs import Input, part_of
from irbridge.load import datasets, load_collection
from irbridge.manifest import Manifest
from irbridge.model import Judgment
from irbridge.reading import Reading

ir_datasets = pytest.importorskip("ir_datasets")

HEADER = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    made = tmp_path / "tiny"
    (made / "qrels").mkdir(parents=True)
    (made / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "One", "text": "first"}\n{"_id": "d2", "text": "second"}\n'
    )
    (made / "queries.jsonl").write_text('{"_id": "q1", "text": "who?"}\n{"_id": "q2", "text": "why?"}\n')
    (made / "qrels" / "test.tsv").write_text(HEADER + "q1\td1\t2\nq1\td2\t-1\n")
    (made / "qrels" / "dev.tsv").write_text(HEADER + "q2\td2\t1\n")
    return made


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class TestLoading:
    def test_a_beir_folder(self, beir: Path, tmp_path: Path) -> None:
        manifest = load_collection(beir, tmp_path / "out")
        assert Manifest.read(tmp_path / "out") == manifest
        assert content(tmp_path / "out").keys() == {"judgments.jsonl", "queries.jsonl", "corpus.jsonl", "manifest.json"}
        assert (tmp_path / "out" / "corpus.jsonl").read_bytes() == (beir / "corpus.jsonl").read_bytes()
        assert (tmp_path / "out" / "queries.jsonl").read_bytes() == (beir / "queries.jsonl").read_bytes()
        assert manifest.source == {"name": "tiny", "format": "beir", "split": None}
        assert (manifest.judged_queries, manifest.grades) == (1, {2: 1, -1: 1})
        for part in manifest.parts.values():
            found = (tmp_path / "out" / part.file).read_bytes()
            assert part.sha256 == hashlib.sha256(found).hexdigest()
            assert part.rows == found.count(b"\n")

    def test_all_splits_are_marked(self, beir: Path, tmp_path: Path) -> None:
        load_collection(beir, tmp_path / "out", split="*")
        rows = [json.loads(line) for line in (tmp_path / "out" / "judgments.jsonl").read_text().splitlines()]
        assert [row["split"] for row in rows] == ["dev", "test", "test"]

    def test_a_file_of_labels_alone(self, beir: Path, tmp_path: Path) -> None:
        manifest = load_collection(beir / "qrels" / "test.tsv", tmp_path / "out")
        assert list(manifest.parts) == ["judgments"]
        assert manifest.source["name"] == "test.tsv"

    def test_an_input_that_was_opened(self, beir: Path, tmp_path: Path) -> None:
        assert len(load_collection(Input(beir, "judgments"), tmp_path / "out").parts) == 3

    def test_documents_can_be_left_out(self, beir: Path, tmp_path: Path) -> None:
        manifest = load_collection(beir, tmp_path / "out", without_documents=True)
        assert list(manifest.parts) == ["judgments", "queries"]
        assert manifest.notes[-1:] == ["the documents were left out"]
        assert "there is also dev" in manifest.notes[0]

    def test_progress_is_told_for_every_part(self, beir: Path, tmp_path: Path) -> None:
        told: list[tuple[str, int]] = []
        (beir / "corpus.jsonl").write_text("".join(f'{{"_id":"{number}","text":"t"}}\n' for number in range(2500)))
        load_collection(beir, tmp_path / "out", progress=lambda part, rows: told.append((part, rows)))
        assert told == [("judgments", 2), ("queries", 2), ("documents", 1000), ("documents", 2000), ("documents", 2500)]

    def test_equal_collections_have_equal_bytes(self, beir: Path, tmp_path: Path) -> None:
        load_collection(beir, tmp_path / "a")
        load_collection(beir, tmp_path / "b")
        assert content(tmp_path / "a") == content(tmp_path / "b")

    def test_what_was_noticed_is_in_the_manifest(self, beir: Path, tmp_path: Path) -> None:
        (beir / "qrels" / "test.tsv").write_text(HEADER + "q1\td1\t2\nq1\td1\t2\nq9\td1\t1.0\nq1\td1\t1\n")
        manifest = load_collection(beir, tmp_path / "out", split="test")
        assert manifest.parts["judgments"].rows == 3
        assert manifest.notes == [
            "1 repeated judgment, equal to an earlier one, collapsed",
            "1 grade such as 1.0 is read as a whole number (first at line 4)",
            "1 judged query has no text; BEIR's own loader would stop at it",
            "1 judgment contradicts an earlier one of the same document; no score of them can pass",
        ]


class TestPublicCollections:
    def test_cranfield_whole(self, irds_home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        manifest = load_collection("irds:cranfield", tmp_path / "out")
        assert {part: found.rows for part, found in manifest.parts.items()} == {
            "judgments": 1837, "queries": 225, "documents": 1400,
        }  # fmt: skip
        assert manifest.source["name"] == "irds:cranfield"
        assert manifest.source["version"] == ir_datasets.__version__
        assert manifest.levels[-1] == "References of no interest."
        assert any("1 is the best grade" in note for note in manifest.notes)
        assert capfd.readouterr() == ("", "")

    def test_documents_that_are_not_here_have_a_place_and_a_way_around(self, irds_home: Path, tmp_path: Path) -> None:
        with pytest.raises(InputError) as raised:
            load_collection("irds:msmarco-passage/trec-dl-2020/judged", tmp_path / "out")
        assert raised.value.hint is not None
        assert "collectionandqueries.tar.gz, or try again" in raised.value.hint
        assert "without_documents=True" in raised.value.hint
        assert list(tmp_path.iterdir()) == []
        manifest = load_collection("irds:msmarco-passage/trec-dl-2020/judged", tmp_path / "out", without_documents=True)
        assert {part: found.rows for part, found in manifest.parts.items()} == {"judgments": 11386, "queries": 54}

    def test_an_unknown_id_and_one_without_labels(self, tmp_path: Path) -> None:
        with pytest.raises(UnknownName, match="did you mean cranfield"):
            load_collection("irds:cranfeild", tmp_path / "out")
        with pytest.raises(UsageError, match="has no judgments of its own"):
            load_collection("irds:beir/scifact", tmp_path / "out")
        assert list(tmp_path.iterdir()) == []


class TestTheFolder:
    def test_it_gets_the_usual_permissions(self, beir: Path, tmp_path: Path) -> None:
        (tmp_path / "usual").mkdir()
        load_collection(beir, tmp_path / "out")
        assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)

    def test_an_empty_one_is_filled(self, beir: Path, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        load_collection(beir, tmp_path / "out")
        assert len(content(tmp_path / "out")) == 4

    def test_an_earlier_result_is_replaced_only_by_force(self, beir: Path, tmp_path: Path) -> None:
        load_collection(beir, tmp_path / "out")
        with pytest.raises(UsageError, match="holds a collection already") as raised:
            load_collection(beir, tmp_path / "out", split="dev")
        assert raised.value.hint is not None
        assert "--force" in raised.value.hint
        manifest = load_collection(beir, tmp_path / "out", split="dev", without_documents=True, force=True)
        assert Manifest.read(tmp_path / "out") == manifest
        assert "corpus.jsonl" not in content(tmp_path / "out")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "tiny"]

    @pytest.mark.parametrize("name", ["notes.txt", "manifest.json"])
    def test_anybody_elses_is_never_replaced(self, beir: Path, tmp_path: Path, name: str) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / name).write_text("{}")
        with pytest.raises(UsageError, match="is not empty"):
            load_collection(beir, tmp_path / "out", force=True)
        assert content(tmp_path / "out") == {name: b"{}"}

    def test_a_file_in_its_place_is_left_alone(self, beir: Path, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("x")
        with pytest.raises(UsageError, match="no folder"):
            load_collection(beir, tmp_path / "out", force=True)

    def test_the_folder_above_must_be_there(self, beir: Path, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="does not exist") as raised:
            load_collection(beir, tmp_path / "a" / "b")
        assert raised.value.hint == f"mkdir -p {tmp_path / 'a'}"

    @pytest.mark.parametrize("fault", ["corpus", "replace"])
    def test_a_failure_leaves_what_was_there(
        self, beir: Path, tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load_collection(beir, tmp_path / "out")
        before = content(tmp_path / "out")
        if fault == "corpus":
            (beir / "corpus.jsonl").write_text('{"_id": "d1", "text": "t"}\n{"_id": 1.5}\n')
            with pytest.raises(InputError, match=r"corpus\.jsonl:2"):
                load_collection(beir, tmp_path / "out", force=True)
        else:
            rename = Path.rename

            def failing(self: Path, target: Any) -> Path:
                if self.parent == tmp_path and self.name.startswith(".irbridge-"):
                    raise OSError(28, os.strerror(28))
                return rename(self, target)

            monkeypatch.setattr("irbridge.atomic._exchanged", lambda one, other: False)
            monkeypatch.setattr(Path, "rename", failing)
            with pytest.raises(InputError, match="no space left"):
                load_collection(beir, tmp_path / "out", force=True)
        assert content(tmp_path / "out") == before
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "tiny"]

    def test_no_judgments_is_an_error(self, beir: Path, tmp_path: Path) -> None:
        (beir / "qrels" / "test.tsv").write_text(HEADER)
        with pytest.raises(InputError, match="holds no label"):
            load_collection(beir, tmp_path / "out")


class TestPartOf:
    def test_a_part_that_is_there_is_read_lazily_and_whole(self, beir: Path) -> None:
        found = part_of(beir, "judgments", Reading())
        assert found is not None
        assert [label.doc_uri for label in found] == ["d1", "d2"]

    def test_an_empty_part_is_there(self, beir: Path) -> None:
        (beir / "queries.jsonl").write_text("")
        found = part_of(beir, "queries", Reading())
        assert found is not None
        assert list(found) == []

    def test_a_part_that_is_not_there_is_none(self, beir: Path) -> None:
        assert part_of(beir, "run", Reading()) is None
        (beir / "queries.jsonl").unlink()
        assert part_of(beir, "queries", Reading()) is None
        assert part_of([Judgment("q", "d", 1)], "documents", Reading()) is None

    def test_a_part_that_cannot_be_read_is_an_error(self, beir: Path) -> None:
        (beir / "queries.jsonl").write_text("{\n")
        with pytest.raises(InputError):
            part_of(beir, "queries", Reading())
        with pytest.raises(UnknownName):
            part_of("irds:cranfeild", "queries", Reading())


def test_the_catalogue_is_at_hand() -> None:
    assert [entry.id for entry in datasets("cranfield")] == ["cranfield"]
