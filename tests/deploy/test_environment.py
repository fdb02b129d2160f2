"""Settings read from the environment."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy import env


def test_database_url_reads_postgresql() -> None:
    assert env.database_url("postgresql://ann:p%40ss@db:5433/marks") == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "marks",
        "USER": "ann",
        "PASSWORD": "p@ss",
        "HOST": "db",
        "PORT": "5433",
    }


def test_database_url_refuses_other_schemes() -> None:
    with pytest.raises(ImproperlyConfigured, match="mysql://"):
        env.database_url("mysql://db/marks")


def test_words_drop_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, ,b.example,")
    assert env.words("ALLOWED_HOSTS") == ["a.example", "b.example"]
