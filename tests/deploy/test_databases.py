"""Both databases as the site uses them."""

import pytest
from django.contrib.auth.models import Group
from django.db import connection


@pytest.mark.django_db
def test_names_are_stored_as_typed() -> None:
    names = ["Zoë", "O'Brien", "<b>", "שלום", "🁣", "ß" * 120]
    Group.objects.bulk_create(Group(name=name) for name in names)
    assert sorted(Group.objects.values_list("name", flat=True)) == sorted(names)


@pytest.mark.django_db(transaction=True)
def test_sqlite_writes_ahead_and_syncs_fully() -> None:
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        answers = [
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert answers == ["wal", 2, 1]
