"""What holds for every chunker in the registry, whether or not its library is installed."""

from __future__ import annotations

import re

import pytest

from irbridge.chunking import CHUNKERS, Chunker, Method, chunker
from irbridge.errors import MissingDependency, UsageError

ALL = CHUNKERS.builtin()
TEXT = (
    "# Head\r\n\r\nDr. Smith came.  He left! One more\tsentence, e.g. this.\n\nNext para 😀 e\u0301. 第二句。第三句。\n"
    "```\ncode = 1\n```\nThe end of it is here, and this line is a longer one.\n"
)


@pytest.fixture(params=ALL, ids=lambda method: method.name)
def method(request: pytest.FixtureRequest) -> Method:
    found = request.param
    assert isinstance(found, Method)
    return found


@pytest.fixture
def bound(method: Method) -> Chunker:
    """The method with small settings, where its library is at hand."""
    settings = ["30", "10"] if method.name not in {"whole", "sentence"} else ["1"]
    try:
        return chunker("/".join([method.name, *settings[: len(method.settings)]]))
    except MissingDependency as error:
        pytest.skip(str(error))


def test_there_are_the_chunkers_of_this_release() -> None:
    assert {method.name for method in ALL} >= {
        *("whole", "fixed", "recursive", "sentence", "markdown", "semantic", "semantic-markdown"),
        *("chonkie-token", "chonkie-sentence", "chonkie-recursive", "langchain-recursive", "langchain-markdown"),
        *("llama-index-sentence", "llama-index-token"),
    }


def test_it_is_documented(method: Method) -> None:
    for said in (method.summary, *(setting.meaning for setting in method.settings)):
        assert len(said) > 5
        assert said == said.strip().removesuffix(".")
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", method.name)
    assert method.usage.startswith(method.name)


def test_settings_that_may_be_left_out_stand_last(method: Method) -> None:
    needed = [setting.default is None for setting in method.settings]
    assert needed == sorted(needed, reverse=True)


def test_a_library_that_is_missing_is_named_with_its_pip_line(method: Method) -> None:
    missing = None
    try:
        chunker(method.example)
    except MissingDependency as error:
        missing = error
    assert missing is None or (missing.hint or "").startswith("pip install ")
    assert missing is None or callable(method.version)


def test_wrong_settings_are_refused_before_any_library_is_asked(method: Method) -> None:
    with pytest.raises(UsageError, match="settings"):
        chunker(f"{method.name}/9/1/1")
    with pytest.raises(UsageError):
        chunker(f"{method.name}/x")


@pytest.mark.may_skip("only one of the libraries is needed by the rest of the tests")
def test_its_fingerprint_is_a_spec_of_the_same_chunker(bound: Chunker) -> None:
    again = chunker(bound.fingerprint)
    assert again == bound
    assert again.spans(TEXT) == bound.spans(TEXT)


@pytest.mark.may_skip("only one of the libraries is needed by the rest of the tests")
def test_another_version_is_refused(bound: Chunker) -> None:
    with pytest.raises(UsageError, match=r"asks for version 0\.0\.9"):
        chunker(bound.fingerprint.partition("@")[0] + "@0.0.9")


@pytest.mark.may_skip("only one of the libraries is needed by the rest of the tests")
def test_its_spans_obey_the_laws(bound: Chunker) -> None:
    spans = bound.spans(TEXT)  # which checks all but the last of them
    assert spans
    assert "".join(TEXT.split()) == "".join("".join(TEXT[a:b].split()) for a, b in _disjoint(spans))


def _disjoint(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    high, found = 0, []
    for start, end in spans:
        found.append((max(start, high), end))
        high = end
    return found


@pytest.mark.may_skip("only one of the libraries is needed by the rest of the tests")
def test_small_texts(bound: Chunker) -> None:
    for text in ("", " ", "\n\r\n\t", "\u2029\u3000"):
        assert bound.spans(text) == []
    for text in ("a", "\x00", "👩\u200d👧", "e\u0301", "a\rb", "  a\r\n"):
        start = len(text) - len(text.lstrip())
        assert bound.spans(text) == [(start, len(text.rstrip()))]
