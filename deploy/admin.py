"""Accounts in Django's admin, for administrators of the site: who may sign in, and lost second steps.

What an account may do in an event is its office there, so there are no groups and no model permissions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from rest_framework.authtoken.models import Token, TokenProxy

from tournaments.admin.base import Rows
from tournaments.models import Official

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    AccountAdmin = UserAdmin[User]
else:
    ModelAdmin = admin.ModelAdmin
    AccountAdmin = UserAdmin

for model in (EmailAddress, Authenticator, Group, TokenProxy, User):
    admin.site.unregister(model)


class OfficeRows(Rows):
    model = Official
    fields = ("tournament", "role", "created_at")
    joins = ("tournament",)
    verbose_name_plural = _("Roles in events")


@admin.register(User)
class PeopleAdmin(AccountAdmin):
    """Accounts are switched off, never deleted: the log names them."""

    list_display = ("username", "first_name", "is_active", "is_staff", "is_superuser", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("username", "first_name", "last_name")
    filter_horizontal = ()
    list_per_page = 100
    show_full_result_count = False
    inlines = [OfficeRows]
    fieldsets = (
        (None, {"fields": ("username", "password", "first_name", "last_name")}),
        (
            _("What it may do"),
            {
                "fields": ("is_active", "is_staff", "is_superuser"),
                "description": _(
                    "An account with the staff mark may open the admin and sees there the events in which it has a "
                    "role. A superuser is an owner everywhere."
                ),
            },
        ),
        (_("When"), {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")
    actions = ("revoke_tokens",)

    @admin.action(description=_("Take back the tokens of scripts"))
    def revoke_tokens(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Scripts of these accounts sign in anew. The tokens themselves are nowhere shown."""
        count, _by_model = Token.objects.filter(user__in=rows).delete()
        text = ngettext("%(count)d token is taken back.", "%(count)d tokens are taken back.", count)
        self.message_user(request, text % {"count": count})

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_inlines(self, request: HttpRequest, obj: Model | None) -> Any:
        return self.inlines if obj is not None else []


@admin.register(Authenticator)
class AuthenticatorAdmin(ModelAdmin):
    """Second steps, without their secrets: they can only be taken away.

    Whoever has lost the phone and the recovery codes is let in by deleting the row.
    """

    list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    list_filter = ("type",)
    list_per_page = 100
    show_full_result_count = False
    search_fields = ("user__username",)
    fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
