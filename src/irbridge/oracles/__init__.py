"""Oracles: other people's engines, one file each, found by the registry; numbers are held against theirs."""

from __future__ import annotations

from irbridge.oracles.base import Answer, Asked, Material, Oracle, Unavailable
from irbridge.registry import Registry

ORACLES: Registry[Oracle] = Registry("oracle", "irbridge.oracles", "ORACLE", Oracle, "irbridge.oracles")

__all__ = ["ORACLES", "Answer", "Asked", "Material", "Oracle", "Unavailable"]
