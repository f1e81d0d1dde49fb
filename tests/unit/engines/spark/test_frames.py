from __future__ import annotations

import sys

import pytest

from irbridge.engines import spark
from irbridge.errors import MissingDependency

CALLS = {
    "chunk_documents": lambda: spark.chunk_documents([], "whole/1"),
    "stamp": lambda: spark.stamp([], "ours/1"),
    "score": lambda: spark.score({"q": {"d": 1}}, []),
    "drift": lambda: spark.drift([], []),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("library", ["pyspark", "pandas", "pyarrow"])
def test_what_is_missing_is_named_with_its_pip_line(monkeypatch, name, library):
    for each in ("pyspark", "pandas", "pyarrow"):
        monkeypatch.setitem(sys.modules, each, sys)  # stands for a library that is there
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependency) as caught:
        CALLS[name]()
    assert caught.value.lines() == [f"{library} is not installed", "try  pip install 'irbridge[spark]'"]
