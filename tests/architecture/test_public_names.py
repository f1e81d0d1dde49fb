from __future__ import annotations

import types

import pytest

import irbridge


@pytest.fixture
def names() -> list[str]:
    offered = getattr(irbridge, "__all__", None)
    if offered is None:
        pytest.skip("irbridge/__init__.py does not say yet what it offers")
    return list(offered)


def test_every_public_name_is_there_once(names: list[str]) -> None:
    assert names
    assert len(names) == len(set(names))  # ruff (RUF022) sees to the order
    assert [name for name in names if not hasattr(irbridge, name)] == []


def test_nothing_public_is_left_out(names: list[str]) -> None:
    for name in names:  # a name that is loaded late is in the module only once it was asked for
        getattr(irbridge, name)
    public = {
        name
        for name, value in vars(irbridge).items()
        # Submodules and what `from __future__` leaves behind are no names that we offer.
        if not name.startswith("_") and not isinstance(value, types.ModuleType) and name != "annotations"
    }
    assert public - set(names) == set()
    assert set(names) <= set(dir(irbridge))


def test_every_public_class_and_function_is_documented(names: list[str]) -> None:
    things = {name: getattr(irbridge, name) for name in names}
    bare = [name for name, thing in things.items() if callable(thing) and not (thing.__doc__ or "").strip()]
    assert bare == []
