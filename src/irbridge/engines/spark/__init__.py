"""irbridge on Spark: DataFrame in, DataFrame out, the same functions inside.

    from irbridge.engines import spark

    chunks = spark.chunk_documents(documents, "recursive/512/64")     # lazy, no shuffle
    chunks = spark.stamp(pieces, "ours/3")                             # ids for somebody else's chunks
    found = spark.drift(labels, chunks)                                # found.findings, found.inspected.drift
    scored = spark.score(qrels, run, "nDCG@10 AP")                     # scored.per_query, scored.scores

Nothing is computed in a second way: a task opens its Arrow batches, calls what the local commands call, and hands batches
back. So results are equal to the local ones, to the bit. irbridge has to be installed where the tasks run (recipes/spark.md).

What the library's functions refuse in a task comes back as an error of irbridge's. `chunk_documents` and `stamp` are lazy, so
theirs comes when the frame is written or counted; `with spark.plain_errors():` around that does the same.

Spark 3.5 and later with a classic session (not Spark Connect).
"""

from __future__ import annotations

from irbridge.engines.spark.chunking import chunk_documents, stamp
from irbridge.engines.spark.drifting import Drifted, drift
from irbridge.engines.spark.failures import plain_errors
from irbridge.engines.spark.scoring import Scored, score

__all__ = ["Drifted", "Scored", "chunk_documents", "drift", "plain_errors", "score", "stamp"]
