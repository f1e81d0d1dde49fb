"""The texts that a label quotes from its document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irbridge.errors import UsageError, shown
from irbridge.model import Judgment
from irbridge.registry import nearest
from irbridge.spans.claims import Fault
from irbridge.spans.finding import folded

DEFAULT = ("chunk_text",)
_OWN = frozenset(Judgment._fields) - {"extra"}


def quotes_of(label: Judgment, fields: Sequence[str]) -> list[str] | Fault:
    """The quotes in those fields, in their order; none where no field is set.

    Args:
        label: a label.
        fields: names of fields, each a text or a list of texts.
    """
    found: list[str] = []
    for name in fields:
        value = _value(label, name)
        if value is None:
            continue
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            return Fault("unusable-quote", f"{shown(name, 30)} is {_kind(value)}")
        if not all(map(folded, texts)):
            return Fault("empty-quote", shown(name, 30))
        found.extend(texts)
    return list(dict.fromkeys(found))


def check_fields(labels: Sequence[Judgment], fields: Sequence[str]) -> None:
    """Refuse a field that no label has: it is a slip more often than not.

    Raises:
        UsageError: there is such a field.
    """
    for name in fields:
        if labels and all(_value(label, name) is None for label in labels):
            known = dict.fromkeys(each for label in labels for each in label.extra)
            near = nearest(name, [*known, *_OWN])
            ask = f"; did you mean {' or '.join(near)}?" if near else ""
            raise UsageError(
                f"no label has a field '{shown(name)}'{ask}",
                hint=f"further fields of these labels: {', '.join(shown(each, 30) for each in [*known][:8]) or 'none'}",
            )


def _value(label: Judgment, name: str) -> Any:
    return getattr(label, name) if name in _OWN else label.extra.get(name)


def _kind(value: object) -> str:
    if isinstance(value, list | tuple):
        return "a list that holds other things than texts"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"
