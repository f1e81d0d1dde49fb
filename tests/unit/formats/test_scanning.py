"""Rows read as columns, block by block: where blocks end must not be seen, neither in what is read nor in what is refused."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from irbridge.atomic import atomic_write
from irbridge.errors import InputErrors
from irbridge.formats import scanning, trec_run
from irbridge.reading import Reading
from irbridge.source import Source

LINES = [
    f"q{query} Q0 d{rank}-{'x' * (query % 5)} {rank} {50 - rank}.{query % 10} tag"
    for query in range(60)
    for rank in range(1 + query % 40)
]
Row = tuple[str, str, float, int]


@pytest.fixture(autouse=True, params=[120, 3000])
def small_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "BLOCK_BYTES", request.param)


def scanned(path: Path, reading: Reading) -> list[list[Row]]:
    """The rows of each piece, as query, document, score and line."""
    found = []
    for rows in trec_run.scan(Source(path, "r.run"), reading):
        docs = rows.columns.texts(rows.doc, 0, len(rows)) if len(rows.starts) == 1 else None
        found.append(
            [
                (rows.query_id(at), docs[at] if docs else rows.columns.text(at, rows.doc), score, line)
                for at, (score, line) in enumerate(zip(rows.scores.tolist(), rows.lines.tolist(), strict=True))
            ]
        )
    return found


def expected(lines: list[str]) -> list[Row]:
    split = [(line.split(), at) for at, line in enumerate(lines, 1) if line and not line.startswith("#")]
    return [(row[0], row[2], float(row[4]), at) for row, at in split]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "end"], ids=["open", "closed"])
@pytest.mark.parametrize("odd", [None, "# comment", "", "q0  Q0\td\t9 1e-2 t"])
def test_all_rows_come_once_with_their_lines_in_whole_queries(
    tmp_path: Path, end: str, last: str, odd: str | None
) -> None:
    lines = list(LINES)
    if odd is not None:
        lines[700:700] = [odd]
    text = end.join(lines) + (end if last else "")
    (tmp_path / "r.run").write_bytes(text.encode())
    reading = Reading("r.run")
    pieces = scanned(tmp_path / "r.run", reading)
    assert [row for piece in pieces for row in piece] == expected(lines)
    assert reading.rows == len(expected(lines))
    for piece, following in pairwise(pieces):
        assert piece[-1][0] != following[0][0], "a query ends with its piece"


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_rows_that_cannot_be_used_name_their_lines(tmp_path: Path, suffix: str) -> None:
    lines = list(LINES)
    lines[611] = "q30 Q0 d7 8 high tag"
    lines[612] = "q30 Q0 d8 9"
    lines[900] = "q40 Q0 d0 1 nan tag"
    with atomic_write(tmp_path / f"r.run{suffix}") as stream:
        stream.write("\n".join(lines).encode())
    with pytest.raises(InputErrors) as caught:
        scanned(tmp_path / f"r.run{suffix}", Reading("r.run"))
    assert [(error.line, error.text) for error in caught.value.errors] == [
        (612, lines[611]), (613, lines[612]), (901, lines[900]),
    ]  # fmt: skip
