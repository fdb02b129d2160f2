"""Accounts by token, for a database that refuses some texts."""

from typing import Any

from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class AccountToken(TokenAuthentication):
    """`Authorization: Token ...`. A text that no token can be is refused before the database is asked."""

    def authenticate_credentials(self, key: str) -> Any:
        if not key.isalnum():
            raise AuthenticationFailed("Invalid token.")
        return super().authenticate_credentials(key)
