"""Corrections for making many comparisons at once: one file each, found by the registry."""

from __future__ import annotations

from irbridge.registry import Registry
from irbridge.stats.corrections.base import Correction

CORRECTIONS: Registry[Correction] = Registry(
    "correction", "irbridge.stats.corrections", "CORRECTION", Correction, "irbridge.corrections"
)

__all__ = ["CORRECTIONS", "Correction"]
