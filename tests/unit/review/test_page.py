"""The page as bytes: what it holds, and that nothing in it can become markup or reach out."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

from irbridge.corpora import corpus_of
from irbridge.model import Chunk, Judgment
from irbridge.review.page import page
from irbridge.review.queue import Queue, queue_of

HOSTILE = (
    "</script><!--<script>alert(1)</script><img src=x onerror=alert(1)>\u2028\u2029 & %SCRIPT% %QUEUE% \u202e \x7f"
)


class Elements(HTMLParser):
    """The elements of a page and what stands in scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.names: list[str] = []
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.names[-1:] and self.names[-1] in {"script", "style"} and data.strip():
            self.raw.append((self.names[-1], data))


def queue(text: str = HOSTILE) -> Queue:
    label = Judgment(
        text,
        "d",
        2,
        query=text,
        chunk_id="c1:" + "0" * 32,
        chunk_text=f"{text} Dogs. Cats too.",
        notes=text,
        stratum=text,
    )
    chunks = [
        Chunk("c1:" + "1" * 32, "d", ordinal=0, text=f"{text} Dogs."),
        Chunk("c1:" + "2" * 32, "d", ordinal=1, text="Cats too."),
    ]
    return queue_of([label], corpus_of(chunks), label=text)


def data_of(made: bytes) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="queue">(.*?)</script>', made.decode(), re.DOTALL)
    return json.loads(found)


def test_the_data_come_back_as_they_were() -> None:
    asked = queue()
    found = data_of(page(asked, "ana"))
    assert found == json.loads(json.dumps({**asked.as_dict(), "by": "ana"}))
    assert found["items"][0]["text"] == f"{HOSTILE} Dogs. Cats too."


def test_no_text_becomes_an_element() -> None:
    plain, hostile = page(queue("plain")).decode(), page(queue()).decode()
    assert Elements(hostile).names == Elements(plain).names
    assert "\u2028" not in hostile
    assert hostile.count("</script>") == 2


def test_the_policy_allows_the_one_script_and_the_one_style() -> None:
    found = Elements(page(queue("plain")).decode())
    (policy,) = (
        each["content"] for tag, each in found.attributes if each.get("http-equiv") == "Content-Security-Policy"
    )
    parts = dict(part.split(" ", 1) for part in str(policy).split("; "))
    raw = {tag: content for tag, content in found.raw if not content.startswith("{")}
    for tag in ("script", "style"):
        assert (
            parts[f"{tag}-src"]
            == "'sha256-" + base64.b64encode(hashlib.sha256(raw[tag].encode()).digest()).decode() + "'"
        )
    assert parts["default-src"] == "'none'"
    assert "unsafe" not in str(policy)


def test_it_asks_for_nothing() -> None:
    text = page(queue("plain")).decode()
    assert not re.search(
        r"https?:|//[a-z]+\.[a-z]|@import|url\(|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(", text
    )
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|\son[a-z]+=", text)
    for tag, attributes in Elements(text).attributes:
        assert not {"src", "action", "style"} & set(attributes), tag
        assert attributes.get("href") in (None, "data:,", "#detail")


def test_equal_queues_make_equal_pages() -> None:
    assert page(queue()) == page(queue())


def test_a_chunk_of_several_labels_stands_in_it_once() -> None:
    labels = [
        Judgment(f"q{number}", "d", 1, chunk_id=f"c1:{number:032x}", chunk_text="Dogs. Cats too.")
        for number in range(50)
    ]
    chunks = [
        Chunk("c1:" + "a" * 32, "d", ordinal=0, text="Dogs."),
        Chunk("c1:" + "b" * 32, "d", ordinal=1, text="Cats too."),
    ]
    found = data_of(page(queue_of(labels, corpus_of(chunks))))
    assert ([each["text"] for each in found["chunks"]], len(found["items"])) == (["Dogs.", "Cats too."], 50)
