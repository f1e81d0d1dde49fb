"""The recipe about chunking anew, on documents with real spans: drift must find what is there, and nothing else."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

RECIPES = Path(__file__).resolve().parents[2] / "recipes"


@pytest.fixture
def recipe(monkeypatch):
    monkeypatch.syspath_prepend(str(RECIPES))
    import rechunking

    yield rechunking
    sys.modules.pop("rechunking", None)


def test_labels_of_790_spans(recipe, shared, capsys):
    folder = shared / "data" / "spans" / "chunking-evaluation"
    documents = {path.stem: path.read_text(encoding="utf-8") for path in sorted((folder / "corpora").glob("*.md"))}
    spans: dict[str, list[tuple[int, int]]] = {}
    csv.field_size_limit(1 << 24)
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            for one in json.loads(row["references"]):
                place = one["start_index"], one["end_index"]
                # What the spans of the collection say is true of its texts.
                assert documents[row["corpus_id"]][slice(*place)] == one["content"]
                spans.setdefault(row["corpus_id"], []).append(place)
    assert sum(map(len, spans.values())) == 790
    recipe.table(documents, spans)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert len(rows) == 6
    for row in rows:
        labels, valid, again, merged, split, orphaned, there = map(int, row[2:9])
        assert valid + again + merged + split + orphaned == labels > 400
        assert float(row[9].rstrip("%")) >= 99, row
        assert there >= 0.99 * orphaned
        wrong, taken = map(int, row[10].split("/"))
        assert (wrong, taken > 50) == (0, True), row
