"""Lines of a text and their hashes; each expected hash is hashlib's of a text typed here."""

from __future__ import annotations

import hashlib

import pytest

from irbridge.agentic.evidence import Source, coordinate, evidence_key, evidence_of, line_span, lines_of
from irbridge.errors import InputError


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "text, lines",
    [
        ("", ("",)),
        ("\n", ("",)),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("a\n\n", ("a", "")),
        ("a\r\nb\rc\n", ("a", "b", "c")),
        ("a\r\n\r\nb", ("a", "", "b")),
        ("a\n\rb", ("a", "", "b")),
        # What other programs take for line ends: none of these is one.
        ("a\u2028b\x0bc\x0cd\x85e\x1cf", ("a\u2028b\x0bc\x0cd\x85e\x1cf",)),
        ("\ufeffa \n b", ("\ufeffa ", " b")),
    ],
)
def test_lines(text, lines):
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    "start, end, span", [(1, 1, "one"), (2, 3, "  zwei \n"), (1, 4, "one\n  zwei \n\nЧ"), (4, 4, "Ч")]
)
def test_spans_are_joined_with_lf_and_not_trimmed(start, end, span):
    assert line_span("one\r\n  zwei \r\rЧ\n", start, end) == span


@pytest.mark.parametrize(
    "start, end", [(0, 1), (2, 1), (1, 5), (5, 5), (-1, 1), (1.0, 1), (True, 1), (1, True), ("1", 1), (1, None)]
)
def test_spans_that_are_not_there(start, end):
    with pytest.raises(InputError, match=r"no lines? "):
        line_span("a\nb\nc\nd\n", start, end)


def test_no_unicode_is_normalised():
    # The same word, composed and decomposed: two spans.
    assert line_span("caf\u00e9\ncafe\u0301", 1, 1) != line_span("caf\u00e9\ncafe\u0301", 2, 2)


SOURCE = Source("corpus://c0a1/n.md", "c0a1", "n.md", "first\r\nsecond\r\n", sha("first\r\nsecond\r\n"))


def test_a_coordinate_hashes_the_exact_source_and_the_chosen_lines():
    found = coordinate(SOURCE, 1, 2)
    assert found.source_hash == sha("first\r\nsecond\r\n")
    assert found.span_hash == sha("first\nsecond")
    assert (found.start_line, found.end_line, found.uri) == (1, 2, "corpus://c0a1/n.md")
    assert (found.source_hash_provenance, found.span_hash_provenance) == ("harness_observed", "harness_observed")


def test_evidence_is_a_coordinate_with_its_text():
    found = evidence_of(SOURCE, 2, 2)
    assert found.text == "second"
    assert found.span_hash == sha("second")
    assert (found.backend_source_hash, found.backend_span_hash) == (None, None)
    assert found.backend_hash_unavailable_reason
    assert evidence_key(found) == evidence_key(coordinate(SOURCE, 2, 2))


def test_each_of_seven_members_makes_another_key():
    base = coordinate(SOURCE, 1, 1)
    others = [
        coordinate(Source("corpus://c0a1/m.md", "c0a1", "m.md", SOURCE.text, SOURCE.source_hash), 1, 1),
        coordinate(Source(SOURCE.uri, "c0a1", "n.md", SOURCE.text, sha("another version")), 1, 1),
        coordinate(SOURCE, 2, 2),
        coordinate(SOURCE, 1, 2),
        coordinate(SOURCE, 1, 1, source_provenance="backend_provided"),
        coordinate(SOURCE, 1, 1, span_provenance="backend_provided"),
    ]
    keys = {evidence_key(each) for each in [base, *others]}
    assert len(keys) == 7
