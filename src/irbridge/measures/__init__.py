"""Measures: one file per family, found by the registry; `parse` (names.py) reads three dialects of names."""

from __future__ import annotations

from irbridge.measures.base import Family, Measure
from irbridge.registry import Registry


def _vetted(family: Family) -> Family:
    from irbridge.measures.foreign import vetted

    return vetted(family)


FAMILIES: Registry[Family] = Registry(
    "measure", "irbridge.measures", "MEASURES", Family, "irbridge.measures", vet=_vetted
)

__all__ = ["FAMILIES", "Family", "Measure"]
