"""Where a fault in a corpus object stands: its chunk, its line. Places are counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irbridge.errors import InputError
from irbridge.formats import corpus
from irbridge.reading import Reading
from irbridge.source import Source


def rows(count: int = 5) -> list[str]:
    return [json.dumps({"chunk_id": f"c{number}", "doc_uri": "d", "text": f"text {number}"}) for number in range(count)]


def refusal(path: Path, content: str | bytes) -> InputError:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        list(corpus.read(Source(path, "c.json"), Reading(label="c.json")))
    return caught.value


def one_line(chunks: list[str]) -> str:
    return f'{{"corpus_fingerprint":"f","chunks":[{",".join(chunks)}]}}'


def lines(chunks: list[str]) -> str:
    """The first chunk is in line 2."""
    body = ",\n".join(chunks)
    return f'{{"corpus_fingerprint":"f","chunks":[\n{body}\n]}}\n'


FAULTS = [
    ('"text 3"', '"\\ud800"', "it holds half of a surrogate pair"),
    ('"text 3"', "NaN", "NaN is not JSON"),
    ('"text 3"', "[" * 3000 + "]" * 3000, "it is nested too deeply"),
    ('"text 3"', "tru", "expecting value at character"),
    ('"text 3"', '"a\tb"', "invalid control character at character"),
    ('"text 3"', '"a\\xb"', "invalid \\escape"),
]


@pytest.mark.parametrize("text, edit, why", FAULTS)
def test_the_chunk_and_its_line(tmp_path: Path, text: str, edit: str, why: str) -> None:
    chunks = [row.replace(text, edit) for row in rows()]
    found = refusal(tmp_path / "c", one_line(chunks))
    assert str(found).lower().startswith(f"c.json: chunks[3]: invalid json, {why}".lower())
    assert found.text is not None
    assert found.text.startswith('{"chunk_id": "c3"')
    assert found.hint is not None
    # The first chunk is in line 2, so that number 3 is in line 5.
    assert (
        str(refusal(tmp_path / "c", lines(chunks)))
        .lower()
        .startswith(f"c.json:5: chunks[3]: invalid json, {why}".lower())
    )


def test_a_character_is_counted_in_its_line(tmp_path: Path) -> None:
    # {"chunk_id": "c3", "doc_uri": "d", "text": tru}: `tru` begins at character 44.
    chunks = [row.replace('"text 3"', "tru") for row in rows()]
    assert (
        str(refusal(tmp_path / "c", lines(chunks)))
        == "c.json:5: chunks[3]: invalid JSON, expecting value at character 44"
    )


def test_what_stands_between_chunks(tmp_path: Path) -> None:
    content = lines(rows()).replace('},\n{"chunk_id": "c2"', '}\n{"chunk_id": "c2"')
    said = "c.json:4: after chunks[1]: invalid JSON, expecting ',' delimiter at character 1"
    assert str(refusal(tmp_path / "c", content)) == said
    cut = refusal(tmp_path / "c", lines(rows())[:-30])
    assert str(cut).startswith("c.json:6: chunks[4]: invalid JSON, ")


def test_a_fault_outside_of_the_array_has_its_line(tmp_path: Path) -> None:
    found = refusal(tmp_path / "c", lines(rows()).replace("\n]}", '\n],"made":x}'))
    assert str(found) == "c.json:7: invalid JSON, expecting value at character 10"  # ],"made":x
    found = refusal(tmp_path / "c", lines(rows()).replace('"f"', "f"))
    assert str(found) == "c.json:1: invalid JSON, expecting value at character 23"  # {"corpus_fingerprint":f


@pytest.mark.parametrize("bad, why", [(b"\xff", "is not UTF-8 text"), (b"\0", "holds a NUL character")])
def test_bytes_that_are_no_text_are_shown_with_their_chunk(tmp_path: Path, bad: bytes, why: str) -> None:
    content = one_line([*rows(), *rows(4)]).encode().replace(b"text 3", "ü 3".encode() + bad, 1)
    assert str(refusal(tmp_path / "c", content)) == f"c.json:1: chunks[3]: {why}"
    found = refusal(tmp_path / "c", lines(rows()).encode().replace(b"text 3", b"\xc3\xbc 3" + bad))
    assert str(found) == f"c.json:5: chunks[3]: {why}"


def test_bytes_that_are_no_text_are_shown_where_they_stand(tmp_path: Path) -> None:
    found = refusal(tmp_path / "c", one_line(rows(99)).encode().replace(b"text 77", b"text \xff"))
    assert found.text is not None
    assert "c77" in found.text[:60]
    assert r"text \xff" in found.text[:60]


def test_a_fault_before_bytes_that_are_no_text_hides_their_chunk(tmp_path: Path) -> None:
    content = one_line(rows()).replace('"text 1"', "tru").encode().replace(b"text 3", b"text \xff")
    assert str(refusal(tmp_path / "c", content)) == "c.json:1: is not UTF-8 text"


CONTENT = [
    ('"doc_uri": "d", ', "", "missing doc_uri"),
    ('"text 3"', "3", "text must be a string, not 3"),
    ('"text 3"', '"x", "text": "y"', 'invalid JSON, the key "text" is given twice'),
    ('"text 3"', '"x", "start": 1', "start and end must both be there, start <= end"),
]


@pytest.mark.parametrize("text, edit, why", CONTENT)
@pytest.mark.parametrize("end", ["\n", "\r\n", " \n\t"])
def test_a_fault_of_content_has_its_line(tmp_path: Path, text: str, edit: str, why: str, end: str) -> None:
    chunks = rows()
    chunks[3] = chunks[3].replace(text, edit)
    # The first chunk is in line 2, so that number 3 is in line 5.
    assert str(refusal(tmp_path / "c", lines(chunks).replace("\n", end))) == f"c.json:5: chunks[3]: {why}"
    assert str(refusal(tmp_path / "c", one_line(chunks))) == f"c.json: chunks[3]: {why}"


def test_the_line_is_that_in_which_the_chunk_begins(tmp_path: Path) -> None:
    # Written with an indent, {, "chunks": [ and {, and in all six lines a chunk: number 3 begins in line 3 + 3 * 5.
    found = [{"chunk_id": f"c{number}", "doc_uri": "d" if number != 3 else "", "text": "\\n"} for number in range(5)]
    content = json.dumps({"chunks": found}, indent=2)
    assert content.split("\n")[17:19] == ["    {", '      "chunk_id": "c3",']
    assert str(refusal(tmp_path / "c", content)) == "c.json:18: chunks[3]: missing doc_uri"


def test_each_of_many_faults_has_its_line(tmp_path: Path) -> None:
    # Two chunks a line, the first in line 3; every fourth one has a fault, and a member before the array has brackets.
    chunks = [row if number % 4 else row.replace('"d"', "7") for number, row in enumerate(rows(40))]
    body = ",\n".join(f"{chunks[at]}, {chunks[at + 1]}" for at in range(0, 40, 2))
    (tmp_path / "c").write_text(f'{{"made": [{{"chunks": [1, 2]}}],\n"chunks": [\n{body}\n]}}', encoding="utf-8")
    reading = Reading(label="c", drop_bad_rows=True)
    assert len(list(corpus.read(Source(tmp_path / "c"), reading))) == 30
    assert [(each.message, each.line) for each in reading.dropped] == [
        (f"chunks[{place}]: doc_uri must be a non-empty string", 3 + place // 2) for place in range(0, 40, 4)
    ]


@pytest.mark.parametrize("twice", ['"a":1,"a":2', '"a":1,"\\u0061":1', '"m":{"x":1,"x":2}'])
def test_no_member_is_given_twice(tmp_path: Path, twice: str) -> None:
    """As in a header of JSON Lines."""
    before = one_line(rows()).replace("{", f"{{{twice},", 1)
    after = one_line(rows()).replace("]}", f"],{twice}}}")
    for content in (before, after, '{"chunks":[]' + f",{twice}}}"):
        assert "is given twice" in str(refusal(tmp_path / "c", content))


def test_what_chunks_and_other_members_have_in_common_is_no_member_twice(tmp_path: Path) -> None:
    (tmp_path / "c").write_text('{"a":[],"b":{"chunks":[]},"chunks":[]}', encoding="utf-8")
    reading = Reading()
    assert list(corpus.read(Source(tmp_path / "c"), reading)) == []
    assert reading.about == {"corpus_fingerprint": None, "chunker_fingerprint": None, "a": [], "b": {"chunks": []}}
