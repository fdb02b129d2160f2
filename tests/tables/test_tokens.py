"""Tokens and codes that nobody stores."""

import re
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.tokens import code_of, is_code_of, link_id_of, token_of
from tournaments.models import new_id


@given(st.uuids())
def test_token_comes_back_to_its_link(link_id: UUID) -> None:
    token = token_of(link_id)
    assert re.fullmatch(r"[A-Za-z0-9_-]{44}", token)
    assert link_id_of(token) == link_id


@given(st.uuids(), st.integers(0, 43), st.characters())
def test_token_with_another_letter_opens_nothing(link_id: UUID, place: int, letter: str) -> None:
    token = token_of(link_id)
    changed = token[:place] + letter + token[place + 1 :]
    assert link_id_of(changed) == (link_id if changed == token else None)


@given(st.text(st.characters()))
def test_token_of_any_text_opens_nothing(text: str) -> None:
    assert link_id_of(text) is None


def test_token_and_code_of_an_old_key_still_count(settings: Any) -> None:
    link_id = new_id()
    token, code = token_of(link_id), code_of(link_id)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "a new key"
    assert token_of(link_id) != token
    assert link_id_of(token) == link_id
    assert is_code_of(link_id, code)
    settings.SECRET_KEY_FALLBACKS = []
    assert link_id_of(token) is None


@pytest.mark.parametrize("other", ["", "12", "abcd", "٠١٢٣", "\ud800123"])
def test_code_is_four_digits_and_only_those(other: str) -> None:
    link_id = new_id()
    code = code_of(link_id)
    assert re.fullmatch(r"[0-9]{4}", code)
    assert is_code_of(link_id, code)
    assert not is_code_of(link_id, other)


def test_codes_spread_over_all_digits() -> None:
    codes = [code_of(UUID(int=number)) for number in range(2000)]
    assert len(set(codes)) > 1700
    assert min(Counter(code[0] for code in codes).values()) > 120
