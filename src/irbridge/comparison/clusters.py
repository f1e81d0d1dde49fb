"""Queries that are not independent of each other: variations of one topic, or questions about one document.

Ten questions about one document go well or badly together; a test that takes them for ten independent ones is too sure of
itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from irbridge.errors import InputError, UsageError, shown
from irbridge.inputs import Input, qrels_of
from irbridge.model import Judgment
from irbridge.qrels import Qrels

_LAST_PART = re.compile(r"[^\W_]+\Z")


class Clusters:
    """Finds the cluster of each query while the labels are read.

    Args:
        by: "topic", "document", or a field of the labels.
        level: the lowest grade with which a document ties a query to itself.
    """

    def __init__(self, by: str, level: int = 1) -> None:
        self.by = by
        self.level = level
        self._values: dict[str, str] = {}
        self._parent: dict[tuple[str, str], tuple[str, str]] = {}

    def seen(self, labels: Iterable[Judgment], label: str) -> Iterator[Judgment]:
        """The labels as they are, looked at on their way; `label` is what messages call their source."""
        for each in labels:
            if self.by == "document" and each.relevance >= self.level:
                self._join(("query", each.query_id), ("document", each.doc_uri))
            elif self.by != "document":
                self._note(each, label)
            yield each

    def _note(self, label: Judgment, where: str) -> None:
        found = getattr(label, self.by, None) if self.by in Judgment._fields else label.extra.get(self.by)
        if found is None or self.by == "extra":
            return
        value = str(found)
        if self._values.setdefault(label.query_id, value) != value:
            raise InputError(
                f"query {shown(label.query_id)} has two values of {shown(self.by)}:"
                f" {shown(self._values[label.query_id], 40)} and {shown(value, 40)}",
                path=where,
                hint="a query belongs to one cluster",
            )

    def _root(self, node: tuple[str, str]) -> tuple[str, str]:
        path = [node]
        while (above := self._parent.setdefault(path[-1], path[-1])) != path[-1]:
            path.append(above)
        for each in path:
            self._parent[each] = path[-1]
        return path[-1]

    def _join(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        self._parent[self._root(one)] = self._root(other)

    def of(self, query_ids: Sequence[str]) -> list[str]:
        """The cluster of each query.

        Raises:
            UsageError: a query has no value of the field, or all queries are in one cluster.
        """
        found = [self._of(query_id) for query_id in query_ids]
        if len(query_ids) > 1 and len(set(found)) == 1:
            raise UsageError(
                f"by {shown(self.by)} all {len(query_ids):,} queries are in one cluster, '{shown(found[0], 40)}'",
                hint="nothing can be told from one cluster; cluster by something else",
            )
        return found

    def _of(self, query_id: str) -> str:
        if self.by == "document":
            return "\0".join(self._root(("query", query_id)))
        value = self._values.get(query_id)
        if value is None and self.by == "topic":
            return topic_of(query_id)
        if value is None:
            raise UsageError(
                f"query {shown(query_id)} has no {shown(self.by)} in the labels",
                hint="cluster by topic, by document, or by a field that the labels of every query have",
            )
        return value


def topic_of(query_id: str) -> str:
    """The topic of a variation: the query id without its last part and what stands before that: `301.1`, `31_2`, `9-1_3`."""
    cut = _LAST_PART.sub("", query_id)
    return cut[:-1] or query_id if cut and cut != query_id else query_id


def labels_with_clusters(
    source: Input | Qrels, clusters: Clusters, *, subtopics: bool = False, pool: bool = False
) -> Qrels:
    """The table of labels, each of which `clusters` has seen; with their subtopics and their pool if asked for."""
    if isinstance(source, Qrels):
        made = (Judgment(each.query_id, each.doc_id, each.relevance) for each in source)
        for _ in clusters.seen(made, "judgments"):
            pass
        return qrels_of(source, pool=pool)
    labels = clusters.seen(cast("Iterable[Judgment]", iter(source)), source.label)
    if subtopics:
        from irbridge.subtopics import subtopic_qrels

        return qrels_of(subtopic_qrels(labels, source.reading), pool=pool)
    return qrels_of(Qrels.from_judgments(labels, source.reading), pool=pool)
