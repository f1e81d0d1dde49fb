"""Findings are told in two ways, which have to say the same: of one document after the other, and of many at once."""

from __future__ import annotations

import pytest

from irbridge.drift import resolving

WAYS = {"one document after the other": 1 << 60, "all documents together": -1}


@pytest.fixture(params=WAYS)
def either_way(request, monkeypatch):
    monkeypatch.setattr(resolving, "_FEW", WAYS[request.param])
    monkeypatch.setattr(resolving, "_MUCH", WAYS[request.param])
