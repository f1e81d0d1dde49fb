"""The two systems without a process: their searches, reads and scopes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.agentic_corpus import ALPHA, snapshot, source, task

from irbridge.agentic.adapters import ADAPTERS, fts
from irbridge.agentic.adapters.base import ToolFailure
from irbridge.agentic.adapters.reading import Scope, get, multi_get
from irbridge.agentic.projection import visible_result
from irbridge.agentic.toolset import TOOLS, tools_fingerprint


@pytest.fixture(params=["lexical", "capsule"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    made = ADAPTERS.get(request.param).prepare(snapshot(), tmp_path, 10, {}).attach(10)
    made.reset(task())
    yield made
    made.close()


def lines(result: Any) -> list[tuple[str, int]]:
    return [(each.uri.removeprefix("corpus://"), each.start_line) for each in result.evidence]


def test_both_have_the_tools_of_the_contract(session: Any) -> None:
    assert tools_fingerprint(session.tools()) == tools_fingerprint(TOOLS)


def test_both_find_within_the_scope_only(session: Any) -> None:
    found = session.call("search", {"query": "launch date"}, 10)
    assert found.backend_invocations == 1
    assert {uri.partition("/")[0] for uri, _ in lines(found.result)} == {"ca"}
    assert ("ca/a.md", 3) in lines(found.result)
    session.reset(task("ca", "cb"))
    both = session.call("search", {"query": "launch date"}, 10).result
    assert {uri.partition("/")[0] for uri, _ in lines(both)} == {"ca", "cb"}
    one = session.call("search", {"query": "launch date", "collections": ["cb"]}, 10).result
    assert {uri.partition("/")[0] for uri, _ in lines(one)} == {"cb"}


@pytest.mark.parametrize("arguments", [{"collection": "cb"}, {"collections": ["ca", "cb"]}])
def test_both_refuse_a_foreign_collection(session: Any, arguments: Any) -> None:
    with pytest.raises(ToolFailure) as failed:
        session.call("search", {"query": "x", **arguments}, 10)
    assert failed.value.code == "scope_violation"


@pytest.mark.parametrize("query", ["zebra", "!!!", '" OR docs:*', "NEAR(", "terms : x", "\x00"])
def test_a_query_is_words_and_never_syntax(session: Any, query: str) -> None:
    session.call("search", {"query": query}, 10)


def test_lexical_gives_candidates_with_their_two_best_lines(tmp_path: Path) -> None:
    made = ADAPTERS.get("lexical").prepare(snapshot(), tmp_path, 10, {}).attach(10)
    made.reset(task())
    found = made.call("search", {"query": "alpha owner launch"}, 10).result
    assert found.result_role == "candidates"
    assert json.loads(found.content) == {"candidates": ["corpus://ca/a.md"]}
    # lines 1, 3 and 4 share one term each: the first two are kept
    assert lines(found) == [("ca/a.md", 1), ("ca/a.md", 3)]
    made.close()


def test_capsule_answers_with_a_bundle_that_is_charged_once(tmp_path: Path) -> None:
    made = ADAPTERS.get("capsule").prepare(snapshot(), tmp_path, 10, {}).attach(10)
    made.reset(task(keys=("launchDate", "budget")))
    found = made.call("search", {"query": "launch"}, 10).result
    assert found.result_role == "evidence_bundle"
    # the query finds line 3, the words of the claims lines 3 and, of the other document, 3
    assert lines(found) == [("ca/a.md", 3), ("ca/sub/b.md", 3)]
    content = json.loads(found.content)
    assert (content["v"], content["taskId"]) == ("irbridge-bundle@1", "t1")
    assert [each["text"] for each in content["evidence"]] == ["The launch date is 2026-09-14.", "Budget: 4200 euro"]
    assert visible_result(found)["evidence"] == []
    made.close()


def test_prepared_twice_they_have_the_same_fingerprints_and_different_ones_from_each_other(tmp_path: Path) -> None:
    made = {}
    for name in ("lexical", "capsule"):
        for turn in ("1", "2"):
            home = tmp_path / name / turn
            home.mkdir(parents=True)
            each = ADAPTERS.get(name).prepare(snapshot(), home, 10, {})
            made.setdefault(name, set()).add((each.config_fingerprint, each.index_fingerprint))
    assert {len(found) for found in made.values()} == {1}
    assert made["lexical"] != made["capsule"]


class TestReads:
    scope = Scope(snapshot(), ["ca"])

    @pytest.mark.parametrize(
        "arguments, expected",
        [
            ({}, [1, 3, 4]),
            ({"fromLine": 3}, [3, 4]),
            ({"fromLine": 2, "lineCount": 2}, [3]),
            ({"lineCount": 99}, [1, 3, 4]),
            ({"fromLine": 2, "lineCount": 1}, []),
        ],
    )
    def test_get(self, arguments: Any, expected: list[int]) -> None:
        found = get(self.scope, {"uri": "corpus://ca/a.md", **arguments})
        assert [line for _, line in lines(found)] == expected

    @pytest.mark.parametrize(
        "arguments, code",
        [({"uri": "corpus://cb/c.md"}, "not_found"), ({"uri": "corpus://ca/a.md", "fromLine": 5}, "line_out_of_range")],
    )
    def test_get_says_what_is_wrong(self, arguments: Any, code: str) -> None:
        found = get(self.scope, arguments)
        assert (found.status, found.error_code, found.evidence) == ("error", code, [])

    def test_multi_get_takes_what_fits(self) -> None:
        uris = ["corpus://ca/a.md", "corpus://ca/sub/b.md", "corpus://cb/c.md"]
        found = multi_get(self.scope, {"uris": uris, "maxBytes": len(ALPHA)})
        assert json.loads(found.content) == {"read": uris[:1], "notFound": uris[2:], "overBudget": uris[1:2]}
        assert multi_get(self.scope, {"uris": uris[2:]}).error_code == "not_found"


def test_best_lines_are_few_and_in_their_order() -> None:
    text = source("c", "x", "one two\nnothing\ntwo\none two three\n")
    assert fts.best_lines(text, "one two three", 2) == [1, 4]
    assert fts.best_lines(text, "zebra", 2) == []


def test_equal_scores_are_in_the_order_of_their_uris(tmp_path: Path) -> None:
    from types import MappingProxyType

    from irbridge.agentic.snapshot import CorpusSnapshot

    sources = tuple(source("c", f"{name}", "same words here") for name in ("a", "b", "c"))
    fts.build(CorpusSnapshot(sources, MappingProxyType({"c": "t"})), tmp_path / "i")
    index = fts.Index(tmp_path / "i")
    assert index.search("words", ["c"], 2) == ["corpus://c/a", "corpus://c/b"]
    assert index.search("words", [], 2) == []
    index.close()
