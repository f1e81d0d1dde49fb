"""Fusion: several rankings of one query become one. One file per method and per normalisation, found by registries."""

from __future__ import annotations

from irbridge.fusion.base import Entry, Method, Normalisation
from irbridge.registry import Registry

METHODS: Registry[Method] = Registry("fusion method", "irbridge.fusion.methods", "METHOD", Method, "irbridge.fusions")
NORMALISATIONS: Registry[Normalisation] = Registry(
    "normalisation", "irbridge.fusion.normalisations", "NORMALISATION", Normalisation, "irbridge.normalisations"
)

__all__ = ["METHODS", "NORMALISATIONS", "Entry", "Method", "Normalisation"]
