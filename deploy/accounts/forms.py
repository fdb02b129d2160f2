"""A new account: the first owner's, or one made to accept an invitation."""

from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.forms import RunForm


class NewAccount(RunForm):
    """What a new account needs; `who` is the name that the log shows."""

    who = forms.CharField(max_length=150, label=_("Your name"))
    username = forms.CharField(max_length=150, label=_("Name to sign in with"))
    password = forms.CharField(
        max_length=200,
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_username(self) -> str:
        username = str(self.cleaned_data["username"]).strip()
        model: Any = get_user_model()
        try:
            model.username_validator(username)
        except ValidationError as error:
            raise ValidationError(_("Use letters, digits and @ . + - _ only.")) from error
        if model.objects.filter(username__iexact=username).exists():
            raise ValidationError(_("Somebody signs in with this name already. Choose another one."))
        return username

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        password = cleaned.get("password")
        if password:
            model: Any = get_user_model()
            like = model(username=cleaned.get("username", ""), first_name=cleaned.get("who", ""))
            try:
                validate_password(password, like)
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned
