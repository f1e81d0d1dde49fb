"""Decisions that a file of labels shows to have been applied before: the same file of decisions grows and is applied again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from irbridge.model import Judgment
from irbridge.origins import KEPT_IN, kept
from irbridge.review.decisions import Decision, Name, name_of


def applied_before(
    decisions: Collection[Decision], labels: Sequence[Judgment], earlier: Iterable[Judgment]
) -> set[Name]:
    """What those of the decisions are about whose outcome is there.

    A label that a decision chose chunks for is kept in the `reanchored_from` of a row that the decision signed. One that it
    removed is gone, and was there before.

    Args:
        decisions: about labels that are not there.
        labels: of the file.
        earlier: labels that it held before; read only where a decision removes one.
    """
    queries = {each.query_id for each in decisions}
    own = [label for label in labels if label.query_id in queries] if queries else []
    signed = {mark for label in own for mark in _signatures(label)}
    found = {
        each.label for each in decisions
        if each.action == "choose" and (each.query_id, each.key, each.labeled_by, each.labeled_at) in signed
    }  # fmt: skip
    keys = {(label.query_id, label.key) for label in own}
    removing = {each.label for each in decisions if each.action == "none" and (each.query_id, each.key) not in keys}
    if removing:
        standing = {_anywhere(label) for label in own}
        for label in earlier:
            if label.query_id in queries and (name := name_of(label)) in removing and _anywhere(label) not in standing:
                found.add(name)
    return found


def _signatures(label: Judgment) -> Iterator[tuple[str, Any, Any, Any]]:
    """(query, old key, by, at): who may have moved a label here from where."""
    origins = list(_origins(kept(label)))
    signers = {(label.labeled_by, label.labeled_at)} | {
        (_text(each, "labeled_by"), _text(each, "labeled_at")) for each in origins
    }
    for each in origins:
        key = _text(each, "chunk_id") or _text(each, "doc_uri")
        yield from ((label.query_id, key, by, at) for by, at in signers)


def _origins(found: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Old anchors, those within them among them."""
    for each in found:
        if isinstance(each, dict):
            yield each
            within = each.get(KEPT_IN)
            yield from _origins(within if isinstance(within, list) else ())


def _text(origin: dict[str, Any], name: str) -> str | None:
    value = origin.get(name)
    return value if isinstance(value, str) else None


def _anywhere(label: Judgment) -> tuple[Any, ...]:
    """What stays of a label that repair moves to another chunk: one that was moved is not gone."""
    return label.query_id, label.relevance, label.text_sha, label.chunk_text, label.labeled_by, label.labeled_at
