"""TREC-COVID, complete: 16,337 rows of the run tie with one above them, and the iteration column is fractional."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.pytrec_eval_values import PRINTED, Grades, Run, by_double, differing, read_qrels, read_run, values
from support.trec_eval_tables import Line, compared

import irbridge

QUERIES = 50
OPTIONS = {"-": {}, "-l 2 -M 100": {"rel": 2, "depth": 100}}
CONVENTIONS = {"9.0.8": "trec_eval-9", "10.0": "trec_eval-10"}


@pytest.fixture(scope="module")
def qrels(shared: Path) -> Path:
    return shared / "data" / "trec" / "covid" / "qrels.covid-complete.txt"


@pytest.fixture(scope="module")
def run(shared: Path) -> Path:
    return shared / "data" / "trec" / "covid" / "runs" / "dis17-baseline-title-abstract-query.run"


@pytest.fixture(scope="module")
def nudged(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every score less 1e-10 times its rank: as doubles in file order, as float32 mostly the ties that they were."""
    path = tmp_path_factory.mktemp("covid") / "nudged.run"
    rows = (row.split("\t") for row in run.read_text(encoding="utf-8").splitlines())
    path.write_text(
        "".join(
            f"{query_id} Q0 {doc_id} {rank} {float(score) - int(rank) * 1e-10:.12f} {tag}\n"
            for query_id, _, doc_id, rank, score, tag in rows
        )
    )
    return path


@pytest.fixture(scope="module")
def grades(qrels: Path) -> Grades:
    return read_qrels(qrels)


def frozen() -> dict[tuple[str, str, str], list[Line]]:
    """{(release, run, options): lines}, from the table beside this test."""
    tables: dict[tuple[str, str, str], list[Line]] = {}
    for row in (Path(__file__).parent / "expected" / "covid.tsv").read_text(encoding="utf-8").splitlines():
        if not row.startswith(";"):
            release, run, options, measure, value = row.split("\t")
            tables.setdefault((release, run, options), []).append(Line(measure, "all", value))
    return tables


FROZEN = frozen()


def test_the_ties_are_there(run: Path) -> None:
    tied = Counter((query_id, score) for query_id, scores in read_run(run).items() for score in scores.values())
    assert sum(size - 1 for size in tied.values()) == 16337


@pytest.mark.parametrize("release, name, options", FROZEN)
def test_the_aggregates_of_both_releases(
    request: pytest.FixtureRequest, qrels: Path, release: str, name: str, options: str
) -> None:
    path = request.getfixturevalue("nudged" if name == "nudged" else "run")
    lines = FROZEN[release, name, options]
    names = [line.measure for line in lines]
    scores = irbridge.score(qrels, path, names, convention=CONVENTIONS[release], **OPTIONS[options])
    assert compared(scores, lines) == (52, [])


def test_the_releases_differ_where_scores_are_close() -> None:
    """In 17 of the 52 aggregates of the nudged run; in none of the run as it is, whose scores are short decimals."""
    for name, count in (("as it is", 0), ("nudged", 17)):
        old, new = FROZEN["9.0.8", name, "-"], FROZEN["10.0", name, "-"]
        assert sum(a != b for a, b in zip(old, new, strict=True)) == count
    assert len(FROZEN) == 6


@pytest.mark.parametrize("level", [1, 2])
def test_every_query_as_float32(qrels: Path, run: Path, grades: Grades, level: int) -> None:
    scores = irbridge.score(qrels, run, PRINTED, convention="trec_eval-9", rel=level)
    count, far = differing(scores, values(grades, read_run(run), level))
    assert far == []
    assert count == len(PRINTED) * QUERIES == 2550


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("name", ["as it is", "nudged"])
def test_every_query_in_both_precisions(
    request: pytest.FixtureRequest, qrels: Path, grades: Grades, name: str, precision: str
) -> None:
    """pytrec_eval compares float32; the order of doubles is given to it as whole numbers."""
    path = request.getfixturevalue("nudged" if name == "nudged" else "run")
    given: Run = read_run(path)
    expected = values(grades, given if precision == "float32" else by_double(given))
    scores = irbridge.score(qrels, path, PRINTED, convention="ir_measures", precision=precision)
    count, far = differing(scores, expected)
    assert far == []
    assert count == 2550


@pytest.mark.parametrize("wrong", [{"ties": "docid-asc"}, {"ties": "given"}])
def test_another_order_of_ties_would_be_noticed(qrels: Path, run: Path, wrong: dict[str, str]) -> None:
    lines = FROZEN["9.0.8", "as it is", "-"]
    scores = irbridge.score(qrels, run, [line.measure for line in lines], convention="trec_eval-9", **wrong)
    assert len(compared(scores, lines)[1]) > 10


def test_the_iteration_column_is_text(qrels: Path, tmp_path: Path) -> None:
    """`awk '{print $2}' | sort | uniq -c`: ten iterations from 0.5 to 5, written back as they were."""
    iterations = Counter(label.iteration for label in irbridge.load(qrels))
    assert iterations == {
        "0.5": 2557, "1": 5971, "1.5": 5632, "2": 6178, "2.5": 5103, "3": 7473, "3.5": 4676, "4": 8577, "4.5": 5954,
        "5": 17197,
    }  # fmt: skip
    assert iterations.total() == 69318
    irbridge.convert(qrels, "judgments", str(tmp_path / "judgments.jsonl"))
    irbridge.convert(str(tmp_path / "judgments.jsonl"), "trec-qrels", str(tmp_path / "back.qrels"))
    assert (tmp_path / "back.qrels").read_bytes() == qrels.read_bytes()
