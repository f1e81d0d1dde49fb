"""One peer, one job, one process: `python peers.py PEER QRELS RUN OUT` scores five measures per query and in the mean."""

from __future__ import annotations

import sys


def pytrec_eval(qrels: str, run: str, out: str) -> None:
    import pytrec_eval as engine

    with open(qrels) as stream:
        labels = engine.parse_qrel(stream)
    with open(run) as stream:
        ranked = engine.parse_run(stream)
    evaluator = engine.RelevanceEvaluator(labels, {"P.10", "recall.100", "ndcg_cut.10", "recip_rank", "map_cut.100"})
    found = evaluator.evaluate(ranked)
    with open(out, "w") as stream:
        stream.writelines(f"{query_id} {values}\n" for query_id, values in found.items())
        stream.writelines(
            f"{name} {sum(values[name] for values in found.values()) / len(found)}\n"
            for name in next(iter(found.values()))
        )


def ir_measures(qrels: str, run: str, out: str) -> None:
    import ir_measures as tool
    from ir_measures import AP, RR, P, R, nDCG

    measures = [P @ 10, R @ 100, nDCG @ 10, RR @ 10, AP @ 100]
    total, rows = tool.calc(measures, tool.read_trec_qrels(qrels), tool.read_trec_run(run))
    with open(out, "w") as stream:
        stream.writelines(f"{row}\n" for row in rows)
        stream.write(f"{total}\n")


def beir(qrels: str, run: str, out: str) -> None:
    from beir.retrieval.evaluation import EvaluateRetrieval

    labels: dict[str, dict[str, int]] = {}
    with open(qrels) as stream:
        for line in stream:
            query_id, _, doc_id, grade = line.split()
            labels.setdefault(query_id, {})[doc_id] = int(grade)
    ranked: dict[str, dict[str, float]] = {}
    with open(run) as stream:
        for line in stream:
            query_id, _, doc_id, _, score, _ = line.split()
            ranked.setdefault(query_id, {})[doc_id] = float(score)
    with open(out, "w") as stream:
        stream.write(str(EvaluateRetrieval.evaluate(labels, ranked, [10, 100])))


def ranx(qrels: str, run: str, out: str) -> None:
    from ranx import Qrels, Run, evaluate

    found = evaluate(
        Qrels.from_file(qrels, kind="trec"),
        Run.from_file(run, kind="trec"),
        ["precision@10", "recall@100", "ndcg@10", "mrr@10", "map@100"],
        make_comparable=True,
    )
    with open(out, "w") as stream:
        stream.write(str(found))


def read(qrels: str, run: str, out: str) -> None:
    """The floor: the bytes of the run, and nothing done with them."""
    with open(run, "rb") as stream:
        while stream.read(1 << 20):
            pass


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
