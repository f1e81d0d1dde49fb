"""Receipts, wilfully damaged: members and items taken away, doubled, swapped, replaced and renamed, one to three at a time."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Places = list[tuple[Any, Any]]
Values = tuple[Any, ...]

#: What a member may become, beside the values that stand elsewhere in the receipt.
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 0.5, -0.0, 1e308, 2**53, 2**63, 2**64, 10**300, 10**309, "", " ", "x", "0", "\ud800", "\x00",
    "none", "complete", "abstained", "error", "cold", "warm", "ok", "source", "harness_error", "missing_evidence", "0" * 64, "f" * 64,
    "corpus://c001/other.md", "t0000001", "launchDate", "budget", "colour", "2026-02-30", "9999-12-31", [], {}, [[]], [None],
    {"type": "string", "value": "x"}, {"type": "number", "value": 1},
)  # fmt: skip


def mutant(of: dict[str, Any], random: Random, spared: tuple[Any, ...] = ()) -> Any:
    """A damaged copy; no value of `spared` is put anywhere that it was not."""
    damaged = copy.deepcopy(of)
    for _ in range(random.choice((1, 1, 2, 3))):
        places = list(_places(damaged))
        if places:
            holder, key = random.choice(places)
            random.choice(_HARMS)(holder, key, random, [(h, k) for h, k in places if h[k] not in spared], spared)
    return damaged


def damaged_text(of: dict[str, Any], random: Random) -> bytes:
    """The receipt's JSON with some bytes changed, lost or doubled."""
    text = bytearray(json.dumps(of, separators=random.choice(((",", ":"), (", ", ": ")))).encode())
    for _ in range(random.choice((1, 1, 2, 8))):
        place = random.randrange(len(text))
        end = place + random.choice((1, 1, 40))
        text[place:end] = random.choice(
            (b"", bytes([random.randrange(256)]), text[place:end] * 2, b'"', b"\\", b":", b"{")
        )
    return bytes(text)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each (holder, key) below a value."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def _delete(holder: Any, key: Any, random: Random, places: Places, spared: Values) -> None:
    holder, key = _rather_an_item(holder, key, random, places)
    del holder[key]


def _double(holder: Any, key: Any, random: Random, places: Places, spared: Values) -> None:
    holder, key = _rather_an_item(holder, key, random, places)
    if isinstance(holder, list):
        holder.insert(random.randrange(len(holder) + 1), copy.deepcopy(holder[key]))
    else:
        holder[f"{key}2"] = copy.deepcopy(holder[key])


def _rather_an_item(holder: Any, key: Any, random: Random, places: Places) -> tuple[Any, Any]:
    """An item of a list in nine of ten cases: an object without a member is refused, which soon says nothing more."""
    items = [(h, k) for h, k in places if isinstance(h, list)]
    return random.choice(items) if items and random.random() < 0.9 else (holder, key)


def _replace(holder: Any, key: Any, random: Random, places: Places, spared: Values) -> None:
    values = [each for each in ODD if each not in spared]
    alike = [each for each in values if type(each) is type(holder[key])]
    holder[key] = copy.deepcopy(random.choice(alike if alike and random.random() < 0.7 else values))


def _copy(holder: Any, key: Any, random: Random, places: Places, spared: Values) -> None:
    """Put what stands elsewhere there: mostly what has the same name, or else the same type."""
    named = [(h, k) for h, k in places if k == key and h is not holder and h[k] != holder[key]]
    alike = [(h, k) for h, k in places if type(h[k]) is type(holder[key])]
    which = random.random()
    source, name = random.choice((named if which < 0.6 else alike if which < 0.9 else places) or places)
    holder[key] = copy.deepcopy(source[name])


def _swap(holder: Any, key: Any, random: Random, places: Places, spared: Values) -> None:
    """Change places with what has the same name elsewhere, or stands beside it."""
    named = [(h, k) for h, k in places if k == key and h is not holder]
    if named and random.random() < 0.8:
        other, name = random.choice(named)
        if _inside(other, holder[key]) or _inside(holder, other[name]):
            return
    else:
        other, name = holder, random.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], other[name] = other[name], holder[key]


def _inside(part: Any, whole: Any) -> bool:
    return part is whole or any(holder[key] is part for holder, key in _places(whole))


def _nudge(holder: Any, key: Any, random: Random, places: Places, spared: Values) -> None:
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int | float):
        holder[key] = value + random.choice((-1, 1, 1000) if isinstance(value, int) else (-1.0, 1.0, 0.5))
    elif isinstance(value, str) and value:
        place = random.randrange(len(value))
        holder[key] = value[:place] + random.choice("0aZ-") + value[place + 1 :]
    elif isinstance(value, dict | list):
        holder[key] = type(value)()


_HARMS: tuple[Callable[[Any, Any, Random, Places, Values], None], ...] = (
    _delete, _double, _replace, _copy, _swap, _nudge, _nudge,
)  # fmt: skip
