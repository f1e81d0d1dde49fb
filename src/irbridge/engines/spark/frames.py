"""Frames in and out: what is asked of a DataFrame, and work that is carried to its partitions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from irbridge.engines.spark.failures import told
from irbridge.errors import MissingDependency, UsageError
from irbridge.formats.tables import JudgmentTable
from irbridge.model import Judgment
from irbridge.reading import Reading

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.broadcast import Broadcast
    from pyspark.sql import DataFrame

    Batches = Iterable[pa.RecordBatch]
    Work = Callable[[Batches], Iterator[pa.RecordBatch]]

#: Rows of a batch that a task hands back.
_ROWS = 1024


def is_frame(what: Any) -> bool:
    """Whether it is a DataFrame of Spark's; known without loading Spark."""
    return any(
        base.__name__ == "DataFrame" and base.__module__.startswith("pyspark.sql") for base in type(what).__mro__
    )


def frame(what: Any, name: str) -> DataFrame:
    """`what`, if it is a DataFrame of Spark's.

    Raises:
        MissingDependency: what Spark needs to hand Arrow batches to Python is not installed.
        UsageError: it is none.
    """
    for library in ("pyspark", "pandas", "pyarrow"):
        try:
            __import__(library)
        except ImportError:
            raise MissingDependency(library, "spark") from None
    if not is_frame(what):
        raise UsageError(
            f"the {name} must be a DataFrame of Spark's, not a {type(what).__name__}",
            hint="spark.createDataFrame or spark.read make one; irbridge.score and irbridge.drift take everything else",
        )
    found: DataFrame = what
    return found


def mapped(source: DataFrame, work: Work, schema: str | Any) -> DataFrame:
    """A frame of what `work` makes of each partition's batches."""
    return source.mapInArrow(partial(told, work), schema)


def broadcast(source: DataFrame, value: Any) -> Broadcast[Any]:
    """Something that every task reads: sent to each executor once, loaded once in each of its Python workers."""
    return source.sparkSession.sparkContext.broadcast(value)


def labels_of_frame(labels: DataFrame) -> Iterator[Judgment]:
    """The labels of a frame, on the driver."""
    reading = Reading("judgments")
    rows = labels.collect()
    values = {name: [row[position] for row in rows] for position, name in enumerate(labels.columns)}
    yield from JudgmentTable(labels.columns, reading).records(values)
    reading.finish()


def partition_reading(name: str) -> Reading:
    """For what a task notices: rows are counted in its partition."""
    pyspark: Any = sys.modules.get("pyspark")  # a task runs inside it
    context = None if pyspark is None else pyspark.TaskContext.get()
    return Reading(name if context is None else f"{name}, partition {context.partitionId()}")


def batched(rows: Iterable[Sequence[Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Rows, whose members are in the order of the schema, as batches."""
    import pyarrow as pa

    left = iter(rows)
    while piece := list(islice(left, _ROWS)):
        columns = zip(*piece, strict=True)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)
