"""manifest.json: what a folder of judgments, queries and documents holds, and where it comes from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from irbridge._version import __version__
from irbridge.atomic import atomic_write
from irbridge.canonical import file_sha256, pretty
from irbridge.errors import InputError
from irbridge.source import Source

NAME = "manifest.json"
VERSION = 1


class PartFile(NamedTuple):
    """One file of the folder: its name, its number of records, and the SHA-256 of its bytes."""

    file: str
    rows: int
    sha256: str

    @classmethod
    def of(cls, path: Path, rows: int) -> PartFile:
        return cls(path.name, rows, file_sha256(path))


@dataclass
class Manifest:
    """The content of a manifest.json. No time and no machine is in it, so that equal collections have equal manifests.

    Attributes:
        parts: part ("judgments", "queries", "documents", "run") -> its file.
        source: where the collection comes from: `name` as it was asked for, `format`, `split`, and for ir_datasets
            `version`, `title` and `description`.
        judged_queries: the number of queries with a label, or None if it was not counted.
        grades: relevance grade -> number of labels.
        levels: relevance grade -> its meaning, where the source documents it.
        official_measures: in ir_measures' notation, with their relevance thresholds, where the source documents them.
        bibtex_ids: what to cite, in ir_datasets' bibliography.
        licence: terms of use, where the source states them.
        notes: what was noticed while reading, and what to know before the labels are used.
    """

    parts: dict[str, PartFile] = field(default_factory=dict)
    source: dict[str, Any] = field(default_factory=dict)
    judged_queries: int | None = None
    grades: dict[int, int] = field(default_factory=dict)
    levels: dict[int, str] = field(default_factory=dict)
    official_measures: list[str] = field(default_factory=list)
    bibtex_ids: list[str] = field(default_factory=list)
    licence: str | None = None
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The manifest as JSON data; keys in a fixed order, grades ascending."""
        return {
            "manifest_version": VERSION,
            "tool": {"name": "irbridge", "version": __version__},
            "source": self.source,
            "parts": {part: found._asdict() for part, found in self.parts.items()},
            "judged_queries": self.judged_queries,
            "grades": {str(grade): self.grades[grade] for grade in sorted(self.grades)},
            "levels": {str(grade): self.levels[grade] for grade in sorted(self.levels)},
            "official_measures": self.official_measures,
            "bibtex_ids": self.bibtex_ids,
            "licence": self.licence,
            "notes": self.notes,
        }

    def write(self, folder: Path) -> None:
        with atomic_write(folder / NAME) as stream:
            stream.write(pretty(self.to_json()).encode("utf-8"))

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Manifest | None:
        """The folder's manifest, or None if it has none.

        Raises:
            InputError: the file is no manifest of irbridge's.
        """
        path = Path(folder) / NAME
        if not path.is_file():
            return None
        try:
            return cls._of(json.loads(path.read_bytes()))
        except (ArithmeticError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                f"not a manifest of irbridge ({type(error).__name__}: {error})", path=Source(path).label
            ) from error

    @classmethod
    def _of(cls, found: Mapping[str, Any]) -> Manifest:
        if found["tool"]["name"] != "irbridge":
            message = "another tool wrote it"
            raise ValueError(message)
        return cls(
            parts={part: PartFile(**values) for part, values in found["parts"].items()},
            source=dict(found["source"]),
            judged_queries=found.get("judged_queries"),
            grades={int(grade): int(count) for grade, count in found.get("grades", {}).items()},
            levels={int(grade): str(text) for grade, text in found.get("levels", {}).items()},
            official_measures=list(found.get("official_measures", ())),
            bibtex_ids=list(found.get("bibtex_ids", ())),
            licence=found.get("licence"),
            notes=list(found.get("notes", ())),
        )
