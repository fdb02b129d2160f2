"""Addresses of accounts. The names are those that allauth looks for."""

from django.urls import path
from django.views.generic import RedirectView

from deploy.accounts import views

urlpatterns = [
    path("", views.account, name="account"),
    path("setup/", views.setup, name="setup"),
    path("invitation/<str:token>/", views.invitation, name="invitation"),
    path("login/", views.SignIn.as_view(), name="account_login"),
    path("logout/", views.SignOut.as_view(), name="account_logout"),
    path("again/", views.Again.as_view(), name="account_reauthenticate"),
    path("password/", views.ChangePassword.as_view(), name="account_change_password"),
    path("password/set/", views.SetPassword.as_view(), name="account_set_password"),
    path("code/", views.SecondStep.as_view(), name="mfa_authenticate"),
    path("code/again/", views.CodeAgain.as_view(), name="mfa_reauthenticate"),
    path("second-step/", RedirectView.as_view(pattern_name="account"), name="mfa_index"),
    path("second-step/on/", views.SecondStepOn.as_view(), name="mfa_activate_totp"),
    path("second-step/off/", views.SecondStepOff.as_view(), name="mfa_deactivate_totp"),
    path("second-step/codes/", views.RecoveryCodes.as_view(), name="mfa_view_recovery_codes"),
    path("second-step/codes/new/", views.NewRecoveryCodes.as_view(), name="mfa_generate_recovery_codes"),
]
