"""What a step of the setup must return: anybody may offer adapters and agents, and nobody else looks at what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from irbridge.errors import quoted

_HEX = frozenset("0123456789abcdef")


def _function(value: Any) -> bool:
    return callable(value)


def _fingerprint(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= _HEX


def _fingerprint_or_none(value: Any) -> bool:
    return value is None or _fingerprint(value)


def _text(value: Any) -> bool:
    # Half a surrogate pair has no bytes, and so no fingerprint.
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _lines(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


#: A step of the setup, by the name that its failure has -> the members of its result, and what each must be.
_MEMBERS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "adapter_preparation": {
        "config_fingerprint": _fingerprint,
        "index_fingerprint": _fingerprint,
        "diagnostics": _lines,
        "attach": _function,
        "close": _function,
    },
    "adapter_attach": dict.fromkeys(("tools", "probe", "reset", "call", "close"), _function),
    "agent_start": {
        "system_prompt": _text,
        "model_fingerprint": _fingerprint_or_none,
        "tokenizer_fingerprint": _fingerprint_or_none,
        **dict.fromkeys(("begin", "step", "close"), _function),
    },
}
_NOTHING = object()


def misshapen(step: str, found: Any) -> str | None:
    """What is wrong with the result of a step; None where nothing is, or where the result says nothing.

    Args:
        step: adapter_preparation, adapter_attach, agent_start, or any other.
        found: what it returned. Its members are read, so whatever they raise is raised.
    """
    for name, fits in _MEMBERS.get(step, {}).items():
        value = getattr(found, name, _NOTHING)
        if value is _NOTHING:
            return f"what it returned, of type {type(found).__name__}, has no {name}"
        if not fits(value):
            return f"the {name} of what it returned is {quoted(value, 60)}"
    return None
