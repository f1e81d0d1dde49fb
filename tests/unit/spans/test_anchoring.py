"""Anchoring, label by label. Places are counted by hand in the texts below."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from irbridge.errors import InputError, UsageError
from irbridge.model import Document, Judgment
from irbridge.spans import anchored

TEXT = "Dogs ride free. Cats pay half. Dogs ride free on Sundays."
#       0    5    10   15   20   25   30


def sha(text: str) -> str:
    return "t1:" + hashlib.sha256(text.encode()).hexdigest()[:32]


def label(doc: str = "d", **fields: Any) -> Judgment:
    extra = fields.pop("extra", {})
    return Judgment("q", doc, fields.pop("relevance", 1), extra=extra, **fields)


def one(given: Judgment, text: str = TEXT, **options: Any) -> Any:
    """The rows that one label becomes, or the reason why it stays."""
    found = anchored([given], [Document("d", text)], **options)
    if found.left:
        assert found.labels == [given], "what is not anchored stays as it is"
        assert found.anchored == 0
        return found.left[0].why.code
    return found.labels


def test_a_unique_quote_becomes_a_span() -> None:
    given = label(chunk_text="Cats pay half.", labeled_by="human:a", notes="n", extra={"mine": 1})
    assert one(given) == [
        given._replace(
            text_sha=sha("Cats pay half."),
            extra={"mine": 1, "span": {"start": 16, "end": 30}, "doc_revision": sha(TEXT)},
        )
    ]


def test_the_title_counts_as_text() -> None:
    # "Fares" and a space before the text: 6 characters.
    found = anchored([label(chunk_text="Cats")], [Document("d", TEXT, "Fares")])
    assert found.labels[0].extra["span"] == {"start": 22, "end": 26}
    assert found.labels[0].extra["doc_revision"] == sha("Fares " + TEXT)


def test_the_document_s_own_white_space_is_written() -> None:
    found = one(label(chunk_text="pay half.\n\nDogs"))[0]
    assert (found.chunk_text, found.text_sha) == ("pay half. Dogs", sha("pay half. Dogs"))
    kept = one(label(chunk_text=" Cats pay half.\n"))[0]
    assert kept.chunk_text == " Cats pay half.\n", "the same identity: the label's own text stays"


@pytest.mark.parametrize(
    "fields, reason",
    [
        ({}, "no-quote"),
        ({"chunk_text": "Dogs ride free"}, "several"),
        ({"chunk_text": "Birds fly."}, "not-found"),
        ({"chunk_text": "cats pay half."}, "not-found"),
        ({"chunk_text": ""}, "empty-quote"),
        ({"chunk_text": " \n\u3000"}, "empty-quote"),
        ({"chunk_text": "\ud800"}, "not-found"),
        ({"chunk_text": "Sunday"}, "inside-word"),
        ({"doc": "elsewhere", "chunk_text": "Cats"}, "no-document"),
    ],
)
def test_what_is_not_certain_stays(fields: dict[str, Any], reason: str) -> None:
    assert one(label(**fields)) == reason


HOSTILE = [
    None, [], [16, 30], "16-30", {}, {"start": 16}, {"start": 16, "end": None}, {"start": True, "end": 30},
    {"start": 16.0, "end": 30.0}, {"start": float("nan"), "end": 30}, {"start": "16", "end": "30"}, {"start": -1, "end": 30},
    {"start": 30, "end": 16}, {"start": 16, "end": 16}, {"start": 10**30, "end": 16},
]  # fmt: skip


@pytest.mark.parametrize("span", HOSTILE, ids=repr)
def test_a_span_that_is_none_is_no_place(span: object) -> None:
    given = label(extra={"span": span, "doc_revision": sha(TEXT)})
    assert one(given) == ("no-quote" if span is None else "unusable-span")
    # A quote is as good as if there were no such field.
    assert one(given._replace(chunk_text="Cats pay"))[0].extra["span"] == {"start": 16, "end": 24}


def spanned(start: int, end: int, revision: Any = None, **fields: Any) -> Judgment:
    extra = {"span": {"start": start, "end": end}}
    return label(extra=extra if revision is None else {**extra, "doc_revision": revision}, **fields)


def test_a_span_of_this_text_is_taken_and_gets_its_text() -> None:
    given = spanned(16, 20, sha(TEXT))
    assert one(given) == [given._replace(chunk_text="Cats", text_sha=sha("Cats"))]
    # Even where the quote by itself would be ambiguous.
    again = spanned(31, 45, sha(TEXT), chunk_text="Dogs ride free")
    assert one(again)[0].extra["span"] == {"start": 31, "end": 45}


@pytest.mark.parametrize(
    "given, reason",
    [
        (spanned(50, len(TEXT) + 1, sha(TEXT)), "beyond"),
        (spanned(16, 20, sha(TEXT), chunk_text="Dogs"), "other-text"),
        (spanned(16, 20, sha(TEXT), text_sha=sha("Dogs")), "other-text"),
        (spanned(16, 20, sha("old")), "other-revision"),
        (spanned(16, 20), "no-revision"),
        (spanned(16, 20, ""), "no-revision"),
        (spanned(16, 20, 7), "no-revision"),
        # Neither place nor text of an old revision say which of two this is.
        (spanned(31, 45, sha("old"), chunk_text="Dogs ride free"), "several"),
        (spanned(1, 15, chunk_text="Dogs ride free"), "several"),
        (spanned(10, 10**9, chunk_text="Dogs ride free"), "several"),
    ],
)
def test_spans_that_prove_nothing(given: Judgment, reason: str) -> None:
    assert one(given) == reason


def test_place_and_text_that_agree_need_no_revision() -> None:
    found = one(spanned(31, 45, chunk_text="Dogs ride free"))[0]
    assert found.extra == {"span": {"start": 31, "end": 45}, "doc_revision": sha(TEXT)}


def test_a_span_without_revision_proves_one_quote_only() -> None:
    given = spanned(31, 45)
    given = given._replace(extra={**given.extra, "e": ["Dogs ride free", "Cats pay"]})
    assert one(given, quote_fields=["e"]) == "several"


def test_the_quote_decides_where_the_span_is_of_another_revision() -> None:
    found = one(spanned(3, 9, sha("old"), chunk_text="Cats pay half."))[0]
    assert found.extra == {"span": {"start": 16, "end": 30}, "doc_revision": sha(TEXT)}


def test_further_members_of_a_span_are_kept() -> None:
    given = label(chunk_text="Cats", text_sha=sha("Cats"), extra={"span": {"by": "me", "start": 16, "end": 20}, "doc_revision": sha(TEXT)})  # fmt: skip
    assert one(given) == [given]


def test_several_quotes_become_several_labels_or_none() -> None:
    fields = {"quote_fields": ["evidence"]}
    found = one(label(extra={"evidence": ["Cats pay", "on Sundays.", "Cats pay"]}), **fields)
    assert [each.extra["span"] for each in found] == [{"start": 16, "end": 24}, {"start": 46, "end": 57}]
    assert [each.chunk_text for each in found] == ["Cats pay", "on Sundays."]
    assert all(each.extra["evidence"] == ["Cats pay", "on Sundays.", "Cats pay"] for each in found)
    assert one(label(extra={"evidence": ["Cats pay", "Birds"]}), **fields) == "not-found"
    assert one(label(extra={"evidence": ["Cats pay", ""]}), **fields) == "empty-quote"
    assert one(label(extra={"evidence": "Cats pay"}), **fields)[0].chunk_text == "Cats pay"


@pytest.mark.parametrize("value", [3, True, {"text": "Cats"}, ["Cats", 3], [["Cats"]], 1.5])
def test_a_quote_is_text(value: object) -> None:
    assert one(label(extra={"evidence": value}), quote_fields=["evidence"]) == "unusable-quote"


def test_named_fields_take_the_place_of_chunk_text() -> None:
    given = label(chunk_text="Cats", extra={"evidence": "on Sundays."})
    assert one(given, quote_fields=["evidence"])[0].chunk_text == "on Sundays."
    both = one(given, quote_fields=["chunk_text", "evidence"])
    assert [each.chunk_text for each in both] == ["Cats", "on Sundays."]


def test_a_field_that_no_label_has_is_a_slip() -> None:
    with pytest.raises(UsageError, match="no label has a field 'evidenec'; did you mean evidence"):
        anchored([label(extra={"evidence": "x"})], [], quote_fields=["evidenec"])


def test_order_and_numbers() -> None:
    labels = [
        label(chunk_text="Birds"),
        label(extra={"e": ["Cats", "half"]}, chunk_text="Cats pay"),
        label(doc="x", chunk_text="Cats"),
    ]
    found = anchored(labels, [Document("unrelated", "\ud800"), Document("d", TEXT)])
    assert [number for number, _ in found.rows] == [0, 1, 2]
    assert [(each.number, each.why.code) for each in found.left] == [(0, "not-found"), (2, "no-document")]
    assert (found.anchored, found.spans) == (1, 1)


def test_documents_that_cannot_be_used_are_named() -> None:
    with pytest.raises(InputError, match=r"document d: .* lone surrogate"):
        anchored([label(chunk_text="x")], [Document("d", "x \ud800")])
    with pytest.raises(InputError, match="document d is there twice, with two texts"):
        anchored([label(chunk_text="x")], [Document("d", "x"), Document("d", "y")])
    assert anchored([label(chunk_text="x")], [Document("d", "x"), Document("d", "x")]).spans == 1


def test_many_labels_of_one_document_are_found_as_few_are() -> None:
    words = [f"word{number}" for number in range(60)]
    text = " ".join(words)
    labels = [label(chunk_text=" ".join(words[number : number + 6])) for number in range(50)]
    found = anchored(labels, [Document("d", text)])
    assert (found.anchored, found.left) == (50, [])
    for number, each in found.rows:
        start = len(" ".join(words[:number])) + (number > 0)
        assert each.extra["span"]["start"] == start
