"""Baselines: what is read, what is refused, and what makes two reports incomparable."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from irbridge.errors import InputError
from irbridge.gates import baseline
from irbridge.gates.baseline import Baseline, compare

KNOBS = {
    "name": "retrieval-eval", "precision": "float64", "ties": "given", "missing": "zero", "no_positives": "exclude",
    "duplicates": "first", "self_retrieval": "keep", "rel": 1, "depth": None, "gain": None, "judged_only": False,
    "level_cuts_gain": False, "tied": "ordered", "recall_points": "round", "relevant_total": "level",
}  # fmt: skip
NOW: dict[str, Any] = {
    "spec_version": "1",
    "judgments": {
        "queries": 5, "queries_scored": 4, "labels": 9, "fingerprint": None, "human_labels": 9, "synthetic_labels": 0,
    },
    "metrics": {"recall@5": {"value": 0.5}},
    "convention": KNOBS,
    "labels_sha256": "aa",
}  # fmt: skip
#: What a tool writes that knows the specification only.
PLAIN = {name: NOW[name] for name in ("spec_version", "judgments", "metrics")}


def changed(base: dict[str, Any], **more: Any) -> dict[str, Any]:
    made = copy.deepcopy(base)
    for name, value in more.items():
        target = made
        *path, last = name.split("__")
        for part in path:
            target = target[part]
        target[last] = value
    return made


def test_the_same_question_may_be_compared() -> None:
    assert compare(NOW, NOW) == ((), ())
    # The name of a convention says nothing that its knobs do not say; the corpus may have changed, and the run.
    other = changed(NOW, convention__name="mine", corpus={"fingerprint": "x"}, metrics={})
    assert compare(other, NOW) == ((), ())


@pytest.mark.parametrize(
    "before, difference",
    [
        (changed(NOW, labels_sha256="bb"), "other labels: as many, with other ids, grades or strata"),
        (
            changed(NOW, labels_sha256="bb", judgments__labels=8),
            "other labels: 8 of 5 queries there, 9 of 5 queries here",
        ),
        (changed(NOW, convention__ties="docid-desc"), "another convention: ties docid-desc there, given here"),
        (
            changed(NOW, convention__missing="skip", convention__depth=7),
            "another convention: missing skip there, zero here, depth 7 there, None here",
        ),
        (changed(NOW, convention__rel=2), "another threshold: relevance >= 2 there, >= 1 here"),
        (changed(PLAIN, judgments__labels=8), "other labels: labels 8 there, 9 here"),
        (changed(PLAIN, judgments__queries=6), "other labels: queries 6 there, 5 here"),
        (changed(PLAIN, judgments__fingerprint="w/1"), "other labels: fingerprint w/1 there, None here"),
        (changed(PLAIN, judgments__human_labels=8), "other labels: human labels 8 there, 9 here"),
        (changed(PLAIN, judgments__queries_scored=3), "another threshold: 3 queries scored there, 4 here"),
    ],
)
def test_another_question_may_not(before: dict[str, Any], difference: str) -> None:
    assert compare(before, NOW).differences == (difference,)


def test_several_differences_are_all_said() -> None:
    before = changed(NOW, labels_sha256="bb", convention__ties="docid-asc", convention__rel=3)
    assert [each.split(":")[0] for each in compare(before, NOW).differences] == [
        "other labels", "another convention", "another threshold",
    ]  # fmt: skip


def test_what_a_baseline_does_not_tell_is_said_to_be_unknown() -> None:
    assert compare(PLAIN, NOW) == ((), ("labels (their numbers agree)", "convention", "threshold"))
    bare = {"judgments": {}, "metrics": {}}
    assert compare(bare, NOW).differences == ()
    some = changed(NOW, convention={"ties": "given", "rel": 1})
    assert compare(some, NOW) == ((), ("convention",))


def test_queries_scored_tell_no_threshold_where_the_run_decides_them_too() -> None:
    now = changed(NOW, convention__missing="skip")
    assert compare(changed(PLAIN, judgments__queries_scored=3), now).differences == ()


@pytest.mark.parametrize("convention", ["trec", None, 5, [], {"ties": ["a"] * 1000}])
def test_a_convention_of_another_shape_is_no_crash(convention: object) -> None:
    found = compare(changed(NOW, convention=convention), NOW)
    assert found.differences or "convention" in found.unknown
    assert len("".join(found.differences)) < 300


def with_measure(name: str, **about: Any) -> dict[str, Any]:
    """The report with one more measure, and what it rests on."""
    inputs = [
        {"role": "measures", "path": "mine.py", "sha256": "cc"},
        {"role": "corpus", "path": "c.jsonl", "sha256": "dd"},
    ]
    metrics = {name: {"value": 0.5}}
    return changed(NOW, metrics=metrics, measures={name: {"measure": name, **about}}, inputs=inputs)


@pytest.mark.parametrize("damaged", [[1], {"Zz@5": 5}, {"Zz@5": {"measure": 7}}, None, "x", {}])
def test_a_file_that_a_damaged_baseline_does_not_tell_is_unknown(damaged: object) -> None:
    now = with_measure("Zz@5", **{"from": ["mine.py"]})
    assert compare(now, now) == ((), ())
    assert compare({**now, "measures": damaged}, now) == ((), ("file of Zz@5",))
    # Without a value of it nothing is compared.
    assert compare({**now, "measures": damaged, "metrics": {}}, now) == ((), ())


def test_how_a_budget_was_counted() -> None:
    def counted(how: object) -> dict[str, Any]:
        return with_measure("nDCG@20tok", budget={"limit": 20, "unit": "tok", "counted": how})

    now = counted("tokens (ws) of c.jsonl")
    assert compare(now, now) == ((), ())
    # Where the file lies says nothing, its digest does.
    assert compare(counted("tokens (ws) of there/c.jsonl"), now) == ((), ())
    assert compare(counted("tokens (mine) of c.jsonl"), now).differences == (
        "another way of counting: tokens (mine) there, tokens (ws) here",
    )
    assert compare(counted("lengths of l.tsv"), now).differences == (
        "another way of counting: lengths there, tokens (ws) here",
    )
    for untold in (counted(5), {**now, "measures": {"nDCG@20tok": 5}}, {**now, "measures": {}}):
        assert compare(untold, now) == ((), ("way of counting",))
    other = changed(now, inputs=[{"role": "corpus", "path": "c.jsonl", "sha256": "ee"}])
    assert compare(other, now).differences == ("another corpus that was counted",)
    for unknown in (changed(now, inputs=[]), changed(now, inputs=[{"role": "corpus", "sha256": None}])):
        assert compare(unknown, now) == compare(now, unknown) == ((), ("corpus that was counted",))


# ------------------------------------------------------------------------------------------------------------- reading


def test_a_file_a_compressed_file_and_json_values(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps(NOW))
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(json.dumps(NOW).encode()))
    (tmp_path / "bom.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(NOW).encode())
    for name in ("b.json", "b.json.gz", "bom.json"):
        read = Baseline.of(tmp_path / name)
        assert read.data == NOW
        assert read.sha256 is not None
    assert Baseline.of(NOW).data == NOW
    assert Baseline.of(NOW).sha256 is None


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"metrics": {"a": {"value": NaN}}, "judgments": {}}', "NaN is no JSON number"),
        ('{"metrics": {"a": {"value": -Infinity}}, "judgments": {}}', "-Infinity is no JSON number"),
        ('{"metrics": {"a": {"value": 1e400}}, "judgments": {}}', "the value of 'a' is no finite number"),
        ('{"metrics": {"a": {"value": 1' + "0" * 380 + '}}, "judgments": {}}', "the value of 'a' is no finite number"),
        ('{"metrics": {"a": {"value": ' + "1" * 9000 + '}}, "judgments": {}}', "a number of 9,000 digits"),
        ('{"metrics": {"a": {"value": "0.5"}}, "judgments": {}}', "the value of 'a' is no finite number"),
        ('{"metrics": {"a": {"value": true}}, "judgments": {}}', "the value of 'a' is no finite number"),
        ('{"metrics": {"a": {}}, "judgments": {}}', "the value of 'a' is no finite number"),
        ('{"metrics": {"a": 0.5}, "judgments": {}}', "'a' of 'metrics' is no object with a value"),
        ('{"metrics": [], "judgments": {}}', "'metrics' is no object"),
        ('{"metrics": {}}', "'judgments' is missing"),
        ("{}", "'judgments' is missing"),
        ("[]", "it is no JSON object"),
        ("null", "it is no JSON object"),
        ('{"spec_version": "2", "metrics": {}, "judgments": {}}', "spec_version is 2, not 1"),
        ('{"spec_version": 1, "metrics": {}, "judgments": {}}', 'spec_version is 1 and no text, not "1"'),
        ('{"metrics": {}, "metrics": {}, "judgments": {}}', "the key 'metrics' stands twice"),
        ('{"query_id": "q1", "ranking": []}\n{"query_id": "q2", "ranking": []}\n', "is no JSON"),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused_in_words(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        Baseline.of(tmp_path / "b.json")
    assert "b.json" in str(caught.value)
    assert "--out REPORT.json" in str(caught.value.hint)
    assert len(str(caught.value)) < 400


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(InputError, match="is not UTF-8 text"):
        Baseline.of(tmp_path / "b.json")


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline, "LARGEST", 10)
    (tmp_path / "b.json").write_text(json.dumps(NOW))
    with pytest.raises(InputError, match="is too large to be a report"):
        Baseline.of(tmp_path / "b.json")


@pytest.mark.parametrize("what", [5, ["a"], 0.5])
def test_an_object_that_is_no_report(what: object) -> None:
    with pytest.raises(InputError, match="is no report"):
        Baseline.of(what)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        Baseline.of(tmp_path / "none.json")


@pytest.mark.parametrize(
    "before, said",
    [
        (changed(NOW, coverage={"judged_hits": 0}), "none of the ids that its run retrieved is judged"),
        # It tells that something is judged, so its zeros are the retriever's.
        (changed(NOW, coverage={"judged_hits": 3}, metrics={"recall@5": {"value": 0.0}}), None),
        (changed(PLAIN, metrics={"a": {"value": 0}, "b": {"value": 0.0}}), "every value in it is 0, as where none of the retrieved ids is judged"),
        (changed(PLAIN, metrics={"a": {"value": 0}, "b": {"value": 0.1}}), None),
        # What is no number tells nothing.
        (changed(PLAIN, coverage={"judged_hits": False}), None),
        (changed(PLAIN, coverage=[0]), None),
        (changed(NOW, coverage={"judged_hits": 0}, metrics={}), None),
    ],
)  # fmt: skip
def test_a_report_of_which_nothing_is_judged_is_no_baseline(before: dict[str, Any], said: str | None) -> None:
    assert compare(before, NOW).differences == (() if said is None else (said,))
