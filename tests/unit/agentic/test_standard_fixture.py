"""The standard fixture, read by a person: each task, what it asks, the answer, and the lines that say so.

Everything on the right is typed from the documents, not taken from the oracles.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import pytest

from irbridge.agentic.evidence import line_span
from irbridge.agentic.fixture import load_fixture, standard_fixture
from irbridge.agentic.records import plain


class Answer(NamedTuple):
    task: str
    asks: str  # words of the goal
    key: str
    kind: str
    value: object
    required: tuple[str, ...]  # the text of each line that must be cited
    forbidden: tuple[str, ...] = ()


ANSWERS = [
    Answer("tb90b579", "error code", "staleLeaseCode", "identifier", "LX-4107",
           ("- LX-4107: stale lease, the holder's clock ran behind the coordinator",)),
    Answer("t29e1063", "part number of the gasket kit", "gasketPartNumber", "identifier", "GK-224-C",
           ("Current gasket kit part number: GK-224-C",), ("Gasket kit, part number until list 6: GK-220-A",)),
    Answer("t0fd364a", "hotfix for the frozen display", "frozenDisplayHotfix", "identifier", "FW-3.18.2",
           ("- Frozen display hotfix: FW-3.18.2",)),
    Answer("t42314d4", "visitor badge", "visitorBadgeColour", "string", "orange", ("Visitor badge colour: Orange",)),
    Answer("t076c463", "Who owns the payroll one", "payrollMigrationOwner", "string", "Ines Duarte",
           ("Payroll migration owner: Ines Duarte",), ("Instrument owner: Tomasz Wilk",)),
    Answer("t076c463", "of which day is the status", "mercuryStatusDate", "date", "2026-04-17",
           ("Status on 2026-04-17: second dry run done, 3 of 41 rules still differ.",)),
    Answer("t244984d", "Studio B in Harbour House", "harbourStudioSeats", "number", 18,
           ("- Harbour House Studio B seats: 18",), ("- Mill Lane Studio B seats: 42",)),
    Answer("t8796745", "Okafor of cardiology", "cardiologyRoom", "identifier", "B-214",
           ("Cardiology outpatient clinic, Dr. Okafor: B-214",)),
    Answer("t6dc9b42", "largest upload limit", "largestUploadLimit", "number", 40,
           ("- Upload limit per file, in GB: 25", "- Upload limit per file, in GB: 40")),
    Answer("tf0fa074", "which freeze date is the earliest", "earliestFreezeDate", "date", "2026-11-20",
           ("- Change freeze begins: 2026-11-20", "- Change freeze begins: 2026-12-04")),
    Answer("t62eedcb", "both the desktop and the web editor", "sharedExportFormats", "string[]", ["ODT", "PDF"],
           ("Export formats: PDF, ODT, RTF", "Export formats: ODT, EPUB, PDF")),
    Answer("t455133f", "when does the ticket shop launch", "shopLaunchDate", "date", "2026-09-14",
           ("2. Decision, overrules the one of April. Shop launch date: 2026-09-14",),
           ("2. Shop launch date, first plan: 2026-06-30",)),
    Answer("t455133f", "who answers for it", "shopLaunchLead", "string", "Noor Haddad",
           ("3. From today the shop launch lead: Noor Haddad",), ("3. Shop launch lead, first plan: Kenji Ito",)),
    Answer("t5347e61", "review panel", "bridgeReviewPanel", "string[]", ["A. Moreau", "J. Achterberg", "S. Nakata"],
           ("Item 2. Named to the bridge review panel: S. Nakata, A. Moreau, J. Achterberg",)),
    Answer("tc33b094", "second night shift approved", "nightShiftApproved", "boolean", False,
           ("Second night shift, result of the vote: not approved, 4 to 9",)),
    Answer("t07675eb", "access logs kept now", "accessLogRetention", "number", 120,
           ("Access log retention in days, now in force: 120",),
           ("Access log retention in days until 2025: 60", "Access log retention in days, proposed: 30")),
    Answer("t25bbc99", "first outage of the ferry", "firstFerryOutage", "date", "2025-08-03",
           ("- 2025-08-03 ferry outage, 95 minutes, full disk",)),
    Answer("t84ce1c1", "in force on 2025-03-01", "tariffInForce", "identifier", "TR-2024-B",
           ("| TR-2024-B | 2024-10-01 | 2025-03-31 |",)),
    Answer("tbeb5cab", "the invoice service depend", "invoiceUpstream", "identifier", "SVC-LEDGER",
           ("Invoice upstream dependency: SVC-LEDGER",)),
    Answer("t23515ea", "replaced SPEC-61", "cableMarkingSuccessor", "identifier", "SPEC-88-B",
           ("Cable marking is replaced by: SPEC-88-B",)),
    Answer("tcf10316", "manager of Lucía Ferrer's manager", "secondLineManager", "string", "Bram Vos",
           ("- Lucía Ferrer reports to: Odile Kwan", "- Odile Kwan reports to: Bram Vos")),
    Answer("t4f7fdbd", "relay feeds pump 12", "pumpTwelveRelay", "identifier", "RL-31", ("Pump twelve relay: RL-31",)),
    Answer("t4f7fdbd", "breaker protects", "pumpTwelveBreaker", "identifier", "BR-07", ("Pump twelve breaker: BR-07",)),
    Answer("teb8083d", "timeout, in seconds, of open_stream", "openStreamTimeout", "number", 20,
           ("- open_stream timeout, default in seconds: 20",)),
    Answer("tea45e9e", "sent again without harm", "putObjectIdempotent", "boolean", True,
           ("put_object idempotent: yes, the same key and bytes may be sent again",)),
    Answer("tea45e9e", "bytes may a key have", "objectKeyLimit", "number", 900,
           ("Keys are case-sensitive and at most 900 bytes long.",)),
    Answer("tfb2753e", "error does parse_date raise", "parseDateError", "string", "calendarerror",
           ("For an impossible day parse_date raises: CalendarError",)),
    Answer("tfb2753e", "fmt argument deprecated", "fmtDeprecatedSince", "identifier", "V2.4.0",
           ("- V2.4.0: argument fmt of parse_date deprecated",)),
    Answer("ta0ddef5", "retry a row", "importerRowRetries", "number", 5, ("Importer row retries: 5",)),
    Answer("t5178e05", "Proben angenommen", "sampleIntakeHours", "string", "Dienstag, 7 bis 9 Uhr",
           ("Probenannahme künftig: Dienstag, 7 bis 9 Uhr",)),
    Answer("tdb4e2d0", "申請締切日", "scholarshipDeadline", "date", "2026-11-05", ("申請締切日\uff1a2026-11-05",)),
    Answer("t18a58b0", "لجنة المكتبة", "libraryCommitteeChair", "string", "سلمى القاضي",
           ("رئيسة لجنة المكتبة: سلمى القاضي",)),
    Answer("t8c5e5b1", "garantía tiene el motor", "millMotorWarranty", "number", 36,
           ("Garantía del motor, en meses: 36",), ("Garantía de las piezas de desgaste, en meses: 6",)),
    Answer("t9c9bad6", "подлинники договоров", "contractOriginalsCabinet", "identifier", "K-12",
           ("Шкаф подлинников договоров: K-12",)),
    Answer("t2d95a2b", "πρόβα της χορωδίας", "choirRehearsalStart", "string", "18:30", ("Έναρξη πρόβας χορωδίας: 18:30",)),
    Answer("t46089cc", "三号会议室", "roomThreeFoodAllowed", "boolean", False, ("三号会议室饮食\uff1a禁止",)),
    Answer("t59dc4a0", "number does the permit", "footbridgePermitNumber", "identifier", "PB-2026-118",
           ("Permit number of the footbridge: PB-2026-118",)),
    Answer("t1bf4a5f", "fire warden of the annex", "annexFireWarden", "string", "Greta Lindholm",
           ("Annex fire warden: Greta Lindholm",)),
]  # fmt: skip

#: task -> what its documents do not say, or say in two ways; and a line that comes near.
MISSING = {
    "t571b422": ("catererPricePerHead", "The offer with the sums comes next week, after their holiday."),
    "t131d9df": ("fairVisitorsLatest", "For 2026 the count at the gate failed on the second day; no figure is given."),
    "t59dc4a0": (
        "scaffoldExpiryDate",
        "The authority says that the term of validity will follow in a second letter.",
    ),
    "t1bf4a5f": ("annexAssemblyPoint", "Annex assembly point: lawn behind the chapel"),
}


@pytest.fixture(scope="module")
def fixture():
    return load_fixture(standard_fixture())


def texts(fixture, coordinates):
    return sorted(
        line_span(fixture.snapshot.by_uri[each.uri].text, each.start_line, each.end_line) for each in coordinates
    )


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.key)
def test_the_oracle_knows_what_a_person_reads(fixture, answer):
    assert answer.asks in fixture.tasks[answer.task].brief.goal
    (claim,) = (each for each in fixture.oracles[answer.task].claims if each.claim_key == answer.key)
    assert plain(claim.expected_value) == {"type": answer.kind, "value": answer.value}
    assert texts(fixture, claim.required_evidence) == sorted(answer.required)
    assert texts(fixture, claim.forbidden_evidence) == sorted(answer.forbidden)


def test_every_expected_value_and_every_gap_is_in_the_tables(fixture):
    claims = {(task, claim.claim_key) for task, oracle in fixture.oracles.items() for claim in oracle.claims}
    assert claims == {(answer.task, answer.key) for answer in ANSWERS}
    gaps = {(task, key) for task, oracle in fixture.oracles.items() for key in oracle.expected_missing}
    assert gaps == {(task, key) for task, (key, _) in MISSING.items()}


@pytest.mark.parametrize("task", MISSING)
def test_what_is_missing_has_a_line_that_comes_near(fixture, task):
    sources = fixture.snapshot.in_collections(fixture.tasks[task].corpus.collections)
    assert any(MISSING[task][1] in source.text.split("\n") for source in sources)


def test_optional_evidence_is_the_rest_of_what_one_may_read(fixture):
    def optional(task):
        return texts(fixture, fixture.oracles[task].claims[0].optional_evidence)

    assert optional("t5347e61") == [
        "Item 1. The survey report on the bridge is 80 pages long and unread.",
        "The panel meets twice and reports in writing.",
    ]
    assert optional("tbeb5cab") == [
        "# Service card: invoice",
        "Answers within 300 ms, or sheds load.",
        "Invoice downstream consumer: SVC-MAILROOM",
        "Kind: stateless, two instances",
        "Owner: the billing crew",
    ]


def test_it_is_as_large_as_it_says(fixture):
    assert len(fixture.tasks) == 35
    assert len(fixture.snapshot.sources) == 66
    assert Counter(task.category for task in fixture.tasks.values()) == {
        "multilingual": 7,
        "exact_identifier": 4,
        "typed_relationship": 4,
        "code_documentation": 4,
        "missing_evidence": 4,
        "ambiguity": 3,
        "meeting_decision": 3,
        "multi_document_comparison": 3,
        "temporal": 3,
    }
    assert fixture.manifest.license == "Apache-2.0"


def test_it_holds_every_kind_of_difficulty(fixture):
    oracles, tasks = fixture.oracles, fixture.tasks
    assert {task for task, oracle in oracles.items() if oracle.completion.expect_abstention} == {"t571b422", "t131d9df"}
    partial = {task for task, oracle in oracles.items() if oracle.expected_missing and oracle.claims}
    assert partial == {"t59dc4a0", "t1bf4a5f"}
    assert {
        task: oracle.expected_scope.filters for task, oracle in oracles.items() if oracle.expected_scope.filters
    } == {
        "t07675eb": {"status": "final"},
        "t84ce1c1": {"year": 2025, "final": True},
    }
    scoped = {task for task, oracle in oracles.items() if oracle.expected_scope.collection}
    assert scoped == {"t244984d", "t8796745", "t5347e61", "tbeb5cab"}
    # In one of them the right collection is not the first.
    assert oracles["t8796745"].expected_scope.collection == tasks["t8796745"].corpus.collections[1]
    assert {task for task, each in tasks.items() if each.budgets.max_agent_calls == 1} == {"t0fd364a", "t4f7fdbd"}
    assert min(each.budgets.max_model_visible_bytes for each in tasks.values()) == 2400
    assert {task for task, oracle in oracles.items() if oracle.completion.fail_on_unexpected_evidence} == {"tbeb5cab"}
    assert {task for task, each in tasks.items() if len(each.allowed_tools) < 3} == {"tea45e9e"}
    assert {kind.value_type for each in tasks.values() for kind in each.claims} == {
        "string", "number", "boolean", "string[]", "date", "identifier",
    }  # fmt: skip
    optional = {claim.claim_key for each in tasks.values() for claim in each.claims if not claim.required}
    assert optional == {"mercuryStatusDate", "objectKeyLimit"}
    normalizers = {claim.normalizer.id for oracle in oracles.values() for claim in oracle.claims}
    assert normalizers == {"exact-v1", "trim-lower-v1", "identifier-v1", "iso-date-v1", "string-set-v1"}


def test_a_task_names_a_source_that_is_gone(fixture):
    named = re.findall(r"corpus://\S+\.md", fixture.tasks["t42314d4"].brief.instructions[0])
    assert len(named) == 1
    assert named[0] not in fixture.snapshot.by_uri


def test_names_say_nothing(fixture):
    assert all(re.fullmatch(r"t[0-9a-f]{7}", task) for task in fixture.tasks)
    for source in fixture.snapshot.sources:
        assert re.fullmatch(r"c[0-9a-f]{3}", source.collection)
        assert re.fullmatch(r"n[0-9a-f]{4}\.md", source.path)


def test_documents_are_plain_markdown_that_no_converter_changes(fixture):
    for source in fixture.snapshot.sources:
        assert "\r" not in source.text
        assert source.text.endswith("\n")
        assert not source.text.endswith("\n\n")
        assert not re.search(r"[ \t]$|\t|\n\n\n", source.text, re.MULTILINE)


def test_no_goal_or_instruction_gives_the_answer_away(fixture):
    for answer in ANSWERS:
        brief = fixture.tasks[answer.task].brief
        asked = " ".join([brief.goal, *brief.instructions]).lower()
        if answer.kind in {"string", "date", "identifier"}:
            assert str(answer.value).lower() not in asked
