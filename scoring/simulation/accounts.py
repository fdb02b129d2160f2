"""Accounts of a simulation that runs beside the database; the only part of it that touches one."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from rest_framework.authtoken.models import Token

from scoring.simulation.event import Tokens

DIRECTOR, DESK = "simulation-director", "simulation-desk"


def tokens_here(*, director: str = DIRECTOR, desk: str = DESK) -> Tokens:
    """Tokens of two accounts of this database, made without a password where they are missing."""
    with transaction.atomic(durable=True):
        return Tokens(director=f"Token {_token(director)}", desk=f"Token {_token(desk)}", desk_account=desk)


def account_with_password(username: str, password: str) -> bool:
    """An account that runs the whole site, signed in with `password`. True when it is new or was changed."""
    with transaction.atomic(durable=True):
        users: Any = get_user_model().objects
        user, _ = users.get_or_create(username=username)
        if user.check_password(password) and user.is_superuser and user.is_staff and user.is_active:
            return False
        user.set_password(password)
        user.is_staff = user.is_superuser = user.is_active = True
        user.save(update_fields=["password", "is_staff", "is_superuser", "is_active"])
        return True


def _token(username: str) -> str:
    users: Any = get_user_model().objects
    user, made = users.get_or_create(username=username)
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return str(Token.objects.get_or_create(user=user)[0].key)
