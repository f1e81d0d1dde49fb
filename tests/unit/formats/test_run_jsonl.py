from __future__ import annotations

import io
import json
import math
from pathlib import Path

import pytest

from irbridge.errors import InputError, InputErrors
from irbridge.formats.base import Head
from irbridge.formats.run_jsonl import FORMAT, read, write
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.source import Source


def run(tmp_path: Path, data: str, reading: Reading | None = None) -> list[Ranking]:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data.encode())
    return list(read(Source(path), reading or Reading("run")))


def problems(tmp_path: Path, data: str) -> list[str]:
    with pytest.raises(InputErrors) as raised:
        run(tmp_path, data)
    return [str(error) for error in raised.value.errors]


def written(found: list[Ranking]) -> str:
    stream = io.BytesIO()
    assert write(found, stream) == sum(len(ranking.doc_ids) for ranking in found)
    return stream.getvalue().decode()


class TestReading:
    def test_one_query_a_line(self, tmp_path: Path) -> None:
        reading = Reading("run")
        data = '// c\n{"query_id": "q1", "ranking": ["b", "a"]}\r\n\n{"ranking":[],"query_id":"é"}'
        assert run(tmp_path, data, reading) == [Ranking("q1", ["b", "a"]), Ranking("é", [])]
        assert (reading.rows, reading.line) == (2, 4)

    def test_a_repeated_key_in_one_ranking_is_legal(self, tmp_path: Path) -> None:
        assert run(tmp_path, '{"query_id":"q","ranking":["a","b","a"]}') == [Ranking("q", ["a", "b", "a"])]

    @pytest.mark.parametrize(
        "members, ranking",
        [
            ('"scores":[2.5,1],"tag":"t"', Ranking("q", ["a", "b"], [2.5, 1], None, "t")),
            ('"tag":"t"', Ranking("q", ["a", "b"], None, None, "t")),
            ('"scores":[1e3,-0.5]', Ranking("q", ["a", "b"], [1000.0, -0.5])),
            ('"scores":null,"tag":null', Ranking("q", ["a", "b"])),
            ('"latency_ms":4,"x":{"scores":1}', Ranking("q", ["a", "b"])),
            ('"scores":[123456789012345678901,5]', Ranking("q", ["a", "b"], [1.2345678901234568e20, 5])),
        ],
    )
    def test_members_beyond_the_two(self, tmp_path: Path, members: str, ranking: Ranking) -> None:
        (found,) = run(tmp_path, f'{{"query_id":"q","ranking":["a","b"],{members}}}')
        assert found == ranking
        assert [type(score) for score in found.scores or ()] == [type(score) for score in ranking.scores or ()]

    @pytest.mark.parametrize(
        "text, message",
        [
            # The words of the judgments contract; positions count from 0.
            ('{"query_id":"q1","ranking":["x"]}', "run:2: duplicate entry for query q1, already on line 1"),
            ('{"query_id":"q2","ranking":["d1",42]}', "run:2: ranking[1] must be a non-empty string"),
            ('{"query_id":"q2","ranking":["d1","d2",""]}', "run:2: ranking[2] must be a non-empty string"),
            ('{"query_id":"q2","ranking":[null]}', "run:2: ranking[0] must be a non-empty string"),
            ('{"query_id":"q2","ranking":"d1"}', "run:2: ranking must be an array"),
            ('{"query_id":"q2","ranking":{"d1":1}}', "run:2: ranking must be an array"),
            ('{"query_id":"q2"}', "run:2: ranking must be an array"),
            ('{"ranking":[]}', "run:2: missing query_id"),
            ('{"query_id":"","ranking":[]}', "run:2: missing query_id"),
            ('{"query_id":3,"ranking":[]}', "run:2: query_id must be a non-empty string"),
            ('{"query_id":"q\\u0000","ranking":[]}', "run:2: query_id holds a NUL character"),
            ('{"query_id":"q","ranking":["a","b\\u0000"]}', "run:2: ranking[1] holds a NUL character"),
            ('{"query_id":"q","ranking":["a"],"scores":[1,2]}', "run:2: scores must be an array as long as ranking"),
            ('{"query_id":"q","ranking":["a"],"scores":[2,1]}', "run:2: scores must be an array as long as ranking"),
            (
                '{"query_id":"q","ranking":["a","b","c"],"scores":[3,1,2]}',
                "run:2: scores[2] is higher than the one before it",
            ),
            ('{"query_id":"q","ranking":["a"],"scores":3}', "run:2: scores must be an array as long as ranking"),
            ('{"query_id":"q","ranking":["a"],"scores":["1"]}', "run:2: scores[0] must be a number"),
            ('{"query_id":"q","ranking":["a"],"scores":[true]}', "run:2: scores[0] must be a number"),
            ('{"query_id":"q","ranking":["a"],"scores":[1' + "0" * 400 + "]}", "run:2: scores[0] must be a number"),
            (
                '{"query_id":"q","ranking":["a","b"],"scores":[1,2]}',
                "run:2: scores[1] is higher than the one before it",
            ),
            ('{"query_id":"q","ranking":["a"],"tag":7}', "run:2: tag must be a string"),
            ("[]", "run:2: invalid JSON, an object is needed, not an array"),
            (
                '{"query_id":"q","ranking":["a"],"ranking":["b"]}',
                'run:2: invalid JSON, the key "ranking" is given twice',
            ),
            (
                '{"query_id":"q","ranking":["a\\ud800"]}',
                "run:2: invalid JSON, it holds half of a surrogate pair (like \\ud800), which has no UTF-8 form",
            ),
        ],
    )
    def test_lines_that_are_refused(self, tmp_path: Path, text: str, message: str) -> None:
        assert problems(tmp_path, '{"query_id":"q1","ranking":["d1"]}\n' + text + "\n") == [message]

    def test_bad_rows_can_be_dropped(self, tmp_path: Path) -> None:
        reading = Reading("run", drop_bad_rows=True)
        data = '{"query_id":"q","ranking":["a"]}\n{"query_id":"q","ranking":["b"]}\n{\n{"query_id":"r","ranking":["c"]}'
        assert run(tmp_path, data, reading) == [Ranking("q", ["a"]), Ranking("r", ["c"])]
        assert (reading.rows, [error.line for error in reading.dropped]) == (2, [2, 3])


class TestWriting:
    def test_lines(self) -> None:
        assert written(
            [Ranking("q", ["b", "é"]), Ranking("r", []), Ranking("s", ["a", "b"], [2.5, 1], [1, 2], "t")]
        ) == (
            '{"query_id":"q","ranking":["b","é"]}\n{"query_id":"r","ranking":[]}\n'
            '{"query_id":"s","ranking":["a","b"],"scores":[2.5,1],"tag":"t"}\n'
        )

    def test_scores_have_python_s_shortest_form(self) -> None:
        text = written([Ranking("q", ["a", "b", "c", "d"], [1e22, 24.0, 24, 1e-7])])
        assert '"scores":[1e+22,24.0,24,1e-07]' in text
        assert json.loads(text)["scores"] == [1e22, 24.0, 24, 1e-7]

    @pytest.mark.parametrize(
        "run_, message",
        [
            ([Ranking("q", ["a"]), Ranking("q", ["b"])], "query q has two rankings"),
            ([Ranking("", ["a"])], "missing query_id"),
            ([Ranking("q", ["a", ""])], "must be a non-empty string"),
            ([Ranking("q", ["a", "b"], [1.5, 2.5])], "is higher than the one before it"),
            ([Ranking("q", ["a"], [math.inf])], "must be a number"),
            ([Ranking("q", ["a"], [math.nan])], "must be a number"),
            ([Ranking("q", ["a\ud800"])], r"ranking[0] holds half a surrogate pair"),
        ],
    )
    def test_what_could_not_be_read_is_not_written(self, run_: list[Ranking], message: str) -> None:
        with pytest.raises(InputError, match=message.replace("[", r"\[")):
            write(run_, io.BytesIO())


@pytest.mark.parametrize(
    "text, certainty",
    [
        ('{"query_id":"q","ranking":["d"]}\n', 90),
        ('// c\n{"ranking" : [], "query_id":"q"}\n', 90),
        ('{"query_id":"q","ranking":["' + '","'.join(["document"] * 20_000), 90),
        ('{"query_id":"q","doc_uri":"\\"ranking\\":","relevance":1}\n', 0),
        ('{"query_id":"q","doc_uri":"d","relevance":1,"ranking":1}\n', 0),
        ('{"q1": {"d1": 0.5}}', 0),
        ("q Q0 d 1 0.5 t\n", 0),
        ("", 0),
    ],
)
def test_sniffing(text: str, certainty: int) -> None:
    assert FORMAT.sniff is not None
    assert FORMAT.sniff(Head("x", start=text.encode()[:65536])) == certainty
