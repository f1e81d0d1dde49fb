"""Parquet files as columns of Python values, batch by batch, and back. Needs pyarrow, imported when it is used."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, BinaryIO

from irbridge.errors import InputError, MissingDependency
from irbridge.source import Source
from irbridge.textio import whole

MAGIC = b"PAR1"
BATCH_ROWS = 10_000
# How a column is stored, by the name that writers here use for it.
TEXT, WHOLE, SMALL, REAL = "string", "int64", "int32", "float64"

Values = dict[str, list[Any]]


def _arrow() -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise MissingDependency("pyarrow", "parquet") from None
    return pa


class ParquetFile:
    """One file that is read; to be closed.

    Args:
        source: what errors name.
        stream: where it is read from, if not from the source.

    Attributes:
        columns: the names of its columns.

    Raises:
        MissingDependency: pyarrow is not installed.
        InputError: it is no parquet file, or damaged.
    """

    def __init__(self, source: Source, stream: BinaryIO | None = None) -> None:
        self._pa = _arrow()
        self._source = source
        self._stream = _windable(source) if stream is None else stream
        try:
            self._file = self._pa.parquet.ParquetFile(self._stream)
        except (self._pa.ArrowException, OSError) as error:
            self._stream.close()
            raise self._damaged(error) from error
        self.columns: list[str] = self._file.schema_arrow.names

    def close(self) -> None:
        """Close the file and its stream."""
        self._file.close()
        self._stream.close()

    def batches(self, columns: Sequence[str]) -> Iterator[tuple[int, Values]]:
        """(number of the first row, values by column), in file order; row groups are read one at a time."""
        batches = self._file.iter_batches(batch_size=BATCH_ROWS, columns=list(columns))
        first = 1
        while True:
            # A value can be one that Arrow holds and Python does not: a date of a far year, text that is no UTF-8.
            try:
                batch = next(batches, None)
                if batch is None:
                    return
                values = {name: _values(self._pa, batch.column(name)) for name in columns}
            except (self._pa.ArrowException, OSError, ArithmeticError, LookupError, ValueError) as error:
                raise self._damaged(error) from error
            yield first, values
            first += batch.num_rows

    def _damaged(self, error: Exception) -> InputError:
        reason = str(error).partition("\n")[0]
        return self._source.error(f"is not a parquet file that can be read: {reason}", hint="fetch or write it again")


def _windable(source: Source) -> BinaryIO:
    """Parquet is read from its end: what cannot be wound is taken whole."""
    if source.size is not None:
        stream = source.open()
        if isinstance(stream, io.BufferedReader) and stream.seekable():
            return stream
        stream.close()
    return io.BytesIO(whole(source))


def _values(pa: Any, column: Any) -> list[Any]:
    kind = column.type
    if column.null_count == 0 and (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
        numbers: list[Any] = column.to_numpy(zero_copy_only=False).tolist()
        return numbers
    found: list[Any] = column.to_pylist()
    return found


class Writer:
    """One file that is written, batch by batch; to be closed.

    Args:
        columns: name -> TEXT, WHOLE, SMALL or REAL.

    Attributes:
        rows: how many were written.
    """

    def __init__(self, stream: BinaryIO, columns: Mapping[str, str]) -> None:
        self._pa = _arrow()
        self._schema = self._pa.schema([(name, getattr(self._pa, kind)()) for name, kind in columns.items()])
        self._writer = self._pa.parquet.ParquetWriter(stream, self._schema, compression="zstd")
        self.rows = 0

    def close(self) -> None:
        """Write the end of the file; the stream stays open."""
        self._writer.close()

    def add(self, values: Mapping[str, Sequence[Any]]) -> None:
        """Write rows.

        Raises:
            InputError: a value that its column cannot hold.
        """
        try:
            table = self._pa.table(dict(values), schema=self._schema)
        except (self._pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            raise InputError(f"cannot be written as parquet: {error}") from error
        self._writer.write_table(table)
        self.rows += table.num_rows


def write(stream: BinaryIO, columns: Mapping[str, str], batches: Iterable[Mapping[str, Sequence[Any]]]) -> int:
    """Write a file; returns the number of rows."""
    with closing(Writer(stream, columns)) as writer:
        for batch in batches:
            writer.add(batch)
    return writer.rows
