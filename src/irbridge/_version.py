"""The version, in one place; the build and `irbridge --version` read it here."""

from __future__ import annotations

__version__ = "0.1.0"
