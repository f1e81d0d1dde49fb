"""Paired tests: one file each, found by the registry. Third parties' come by the entry-point group `irbridge.paired_tests`."""

from __future__ import annotations

from irbridge.registry import Registry
from irbridge.stats.paired.base import PairedResult, PairedTest, paired_result

PAIRED_TESTS: Registry[PairedTest] = Registry(
    "paired test", "irbridge.stats.paired", "TEST", PairedTest, "irbridge.paired_tests"
)

__all__ = ["PAIRED_TESTS", "PairedResult", "PairedTest", "paired_result"]
