"""Reads settings from the environment, with a clear sentence where one is wrong."""

import os
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str | None = None) -> str:
    """The variable as text; ImproperlyConfigured when it is absent and has no default."""
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"Set the environment variable {name}.")
    return value


def flag(name: str, default: bool = False) -> bool:
    """True for 1, true, yes or on."""
    return text(name, "1" if default else "0").strip().lower() in {"1", "true", "yes", "on"}


def words(name: str, default: str = "") -> list[str]:
    """Comma-separated words, blanks dropped."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def number(name: str, default: int) -> int:
    """A whole number; ImproperlyConfigured for anything else."""
    value = text(name, str(default)).strip()
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be a whole number.")
    return int(value)


def host_of(url: str) -> str:
    """The host name that an address begins with."""
    return urlsplit(url).hostname or ""


def database_url(url: str) -> dict[str, object]:
    """Django's database entry for postgresql://user:password@host:port/name or sqlite:///path."""
    parts = urlsplit(url)
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
        }
    if parts.scheme == "sqlite":
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": unquote(parts.path[1:])}
    raise ImproperlyConfigured(
        f"DATABASE_URL starts with {parts.scheme}://; use postgresql:// or sqlite:///."
    )
