"""DataFrames: pandas, polars and pyarrow tables, with the column names of ir_measures or of PyTerrier.

They are recognised by where their class comes from, so that none of the libraries is loaded for an input that is none of
them. A frame is read column by column and never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from irbridge.errors import InputError, MissingDependency, shown
from irbridge.formats.base import Format, Part
from irbridge.formats.cells import placed_scores
from irbridge.formats.grouping import gathered, neighbours
from irbridge.formats.tables import JudgmentTable, RunTable
from irbridge.model import Judgment, Ranking
from irbridge.reading import Reading

Table = dict[str, list[Any]]


def _accepting(library: str, *classes: str) -> Callable[[Any, Part], bool]:
    def accepts(given: Any, part: Part) -> bool:
        return any(
            base.__name__ in classes and base.__module__.split(".")[0] == library for base in type(given).__mro__
        )

    return accepts


def _names(frame: Any, reading: Reading) -> list[str]:
    names = list(frame.column_names if hasattr(frame, "column_names") else frame.columns)
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"has two columns called {shown(name)}", path=reading.label, hint="rename one of them")
    return names


def _column(frame: Any, name: str, reading: Reading) -> list[Any]:
    """A column as Python's own numbers and texts.

    Raises:
        InputError: it has a value that the library holds and Python does not: a date of a far year, text that is no UTF-8.
    """
    try:
        column = frame[name]
        # pandas and polars, pyarrow.
        method = next((method for method in ("to_list", "to_pylist") if hasattr(column, method)), None)
        return list(column if method is None else getattr(column, method)())
    except Exception as error:
        raise _unreadable(f"the column {shown(name, 40)} cannot be read", error, reading) from error


def _unreadable(what: str, error: Exception, reading: Reading) -> InputError:
    # Each library has errors of its own.
    reason = shown(error).partition("\\n")[0]
    return InputError(
        f"{what}: {reason}", path=reading.label, hint="mend the values, or cast the column to text or numbers"
    )


def _collected(frame: Any, reading: Reading) -> Any:
    """A lazy polars frame has no rows before it is collected."""
    if type(frame).__name__ != "LazyFrame":
        return frame
    try:
        return frame.collect()
    except Exception as error:
        raise _unreadable("the lazy frame cannot be collected", error, reading) from error


def _read_judgments(frame: Any, reading: Reading) -> Iterator[Judgment]:
    frame = _collected(frame, reading)
    names = _names(frame, reading)
    table = JudgmentTable(names, reading)
    yield from table.records({name: _column(frame, name, reading) for name in names})
    reading.finish()


def _read_run(frame: Any, reading: Reading) -> Iterator[Ranking]:
    frame = _collected(frame, reading)
    table = RunTable(_names(frame, reading), reading)
    rows = table.rows({name: _column(frame, name, reading) for name in table.wanted})
    found = list(gathered(neighbours([rows]), reading))
    reading.finish()
    yield from found


def _judgment_columns(labels: Iterable[Judgment]) -> Table:
    found: Table = {"query_id": [], "doc_id": [], "relevance": [], "iteration": []}
    for label in labels:
        for column, value in zip(
            found.values(), (label.query_id, label.key, label.relevance, label.iteration), strict=True
        ):
            column.append(value)
    return found


def _run_columns(run: Iterable[Ranking]) -> Table:
    found: Table = {"query_id": [], "doc_id": [], "score": []}
    for ranking in run:
        found["query_id"].extend([ranking.query_id] * len(ranking.doc_ids))
        found["doc_id"].extend(ranking.doc_ids)
        found["score"].extend(map(float, placed_scores(ranking.doc_ids, ranking.scores)))
    return found


def _of_pyterrier(part: Part, records: Iterable[Any]) -> Table:
    """PyTerrier's names; its ranks count from 0, by falling score, equal scores in the order given."""
    if part == "judgments":
        labels = _judgment_columns(records)
        return {"qid": labels["query_id"], "docno": labels["doc_id"], "label": labels["relevance"]}
    rankings = list(records)
    rows = _run_columns(rankings)
    ranks: list[int] = []
    for ranking in rankings:
        ranks.extend(_ranks(placed_scores(ranking.doc_ids, ranking.scores)))
    return {"qid": rows["query_id"], "docno": rows["doc_id"], "rank": ranks, "score": rows["score"]}


def _ranks(scores: Sequence[float]) -> list[int]:
    ranks = [0] * len(scores)
    for rank, position in enumerate(sorted(range(len(scores)), key=lambda position: -scores[position])):
        ranks[position] = rank
    return ranks


def _of_ir_measures(part: Part, records: Iterable[Any]) -> Table:
    return _judgment_columns(records) if part == "judgments" else _run_columns(records)


_WHOLE = {"relevance", "label", "rank"}
_REAL = {"score"}


def _pandas(table: Table) -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise MissingDependency("pandas", "pandas") from None
    # An empty column has no values to take its type from.
    types = {"int64": _WHOLE, "float64": _REAL}
    frame = pd.DataFrame(table)
    return frame.astype({name: kind for kind, names in types.items() for name in names & set(table)})


def _polars(table: Table) -> Any:
    try:
        import polars as pl
    except ImportError:
        raise MissingDependency("polars", "polars") from None
    kinds = {name: pl.Int64 if name in _WHOLE else pl.Float64 if name in _REAL else pl.String for name in table}
    return pl.DataFrame(table, schema=kinds)


def _arrow(table: Table) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingDependency("pyarrow", "parquet") from None
    kinds = {name: pa.int64() if name in _WHOLE else pa.float64() if name in _REAL else pa.string() for name in table}
    return pa.table(table, schema=pa.schema(list(kinds.items())))


@dataclass(frozen=True)
class _Maker:
    """Records to a table of one library, under the column names of one tool."""

    build: Callable[[Table], Any]
    columns: Callable[[Part, Iterable[Any]], Table] = field(default=_of_ir_measures)

    def __call__(self, part: Part, records: Iterable[Any]) -> Any:
        return self.build(self.columns(part, records))


def _format(
    name: str, summary: str, make: _Maker, accepts: Callable[[Any, Part], bool] | None, *keeps: str, extra: str
) -> Format:
    return Format(
        name=name,
        shape="object",
        summary=summary,
        accepts=accepts,
        read_judgments=_read_judgments,
        read_run=_read_run,
        to_object=make,
        keeps=frozenset({"scores", *keeps}),
        extra=extra,
    )


_COLUMNS = "query_id, doc_id, relevance, iteration or score"
FORMAT = (
    _format(
        "pandas",
        f"a pandas DataFrame: {_COLUMNS}; PyTerrier's and BEIR's names are read too",
        _Maker(_pandas),
        _accepting("pandas", "DataFrame"),
        "iteration",
        extra="pandas",
    ),
    _format(
        "polars",
        f"a polars DataFrame: {_COLUMNS}",
        _Maker(_polars),
        _accepting("polars", "DataFrame", "LazyFrame"),
        "iteration",
        extra="polars",
    ),
    _format(
        "pyarrow",
        f"a pyarrow Table: {_COLUMNS}",
        _Maker(_arrow),
        _accepting("pyarrow", "Table", "RecordBatch"),
        "iteration",
        extra="parquet",
    ),
    _format(
        "pyterrier",
        "PyTerrier's pandas DataFrame: qid, docno, label, or qid, docno, rank, score",
        _Maker(_pandas, _of_pyterrier),
        None,
        extra="pandas",
    ),
)
