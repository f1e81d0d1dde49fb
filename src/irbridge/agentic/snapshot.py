"""The frozen corpus: all sources of a fixture, the same for every adapter."""

from __future__ import annotations

import functools
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.evidence import Source


@dataclass(frozen=True)
class CorpusSnapshot:
    """Sources in the order of their URIs.

    Attributes:
        sources: every document of every collection.
        owners: collection -> the id of the one task that it belongs to.
    """

    sources: tuple[Source, ...]
    owners: Mapping[str, str]

    @functools.cached_property
    def by_uri(self) -> Mapping[str, Source]:
        """URI -> source."""
        return MappingProxyType({source.uri: source for source in self.sources})

    @functools.cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the logical inventory: task, collection, relative path and source hash of each source."""
        rows = [
            {
                "taskId": self.owners[source.collection],
                "collection": source.collection,
                "relPath": source.path,
                "sourceHash": source.source_hash,
            }
            for source in self.sources
        ]
        return fingerprint(sorted(rows, key=lambda row: "\0".join(row.values())))

    def in_collections(self, names: Collection[str]) -> tuple[Source, ...]:
        """The sources of these collections."""
        return tuple(source for source in self.sources if source.collection in names)

    def materialize(self, folder: str | os.PathLike[str]) -> None:
        """Write each source's exact bytes to FOLDER/COLLECTION/PATH."""
        for source in self.sources:
            place = os.path.join(folder, source.collection, *source.path.split("/"))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as stream:
                stream.write(source.text.encode())
