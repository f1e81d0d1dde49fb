"""Adapters to other programs; each module is one program's."""

from __future__ import annotations
