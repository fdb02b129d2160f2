"""Fixtures that several folders import into their conftest."""

from typing import Any

import pytest

from tests.support.doors import DOORS, Door


@pytest.fixture(params=DOORS, ids=lambda door: door.name)
def door(request: Any) -> Door:
    """Runs the test through the services and once more through REST."""
    return request.param
