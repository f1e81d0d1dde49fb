"""How results of any shape become items, and items evidence."""

from __future__ import annotations

from typing import Any

import pytest
from support.agentic_corpus import snapshot

from irbridge.agentic.adapters.base import ToolFailure
from irbridge.agentic.adapters.mcp import OWN
from irbridge.agentic.adapters.reading import Scope
from irbridge.agentic.mcp.config import Reading, config_of
from irbridge.agentic.mcp.mapping import Item, Places, exact_lines, items_of

TEXT = {"content": [{"type": "image"}, {"type": "text", "text": '{"hits": [{"uri": "a", "text": "t"}]}'}]}
RESOURCES = {"content": [{"type": "resource", "resource": {"uri": "a", "text": "t"}}, {"type": "text", "text": "note"}]}


@pytest.mark.parametrize(
    "how, result, expected",
    [
        (
            Reading(items="hits", uri="uri"),
            {"structuredContent": {"hits": [{"uri": "a", "text": "t"}]}},
            Item("a", "t"),
        ),
        (Reading(uri="uri"), {"structuredContent": {"uri": "a", "text": "t"}}, Item("a", "t")),
        (Reading(source="json", items="hits", uri="uri"), TEXT, Item("a", "t")),
        (Reading(source="text"), {"content": [{"type": "text", "text": "plain"}]}, Item(None, "plain")),
        (Reading(source="resources", uri="uri"), RESOURCES, Item("a", "t")),
        (
            Reading(uri="uri", start="range.from", end="range.to"),
            {"structuredContent": {"uri": "a", "text": "t", "range": {"from": 2, "to": 2}}},
            Item("a", "t", 2, 2),
        ),
        (Reading(uri="uri"), {"structuredContent": {"uri": "a"}}, Item("a")),
    ],
)
def test_items(how: Reading, result: Any, expected: Item) -> None:
    assert items_of(result, how) == [expected]


def test_numbers_and_headings_are_taken_off() -> None:
    how = Reading(
        source="text", line_prefix="[0-9]+: ", pattern=r"@@ -(?P<start>\d+),(?P<count>\d+) @@[^\n]*\n(?P<text>.*)"
    )
    text = "7: @@ -3,2 @@ (2 before)\n8: The launch date is 2026-09-14.\n9: Owner: Ana"
    found = items_of({"content": [{"type": "text", "text": text}]}, how)
    assert found == [Item(None, "The launch date is 2026-09-14.\nOwner: Ana", 3, 4)]
    other = items_of({"content": [{"type": "text", "text": "no heading"}]}, how)
    assert other == [Item(None, None)]


@pytest.mark.parametrize(
    "how, result",
    [
        (Reading(items="hits"), {"structuredContent": {}}),
        (Reading(), {"structuredContent": None}),
        (Reading(), {"structuredContent": ["a"]}),
        (Reading(uri="uri"), {"structuredContent": {"text": "t"}}),
        (Reading(uri="uri"), {"structuredContent": {"uri": 1, "text": "t"}}),
        (Reading(start="line"), {"structuredContent": {"line": "3", "text": "t"}}),
        (Reading(start="line"), {"structuredContent": {"line": True, "text": "t"}}),
        (Reading(), {"structuredContent": {"text": ["t"]}}),
        (Reading(source="json"), {"content": [{"type": "text", "text": '{"a": 1, "a": 2}'}]}),
        (Reading(source="json"), {"content": [{"type": "text", "text": "Sorry, here is: {}"}]}),
        (Reading(source="text"), {"content": []}),
        (Reading(source="resources", uri="uri"), {"content": [{"type": "resource"}]}),
    ],
)
def test_a_result_of_another_shape_is_invalid(how: Reading, result: Any) -> None:
    with pytest.raises(ToolFailure) as failed:
        items_of(result, how)
    assert failed.value.code == "invalid_tool_result"


class TestExactLines:
    places = Places(snapshot(), config_of({**OWN, "uris": ["{collection}/{path}", "x://{collection}/{quoted}"]}))
    scope = Scope(snapshot(), ["ca"])

    def lines(self, *items: Item, first: int = 1) -> list[tuple[str, int]]:
        asked = self.scope.source("corpus://ca/a.md")
        read = exact_lines(items, asked, self.places, self.scope, first)
        return [(each.uri.removeprefix("corpus://ca/"), each.start_line) for each in read.evidence]

    @pytest.mark.parametrize(
        "item, expected",
        [
            (Item("ca/a.md", "# Alpha"), [("a.md", 1)]),
            (Item("x://ca/a.md", "# Alpha\n\n"), [("a.md", 1)]),  # two lines, the second blank
            (Item(None, "Owner: Ana", 4, 4), [("a.md", 4)]),
            (Item(None, "Owner: Ana\n", 4, 4), [("a.md", 4)]),
            (Item(None, "# Alpha\r\n\r\nThe launch date is 2026-09-14.", 1), [("a.md", 1), ("a.md", 3)]),
            (Item(None, "Owner: Ana\n\n", 4, 4), []),  # one line end too many
            (Item(None, "Owner: An", 4, 4), []),
            (Item(None, "Owner: Ana ", 4, 4), []),
            (Item(None, "owner: ana", 4, 4), []),
            (Item(None, "Owner: Ana", 3, 3), []),
            (Item(None, "Owner: Ana", 4, 3), []),
            (Item(None, "Owner: Ana", 0, 0), []),
            (Item(None, "Owner: Ana", 4, 10**12), []),
            (Item(None, "", 2, 2), []),
            (Item(None, None, 1, 4), []),
        ],
    )
    def test_only_what_stands_there_is_evidence(self, item: Item, expected: Any) -> None:
        assert self.lines(item) == expected

    def test_without_lines_of_its_own_it_begins_where_it_was_asked(self) -> None:
        assert self.lines(Item(None, "The launch date is 2026-09-14.\nOwner: Ana"), first=3) == [
            ("a.md", 3),
            ("a.md", 4),
        ]

    def test_a_line_is_evidence_once(self) -> None:
        assert self.lines(Item(None, "# Alpha"), Item("ca/a.md", "# Alpha", 1, 1)) == [("a.md", 1)]
