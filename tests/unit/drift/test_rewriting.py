"""Judgments files under repair: comments, journals, undo, other writers, and being killed."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from irbridge.drift import journal, rewriting
from irbridge.errors import InputError, UsageError
from irbridge.inputs import Input

ROWS = (
    '// what Ines found\n{"query_id": "q1", "doc_uri": "d", "relevance": 1}\n\n'
    '// and Omar\n{"query_id": "q2", "doc_uri": "d", "relevance": 2}\n// the end\n'
)
# The same in canonical form, the first row changed by hand.
CHANGED = (
    '// what Ines found\n{"query_id":"q1","doc_uri":"e","relevance":1}\n'
    '// and Omar\n{"query_id":"q2","doc_uri":"d","relevance":2}\n// the end\n'
)


def labels_in(path: Path, text: str = ROWS) -> rewriting.LabelFile:
    path.write_text(text, encoding="utf-8")
    return rewriting.opened(Input(str(path), "judgments"))


def changed(file: rewriting.LabelFile) -> list[object]:
    return [file.labels[0]._replace(doc_uri="e"), *file.labels[1:]]


def test_comments_stay_and_rows_are_canonical(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    place = rewriting.replace(file, changed(file))  # type: ignore[arg-type]
    assert path.read_text(encoding="utf-8") == CHANGED
    assert place == f"{path}.undo-1"


def test_a_row_that_is_gone_leaves_its_comment(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    rewriting.replace(file, [None, file.labels[1]])
    assert path.read_text(encoding="utf-8") == CHANGED.replace('{"query_id":"q1","doc_uri":"e","relevance":1}\n', "")


def test_undo_gives_the_bytes_back_and_takes_the_journal_away(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    path.chmod(0o640)
    rewriting.replace(file, changed(file))  # type: ignore[arg-type]
    assert rewriting.undo(str(path)) == len(ROWS.encode())
    assert path.read_text(encoding="utf-8") == ROWS
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["j.jsonl"]
    with pytest.raises(UsageError, match="nothing to undo"):
        rewriting.undo(str(path))


def test_several_repairs_are_undone_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    states = [ROWS]
    file = labels_in(path)
    for name in ("e", "f", "g"):
        rewriting.replace(file, [file.labels[0]._replace(doc_uri=name), file.labels[1]])
        states.append(path.read_text(encoding="utf-8"))
        file = rewriting.opened(Input(str(path), "judgments"))
    for state in reversed(states[:-1]):
        rewriting.undo(str(path))
        assert path.read_text(encoding="utf-8") == state


def test_what_changes_nothing_leaves_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path, CHANGED)
    before = path.stat().st_mtime_ns
    assert rewriting.replace(file, file.labels) is None
    assert (os.listdir(tmp_path), path.stat().st_mtime_ns) == (["j.jsonl"], before)


def test_undo_refuses_a_file_that_was_changed_since(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    rewriting.replace(file, changed(file))  # type: ignore[arg-type]
    path.write_text(CHANGED + '{"query_id":"q3","doc_uri":"d","relevance":1}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="was changed after it was repaired"):
        rewriting.undo(str(path))
    assert '"q3"' in path.read_text(encoding="utf-8")


def test_a_damaged_journal_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    place = Path(str(rewriting.replace(file, changed(file))))  # type: ignore[arg-type]
    place.write_bytes(place.read_bytes()[:-1])
    with pytest.raises(InputError, match="no journal, or a damaged one"):
        rewriting.undo(str(path))
    assert path.read_text(encoding="utf-8") == CHANGED


def test_the_journal_of_a_change_that_never_came_gives_its_place(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    # Killed between journal and file.
    journal.record(str(path), file.content, b"what was never written")
    with pytest.raises(UsageError, match="is as it was before the repair"):
        rewriting.undo(str(path))
    assert rewriting.replace(file, changed(file)) == f"{path}.undo-1"  # type: ignore[arg-type]
    rewriting.undo(str(path))
    assert path.read_text(encoding="utf-8") == ROWS


def test_a_compressed_file_comes_back_to_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl.gz"
    content = gzip.compress(ROWS.encode(), 1, mtime=7)
    path.write_bytes(content)
    file = rewriting.opened(Input(str(path), "judgments"))
    rewriting.replace(file, changed(file))  # type: ignore[arg-type]
    assert gzip.decompress(path.read_bytes()).decode() == CHANGED
    rewriting.undo(str(path))
    assert path.read_bytes() == content


def test_a_name_that_hides_the_compression_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(gzip.compress(ROWS.encode()))
    file = rewriting.opened(Input(str(path), "judgments"))
    with pytest.raises(UsageError, match="does not say how it is compressed"):
        rewriting.replace(file, changed(file))  # type: ignore[arg-type]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    path, link = tmp_path / "j.jsonl", tmp_path / "link.jsonl"
    labels_in(path)
    link.symlink_to(path)
    file = rewriting.opened(Input(str(link), "judgments"))
    rewriting.replace(file, changed(file))  # type: ignore[arg-type]
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == CHANGED
    rewriting.undo(str(link))
    assert path.read_text(encoding="utf-8") == ROWS


@pytest.mark.parametrize("content", ["q1 0 d 1\n", "query-id\tcorpus-id\tscore\nq1\td\t1\n"])
def test_other_formats_are_not_rewritten(tmp_path: Path, content: str) -> None:
    path = tmp_path / "labels"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match="repair rewrites judgments JSONL"):
        rewriting.opened(Input(str(path), "judgments"))


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    labels_in(path)
    with (
        rewriting.locked(str(path)),
        pytest.raises(UsageError, match="is being rewritten by another process"),
        rewriting.locked(str(path)),
    ):
        pass
    with rewriting.locked(str(path)):
        pass


def test_what_somebody_else_wrote_meanwhile_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    path.write_text(ROWS + '{"query_id":"q3","doc_uri":"d","relevance":1}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="was changed by somebody else meanwhile"):
        rewriting.replace(file, changed(file))  # type: ignore[arg-type]
    assert '"q3"' in path.read_text(encoding="utf-8")


def test_killed_at_any_moment_the_file_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    rows = "".join(
        json.dumps(
            {
                "query_id": f"q{n}",
                "doc_uri": "d",
                "chunk_id": f"c1:{n:032x}",
                "chunk_text": f"text {n} " * 9,
                "relevance": 1,
            }
        )
        + "\n"
        for n in range(1500)
    )
    chunks = [
        {"chunk_id": f"c1:{n + 2**64:032x}", "doc_uri": "d", "ordinal": n, "text": f"text {n} " * 9}
        for n in range(1500)
    ]
    path, corpus = tmp_path / "j.jsonl", tmp_path / "c.json"
    corpus.write_text(json.dumps({"corpus_fingerprint": "new", "chunks": chunks}), encoding="utf-8")
    command = [sys.executable, "-m", "irbridge", "drift", "--judgments", str(path), "--corpus", str(corpus), "--fix"]
    path.write_text(rows, encoding="utf-8")
    start = time.monotonic()
    subprocess.run(command, check=False, capture_output=True)
    whole = time.monotonic() - start
    new = path.read_text(encoding="utf-8")
    assert new != rows
    for share in (0.6, 0.8, 0.9, 1.0):
        path.write_text(rows, encoding="utf-8")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(whole * share)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert path.read_text(encoding="utf-8") in {rows, new}
        # Whatever was left behind, the next repair and its undo work.
        subprocess.run(command, check=False, capture_output=True)
        assert path.read_text(encoding="utf-8") == new
        for other in tmp_path.glob("j.jsonl.undo-*"):
            other.unlink()


def test_the_journal_of_a_private_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    path.chmod(0o600)
    place = Path(str(rewriting.replace(file, changed(file))))  # type: ignore[arg-type]
    assert [each.stat().st_mode & 0o777 for each in (path, place)] == [0o600, 0o600]


def test_a_repair_that_was_refused_leaves_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    path.write_text(ROWS + '{"query_id":"q3","doc_uri":"d","relevance":1}\n', encoding="utf-8")
    with pytest.raises(UsageError):
        rewriting.replace(file, changed(file))  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == ["j.jsonl"]


def test_journals_of_any_number_are_found_and_what_is_none_is_not(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    os.mkfifo(tmp_path / "j.jsonl.undo-7")
    first = Path(str(rewriting.replace(file, changed(file))))  # type: ignore[arg-type]
    assert first.name == "j.jsonl.undo-1"
    first.rename(tmp_path / "j.jsonl.undo-99999999999")
    file = rewriting.opened(Input(str(path), "judgments"))
    second = Path(str(rewriting.replace(file, [file.labels[0]._replace(doc_uri="f"), file.labels[1]])))
    assert second.name == "j.jsonl.undo-100000000000"
    rewriting.undo(str(path))
    rewriting.undo(str(path))
    assert path.read_text(encoding="utf-8") == ROWS


def test_a_journal_of_another_version_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    file = labels_in(path)
    place = Path(str(rewriting.replace(file, changed(file))))  # type: ignore[arg-type]
    place.write_bytes(place.read_bytes().replace(b'"version":1', b'"version":2'))
    with pytest.raises(InputError, match="no journal"):
        rewriting.undo(str(path))


def test_what_a_killed_repair_left_behind_is_removed_by_the_next_one(tmp_path: Path) -> None:
    path, other = tmp_path / "j.jsonl", tmp_path / "k.jsonl"
    for each in (path, other):
        labels_in(each)
        # Killed in the last step of all: what is written has no name of its own yet.
        script = (
            "import os, signal, sys\n"
            "from irbridge.drift import rewriting\n"
            "from irbridge.inputs import Input\n"
            "os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)\n"
            "with rewriting.locked(sys.argv[1]):\n"
            "    file = rewriting.opened(Input(sys.argv[1], 'judgments'))\n"
            "    rewriting.replace(file, [None, file.labels[1]])\n"
        )
        assert subprocess.run([sys.executable, "-c", script, str(each)], check=False).returncode == -signal.SIGKILL
    (tmp_path / ".irbridge-0123456789abcdef").write_text("of another command")
    assert len(list(tmp_path.glob(".irbridge-*"))) == 3
    with rewriting.locked(str(path)):
        left = {each.name for each in tmp_path.glob(".irbridge-*")}
    assert len(left) == 2, "its own is gone"
    assert ".irbridge-0123456789abcdef" in left, "nobody knows whether somebody still writes there"
    with rewriting.locked(str(other)):
        pass
    assert [each.name for each in tmp_path.glob(".irbridge-*")] == [".irbridge-0123456789abcdef"]
    assert path.read_text(encoding="utf-8") == ROWS
