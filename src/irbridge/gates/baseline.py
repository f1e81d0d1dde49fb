"""A baseline: an earlier report, irbridge's or another tool's, and whether a report may be compared with it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from irbridge.arguments import doubled
from irbridge.errors import InputError, shown
from irbridge.gates.measured import Measured
from irbridge.source import Source
from irbridge.wording import misread

#: More than any report needs, and less than would hurt: 64 MB.
LARGEST = 1 << 26
_LONGEST_NUMBER = 400  # beyond this no double has a place for it
_HINT = "give a report as `irbridge score --out REPORT.json` writes it"
_COUNTS = ("queries", "labels", "fingerprint", "human_labels", "synthetic_labels")


@dataclass(frozen=True, eq=False)
class Baseline:
    """An earlier report that was checked for what gates read of it.

    Attributes:
        label: what messages call it.
        data: the report as JSON values.
        sha256: of the file's bytes, or None where it came from memory.
    """

    label: str
    data: Mapping[str, Any]
    sha256: str | None = None

    @classmethod
    def of(cls, what: Any) -> Baseline:
        """A baseline from a path, from a report as JSON values, or from an object whose `as_dict()` makes them.

        Raises:
            InputError: it cannot be read, or is no report.
        """
        if isinstance(what, Baseline):
            return what
        if hasattr(what, "as_dict"):
            what = what.as_dict()
        if isinstance(what, Mapping):
            _check(what, "baseline")
            return cls("baseline", what)
        if not isinstance(what, str | os.PathLike):
            raise InputError(f"a {type(what).__name__} is no report", path="baseline", hint=_HINT)
        import hashlib

        source = Source(what)
        raw = _bytes(source)
        data = _read(raw, source.label)
        _check(data, source.label)
        return cls(source.label, data, hashlib.sha256(raw).hexdigest())


class Comparison(NamedTuple):
    """Whether two reports may be compared.

    Attributes:
        differences: why they may not, in words; empty where they may.
        unknown: what one of them does not tell, so that it could not be checked.
    """

    differences: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def compare(before: Mapping[str, Any], now: Mapping[str, Any]) -> Comparison:
    """Whether the numbers of two reports answer the same question: same labels, convention, threshold and files.

    An earlier run of which nothing is judged answers none: no fall from its zeros can be seen.

    Args:
        before: the baseline's data. What it does not hold is not known, and is said to be.
        now: the data of irbridge's own report.
    """
    differences: list[str] = []
    unknown: list[str] = []
    _labels(before, now, differences, unknown)
    told = before.get("convention")
    convention: Mapping[str, Any] = _deciding(told if isinstance(told, Mapping) else {})
    knobs = {name: value for name, value in _deciding(now["convention"]).items() if name not in {"name", "rel"}}
    changed = [
        f"{name} {shown(convention[name], 40)} there, {value} here"
        for name, value in knobs.items()
        if name in convention and convention[name] != value
    ]
    if changed:
        differences.append(f"another convention: {', '.join(changed)}")
    elif not knobs.keys() <= convention.keys():
        unknown.append("convention")
    _threshold(before, now, convention, differences, unknown)
    _files(before, now, differences, unknown)
    unmatched = Measured(before).unmatched
    if unmatched is not None:
        differences.append(unmatched)
    return Comparison(tuple(differences), tuple(unknown))


def _deciding(convention: Mapping[str, Any]) -> Mapping[str, Any]:
    """A convention as far as it decides values: bounds stand beside them."""
    if convention.get("unjudged") not in {"usual", "bounds"}:
        return convention
    return {**convention, "unjudged": "usual", "unjudged_grade": None}


def _labels(before: Mapping[str, Any], now: Mapping[str, Any], differences: list[str], unknown: list[str]) -> None:
    told, own = before.get("labels_sha256"), now.get("labels_sha256")
    before, now = before["judgments"], now["judgments"]
    if isinstance(told, str) and own is not None:
        if told != own:
            same = all(before.get(name) == now.get(name) for name in ("queries", "labels"))
            how = "as many, with other ids, grades or strata" if same else _counted(before, now)
            differences.append(f"other labels: {how}")
        return
    changed = [
        f"{name.replace('_', ' ')} {shown(before[name], 40)} there, {now[name]} here"
        for name in _COUNTS
        if name in before and before[name] != now[name]
    ]
    if changed:
        differences.append(f"other labels: {', '.join(changed)}")
    else:
        unknown.append("labels (their numbers agree)")


def _counted(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    there, here = (
        f"{shown(each.get('labels'), 20)} of {shown(each.get('queries'), 20)} queries" for each in (before, now)
    )
    return f"{there} there, {here} here"


def _threshold(
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    convention: Mapping[str, Any],
    differences: list[str],
    unknown: list[str],
) -> None:
    level = now["convention"]["rel"]
    if "rel" in convention:
        if convention["rel"] != level:
            differences.append(f"another threshold: relevance >= {shown(convention['rel'], 20)} there, >= {level} here")
        return
    # Of the same labels another threshold leaves other queries to be scored, as long as a run does not decide it too.
    there, here = before["judgments"].get("queries_scored"), now["judgments"]["queries_scored"]
    if there is not None and there != here and now["convention"]["missing"] != "skip" and not differences:
        differences.append(f"another threshold: {shown(there, 20)} queries scored there, {here} here")
    else:
        unknown.append("threshold")


def _files(before: Mapping[str, Any], now: Mapping[str, Any], differences: list[str], unknown: list[str]) -> None:
    """The files of measures that are not irbridge's own, and what budgets are counted in, of measures that both reports have."""
    there, here, held = _measures(before), _measures(now), Measured(before)
    same: dict[str, bool | None] = {}
    for name in sorted(here):
        own, other = here[name], there.get(name)
        if other is None:
            # A value of which nothing else is told can be compared with all the same.
            if not own.keys() & {"from", "budget"} or held.name_of(name) is None:
                continue
            other = {}
        files = _digests(before, other.get("from")), _digests(now, own.get("from"))
        same[f"file of {shown(name, 40)}"] = _same(*files)
        if "budget" in own:
            same |= _counted_alike(_way(other), _way(own), before, now)
    differences.extend(f"another {what}" for what, found in same.items() if found is False)
    unknown.extend(what for what, found in same.items() if found is None)


def _way(about: Mapping[str, Any]) -> str | None:
    """How a budget was counted: "lengths", "tokens (ws)", "characters"; None where it is not told."""
    budget = about.get("budget")
    counted = budget.get("counted") if isinstance(budget, Mapping) else None
    return counted.partition(" of ")[0] if isinstance(counted, str) else None


def _counted_alike(
    there: str | None, here: str | None, before: Mapping[str, Any], now: Mapping[str, Any]
) -> dict[str, bool | None]:
    """Whether two reports counted a budget the same way, in the same file."""
    if there is None:
        return {"way of counting": None}
    if there != here:
        return {f"way of counting: {shown(there, 40)} there, {here} here": False}
    if here == "lengths":
        return {"file of lengths": _same(_digests(before, role="lengths"), _digests(now, role="lengths"))}
    return {"corpus that was counted": _same(_digests(before, role="corpus"), _digests(now, role="corpus"))}


def _same(there: set[str | None], here: set[str | None]) -> bool | None:
    """Whether these are the digests of the same files; None where a digest is not told."""
    if None in there | here or bool(there) != bool(here):
        return None
    return there == here


def _measures(report: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """What a report says of each measure, by the name that is the same for all its names."""
    found = report.get("measures")
    about = found.values() if isinstance(found, Mapping) else ()
    return {str(each.get("measure")): each for each in about if isinstance(each, Mapping)}


def _digests(report: Mapping[str, Any], paths: Any = None, *, role: str = "measures") -> set[str | None]:
    """Of the inputs that have this role (and are at these paths, where some are named); None for one that has no digest."""
    inputs = report.get("inputs")
    named = [each for each in inputs if isinstance(each, Mapping)] if isinstance(inputs, list) else []
    found = [each for each in named if each.get("role") == role]
    if role == "measures":
        found = [each for each in found if isinstance(paths, list) and each.get("path") in paths]
    return {each["sha256"] if isinstance(each.get("sha256"), str) else None for each in found}


def _bytes(source: Source) -> bytes:
    with source.open() as stream:
        raw = stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise source.error("is too large to be a report", hint=_HINT)
    return raw


def _read(raw: bytes, label: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON number")

    def whole(digits: str) -> int:
        if len(digits) > _LONGEST_NUMBER:
            raise ValueError(f"a number of {len(digits):,} digits")
        return int(digits)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            twice = doubled(name for name, _ in pairs)
            raise ValueError(f"the key '{shown(twice, 40)}' stands twice in one object")
        return found

    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=refuse, parse_int=whole, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {misread(error)}", path=label, line=error.lineno, hint=_HINT) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", path=label, hint=_HINT) from None
    except RecursionError:
        raise InputError("is nested too deeply to be a report", path=label, hint=_HINT) from None
    except ValueError as error:
        raise InputError(f"cannot be read: {error}", path=label, hint=_HINT) from None


def _check(data: Any, label: str) -> None:
    """Refuse what gates could not read.

    Raises:
        InputError: the report is no object, of another version, or a member is not of its type.
    """

    def refuse(what: str) -> InputError:
        return InputError(f"is no report that can be compared with: {what}", path=label, hint=_HINT)

    if not isinstance(data, Mapping):
        raise refuse("it is no JSON object")
    version = data.get("spec_version", "1")
    if not isinstance(version, str):
        raise refuse(f'spec_version is {shown(version, 20)} and no text, not "1"')
    if version != "1":
        raise refuse(f"spec_version is {shown(version, 20)}, not 1")
    for name in ("judgments", "metrics"):
        if not isinstance(data.get(name), Mapping):
            raise refuse(f"'{name}' is {'missing' if name not in data else 'no object'}")
    for name, metric in data["metrics"].items():
        if not isinstance(metric, Mapping):
            raise refuse(f"'{shown(name, 60)}' of 'metrics' is no object with a value")
        value = metric.get("value")
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            raise refuse(f"the value of '{shown(name, 60)}' is no finite number")


def _finite(value: float) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False
