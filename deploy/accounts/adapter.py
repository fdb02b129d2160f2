"""What allauth asks the site: nobody signs up by themselves, and where one lands after signing in."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.shortcuts import resolve_url


class SiteAccounts(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts come from the first run, from an invitation or from the admin."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return resolve_url("events")

    def add_message(self, *args: object, **kwargs: object) -> None:
        """No "you have signed in" on top of the page that shows it."""
