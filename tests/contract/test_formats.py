"""What every format owes, whatever it is: the registry alone decides what is tested here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from irbridge.atomic import atomic_write
from irbridge.errors import InputError, MissingDependency, UsageError
from irbridge.formats import FORMATS, Format, Part, identify
from irbridge.formats.base import Collection, Head
from irbridge.model import Document, Judgment, Query, Ranking
from irbridge.qrels import LEVEL, SUBGROUP
from irbridge.reading import Reading
from irbridge.source import Source

ALL = list(FORMATS)
NAMES = {entry.name for entry in ALL}
PARTS: tuple[Part, ...] = ("judgments", "run", "queries", "documents", "chunks")

LABELS = [Judgment("q1", "d1", 2), Judgment("q1", "d2", 0), Judgment("q2", "d1", 1), Judgment("q10", "d3", -1)]
RUN = [Ranking("q1", ["d2", "d1"], [2.5, 1.25]), Ranking("q2", ["d1", "d2", "d3"], [0.5, 0.25, 0.125])]
QUERIES = [Query("q1", "who?"), Query("q2", "what?"), Query("q10", "where?")]
DOCUMENTS = [Document("d1", "one"), Document("d2", "two", "Two"), Document("d3", "three")]

# One small input as other tools write it, for each format that is a text file: (part, content).
SAMPLES: dict[str, tuple[Part, str]] = {
    "judgments": ("judgments", '{"query_id":"q1","doc_uri":"d1","relevance":2}\n'),
    "trec-qrels": ("judgments", "q1 0 d1 2\nq1 0 d2 0\n"),
    "beir-qrels": ("judgments", "query-id\tcorpus-id\tscore\nq1\td1\t2\n"),
    "ranx-qrels": ("judgments", '{"q1": {"d1": 2, "d2": 0}}'),
    "run": ("run", '{"query_id":"q1","ranking":["d2","d1"]}\n'),
    "trec-run": ("run", "q1 Q0 d2 1 2.5 t\nq1 Q0 d1 2 1.25 t\n"),
    "msmarco-run": ("run", "1\t7\t1\n1\t5\t2\n"),
    "ranx-run": ("run", '{"q1": {"d2": 2.5, "d1": 1.25}}'),
    "texts": ("documents", '{"_id": "d1", "title": "", "text": "one"}\n{"_id": "d2", "text": "two"}\n'),
    "corpus": ("chunks", '{"corpus_fingerprint": "c", "chunks": [{"chunk_id": "c1:0", "doc_uri": "d", "ordinal": 0}]}'),
    "corpus-jsonl": ("chunks", '{"corpus_fingerprint": "c"}\n{"chunk_id":"c1:0","doc_uri":"d","ordinal":0}\n'),
}


def each(condition: Any) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.name) for entry in ALL if condition(entry)])


def installed(entry: Format) -> None:
    """Skip where the package that a format wraps is not there."""
    modules = {"parquet": "pyarrow", "pandas": "pandas", "polars": "polars"}
    if entry.extra in modules:
        pytest.importorskip(modules[entry.extra])


def rows(labels: list[Judgment]) -> list[tuple[str, str, int]]:
    return [(label.query_id, label.key, label.relevance) for label in labels]


def orders(run: list[Ranking]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for ranking in run:
        assert ranking.query_id not in found
        found[ranking.query_id] = list(ranking.doc_ids)
    return found


# ------------------------------------------------------------------------------------------------------- descriptors


def test_the_formats_of_the_command_line_are_there() -> None:
    assert {*SAMPLES, "beir", "irds", "parquet"} <= NAMES
    assert FORMATS.get("qrels").name == "trec-qrels"
    assert FORMATS.broken == {}


@each(lambda entry: True)
def test_a_descriptor_is_complete(entry: Format) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", entry.name)
    assert 20 <= len(entry.summary) <= 120
    assert not entry.summary.endswith(".")
    assert any(entry.reader(part) for part in PARTS), "what cannot be read is no format"
    assert entry.shape != "object" or entry.accepts is not None or entry.to_object is not None
    assert entry.shape not in {"file", "folder"} or entry.sniff is not None
    assert not (entry.write_judgments or entry.write_run) or entry.suffix.startswith(".")
    assert entry.keeps <= {*Judgment._fields, "ranks", "scores", "digits", "tag", "empty", "split", SUBGROUP, LEVEL}


@each(lambda entry: True)
def test_a_format_is_documented_in_the_specification(entry: Format, root: Path) -> None:
    page = (root / "spec" / "formats.md").read_text(encoding="utf-8")
    headings = [line for line in page.splitlines() if line.startswith("#")]
    assert any(f"`{entry.name}`" in heading for heading in headings)
    for alias in entry.aliases:
        assert f"`{alias}`" in page


@each(lambda entry: entry.example or entry.required)
def test_the_example_of_a_format_is_one_and_lacks_nothing(tmp_path: Path, entry: Format) -> None:
    path = tmp_path / "input"
    path.write_text(entry.example + "\n")
    part = next(part for part in PARTS if entry.reader(part))
    found, source = identify(path, part)
    assert found is entry
    assert len(list(entry.reader(part)(source, Reading("input")))) == 1  # type: ignore[misc]

    def without(*names: str) -> str:
        """The example without those members, wherever they stand."""

        def kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            return {name: value for name, value in pairs if name not in names}

        return json.dumps(json.loads(entry.example, object_pairs_hook=kept)) + "\n"

    for name in entry.required:
        path.write_text(without(name))
        with pytest.raises(InputError, match=name):
            list(entry.reader(part)(Source(path), Reading("input")))  # type: ignore[misc]
    path.write_text(without(*set(re.findall(r'"(\w+)":', entry.example)) - set(entry.required)))
    assert len(list(entry.reader(part)(Source(path), Reading("input")))) == 1  # type: ignore[misc]


# ---------------------------------------------------------------------------------------------------------- sniffing


@pytest.mark.parametrize("name", list(SAMPLES))
@pytest.mark.parametrize("dressing", ["plain", "crlf", "bom"])
def test_a_sample_is_recognised_as_what_it_is(tmp_path: Path, name: str, dressing: str) -> None:
    part, text = SAMPLES[name]
    text = {"plain": text, "crlf": text.replace("\n", "\r\n"), "bom": "\ufeff" + text}[dressing]
    path = tmp_path / "input"
    path.write_bytes(text.encode())
    reading = Reading()
    assert identify(path, part, reading)[0].name == name
    assert reading.label == str(path)
    assert ("bom" in reading.notes) == (dressing == "bom")


@pytest.mark.parametrize("name", list(SAMPLES))
def test_no_other_format_is_as_sure_of_a_sample(tmp_path: Path, name: str) -> None:
    part, text = SAMPLES[name]
    path = tmp_path / "input"
    path.write_text(text)
    head = Head.of(Source(path))
    claims = {entry.name: entry.sniff(head) for entry in ALL if entry.sniff is not None and entry.reader(part)}
    own = claims.pop(name)
    assert own > max(claims.values(), default=0)
    assert own <= 100
    if own >= 90:  # sure: the others are not even asked
        assert not any(claims.values())


@each(lambda entry: entry.sniff is not None)
@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"\0\1\2", b"\xff\xfe\x00", b"hello\n", b"{", b"[]", b"#", b"//\n", b"a\tb\n", "é\u2028".encode()],
)
def test_sniffing_takes_anything_and_claims_no_junk(tmp_path: Path, entry: Format, content: bytes) -> None:
    path = tmp_path / "input"
    path.write_bytes(content)
    assert entry.sniff is not None
    assert entry.sniff(Head.of(Source(path))) == 0


@each(lambda entry: entry.shape == "file" and not entry.binary)
def test_a_name_in_front_of_a_path_decides(tmp_path: Path, entry: Format) -> None:
    path = tmp_path / "input"
    path.write_text("anything at all\n")
    for part in PARTS:
        if entry.reader(part):
            assert identify(f"{entry.name}:{path}", part)[0] is entry
        else:
            with pytest.raises(UsageError, match=f"is {entry.name}, which holds no {part}"):
                identify(f"{entry.name}:{path}", part)


@each(lambda entry: entry.shape == "file")
def test_empty_and_binary_files_are_refused_by_name(tmp_path: Path, entry: Format) -> None:
    part = next(part for part in PARTS if entry.reader(part))
    path = tmp_path / "input"
    path.write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        identify(path, part, name=entry.name)
    path.write_bytes(b"a\0b\n")
    if not entry.binary:
        with pytest.raises(InputError, match="is not text"):
            identify(path, part, name=entry.name)


# ----------------------------------------------------------------------------------------------------- there and back


@each(lambda entry: entry.write_judgments is not None)
def test_labels_there_and_back(tmp_path: Path, entry: Format) -> None:
    installed(entry)
    path = tmp_path / f"labels{entry.suffix}"
    assert entry.write_judgments is not None
    with atomic_write(path) as stream:
        assert entry.write_judgments(iter(LABELS), stream) == len(LABELS)
    found, source = identify(path, "judgments")
    assert found is entry
    reading = Reading("labels")
    read = list(entry.reader("judgments")(source, reading))  # type: ignore[misc]
    assert rows(read) == rows(LABELS)
    assert reading.rows == len(LABELS)
    assert reading.notes == {}


@each(lambda entry: entry.write_judgments is not None)
def test_what_a_format_says_it_keeps_it_keeps(tmp_path: Path, entry: Format) -> None:
    installed(entry)
    full = Judgment(
        "q1", "d1", 1, "who?", "c1:" + "0" * 32, "t1:" + "1" * 32, "text", "f", "human:a", "2026-01-02T03:04:05Z", "s", "n",
        "7", {"x": 1},
    )  # fmt: skip
    path = tmp_path / f"labels{entry.suffix}"
    assert entry.write_judgments is not None
    with atomic_write(path) as stream:
        entry.write_judgments([full], stream)
    (back,) = entry.reader("judgments")(Source(path), Reading("labels"))  # type: ignore[misc]
    kept = entry.keeps & set(Judgment._fields)
    assert {name: getattr(back, name) for name in kept} == {name: getattr(full, name) for name in kept}
    if entry.keeps_unknown:
        assert dict(back.extra) == {"x": 1}


@each(lambda entry: entry.write_run is not None)
def test_a_run_there_and_back(tmp_path: Path, entry: Format) -> None:
    installed(entry)
    path = tmp_path / f"run{entry.suffix}"
    run = [ranking._replace(tag="t") for ranking in RUN]
    assert entry.write_run is not None
    with atomic_write(path) as stream:
        assert entry.write_run(iter(run), stream) in {len(run), sum(len(ranking.doc_ids) for ranking in run)}
    found, source = identify(path, "run")
    assert found is entry
    reading = Reading("run")
    read = list(entry.reader("run")(source, reading))  # type: ignore[misc]
    assert orders(read) == orders(run)
    assert reading.notes == {}
    if "scores" in entry.keeps:
        assert [list(ranking.scores or ()) for ranking in read] == [ranking.scores for ranking in run]
    if "tag" in entry.keeps:
        assert [ranking.tag for ranking in read] == ["t", "t"]


@each(lambda entry: entry.write_run is not None)
def test_a_run_without_scores_keeps_its_order(tmp_path: Path, entry: Format) -> None:
    installed(entry)
    path = tmp_path / f"run{entry.suffix}"
    run = [Ranking("q1", [f"d{number}" for number in (5, 3, 9, 1)]), Ranking("q2", ["d1"])]
    assert entry.write_run is not None
    with atomic_write(path) as stream:
        entry.write_run(run, stream)
    read = list(entry.reader("run")(Source(path), Reading("run")))  # type: ignore[misc]
    assert orders(read) == orders(run)
    for ranking in read:
        if ranking.scores is not None:
            assert all(better > worse for better, worse in zip(ranking.scores, ranking.scores[1:], strict=False))


@each(lambda entry: entry.write_run is not None and "empty" in entry.keeps)
def test_an_empty_ranking_there_and_back(tmp_path: Path, entry: Format) -> None:
    installed(entry)
    path = tmp_path / f"run{entry.suffix}"
    run = [Ranking("q1", ["d1"], [0.5]), Ranking("q2", [], [])]
    assert entry.write_run is not None
    with atomic_write(path) as stream:
        entry.write_run(run, stream)
    assert orders(list(entry.reader("run")(Source(path), Reading("run")))) == {"q1": ["d1"], "q2": []}  # type: ignore[misc]


@each(lambda entry: entry.scan_run is not None)
def test_the_fast_way_of_scoring_sees_the_same_run(tmp_path: Path, entry: Format) -> None:
    path = tmp_path / "run"
    with atomic_write(path) as stream:
        assert entry.write_run is not None
        entry.write_run(RUN, stream)
    assert entry.scan_run is not None
    seen: list[tuple[str, list[str], list[float]]] = []
    for piece in entry.scan_run(Source(path), Reading("run")):
        if isinstance(piece, Ranking):
            seen.append((piece.query_id, list(piece.doc_ids), list(piece.scores or ())))
            continue
        ends = [*piece.starts.tolist()[1:], len(piece)]
        for start, end in zip(piece.starts.tolist(), ends, strict=True):
            ranking = piece.ranking(start, end)
            seen.append((ranking.query_id, list(ranking.doc_ids), list(ranking.scores or ())))
    assert seen == [(ranking.query_id, ranking.doc_ids, ranking.scores) for ranking in RUN]


@each(lambda entry: entry.write_folder is not None)
def test_a_folder_there_and_back(tmp_path: Path, entry: Format) -> None:
    installed(entry)
    folder = tmp_path / "folder"
    folder.mkdir()
    assert entry.write_folder is not None
    collection = Collection(iter(LABELS), None, iter(QUERIES), iter(DOCUMENTS))
    written = entry.write_folder(collection, folder)
    assert written == {"judgments": 4, "queries": 3, "documents": 3}
    found, source = identify(folder, "judgments")
    assert found is entry
    assert rows(list(entry.reader("judgments")(source, Reading("folder")))) == rows(LABELS)  # type: ignore[misc]
    queries = list(entry.reader("queries")(source, Reading("folder")))  # type: ignore[misc]
    assert [(query.query_id, query.text) for query in queries] == [(query.query_id, query.text) for query in QUERIES]
    documents = list(entry.reader("documents")(source, Reading("folder")))  # type: ignore[misc]
    # A missing title and an empty one are the same to some layouts.
    assert [(found.doc_id, found.text, found.title or "") for found in documents] == [
        ("d1", "one", ""),
        ("d2", "two", "Two"),
        ("d3", "three", ""),
    ]


@each(lambda entry: entry.to_object is not None)
def test_objects_there_and_back(entry: Format) -> None:
    installed(entry)
    assert entry.to_object is not None
    try:
        labels = entry.to_object("judgments", iter(LABELS))
        run = entry.to_object("run", iter(RUN))
    except MissingDependency as error:
        pytest.skip(str(error))
    for made, part in ((labels, "judgments"), (run, "run")):
        found, given = identify(made, part)  # type: ignore[arg-type]
        read = list(found.reader(part)(given, Reading(part)))  # type: ignore[arg-type, misc]
        if part == "judgments":
            assert sorted(rows(read)) == sorted(rows(LABELS))
        else:
            assert orders(read) == orders(RUN)


# ------------------------------------------------------------------------------------------------------------ mistakes


@pytest.mark.parametrize("given", list(SAMPLES))
@each(lambda entry: entry.shape == "file" and entry.name in SAMPLES)
def test_a_file_of_another_format_is_refused_not_misread(tmp_path: Path, entry: Format, given: str) -> None:
    """Handed over by a wrong name, a file gives an error that says where."""
    own = next(part for part in PARTS if entry.reader(part))
    alike = {frozenset({"ranx-run", "ranx-qrels"}), frozenset({"beir-qrels", "msmarco-run"})}
    if given == entry.name or frozenset({entry.name, given}) in alike:
        return
    path = tmp_path / "input"
    path.write_text(SAMPLES[given][1])
    with pytest.raises(InputError) as raised:
        list(entry.reader(own)(Source(path), Reading("input")))  # type: ignore[misc]
    assert raised.value.where
