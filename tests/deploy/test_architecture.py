"""Which way things point: imports by contract, foreign keys and migrations by a walk."""

from django.apps import apps
from django.db.migrations.loader import MigrationLoader
from importlinter.cli import lint_imports

RANK = {"tournaments": 1, "tables": 2, "scoring": 3, "deploy": 4}


def test_imports_keep_the_contracts() -> None:
    assert lint_imports(no_cache=True) == 0


def test_foreign_keys_point_downwards() -> None:
    upwards = [
        f"{model._meta.label}.{field.name}"
        for app in RANK
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
        if field.concrete and field.is_relation and field.related_model is not None
        if RANK.get(field.related_model._meta.app_label, 0) > RANK[app]
    ]
    assert upwards == []


def test_migrations_depend_downwards() -> None:
    migrations = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    upwards = [
        f"{app}.{name} -> {needed}"
        for (app, name), migration in migrations.items()
        if app in RANK
        for needed, _ in migration.dependencies
        if RANK.get(needed, 0) > RANK[app]
    ]
    assert upwards == []
