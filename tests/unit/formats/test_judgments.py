from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from irbridge.errors import InputError, InputErrors
from irbridge.formats.base import Head
from irbridge.formats.judgments import FORMAT, read, write
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.source import Source

CHUNK = "c1:" + "0" * 32
FULL = (
    '{"query_id":"q1","query":"who?","doc_uri":"s3://b/d","chunk_id":"c1:00000000000000000000000000000000",'
    '"text_sha":"t1:11111111111111111111111111111111","chunk_text":"Größe\\n\\"x\\"","relevance":2,'
    '"corpus_fingerprint":"f","labeled_by":"human:a","labeled_at":"2026-01-02T03:04:05Z","stratum":"s","notes":"n"'
)


def labels(tmp_path: Path, data: str | bytes, reading: Reading | None = None) -> list[Judgment]:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(read(Source(path), reading or Reading("judgments")))


def written(found: list[Judgment]) -> str:
    stream = io.BytesIO()
    assert write(found, stream) == len(found)
    return stream.getvalue().decode()


def problems(tmp_path: Path, data: str) -> list[str]:
    with pytest.raises(InputErrors) as raised:
        labels(tmp_path, data)
    return [str(error) for error in raised.value.errors]


def line(**changes: Any) -> str:
    row = {"query_id": "q", "doc_uri": "d", "relevance": 1, **changes}
    return json.dumps({name: value for name, value in row.items() if value is not ...}) + "\n"


class TestReading:
    def test_every_field(self, tmp_path: Path) -> None:
        assert labels(tmp_path, FULL + "}") == [
            Judgment(
                "q1", "s3://b/d", 2, "who?", CHUNK, "t1:" + "1" * 32, 'Größe\n"x"', "f", "human:a", "2026-01-02T03:04:05Z",
                "s", "n",
            )
        ]  # fmt: skip

    def test_comments_blank_lines_and_marks(self, tmp_path: Path) -> None:
        reading = Reading("judgments")
        data = f"\ufeff// made by hand\r\n\r\n{line()}  \n{line(doc_uri='e')} // end"
        assert [label.doc_uri for label in labels(tmp_path, data, reading)] == ["d", "e"]
        assert (reading.rows, reading.line) == (2, 5)

    def test_unknown_fields_keep_their_order(self, tmp_path: Path) -> None:
        (label,) = labels(tmp_path, '{"z":[1,{"b":2}],"query_id":"q","a":null,"doc_uri":"d","relevance":0,"m":1.5}')
        assert list(label.extra.items()) == [("z", [1, {"b": 2}]), ("a", None), ("m", 1.5)]

    def test_null_is_as_good_as_absent(self, tmp_path: Path) -> None:
        assert labels(tmp_path, line(query=None, chunk_id=None)) == [Judgment("q", "d", 1)]

    @pytest.mark.parametrize(
        "text, message",
        [
            # The words of the judgments contract.
            (line(query_id=...), "judgments:3: missing query_id"),
            (line(query_id=""), "judgments:3: missing query_id"),
            (line(doc_uri=...), "judgments:3: missing doc_uri"),
            (line(doc_uri=None), "judgments:3: missing doc_uri"),
            (line(relevance=...), "judgments:3: relevance must be a non-negative integer"),
            (line(relevance=-1), "judgments:3: relevance must be a non-negative integer"),
            (line(relevance=True), "judgments:3: relevance must be a non-negative integer"),
            (line(relevance="2"), "judgments:3: relevance must be a non-negative integer"),
            (line(relevance=0.5), "judgments:3: relevance must be a non-negative integer"),
            (line(relevance=None), "judgments:3: relevance must be a non-negative integer"),
            (line(relevance=2**53 + 1), "judgments:3: relevance is out of range"),
            (line(query_id=7), "judgments:3: query_id must be a non-empty string"),
            (line(doc_uri=["d"]), "judgments:3: doc_uri must be a non-empty string"),
            (line(query=3), "judgments:3: query must be a string"),
            (line(stratum=["a"]), "judgments:3: stratum must be a string"),
            (line(query_id="q\0"), "judgments:3: query_id holds a NUL character"),
            (line(doc_uri="\0"), "judgments:3: doc_uri holds a NUL character"),
            (line(chunk_id="c\0"), "judgments:3: chunk_id holds a NUL character"),
        ],
    )
    def test_fields_that_are_refused(self, tmp_path: Path, text: str, message: str) -> None:
        assert problems(tmp_path, line() + "\n" + text) == [message]

    @pytest.mark.parametrize(
        "text, reason",
        [
            ('{"query_id":"q",', "expecting property name enclosed in double quotes at character 17"),
            ("{'query_id':'q'}", "expecting property name enclosed in double quotes at character 2"),
            ("not json", "expecting value at character 1"),
            ('{"query_id":"q', "unterminated string starting at character 13"),
            ('{"query_id":"q\t"}', "invalid control character at character 15"),
            ("[1]", "an object is needed, not an array"),
            ("null", "an object is needed, not null"),
            ('"x"', "an object is needed, not a string"),
            ('{"query_id":"q","doc_uri":"d","relevance":NaN}', "NaN is not JSON"),
            ('{"query_id":"q","doc_uri":"d","relevance":1,"doc_uri":"e"}', 'the key "doc_uri" is given twice'),
            ('{"query_id":"q","doc_uri":"d","relevance" : 1,"relevance" : 2}', 'the key "relevance" is given twice'),
            ('{"query_id":"q","doc_uri":"d","relevance":1,"x":{"a":1,"a":2}}', 'the key "a" is given twice'),
            (
                '{"query_id":"q\\ud800","doc_uri":"d","relevance":1}',
                "it holds half of a surrogate pair (like \\ud800), which has no UTF-8 form",
            ),
            (
                '{"query_id":"q","doc_uri":"d","relevance":1,"x":["\\udc00"]}',
                "it holds half of a surrogate pair (like \\ud800), which has no UTF-8 form",
            ),
        ],
    )
    def test_lines_that_are_no_strict_json(self, tmp_path: Path, text: str, reason: str) -> None:
        assert problems(tmp_path, f"{line()}\n{text}\n") == [f"judgments:3: invalid JSON, {reason}"]

    @pytest.mark.parametrize("text", ['{"relevance":1e999}', '{"a":"\x01"}', '{"a":01}', "[" * 100_000, '{"a":1}x'])
    def test_other_lines_that_are_no_strict_json(self, tmp_path: Path, text: str) -> None:
        (problem,) = problems(tmp_path, text)
        assert problem.startswith("judgments:1: invalid JSON, ")

    def test_a_surrogate_pair_and_a_nul_in_a_text_are_fine(self, tmp_path: Path) -> None:
        data = '{"query_id":"\\ud83d\\ude00","doc_uri":"d","relevance":1,"chunk_text":"a\\u0000b"}'
        (label,) = labels(tmp_path, data)
        assert (label.query_id, label.chunk_text) == ("\U0001f600", "a\0b")

    def test_what_looks_like_a_repeated_key_in_a_text_is_none(self, tmp_path: Path) -> None:
        (label,) = labels(tmp_path, line(notes='"notes":1 "notes" :2', x={"notes": 1}))
        assert label.notes == '"notes":1 "notes" :2'

    def test_whole_grades_in_decimal_form_are_taken_with_a_note(self, tmp_path: Path) -> None:
        reading = Reading("judgments")
        assert [label.relevance for label in labels(tmp_path, line(relevance=2.0) + line(relevance=1), reading)] == [
            2,
            1,
        ]
        assert reading.notes["integral-grades"].count == 1

    def test_bad_rows_can_be_dropped(self, tmp_path: Path) -> None:
        reading = Reading("judgments", drop_bad_rows=True)
        assert len(labels(tmp_path, line() + "{\n" + line(relevance=-1) + line(doc_uri="e"), reading)) == 2
        assert [error.line for error in reading.dropped] == [2, 3]

    def test_another_tool_s_name_for_the_document_is_pointed_out(self, tmp_path: Path) -> None:
        with pytest.raises(InputErrors) as raised:
            labels(tmp_path, line(doc_uri=..., doc_id="d"))
        assert raised.value.hint == "rename 'doc_id' to 'doc_uri'"

    @pytest.mark.parametrize(
        "number, message",
        [
            # As doubles the first four are 0, 1, 0 and 100.
            ("1e-400", "relevance must be a non-negative integer"),
            ("1.0000000000000000001", "relevance must be a non-negative integer"),
            ("-0.0", "relevance must be a non-negative integer"),
            ("1e2", "relevance must be a non-negative integer"),
            ("1e400", "invalid JSON, Number out of range"),
            ("9007199254740993.0", "relevance is out of range"),
        ],
    )
    def test_nothing_of_a_grade_is_rounded_away(self, tmp_path: Path, number: str, message: str) -> None:
        path = tmp_path / "judgments"
        path.write_text(f'{{"query_id":"q","doc_uri":"d","relevance":{number}}}\n')
        with pytest.raises(InputErrors, match=f"judgments:1: {message}"):
            list(read(Source(path, "judgments"), Reading("judgments")))

    @pytest.mark.parametrize("number, grade", [("2.00", 2), ("0.0", 0), ("9007199254740992.0", 2**53)])
    def test_a_grade_that_is_whole_in_its_text_is_taken(self, tmp_path: Path, number: str, grade: int) -> None:
        path = tmp_path / "judgments"
        path.write_text(f'{{"query_id":"q","doc_uri":"d","relevance":{number}}}\n')
        reading = Reading("judgments")
        assert [label.relevance for label in read(Source(path), reading)] == [grade]
        assert "integral-grades" in reading.notes


class TestNegativeGradesAndIterations:
    @pytest.mark.parametrize(
        "fields, label",
        [
            ('"relevance":0,"grade":-2', Judgment("q", "d", -2)),
            ('"relevance":1,"iteration":"3"', Judgment("q", "d", 1, iteration="3")),
            ('"relevance":0,"grade":-1,"iteration":"0.5"', Judgment("q", "d", -1, iteration="0.5")),
            ('"relevance":0,"grade":-1,"x":1', Judgment("q", "d", -1, extra={"x": 1})),
            # Not ours: somebody else's fields of these names.
            ('"relevance":1,"grade":-1', Judgment("q", "d", 1, extra={"grade": -1})),
            ('"relevance":0,"grade":"A"', Judgment("q", "d", 0, extra={"grade": "A"})),
            ('"relevance":0,"grade":3', Judgment("q", "d", 0, extra={"grade": 3})),
            ('"relevance":0,"grade":-1.5', Judgment("q", "d", 0, extra={"grade": -1.5})),
            ('"relevance":0,"iteration":"0"', Judgment("q", "d", 0, extra={"iteration": "0"})),
            ('"relevance":0,"iteration":4', Judgment("q", "d", 0, extra={"iteration": 4})),
        ],
    )
    def test_there_and_back(self, tmp_path: Path, fields: str, label: Judgment) -> None:
        data = f'{{"query_id":"q","doc_uri":"d",{fields}}}\n'
        assert labels(tmp_path, data) == [label]
        assert written([label]) == data

    def test_fields_that_do_not_come_first_stay_in_their_place(self, tmp_path: Path) -> None:
        data = '{"query_id":"q","doc_uri":"d","relevance":0,"x":1,"grade":-1,"y":2,"iteration":"7"}\n'
        (label,) = labels(tmp_path, data)
        assert (label.relevance, label.iteration) == (-1, "7")
        assert written([label]) == data
        assert written([label._replace(relevance=2)]) == data.replace('"relevance":0', '"relevance":2')


class TestWriting:
    def test_fields_are_in_the_order_of_the_contract(self, tmp_path: Path) -> None:
        shuffled = dict(reversed(json.loads(FULL + ',"b":1,"a":"é"}').items()))
        data = json.dumps(shuffled, indent=None)
        assert written(labels(tmp_path, data)) == FULL + ',"a":"é","b":1}\n'

    def test_unset_fields_are_left_out(self) -> None:
        assert written([Judgment("q", "d", 0), Judgment("q", "e", 1, stratum="")]) == (
            '{"query_id":"q","doc_uri":"d","relevance":0}\n{"query_id":"q","doc_uri":"e","relevance":1,"stratum":""}\n'
        )

    def test_texts_are_not_escaped_beyond_need(self) -> None:
        assert written([Judgment("é\u2028\x7f", '"\\\x1f\t', 1)]) == (
            '{"query_id":"é\u2028\x7f","doc_uri":"\\"\\\\\\u001f\\t","relevance":1}\n'
        )

    def test_many_rows(self) -> None:
        found = [Judgment("q", f"d{number}", 1) for number in range(3000)]
        assert written(found).splitlines()[2999] == '{"query_id":"q","doc_uri":"d2999","relevance":1}'
        assert written([]) == ""

    @pytest.mark.parametrize(
        "label",
        [
            Judgment("", "d", 1),
            Judgment("q", "", 1, chunk_id=CHUNK),
            Judgment("q", "d\ud800", 1),
            Judgment("q", "d", 1, extra={"x": "\ud800"}),
            Judgment("q", "d", 1, extra={"x": float("nan")}),
            Judgment("q", "d", 1, extra={"x": object()}),
        ],
    )
    def test_what_cannot_be_written_is_named(self, label: Judgment) -> None:
        with pytest.raises(InputError, match=r"query .* cannot be written: "):
            write([label], io.BytesIO())


@pytest.mark.parametrize(
    "text, certainty",
    [
        (FULL + "}\n", 90),
        ("// c\n\n" + line(), 90),
        (FULL + ',"notes2":"' + "x" * 70_000, 90),  # the first record does not end within what is seen
        ('{"query_id":"q","relevance":1}\n', 60),
        ('{"query_id":"q","notes":"\\"relevance\\":1"}\n', 0),
        ('{"query_id":"q","ranking":["d"]}\n', 0),
        ('{"_id":"d","text":"t","metadata":{"query_id":1,"relevance":2}}\n', 0),
        ('{"corpus_fingerprint":"f","chunks":[{"doc_uri":"d","relevance":1}]}', 0),
        ('{"q1": {"d1": 1}}', 0),
        ("q 0 d 1\n", 0),
        ("", 0),
    ],
)
def test_sniffing(text: str, certainty: int) -> None:
    assert FORMAT.sniff is not None
    assert FORMAT.sniff(Head("x", start=text.encode()[:65536])) == certainty
