"""Chunks, drift and scores of collections that no machine holds: one job for spark-submit (spark.md).

python spark_job.py chunk DOCUMENTS CHUNKER OUT
python spark_job.py drift JUDGMENTS CHUNKS OUT [--fingerprint NAME]
python spark_job.py score JUDGMENTS RUN MEASURES OUT

DOCUMENTS, CHUNKS and RUN are Parquet, or JSON Lines where the name says so; OUT is a folder of Parquet. Exit codes are those of
irbridge: 1 if a label is not valid, 2 if something cannot be used.
"""

from __future__ import annotations

import argparse
import sys

from irbridge.engines import spark
from irbridge.errors import IrbridgeError


def frame(session, path):
    return session.read.json(path) if ".json" in path else session.read.parquet(path)


def chunk(session, given):
    chunks = spark.chunk_documents(frame(session, given.documents), given.chunker)
    with spark.plain_errors():  # nothing is computed before it is written
        chunks.write.mode("overwrite").parquet(given.out)
    return 0


def drift(session, given):
    # A corpus file of irbridge's may begin with a line that is no chunk but says whose chunks they are.
    chunks = frame(session, given.chunks).where("chunk_id is not null")
    found = spark.drift(given.judgments, chunks, corpus_fingerprint=given.fingerprint)
    found.findings.write.mode("overwrite").parquet(given.out)
    for name, value in found.inspected.drift.summary.as_dict().items():
        print(f"{name:14s}{value}")
    return 0 if found.inspected.drift.all_valid else 1


def score(session, given):
    scored = spark.score(given.judgments, frame(session, given.run), given.measures, ties="docid-desc")
    scored.per_query.write.mode("overwrite").parquet(given.out)
    for name, value in scored.scores.aggregates().items():
        print(f"{name:14s}{value:.4f}")
    return 0


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(required=True, metavar="chunk | drift | score")
    for job, names in (
        (chunk, ["documents", "chunker", "out"]),
        (drift, ["judgments", "chunks", "out"]),
        (score, ["judgments", "run", "measures", "out"]),
    ):
        own = jobs.add_parser(job.__name__)
        own.set_defaults(job=job)
        for name in names:
            own.add_argument(name)
        if job is drift:
            own.add_argument("--fingerprint", help="the name of this state of the corpus")
    given = parser.parse_args(arguments)
    from pyspark.sql import SparkSession

    session = SparkSession.builder.appName(f"irbridge {given.job.__name__}").getOrCreate()
    try:
        return given.job(session, given)
    except IrbridgeError as error:
        print("\n".join(error.lines()), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
