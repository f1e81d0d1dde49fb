"""Sets of judgments: checked, written canonically, compared, merged, held against each other, and completed.

Each check stands in a file of its own in `checks/`, found by the registry.
"""

from __future__ import annotations

from irbridge.judgments.base import Check, Issue, Severity, Tally, Watcher
from irbridge.registry import Registry

CHECKS: Registry[Check] = Registry("check", "irbridge.judgments.checks", "CHECK", Check, "irbridge.checks")

__all__ = ["CHECKS", "Check", "Issue", "Severity", "Tally", "Watcher"]
