from __future__ import annotations

import errno
import gzip
import os
import tempfile
import threading
from functools import partial
from pathlib import Path

import pytest

from irbridge import gathering, scattered
from irbridge.convert import convert
from irbridge.errors import InputError, IrbridgeError
from irbridge.evaluate import convention_of, score
from irbridge.gathering import Gathering
from irbridge.inputs import judged_run, qrels_of
from irbridge.measures.names import parse
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.written import Written

# 40 queries of 30 documents, row by row in turn: no two neighbours are of one query.
QRELS = "".join(f"q{query} 0 d{query % 7} 1\n" for query in range(40))
ROWS = [f"q{query} Q0 d{rank} {rank + 1} {30 - rank}.50 t\n" for rank in range(30) for query in range(40)]


@pytest.fixture(autouse=True)
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "HELD_ROWS", 100)
    monkeypatch.setattr(scattered, "HELD_ROWS", 100)


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    return tmp_path / "qrels"


def reciprocal_ranks(qrels: Path, run: object) -> dict[str, float]:
    measures = parse("RR")
    convention = convention_of(None, measures)
    return score(judged_run(qrels_of(qrels), run, convention), measures, convention).of("RR")


#: d0 to d6 are on ranks 1 to 7.
EXPECTED = {f"q{query}": 1 / (query % 7 + 1) for query in range(40)}


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_rows_that_went_to_the_disk_come_back(tmp_path: Path, qrels: Path, suffix: str) -> None:
    from irbridge.atomic import atomic_write

    with atomic_write(tmp_path / f"r.run{suffix}") as stream:
        stream.write("".join(ROWS).encode())
    assert reciprocal_ranks(qrels, tmp_path / f"r.run{suffix}") == EXPECTED


def test_from_a_pipe(tmp_path: Path, qrels: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    data = gzip.compress("".join(ROWS).encode())
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(data,), daemon=True)
    writer.start()
    assert reciprocal_ranks(qrels, tmp_path / "pipe") == EXPECTED
    writer.join(timeout=20)


def test_a_document_twice_is_found_however_far_apart(tmp_path: Path, qrels: Path) -> None:
    again = [*ROWS, "q3 Q0 d29 31 0.1 t\n"]
    (tmp_path / "r.run").write_text("".join(again))
    with pytest.raises(InputError, match="query q3 has document d29 twice") as caught:
        reciprocal_ranks(qrels, tmp_path / "r.run")
    assert caught.value.line == len(again)


def test_a_bad_row_names_its_line(tmp_path: Path, qrels: Path) -> None:
    (tmp_path / "r.run").write_text("".join([*ROWS[:700], "q3 Q0 d77 31 high t\n", *ROWS[700:]]))
    with pytest.raises(IrbridgeError, match="score 'high' is not a number") as caught:
        reciprocal_ranks(qrels, tmp_path / "r.run")
    assert ":701:" in str(caught.value) or "line 701" in str(caught.value)


def test_a_conversion_keeps_order_and_digits(tmp_path: Path) -> None:
    (tmp_path / "r.run").write_text("".join(ROWS))
    convert(tmp_path / "r.run", "trec-run", tmp_path / "out.run")
    assert (tmp_path / "out.run").read_text() == "".join(
        ROWS[query + 40 * rank] for query in range(40) for rank in range(30)
    )


def test_pieces_come_back_whole_and_in_order() -> None:
    reading = Reading("r")
    gathered = Gathering(reading)
    for reading.line in range(1, 400):
        number = reading.line % 3
        gathered.add(
            Ranking(
                f"q{number}", [f"d{reading.line}"], Written([-1.0 * reading.line], [f"-{reading.line}.0"]), None, "t"
            )
        )
    found = []
    for ranking in gathered.rankings():
        found.append((ranking.query_id, reading.line, ranking.doc_ids, ranking.ranks))
        assert ranking.scores == [-float(doc_id[1:]) for doc_id in ranking.doc_ids]
        assert ranking.scores.texts == [f"-{doc_id[1:]}.0" for doc_id in ranking.doc_ids]
    gathered.close()
    assert [each[:2] for each in found] == [("q1", 1), ("q2", 2), ("q0", 3)]
    assert [each[2] for each in found] == [[f"d{at}" for at in range(first, 400, 3)] for first in (1, 2, 3)]
    assert {each[3] for each in found} == {None}


def test_nothing_is_left_behind(tmp_path: Path, qrels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    seen: list[list[str]] = []
    monkeypatch.setattr(scattered, "spool", lambda: seen.append(os.listdir(folder)) or gathering.spool())
    (tmp_path / "r.run").write_text("".join(ROWS))
    reciprocal_ranks(qrels, tmp_path / "r.run")
    assert seen == [[]], "something was put aside, once"
    assert os.listdir(folder) == []


@pytest.mark.parametrize("what", [gathering, scattered])
def test_a_full_disk_is_an_error_with_a_way_out(
    tmp_path: Path, qrels: Path, monkeypatch: pytest.MonkeyPatch, what: object
) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(what, "spool", full)
    (tmp_path / "r.run").write_text("".join(ROWS))
    call = (
        partial(reciprocal_ranks, qrels, tmp_path / "r.run")
        if what is scattered
        else partial(convert, tmp_path / "r.run", "trec-run", tmp_path / "out.run")
    )
    with pytest.raises(InputError, match="no space left") as caught:
        call()
    assert "TMPDIR" in (caught.value.hint or "")
