"""When a citation is the evidence that an oracle names, and when an agent had seen what it cites.

`exact`, the contract's: a citation is one of a set, or is not; all seven members of the coordinate decide. `covering`, for
agents that cite passages: lines of the same version of the same source (URI and source hash) decide.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from irbridge.agentic.evidence import evidence_key
from irbridge.agentic.records import Coordinate, Match, OracleClaim
from irbridge.agentic.trajectory import Call

#: A longer citation counts as not delivered; it bounds the work that one citation can ask for.
LONGEST = 10_000

Version = tuple[str, str]


class Matcher(Protocol):
    """How the citations of one receipt are judged."""

    def delivered(self, citation: Coordinate) -> bool:
        """Whether the agent had been shown what it cites."""

    def cites(self, citations: Sequence[Coordinate], required: Coordinate) -> bool:
        """Whether one of the citations is, or covers, a required span."""

    def forbidden(self, citation: Coordinate, claim: OracleClaim) -> bool:
        """Whether a citation rests on evidence that is forbidden for the claim."""

    def expected(self, evidence: Coordinate, known: Sequence[Coordinate]) -> bool:
        """Whether delivered evidence is among what the oracle knows of."""


class Exact:
    """Set membership of whole coordinates."""

    def __init__(self, calls: Iterable[Call]) -> None:
        self._delivered = {evidence_key(each) for call in calls for each in call.result.evidence}

    def delivered(self, citation: Coordinate) -> bool:
        return evidence_key(citation) in self._delivered

    def cites(self, citations: Sequence[Coordinate], required: Coordinate) -> bool:
        return _among(required, citations)

    def forbidden(self, citation: Coordinate, claim: OracleClaim) -> bool:
        return _among(citation, claim.forbidden_evidence)

    def expected(self, evidence: Coordinate, known: Sequence[Coordinate]) -> bool:
        return _among(evidence, known)


class Covering:
    """Containment of lines, within one version of one source. What text a line has, the hashes of spans prove."""

    def __init__(self, calls: Iterable[Call]) -> None:
        self._lines: dict[Version, dict[int, str]] = {}
        for call in calls:
            for each in call.result.evidence:
                lines = each.text.split("\n")
                if len(lines) == each.end_line - each.start_line + 1:
                    self._lines.setdefault(_version(each), {}).update(enumerate(lines, each.start_line))
        self._hash_of = functools.lru_cache(maxsize=None)(self._joined)

    def delivered(self, citation: Coordinate) -> bool:
        """Each line was delivered, by one result or several, or is empty: the citation's hash proves the text."""
        return self._seen(citation)

    def cites(self, citations: Sequence[Coordinate], required: Coordinate) -> bool:
        """One citation covers all of the span, and the lines delivered are the span's; several together do not."""
        return any(_within(required, citation) for citation in citations) and self._seen(required)

    def _seen(self, span: Coordinate) -> bool:
        return self._hash_of(_version(span), span.start_line, span.end_line) == span.span_hash

    def _joined(self, version: Version, start: int, end: int) -> str | None:
        if not 0 <= end - start < LONGEST:
            return None
        known = self._lines.get(version, {})
        lines = [known.get(number) for number in range(start, end + 1)]
        # Adapters leave empty lines out. That a line is empty need not be believed: the hash would be another.
        return _hash("\n".join(line or "" for line in lines)) if any(line is not None for line in lines) else None

    def forbidden(self, citation: Coordinate, claim: OracleClaim) -> bool:
        """It shares a line with a forbidden span, unless it is itself a span that the oracle asks for or allows."""
        if _among(citation, claim.forbidden_evidence):
            return True
        if _among(citation, claim.required_evidence) or _among(citation, claim.optional_evidence):
            return False
        return any(_share(citation, each) for each in claim.forbidden_evidence)

    def expected(self, evidence: Coordinate, known: Sequence[Coordinate]) -> bool:
        """It lies within a span that the oracle knows of; what reaches beyond one is unexpected."""
        return any(_within(evidence, each) for each in known)


MATCHERS: Mapping[Match, Callable[[Iterable[Call]], Matcher]] = MappingProxyType({"exact": Exact, "covering": Covering})


def _among(of: Coordinate, others: Iterable[Coordinate]) -> bool:
    key = evidence_key(of)
    return any(each.span_hash == of.span_hash and evidence_key(each) == key for each in others)


def _version(of: Coordinate) -> Version:
    return of.uri, of.source_hash


def _within(inner: Coordinate, outer: Coordinate) -> bool:
    return (
        _version(inner) == _version(outer) and outer.start_line <= inner.start_line <= inner.end_line <= outer.end_line
    )


def _share(one: Coordinate, other: Coordinate) -> bool:
    same = _version(one) == _version(other)
    return same and one.start_line <= other.end_line and other.start_line <= one.end_line


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
