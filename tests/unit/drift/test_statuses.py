"""Each status of spec/drift.md, section 2, on corpora small enough to be read; what is right is worked out by hand."""

from __future__ import annotations

import pytest

from irbridge.corpora import corpus_of
from irbridge.drift.classify import classify
from irbridge.drift.findings import Finding, Summary
from irbridge.identity import text_sha
from irbridge.model import Chunk, Judgment

pytestmark = pytest.mark.usefixtures("either_way")


def chunk(chunk_id: str, text: str | None, doc_uri: str = "d", ordinal: int | None = None, **rest) -> Chunk:
    return Chunk(chunk_id, doc_uri, None, ordinal, text, **rest)


def label(text: str | None = None, chunk_id: str | None = "old", doc_uri: str = "d", **rest) -> Judgment:
    return Judgment("q", doc_uri, 1, chunk_id=chunk_id, chunk_text=text, **rest)


def became(one: Judgment, *chunks: Chunk) -> Finding:
    return classify([one], corpus_of(list(chunks))).findings[0]


def found(status: str, **rest) -> Finding:
    return Finding("q", rest.pop("doc_uri", "d"), status, rest.pop("chunk_id", "old"), **rest)


class TestDocuments:
    def test_a_label_without_a_chunk_is_valid_while_its_document_has_one(self):
        assert became(label(chunk_id=None), chunk("a", None)) == found("VALID", chunk_id=None)

    def test_and_orphaned_when_it_has_none(self):
        assert became(label(chunk_id=None), chunk("a", "x", "other")) == found("ORPHANED", chunk_id=None)

    def test_its_text_is_not_looked_at(self):
        assert became(label("x", chunk_id=None), chunk("a", "x", "other")) == found("ORPHANED", chunk_id=None)


class TestValid:
    def test_the_id_is_there_even_in_another_document_with_another_text(self):
        assert became(label("x", "a"), chunk("a", "y", "other")) == found("VALID", chunk_id="a")


class TestReAnchorable:
    def test_equal_text_by_the_digest_of_either_side(self):
        sha = text_sha("x y")
        for one in (label("x y"), label(text_sha=sha), label("something else", text_sha=sha)):
            for other in (chunk("a", " x y\r\n"), chunk("a", None, text_sha=sha), chunk("a", "untrue", text_sha=sha)):
                assert became(one, other) == found("RE_ANCHORABLE", reanchor_to="a")

    def test_an_empty_digest_is_none(self):
        assert became(label("x", text_sha=""), chunk("a", "x", text_sha="")) == found("RE_ANCHORABLE", reanchor_to="a")

    def test_the_own_document_comes_before_the_first_of_all(self):
        chunks = chunk("a", "x", "other"), chunk("b", "x", ordinal=7), chunk("c", "x", ordinal=0)
        # Of the own document's the first in the order of the corpus, whatever its ordinal.
        assert became(label("x"), *chunks) == found("RE_ANCHORABLE", reanchor_to="b")

    def test_another_document_is_named(self):
        wanted = found("RE_ANCHORABLE", reanchor_to="a", reanchor_doc="other")
        assert became(label("x"), chunk("a", "x", "other"), chunk("b", "x", "third")) == wanted

    def test_an_equal_text_elsewhere_comes_before_a_split_here(self):
        chunks = chunk("a", "x"), chunk("b", "y"), chunk("c", "x y", "other")
        assert became(label("x y"), *chunks) == found("RE_ANCHORABLE", reanchor_to="c", reanchor_doc="other")

    def test_a_digest_that_is_not_that_of_the_text_is_what_counts(self):
        assert became(label("x y", text_sha=text_sha("z")), chunk("a", "x y")).status == "MERGED"


class TestSplit:
    def test_two_chunks_inside_in_the_order_of_ordinals(self):
        chunks = chunk("b", "two", ordinal=2), chunk("a", "one", ordinal=1), chunk("c", "three", ordinal=3)
        assert became(label("one two"), *chunks) == found("SPLIT", split_into=("a", "b"))

    def test_missing_ordinals_are_zero_and_equals_keep_their_order(self):
        chunks = chunk("b", "two", ordinal=0), chunk("a", "one"), chunk("c", "on", ordinal=0)
        assert became(label("one two"), *chunks) == found("SPLIT", split_into=("b", "a", "c"))

    def test_a_repeated_chunk_counts_twice_and_empty_ones_never(self):
        chunks = chunk("a", "one"), chunk("b", " one"), chunk("c", " \n"), chunk("d", None)
        assert became(label("one two"), *chunks) == found("SPLIT", split_into=("a", "b"))

    def test_comes_before_merged(self):
        chunks = chunk("a", "one"), chunk("b", "two"), chunk("c", "zero one two")
        assert became(label("one two"), *chunks) == found("SPLIT", split_into=("a", "b"))

    def test_only_in_the_own_document(self):
        assert became(label("one two"), chunk("a", "one", "x"), chunk("b", "two", "x")).status == "ORPHANED"


class TestMerged:
    def test_the_shortest_and_of_equals_the_first_by_ordinal(self):
        chunks = (
            chunk("a", "zero one two three"), chunk("b", "x one two", ordinal=2), chunk("c", "y one two", ordinal=1),
        )  # fmt: skip
        assert became(label("one two"), *chunks) == found("MERGED", reanchor_to="c")

    def test_length_is_that_of_the_normal_form_in_code_points(self):
        # Ten bytes more, but three code points fewer; the spaces at the ends do not count.
        chunks = chunk("a", "abcdef one"), chunk("b", "   日本語 one   ")
        assert became(label("one"), *chunks) == found("MERGED", reanchor_to="b")

    def test_one_chunk_inside_the_label_is_neither(self):
        assert became(label("one two"), chunk("a", "one")).status == "ORPHANED"

    def test_composed_and_decomposed_are_one_text(self):
        assert became(label("cafe\u0301 one"), chunk("a", "the caf\u00e9 one")) == found("MERGED", reanchor_to="a")


class TestOrphaned:
    def test_a_label_with_only_a_digest_cannot_be_told(self):
        drift = classify([label(text_sha=text_sha("x")), label("y")], corpus_of([chunk("a", "xx")]))
        assert [each.status for each in drift.findings] == ["ORPHANED", "ORPHANED"]
        assert drift.untold == 1

    @pytest.mark.parametrize("text", [None, "", " \n"])
    def test_a_label_without_any_text(self, text):
        assert became(label(text), chunk("a", "x")) == found("ORPHANED")


def test_an_empty_text_equals_an_empty_chunk():
    # The digest of an empty text is a digest: step 2 asks for nothing else.
    assert became(label(" "), chunk("a", "\n")) == found("RE_ANCHORABLE", reanchor_to="a")


class TestScattered:
    def test_chunks_of_a_document_that_come_again_belong_to_it(self):
        chunks = chunk("b", "two", ordinal=2), chunk("x", "else", "other"), chunk("a", "one", ordinal=1)
        assert became(label("one two"), *chunks) == found("SPLIT", split_into=("a", "b"))

    def test_and_may_undo_what_the_first_of_them_said(self):
        chunks = chunk("a", "zero one two"), chunk("x", "else", "other"), chunk("b", "0 one two")
        assert became(label("one two"), *chunks) == found("MERGED", reanchor_to="b")


class TestSums:
    def test_counts_and_fingerprints(self):
        labels = [
            label("x", "a", corpus_fingerprint="f", stratum="s"), label("x", corpus_fingerprint="f"),
            label("gone", corpus_fingerprint="f", stratum="s"),
        ]  # fmt: skip
        drift = classify(labels, corpus_of([chunk("a", "x")]))
        assert drift.summary == Summary(valid=1, re_anchorable=1, orphaned=1)
        assert drift.summary.invalid_ratio == 0.666666666667
        assert (drift.judgments_fingerprint, drift.corpus_fingerprint) == ("f", None)
        assert drift.per_stratum == {"_unstratified": Summary(re_anchorable=1), "s": Summary(valid=1, orphaned=1)}

    def test_nothing_at_all(self):
        drift = classify([], corpus_of([]))
        assert (drift.findings, drift.summary.invalid_ratio, drift.all_valid) == ([], 0.0, True)

    def test_several_fingerprints_are_none(self):
        labels = [label(corpus_fingerprint="f"), label(corpus_fingerprint="g")]
        assert classify(labels, corpus_of([])).judgments_fingerprint is None

    def test_as_json(self):
        drift = classify([label("one two"), label(chunk_id=None)], corpus_of([chunk("a", "one"), chunk("b", "two")]))
        assert drift.as_dict() == {
            "findings": [
                {"query_id": "q", "doc_uri": "d", "status": "SPLIT", "chunk_id": "old", "split_into": ["a", "b"]},
                {"query_id": "q", "doc_uri": "d", "status": "VALID"},
            ],
            "summary": {
                "valid": 1, "re_anchorable": 0, "merged": 0, "split": 1, "orphaned": 0, "invalid_ratio": 0.5,
                "still_there": 0, "by_evidence": {},
            },
            "judgments_fingerprint": None,
            "corpus_fingerprint": None,
        }  # fmt: skip


class TestSpans:
    ROWS = (
        Chunk("a", "d", "r", 0, None, None, 0, 10), Chunk("b", "d", "r", 1, None, None, 10, 30),
        Chunk("c", "d", "r", 2, None, None, 5, 30), Chunk("e", "d", "r", 3, None, None, 30, 40),
    )  # fmt: skip

    @pytest.mark.parametrize(
        "start, end, wanted",
        [
            (10, 30, found("RE_ANCHORABLE", reanchor_to="b")),
            (12, 20, found("MERGED", reanchor_to="b")),  # c holds it too and is longer
            (6, 12, found("MERGED", reanchor_to="c")),
            (0, 30, found("SPLIT", split_into=("a", "b", "c"))),
        ],
    )
    def test_places_decide(self, start, end, wanted):
        one = label(extra={"span": {"start": start, "end": end}, "doc_revision": "r"})
        assert became(one, *self.ROWS) == wanted

    def test_a_span_across_borders_is_evidence(self):
        one = label(extra={"span": {"start": 25, "end": 45}, "doc_revision": "r"})
        evidence = became(one, *self.ROWS).evidence
        # b and c hold 25 to 30, e 30 to 40; nothing holds 40 to 45: 15 of 20.
        assert evidence is not None
        assert (evidence.kind, evidence.covered) == ("shifted", 0.75)
        assert [tuple(each)[:2] for each in evidence.chunks] == [("c", 5), ("b", 5), ("e", 10)]

    def test_the_place_tells_equal_chunks_apart(self):
        rows = Chunk("a", "d", "r", 0, "x", None, 0, 1), Chunk("b", "d", "r", 1, "x", None, 2, 3)
        one = label("x", extra={"span": {"start": 2, "end": 3}, "doc_revision": "r"})
        assert became(one, *rows) == found("RE_ANCHORABLE", reanchor_to="b")

    def test_of_another_revision_the_text_decides(self):
        one = label("x", extra={"span": {"start": 2, "end": 3}, "doc_revision": "older"})
        assert became(one, Chunk("a", "d", "r", 0, "x", None, 0, 1)) == found("RE_ANCHORABLE", reanchor_to="a")

    @pytest.mark.parametrize("revision, status", [("r", "VALID"), ("older", "ORPHANED")])
    def test_a_span_alone_is_valid_in_its_revision(self, revision, status):
        one = label(chunk_id=None, extra={"span": {"start": 2, "end": 50}, "doc_revision": revision})
        assert became(one, *self.ROWS).status == status

    @pytest.mark.parametrize("span", [None, [1, 2], {"start": 3, "end": 3}, {"start": True, "end": 3}, {"start": 1}])
    def test_what_is_no_span(self, span):
        one = label(chunk_id=None, extra={"span": span, "doc_revision": "older"})
        assert became(one, *self.ROWS).status == "VALID"
