"""The address that a link's token makes, its QR code, and the cookie that remembers it in a browser."""

import io

import segno
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

COOKIE = "seven_marks_link"
COOKIE_SECONDS = 2 * 24 * 3600


def link_address(request: HttpRequest, token: str) -> str:
    """The whole address for a phone: under PUBLIC_BASE_URL, else under the host that the browser used."""
    path = reverse("link-open", args=[token])
    if settings.PUBLIC_BASE_URL:
        return f"{settings.PUBLIC_BASE_URL.rstrip('/')}{path}"
    return request.build_absolute_uri(path)


def qr_svg(address: str) -> str:
    """The address as a QR code, an SVG document of black modules with the quiet zone around them."""
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(picture, kind="svg", scale=8, light="#fff")
    return picture.getvalue().decode()


def cookie_set(response: HttpResponseBase, token: str) -> None:
    """Remember the link; an EventSource sends no headers, so pages need the cookie."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def cookie_delete(response: HttpResponseBase) -> None:
    """Forget the link."""
    response.delete_cookie(COOKIE, samesite="Lax")
