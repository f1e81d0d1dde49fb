"""Engines that run irbridge's own functions on many machines; each needs a library of its own, imported when it is used."""

from __future__ import annotations
