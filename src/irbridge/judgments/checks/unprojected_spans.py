"""Several places of one document, which a run cannot tell from each other."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher


class _Places(Watcher):
    def end(self) -> Iterator[Issue]:
        crowded = sorted(self.tally.crowded)
        if crowded:
            query_id, doc_uri = crowded[0]
            more = f" (the first of {len(crowded)} such cases)" if len(crowded) > 1 else ""
            yield self.issue(
                f"query {query_id} has labels of several places of {doc_uri}{more}; project them onto chunks before scoring",
                documents=[{"query_id": query_id, "doc_uri": doc_uri} for query_id, doc_uri in crowded[:10]],
                count=len(crowded),
            )


CHECK = Check(
    name="unprojected-spans",
    severity="warning",
    order=128,
    summary="labels that name different places of one document, for one query",
    why="a run returns documents or chunks and no places, so a scoring could use one of these labels only",
    certainty="certain",
    watch=_Places,
)
