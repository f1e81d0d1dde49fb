"""irbridge: the bridge between public IR benchmarks and the relevance judgments that RAG teams keep.

    import irbridge

    scores = irbridge.score("qrels.txt", "bm25.run.gz", "nDCG@10 AP")
    scores.aggregates()                                   # {"nDCG@10": 0.4989, "AP": 0.3013}
    irbridge.convert("qrels.txt", "judgments", "judgments.jsonl")

Files, ids (`irds:beir/scifact/test`), dicts, DataFrames and records are taken alike. Every name is loaded when it is
first used, so that importing irbridge costs next to nothing.
"""

from __future__ import annotations

import sys as _sys
import types as _types

from irbridge._version import __version__

# Not typing's own, whose import would be a third of the time that importing irbridge takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from irbridge.api import load, score
    from irbridge.conventions import PRESETS as CONVENTIONS
    from irbridge.conventions import Convention, Gain, get_convention
    from irbridge.convert import convert
    from irbridge.counted import Outcome
    from irbridge.crosscheck.explain import explain
    from irbridge.crosscheck.run import crosscheck
    from irbridge.errors import (
        InputError,
        InputErrors,
        IrbridgeError,
        LossError,
        MissingDependency,
        UnknownName,
        UsageError,
    )
    from irbridge.evaluate import Coverage, Scores
    from irbridge.identity import chunk_id, normalize, text_sha
    from irbridge.inputs import Input
    from irbridge.integrations.irds import to_irds
    from irbridge.load import datasets, load_collection
    from irbridge.measures.base import Measure
    from irbridge.measures.names import parse as parse_measures
    from irbridge.model import Document, Judgment, Qrel, Query, Ranking, ScoredDoc
    from irbridge.qrels import Qrels
    from irbridge.report import Report
    from irbridge.report import build as build_report
    from irbridge.stats.interval import Measurement, summarize

del TYPE_CHECKING

# Public name -> (module, its name there).
_WHERE = {
    "CONVENTIONS": ("conventions", "PRESETS"),
    "Convention": ("conventions", "Convention"),
    "Coverage": ("evaluate", "Coverage"),
    "Document": ("model", "Document"),
    "Gain": ("conventions", "Gain"),
    "Input": ("inputs", "Input"),
    "InputError": ("errors", "InputError"),
    "InputErrors": ("errors", "InputErrors"),
    "IrbridgeError": ("errors", "IrbridgeError"),
    "Judgment": ("model", "Judgment"),
    "LossError": ("errors", "LossError"),
    "Measure": ("measures.base", "Measure"),
    "Measurement": ("stats.interval", "Measurement"),
    "MissingDependency": ("errors", "MissingDependency"),
    "Outcome": ("counted", "Outcome"),
    "Qrel": ("model", "Qrel"),
    "Qrels": ("qrels", "Qrels"),
    "Query": ("model", "Query"),
    "Ranking": ("model", "Ranking"),
    "Report": ("report", "Report"),
    "ScoredDoc": ("model", "ScoredDoc"),
    "Scores": ("evaluate", "Scores"),
    "UnknownName": ("errors", "UnknownName"),
    "UsageError": ("errors", "UsageError"),
    "build_report": ("report", "build"),
    "chunk_id": ("identity", "chunk_id"),
    "convert": ("convert", "convert"),
    "crosscheck": ("crosscheck.run", "crosscheck"),
    "datasets": ("load", "datasets"),
    "explain": ("crosscheck.explain", "explain"),
    "get_convention": ("conventions", "get_convention"),
    "load": ("api", "load"),
    "load_collection": ("load", "load_collection"),
    "normalize": ("identity", "normalize"),
    "parse_measures": ("measures.names", "parse"),
    "score": ("api", "score"),
    "summarize": ("stats.interval", "summarize"),
    "text_sha": ("identity", "text_sha"),
    "to_irds": ("integrations.irds", "to_irds"),
}

__all__ = [
    "CONVENTIONS",
    "Convention",
    "Coverage",
    "Document",
    "Gain",
    "Input",
    "InputError",
    "InputErrors",
    "IrbridgeError",
    "Judgment",
    "LossError",
    "Measure",
    "Measurement",
    "MissingDependency",
    "Outcome",
    "Qrel",
    "Qrels",
    "Query",
    "Ranking",
    "Report",
    "ScoredDoc",
    "Scores",
    "UnknownName",
    "UsageError",
    "__version__",
    "build_report",
    "chunk_id",
    "convert",
    "crosscheck",
    "datasets",
    "explain",
    "get_convention",
    "load",
    "load_collection",
    "normalize",
    "parse_measures",
    "score",
    "summarize",
    "text_sha",
    "to_irds",
]


class _FrontDoor(_types.ModuleType):
    """This module, except that importing a submodule does not hide the public function of the same name.

    `import irbridge.convert` binds the submodule as `irbridge.convert` afterwards; `irbridge.convert(...)` has to go on
    meaning the function. `from irbridge.convert import ...` works as ever.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _WHERE and isinstance(value, _types.ModuleType)):
            super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _FrontDoor


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _WHERE[name]
    value = getattr(import_module(f"{__name__}.{module}"), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
