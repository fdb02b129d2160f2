"""Opening a link and leaving it; what it opens is the table page."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tables.addresses import cookie_delete, cookie_set, link_address, qr_svg
from tables.selectors.links import link_of_token


@require_safe
@never_cache
def link_open(request: HttpRequest, token: str) -> HttpResponseBase:
    """Remember the link in a cookie and go to its page, so that the token leaves the address bar."""
    if link_of_token(token) is None:
        return _no_link(request)
    response = redirect("link")
    cookie_set(response, token)
    return response


@require_safe
@never_cache
def link_qr(request: HttpRequest, token: str) -> HttpResponseBase:
    """The QR code of the link, for whoever holds it."""
    if link_of_token(token) is None:
        return _no_link(request)
    return HttpResponse(qr_svg(link_address(request, token)), content_type="image/svg+xml")


@require_POST
def link_leave(request: HttpRequest) -> HttpResponseBase:
    """Forget the link in this browser."""
    response = redirect("/")
    cookie_delete(response)
    return response


def _no_link(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/link_gone.html", status=404)
