"""Checks of judgments: one file each, ending with its descriptor."""

from __future__ import annotations
