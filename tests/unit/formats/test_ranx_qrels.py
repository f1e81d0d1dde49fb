from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support.formats import LABELS, labels, read, written

from irbridge.errors import InputError, InputErrors, UsageError
from irbridge.formats import identify
from irbridge.formats.ranx_qrels import FORMAT
from irbridge.model import Judgment
from irbridge.reading import Reading


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "qrels.json"


def test_an_object_of_objects_is_labels_in_file_order(path: Path) -> None:
    path.write_text('{"q2": {"d9": 2, "d1": -1}, "q1": {"é ü": 0}}')
    found, reading = read(FORMAT, "judgments", path)
    assert found == [Judgment("q2", "d9", 2), Judgment("q2", "d1", -1), Judgment("q1", "é ü", 0)]
    assert (reading.rows, reading.notes) == (3, {})


def test_the_layout_of_white_space_and_a_byte_order_mark_do_not_matter(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{\r\n\t"q1" :\r\n { "d1":1 }\r\n}\r\n')
    assert labels(FORMAT, path) == [("q1", "d1", 1)]


def test_a_query_without_labels_is_left_out_and_noted(path: Path) -> None:
    # Field note B25: q2 is undefined and must not disturb the others.
    path.write_text('{"q1": {"d1": 0, "d2": 1}, "q2": {}, "q3": {"d2": 1}}')
    found, reading = read(FORMAT, "judgments", path)
    assert [label.query_id for label in found] == ["q1", "q1", "q3"]
    assert str(reading.notes["unjudged-queries"]) == "1 query without a judgment left out"


def test_grades_that_are_not_whole_are_all_named(path: Path) -> None:
    # Field note B28: ranx casts 0.9 to 0 and 1.9 to 1; 2.0 is whole.
    path.write_text('{"q": {"a": 0.9, "b": 1.9, "c": 2.0}}')
    with pytest.raises(InputErrors) as caught:
        labels(FORMAT, path)
    assert [error.message for error in caught.value.errors] == [
        "query q, document a: relevance 0.9 is not a whole number",
        "query q, document b: relevance 1.9 is not a whole number",
    ]
    assert labels(FORMAT, path, drop_bad_rows=True) == [("q", "c", 2)]


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"q": {"d": 1, "e": 0, "d": 2}}', "document d of query q stands twice in the file"),
        ('{"q": {"d": 1}, "p": {"d": 1}, "q": {"e": 2}}', "query q stands twice in the file"),
        ('{"q": {"d": 1, "d": 1}}', "document d of query q stands twice in the file"),
        ("[1]", "is not an object {query: {document: number}}"),
        ('{"q": [1]}', "query q has a list where {document: grade} belongs"),
        ('{"q": {"d": 1}', "is not JSON: expecting ',' delimiter at column 15"),
        ('{\n"q": {"d": 1,}\n}', "is not JSON: "),
        ('{"q": {"d": "1"}}', "query q, document d: relevance '1' is a str, not a number"),
        ('{"q": {"d": null}}', "query q, document d: relevance is missing (None)"),
        ('{"q": {"d": NaN}}', "query q, document d: relevance is missing (nan)"),
        ('{"q": {"": 1}}', "query q, document : the document id is empty"),
        ('{"": {"d": 1}}', "the query id is empty"),
        ('{"q": {"\\ud800": 1}}', "holds half a surrogate pair"),
        ('{"a": ' * 100_000, "is not JSON that can be used: "),
        ('{"q": {"d": ' + "1" * 5000 + "}}", "is not JSON that can be used: "),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        labels(FORMAT, path)
    assert message in str(caught.value)
    assert str(caught.value).startswith("mine")


def test_a_syntax_error_has_its_line(path: Path) -> None:
    path.write_text('{\n"q": {"d": 1},\n"p": }\n')
    with pytest.raises(InputError, match=r"^mine:3: is not JSON: expecting value at column 6"):
        labels(FORMAT, path)


def test_bytes_that_are_not_utf8_have_their_line(path: Path) -> None:
    path.write_bytes(b'{"q":\n {"d\xff": 1}}')
    with pytest.raises(InputError, match=r"^mine:2: is not UTF-8 text"):
        labels(FORMAT, path)


def test_it_is_written_as_ranx_indents_it() -> None:
    assert written(FORMAT, "judgments", LABELS).decode() == (
        '{\n  "q1": {\n    "d1": 1,\n    "d2": 0\n  },\n  "q2": {\n    "d1": -2\n  }\n}\n'
    )


def test_what_is_written_is_read_back(path: Path) -> None:
    given = [Judgment('q"\\\n', "é\u2028", 3), Judgment("q2", "\x01 d", 0)]
    path.write_bytes(written(FORMAT, "judgments", given))
    assert read(FORMAT, "judgments", path)[0] == given


@pytest.mark.parametrize(
    "number, message",
    [
        # All but the last two are whole numbers as doubles; as they are written they are none.
        ("1e-400", "relevance 1E-400 is not a whole number"),
        ("1.0000000000000000001", "relevance 1.0000000000000000001 is not a whole number"),
        ("-0.0", "relevance -0.0 is not a whole number"),
        ("1e400", "relevance 1E+400 is not a whole number"),
        ("NaN", "relevance is missing (nan)"),
        ("1e300", "is out of range"),
        ("1" + "0" * 30, "is out of range"),
    ],
)
def test_nothing_of_a_grade_is_rounded_away(path: Path, number: str, message: str) -> None:
    path.write_text(f'{{"q": {{"d": {number}}}}}')
    with pytest.raises(InputError, match=re.escape(message)):
        labels(FORMAT, path)


@pytest.mark.parametrize("number, grade", [("1.0", 1), ("2e0", 2), ("-3.000", -3), ("9007199254740992", 2**53)])
def test_a_grade_that_is_whole_in_its_text_is_taken(path: Path, number: str, grade: int) -> None:
    path.write_text(f'{{"q": {{"d": {number}}}}}')
    assert labels(FORMAT, path) == [("q", "d", grade)]


@pytest.mark.parametrize("bad", ["", "d\0", "\ud800"])
def test_what_no_reader_takes_for_an_id_is_not_written(bad: str) -> None:
    for label in (Judgment(bad, "d", 1), Judgment("q", bad, 1)):
        with pytest.raises(InputError, match=r"the id .* (is empty|holds)"):
            written(FORMAT, "judgments", [label])


def test_the_key_of_a_chunk_label_is_its_chunk() -> None:
    label = Judgment("q", "doc", 1, chunk_id="c1:" + "0" * 32)
    assert json.loads(written(FORMAT, "judgments", [label])) == {"q": {"c1:" + "0" * 32: 1}}


def test_no_labels_are_an_empty_object() -> None:
    assert written(FORMAT, "judgments", []) == b"{}\n"


def test_one_grade_per_document_is_all_it_can_hold() -> None:
    same = [Judgment("q", "d", 1, iteration="1"), Judgment("q", "d", 1, iteration="2")]
    assert json.loads(written(FORMAT, "judgments", same)) == {"q": {"d": 1}}
    with pytest.raises(InputError, match="query q document d is judged twice, 1 and 0"):
        written(FORMAT, "judgments", [same[0], same[1]._replace(relevance=0)])


@pytest.mark.parametrize(
    "text, part, name",
    [
        ('{"q": {"d": 1}}', "judgments", "ranx-qrels"),
        ('{"q": {"d": 1}}', "run", "ranx-run"),
        ('{"q": {"d": 1.0}}', "judgments", "ranx-qrels"),
        ('{"q": {"d": 0.5}}', "run", "ranx-run"),
        ('{"q": {"d": 1, "e": 1e-3}}', "run", "ranx-run"),
        ('{"q": {}, "p": {"d": 1}}', "judgments", "ranx-qrels"),
    ],
)
def test_whole_numbers_are_what_is_asked_for(path: Path, text: str, part: str, name: str) -> None:
    path.write_text(text)
    assert identify(path, part, Reading())[0].name == name


def test_fractions_are_no_grades(path: Path) -> None:
    path.write_text('{"q": {"d": 0.5}}')
    with pytest.raises(UsageError, match="is ranx-run, which holds no judgments"):
        identify(path, "judgments", Reading())


@pytest.mark.parametrize(
    "text",
    [
        '{"query_id":"q","doc_uri":"d","relevance":1}\n',
        '{"span":{"start":1,"end":2},"query_id":"q"}\n{"span":{"start":1,"end":2},"query_id":"q"}\n',
        '{"_id":"d","text":"t","metadata":{"n":1}}\n',
        '{"q": ["d"]}',
        '{"q": 1}',
        "[]",
        "q 0 d 1\n",
    ],
)
def test_other_json_is_not_taken(path: Path, text: str) -> None:
    from irbridge.formats.base import Head
    from irbridge.source import Source

    path.write_text(text)
    assert FORMAT.sniff is not None
    assert FORMAT.sniff(Head.of(Source(path))) == 0


def test_ranx_own_file(shared: Path) -> None:
    # Written out by hand from the file: q1 has d1 1, d2 2, d3 3; q2 has d1 1, d2 2.
    found = labels(FORMAT, shared / "data" / "fixtures-small" / "ranx" / "qrels.json")
    assert found == [("q1", "d1", 1), ("q1", "d2", 2), ("q1", "d3", 3), ("q2", "d1", 1), ("q2", "d2", 2)]
