"""What pytrec_eval computes from TREC files, read here without irbridge: the other side of a comparison."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from irbridge.scores import Scores

# The first family under the names that pytrec_eval prints, and what to ask it for to get them.
ASKED = (
    "num_ret", "num_rel", "num_rel_ret", "map", "map_cut", "P", "recall", "ndcg", "ndcg_cut", "recip_rank", "success",
    "Rprec", "bpref", "set_P", "set_recall", "set_F", "set_map",
)  # fmt: skip
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
PRINTED = (
    "num_ret", "num_rel", "num_rel_ret", "map", "ndcg", "recip_rank", "Rprec", "bpref", "set_P", "set_recall", "set_F",
    "set_map", "success_1", "success_5", "success_10",
    *(f"{base}_{k}" for base in ("map_cut", "P", "recall", "ndcg_cut") for k in CUTOFFS),
)  # fmt: skip

Grades = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
Values = dict[str, dict[str, float]]


def read_qrels(path: Path) -> Grades:
    found: Grades = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query_id, _, doc_id, grade = line.split()
        found.setdefault(query_id, {})[doc_id] = int(grade)
    return found


def read_run(path: Path) -> Run:
    found: Run = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query_id, _, doc_id, _, score, _ = line.split()
        found.setdefault(query_id, {})[doc_id] = float(score)
    return found


def by_double(run: Run) -> Run:
    """The run with scores that fall by 1 in the order that doubles and descending document ids give, which a float32
    cannot blur: pytrec_eval, which compares float32, then sees trec_eval 10's order."""
    return {
        query_id: {
            doc_id: float(len(scores) - place)
            for place, (doc_id, _) in enumerate(sorted(scores.items(), key=lambda row: (row[1], row[0]), reverse=True))
        }
        for query_id, scores in run.items()
    }


def values(qrels: Grades, run: Run, level: int = 1, asked: Iterable[str] = ASKED) -> Values:
    """{query: {measure: value}} by pytrec_eval."""
    import pytrec_eval

    found: Values = pytrec_eval.RelevanceEvaluator(qrels, set(asked), relevance_level=level).evaluate(run)
    return found


def differing(scores: Scores, expected: Values, tolerance: float = 1e-12) -> tuple[int, list[str]]:
    """How many values were compared (all of `expected` under irbridge's names), and those further apart."""
    count = 0
    far: list[str] = []
    for measure in scores.measures:
        own = scores.of(measure.asked)
        assert own.keys() == expected.keys()
        for query_id, value in own.items():
            count += 1
            if abs(value - expected[query_id][measure.asked]) > tolerance:
                far.append(f"{measure.asked} {query_id}: {expected[query_id][measure.asked]!r}, irbridge {value!r}")
    return count, far
