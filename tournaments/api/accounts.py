"""Signing in for scripts: a token for a name and password, with limited tries."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth import authenticate
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authtoken.models import Token
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle

from tournaments.api.base import ApiView
from tournaments.errors import NotYours


class SignInFields(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False, write_only=True)


class TokenShown(serializers.Serializer[Any]):
    token = serializers.CharField()


class SignInThrottle(AnonRateThrottle):
    """Ten tries a minute from one address."""

    scope = "sign-in"
    rate = "10/min"


class TokenView(ApiView):
    authentication_classes = ()
    throttle_classes = (SignInThrottle,)
    keeps_answers = False
    refusals = (400, 403, 415, 429, 503)

    @extend_schema(request=SignInFields, responses=TokenShown, auth=[])
    def post(self, request: Request) -> Response:
        """The account's token for `Authorization: Token ...`; the same one each time.

        An account with a second step gets none here: name and password alone do not open it.
        """
        fields = SignInFields(data=request.data)
        fields.is_valid(raise_exception=True)
        user = authenticate(request, **fields.validated_data)
        if user is None:
            raise NotYours("sign_in_failed", "This name and password do not belong together.")
        if is_mfa_enabled(user):
            raise NotYours(
                "second_step", "This account has a second step; its token is not given for a password."
            )
        token, _ = Token.objects.get_or_create(user=user)
        return Response({"token": token.key})
