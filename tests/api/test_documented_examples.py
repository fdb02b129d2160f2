"""Every example of docs/api.md is sent, in order, and answered as the page says."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from rest_framework.test import APIClient

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
EXAMPLE = re.compile(r"```sh\n(curl .*?)\n```\n```json\n(\d{3}) (.*?)\n```", re.DOTALL)
VARIABLE = re.compile(r"\$([A-Z][A-Z_0-9]*)")


def examples() -> list[tuple[str, int, Any]]:
    return [(curl, int(status), json.loads(body)) for curl, status, body in EXAMPLE.findall(PAGE.read_text())]


def send(curl: str, known: dict[str, str]) -> Any:
    """The answer to a curl line, sent with the test client."""
    words = shlex.split(VARIABLE.sub(lambda found: known[found[1]], curl))[1:]
    method, path, headers, body = "GET", "", {}, None
    while words:
        word = words.pop(0)
        if word == "-X":
            method = words.pop(0)
        elif word == "-H":
            name, value = words.pop(0).split(": ", 1)
            headers[name] = value
        elif word == "-d":
            body = words.pop(0)
        else:
            path = word
    return APIClient().generic(method, path, body or "", content_type="application/json", headers=headers)


def compare(expected: Any, found: Any, known: dict[str, str], where: str) -> None:
    """`expected` names what it cares about: "..." is anything, "$NAME" is learnt or has to be the same."""
    if expected == "...":
        return
    if isinstance(expected, str) and (variable := VARIABLE.fullmatch(expected)):
        assert known.setdefault(variable[1], found) == found, where
    elif isinstance(expected, dict):
        for key, value in expected.items():
            assert key in found, f"{where}: {key} is missing in {found}"
            compare(value, found[key], known, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(expected) == len(found), f"{where}: {found}"
        for number, pair in enumerate(zip(expected, found, strict=True)):
            compare(*pair, known, f"{where}[{number}]")
    else:
        assert expected == found, where


@pytest.mark.django_db
def test_documented_examples_answer_as_written() -> None:
    get_user_model().objects.create_user("director", password="a long enough word")
    get_user_model().objects.create_user("ruth", password="another long word")
    known = {
        "BASE": "/api/v1",
        "USERNAME": "director",
        "PASSWORD": "a long enough word",
        "HELPER": "ruth",
    }

    for curl, status, expected in examples():
        answer = send(curl, known)
        found = json.loads(answer.content)
        assert answer.status_code == status, (curl, found)
        compare(expected, found, known, curl)


RESOURCES = (
    "token tournaments entries stages bracket standings log matches result games hands deal calls trump plays"
    " legal tables links players teams seeds officials invitations late-entries hall hold holds release"
    " judge-calls messages revoke-link undo"
)


def test_documented_examples_cover_every_resource() -> None:
    sent = " ".join(curl for curl, _, _ in examples())
    assert [name for name in RESOURCES.split() if f"/{name}/" not in sent] == []
