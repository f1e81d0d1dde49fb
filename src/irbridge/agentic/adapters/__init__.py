"""Retrieval systems under test, one file each: the same three tools over the same frozen corpus."""

from __future__ import annotations

from irbridge.agentic.adapters.base import Adapter
from irbridge.registry import Registry

ADAPTERS: Registry[Adapter] = Registry(
    "adapter", "irbridge.agentic.adapters", "ADAPTER", Adapter, "irbridge.agentic_adapters"
)
