"""Gates: what a report must say for a build to pass (spec/gates.md). One file per form, found by the registry.

A gate reads a report and nothing else: it never makes anything computed, and it clears no finding that it did not look at.
"""

from __future__ import annotations

from irbridge.gates.base import Form, Gate, Outcome
from irbridge.registry import Registry

FORMS: Registry[Form] = Registry("gate form", "irbridge.gates.forms", "GATE", Form, "irbridge.gates")

__all__ = ["FORMS", "Form", "Gate", "Outcome"]
