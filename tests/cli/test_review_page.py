"""The review page in a real browser: keys, what the browser keeps, what is exported, and hostile texts shown as texts."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irbridge.corpora import corpus_of
from irbridge.identity import text_sha
from irbridge.model import Chunk, Judgment
from irbridge.review.decisions import label_sha, read
from irbridge.review.page import page as made_page
from irbridge.review.queue import queue_of
from irbridge.source import Source

from .conftest import Irbridge

pytestmark = pytest.mark.may_skip("a browser, and playwright to drive it, are not everywhere")

HOSTILE = "</script><img src=x onerror=alert(1)> \u2028 \u202egnp.exe\u200f \U0001f600\U0001f600 <b>bold</b> &amp; a hostile text."

LONG = " ".join(f"Sentence number {number} of many." for number in range(33_000)) + " The end."


def cid(number: int) -> str:
    return f"c1:{number:032x}"


LABELS = [
    Judgment(
        "q1",
        "d",
        2,
        query="May dogs ride?",
        chunk_id=cid(1),
        chunk_text="Dogs ride free. So do cats.",
        labeled_by="human:x",
    ),
    Judgment(
        "q2",
        "d",
        1,
        query=HOSTILE,
        chunk_id=cid(2),
        chunk_text=f"{HOSTILE} And its end.",
        notes=HOSTILE,
        stratum=HOSTILE,
    ),
    Judgment("q3", "d", 1, query="Long?", chunk_id=cid(3), chunk_text=f"A megabyte. {LONG}"),
    Judgment("q4", "gone", 1, query="Gone?"),
]
CHUNKS = [
    Chunk(cid(11), "d", "r", 0, "Dogs ride free.", text_sha("Dogs ride free.")),
    Chunk(cid(12), "d", "r", 1, "So do cats."),
    Chunk(cid(13), "d", "r", 2, HOSTILE),
    Chunk(cid(14), "d", "r", 3, "And its end."),
    Chunk(cid(15), "d", "r", 4, "A megabyte."),
    Chunk(cid(16), "d", "r", 5, LONG),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = (
        os.environ.get("CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("google-chrome")
        or shutil.which("chromium-browser")
    )
    if program is None:
        pytest.skip("there is no Chromium")
    with api.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


class Tab:
    """The page opened, and whatever went wrong in it."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.view = self.context.new_page()
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.view.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.view.on("console", lambda message: self.wrong.append(message.text))
        self.view.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.url = path.resolve().as_uri()
        self.view.goto(self.url)

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.view.keyboard.press(key)

    def named(self, name: str = "Ana María") -> Tab:
        self.view.fill("#name", name)
        self.keys("Enter")
        return self

    def text(self, selector: str) -> str:
        return str(self.view.inner_text(selector))

    def exported(self) -> bytes:
        with self.view.expect_download() as download:
            self.view.click("#export")
        assert download.value.suggested_filename == "decisions.jsonl"
        return Path(download.value.path()).read_bytes()

    def end(self) -> None:
        """Close it; nothing may have gone wrong, and nothing but the file been asked for."""
        self.context.close()
        assert self.wrong == []
        assert {url for url in self.asked if not url.startswith("blob:")} == {self.url}


@pytest.fixture(scope="module")
def content() -> bytes:
    assert len(LONG) > 1_000_000
    return made_page(queue_of(LABELS, corpus_of(CHUNKS), label="j.jsonl"))


@pytest.fixture
def tab(browser: Any, content: bytes, tmp_path: Path) -> Iterator[Tab]:
    path = tmp_path / "queue.html"
    path.write_bytes(content)
    found = Tab(browser, path)
    yield found
    found.end()


def decisions(content: bytes) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in content.decode().split("\n") if line]
    for each in found:
        assert each.pop("labeled_at").startswith("20")
    return found


def about(label: Judgment, action: str, *choices: tuple[int, int], by: str = "Ana María") -> dict[str, Any]:
    made: dict[str, Any] = {
        "query_id": label.query_id,
        "key": label.key,
        "label_sha": label_sha(label),
        "action": action,
    }
    if choices:
        texts = [(CHUNKS[place].text or "", place, grade) for place, grade in choices]
        made["choices"] = [
            {
                "chunk_id": CHUNKS[place].chunk_id,
                "doc_uri": "d",
                "relevance": grade,
                "text_sha": text_sha(text),
                "chunk_text": text,
            }
            for text, place, grade in texts
        ]
    return {**made, "labeled_by": f"human:{by}"}


def test_keys_decide_and_the_export_says_exactly_that(tab: Tab, tmp_path: Path) -> None:
    tab.named()
    tab.keys("2", "1", "-", "Enter")  # the first label: both, the one chosen last one lower
    tab.keys("1", "2", "2", "g", "3", "j")  # the second: the first chunk alone, set to 3
    tab.keys("s")  # the third: skipped, which goes on
    tab.keys("x")
    assert tab.text("#left") == "1 of 4 labels left, 1 of them skipped"
    content = tab.exported()
    assert decisions(content) == [
        about(LABELS[0], "choose", (0, 1), (1, 2)),
        about(LABELS[1], "choose", (2, 3)),
        about(LABELS[2], "skip"),
        about(LABELS[3], "none"),
    ]
    path = tmp_path / "decisions.jsonl"
    path.write_bytes(content)
    assert [each.action for each in read(Source(str(path)))] == ["choose", "choose", "skip", "none"]


def test_progress_survives_a_reload_and_undo_takes_back(tab: Tab) -> None:
    tab.named()
    tab.keys("1", "j", "x")
    before = tab.exported()
    tab.view.reload()
    assert tab.text("#left") == "2 of 4 labels left"
    assert not tab.view.is_visible("#ask")  # the name is asked once
    assert tab.text("h2") == "Long?"  # and the place is kept
    assert tab.exported() == before
    tab.keys("s", "u")
    assert tab.text("#left") == "2 of 4 labels left"
    tab.keys("k", "k", "2")
    tab.keys("u")
    assert tab.exported() == before


def test_another_queue_has_progress_of_its_own(tab: Tab, browser: Any, tmp_path: Path) -> None:
    tab.named()
    tab.keys("x")
    other = tmp_path / "other.html"
    other.write_bytes(made_page(queue_of(LABELS[:2], corpus_of(CHUNKS[:4]))))
    tab.view.goto(other.resolve().as_uri())
    tab.asked.remove(other.resolve().as_uri())
    assert tab.text("#left") == "2 of 2 labels left"
    assert not tab.view.is_visible("#ask")


def test_hostile_texts_are_shown_as_texts(tab: Tab) -> None:
    tab.named().keys("j")
    shown = HOSTILE.replace("\u202e", "U+202E")
    assert tab.view.text_content("h2") == shown
    assert tab.view.text_content("main > .text") == f"{shown} And its end."
    assert tab.view.text_content(".candidate:nth-child(1) .text") == shown
    assert tab.view.eval_on_selector_all("main .facts dd", "found => found.map(each => each.textContent)")[-1] == shown
    assert tab.view.query_selector_all("img, b:not(nav b)") == []
    # The whole chunk is marked, surrogate pairs and all: it lies inside the label's text.
    assert tab.view.text_content(".candidate:nth-child(1) mark") == shown


def test_a_megabyte_is_not_laid_out_until_it_is_asked_for(tab: Tab) -> None:
    tab.named().keys("j", "j")
    assert len(tab.text("main")) < 10_000
    tab.view.click(".candidate:nth-child(2) .more")
    assert tab.view.text_content(".candidate:nth-child(2) .text") == CHUNKS[5].text


def test_it_works_with_a_mouse(tab: Tab) -> None:
    tab.named()
    tab.view.click(".candidate:nth-child(2) .pick")
    tab.view.click(".candidate:nth-child(2) .grade button:last-child")
    tab.view.fill(".candidate:nth-child(1) .grade input", "1")
    tab.view.click("#next")
    tab.view.click("#none")
    tab.view.click("#items li:nth-child(4) button")
    tab.view.click("#skip")
    assert decisions(tab.exported()) == [
        about(LABELS[0], "choose", (0, 1), (1, 3)),
        about(LABELS[1], "none"),
        about(LABELS[3], "skip"),
    ]
    tab.view.click("#undo")
    assert len(decisions(tab.exported())) == 2


def test_an_earlier_export_is_imported_and_what_does_not_fit_left_aside(tab: Tab, tmp_path: Path) -> None:
    tab.named()
    tab.keys("1", "j", "x")
    content = tab.exported()
    first, second = content.decode().splitlines()
    ours = tmp_path / "mixed.jsonl"
    wrong = [
        first.replace('"relevance":2', '"relevance":-1'),
        first.replace("human:Ana", "Ana"),
        first.replace(cid(11), cid(14)),
        second.replace("q2", "q9"),
        "no json",
        '{"query_id":"__proto__"}',
    ]
    ours.write_text("\n".join(["// earlier", first, *wrong, second.replace("María", "Lovelace"), ""]), encoding="utf-8")
    tab.keys("u", "u")
    assert tab.view.is_disabled("#export")
    tab.view.set_input_files("#file", str(ours))
    tab.view.wait_for_function("document.getElementById('say').textContent.includes('imported')")
    assert tab.text("#say").startswith("2 decisions imported; 6 lines left aside")
    assert decisions(tab.exported()) == [
        about(LABELS[0], "choose", (0, 2)),
        about(LABELS[1], "none", by="Ana Lovelace"),
    ]


def test_a_name_that_the_command_refuses_is_refused_here(tab: Tab) -> None:
    for name in ("", " ", "a\u202eb", "x" * 201):
        tab.view.eval_on_selector(
            "#name",
            "(field, value) => { field.removeAttribute('maxlength'); field.required = false; field.value = value; }",
            name,
        )
        tab.keys("Enter")
        assert tab.view.is_visible("#ask")
    tab.named("Ana")
    assert tab.text("#who") == "You: Ana"


def test_help_and_focus(tab: Tab) -> None:
    tab.named()
    tab.keys("?")
    assert tab.view.is_visible("#keys")
    tab.keys("x")  # keys of the page do nothing while help is open
    tab.keys("Escape")
    assert tab.text("#left") == "4 of 4 labels left"
    tab.keys("j")
    assert tab.view.evaluate("document.activeElement.tagName") == "H2"
    assert tab.view.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    tab.keys("Tab")
    assert tab.view.evaluate("document.activeElement.type") == "checkbox"
    tab.keys("Space")
    assert tab.view.is_checked("#pick0")
    assert tab.view.get_attribute("#items li:nth-child(2) button", "aria-current") == "true"


def test_every_control_has_a_name(tab: Tab) -> None:
    tab.named()
    nameless = tab.view.evaluate(
        "[...document.querySelectorAll('button, input:not([hidden])')]"
        ".filter(each => !(each.textContent.trim() || each.labels?.length || each.getAttribute('aria-label'))).map(each => each.outerHTML)"
    )
    assert nameless == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_have_contrast_and_narrow_screens_do_not_scroll_sideways(
    browser: Any, tmp_path: Path, scheme: str
) -> None:
    path = tmp_path / "queue.html"
    path.write_bytes(made_page(queue_of(LABELS[:2], corpus_of(CHUNKS[:4])), "ana"))
    tab = Tab(browser, path, color_scheme=scheme, viewport={"width": 320, "height": 640})
    assert not tab.view.is_visible("#ask")  # --by has said it
    for _ in range(2):
        assert tab.view.evaluate("document.documentElement.scrollWidth") <= 320
        tab.keys("j")
    tab.keys("k")
    contrast = """() => {
      const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
      const back = (each) => { for (; each; each = each.parentElement) { const c = getComputedStyle(each).backgroundColor; if (!/, 0\\)$|transparent/.test(c)) return c; } return "rgb(255,255,255)"; };
      return [...document.querySelectorAll("mark, h2, .said, .facts dt, .where, #left, button.main, #say")].map(each => {
        const [a, b] = [light(getComputedStyle(each).color), light(back(each))].sort((x, y) => y - x); return [each.className || each.tagName, (a + .05) / (b + .05)]; });
    }"""
    assert [each for each in tab.view.evaluate(contrast) if each[1] < 4.5] == []
    tab.end()


def test_two_thousand_labels_are_quick(browser: Any, tmp_path: Path) -> None:
    labels = [Judgment(f"q{number:04}", f"d{number}", 1, query=f"Question {number}?", chunk_id=cid(9000 + number), chunk_text=f"Part {number} of it. And more.") for number in range(2000)]  # fmt: skip
    chunks = [
        Chunk(f"c1:{number:016x}{part:016x}", f"d{number}", ordinal=part, text=text)
        for number in range(2000)
        for part, text in enumerate((f"Part {number} of it.", "And more."))
    ]
    path = tmp_path / "queue.html"
    path.write_bytes(made_page(queue_of(labels, corpus_of(chunks)), "ana"))
    tab = Tab(browser, path)
    took = tab.view.evaluate(
        """() => { const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const start = performance.now(); for (let i = 0; i < 200; i++) { press("1"); press("j"); } return (performance.now() - start) / 200; }"""
    )
    assert tab.text("#left") == "1,800 of 2,000 labels left"
    assert took < 100  # milliseconds a label; a person needs seconds
    assert tab.view.evaluate("document.querySelectorAll('main *').length") < 100
    tab.end()


def test_the_whole_way(irbridge: Irbridge, browser: Any, tmp_path: Path) -> None:
    from irbridge.formats.judgments import write

    with open("j.jsonl", "wb") as stream:
        write(LABELS[:2], stream)
    rows = [
        {name: value for name, value in each._asdict().items() if value is not None and name != "extra"}
        for each in CHUNKS[:4]
    ]
    Path("c.json").write_text(json.dumps({"corpus_fingerprint": "new/1", "chunks": rows}), encoding="utf-8")
    assert irbridge("review", "--judgments", "j.jsonl", "--corpus", "c.json", "--html", "queue.html").code == 0
    tab = Tab(browser, tmp_path / "queue.html").named("ana")
    tab.keys("1", "Enter", "2")
    Path("decisions.jsonl").write_bytes(tab.exported())
    tab.end()
    assert irbridge("review", "--judgments", "j.jsonl", "--corpus", "c.json", "--apply", "decisions.jsonl").code == 0
    made = [json.loads(line) for line in Path("j.jsonl").read_text(encoding="utf-8").split("\n") if line]
    assert [(row["query_id"], row["chunk_id"], row["relevance"], row["labeled_by"]) for row in made] == [
        ("q1", cid(11), 2, "human:ana"), ("q2", cid(14), 1, "human:ana"),
    ]  # fmt: skip
    assert irbridge("drift", "--judgments", "j.jsonl", "--corpus", "c.json").code == 0


def test_a_chunk_that_holds_all_of_the_text_is_not_said_to_hold_a_part(browser: Any, tmp_path: Path) -> None:
    labels = [Judgment("q", "d", 1, chunk_id=cid(1), chunk_text="\U0001f600 dogs ride free.")]
    chunks = [Chunk(cid(11), "d", "r", 0, "Here: \U0001f600\ndogs  ride free. So do cats.")]
    path = tmp_path / "all.html"
    path.write_bytes(made_page(queue_of(labels, corpus_of(chunks), label="j.jsonl")))
    found = Tab(browser, path).named()
    # One emoji, "dogs ride free." and the space between.
    assert found.text(".where").startswith("holds all of it, 17 characters ·")
    found.end()
