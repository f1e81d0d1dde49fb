from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import irbridge
from irbridge import piped
from irbridge.convert import convert
from irbridge.errors import InputError
from irbridge.inputs import Input, at_hand, part_of
from irbridge.piped import Pipe, is_pipe
from irbridge.reading import Reading

QRELS = b"q1 0 d1 1\nq2 0 d2 1\n"
# q1's rows are not together.
RUN = b"q1 Q0 d9 1 3.50 t\nq2 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\n"
Feed = Callable[..., Path]


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Feed]:
    """A named pipe that gives the bytes once."""
    writers: list[threading.Thread] = []

    def feed(data: bytes, name: str = "pipe") -> Path:
        os.mkfifo(tmp_path / name)
        writers.append(threading.Thread(target=(tmp_path / name).write_bytes, args=(data,), daemon=True))
        writers[-1].start()
        return tmp_path / name

    yield feed
    for writer in writers:
        writer.join(timeout=20)
        assert not writer.is_alive()


def test_what_is_a_pipe(tmp_path: Path, pipe: Feed) -> None:
    (tmp_path / "file").write_bytes(b"x")
    assert is_pipe("-")
    assert is_pipe("/dev/null")
    assert not is_pipe(str(tmp_path / "file"))
    assert not is_pipe(str(tmp_path))
    assert not is_pipe(str(tmp_path / "absent"))
    assert isinstance(at_hand("trec-run:-"), Pipe)
    assert at_hand("trec-run:-").format_name == "trec-run"
    assert at_hand(str(tmp_path / "file")) == str(tmp_path / "file")


@pytest.mark.parametrize("in_memory", [1 << 24, 10])
def test_it_is_read_as_often_as_wanted_also_at_once(
    pipe: Feed, in_memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(piped, "IN_MEMORY", in_memory)
    data = bytes(range(256)) * 1000
    source = Pipe(str(pipe(gzip.compress(data))))
    assert source.head() == data[:65536]
    one, other = source.open(), source.open()
    taken = one.read(70_000)
    assert other.read() == data
    assert taken + one.read() == data
    assert source.open().read() == data


def test_a_full_disk_is_told_with_a_way_out(pipe: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Pipe(str(pipe(QRELS)))

    class Full:
        def seek(self, place: int) -> None: ...

        def write(self, data: bytes) -> None:
            raise OSError(28, os.strerror(28))

        def close(self) -> None: ...

    source.open()
    source._kept.close()
    source._kept = Full()
    with pytest.raises(InputError, match="no space left") as caught:
        source.part(0, 10)
    assert "TMPDIR" in caught.value.hint


def test_a_scattered_run_scores_as_from_a_file(tmp_path: Path, pipe: Feed) -> None:
    (tmp_path / "run").write_bytes(RUN)
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    # q1: d9 by 3.5, d1 by 1: reciprocal rank 1/2. q2: 1.
    expected = {"RR": 0.75}
    assert irbridge.score(qrels, tmp_path / "run", "RR").aggregates() == expected
    assert irbridge.score(qrels, pipe(RUN), "RR").aggregates() == expected
    assert irbridge.score(pipe(QRELS, "labels"), pipe(RUN, "again"), "RR").aggregates() == expected


@pytest.mark.parametrize("prefix", ["", "trec-run:"])
@pytest.mark.parametrize("target, name", [("run", "out.jsonl"), ("trec-run", "out.run"), ("collection", "out")])
def test_it_is_converted_as_a_file_is(tmp_path: Path, pipe: Feed, target: str, name: str, prefix: str) -> None:
    (tmp_path / "file").write_bytes(RUN)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    one = convert(tmp_path / "file", target, tmp_path / "a" / name)
    other = convert(f"{prefix}{pipe(RUN)}", target, tmp_path / "b" / name)
    assert (one.rows_in, one.rows_out) == (other.rows_in, other.rows_out) == ({"run": 3}, {"run": 3})
    written = [
        {path.name: path.read_bytes() for path in sorted((tmp_path / folder).rglob("*")) if path.is_file()}
        for folder in ("a", "b")
    ]
    assert written[0] == written[1]


@pytest.mark.parametrize("target", ["collection", "beir"])
def test_labels_of_a_pipe_make_a_folder(tmp_path: Path, pipe: Feed, target: str) -> None:
    """The folder's queries are made of the labels, which takes a second reading."""
    lines = b'{"query_id":"q1","query":"what","doc_uri":"d1","relevance":1}\n'
    outcome = convert(pipe(lines), target, tmp_path / "out")
    assert outcome.rows_out == {"judgments": 1, "queries": 1}


def test_a_pipe_without_a_part_has_none(pipe: Feed) -> None:
    source = Input(pipe(QRELS), "judgments")
    assert part_of(source, "documents", Reading()) is None
    assert [label.query_id for label in source] == ["q1", "q2"]
    assert [label.query_id for label in source] == ["q1", "q2"]
