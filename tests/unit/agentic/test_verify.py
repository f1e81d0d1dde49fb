"""A report is believed as far as its receipts bear it out: each thing that may be wrong, made wrong, is found by its code."""

from __future__ import annotations

import contextlib
import copy
import gzip
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.agentic_fixture import FIRST, write
from support.agentic_runs import ran, small

from irbridge.agentic import receipt_files
from irbridge.agentic.artifacts import prepared_in, write_artifacts
from irbridge.agentic.benchmark import Gate
from irbridge.agentic.canonical_json import canonical_json, fingerprint
from irbridge.agentic.comparing import compare
from irbridge.agentic.fixture import load_fixture
from irbridge.agentic.page import report_markdown, report_page
from irbridge.agentic.receipt_files import read_receipts, read_report
from irbridge.agentic.records import plain, record
from irbridge.agentic.report import BenchmarkReport, canonical_part, sealed_report
from irbridge.agentic.rescoring import rescore
from irbridge.agentic.thresholds import USUAL
from irbridge.agentic.verify import codes, verify
from irbridge.errors import InputError, UnknownName, UsageError

Json = dict[str, Any]
Change = Callable[[Json], Any]


@pytest.fixture(scope="module")
def fixture(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return small(tmp_path_factory.mktemp("fixture"))


@pytest.fixture(scope="module")
def report(fixture: Any) -> BenchmarkReport:
    return ran(fixture, gate=Gate("lexical", "capsule")).report


@pytest.fixture
def folder(report: BenchmarkReport, tmp_path: Path) -> Path:
    write_artifacts(report, tmp_path / "out")
    return tmp_path / "out"


def forged(folder: Path, change: Change) -> None:
    """Change a report and make all files and fingerprints fit, as somebody would who wants to be believed."""
    place = folder / "report.json"
    value = json.loads(place.read_bytes())
    change(value)
    report = sealed_report(record(BenchmarkReport, value))
    place.write_text(json.dumps(plain(report)))
    (folder / "canonical.json").write_text(canonical_json(canonical_part(report)))
    with contextlib.suppress(InputError):  # a page of what does not belong together there is not
        (folder / "report.md").write_text(report_markdown(report))
    seen = json.loads((folder / "observations.json").read_bytes())
    seen["canonicalFingerprint"] = report.canonical_fingerprint
    for row, receipt in zip(seen["receipts"], value["receipts"], strict=False):
        row["observations"] = receipt["observations"]
    (folder / "observations.json").write_text(json.dumps(seen))


def found(folder: Path, fixture: Any) -> set[str]:
    return set(codes(verify(str(folder), fixture).findings))


def lexical(report: Json) -> Json:
    """The canonical part of lexical's first receipt: a search, then a read."""
    return next(each["canonical"] for each in report["receipts"] if each["canonical"]["adapterId"] == "lexical")


def test_what_does_not_belong_together_has_no_page(folder: Path) -> None:
    forged(folder, lambda report: report["scores"].pop())
    with pytest.raises(InputError, match="not of the same pairs"):
        report_page(read_report(str(folder)))
    with pytest.raises(InputError, match="not of the same pairs"):
        compare(read_report(str(folder)), read_report(str(folder)))


def test_what_was_written_holds(folder: Path, fixture: Any) -> None:
    done = verify(str(folder), fixture)
    assert done.findings == []
    assert done.receipts == 8
    assert verify(str(folder / "report.json"), fixture).findings == []


def _set(place: str, value: Any) -> Change:
    def change(report: Json) -> None:
        *way, last = place.split(".")
        for step in way:
            report = report[int(step) if step.isdigit() else step]
        report[int(last) if last.isdigit() else last] = value

    return change


def _evidence_text(report: Json) -> None:
    lexical(report)["calls"][0]["result"]["evidence"][0]["text"] = "Launch date: 2027-01-01"


def _evidence_of_nothing(report: Json) -> None:
    lexical(report)["calls"][0]["result"]["evidence"][0]["uri"] = "corpus://c001/none.md"


def _foreign_evidence(report: Json) -> None:
    one, other = (each["canonical"] for each in report["receipts"] if each["canonical"]["adapterId"] == "capsule" and each["canonical"]["lifecycle"] == "cold")  # fmt: skip
    one["calls"][0]["result"]["evidence"].append(other["calls"][0]["result"]["evidence"][0])


HEX = "0" * 64
FORGERIES: list[tuple[str, Change, str]] = [
    ("success", _set("scores.0.success", 0), "score_mismatch"),
    ("linkage", _set("scores.0.linkedSupportedClaims", 9), "score_mismatch"),
    ("no score", lambda report: report["scores"].pop(), "score_mismatch"),
    ("the gate", _set("promotion.passed", False), "promotion_mismatch"),
    ("a threshold", _set("promotion.thresholds.claimLinkage", "7"), "promotion_mismatch"),
    ("an interval", _set("promotion.intervals.contextByteReduction.low", 0.9), "promotion_mismatch"),
    ("calls", lambda report: lexical(report).update(agentCalls=1), "agent_calls_mismatch"),
    ("bytes", lambda report: lexical(report).update(modelVisibleUtf8Bytes=1), "model_visible_bytes_mismatch"),
    ("bytes of a call", lambda report: lexical(report)["calls"][0].update(modelVisibleUtf8Bytes=1), "call_model_visible_bytes_mismatch"),
    ("the text of evidence", _evidence_text, "evidence_mismatch"),
    ("the source of evidence", _evidence_of_nothing, "evidence_mismatch"),
    ("another task's evidence", _foreign_evidence, "evidence_mismatch"),
    ("a tool", lambda report: lexical(report)["calls"][0].update(toolName="shell"), "tool_not_allowed"),
    ("arguments", lambda report: lexical(report)["calls"][0].update(arguments={"q": 1}), "invalid_tool_arguments"),
    ("the corpus", lambda report: lexical(report)["fingerprints"].update(corpus=HEX), "receipt_fingerprint_mismatch"),
    ("the tools", lambda report: lexical(report)["fingerprints"].update(tools=HEX), "receipt_fingerprint_mismatch"),
    ("the fixture", _set("fixtureFingerprint", HEX), "fixture_mismatch"),
    ("its version", _set("environment.fixtureVersion", "9"), "fixture_mismatch"),
    ("a receipt less", lambda report: report["receipts"].pop(), "matrix_mismatch"),
    ("a receipt twice", lambda report: report["receipts"].append(report["receipts"][0]), "matrix_mismatch"),
    ("the order", lambda report: report["receipts"].reverse(), "matrix_mismatch"),
    ("a task", lambda report: lexical(report).update(taskId="t9999999"), "unknown_task"),
    ("completeness", _set("environment.schedule.complete", False), "schedule_mismatch"),
    ("a count", _set("attemptedPairs", 9), "counts_mismatch"),
    ("scored", _set("scoredPairs", 7), "counts_mismatch"),
    ("a hidden failure", lambda report: lexical(report)["failure"].update({"class": "harness_error", "code": "x"}), "counts_mismatch"),
    ("a replay", _set("capsuleReplays.0.replayPayload", "{}"), "promotion_mismatch"),
]  # fmt: skip


@pytest.mark.parametrize("change, code", [each[1:] for each in FORGERIES], ids=[each[0] for each in FORGERIES])
def test_a_forged_report_that_fits_itself_is_found_out(change: Change, code: str, folder: Path, fixture: Any) -> None:
    forged(folder, change)
    now = found(folder, fixture)
    assert code in now
    assert not now & {"fingerprint_mismatch", "canonical_mismatch", "page_mismatch"}


@pytest.mark.parametrize(
    "name, change, code",
    [
        ("report.json", lambda text: text.replace('"success": 1', '"success": 0', 1), "fingerprint_mismatch"),
        ("report.json", lambda text: text.replace('"scoredPairs": 8', '"scoredPairs": 8, "scoredPairs": 8'), "invalid_report"),
        ("report.json", lambda text: text.replace('"scoredPairs": 8', '"scoredPairs": 8, "more": 1'), "invalid_report"),
        ("report.json", lambda text: text.replace('"scoredPairs": 8,', ""), "invalid_report"),
        ("report.json", lambda text: text[:-9], "invalid_report"),
        ("canonical.json", lambda text: text + "\n", "canonical_mismatch"),
        ("canonical.json", lambda text: text + "\n", "fingerprint_mismatch"),
        ("observations.json", lambda text: text.replace("<temp>", "/tmp/x", 1), "observations_mismatch"),
        ("observations.json", lambda text: text[:-3], "invalid_observations"),
        ("observations.json", lambda text: "[]", "invalid_observations"),
        ("report.md", lambda text: text.replace("PASS", "FAIL"), "page_mismatch"),
    ],
)  # fmt: skip
def test_a_file_that_was_edited_is_found_out(
    name: str, change: Callable[[str], str], code: str, folder: Path, fixture: Any
) -> None:
    before = (folder / name).read_text()
    (folder / name).write_text(change(before))
    assert (folder / name).read_text() != before
    assert code in found(folder, fixture)


@pytest.mark.parametrize("name", ["report.json", "theirs.json", "theirs.json.gz", "theirs"])
@pytest.mark.parametrize("last", [False, True])
def test_a_report_is_checked_as_one_whatever_its_name(
    name: str, last: bool, report: BenchmarkReport, fixture: Any, tmp_path: Path
) -> None:
    value = plain(report)
    value["scores"][0]["success"] = 1 - value["scores"][0]["success"]
    if last:  # its name stands behind everything else
        value["benchmarkId"] = value.pop("benchmarkId")
    data = json.dumps(value).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    done = verify(str(tmp_path / name), fixture)
    assert codes(done.findings) == {"fingerprint_mismatch": 1, "score_mismatch": 1}
    assert done.unchecked == ["canonical.json", "observations.json", "report.md"]


def test_of_a_folder_and_of_bare_receipts_nothing_is_left_unchecked(
    folder: Path, report: BenchmarkReport, fixture: Any, tmp_path: Path
) -> None:
    (tmp_path / "r.json").write_text(json.dumps([plain(each) for each in report.receipts]))
    assert [list(verify(str(each), fixture).unchecked) for each in (folder, tmp_path / "r.json")] == [[], []]


def test_a_report_that_is_compressed_in_its_folder_is_a_finding(folder: Path, fixture: Any) -> None:
    (folder / "report.json").write_bytes(gzip.compress((folder / "report.json").read_bytes()))
    assert codes(verify(str(folder), fixture).findings) == {"invalid_report": 1}


def test_a_report_that_is_cut_off_is_a_finding_with_its_place(folder: Path, fixture: Any, tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_bytes((folder / "report.json").read_bytes()[:5000])
    (found,) = verify(str(tmp_path / "cut.json"), fixture).findings
    assert found.code == "invalid_report"
    assert re.match(r".*cut\.json:\d+: not JSON: ", found.detail)


def test_a_file_that_is_gone_is_a_finding_and_a_folder_without_any_an_error(
    folder: Path, fixture: Any, tmp_path: Path
) -> None:
    for name in ("canonical.json", "observations.json", "report.md"):
        (folder / name).unlink()
    assert codes(verify(str(folder), fixture).findings) == {"missing_file": 3}
    with pytest.raises(InputError, match="no report there"):
        verify(str(tmp_path), fixture)
    with pytest.raises(InputError):
        verify(str(tmp_path / "gone"), fixture)
    with pytest.raises(InputError, match="there is no such file"):
        verify(str(tmp_path / "gone" / "report.json"), fixture)


def test_what_was_made_on_another_fixture_is_one_error(folder: Path, report: BenchmarkReport, tmp_path: Path) -> None:
    def more(files: Json) -> None:
        files["corpus/t0000001/c001/more.md"] = "# More\n"

    write(tmp_path / "other", more)
    other = load_fixture(tmp_path / "other")
    rows = [plain(each) for each in report.receipts]
    (tmp_path / "r.json").write_text(json.dumps(rows))
    for path, what in ((folder, "fixture"), (folder / "report.json", "fixture"), (tmp_path / "r.json", "corpus")):
        with pytest.raises(InputError, match=rf"was made on {what} .* and is held against {what} ") as told:
            verify(str(path), other)
        assert told.value.path == str(path)
        assert "--fixture DIR" in str(told.value.hint)
    # One receipt of this corpus is enough for the others to be findings.
    rows[0]["canonical"]["fingerprints"]["corpus"] = other.snapshot.fingerprint
    (tmp_path / "r.json").write_text(json.dumps(rows))
    assert codes(verify(str(tmp_path / "r.json"), other).findings)["receipt_fingerprint_mismatch"] == len(rows) - 1


def test_a_file_that_is_too_large_is_an_error_that_names_it(
    folder: Path, fixture: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipt_files, "LARGEST", 1 << 20)
    with (folder / "canonical.json").open("ab") as stream:
        stream.truncate((1 << 20) + 1)
    with pytest.raises(InputError, match=r"canonical\.json: is larger than 1 MB"):
        verify(str(folder), fixture)
    with (folder / "observations.json").open("ab") as stream:
        stream.truncate((1 << 20) + 1)
    assert prepared_in(str(folder)) == []
    with (folder / "report.json").open("ab") as stream:
        stream.truncate((1 << 20) + 1)
    assert found(folder, fixture) == {"invalid_report"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_the_folder_is_no_file_and_nothing_waits_for_it(folder: Path, fixture: Any) -> None:
    for name in ("canonical.json", "observations.json"):
        (folder / name).unlink()
        os.mkfifo(folder / name)
    assert codes(verify(str(folder), fixture).findings) == {"missing_file": 2}
    assert prepared_in(str(folder)) == []


def test_arguments_that_are_nested_too_deep_are_a_finding(folder: Path, fixture: Any) -> None:
    deep: Any = []
    for _ in range(600):  # beyond a number that has no canonical form of its own, so that both ways of writing are met
        deep = [deep]
    value = json.loads((folder / "report.json").read_text())
    lexical(value)["calls"][0]["arguments"] = {"a": 1.5, "b": deep}
    (folder / "report.json").write_text(json.dumps(value))
    assert found(folder, fixture) == {"invalid_report"}


def test_preparations_that_are_no_list_are_a_finding(folder: Path, fixture: Any) -> None:
    value = json.loads((folder / "observations.json").read_text())
    (folder / "observations.json").write_text(json.dumps({**value, "preparations": 5}))
    assert found(folder, fixture) == {"observations_mismatch"}


def test_a_bare_receipt_twice_is_a_finding(report: BenchmarkReport, fixture: Any, tmp_path: Path) -> None:
    rows = [plain(each) for each in [*report.receipts, report.receipts[0]]]
    (tmp_path / "r.json").write_text(json.dumps(rows))
    assert codes(verify(str(tmp_path / "r.json"), fixture).findings) == {"matrix_mismatch": 1}


def test_bare_receipts_are_checked_too(report: BenchmarkReport, fixture: Any, tmp_path: Path) -> None:
    rows = [plain(each) for each in report.receipts]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    assert verify(str(tmp_path / "r.jsonl"), fixture).findings == []
    lexical({"receipts": rows})["agentCalls"] = 7
    (tmp_path / "r.json").write_text(json.dumps(rows))
    assert found(tmp_path / "r.json", fixture) == {"agent_calls_mismatch"}


# ------------------------------------------------------------------------------------------------------------- receipts


def test_receipts_are_read_from_wherever_they_stand(folder: Path, report: BenchmarkReport, tmp_path: Path) -> None:
    rows = [plain(each) for each in read_report(str(folder)).receipts]
    (tmp_path / "lines").write_text("\n".join(json.dumps(each) for each in rows) + "\n\n")
    (tmp_path / "array").write_text(json.dumps(rows, indent=1))
    (tmp_path / "one").write_text(json.dumps(rows[0], indent=1))
    (tmp_path / "compact").write_text(json.dumps(json.loads((folder / "report.json").read_text())))
    for name in ("lines", "array", "out", "out/report.json", "compact"):
        assert [each.canonical for each in read_receipts(str(tmp_path / name))] == [
            each.canonical for each in report.receipts
        ]
    assert len(read_receipts(str(tmp_path / "one"))) == 1


@pytest.mark.parametrize(
    "text, why", [("", "holds no receipt"), ("[]", "holds no receipt"), ("{}\n", ":1: not a"), ("\n\n{\n", "not JSON")]
)
def test_what_is_no_receipt_is_told_with_its_line(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "r").write_text(text)
    with pytest.raises(InputError) as error:
        read_receipts(str(tmp_path / "r"))
    assert why in str(error.value)


# -------------------------------------------------------------------------------------------------------------- rescore


def test_rescoring_changes_nothing_where_nothing_changed(report: BenchmarkReport, fixture: Any) -> None:
    done = rescore(report, fixture)
    assert done.report == report
    assert (done.changed, done.notes) == ([], [])


def test_rescoring_finds_scores_that_were_wrong(report: BenchmarkReport, fixture: Any) -> None:
    value = copy.deepcopy(plain(report))
    value["scores"][0]["success"] = 0
    done = rescore(record(BenchmarkReport, value), fixture)
    assert [each.members for each in done.changed] == [{"success": (0, 1)}]
    assert done.report == report


def test_rescoring_may_decide_otherwise(report: BenchmarkReport, fixture: Any) -> None:
    other = rescore(
        report,
        fixture,
        "covering",
        Gate("lexical", "capsule", msgspec.structs.replace(USUAL, agent_call_reduction="0.51")),
    )
    assert other.report.promotion is not None
    assert other.report.promotion.failures == ["agent_call_reduction_below_0.51_or_zero_denominator"]
    assert other.report.environment.match == "covering"
    assert other.report.canonical_fingerprint == fingerprint(canonical_part(other.report))
    with pytest.raises(UnknownName, match="'gone' is not an adapter of the report"):
        rescore(report, fixture, None, Gate("lexical", "gone"))


# -------------------------------------------------------------------------------------------------------------- compare


def test_two_adapters_of_one_report(report: BenchmarkReport) -> None:
    (done,) = compare(report, report, ("lexical", "capsule"))
    success, calls, size = done.changes
    # Both tasks, cold and warm: always answered; two calls each against one.
    assert (success.one, success.other, success.difference) == (1, 1, 0)
    assert (calls.one, calls.other, calls.difference) == (2, 1, -1)
    assert (calls.low, calls.high) == (None, None)  # every task says the same, so there is no spread
    assert size.low is not None
    assert (done.pairs, done.tasks, done.apart, done.excluded, done.notes) == (4, 2, 0, 0, [])
    assert done.by_task[0][:3] == (FIRST, (2, 2), (4, 2))


def test_a_report_with_itself_has_no_difference(report: BenchmarkReport) -> None:
    done = compare(report, report)
    assert [each.adapters for each in done] == [("capsule", "capsule"), ("lexical", "lexical")]
    assert all(change.difference == 0 for each in done for change in each.changes)
    assert all(each.by_task == [] for each in done)


def test_pairs_of_one_side_only_are_counted_and_left_out(report: BenchmarkReport, fixture: Any) -> None:
    part = ran(fixture, ["lexical"], tasks=[FIRST], lifecycles=["cold"]).report
    (done,) = compare(report, part)
    assert (done.pairs, done.apart) == (1, 3)
    warm = ran(fixture, ["lexical"], tasks=[FIRST], lifecycles=["warm"]).report
    with pytest.raises(UsageError, match="no pair in common"):
        compare(part, warm)


def test_adapters_that_are_not_there(report: BenchmarkReport, fixture: Any) -> None:
    with pytest.raises(UnknownName, match="did you mean lexical"):
        compare(report, report, ("lexica", "lexical"))
    one, other = (ran(fixture, [name], tasks=[FIRST]).report for name in ("lexical", "capsule"))
    with pytest.raises(UsageError, match="no adapter is in both"):
        compare(one, other)
