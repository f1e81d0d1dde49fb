"""A run in JSON lines that is read as columns gives what it gives line by line: hits, counts, notes and refusals."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irbridge.conventions import PRESETS
from irbridge.errors import InputError, InputErrors
from irbridge.inputs import Input
from irbridge.judging import judge
from irbridge.model import Judgment
from irbridge.qrels import Qrels
from irbridge.rankingcolumns import rows_of

IDS = st.sampled_from(
    ["a", "b", "c1:0f", "d 1", "é", "漢字", 'q"x', "back\\slash", "x" * 70, "[", "]", ",", "", "\0", "q1", '","']
)
RANKING = st.lists(IDS, max_size=6)
PLAIN = st.lists(
    st.sampled_from(["a", "b", "c1:0f", "d 1", "é", "q1", "], [", "x" * 70]), min_size=1, max_size=6, unique=True
)
QUERY = st.sampled_from(["q1", "q2", "q3", "é", "a:b", "[", "other", "", "\0"])
LINE = st.one_of(
    st.tuples(QUERY, PLAIN, st.sampled_from([(",", ":"), (", ", ": "), (" ,", " :")])).map(
        lambda each: json.dumps({"query_id": each[0], "ranking": each[1]}, separators=each[2], ensure_ascii=False)
    ),
    st.tuples(QUERY, RANKING, st.booleans()).map(
        lambda each: json.dumps({"ranking": each[1], "query_id": each[0]}, ensure_ascii=each[2])
    ),
    st.tuples(QUERY, PLAIN).map(
        lambda each: json.dumps(
            {"query_id": each[0], "ranking": each[1], "scores": list(range(len(each[1]), 0, -1)), "tag": "t"}
        )
    ),
    st.sampled_from(
        [
            "", " ", "// a comment", "{", "[]", '{"query_id":"q1"}', '{"query_id":"q1","ranking":["a",1]}',
            '{"query_id":"q1","ranking":["a"],"ranking":["b"]}', '{"query_id":"q2","ranking":["a" ,"b"]}',
            '{"query_id":"q2","ranking":["a",["b"]]}', '{"query_id":"q3","ranking":[]}', '{"query_id":"q3","ranking":["a"]}\r',
            '{"query_id":"q3","ranking":[ "a"]}', '{"query_id":"q1","query_id":"q2","ranking":["a"]}',
        ]
    ),
)  # fmt: skip
LABELS = Qrels.from_judgments(
    Judgment(query, doc, grade)
    for query in ("q1", "q2", "q3", "é", "[")
    for grade, doc in enumerate(("a", "d 1", "é", "q1"))
)


def outcome(source: Input, convention, *, columns: bool) -> object:
    try:
        judged = judge(
            LABELS, lambda: iter(source), convention, source.reading, pieces=source.scan if columns else None
        )
    except InputErrors as errors:
        return [(error.message, error.line, error.text) for error in errors.errors]
    except InputError as error:
        return (error.message, error.line)
    hits = judged.hits
    return (
        hits.label.tolist(), hits.rank.tolist(), hits.retrieved.tolist(), hits.answered.tolist(), judged.extra,
        sorted(judged.repeated), judged.documents, source.reading.rows, sorted(map(str, source.reading.notes.values())),
        len(source.reading.dropped),
    )  # fmt: skip


@pytest.mark.parametrize("convention", PRESETS.values(), ids=lambda convention: convention.name)
@given(lines=st.lists(LINE, max_size=7), end=st.sampled_from(["", "\n"]), dropping=st.booleans())
def test_columns_give_what_lines_give(tmp_path_factory, convention, lines, end, dropping):
    path = tmp_path_factory.getbasetemp() / "run.jsonl"
    assume("".join(lines).strip())
    path.write_bytes(("\n".join(lines) + end).encode())
    one, other = (Input(path, "run", name="run", drop_bad_rows=dropping) for _ in range(2))
    assert outcome(one, convention, columns=True) == outcome(other, convention, columns=False)


@pytest.mark.parametrize(
    "line",
    [
        '{"query_id":"q","ranking":[]}',
        '{"query_id":"","ranking":["a"]}',
        '{"query_id":"q","ranking":[""]}',
        '{"query_id":"q","ranking":["a",""]}',
        '{"query_id":"q","ranking":["","a"]}',
        '{"query_id":"q","ranking":["a" ,"b"]}',
        '{"query_id":"q","ranking":["a";"b"]}',
        '{"query_id":"q","ranking":["a", ,"b"]}',
        '{"query_id":"q","ranking":["a",  "b"]}',
        '{"query_id":"q","ranking":["a""b"]}',
        '{"query_id":"q","ranking":[ "a"]}',
        '{"query_id":"q","ranking":["a" ]}',
        '{"query_id":"q","ranking":["a"]} ',
        ' {"query_id":"q","ranking":["a"]}',
        '{"query_id":"q","ranking":["a"]}x',
        '{"query_id":"q","ranking":["a"]',
        '{"query_id":"q","ranking":["a"}',
        '{"query_id":"q","ranking":["a\\n"]}',
        '{"query_id":"q","ranking":["a\tb"]}',
        '{"query_id":"q","ranking":["a\0b"]}',
        '{"query_id":"q","ranking":["a\nb"]}',
        '{"query_id":"q","ranking":["a\rb"]}',
        '{"query_id":"q","ranking":["a",1]}',
        '{"query_id":"q","ranking":["a",["b"]]}',
        '{"query_id":"q","ranking":[1]}',
        '{"query_id":"q","ranking":"a"}',
        '{"query_id":3,"ranking":["a"]}',
        '{"query_id":"q","rankings":["a"]}',
        '{"query_if":"q","ranking":["a"]}',
        '{"ranking":["a"],"query_id":"q"}',
        '{"query_id":"q","ranking":["a"],"ranking":["b"]}',
        '{"query_id":"q","ranking":["a"],"tag":"t"}',
        '{"query_id":"q","ranking":["a"]}{"query_id":"r","ranking":["b"]}',
        '{"query_id":"q"}',
        "",
        "// a comment",
        '"',
    ],
)
def test_what_is_not_plain_is_left_to_the_careful_reader(line):
    plain = '{"query_id":"p","ranking":["x","y"]}'
    for lines in ([line], [line, plain], [plain, line], [plain, line, plain]):
        for end in ("", "\n"):
            block = "\n".join(lines) + end
            if line or not block.endswith(f"{plain}\n"):  # nothing behind the last line end is no line
                assert rows_of(block.encode(), 1) is None, block


def test_plain_rankings():
    lines = ['{"query_id":"é","ranking":["a","漢字"]}', '{"query_id": "p", "ranking": ["x", "y:z", "],["]}\r']
    rows = rows_of("\n".join(lines).encode() + b"\n", 3)
    assert rows is not None
    assert [(rows.query_id(at), rows.columns.text(at, rows.doc)) for at in range(5)] == [
        ("é", "a"), ("é", "漢字"), ("p", "x"), ("p", "y:z"), ("p", "],["),
    ]  # fmt: skip
    assert (rows.starts.tolist(), rows.lines.tolist()) == ([0, 2], [3, 3, 4, 4, 4])
    assert (rows.closed, rows.falling) == (True, True)
    assert rows.scores.tolist() == sorted(rows.scores.tolist(), reverse=True)
