"""Fixtures of these tests."""

from tests.support.fixtures import door

__all__ = ["door"]
