"""PostgreSQL as every shape uses it: a pool in each process and a limit on waiting for locks."""

from deploy import env


def postgres_database(url: str) -> dict[str, object]:
    """Django's database entry for a postgresql:// URL."""
    return {
        **env.database_url(url),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "pool": {"min_size": 2, "max_size": 16, "timeout": 5},
            # Statements of the same words are planned once for each connection, not each time.
            "server_side_binding": True,
            "prepare_threshold": 3,
            "options": "-c lock_timeout=5000 -c statement_timeout=30000",
        },
    }
