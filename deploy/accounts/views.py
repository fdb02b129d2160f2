"""Pages of accounts: sign in and out, the first owner, invitations, password and second step."""

from typing import Any

from allauth.account.views import (
    LoginView,
    LogoutView,
    PasswordChangeView,
    PasswordSetView,
    ReauthenticateView,
)
from allauth.core import ratelimit
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.base.views import ReauthenticateView as CodeReauthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView, ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from deploy.accounts.forms import NewAccount
from deploy.accounts.owner import owner_create, site_is_new
from tournaments.errors import Refusal
from tournaments.models import Invitation
from tournaments.services.officials import (
    invitation_accept,
    invitation_of_token,
    invitation_require_open,
)

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignIn(LoginView):  # type: ignore[misc]
    """Sign in; on a site without any account the first owner is made instead."""

    template_name = "accounts/login.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if site_is_new():
            return redirect("setup")
        answer: HttpResponseBase = super().get(request, *args, **kwargs)
        return answer


class SignOut(LogoutView):  # type: ignore[misc]
    template_name = "accounts/logout.html"


class Again(ReauthenticateView):  # type: ignore[misc]
    template_name = "accounts/reauthenticate.html"


class ChangePassword(PasswordChangeView):  # type: ignore[misc]
    template_name = "accounts/password.html"
    success_url = reverse_lazy("account")


class SetPassword(PasswordSetView):  # type: ignore[misc]
    """Where allauth sends an account that has no password yet, as one made by a command may be."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("account")


class SecondStep(AuthenticateView):  # type: ignore[misc]
    template_name = "accounts/code.html"


class CodeAgain(CodeReauthenticateView):  # type: ignore[misc]
    template_name = "accounts/reauthenticate_code.html"


class SecondStepOn(ActivateTOTPView):  # type: ignore[misc]
    template_name = "accounts/second_step_on.html"


class SecondStepOff(DeactivateTOTPView):  # type: ignore[misc]
    template_name = "accounts/second_step_off.html"


class RecoveryCodes(ViewRecoveryCodesView):  # type: ignore[misc]
    template_name = "accounts/recovery_codes.html"


class NewRecoveryCodes(GenerateRecoveryCodesView):  # type: ignore[misc]
    template_name = "accounts/recovery_codes_new.html"


@require_safe
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponseBase:
    """The account's own page: name, password, second step."""
    kinds = set(Authenticator.objects.filter(user=request.user).values_list("type", flat=True))
    context = {"has_code": Authenticator.Type.TOTP in kinds, "offices": _offices(request.user)}
    return render(request, "accounts/account.html", context)


def _offices(user: Any) -> list[Any]:
    return list(user.offices.select_related("tournament").order_by("-tournament__created_at")[:50])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def setup(request: HttpRequest) -> HttpResponseBase:
    """Make the first owner; gone as soon as any account exists."""
    if not site_is_new():
        return redirect("account_login")
    form = NewAccount(request.POST or None)
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        try:
            user = owner_create(username=fields["username"], password=fields["password"], name=fields["who"])
        except Refusal as refusal:
            messages.error(request, refusal.detail)
            return redirect("account_login")
        login(request, user, backend=BACKEND)
        return redirect("events")
    return render(request, "accounts/setup.html", {"form": form}, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    """Accept an office: with the account that is signed in, or with a new one."""
    # Making accounts is limited as signing up would be: so many tries a minute from one address.
    if request.method == "POST":
        limited = ratelimit.consume_or_429(request, action="signup")
        if limited is not None:
            return HttpResponse(limited.content, status=429)
    found = invitation_of_token(token)
    if found is None:
        return render(request, "accounts/invitation_gone.html", status=404)
    try:
        if found.used_by_id is None or found.used_by_id != request.user.pk:
            invitation_require_open(found)
    except Refusal as refusal:
        return render(request, "accounts/invitation_gone.html", {"why": refusal.detail}, status=410)
    if request.user.is_authenticated:
        return _accept_signed_in(request, found)
    form = NewAccount(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _accept_new(request, found, form)
    address = reverse("account_login") + f"?next={request.path}"
    context = {"invitation": found, "form": form, "sign_in": address}
    return render(request, "accounts/invitation.html", context, status=_status(form))


def _accept_signed_in(request: HttpRequest, found: Invitation) -> HttpResponseBase:
    if request.method != "POST":
        return render(request, "accounts/invitation.html", {"invitation": found})
    return _accepted(request, found, request.user)


def _accept_new(request: HttpRequest, found: Invitation, form: NewAccount) -> HttpResponseBase:
    """A new account and its office. An account that lost the race for the invitation is not kept."""
    fields = form.cleaned_data
    users: Any = get_user_model().objects
    with transaction.atomic():
        user = users.create_user(
            username=fields["username"], password=fields["password"], first_name=fields["who"]
        )
    try:
        invitation_accept(invitation_id=found.pk, user=user)
    except Refusal as refusal:
        user.delete()
        return render(request, "accounts/invitation_gone.html", {"why": refusal.detail}, status=410)
    login(request, user, backend=BACKEND)
    return _welcome(request, found)


def _accepted(request: HttpRequest, found: Invitation, user: Any) -> HttpResponseBase:
    try:
        invitation_accept(invitation_id=found.pk, user=user)
    except Refusal as refusal:
        return render(request, "accounts/invitation_gone.html", {"why": refusal.detail}, status=410)
    return _welcome(request, found)


def _welcome(request: HttpRequest, found: Invitation) -> HttpResponseBase:
    text = _("You are in: %(role)s of %(event)s.")
    messages.success(request, text % {"role": found.get_role_display(), "event": found.tournament.name})
    return redirect("event", found.tournament.slug)


def _status(form: NewAccount) -> int:
    return 422 if form.is_bound else 200
