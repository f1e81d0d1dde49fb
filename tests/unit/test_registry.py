from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from irbridge.errors import InputError, PluginError, UnknownName, UsageError
from irbridge.registry import Registry, nearest, one_of


@dataclass(frozen=True)
class Thing:
    name: str
    aliases: tuple[str, ...] = ()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An importable package; call it with {module: source}."""
    made = []

    def make(modules: dict[str, str], name: str = "things_of_a_test") -> str:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for module, source in modules.items():
            (folder / f"{module}.py").write_text(f"from test_registry import Thing\n{source}\n")
        made.append(name)
        return name

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "test_registry", sys.modules[__name__])
    yield make
    for name in made:
        for module in [known for known in sys.modules if known.split(".")[0] == name]:
            del sys.modules[module]


def registry(package: str) -> Registry[Thing]:
    return Registry("thing", package, "THING", Thing, "irbridge.no_such_group")


def test_finds_one_or_several_entries_in_module_order_and_ignores_other_modules(package):
    found = registry(
        package({"b": "THING = Thing('b1'), Thing('b2')", "a": "THING = Thing('a', ('first',))", "plain": "OTHER = 1"})
    )
    assert found.names() == ["a", "b1", "b2"]
    assert found.get("first").name == "a"
    assert found.find("nothing") is None


def test_what_is_called_like_its_module_is_found_without_the_others(package):
    name = package({"a": "THING = Thing('a')", "b_c": "THING = Thing('b-c')", "d": "raise AssertionError"})
    found = registry(name)
    assert [found.get("b-c").name, found.get("a").name] == ["b-c", "a"]
    assert f"{name}.d" not in sys.modules


def test_an_unknown_name_names_the_nearest(package):
    found = registry(package({"a": "THING = Thing('trec-qrels', ('qrels',)), Thing('beir')"}))
    with pytest.raises(UnknownName) as caught:
        found.get("trec-qrel")
    assert caught.value.near[0] == "trec-qrels"
    assert "'trec-qrel' is not a thing; did you mean trec-qrels" in str(caught.value)


@pytest.mark.parametrize(
    "modules, message",
    [
        ({"a": "THING = Thing('x')", "b": "THING = Thing('x')"}, "name 'x' is taken"),
        ({"a": "THING = Thing('x')", "b": "THING = Thing('y', ('x',))"}, "name 'x' is taken"),
        ({"a": "THING = 'x'"}, "is a str, not a Thing"),
    ],
)
def test_a_defect_of_our_own_is_an_error_at_once(package, modules, message):
    with pytest.raises((TypeError, ValueError), match=message):
        registry(package(modules)).names()


def test_third_parties_are_added_and_their_faults_are_remembered(package, monkeypatch):
    from importlib import metadata

    own = package({"a": "THING = Thing('a')"})
    package({"good": "THING = Thing('theirs')", "bad": "raise RuntimeError('broken')"}, "theirs")
    points = [
        metadata.EntryPoint("theirs", "theirs.good:THING", "g"),
        metadata.EntryPoint("bad", "theirs.bad:THING", "g"),
        metadata.EntryPoint("clash", f"{own}.a:THING", "g"),
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda group: points)
    found = registry(own)
    assert [thing.name for thing in found.builtin()] == ["a"]
    assert found.get("theirs").name == "theirs"
    assert found.names() == ["a", "theirs"]
    assert found.broken["bad"] == "RuntimeError: broken"
    assert "taken" in found.broken["clash"]


def test_nearest_counts_spelling_above_letter_case():
    assert nearest("ndgc@10", ["nDCG@10", "P@10"]) == ["nDCG@10"]
    assert nearest("zzz", ["nDCG@10"]) == []


@dataclass(frozen=True)
class Working:
    name: str
    run: Callable[..., object]
    aliases: tuple[str, ...] = ()


def plugged(package, monkeypatch, source: str) -> Registry[Working]:
    from importlib import metadata

    monkeypatch.setattr(sys.modules[__name__], "Thing", Working)
    own = package({"a": "THING = ()"})
    package({"mine": source}, "theirs")
    point = metadata.EntryPoint("theirs", "theirs.mine:THING", "g")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point])
    return Registry("thing", own, "THING", Working, "irbridge.no_such_group")


@pytest.mark.parametrize(
    "body, said",
    [
        ("raise KeyError('gone')", "KeyError: 'gone'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise RuntimeError", "RuntimeError: without a word"),
        ("yield 1; raise ValueError('\x1b[31m')", r"ValueError: \x1b[31m"),
    ],
)
def test_what_a_third_party_s_function_dies_of_names_it(package, monkeypatch, body, said):
    found = plugged(package, monkeypatch, f"def run():\n    {body}\nTHING = Thing('odd', run)").get("odd")
    with pytest.raises(PluginError) as raised:
        list(found.run())
    assert raised.value.message == f"the thing 'odd' of theirs.mine:THING failed: {said}"
    assert raised.value.hint == "report it to who made theirs, or uninstall that"


def test_an_error_of_ours_passes_through_a_third_party_s_function(package, monkeypatch):
    source = (
        "from irbridge.errors import InputError\ndef run():\n    raise InputError('is odd')\nTHING = Thing('odd', run)"
    )
    with pytest.raises(InputError, match=r"^is odd$"):
        plugged(package, monkeypatch, source).get("odd").run()


def test_what_a_third_party_s_function_gives_is_given(package, monkeypatch):
    source = "def run(*a, **b):\n    return a, b\nTHING = Thing('fine', run)"
    assert plugged(package, monkeypatch, source).get("fine").run(1, c=2) == ((1,), {"c": 2})


def test_a_third_party_that_leaves_when_it_is_loaded_is_remembered(package, monkeypatch):
    found = plugged(package, monkeypatch, "raise SystemExit('no licence')")
    assert found.names() == []
    assert found.broken == {"theirs": "SystemExit: no licence"}


@pytest.mark.parametrize("name", [None, 5, ["a"]])
def test_a_name_that_is_no_text_is_refused(package, name):
    with pytest.raises(UsageError, match="is not a thing"):
        registry(package({"a": "THING = Thing('a')"})).get(name)


def test_one_of_several():
    assert one_of("value of x", "a", ("a", "b")) == "a"
    with pytest.raises(UnknownName, match=r"^'scor' is not a value of x; did you mean score") as raised:
        one_of("value of x", "scor", ("score", "rank"))
    assert raised.value.hint == "one of: score, rank"
    with pytest.raises(UsageError, match=r"^5 is not a value of x$"):
        one_of("value of x", 5, ("a", "b"))
