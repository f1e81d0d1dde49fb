"""Law: labels and runs come back unchanged, to the last bit and in their order, from every typed format."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.formats import written

from irbridge.formats import FORMATS
from irbridge.formats.base import Part
from irbridge.model import Judgment, Ranking
from irbridge.reading import Reading
from irbridge.source import Source

# Any text that can be an id: neither NUL nor half a surrogate pair (category Cs).
IDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
GRADES = st.integers(-(2**53), 2**53)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
LABELS = st.dictionaries(IDS, st.dictionaries(IDS, GRADES, min_size=1, max_size=4), min_size=1, max_size=4)
RUNS = st.dictionaries(IDS, st.dictionaries(IDS, SCORES, min_size=1, max_size=4), min_size=1, max_size=4)
OBJECTS = ("ir-measures", "pytrec", "pandas", "polars", "pyarrow", "pyterrier")


class InMemory(Source):
    """A file that is not on disk."""

    def __init__(self, data: bytes) -> None:
        super().__init__("memory")
        self._data = data

    @property
    def size(self) -> int | None:
        return len(self._data)

    def head(self) -> bytes:
        return self._data[:65536]

    def open(self) -> Any:
        return io.BufferedReader(io.BytesIO(self._data))


def there_and_back(name: str, part: Part, records: list[Any]) -> list[Any]:
    entry = FORMATS.get(name)
    if entry.to_object is not None:
        between: Any = entry.to_object(part, iter(records))
    else:
        between = InMemory(written(entry, part, iter(records)))
    reader = entry.reader(part)
    assert reader is not None
    return list(reader(between, Reading()))


@pytest.mark.parametrize("name", [*OBJECTS, "parquet", "ranx-qrels"])
@settings(max_examples=30)
@given(LABELS)
def test_labels(name: str, labels: dict[str, dict[str, int]]) -> None:
    records = [Judgment(query_id, doc_id, grade) for query_id, own in labels.items() for doc_id, grade in own.items()]
    assert there_and_back(name, "judgments", records) == records


@pytest.mark.parametrize("name", [*OBJECTS, "parquet", "ranx-run"])
@settings(max_examples=30)
@given(RUNS)
def test_runs(name: str, run: dict[str, dict[str, float]]) -> None:
    records = [Ranking(query_id, list(own), list(own.values())) for query_id, own in run.items()]
    found = there_and_back(name, "run", records)
    # repr tells -0.0 from 0.0, which == does not. PyTerrier's frames carry ranks too.
    assert repr([(one.query_id, list(one.doc_ids), list(one.scores)) for one in found]) == repr(
        [(one.query_id, one.doc_ids, one.scores) for one in records]
    )
