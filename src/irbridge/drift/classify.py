"""Hold labels against a corpus: which are still true, which can be moved, and where the text of the others went.

The rules are those of spec/drift.md. The corpus is read once; again only for documents whose chunks are scattered in it,
and for labels whose text may have moved to another document.
"""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.corpora import Corpus
from irbridge.drift.findings import UNSTRATIFIED, Drift, Evidence, Finding, Summary
from irbridge.drift.moved import moved
from irbridge.drift.spans import Resolved
from irbridge.drift.sweep import Sweep
from irbridge.drift.wanted import Wanted
from irbridge.model import Judgment


def classify(labels: Sequence[Judgment], corpus: Corpus) -> Drift:
    """The state of each label against the corpus.

    Args:
        labels: judgments, of chunks, spans or whole documents.
        corpus: chunks; read more than once only where that is needed.

    Returns:
        a finding for each label, in their order, and what they sum up to.

    Raises:
        InputError: the corpus cannot be read, or a text that must be compared holds a lone surrogate.
    """
    wanted = Wanted(labels)
    sweep = Sweep(wanted)
    sweep.run(corpus.pieces())
    if sweep.scattered:
        sweep.gather(corpus.pieces())
    live, resolved = wanted.live, sweep.resolved
    lost = {
        number: text for number, text in wanted.texts.items()
        if number not in resolved and labels[number].chunk_id not in live and wanted.anchor(number) is None
    }  # fmt: skip
    elsewhere = moved(lost, labels, corpus) if lost else {}
    # Most labels are valid, and nothing else has to be asked of them.
    findings = [
        Finding(label.query_id, label.doc_uri, "VALID", label.chunk_id)
        if label.chunk_id in live
        else _finding(number, wanted, resolved.get(number), elsewhere.get(number))
        for number, label in enumerate(labels)
    ]
    return summed(labels, findings, corpus.corpus_fingerprint)


def summed(labels: Sequence[Judgment], findings: Sequence[Finding], corpus_fingerprint: str | None) -> Drift:
    """Findings, one for each label, and what they sum up to."""
    states = {label.corpus_fingerprint or "" for label in labels}
    fingerprints = states - {""}
    return Drift(
        findings,
        Summary.of(findings),
        next(iter(fingerprints)) if len(fingerprints) == 1 else None,
        corpus_fingerprint,
        _per_stratum(labels, findings),
        sum(
            found.status == "ORPHANED"
            and label.chunk_id is not None
            and not label.chunk_text
            and found.evidence is None
            for label, found in zip(labels, findings, strict=True)
        ),
        states=sorted(states),
    )


def _finding(number: int, wanted: Wanted, resolved: Resolved | None, elsewhere: Evidence | None) -> Finding:
    """The finding of a label whose chunk is gone: what its own document says of it, and others."""
    label = wanted.labels[number]
    query_id, doc_uri, chunk_id = label.query_id, label.doc_uri, label.chunk_id
    if chunk_id is None and (number not in wanted.spans or (resolved is not None and resolved.valid)):
        return Finding(query_id, doc_uri, "VALID" if doc_uri in wanted.present else "ORPHANED")
    if resolved is not None and resolved.placed:
        return _resolved(label, resolved)
    anchor = wanted.anchor(number)
    if anchor is not None:
        target, document = anchor
        other = document if document != doc_uri else None
        return Finding(query_id, doc_uri, "RE_ANCHORABLE", chunk_id, target, other)
    if resolved is not None:
        return _resolved(label, resolved)
    return Finding(query_id, doc_uri, "ORPHANED", chunk_id, evidence=elsewhere)


def _resolved(label: Judgment, found: Resolved) -> Finding:
    query_id, doc_uri, chunk_id = label.query_id, label.doc_uri, label.chunk_id
    if found.same is not None:
        return Finding(query_id, doc_uri, "RE_ANCHORABLE", chunk_id, found.same)
    if found.split is not None:
        return Finding(query_id, doc_uri, "SPLIT", chunk_id, split_into=found.split)
    if found.merged is not None:
        return Finding(query_id, doc_uri, "MERGED", chunk_id, found.merged)
    return Finding(query_id, doc_uri, "ORPHANED", chunk_id, evidence=found.evidence)


def _per_stratum(labels: Sequence[Judgment], findings: Sequence[Finding]) -> dict[str, Summary]:
    """Counts by stratum, names sorted by code point; nothing where no label has one."""
    strata: dict[str, list[Finding]] = {}
    if not any(label.stratum for label in labels):
        return {}
    for label, found in zip(labels, findings, strict=True):
        strata.setdefault(label.stratum or UNSTRATIFIED, []).append(found)
    return {name: Summary.of(strata[name]) for name in sorted(strata)}
