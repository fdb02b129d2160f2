"""The first run: while the site has no account at all, whoever opens it may make the owner's."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from tournaments.errors import Conflict


def site_is_new() -> bool:
    """True while nobody has an account. One query."""
    return not get_user_model().objects.exists()


def owner_create(*, username: str, password: str, name: str = "") -> Any:
    """The first account, which may do everything on this site.

    Two browsers that try at once make one owner: both wait for the same row. Raises Conflict once any
    account exists.
    """
    model = get_user_model()
    with transaction.atomic(durable=True):
        list(ContentType.objects.select_for_update().filter(app_label="auth", model="user"))
        if not site_is_new():
            raise Conflict("site_has_owner", "This site has an owner already. Sign in instead.")
        return model.objects.create_superuser(
            username=username, email="", password=password, first_name=name[:150]
        )
