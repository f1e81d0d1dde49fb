"""No correction: right for one comparison, or for comparisons of which each stands for itself."""

from __future__ import annotations

from irbridge.stats.corrections.base import Correction

CORRECTION = Correction(
    "none",
    "p values as they are",
    controls="the probability of a false difference in each comparison by itself",
    source="none is needed",
    adjust=list,
)
