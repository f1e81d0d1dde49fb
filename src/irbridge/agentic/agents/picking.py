"""From lines of evidence to a typed value, by rules that know no answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from irbridge.agentic.agents.cues import CUES
from irbridge.agentic.terms import terms

_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_IDENTIFIER = re.compile(r"\b[A-Z][A-Z0-9]*(?:[-_.][A-Z0-9]+)+\b")
_DATE = re.compile(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_NUMBER = re.compile(r"(?<![\w.-])-?[0-9]+(?:\.[0-9]+)?(?![\w-]|\.[0-9])")
_NO = re.compile(r"\b(?:no|not|never|false|disabled|off|without|forbidden|rejected)\b|\u7981\u6b62", re.IGNORECASE)
_YES = re.compile(
    r"\b(?:yes|true|enabled|on|is|are|must|required|allowed|approved|supports?)\b|\u5141\u8bb8", re.IGNORECASE
)
_AFTER = re.compile(r"[:\uff1a]\s*(.+?)\s*[.\u3002]?\s*$")
_LIST = re.compile(r"\s*[,;\u3001\uff0c\u060c]\s*|\s+(?:and|und|y|et)\s+")
_COMPARED = re.compile(r"\b(?:compare|both)\b", re.IGNORECASE)
_FILTERS = re.compile(r"[^.]*\bfilters?\b[^.]*")
_SETTING = re.compile(r"\b([a-z][a-zA-Z0-9]*)=([\w-]+)")
_EARLIEST = re.compile(r"\b(?:earliest|first|original|initial|oldest)\b", re.IGNORECASE)


class Line(NamedTuple):
    """A line that was shown, with the coordinate that cites it."""

    text: str
    coordinate: Mapping[str, Any]


def cue_of(claim_key: str, brief: Mapping[str, Any]) -> str:
    """What to search for: the fixed cue of the key, else the words of the key, else, for a bare `answer`, the goal."""
    if claim_key in CUES:
        return CUES[claim_key]
    if claim_key in {"answer", "evidence"}:
        return str(brief["goal"])
    return " ".join(_WORDS.findall(claim_key)).lower()


def filters_of(brief: Mapping[str, Any]) -> dict[str, Any]:
    """The `key=value` pairs of the sentences that speak of filters, as numbers and booleans where they look so."""
    found: dict[str, Any] = {}
    for sentence in _FILTERS.findall(_said(brief)):
        for key, value in _SETTING.findall(sentence):
            found[key] = {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value)
    return found


def picked(
    claim: Mapping[str, Any], brief: Mapping[str, Any], lines: Sequence[Line]
) -> tuple[dict[str, Any] | None, list[Line], str]:
    """The claim's value as a tagged value with the lines it was read from; or None with the reason of the gap.

    Only lines that share most of the cue's words count; of several values the rule of the type chooses. Where the task
    compares documents, the best line of each is cited; where it reckons with conflicts, different values are one.
    """
    wanted = set(terms(cue_of(claim["claimKey"], brief)))
    shared = [(len(wanted.intersection(terms(line.text))), line) for line in lines]
    if claim["claimKey"] == "evidence" and claim["valueType"] == "boolean":  # counts for its citations alone
        touched = [line for count, line in shared if count]
        return ({"type": "boolean", "value": True}, touched, "") if touched else (None, [], "missing_evidence")
    most = max((count for count, _ in shared), default=0)
    if not wanted or 2 * most < len(wanted):
        return None, [], "missing_evidence"
    best = [line for count, line in shared if count == most]
    read = _READERS[claim["valueType"]]
    values = [(value, line) for line in best if (value := read(line.text)) is not None]
    if not values:
        return None, [], "missing_evidence"
    said = _said(brief)
    if "conflicting_evidence" in said and any(value != values[0][0] for value, _ in values):
        return None, [], "conflicting_evidence"
    value = _chosen(claim["valueType"], [value for value, _ in values], str(brief["goal"]))
    used = [line for each, line in values if each == value][:1]
    if _COMPARED.search(said):
        first = {line.coordinate["uri"]: line for _, line in reversed(values)}
        used += [line for uri, line in sorted(first.items()) if uri != used[0].coordinate["uri"]]
    return {"type": claim["valueType"], "value": value}, used, ""


def _said(brief: Mapping[str, Any]) -> str:
    return " ".join([str(brief["goal"]), *map(str, brief["instructions"])])


def _chosen(kind: str, values: list[Any], goal: str) -> Any:
    if kind == "date":
        return min(values) if _EARLIEST.search(goal) else max(values)
    if kind == "number":
        return max(values)
    return values[0]


def _boolean(text: str) -> bool | None:
    if _NO.search(text):
        return False
    return True if _YES.search(text) else None


def _identifier(text: str) -> str | None:
    found = _IDENTIFIER.search(text)
    return found[0] if found else None


def _date(text: str) -> str | None:
    found = _DATE.findall(text)
    return max(found) if found else None


def _number(text: str) -> float | None:
    found = [float(each) for each in _NUMBER.findall(_DATE.sub(" ", text))]
    return max(found) if found else None


def _string(text: str) -> str | None:
    found = _AFTER.search(text)
    return found[1] if found else None


def _strings(text: str) -> list[str] | None:
    said = _string(text)
    return [part for part in _LIST.split(said) if part] if said else None


_READERS: Mapping[str, Callable[[str], Any]] = {
    "string": _string,
    "number": _number,
    "boolean": _boolean,
    "string[]": _strings,
    "date": _date,
    "identifier": _identifier,
}
