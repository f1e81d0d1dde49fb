"""`fmt`: canonical bytes, comments where they were, and nothing touched that need not be."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from irbridge.errors import InputErrors, UsageError
from irbridge.judgments.canonical_form import fmt

# Order of fields, compact separators, no escapes but those needed, unknown fields last in their order (spec/formats.md 2.1).
LOOSE = (
    '\ufeff// made by ana  \r\n'
    '{"z": [1, 2], "relevance": 1, "doc_uri": "d", "query_id": "q\\u00e9", "notes": null}\r\n'
    '\r\n'
    '  // second\n'
    '{"query_id":"q","doc_uri":"e","relevance":2.0,"query":"a \\u0001\\/"}'
)  # fmt: skip
CANONICAL = (
    '// made by ana\n'
    '{"query_id":"q\u00e9","doc_uri":"d","relevance":1,"z":[1,2]}\n'
    '// second\n'
    '{"query_id":"q","query":"a \\u0001/","doc_uri":"e","relevance":2}\n'
)  # fmt: skip


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    path = tmp_path / "j.jsonl"
    path.write_bytes(LOOSE.encode())
    return path


def test_a_file_is_brought_into_canonical_form(loose: Path) -> None:
    found = fmt(loose)
    assert (found.changed, found.labels, found.comments) == (True, 2, 2)
    assert loose.read_text(encoding="utf-8") == CANONICAL


def test_comments_can_be_dropped(loose: Path) -> None:
    fmt(loose, drop_comments=True)
    assert loose.read_text(encoding="utf-8") == "".join(
        line for line in CANONICAL.splitlines(keepends=True) if not line.startswith("//")
    )


def test_checking_changes_nothing(loose: Path) -> None:
    assert fmt(loose, check=True).changed
    assert loose.read_bytes() == LOOSE.encode()


def test_what_is_canonical_is_not_touched(loose: Path) -> None:
    fmt(loose)
    os.utime(loose, ns=(1, 1))
    assert not fmt(loose).changed
    assert loose.stat().st_mtime_ns == 1


@pytest.mark.parametrize("change", [b"\n", b"// x\n", b" "])
def test_one_byte_too_many_is_seen(loose: Path, change: bytes) -> None:
    fmt(loose)
    loose.write_bytes(loose.read_bytes() + change)
    # A comment at the end is canonical where it stands.
    assert fmt(loose, check=True).changed is (change != b"// x\n")


def test_comments_before_between_and_behind_keep_their_places(tmp_path: Path) -> None:
    row = '{"query_id":"q","doc_uri":"%s","relevance":1}\n'
    text = "// 1\n// 2\n" + row % "a" + row % "b" + "// 3\n" + row % "c" + "// 4\n"
    path = tmp_path / "j.jsonl"
    path.write_text(text)
    assert not fmt(path).changed
    path.write_text(text.replace("// 3\n", "\n // 3 \n\n"))
    assert fmt(path).changed
    assert path.read_text() == text


def test_a_bad_row_leaves_the_file_as_it_is(loose: Path) -> None:
    loose.write_text('{"query_id": "q", "doc_uri": "d", "relevance": 1}\n{"query_id": "q"}\n')
    before = loose.read_bytes()
    with pytest.raises(InputErrors, match=":2: relevance must be"):
        fmt(loose)
    assert loose.read_bytes() == before
    assert [path.name for path in loose.parent.iterdir()] == ["j.jsonl"]


def test_a_compressed_file_stays_compressed_if_its_name_says_so(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl.gz"
    path.write_bytes(gzip.compress(LOOSE.encode()))
    assert fmt(path).changed
    assert gzip.decompress(path.read_bytes()).decode() == CANONICAL
    assert not fmt(path).changed
    hidden = tmp_path / "j.jsonl"
    hidden.write_bytes(gzip.compress(LOOSE.encode()))
    with pytest.raises(UsageError, match="does not say how it is compressed"):
        fmt(hidden)


def test_other_formats_have_no_canonical_form_here(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("q1 0 d1 1\n")
    with pytest.raises(UsageError, match="is trec-qrels"):
        fmt(tmp_path / "q")
