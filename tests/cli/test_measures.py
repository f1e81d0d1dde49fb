from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from irbridge.measures import FAMILIES

Irbridge = Callable[..., Any]


def test_the_list_names_every_measure_once(irbridge: Irbridge) -> None:
    done = irbridge("measures")
    assert done.code == 0
    listed = [line.split()[0] for line in done.out.splitlines()[1:] if line.startswith("  ")]
    assert [name for name in listed if name in set(FAMILIES.names())] == sorted(FAMILIES.names(), key=str.lower)


@pytest.mark.parametrize("name", ["nDCG@10", "nDCG", "ndcg_cut_10", "ndcg_cut", "ndcg@10", "ndcg"])
def test_one_is_explained_under_any_of_its_names(irbridge: Irbridge, name: str) -> None:
    done = irbridge("measures", name)
    said = " ".join(done.out.split())
    assert done.code == 0
    assert "log2" in said
    assert "2^grade - 1" in said
    assert "range" in said
    assert "source" in said
    assert "ndcg_cut.10" in said


@pytest.mark.parametrize("name", FAMILIES.names())
def test_every_measure_can_be_explained(irbridge: Irbridge, name: str) -> None:
    made = json.loads(irbridge("--json", "measures", name).out)
    assert made["name"] == name
    assert all(made[field] for field in ("summary", "formula", "range", "source"))


def test_json_lists_all(irbridge: Irbridge) -> None:
    assert {each["name"] for each in json.loads(irbridge("measures", "--json").out)} == set(FAMILIES.names())


def test_an_unknown_name_gets_a_neighbour(irbridge: Irbridge) -> None:
    done = irbridge("measures", "nDGC")
    assert done.code == 2
    assert "did you mean nDCG" in done.err


def test_budgets_are_told(irbridge: Irbridge) -> None:
    said = " ".join(irbridge("measures").out.split())
    assert "nDCG@2000tok and P@8000chars look at what fits into so many tokens or characters" in said
    assert "R@2000tok" in irbridge("measures", "R").out
    assert "2000tok" not in irbridge("measures", "Bpref").out
