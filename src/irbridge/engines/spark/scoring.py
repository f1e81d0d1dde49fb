"""A run scored: rankings are judged where their rows are; what comes back is the ranks of judged documents.

The rows are shuffled once, by query. Each task then does what scoring a file does: it puts each ranking in order under the
convention and keeps the ranks of its judged documents. These are few, and the driver computes all measures from them at
once, over all queries, so that measures that look at several queries, and means that are no means, are right as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.api import chosen_convention, chosen_measures
from irbridge.collect import Collector
from irbridge.conventions import Convention
from irbridge.engines.spark import judged_rows
from irbridge.engines.spark.failures import plain_errors
from irbridge.engines.spark.frames import broadcast, frame, is_frame, labels_of_frame, mapped, partition_reading
from irbridge.errors import UsageError
from irbridge.evaluate import score as _score
from irbridge.formats.grouping import neighbours
from irbridge.formats.tables import QUERY_ID, RANK, RunTable, find, needed
from irbridge.inputs import qrels_of
from irbridge.judging import nothing_in_common
from irbridge.measures.base import need_pool, need_subtopics
from irbridge.model import Ranking
from irbridge.ranking import by_rank
from irbridge.reading import Reading
from irbridge.scores import Scores

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from irbridge.engines.spark.frames import Batches


class Scored(NamedTuple):
    """A scored run.

    Attributes:
        per_query: a DataFrame with a row for each query that counts and each measure: query_id, measure, value.
        means: a DataFrame with a row for each measure: measure, value; empty if no query counts.
        scores: the same as `irbridge.score` gives it, with the coverage and the convention.
    """

    per_query: DataFrame
    means: DataFrame
    scores: Scores


def score(
    qrels: Any,
    run: Any,
    measures: Any = None,
    *,
    convention: str | Convention | None = None,
    k: Any = None,
    **knobs: Any,
) -> Scored:
    """Score a run that is a DataFrame.

    Args:
        qrels: judgments, in anything that `irbridge.load` takes, or a DataFrame of Spark's; they are sent to every executor.
        run: a DataFrame with query_id, doc_id and score, or rank in its place (or the other names of spec/formats.md, 6).
        measures: as for `irbridge.score`, like the others. Measures with a budget need lengths and are refused.
        convention: likewise. Rows of a frame have no order: where a convention goes by it, there has to be a column `rank`.
        k: likewise.
        knobs: likewise.

    Raises:
        UsageError: no DataFrame, a measure or knob that is unknown, or a convention that needs an order that is not there.
        InputError: rows that cannot be used, or no query in common.
    """
    source = frame(run, "run")
    asked = chosen_measures(measures, k)
    under = chosen_convention(convention, asked, **knobs)
    grouped = _grouped(source)
    _refuse_orderless(source.columns, under)
    with plain_errors():
        labels = list(labels_of_frame(qrels)) if is_frame(qrels) else qrels
        known = qrels_of(labels, subtopics=need_subtopics(asked), pool=need_pool(asked))
        work = partial(_judged, broadcast(source, (known, under)), grouped.columns)
        parts = mapped(grouped, work, judged_rows.SCHEMA).collect()
    judged = judged_rows.merged(known, parts)
    if not judged.hits.answered.any():
        raise nothing_in_common(known, judged.extra, Reading("run"))
    scores = _score(judged, asked, under)
    session = source.sparkSession
    return Scored(
        session.createDataFrame(list(scores.per_query()), "query_id string, measure string, value double"),
        session.createDataFrame(list(scores.aggregates().items()), "measure string, value double"),
        scores,
    )


def _refuse_orderless(columns: list[str], under: Convention) -> None:
    if find(columns, RANK) is None and (under.ties == "given" or under.duplicates == "last"):
        what = "orders equal scores as they are given" if under.ties == "given" else "counts the last of repeated rows"
        raise UsageError(
            f"{under.name} {what}, and rows of a DataFrame have no order",
            hint="add a column rank, or choose ties='docid-desc' and duplicates='first'",
        )


def _grouped(run: DataFrame) -> DataFrame:
    """The run's rows, those of one query together, by rank where there is one."""
    reading = Reading("run")
    wanted = [f"`{name}`" for name in RunTable(run.columns, reading).wanted]
    query_id, rank = needed(run.columns, QUERY_ID, "query id", reading), find(run.columns, RANK)
    order = [f"`{name}`" for name in (query_id, rank) if name is not None]
    return run.select(*wanted).repartition(order[0]).sortWithinPartitions(*order)


def _judged(shared: Any, columns: list[str], batches: Batches) -> Iterator[pa.RecordBatch]:
    qrels, convention = shared.value
    reading = partition_reading("run")
    collector = Collector(qrels, convention, reading)
    for ranking in _rankings(columns, batches, reading):
        collector.add(ranking)
    reading.finish()
    yield judged_rows.packed(collector.result())


def _rankings(columns: list[str], batches: Batches, reading: Reading) -> Iterator[Ranking]:
    table = RunTable(columns, reading)

    def rows() -> Iterator[Any]:
        first = 1
        for batch in batches:
            values = {name: column.to_pylist() for name, column in zip(columns, batch.columns, strict=True)}
            yield table.rows(values, first)
            first += batch.num_rows

    for ranking in neighbours(rows()):
        yield by_rank(ranking, reading) if ranking.scores is None and ranking.ranks is not None else ranking
