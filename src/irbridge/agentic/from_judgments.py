"""Span judgments become a fixture: each query a task, the lines that its spans lie in what an agent has to cite.

A span judgment says where the evidence is, not what the answer is. So there are two claims to choose from:

    evidence    a boolean that is always true: worth nothing by itself, it stands for its citations. What is measured is
                whether the agent finds the lines, cites exactly these, and stops in time.
    answer      the text of the span, as a string (white space at the ends and case aside); of several spans their set, as
                string[]. For spans that are the answer themselves. An agent that quotes more or less than the label fails.

What such a task cannot show: an answer in the agent's own words; that one of several passages would do, for every span
of a query is required; anything of documents that stand in one long line, for a line is the smallest thing to cite.

A document that several tasks have in common is written once for each of them. A fixture has no place for one that belongs to
all: each collection belongs to one task and each file to one collection, so that nothing of one task can reach another, and
a link would be refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from irbridge.agentic.fixture import seal
from irbridge.agentic.judged_tasks import CLAIMS, Options, Place, digest, opaque, write_task
from irbridge.agentic.manifest import MANIFEST
from irbridge.agentic.records import Category
from irbridge.atomic import folder_place, new_folder
from irbridge.corpora import document_text
from irbridge.errors import InputError, UsageError, shown
from irbridge.identity import text_sha
from irbridge.inputs import opened
from irbridge.model import Judgment, place_in
from irbridge.registry import one_of

if TYPE_CHECKING:
    from pathlib import Path

#: Why a query became no task.
REASONS = {
    "no-span": "none of its labels at the wanted relevance has a span",
    "no-text": "the query's text is not known",
    "no-document": "a document of its spans is not there",
    "other-revision": "a span is of another revision of its document, or of none",
    "beyond": "a span ends beyond its document",
    "blank": "a span holds nothing but white space",
    "several": "it has more spans than are wanted",
    "too-large": "the lines of its spans alone are more than the budget of bytes",
}


@dataclass(frozen=True)
class Made:
    """What became of the judgments.

    Attributes:
        tasks: task ids by query.
        left: the queries that are left out, with the reason's code.
        evidence_bytes: by query what its required lines take of the budget of bytes, shown once and nothing beside them.
    """

    tasks: Mapping[str, str]
    left: Mapping[str, str] = field(default_factory=dict)
    evidence_bytes: Mapping[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {"tasks": dict(self.tasks), "left": dict(self.left), "evidenceBytes": dict(self.evidence_bytes)}

    def tight(self, byte_budget: int) -> list[str]:
        """The queries whose lines do not fit twice, once where they are found and once where they are read."""
        return [query_id for query_id, size in self.evidence_bytes.items() if 2 * size > byte_budget]


def roomy(sizes: Iterable[int]) -> int:
    """The budget of bytes, in thousands, in which the lines of every query fit twice."""
    return -(-2 * max(sizes) // 1000) * 1000


def from_judgments(
    judgments: Any, documents: Any, out: str | os.PathLike[str], options: Options | None = None, *, queries: Any = None
) -> Made:
    """Write a fixture; `load_fixture` accepts it.

    Args:
        judgments: labels, some of them with spans (spec/spans.md), in anything that `irbridge.load` takes.
        documents: the documents that they are about, likewise.
        out: the folder to write, which must be new or empty.
        options: how.
        queries: the texts of the queries, where the labels do not hold them.

    Raises:
        UsageError: the folder is not empty or lies in another fixture, or an option that cannot be.
        InputError: an input cannot be read, or no query can become a task.
    """
    used = options or Options()
    one_of("claim", used.claim, CLAIMS)
    one_of("category", used.category, get_args(Category))
    if min(used.documents, used.spans, used.calls, used.byte_budget) < 1:
        raise UsageError("documents, spans, calls and bytes of a task are at least 1")
    if not (used.version and used.license and used.provenance):
        raise UsageError("a fixture says its version, license and provenance; none of them may be empty")
    place = folder_place(out, hint="name another folder")
    _stand_alone(place)
    labels: list[Judgment] = list(opened(judgments, "judgments"))
    asked = _texts(labels, queries)
    texts = {each.doc_id: document_text(each) for each in opened(documents, "documents")}
    spans, judged, order = _spans(labels, used.relevance), _judged(labels, texts), sorted(texts, key=digest)
    made: dict[str, str] = {}
    left: dict[str, str] = {}
    sizes: dict[str, int] = {}
    with new_folder(place) as folder:
        for query_id in sorted(asked):
            why = _refused(query_id, asked[query_id], spans.get(query_id, []), texts, used)
            if why is None:
                chosen = _documents(query_id, spans[query_id], judged.get(query_id, ()), order, used.documents)
                why, sizes[query_id] = write_task(
                    str(folder),
                    query_id,
                    str(asked[query_id]),
                    spans[query_id],
                    {name: texts[name] for name in chosen},
                    used,
                )
            if why is None:
                made[query_id] = opaque("t", query_id)
            else:
                left[query_id] = why
        if not made:
            raise InputError("no query can become a task", hint=_hint(left, sizes))
        seal(folder, version=used.version, license_name=used.license, provenance=used.provenance)
    return Made(made, left, sizes)


def _stand_alone(place: Path) -> None:
    """Refuse a place within another fixture, whose files it would be among."""
    for folder in place.parents:
        if (folder / MANIFEST).is_file() and (folder / "tasks").is_dir() and (folder / "oracles").is_dir():
            raise UsageError(
                f"{shown(place, 200)} lies in the fixture {shown(folder, 200)}", hint="name a folder outside of it"
            )


def _hint(left: Mapping[str, str], sizes: Mapping[str, int]) -> str:
    why = sorted(set(left.values()))
    if why == ["no-span"]:
        return "irbridge anchor gives labels the spans of the text that they quote"
    if why == ["too-large"]:
        return f"{REASONS['too-large']}: --bytes {roomy(sizes.values())}"
    return "; ".join(REASONS[code] for code in why) if why else "the judgments hold no label"


def _texts(labels: Iterable[Judgment], queries: Any) -> dict[str, str | None]:
    """The text of each query: of the queries where they are given, else of its labels."""
    found: dict[str, str | None] = {}
    for label in labels:
        found[label.query_id] = found.get(label.query_id) or label.query
    if queries is not None:
        found.update({each.query_id: each.text for each in opened(queries, "queries") if each.query_id in found})
    return found


def _spans(labels: Iterable[Judgment], relevance: int) -> dict[str, list[Place]]:
    """The places that count for each query, each once, in order."""
    found: dict[str, set[Place]] = {}
    for label in labels:
        place = place_in(label.extra.get("span"))
        if place is not None and label.relevance >= relevance:
            revision = label.extra.get("doc_revision")
            named = Place(label.doc_uri, *place, revision if isinstance(revision, str) else None)
            found.setdefault(label.query_id, set()).add(named)
    return {
        query_id: sorted(places, key=lambda each: (*each[:3], each.revision or ""))
        for query_id, places in found.items()
    }


def _refused(
    query_id: str, text: str | None, places: Sequence[Place], texts: Mapping[str, str], options: Options
) -> str | None:
    """Why a query cannot become a task, or None."""
    if not places:
        return "no-span"
    if not (text or "").strip():
        return "no-text"
    if len(places) > options.spans:
        return "several"
    for place in places:
        if place.doc_id not in texts:
            return "no-document"
        document = texts[place.doc_id]
        if place.revision != text_sha(document):
            return "other-revision"
        if place.end > len(document):
            return "beyond"
        if not document[place.start : place.end].strip():
            return "blank"
    return None


def _judged(labels: Iterable[Judgment], texts: Mapping[str, str]) -> dict[str, dict[str, None]]:
    """The documents that each query has a label for, of any grade, in their order."""
    found: dict[str, dict[str, None]] = {}
    for label in labels:
        if label.doc_uri in texts:
            found.setdefault(label.query_id, {})[label.doc_uri] = None
    return found


def _documents(
    query_id: str, places: Sequence[Place], judged: Iterable[str], order: Sequence[str], wanted: int
) -> list[str]:
    """The documents of a task: those of its spans, then others that were judged for it, then some that just lie there.

    `order` has all documents in an order without a meaning, and each query starts at a place of its own.
    """
    chosen = dict.fromkeys(place.doc_id for place in places)
    least = len(chosen)
    chosen.update(dict.fromkeys(judged))
    start = int(digest(query_id)[:8], 16) % len(order)
    for number in range(len(order)):
        if len(chosen) >= wanted:
            break
        chosen[order[(start + number) % len(order)]] = None
    return list(chosen)[: max(wanted, least)]
