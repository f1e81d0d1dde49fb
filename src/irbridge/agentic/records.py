"""The records of the contract, closed: a member that is missing or unknown is an error, and so is a value of another type.

The schemas of spec/agentic say the same for other languages. In JSON the members are in camelCase. What a schema cannot
say (endLine >= startLine, that a hash is right) is checked where it can be known: evidence, fixture, semantics.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from irbridge.agentic.strict_json import text_at
from irbridge.arguments import doubled
from irbridge.errors import InputError, quoted, shown

SCHEMA_VERSION: Literal["1.0"] = "1.0"

Version = Literal["1.0"]
Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")]
Key = Annotated[str, Meta(pattern=r"^[a-z][a-zA-Z0-9]{0,63}\Z")]
ToolName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]{0,63}\Z")]
Sha256 = Annotated[str, Meta(pattern=r"^[a-f0-9]{64}\Z")]
Uri = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9+.-]*://")]
Code = Annotated[str, Meta(min_length=1, max_length=200)]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
_UNIQUE = {"uniqueItems": True}

Category = Literal[
    "exact_identifier", "ambiguity", "multi_document_comparison", "meeting_decision", "temporal", "typed_relationship",
    "code_documentation", "multilingual", "missing_evidence",
]  # fmt: skip
ValueType = Literal["string", "number", "boolean", "string[]", "date", "identifier"]
Provenance = Literal["harness_observed", "backend_provided"]
GapReason = Literal["missing_evidence", "conflicting_evidence", "budget_exhausted", "tool_unavailable"]
StopReason = Literal["complete", "abstained", "budget_exhausted", "tool_unavailable", "error"]
Lifecycle = Literal["cold", "warm"]
Role = Literal["candidates", "source", "evidence_bundle"]
State = Literal["supported", "unsupported", "unavailable"]
FailureClass = Literal["none", "harness_error", "agent_error", "product_error"]
Match = Literal["exact", "covering"]


class Record(Struct, frozen=True, forbid_unknown_fields=True, rename="camel", kw_only=True, gc=False):
    """A closed record; every member must be there.

    Python need not look for cycles among records: they are trees, as JSON is.
    """


def _once(texts: list[str]) -> None:
    twice = doubled(texts)
    if twice is not None:
        raise ValueError(f"{quoted(twice, 60)} stands twice in a list")


# --------------------------------------------------------------------------------------------- task: what the agent sees


class Brief(Record, frozen=True):
    """What is asked, and how to go about it."""

    goal: Annotated[str, Meta(min_length=1)]
    instructions: Annotated[list[str], Meta(min_length=1)]


class ClaimDefinition(Record, frozen=True):
    """One question of the task: its key, the type of its value, whether it is a fact to be linked, whether it must be answered."""

    claim_key: Key
    value_type: ValueType
    substantive: bool
    required: bool


class Budgets(Record, frozen=True):
    """What a trial may spend: calls of tools, and UTF-8 bytes of results that the agent is shown."""

    max_agent_calls: Positive
    max_model_visible_bytes: Positive


class TaskCorpus(Record, frozen=True):
    """The collections that a task may search, and no others."""

    collections: Annotated[list[Id], Meta(min_length=1, extra_json_schema=_UNIQUE)]

    def __post_init__(self) -> None:
        _once(self.collections)


class AgentTask(Record, frozen=True):
    """A task as its file holds it and as the agent sees it; nothing in it is hidden."""

    schema_version: Version
    task_id: Id
    category: Category
    brief: Brief
    claims: Annotated[list[ClaimDefinition], Meta(min_length=1)]
    allowed_tools: Annotated[list[ToolName], Meta(min_length=1, extra_json_schema=_UNIQUE)]
    budgets: Budgets
    corpus: TaskCorpus

    def __post_init__(self) -> None:
        _once(self.allowed_tools)


# ------------------------------------------------------------------------------------------------------------- evidence


class Coordinate(Record, frozen=True):
    """Lines of one version of one source; equal only where all seven members are."""

    uri: Uri
    source_hash: Sha256
    start_line: Positive
    end_line: Positive
    span_hash: Sha256
    source_hash_provenance: Provenance
    span_hash_provenance: Provenance


class Evidence(Coordinate, frozen=True):
    """A coordinate with its text, as a tool returns it; backend hashes come as a pair, or both null with a reason."""

    text: str
    backend_source_hash: Sha256 | None
    backend_span_hash: Sha256 | None
    backend_hash_unavailable_reason: str | None


# ------------------------------------------------------------------------------------------------------- final envelope


class TextValue(Record, frozen=True, tag="string", tag_field="type"):
    """A text; it may be empty."""

    value: str


class NumberValue(Record, frozen=True, tag="number", tag_field="type"):
    """A number, as a double."""

    value: float


class BooleanValue(Record, frozen=True, tag="boolean", tag_field="type"):
    """True or false."""

    value: bool


class TextsValue(Record, frozen=True, tag="string[]", tag_field="type"):
    """Texts, each once; the order says nothing."""

    value: Annotated[list[str], Meta(extra_json_schema=_UNIQUE)]

    def __post_init__(self) -> None:
        _once(self.value)


class DateValue(Record, frozen=True, tag="date", tag_field="type"):
    """A day, as YYYY-MM-DD."""

    value: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class IdentifierValue(Record, frozen=True, tag="identifier", tag_field="type"):
    """A name given by somebody: a part number, an error code."""

    value: Annotated[str, Meta(min_length=1)]


Value = TextValue | NumberValue | BooleanValue | TextsValue | DateValue | IdentifierValue


class Claim(Record, frozen=True):
    """An answer with the lines that it rests on."""

    claim_key: Key
    value: Value
    citations: list[Coordinate]


class Gap(Record, frozen=True):
    """A question left open, and why."""

    claim_key: Key
    reason: GapReason


class FinalEnvelope(Record, frozen=True):
    """What an agent ends with: answers, gaps and why it stopped; there is no place for prose."""

    schema_version: Version
    claims: list[Claim]
    gaps: list[Gap]
    abstained: bool
    stop_reason: StopReason


# --------------------------------------------------------------------------------------------------------------- oracle


class Normalizer(Record, frozen=True):
    """The rule by which two values are compared."""

    id: Literal["exact-v1", "trim-lower-v1", "identifier-v1", "iso-date-v1", "string-set-v1"]
    version: Literal[1]


class OracleClaim(Record, frozen=True):
    """An expected value; evidence that must be cited, that may be read, and that must not be cited."""

    claim_key: Key
    expected_value: Value
    normalizer: Normalizer
    required_evidence: list[Coordinate]
    optional_evidence: list[Coordinate]
    forbidden_evidence: list[Coordinate]


class ExpectedScope(Record, frozen=True):
    """Where the search has to look: a collection, or null for any, and filters."""

    collection: Id | None
    filters: dict[Key, str | float | bool]


class Completion(Record, frozen=True):
    """When a trial is complete; the budgets are those of the task."""

    expect_abstention: bool
    max_agent_calls: Positive
    max_model_visible_bytes: Positive
    fail_on_unexpected_evidence: bool


class HiddenOracle(Record, frozen=True):
    """What the scorer knows of a task and an agent never sees."""

    schema_version: Version
    task_id: Id
    claims: list[OracleClaim]
    expected_missing: Annotated[list[Key], Meta(extra_json_schema=_UNIQUE)]
    expected_scope: ExpectedScope
    completion: Completion
    leak_canaries: Annotated[list[Annotated[str, Meta(min_length=8)]], Meta(extra_json_schema=_UNIQUE)]

    def __post_init__(self) -> None:
        _once(self.expected_missing)
        _once(self.leak_canaries)


T = TypeVar("T")
#: The schema of each record that somebody else may write.
_SCHEMAS = {
    "AgentTask": "agent-task",
    "HiddenOracle": "hidden-oracle",
    "FinalEnvelope": "final-envelope",
    "TrajectoryReceipt": "trajectory-receipt",
    "BenchmarkReport": "benchmark-report",
    "Manifest": "fixture-manifest",
}


def record(kind: type[T], value: Any, where: str | None = None) -> T:
    """A value of JSON (dicts and lists, already read strictly) as a record of this kind.

    Raises:
        InputError: a member is missing, unknown or of another type; the message names it as `$.claims[0].value`.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        schema = _SCHEMAS.get(getattr(kind, "__name__", ""))
        hint = None if schema is None else f"spec/agentic/{schema}.schema.json says what it holds"
        said = shown(error, 400)
        raise InputError(f"not {_article(kind)}: {said}", path=where, text=text_at(value, said), hint=hint) from error
    except RecursionError as error:
        raise InputError(f"not {_article(kind)}: nested too deep", path=where) from error


def plain(value: Any) -> Any:
    """A record as dicts and lists, with the names that JSON has."""
    return msgspec.to_builtins(value)


def _article(kind: type) -> str:
    name = getattr(kind, "__name__", str(kind))
    return f"an {name}" if name[0] in "AEIOU" else f"a {name}"
