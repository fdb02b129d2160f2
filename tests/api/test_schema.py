"""The API's own description: complete, valid, without a warning, and what the answers really look like."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from tests.api.table import ROWS, build, send
from tests.support.addresses import addresses


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    GENERATOR_STATS.reset()
    with GENERATOR_STATS.silence():
        return dict(SchemaGenerator().get_schema(request=None, public=True))


def described_path(pattern: str) -> str:
    """A pattern of the URL conf as OpenAPI writes it."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", pattern)


def closed(node: Any) -> Any:
    """The schema with every object closed: a member that is not described is an error."""
    if isinstance(node, list):
        return [closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    found = {key: closed(item) for key, item in node.items()}
    if found.get("type") == "object" and "properties" in found:
        found.setdefault("additionalProperties", False)
    return found


def test_schema_is_made_and_validated_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    GENERATOR_STATS.reset()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=io.StringIO())

    assert "Warning" not in capsys.readouterr().err


def test_every_address_is_described_with_all_its_methods(schema: dict[str, Any]) -> None:
    described = {
        (path.removeprefix("/"), method.upper())
        for path, methods in schema["paths"].items()
        for method in methods
        if method != "parameters"
    }
    listed = {(described_path(one.pattern), method) for one in addresses("api/v1/") for method in one.methods}
    assert schema["openapi"].startswith("3.1")
    assert described == listed


def test_every_operation_has_a_name_of_its_own(schema: dict[str, Any]) -> None:
    names = [
        operation["operationId"]
        for methods in schema["paths"].values()
        for method, operation in methods.items()
        if method != "parameters"
    ]
    assert len(names) == len(set(names))
    assert [name for name in names if name[-1].isdigit()] == []


def test_enums_have_names_that_people_understand(schema: dict[str, Any]) -> None:
    names = [name for name in schema["components"]["schemas"] if name.endswith("Enum")]
    assert [name for name in names if any(char.isdigit() for char in name)] == []


def test_every_operation_says_how_it_refuses(schema: dict[str, Any]) -> None:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            responses = operation["responses"]
            refusals = {status for status in responses if status >= "400"}
            assert {"401", "503"} <= refusals or path == "/api/v1/token/", (method, path)
            assert method == "get" or "400" in refusals, (method, path)
            for status in refusals:
                content = responses[status]["content"]["application/problem+json"]
                assert content == {"schema": {"$ref": "#/components/schemas/Problem"}}


@pytest.mark.django_db
def test_answers_are_as_described(schema: dict[str, Any]) -> None:
    """One good request to every method of every address: the answer has the described members and no others."""
    scene = build("public")
    document = closed(schema)
    wrong = {}
    for row in ROWS:
        cache.clear()
        before = transaction.savepoint()
        row.prepare(scene)
        name = next(one for one in ("owner", "team", "seat") if one in row.allowed)
        answer = send(scene, row, scene.callers[name])
        transaction.savepoint_rollback(before)
        operation = document["paths"]["/" + described_path(f"api/v1/{row.pattern}")][row.method.lower()]
        response = operation["responses"].get(str(answer.status_code))
        where = f"{row.method} {row.pattern} {dict(row.values)}"
        if ("304" in operation["responses"]) != ("ETag" in answer):
            wrong[where] = "conditional, or not, unlike its description"
        if response is None:
            wrong[where] = f"status {answer.status_code} is not described"
            continue
        if "application/json" not in response["content"]:
            if not answer["Content-Type"].startswith(tuple(response["content"])):
                wrong[where] = f"{answer['Content-Type']} is not described"
            continue
        shape = {**response["content"]["application/json"]["schema"], "components": document["components"]}
        errors = [error.message[:120] for error in Draft202012Validator(shape).iter_errors(answer.json())]
        if errors:
            wrong[where] = "; ".join(errors[:4])
    assert wrong == {}, json.dumps(wrong, indent=1)


@pytest.mark.django_db
def test_schema_and_its_page_are_served() -> None:
    assert Client().get("/api/schema/").status_code == 200
    page = Client().get("/api/docs/")
    assert page.status_code == 200
    assert b"https://" not in page.content.replace(b"https://www.w3.org", b"")
