"""Settings read from the environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy import env
from tests.serving import ROOT


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


def test_starts_at_once_agree_on_one_whole_key(tmp_path: Path) -> None:
    """Processes that find no key make one; none of them may read one that is being written."""
    told = "from deploy.settings import embedded; print(embedded.SECRET_KEY)"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", told],
            cwd=ROOT,
            env={**os.environ, "SEVEN_MARKS_VAR": str(tmp_path), "SECRET_KEY": ""},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    keys = {process.communicate()[0].strip() for process in started}
    assert len(keys) == 1
    assert len(keys.pop()) > 50
    assert [path.name for path in tmp_path.iterdir() if "secret" in path.name] == ["secret-key"]
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600
