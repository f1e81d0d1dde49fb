from __future__ import annotations

import json
from pathlib import Path

import pytest

from irbridge.budgets import Budget
from irbridge.errors import InputError, UnknownName, UsageError
from irbridge.lengths import budgets_of
from irbridge.model import Chunk, Document

TOK, CHARS = Budget(9, "tok"), Budget(9, "chars")


def test_documents_are_title_and_text() -> None:
    found = budgets_of(
        [TOK, CHARS, TOK],
        corpus=[Document("a", "two\u00a0words \n", "A title"), Document("b", "\U0001f600e\u0301"), Document("c", "")],
    )
    assert found is not None
    # White space to Unicode sets words apart, U+00A0 too. "A title two words \n" is 19 code points; the second text is 3.
    assert found.lengths == {"tok": {"a": 4, "b": 1, "c": 0}, "chars": {"a": 19, "b": 3, "c": 0}}
    assert found.limits == (TOK, CHARS)


def test_chunks_by_their_ids() -> None:
    chunks = [Chunk("c1:a", "d", text="one two"), Chunk("c1:b", "d", text="three"), Chunk("c1:c", "d")]
    found = budgets_of([TOK], corpus=chunks)
    assert found is not None
    assert found.lengths == {"tok": {"c1:a": 2, "c1:b": 1}}  # a chunk without a text has no length
    assert found.said["tok"] == "tokens (ws) of corpus"


def test_a_tokenizer_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(json.dumps({"_id": "a", "text": "abcdefgh"}) + "\n")

    def pieces(text: str) -> int:
        return len(text) // 4

    found = budgets_of([TOK], corpus=path, tokenizer=pieces)
    assert found is not None
    assert found.lengths == {"tok": {"a": 2}}
    assert found.said["tok"] == f"tokens (pieces) of {path}"
    with pytest.raises(UnknownName, match="tokenizer"):
        budgets_of([TOK], corpus=path, tokenizer="sentencepiece")


def test_lengths_as_somebody_says(tmp_path: Path) -> None:
    path = tmp_path / "lengths.tsv"
    path.write_text("a\t3\r\n\nb c\t0\na\t3\n")
    found = budgets_of([TOK], lengths=path)
    assert found is not None
    assert found.lengths == {"tok": {"a": 3, "b c": 0}}
    given = budgets_of([CHARS], lengths={"a": 3})
    assert given is not None
    assert given.lengths == {"chars": {"a": 3}}


@pytest.mark.parametrize("row", ["a 3", "a\t", "a\t-1", "a\t1.5", "a\t1_0", "\t3", "a\t3\t4"])
def test_a_row_that_is_no_length(tmp_path: Path, row: str) -> None:
    path = tmp_path / "lengths.tsv"
    path.write_text(f"z\t1\n{row}\n")
    with pytest.raises(InputError, match="is no length") as caught:
        budgets_of([TOK], lengths=path)
    assert caught.value.line == 2


def test_what_cannot_be() -> None:
    assert budgets_of([]) is None
    with pytest.raises(UsageError, match="a budget of 9tok needs the lengths of documents"):
        budgets_of([TOK])
    with pytest.raises(UsageError, match="budgets in tokens and in characters"):
        budgets_of([TOK, CHARS], lengths={"a": 1})
    for wrong in ({"a": 1.5}, {"a": -1}, {"a": True}, {1: 1}, 7):
        with pytest.raises(UsageError):
            budgets_of([TOK], lengths=wrong)


def test_two_lengths_of_one_document(tmp_path: Path) -> None:
    path = tmp_path / "lengths.tsv"
    path.write_text("a\t3\na\t4\n")
    with pytest.raises(InputError, match="document a has two lengths, 3 and 4"):
        budgets_of([TOK], lengths=path)


def test_lengths_are_given_or_counted() -> None:
    for limits in ([TOK], []):
        with pytest.raises(UsageError, match="no tokenizer counts any"):
            budgets_of(limits, lengths={"a": 1}, tokenizer="ws")
        with pytest.raises(UnknownName, match="tokenizer"):
            budgets_of(limits, tokenizer="sentencepiece")
        with pytest.raises(UsageError, match="is not a tokenizer"):
            budgets_of(limits, tokenizer=5)  # type: ignore[arg-type]  # what a caller without types may give


def test_lengths_without_a_budget_are_refused() -> None:
    with pytest.raises(UsageError, match="the lengths are for budgets, and no measure has one"):
        budgets_of([], lengths={"a": 1})
