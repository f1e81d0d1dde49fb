"""Span judgments become tasks: which lines are required, what is left out and why, and that the result is a fixture."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import pytest

from irbridge.agentic.fixture import load_fixture
from irbridge.agentic.from_judgments import REASONS, Made, from_judgments, roomy
from irbridge.agentic.judged_tasks import Options
from irbridge.errors import InputError, IrbridgeError, UsageError
from irbridge.identity import text_sha
from irbridge.model import Document, Judgment

NOTES = "# Notes\n\nThe lamp was lit on Monday.\nIt burned for nine days.\n"
LOG = "first\r\nsecond line\rthird"
DOCUMENTS = [Document("notes", NOTES), Document("log", LOG), *(Document(f"other{n}", f"text {n}\n") for n in range(30))]


def label(query_id: str, doc_id: str, quote: str, relevance: int = 1, **changes: Any) -> Judgment:
    text = {"notes": NOTES, "log": LOG}[doc_id]
    start = text.index(quote)
    extra = {"span": {"start": start, "end": start + len(quote)}, "doc_revision": text_sha(text)}
    return Judgment(query_id, doc_id, relevance, f"What of {query_id}?", extra={**extra, **changes})


def made(labels: list[Judgment], folder: Path, **options: Any) -> Made:
    return from_judgments(labels, DOCUMENTS, folder, Options(**options))


def test_the_lines_of_a_span_are_required_one_by_one_and_blank_ones_are_not(tmp_path: Path) -> None:
    done = made([label("q", "notes", "Notes\n\nThe lamp was lit on Monday.\nIt")], tmp_path / "f")
    fixture = load_fixture(tmp_path / "f")
    (claim,) = fixture.oracles[done.tasks["q"]].claims
    # Line 2 is blank; the span ends within line 4.
    assert [(each.start_line, each.end_line) for each in claim.required_evidence] == [(1, 1), (3, 3), (4, 4)]
    assert claim.claim_key == "evidence"
    assert fixture.tasks[done.tasks["q"]].brief.goal == "What of q?"


@pytest.mark.parametrize(
    "quote, lines", [("first", [1]), ("second", [2]), ("line\rthi", [2, 3]), ("third", [3]), ("first\r\nsecond line\rthird", [1, 2, 3])]
)  # fmt: skip
def test_every_kind_of_line_end_counts_once(quote: str, lines: list[int], tmp_path: Path) -> None:
    done = made([label("q", "log", quote)], tmp_path / "f")
    (claim,) = load_fixture(tmp_path / "f").oracles[done.tasks["q"]].claims
    assert [each.start_line for each in claim.required_evidence] == lines


def test_an_answer_is_the_text_of_its_span_or_the_set_of_them(tmp_path: Path) -> None:
    labels = [label("one", "notes", " nine days"), label("two", "notes", "Monday"), label("two", "log", "third")]
    done = made(labels, tmp_path / "f", claim="answer")
    oracles = load_fixture(tmp_path / "f").oracles
    one, two = (oracles[done.tasks[query]].claims[0] for query in ("one", "two"))
    assert one.expected_value.value == "nine days"
    assert one.normalizer.id == "trim-lower-v1"
    assert sorted(two.expected_value.value) == ["Monday", "third"]
    assert two.normalizer.id == "string-set-v1"


def test_a_collection_has_the_documents_of_the_spans_those_judged_and_some_others(tmp_path: Path) -> None:
    labels = [label("q", "notes", "lamp"), Judgment("q", "other7", 0, "What?"), label("q", "log", "first", 0)]
    done = made(labels, tmp_path / "f", documents=5)
    fixture = load_fixture(tmp_path / "f")
    texts = {source.text for source in fixture.snapshot.sources}
    assert len(texts) == 5
    assert {NOTES, LOG, "text 7\n"} <= texts
    assert list(fixture.snapshot.owners.values()) == [done.tasks["q"]]


def test_ids_say_nothing_and_two_writings_are_equal(tmp_path: Path) -> None:
    labels = [label("secret-query", "notes", "lamp")]
    made(labels, tmp_path / "a")
    made(labels, tmp_path / "b")
    files = [sorted(path.relative_to(tmp_path / name) for path in (tmp_path / name).rglob("*.*")) for name in "ab"]
    assert files[0] == files[1]
    assert not any("secret" in str(path) or "notes" in str(path) for path in files[0])
    assert all((tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes() for path in files[0])
    assert load_fixture(tmp_path / "a").fingerprint == load_fixture(tmp_path / "b").fingerprint


@pytest.mark.parametrize(
    "bad, why, options",
    [
        (Judgment("bad", "notes", 1, "What?"), "no-span", {}),
        (label("bad", "notes", "lamp", 1)._replace(relevance=0), "no-span", {}),
        (label("bad", "notes", "lamp")._replace(query=None), "no-text", {}),
        (label("bad", "notes", "lamp")._replace(query=" "), "no-text", {}),
        (label("bad", "notes", "lamp")._replace(doc_uri="gone"), "no-document", {}),
        (label("bad", "notes", "lamp", doc_revision="0" * 64), "other-revision", {}),
        (label("bad", "notes", "lamp", doc_revision=None), "other-revision", {}),
        (label("bad", "notes", "lamp", span={"start": 5, "end": 999}), "beyond", {}),
        (label("bad", "notes", "\n\n"), "blank", {}),
    ],
)
def test_what_becomes_no_task_is_told_with_its_reason(bad: Judgment, why: str, options: Any, tmp_path: Path) -> None:
    done = made([label("good", "log", "second"), bad], tmp_path / "f", **options)
    assert done.left == {"bad": why}
    assert set(done.tasks) == {"good"}
    assert why in REASONS
    assert load_fixture(tmp_path / "f").manifest.task_count == 1


def test_too_many_spans_and_too_many_bytes(tmp_path: Path) -> None:
    labels = [label("many", "notes", quote) for quote in ("lamp", "lit", "nine")] + [label("good", "log", "second")]
    assert made(labels, tmp_path / "a", spans=2).left == {"many": "several"}
    # A line costs about 370 bytes with its coordinate and hashes, a result around it 70.
    assert made(labels, tmp_path / "b", byte_budget=600).left == {"many": "too-large"}


def test_what_lines_take_of_the_budget_is_told_and_a_budget_in_which_they_fit_twice(tmp_path: Path) -> None:
    long = "x" * 5000 + "\n"
    document = Document("long", long)
    label_of_all = Judgment(
        "q", "long", 1, "What?", extra={"span": {"start": 0, "end": 4}, "doc_revision": text_sha(long)}
    )
    done = from_judgments([label_of_all, label("r", "log", "first")], [document, *DOCUMENTS], tmp_path / "f")
    # A line of 5,000 characters, and some 400 bytes of coordinate, hashes and braces around it.
    assert 5_300 < done.evidence_bytes["q"] < 5_600
    assert done.evidence_bytes["r"] < 500
    assert (done.tight(12_000), done.tight(10_000)) == ([], ["q"])
    assert roomy(done.evidence_bytes.values()) == 11_000
    assert done.as_dict()["evidenceBytes"] == dict(done.evidence_bytes)
    least = done.evidence_bytes["q"]
    exact = from_judgments([label_of_all], [document, *DOCUMENTS], tmp_path / "g", Options(byte_budget=least))
    assert (exact.left, exact.tight(least)) == ({}, ["q"])
    with pytest.raises(InputError, match="no query can become a task") as told:
        from_judgments([label_of_all], [document, *DOCUMENTS], tmp_path / "h", Options(byte_budget=least - 1))
    assert "--bytes 11000" in str(told.value.hint)
    assert not (tmp_path / "h").exists()


def test_a_document_of_several_tasks_is_written_for_each(tmp_path: Path) -> None:
    labels = [label("q", "notes", "lamp"), label("r", "notes", "nine")]
    done = made(labels, tmp_path / "f", documents=1)
    fixture = load_fixture(tmp_path / "f")
    assert [source.text for source in fixture.snapshot.sources] == [NOTES, NOTES]
    # One file for both would be a collection of two tasks, which is refused.
    assert sorted(fixture.snapshot.owners.values()) == sorted(done.tasks.values())


@pytest.mark.parametrize("place", ["sub", "corpus/sub", "tasks/a"])
def test_nothing_is_written_into_another_fixture(place: str, tmp_path: Path) -> None:
    made([label("q", "notes", "lamp")], tmp_path / "f")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match="lies in the fixture"):
        made([label("q", "notes", "lamp")], tmp_path / "f" / place)
    assert sorted(tmp_path.rglob("*")) == before
    load_fixture(tmp_path / "f")


@pytest.mark.parametrize(
    "place, why",
    [("gone/f", "does not exist"), ("file", "is there already and no folder"), ("file/f", "file is no folder")],
)
def test_a_place_that_cannot_be_written_to(place: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match=why):
        made([label("q", "notes", "lamp")], tmp_path / place)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(sys.platform != "linux", reason="a folder that nobody can write to, whoever runs this")
def test_a_folder_that_cannot_be_written_to() -> None:
    with pytest.raises(InputError, match="cannot be written"):
        made([label("q", "notes", "lamp")], Path("/proc/f"))


def test_a_document_that_no_fixture_takes_is_told_by_the_path_it_would_have(tmp_path: Path) -> None:
    large = Document("large", "x\n" * (9 << 20))
    judged = Judgment("q", "large", 0, "What of q?")
    with pytest.raises(InputError, match=r"/f/corpus/t\w+/c\w+/d\w+\.md: larger than 16 MB$"):
        from_judgments([label("q", "notes", "lamp"), judged], [large, *DOCUMENTS], tmp_path / "f")
    assert list(tmp_path.iterdir()) == []


def test_texts_of_queries_come_from_their_own_file_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "Who lit it?"}\n{"_id": "other", "text": "x"}\n')
    done = from_judgments(
        [label("q", "notes", "lamp")._replace(query=None)], DOCUMENTS, tmp_path / "f", queries=str(tmp_path / "queries.jsonl")
    )  # fmt: skip
    assert load_fixture(tmp_path / "f").tasks[done.tasks["q"]].brief.goal == "Who lit it?"


def test_nothing_is_written_where_no_query_is_fit_or_the_folder_is_not_empty(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no query can become a task"):
        made([Judgment("q", "notes", 1, "What?")], tmp_path / "f")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "mine").write_text("")
    with pytest.raises(UsageError, match="not empty"):
        made([label("q", "notes", "lamp")], tmp_path)


@pytest.mark.parametrize(
    "change",
    [{"documents": 0}, {"calls": 0}, {"claim": "nope"}, {"category": "nope"}, {"license": ""}, {"version": ""}],
)
def test_options_that_cannot_be(change: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(IrbridgeError):
        from_judgments(
            [label("q", "notes", "lamp")], DOCUMENTS, tmp_path / "f", dataclasses.replace(Options(), **change)
        )
