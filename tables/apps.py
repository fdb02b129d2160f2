"""Where teams sit, and the links they open."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    verbose_name = "Tables"

    def ready(self) -> None:
        from tables import receivers  # noqa: F401
