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

    from irbridge.api import drift, experiment, load, score
    from irbridge.assessment import assess as build_report
    from irbridge.assessment import assess_runs as build_reports
    from irbridge.chunked import chunk_documents
    from irbridge.chunking import chunker
    from irbridge.chunking.cutting import chunks
    from irbridge.comparison.fusing import fuse
    from irbridge.comparison.overlapping import overlap_of as overlap
    from irbridge.comparison.result import Comparison
    from irbridge.conventions import PRESETS as CONVENTIONS
    from irbridge.conventions import Convention, Gain, get_convention
    from irbridge.convert import convert
    from irbridge.corpora import Corpus, corpus_of
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
    from irbridge.gates.evaluation import evaluate as evaluate_gates
    from irbridge.identity import chunk_id, normalize, text_sha
    from irbridge.inputs import Input
    from irbridge.integrations.irds import to_irds
    from irbridge.judgments.validation import validate
    from irbridge.load import datasets, load_collection
    from irbridge.measures.base import Family, Measure
    from irbridge.measures.files import measures_from
    from irbridge.measures.names import parse as parse_measures
    from irbridge.measures.own import own_measure
    from irbridge.model import Chunk, Document, Judgment, Qrel, Query, Ranking, ScoredDoc, Span
    from irbridge.qrels import Qrels
    from irbridge.report import Report
    from irbridge.scores import Coverage, Scores
    from irbridge.spans import anchored, projected, rolled_up
    from irbridge.stats.interval import Measurement, summarize

del TYPE_CHECKING

# Public name -> (module, its name there).
_WHERE = {
    "CONVENTIONS": ("conventions", "PRESETS"),
    "Chunk": ("model", "Chunk"),
    "Comparison": ("comparison.result", "Comparison"),
    "Convention": ("conventions", "Convention"),
    "Corpus": ("corpora", "Corpus"),
    "Coverage": ("scores", "Coverage"),
    "Document": ("model", "Document"),
    "Family": ("measures.base", "Family"),
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
    "Scores": ("scores", "Scores"),
    "Span": ("model", "Span"),
    "UnknownName": ("errors", "UnknownName"),
    "UsageError": ("errors", "UsageError"),
    "anchored": ("spans", "anchored"),
    "build_report": ("assessment", "assess"),
    "build_reports": ("assessment", "assess_runs"),
    "chunk_id": ("identity", "chunk_id"),
    "chunk_documents": ("chunked", "chunk_documents"),
    "chunker": ("chunking", "chunker"),
    "chunks": ("chunking.cutting", "chunks"),
    "convert": ("convert", "convert"),
    "corpus_of": ("corpora", "corpus_of"),
    "crosscheck": ("crosscheck.run", "crosscheck"),
    "datasets": ("load", "datasets"),
    "drift": ("api", "drift"),
    "evaluate_gates": ("gates.evaluation", "evaluate"),
    "experiment": ("api", "experiment"),
    "explain": ("crosscheck.explain", "explain"),
    "fuse": ("comparison.fusing", "fuse"),
    "get_convention": ("conventions", "get_convention"),
    "load": ("api", "load"),
    "load_collection": ("load", "load_collection"),
    "measures_from": ("measures.files", "measures_from"),
    "normalize": ("identity", "normalize"),
    "overlap": ("comparison.overlapping", "overlap_of"),
    "own_measure": ("measures.own", "own_measure"),
    "parse_measures": ("measures.names", "parse"),
    "projected": ("spans", "projected"),
    "rolled_up": ("spans", "rolled_up"),
    "score": ("api", "score"),
    "summarize": ("stats.interval", "summarize"),
    "text_sha": ("identity", "text_sha"),
    "to_irds": ("integrations.irds", "to_irds"),
    "validate": ("judgments.validation", "validate"),
}

__all__ = [
    "CONVENTIONS",
    "Chunk",
    "Comparison",
    "Convention",
    "Corpus",
    "Coverage",
    "Document",
    "Family",
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
    "Span",
    "UnknownName",
    "UsageError",
    "__version__",
    "anchored",
    "build_report",
    "build_reports",
    "chunk_documents",
    "chunk_id",
    "chunker",
    "chunks",
    "convert",
    "corpus_of",
    "crosscheck",
    "datasets",
    "drift",
    "evaluate_gates",
    "experiment",
    "explain",
    "fuse",
    "get_convention",
    "load",
    "load_collection",
    "measures_from",
    "normalize",
    "overlap",
    "own_measure",
    "parse_measures",
    "projected",
    "rolled_up",
    "score",
    "summarize",
    "text_sha",
    "to_irds",
    "validate",
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
