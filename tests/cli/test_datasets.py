from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Irbridge = Callable[..., Any]


def test_a_word_narrows_the_list(irbridge: Irbridge) -> None:
    done = irbridge("datasets", "scifact")
    assert done.code == 0
    rows = {line.split()[0]: line.split()[1:4] for line in done.out.splitlines() if line.startswith("  ")}
    # judgments, queries and documents, as ir_datasets' metadata has them.
    assert rows["beir/scifact/test"] == ["339", "300", "5,183"]
    assert "cranfield" not in rows


def test_json_holds_counts_and_contents(irbridge: Irbridge) -> None:
    found = {each["id"]: each for each in json.loads(irbridge("--json", "datasets", "vaswani").out)}
    assert found["vaswani"]["judgments"] == 2083
    assert found["vaswani"]["contents"] == ["documents", "queries", "judgments"]


def test_no_collection_with_that_word_is_exit_1(irbridge: Irbridge) -> None:
    done = irbridge("datasets", "no-such-word-anywhere")
    assert done.code == 1
    assert "no collection has 'no-such-word-anywhere'" in done.out
    assert irbridge("datasets", "no-such-word-anywhere", "--json").out == "[]\n"


def test_all_words_must_be_there(irbridge: Irbridge) -> None:
    found = json.loads(irbridge("--json", "datasets", "SciFact", "test").out)
    ids = [each["id"] for each in found]
    assert "beir/scifact/test" in ids
    assert "beir/scifact/train" not in ids
    assert len(ids) < len(json.loads(irbridge("--json", "datasets", "scifact").out))
    none = irbridge("datasets", "scifact", "no-such-word")
    assert none.code == 1
    assert "no collection has 'scifact' and 'no-such-word'" in none.out
