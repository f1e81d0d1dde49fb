"""Whether a run was made on the corpus. Counts are of distinct ids, by hand: the corpus has chunks n1 n2 n3 of documents d and e."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irbridge.corpora import corpus_of
from irbridge.drift.run_ids import doubts
from irbridge.inputs import Input
from irbridge.model import Chunk, Judgment, Ranking

CORPUS = [Chunk("n1", "d", None, 0, "one"), Chunk("n2", "d", None, 1, "two"), Chunk("n3", "e", None, 0, "three")]
OF_CHUNKS = [Judgment("q1", "d", 1, chunk_id="o1"), Judgment("q2", "e", 1, chunk_id="n3")]
OF_DOCUMENTS = [Judgment("q1", "d", 1)]
NEW, OLD, DOCUMENTS, STRANGE = ["n1", "n2", "n3"], ["o1", "o2", "n3"], ["d", "e"], ["x", "y"]
LIVE = "are chunks of this corpus"


def said(labels: list[Judgment], *runs: list[str]) -> list[str]:
    # Every query has all ids, so that what is counted twice shows.
    given = [Input([Ranking("q1", ids), Ranking("q2", ids[::-1])], "run") for ids in runs]
    return list(doubts(labels, given, corpus_of(CORPUS)))


def test_a_run_of_the_corpus_raises_no_doubt() -> None:
    assert said(OF_CHUNKS, NEW) == []
    assert said(OF_CHUNKS, OLD, NEW) == []
    assert said(OF_DOCUMENTS, DOCUMENTS) == []
    assert said([*OF_CHUNKS, *OF_DOCUMENTS], [*NEW, "d"]) == []


@pytest.mark.parametrize(
    "labels, ids, starts, ends",
    [
        # o1 is named by a label, o2 by none; n3 is in both corpora.
        (OF_CHUNKS, OLD, f"1 of 3 ids of run {LIVE}, and 1 is named by labels", "(--run OLD --run NEW takes both)"),
        (OF_CHUNKS, DOCUMENTS, f"0 of 2 ids of run {LIVE}, and 2 are among its documents", "only a run of chunks finds them"),
        (OF_CHUNKS, STRANGE, f"0 of 2 ids of run {LIVE}", ": was it made on another state of it?"),
        (OF_CHUNKS, [*NEW, "x"], f"3 of 4 ids of run {LIVE}", ": was it made on another state of it?"),
        (OF_DOCUMENTS, NEW, "0 of 3 ids of run are documents of this corpus, and 3 are among its chunks", "run of documents of it"),
        ([*OF_CHUNKS, *OF_DOCUMENTS], ["d", "n1", "x"], "2 of 3 ids of run are chunks or documents of this corpus", "of it?"),
        # As qrels have it: the chunk in the place of the document.
        ([Judgment("q1", f"c1:{7:032x}", 1)], STRANGE, f"0 of 2 ids of run {LIVE}", "of it?"),
    ],
)  # fmt: skip
def test_a_run_of_something_else_is_noticed(labels: list[Judgment], ids: list[str], starts: str, ends: str) -> None:
    (doubt,) = said(labels, ids)
    assert doubt.startswith(starts)
    assert doubt.endswith(ends)


def test_two_runs_in_the_wrong_order_are_noticed() -> None:
    (doubt,) = said(OF_CHUNKS, NEW, OLD)
    assert doubt.startswith(f"3 of 3 ids of run {LIVE}, and of run 1 of 3: are they swapped?")


def test_shares_are_compared_and_not_counts() -> None:
    # 3 of 6 against 2 of 2: the second is the one of this corpus.
    assert said(OF_CHUNKS, [*NEW, "o1", "o2", "o4"], ["n1", "n2"]) == []


def test_a_run_of_before_that_no_label_knows_is_noticed() -> None:
    (doubt,) = said(OF_CHUNKS, STRANGE, NEW)
    assert doubt.startswith("0 of 2 ids of run are named by a label")


@pytest.mark.parametrize("lines", [True, False])
def test_files_say_the_same(tmp_path: Path, *, lines: bool) -> None:
    names = ("chunk_id", "doc_uri", "ordinal", "text")
    rows = [{name: getattr(chunk, name) for name in names} for chunk in CORPUS]
    text = "".join(json.dumps(row) + "\n" for row in rows) if lines else json.dumps({"chunks": rows})
    (tmp_path / "corpus").write_text(text, encoding="utf-8")
    run = "".join(f"q1 Q0 {each} {rank} {9 - rank} t\n" for rank, each in enumerate(OLD, 1))
    (tmp_path / "run").write_text(run, encoding="utf-8")
    given = Input(str(tmp_path / "run"), "run")
    (doubt,) = doubts(OF_CHUNKS, [given], corpus_of(str(tmp_path / "corpus")))
    assert "1 of 3 ids" in doubt
    assert "and 1 is named by labels" in doubt
