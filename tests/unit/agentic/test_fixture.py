"""A fixture is loaded only if every check holds; each is broken here, one at a time, and says so with the file's name."""

from __future__ import annotations

import hashlib
import json
import os

import pytest
from support import agentic_fixture as small
from support.agentic_fixture import FIRST, SECOND

from irbridge.agentic.fixture import load_fixture, seal
from irbridge.agentic.records import plain
from irbridge.errors import InputError

TASK, ORACLE = f"tasks/{FIRST}.json", f"oracles/{FIRST}.json"
CORPUS = f"corpus/{FIRST}/c001/a.md"


def test_loads(tmp_path):
    manifest = small.write(tmp_path)
    found = load_fixture(tmp_path)
    assert sorted(found.tasks) == sorted(found.oracles) == [FIRST, SECOND]
    assert [source.uri for source in found.snapshot.sources] == [
        "corpus://c001/a.md",
        "corpus://c001/old/b.md",
        "corpus://c002/a.md",
    ]
    assert (
        found.snapshot.by_uri["corpus://c001/a.md"].text == "# Plan\r\n\r\nLaunch date: 2026-09-14\r\nOwner: Noor\r\n"
    )
    assert found.snapshot.fingerprint == manifest["corpusFingerprint"]
    canonical = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert found.fingerprint == hashlib.sha256(canonical.encode()).hexdigest()
    with pytest.raises(TypeError):
        found.tasks["t0000003"] = found.tasks[FIRST]


def refused(folder, path, message):
    with pytest.raises(InputError, match=message) as caught:
        load_fixture(folder)
    assert caught.value.path == os.path.join(folder, *path.split("/"))


def test_no_manifest(tmp_path):
    refused(tmp_path, "manifest.json", "no such file")


def oracle(steps, value):
    def change(files):
        found = files[ORACLE]
        for step in steps[:-1]:
            found = found[step]
        found[steps[-1]] = value

    return change


def task(steps, value):
    def change(files):
        found = files[TASK]
        for step in steps[:-1]:
            found = found[step]
        found[steps[-1]] = value

    return change


def both(*changes):
    def change(files):
        for each in changes:
            each(files)

    return change


def text(path, value):
    def change(files):
        files[path] = value

    return change


OTHER_CLAIM = {"claimKey": "owner", "valueType": "string", "substantive": True, "required": True}
OWNER = {
    "claimKey": "owner",
    "expectedValue": {"type": "string", "value": "Noor"},
    "normalizer": {"id": "trim-lower-v1", "version": 1},
    "requiredEvidence": [],
    "optionalEvidence": [],
    "forbiddenEvidence": [],
}
REQUIRED = ("claims", 0, "requiredEvidence", 0)
LONE = "taken from the\udc00 web".encode("utf-8", "surrogatepass")

BROKEN = {
    "a task that is no JSON": (text(TASK, "{"), TASK, "not JSON"),
    "a task with a key twice": (text(TASK, '{"taskId": "a", "taskId": "b"}'), TASK, "'taskId' stands twice"),
    "a task that is not UTF-8": (text(TASK, b'{"a": "\xff"}'), TASK, "not UTF-8"),
    "a task with half a surrogate": (text(TASK, '{"a": "\\ud800"}'), TASK, "half a surrogate"),
    "a task that is open": (task(("answer",), "x"), TASK, "unknown field `answer`"),
    "a task of another id": (task(("taskId",), SECOND), TASK, f"taskId is {SECOND}"),
    "a task with a claim twice": (task(("claims",), [OTHER_CLAIM, OTHER_CLAIM]), TASK, "'owner' stands twice"),
    "a task with a tool that is none": (task(("allowedTools",), ["search", "grep"]), TASK, "grep is no tool"),
    "a task with a foreign collection": (task(("corpus", "collections"), ["c002"]), TASK, "its collections are c001"),
    "a task with more collections": (task(("corpus", "collections"), ["c001", "c009"]), TASK, "its collections are c001"),
    "a task with less collections": (
        text(f"corpus/{FIRST}/c003/x.md", "x\n"), TASK, "its collections are c001, c003",
    ),
    "a task with an unknown category": (task(("category",), "trivia"), TASK, "category"),
    "an oracle that is open": (oracle(("note",), 1), ORACLE, "unknown field `note`"),
    "an oracle of another id": (oracle(("taskId",), SECOND), ORACLE, f"taskId is {SECOND}"),
    "other calls": (oracle(("completion", "maxAgentCalls"), 4), ORACLE, "its budgets are not the task's"),
    "other bytes": (oracle(("completion", "maxModelVisibleBytes"), 9), ORACLE, "its budgets are not the task's"),
    "an extra claim": (
        both(lambda files: files[ORACLE]["claims"].append(OWNER)), ORACLE, "owner is no claim of the task",
    ),
    "an extra gap": (oracle(("expectedMissing",), ["owner"]), ORACLE, "owner is no claim of the task"),
    "a claim twice": (
        lambda files: files[ORACLE]["claims"].append(files[ORACLE]["claims"][0]), ORACLE, "'launchDate' stands twice",
    ),
    "a claim and a gap": (oracle(("expectedMissing",), ["launchDate"]), ORACLE, "is expected to be missing"),
    "a required claim undecided": (oracle(("claims",), []), ORACLE, "launchDate is required and has neither"),
    "an abstention with a value": (oracle(("completion", "expectAbstention"), True), ORACLE, "who is to abstain"),
    "a foreign scope": (oracle(("expectedScope", "collection"), "c002"), ORACLE, "c002 is no collection of the task"),
    "a value of another type": (
        oracle(("claims", 0, "expectedValue"), {"type": "string", "value": "soon"}), ORACLE, "a date for the task and a string",
    ),
    "another normalizer": (
        oracle(("claims", 0, "normalizer", "id"), "exact-v1"), ORACLE, "a date is compared by iso-date-v1",
    ),
    "a day that is none": (
        oracle(("claims", 0, "expectedValue", "value"), "2026-02-30"), ORACLE, "2026-02-30 is no day",
    ),
    "evidence that is nowhere": (oracle((*REQUIRED, "uri"), "corpus://c001/c.md"), ORACLE, "no source of the task"),
    "evidence of another task": (oracle(REQUIRED, small.SEATS), ORACLE, "no source of the task"),
    "evidence of another scheme": (oracle((*REQUIRED, "uri"), "gno://c001/a.md"), ORACLE, "no source of the task"),
    "evidence past the end": (oracle((*REQUIRED, "endLine"), 5), ORACLE, "no lines 3 to 5: the text has 4"),
    "evidence backwards": (oracle((*REQUIRED, "startLine"), 4), ORACLE, "no lines 4 to 3"),
    "evidence of other lines": (
        both(oracle((*REQUIRED, "startLine"), 4), oracle((*REQUIRED, "endLine"), 4)), ORACLE, "the hashes are not those",
    ),
    "evidence of another version": (oracle((*REQUIRED, "sourceHash"), "0" * 64), ORACLE, "the hashes are not those"),
    "optional evidence that is wrong": (
        oracle(("claims", 0, "optionalEvidence"), [{**small.OLD, "spanHash": "0" * 64}]), ORACLE, "the hashes are not those",
    ),
    "forbidden evidence that is wrong": (
        oracle(("claims", 0, "forbiddenEvidence", 0, "spanHash"), "0" * 64), ORACLE, "the hashes are not those",
    ),
    "a source that is not UTF-8": (text(CORPUS, LONE), CORPUS, "not UTF-8"),
    "a canary in a text": (text(f"corpus/{FIRST}/c001/z.md", f"see canary-of-{SECOND}\n"), f"corpus/{FIRST}/c001/z.md", "leak"),
    "a canary in a task": (task(("brief", "goal"), f"canary-of-{SECOND}"), TASK, "leak canary of oracles/t0000002"),
    "a canary in a path": (
        text(f"corpus/{FIRST}/c001/canary-of-{FIRST}.md", "x\n"), f"corpus/{FIRST}/c001/canary-of-{FIRST}.md", "leak",
    ),
    "a canary in a task, escaped there": (
        both(oracle(("leakCanaries",), ['say "canary" twice']), task(("brief", "goal"), 'Will it say "canary" twice?')),
        TASK, "leak",
    ),
    "a canary in a task's name": (oracle(("leakCanaries",), [f"{SECOND}.json"]), f"tasks/{SECOND}.json", "leak"),
    "a collection of two tasks": (
        text(f"corpus/{SECOND}/c001/a.md", "x\n"), f"corpus/{SECOND}/c001/a.md", "c001 belongs to two tasks",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_named(tmp_path, name):
    change, path, message = BROKEN[name]
    small.write(tmp_path, change)
    refused(tmp_path, path, message)


def test_a_missing_pair(tmp_path):
    small.write(tmp_path, lambda files: files.pop(ORACLE))
    refused(tmp_path, TASK, "has no oracle")
    small.write(tmp_path / "other", lambda files: files.pop(TASK))
    refused(tmp_path / "other", ORACLE, "has no task")


def test_an_oracle_for_another_task(tmp_path):
    def change(files):
        files["oracles/t0000003.json"] = {**files.pop(ORACLE), "taskId": "t0000003"}

    small.write(tmp_path, change)
    refused(tmp_path, TASK, "has no oracle")


@pytest.mark.parametrize(
    "change, path, message",
    [
        (lambda m: m.update(taskCount=3), "manifest.json", "taskCount is 3, but there are 2 tasks"),
        (lambda m: m.update(corpusFingerprint="0" * 64), "manifest.json", "corpusFingerprint should be"),
        (lambda m: m.update(uriScheme="Bad:"), "manifest.json", "uriScheme"),
        (lambda m: m.update(uriScheme="corpus\n"), "manifest.json", "uriScheme"),
        (lambda m: m.update(schemaVersion="2.0"), "manifest.json", "schemaVersion"),
        (lambda m: m.update(comment=1), "manifest.json", "unknown field `comment`"),
        (lambda m: m.pop("license"), "manifest.json", "missing required field `license`"),
        (lambda m: m["files"].append(m["files"][0]), "manifest.json", "stands twice"),
        (lambda m: m["files"].pop(0), CORPUS, "is not in the manifest"),
        (lambda m: m["files"][0].update(sha256="0" * 64), CORPUS, "its SHA-256 differs"),
    ],
    ids=range(10),
)
def test_a_manifest_that_is_wrong(tmp_path, change, path, message):
    manifest = small.write(tmp_path)
    assert manifest["files"][0]["path"] == CORPUS
    change(manifest)
    small.write_manifest(tmp_path, manifest)
    refused(tmp_path, path, message)


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md", "/etc/passwd", f"corpus/{FIRST}/c001/../../../outside.md", f"corpus/{FIRST}/c001/./a.md",
        f"corpus/{FIRST}/c001//a.md", f"corpus/{FIRST}/c001\\a.md", f"corpus/{FIRST}/c001/", f"corpus/{FIRST}/a.md",
        f"corpus/{SECOND}/c001/a.md", f"corpus/{FIRST}/c002/a.md", f"tasks/{FIRST}.json", "manifest.json", "", "corpus",
        f"corpus/{FIRST}/c001/a\x00.md", f"corpus/{FIRST}/c001/a\n.md", f"corpus/{FIRST}/c001/a.md\n",
    ],
)  # fmt: skip
def test_a_path_where_no_source_of_the_collection_lies(tmp_path, path):
    (tmp_path / "outside.md").write_text("secret", encoding="utf-8")
    folder = tmp_path / "fixture"
    folder.mkdir()
    manifest = small.write(folder)
    manifest["files"][0]["path"] = path
    small.write_manifest(folder, manifest)
    refused(folder, "manifest.json", "is no path of a corpus file of t0000001")


def test_paths_that_differ_in_case_alone_are_one(tmp_path):
    manifest = small.write(tmp_path)
    manifest["files"].append({**manifest["files"][0], "path": CORPUS.replace("a.md", "A.md")})
    small.write_manifest(tmp_path, manifest)
    refused(tmp_path, "manifest.json", "stands twice")


@pytest.fixture
def outside(tmp_path):
    """A fixture beside a secret; each read outside the fixture's folder would go by way of a link."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.md").write_text("# Plan\n", encoding="utf-8")
    folder = tmp_path / "fixture"
    folder.mkdir()
    return folder


LINKED = [CORPUS, f"corpus/{FIRST}/c001", f"corpus/{FIRST}", "corpus", TASK, "oracles", "manifest.json"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
@pytest.mark.parametrize("path", LINKED)
def test_no_link_is_followed_though_its_target_has_the_right_bytes(outside, path):
    small.write(outside)
    place = outside / path
    elsewhere = outside.parent / "moved"
    place.rename(elsewhere)
    place.symlink_to(elsewhere, target_is_directory=elsewhere.is_dir())
    with pytest.raises(InputError, match="a link; a fixture holds its files itself"):
        load_fixture(outside)
    with pytest.raises(InputError, match="a link; a fixture holds its files itself"):
        seal(outside, version="1", license_name="CC0-1.0", provenance="x")


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_link_that_the_manifest_does_not_name_is_not_read(outside):
    small.write(outside)
    (outside / f"corpus/{FIRST}/c001/z.md").symlink_to(outside.parent / "secret" / "a.md")
    refused(outside, f"corpus/{FIRST}/c001/z.md", "is not in the manifest")
    (outside / f"corpus/{FIRST}/c001/z.md").unlink()
    (outside / f"corpus/{FIRST}/c009").symlink_to(outside.parent / "secret", target_is_directory=True)
    refused(outside, f"corpus/{FIRST}/c009", "is not in the manifest")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    small.write(tmp_path)
    os.mkfifo(tmp_path / f"corpus/{FIRST}/c001/z.md")
    refused(tmp_path, f"corpus/{FIRST}/c001/z.md", "is not in the manifest")
    (tmp_path / CORPUS).unlink()
    os.mkfifo(tmp_path / CORPUS)
    refused(tmp_path, CORPUS, "is no regular file")


@pytest.mark.parametrize("name", ["extra", ".hidden", "README.md", "more/x.md", "tasks/.x", "corpora"])
def test_a_file_that_is_not_listed_is_refused_wherever_it_lies(tmp_path, name):
    small.write(tmp_path)
    load_fixture(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("x", encoding="utf-8")
    refused(tmp_path, name, "is not in the manifest")
    with pytest.raises(InputError, match="a file lies as tasks/ID") as told:
        seal(tmp_path, version="1", license_name="CC0-1.0", provenance="x")
    assert told.value.path == str(tmp_path / name)
    assert "keep it beside the folder" in str(told.value.hint)


@pytest.mark.parametrize("name", ["tasks", "corpus"])
def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path, name):
    (tmp_path / name).write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="a file lies as tasks/ID"):
        seal(tmp_path, version="1", license_name="CC0-1.0", provenance="x")


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_link_at_the_top_is_refused(outside):
    small.write(outside)
    (outside / "sneaky").symlink_to(outside.parent / "secret", target_is_directory=True)
    refused(outside, "sneaky", "is not in the manifest")
    with pytest.raises(InputError, match="a link; a fixture holds its files itself"):
        seal(outside, version="1", license_name="CC0-1.0", provenance="x")


def test_what_is_no_folder_is_no_fixture(tmp_path):
    (tmp_path / "file").write_text("{}", encoding="utf-8")
    for name, why in (("file", "is no folder"), ("gone", "there is no such folder")):
        with pytest.raises(InputError, match=why) as told:
            load_fixture(tmp_path / name)
        assert told.value.path == str(tmp_path / name)


def test_a_folder_where_a_file_should_be(tmp_path):
    small.write(tmp_path)
    (tmp_path / CORPUS).unlink()
    (tmp_path / CORPUS).mkdir()
    refused(tmp_path, CORPUS, "is a folder, a file is needed")


def test_seal_writes_the_manifest_that_one_makes_by_hand(tmp_path):
    by_hand = small.write(tmp_path)
    (tmp_path / "manifest.json").unlink()
    found = seal(tmp_path, version="1", license_name="CC0-1.0", provenance="typed for a test")
    written = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert written == by_hand == plain(found.manifest)
    assert found.fingerprint == load_fixture(tmp_path).fingerprint


def test_seal_with_another_scheme_needs_oracles_of_it(tmp_path):
    small.write(tmp_path)
    with pytest.raises(InputError, match=r"'corpus://c001/a\.md' is no source of the task"):
        seal(tmp_path, version="1", license_name="CC0-1.0", provenance="x", scheme="docs")


@pytest.mark.parametrize("path", ["tasks/notes.txt", f"corpus/{FIRST}/loose.md", "corpus/loose.md", "oracles/a/b.json"])
def test_seal_refuses_what_lies_where_nothing_can(tmp_path, path):
    small.write(tmp_path)
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=r"a file lies as tasks/ID\.json"):
        seal(tmp_path, version="1", license_name="CC0-1.0", provenance="x")


def test_seal_of_nothing(tmp_path):
    found = seal(tmp_path, version="1", license_name="CC0-1.0", provenance="x")
    assert (len(found.tasks), found.snapshot.sources) == (0, ())
