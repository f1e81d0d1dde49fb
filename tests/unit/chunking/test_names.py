from __future__ import annotations

import re

import pytest

from irbridge.chunking import CHUNKERS, chunker
from irbridge.chunking.base import Chunker, broken_law
from irbridge.errors import IrbridgeError, UnknownName, UsageError


@pytest.mark.parametrize(
    "spec, fingerprint",
    [
        ("recursive/512/64", "recursive/512/64"),
        ("recursive/512", "recursive/512/0"),
        ("fixed/256/0", "fixed/256/0"),
        ("fixed/0256", "fixed/256/0"),
        ("sentence/3", "sentence/3/0"),
        ("markdown/800", "markdown/800/0"),
        ("whole", "whole/1"),
        ("whole/1", "whole/1"),
        ("recursive/512/64@1", "recursive/512/64"),
    ],
)
def test_a_fingerprint_has_every_setting(spec: str, fingerprint: str) -> None:
    assert chunker(spec).fingerprint == fingerprint


@pytest.mark.parametrize(
    "spec, said",
    [
        ("fixed", "lacks the size (characters in a window)"),
        ("fixed/", "the size of fixed must be a whole number from 1 to 1000000000, not ''"),
        ("fixed/0", "must be a whole number from 1"),
        ("fixed/-1", "must be a whole number from 1"),
        ("fixed/1.5", "must be a whole number from 1"),
        ("fixed/\u0663", "must be a whole number from 1"),
        ("fixed/" + "9" * 5000, "must be a whole number from 1"),
        ("fixed/5/5", "the overlap, 5, must be smaller than the size, 5"),
        ("sentence/2/3", "the overlap, 3, must be smaller than the sentences, 2"),
        ("fixed/5/4/3", "has 3 settings, fixed takes 2"),
        ("whole/2", "the documents of whole must be 1, not '2'"),
        ("recursive/512/64@2", "asks for version 2 of recursive, here is 1"),
    ],
)
def test_what_is_wrong_with_a_spec_is_said(spec: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)) as caught:
        chunker(spec)
    assert caught.value.hint


@pytest.mark.parametrize("spec, near", [("recursiv/512", "recursive"), ("markdwon/3", "markdown"), ("hole", "whole")])
def test_a_name_nobody_has_is_answered_with_the_nearest(spec: str, near: str) -> None:
    with pytest.raises(UnknownName) as caught:
        chunker(spec)
    assert near in caught.value.near


@pytest.mark.parametrize(
    "spans, law",
    [
        ([(0, 9)], "in a text of 8"),
        ([(3, 3)], "in a text of 8"),
        ([(-1, 3)], "in a text of 8"),
        ([(0, 4), (5, 8)], "span 0 begins or ends with white space"),
        ([(0, 3)], "text at the end is in no span"),
        ([(5, 8)], "text before span 0 is in no span"),
        ([(0, 3), (6, 8)], "text before span 1 is in no span"),
        ([(5, 8), (0, 3)], "text before span 0"),
        ([(0, 8), (5, 8)], "span 1, [5, 8), is out of order"),
        ([], "text at the end is in no span"),
        ([(0, 3), (5, 8)], None),
        ([(0, 6), (5, 8)], None),
    ],
)
def test_the_laws_are_checked(spans: list[tuple[int, int]], law: str | None) -> None:
    text = "abc  def"
    found = broken_law(text, spans)
    assert found is None if law is None else law in str(found)
    made = Chunker("faulty/1", lambda _: spans)
    if law is None:
        assert made.spans(text) == spans
    else:
        with pytest.raises(IrbridgeError, match="faulty/1 broke its contract"):
            made.spans(text)


def test_chunkers_with_one_fingerprint_are_equal() -> None:
    assert chunker("fixed/3") == chunker("fixed/3/0")
    assert chunker("fixed/3") != chunker("fixed/4")
    assert {"whole", "fixed", "recursive", "sentence", "markdown", "semantic"} <= set(CHUNKERS.names())
