"""`validate`: the specification's codes in its order, then irbridge's own. Messages are those of the specification."""

from __future__ import annotations

from typing import Any

import pytest

from irbridge.errors import InputErrors
from irbridge.identity import text_sha
from irbridge.inputs import Input
from irbridge.judgments.base import Issue
from irbridge.judgments.validation import Validation, Validator, contract_checks, validate
from irbridge.model import Chunk, Judgment, Query

ONLY_SYNTHETIC = (
    "every label is synthetic. Without human labels you cannot measure judge calibration, "
    "and synthetic labels quietly become ground truth"
)
C1, C2 = "c1:" + "0" * 32, "c1:" + "1" * 32


def label(
    query_id: str = "q1", doc_uri: str = "d1", relevance: int = 1, query: str | None = "a b", **fields: Any
) -> Judgment:
    return Judgment(query_id, doc_uri, relevance, query, **fields)


def codes(found: Validation) -> list[str]:
    return [issue.code for issue in found.issues]


def of(code: str, found: Validation) -> list[Issue]:
    return [issue for issue in found.issues if issue.code == code]


def one(code: str, *labels: Judgment, **others: Any) -> Issue:
    (issue,) = of(code, validate(list(labels), **others))
    return issue


def none(code: str, *labels: Judgment, **others: Any) -> bool:
    return not of(code, validate(list(labels), **others))


# ------------------------------------------------------------------------------------------------- the specification's


def test_the_codes_of_rows_stand_in_file_order_and_those_of_the_set_behind_them() -> None:
    found = validate([
        label("q2", "d1", 1, "a", labeled_by="synthetic:x", stratum="b", corpus_fingerprint="f1"),
        label("q2", "d1", 2, "b", labeled_by="synthetic:x", stratum="a"),
        label("q1", "d1", 0, None, chunk_id="zz", text_sha="yy", corpus_fingerprint="f2"),
        label("q2", "d1", 2, "c"),
    ], checks=contract_checks())  # fmt: skip
    assert [(issue.severity, issue.code, issue.message) for issue in found.issues] == [
        ("error", "duplicate-label", "duplicate judgment for query q2 and target d1"),
        ("error", "inconsistent-query-text", "query q2 has two different query strings"),
        ("error", "bad-chunk-id", "malformed chunk_id on query q1: zz"),
        ("error", "bad-text-sha", "malformed text_sha on query q1: yy"),
        ("error", "duplicate-label", "duplicate judgment for query q2 and target d1"),
        ("error", "inconsistent-query-text", "query q2 has two different query strings"),
        ("warning", "missing-query-text", "query q1 has no query text on any row"),
        ("warning", "no-human-labels", ONLY_SYNTHETIC),
        ("warning", "mixed-fingerprints", "judgments span 2 corpus fingerprints; run 'drift' before trusting any metric"),
        ("warning", "thin-stratum", "stratum 'a' has only 1 labels, too few to gate on"),
        ("warning", "thin-stratum", "stratum 'b' has only 1 labels, too few to gate on"),
        ("warning", "mixed-granularity", "1/4 labels have chunk_id; the rest are document-level"),
    ]  # fmt: skip
    assert (found.queries, found.labels, found.human_labels, found.synthetic_labels) == (2, 4, 0, 2)
    assert found.fingerprint is None
    assert found.strata == {"b": 1, "a": 1, "_unstratified": 2}
    assert found.errors == ("duplicate-label", "inconsistent-query-text", "bad-chunk-id", "bad-text-sha")
    assert not found.ok


def test_the_json_has_the_specification_s_members_first() -> None:
    made = validate([label(chunk_id=C1, corpus_fingerprint="f", labeled_by="human:a")]).as_dict()
    assert list(made)[:8] == [
        "issues", "queries", "labels", "humanLabels", "syntheticLabels", "fingerprint", "strata", "ok",
    ]  # fmt: skip
    assert made["issues"] == []
    assert (made["humanLabels"], made["fingerprint"], made["strata"], made["ok"]) == (
        1,
        "f",
        {"_unstratified": 1},
        True,
    )


def test_ids_of_queries_are_sorted_by_code_point_not_by_utf_16() -> None:
    # U+1F600 is above U+FF5E, though its first UTF-16 unit is below.
    found = validate([label("\U0001f600", query=None), label("\uff5e", query=None), label("z", query=None)])
    assert [issue.message.split()[1] for issue in of("missing-query-text", found)] == ["z", "\uff5e", "\U0001f600"]


@pytest.mark.parametrize("given", ["", "\n \n", "// nobody has judged yet\n\n", "\ufeff// x\r\n"])
@pytest.mark.parametrize("prefix", ["", "judgments:"])
def test_a_file_without_labels_is_a_finding(tmp_path: Any, given: str, prefix: str) -> None:
    (tmp_path / "none.jsonl").write_text(given, encoding="utf-8", newline="")
    found = validate(f"{prefix}{tmp_path / 'none.jsonl'}")
    assert [(issue.severity, issue.code, issue.message) for issue in found.issues] == [
        ("error", "empty", "no judgments")
    ]
    assert (found.labels, found.strata, found.fingerprint) == (0, {}, None)


def test_no_positives_needs_a_grade_of_one() -> None:
    issue = one("no-positives", label(relevance=0), label("q2", relevance=-1))
    assert issue.severity == "error"
    assert issue.message == "no judgment has relevance >= 1, so recall is undefined for every query"
    assert none("no-positives", label(relevance=0), label("q2", relevance=1))


def test_no_chunk_ids_is_said_where_not_one_label_has_one() -> None:
    message = "no label has a chunk_id, so drift can only work at document granularity. See spec/chunk-id.md"
    assert one("no-chunk-ids", label()).message == message
    assert none("no-chunk-ids", label(), label(doc_uri="d2", chunk_id=C1))


def test_five_labels_are_enough_for_a_stratum_and_the_unstratified_need_none() -> None:
    rows = [label(doc_uri=f"d{number}", stratum="s") for number in range(5)]
    assert none("thin-stratum", *rows, label(doc_uri="x"), label(doc_uri="y", stratum="_unstratified"))
    assert one("thin-stratum", *rows[:4]).message == "stratum 's' has only 4 labels, too few to gate on"


def test_a_query_text_is_compared_with_the_one_before_it() -> None:
    # a, b, b, nothing, a: it changes at the second row and at the fifth.
    rows = [label(doc_uri=f"d{number}", query=text) for number, text in enumerate(["a", "b", "b", None, "a"])]
    assert len(of("inconsistent-query-text", validate(rows))) == 2
    # An empty text is a text.
    assert none("missing-query-text", label(query=""))
    assert one("inconsistent-query-text", label(query=""), label(doc_uri="d2", query="a"))


def test_one_fingerprint_is_told_and_an_empty_one_is_none() -> None:
    found = validate([label(corpus_fingerprint=""), label(doc_uri="d2", corpus_fingerprint="f"), label(doc_uri="d3")])
    assert found.fingerprint == "f"
    assert not of("mixed-fingerprints", found)


@pytest.mark.parametrize("text", ["c1:" + "0" * 31, "c1:" + "A" * 32, "c1:" + "0" * 32 + "\n", "x"])
def test_chunk_ids_are_looked_at_to_the_last_character(text: str) -> None:
    assert one("bad-chunk-id", label(chunk_id=text)).message == f"malformed chunk_id on query q1: {text}"


def test_issues_carry_the_line_of_their_row(tmp_path: Any) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(
        '// two\n{"query_id":"q","doc_uri":"d","relevance":1}\n\n{"query_id":"q","doc_uri":"d","relevance":1}\n'
    )
    (issue,) = of("duplicate-label", validate(path))
    assert issue.line == 4
    assert issue.as_dict()["first_line"] == 2


def test_rows_that_are_no_labels_are_refused_not_validated(tmp_path: Any) -> None:
    (tmp_path / "j.jsonl").write_text(
        '{"query_id":"q","doc_uri":"d","relevance":1}\n{"query_id":"","doc_uri":"d","relevance":1}\n'
    )
    with pytest.raises(InputErrors, match=r"j\.jsonl:2"):
        validate(tmp_path / "j.jsonl")


def test_every_format_is_taken_and_grades_that_conflict_do_not_stop_it(tmp_path: Any) -> None:
    (tmp_path / "q.qrels").write_text("q1 0 d1 1\nq1 0 d1 2\nq2 0 d1 0\n")
    found = validate(tmp_path / "q.qrels")
    assert found.errors == ("duplicate-label",)
    assert (found.labels, found.queries) == (3, 2)


def test_labels_can_be_shown_while_something_else_reads_them(tmp_path: Any) -> None:
    (tmp_path / "q.qrels").write_text("q1 0 d1 1\nq1 0 d1 1\n")
    source = Input(tmp_path / "q.qrels", "judgments")
    validator = Validator(contract_checks())
    assert len(list(validator.watched(source, source.reading))) == 2
    (issue,) = of("duplicate-label", validator.result())
    assert issue.line == 2


# ----------------------------------------------------------------------------------------------------------- our own


def test_on_labels_alone_no_own_check_makes_a_set_unsound() -> None:
    """So that `ok`, exit codes and verdicts are those of every other implementation of the specification."""
    assert {check.severity for check in Validator().checks if check.own} <= {"warning", "info"}


def test_a_digest_of_another_text_is_told() -> None:
    issue = one("text-sha-mismatch", label(chunk_id=C1, text_sha="t1:" + "0" * 32, chunk_text="hello"))
    assert issue.evidence["of_chunk_text"] == text_sha("hello")
    # The digest is of the normal form: a final line end does not matter.
    assert none("text-sha-mismatch", label(chunk_id=C1, text_sha=text_sha("hello"), chunk_text="hello\r\n"))
    assert none("text-sha-mismatch", label(text_sha="t1:" + "0" * 32), label(doc_uri="d2", chunk_text="x"))


def test_annotators_disagree_only_with_each_other() -> None:
    ana, ben = {"labeled_by": "human:ana"}, {"labeled_by": "human:ben"}
    issue = one("annotator-conflict", label(relevance=1, **ana), label(relevance=2, **ben))
    assert issue.message == "annotators disagree about query q1 and target d1: human:ana says 1, human:ben says 2"
    assert none("annotator-conflict", label(relevance=1, **ana), label(relevance=1, **ben))
    assert none("annotator-conflict", label(relevance=1, **ana), label(relevance=2, **ana))
    assert none("annotator-conflict", label(relevance=1), label(relevance=2, **ben))
    # ana says 1 twice, ben 1, and then ben 2: ana and ben differ.
    assert one("annotator-conflict", label(relevance=1, **ana), label(relevance=1, **ben), label(relevance=2, **ben))


def test_an_id_that_is_another_s_nfc_is_told() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    issue = one("nfc-equal-ids", label(composed), label(decomposed, "d2"))
    assert issue.evidence["ids"] == sorted([composed, decomposed])
    assert issue.evidence["kind"] == "query"
    assert one("nfc-equal-ids", label(doc_uri=composed), label(doc_uri=decomposed)).evidence["kind"] == "document"
    # U+212A KELVIN SIGN is K after NFC, and K is ASCII.
    assert one("nfc-equal-ids", label("K"), label("\u212a", "d2"))
    assert none("nfc-equal-ids", label(composed), label("caf\u00e8", "d2"))
    # Of labels that have a chunk_id the document counts as well.
    assert one("nfc-equal-ids", label(doc_uri=composed, chunk_id=C1), label(doc_uri=decomposed, chunk_id=C2))


def test_ids_of_corpus_and_queries_are_held_against_those_of_labels() -> None:
    corpus = [Chunk(C1, "caf\u00e9", text="x"), Chunk(C2, "\u00c5", text="y")]
    issue = one("nfc-equal-ids", label(doc_uri="cafe\u0301"), corpus=corpus)
    assert issue.evidence["ids"] == ["cafe\u0301", "caf\u00e9"]
    assert one("nfc-equal-ids", label("\u212a"), queries=[Query("K", "a b")]).evidence["kind"] == "query"


def test_a_query_that_is_its_own_document_is_told() -> None:
    assert one("query-id-is-doc-id", label("7", "7")).message == "query 7 is judged against document 7"
    same = one("query-id-is-doc-id", label("7", "8", query="Is it SO?"), corpus=[Chunk(C1, "7", text="is it  so? yes")])
    assert same.evidence["query_ids"] == ["7"]
    assert none("query-id-is-doc-id", label("7", "8", query="other"), corpus=[Chunk(C1, "7", text="is it so?")])


def test_grades_that_stand_alone_are_told_from_fifty_labels_on() -> None:
    rows = [label(doc_uri=f"d{number}", relevance=number % 2) for number in range(49)]
    slip = label(doc_uri="x", relevance=11)
    issue = one("grade-outlier", *rows, slip)
    assert issue.message == "grade 11 is given once in 50 labels, the next lower grade is 1"
    assert none("grade-outlier", *rows[1:], slip)
    # Twice in a hundred times 1 and ten times the next lower grade: two slips.
    many = [label(f"q{number}", relevance=1) for number in range(198)]
    assert one("grade-outlier", *many, label("x", relevance=10), label("y", relevance=10)).evidence["count"] == 2
    assert none("grade-outlier", *many, label("x", relevance=4), label("y", relevance=4))
    # A usual scale: 0, 1, 2, 3, each several times.
    assert none("grade-outlier", *(label(f"q{number}", relevance=number % 4) for number in range(60)))


def test_queries_of_nearly_the_same_words_are_told_together() -> None:
    # {a b c d} and {a b c d e}: 4 of 5 words are shared.
    issue = one(
        "near-duplicate-queries",
        label("q1", query="A, b c d!"),
        label("q2", query="a b c d e"),
        label("q3", query="x y"),
    )
    assert issue.evidence["query_ids"] == ["q1", "q2"]
    assert issue.severity == "info"
    # {a b c} and {a b c d}: 3 of 4.
    assert none("near-duplicate-queries", label("q1", query="a b c"), label("q2", query="a b c d"))


@pytest.mark.parametrize(
    "by, bad", [("human:a", False), ("synthetic:m", False), ("ana", True), ("human:", True), ("Human:a", True)]
)
def test_annotators_are_of_two_kinds(by: str, bad: bool) -> None:
    assert none("bad-labeled-by", label(labeled_by=by)) is not bad


@pytest.mark.parametrize(
    "at, bad",
    [
        ("2024-02-29T12:00:00Z", False),
        ("2024-05-01t23:59:60.5+05:30", False),
        ("2023-02-29T12:00:00Z", True),  # 2023 has no 29th of February
        ("2024-05-01", True),
        ("2024-05-01T12:00:00", True),  # no offset
        ("2024-05-01T24:00:00Z", True),
        ("\u0662\u0660\u0662\u0664-05-01T12:00:00Z", True),  # digits of another script
    ],
)
def test_times_are_those_of_rfc_3339(at: str, bad: bool) -> None:
    assert none("bad-labeled-at", label(labeled_at=at)) is not bad


# ------------------------------------------------------------------------------------------------- against a collection


def test_labels_of_queries_that_are_not_there() -> None:
    issue = one("dangling-query", label("q1"), label("q2", "d2"), queries=[Query("q2", "a b")])
    assert (issue.severity, issue.evidence["query_id"]) == ("error", "q1")


def test_a_query_text_that_is_not_the_collection_s() -> None:
    issue = one(
        "query-text-differs",
        label("q1", query="old"),
        label("q2", "d2", query=None),
        queries=[Query("q1", "new"), Query("q2", "x")],
    )
    assert issue.evidence["texts"] == ["old", "new"]


def test_labels_of_documents_and_chunks_that_are_not_there() -> None:
    corpus = [Chunk(C1, "d1", text="x")]
    rows = [
        label("q1", "d1", chunk_id=C1),
        label("q2", "d1", chunk_id=C2),
        label("q3", "gone", chunk_id=C2),
        label("q4", "gone"),
    ]
    found = validate(rows, corpus=corpus)
    (document,) = of("dangling-document", found)
    assert document.severity == "error"
    assert document.message == "document gone is judged (2 labels, first for query q3) and not in the corpus"
    (chunk,) = of("dangling-chunk", found)
    assert (chunk.severity, chunk.evidence["chunk_id"], chunk.evidence["query_id"]) == ("warning", C2, "q2")


def test_a_live_chunk_may_hold_the_judged_text_but_not_another() -> None:
    fine = label(chunk_id=C1, text_sha=text_sha("a b"), chunk_text="a b")
    assert none("live-text-differs", fine, corpus=[Chunk(C1, "d1", text="a b\n")])
    # As drift --fix leaves a label that was merged into a larger chunk.
    assert none("live-text-differs", fine, corpus=[Chunk(C1, "d1", text="before. a b. after")])
    assert one("live-text-differs", fine, corpus=[Chunk(C1, "d1", text="a c")]).evidence["chunk_id"] == C1
    # Without its text nobody can say whether the larger chunk holds it.
    bare = label(chunk_id=C1, text_sha=text_sha("a b"))
    assert one("live-text-differs", bare, corpus=[Chunk(C1, "d1", text="before. a b. after")])
    # A corpus that keeps its texts to itself has digests.
    assert one("live-text-differs", bare, corpus=[Chunk(C1, "d1", text_sha=text_sha("c"))])
    assert none("live-text-differs", bare, corpus=[Chunk(C1, "d1")])


def test_a_label_of_a_place_is_held_against_the_part_of_it_that_the_chunk_holds() -> None:
    """The document: `one two three four`; judged is `two three`, 4 to 13; the chunks are `one two t` and `hree four`."""
    place = {"span": {"start": 4, "end": 13}, "doc_revision": "r1"}
    projected = {**place, "projected": {"rule": "overlap=0.5", "covered": 5 / 9}}
    judged = label(chunk_id=C1, text_sha=text_sha("two three"), chunk_text="two three", extra=projected)
    left = Chunk(C1, "d1", "r1", text="one two t", start=0, end=9)
    assert none("live-text-differs", judged, corpus=[left])
    assert none("live-text-differs", judged, corpus=[left._replace(text="hree four", start=9, end=18)])
    # The quote may be written otherwise, and then its characters cannot be counted.
    quoted = judged._replace(chunk_text="two  three")
    assert none("live-text-differs", quoted, corpus=[left._replace(text="three four", start=8, end=18)])
    # Without a text the place is the proof.
    assert none("live-text-differs", judged._replace(chunk_text=None), corpus=[left])
    assert none("live-text-differs", judged._replace(chunk_text=None, extra=place), corpus=[left])
    # Nothing of the place, or another text there.
    assert one("live-text-differs", judged, corpus=[left._replace(text="four", start=14, end=18)]).line is None
    assert one("live-text-differs", judged, corpus=[left._replace(text="one TWO t")])


def test_a_projected_label_tells_nothing_of_another_revision() -> None:
    place = {"span": {"start": 4, "end": 13}, "doc_revision": "r1"}
    chunk = Chunk(C1, "d1", "r2", text="one two t", start=0, end=9)
    judged = label(chunk_id=C1, text_sha=text_sha("two three"), chunk_text="two three", extra=place)
    projected = judged._replace(extra={**place, "projected": {"rule": "overlap=0.5", "covered": 5 / 9}})
    for live in (chunk, Chunk(C1, "d1", "r1", text="one two t")):
        assert none("live-text-differs", projected, corpus=[live])
        assert one("live-text-differs", judged, corpus=[live]), "as of any label: all of the text should be there"


def test_the_highest_recall_is_told_where_relevant_labels_cannot_be_found() -> None:
    corpus = [Chunk(C1, "d1", text="a"), Chunk("c", "d2", text="b")]
    given = [
        label("q1", "d1"), label("q1", "gone"), label("q1", "lost", 0), label("q2", "d2"), label("q3", "gone", 0),
        label("q4", "d1", 2, chunk_id=C1), label("q4", "d1", 1, chunk_id=C2), label("q4", "d2", 1, chunk_id="c"),
    ]  # fmt: skip
    # Of q1 a half, of q2 all, of q4 two thirds; q3 has nothing to be found: (1/2 + 1 + 2/3) / 3 = 13/18.
    issue = one("recall-bound", *given, corpus=corpus)
    assert issue.message == (
        "2 of 6 relevant labels name what the corpus does not hold: recall and AP of a perfect run are 0.7222"
    )
    assert issue.evidence == {"bound": pytest.approx(13 / 18, abs=1e-15), "unreachable": 2, "relevant": 6}
    assert issue.severity == "info"
    assert none("recall-bound", label("q1", "d1"), label("q1", "gone", 0), corpus=corpus)


def test_a_copy_that_nobody_judged_is_told_for_each_query() -> None:
    copies = [
        Chunk(C1, "d1", text="Caf\u00e9  au lait"),
        Chunk(C2, "d2", text="cafe\u0301 AU\nlait"),
        Chunk("x", "d3", text="tea"),
    ]
    issue = one("unjudged-copy", label("q1", "d1", 2), label("q2", "d1"), label("q2", "d2"), corpus=copies)
    assert issue.message == "query q1: d1 is judged 2, and d2 with the same text is not judged"
    assert none("unjudged-copy", label("q1", "d1", 0), label("q2", "d3"), corpus=copies)
    # The copy may come first: the corpus is read again.
    assert one("unjudged-copy", label("q1", "d2"), corpus=copies).evidence["unjudged"] == ["d1"]
    # No text is no content.
    assert none("unjudged-copy", label("q1", "d1"), corpus=[Chunk(C1, "d1", text=" "), Chunk(C2, "d2", text="")])


def test_copies_are_chunks_for_labels_of_chunks_and_whole_documents_for_the_others() -> None:
    pieces = [
        Chunk("1", "d1", ordinal=0, text="a"), Chunk("2", "d1", ordinal=1, text="b"),
        Chunk("3", "d2", ordinal=0, text="a"), Chunk("4", "d2", ordinal=1, text="c"),
        Chunk("5", "d3", ordinal=0, text="a"), Chunk("6", "d3", ordinal=1, text="B"),
    ]  # fmt: skip
    assert one("unjudged-copy", label("q1", "d1", chunk_id="1"), corpus=pieces).evidence["unjudged"] == ["3", "5"]
    assert one("unjudged-copy", label("q1", "d1"), corpus=pieces).evidence["unjudged"] == ["d3"]


def test_a_document_of_one_chunk_and_that_chunk_are_no_copies_of_each_other() -> None:
    labels = [label("q1", "d1", chunk_id="1"), label("q2", "d2")]
    alone = [Chunk("1", "d1", text="a"), Chunk("2", "d2", text="b")]
    assert none("unjudged-copy", *labels, corpus=alone)
    copied = [*alone, Chunk("3", "d3", text="b"), Chunk("4", "d4", text="A")]
    found = of("unjudged-copy", validate(labels, corpus=copied))
    assert [(issue.evidence["key"], issue.evidence["unjudged"]) for issue in found] == [("1", ["4"]), ("d2", ["d3"])]


def test_a_long_query_that_stands_in_a_document_is_told() -> None:
    query = "May annual plans be refunded, after renewal?"  # seven words
    corpus = [
        Chunk(C1, "d1", text="FAQ: may annual plans be  refunded after RENEWAL. Yes."),
        Chunk(C2, "d2", text="no"),
    ]
    issue = one("query-in-corpus", label("q1", "d2", query=query), corpus=corpus)
    assert issue.message == "query q1 stands word for word in document d1"
    assert issue.evidence["judged"] == []
    # Words, not parts of words; and five words stand anywhere by chance.
    assert none("query-in-corpus", label(query="a b c d e f"), corpus=[Chunk(C1, "d1", text="xa b c d e f")])
    assert none("query-in-corpus", label(query="a b c d e"), corpus=[Chunk(C1, "d1", text="a b c d e")])
    # The text may be the collection's.
    assert one("query-in-corpus", label(query=None), corpus=corpus, queries=[Query("q1", query)])


def test_checks_that_need_a_collection_are_named_where_there_is_none() -> None:
    found = validate([label()])
    assert {check.needs for check in found.skipped} == {"corpus", "queries"}
    assert not validate([label()], corpus=[Chunk(C1, "d1", text="x")], queries=[Query("q1", "a b")]).skipped
