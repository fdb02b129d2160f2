"""Pages behind a link: opening it, what it opens, and leaving it."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from tables.addresses import COOKIE, cookie_delete, cookie_set, link_address, qr_svg
from tables.enums import SeatName
from tables.selectors.links import link_contents, link_of_token
from tournaments.enums import Side


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


@require_safe
@never_cache
@ensure_csrf_cookie
def link_page(request: HttpRequest) -> HttpResponseBase:
    """What the opened link shows: table, match, teams, seats and the marks entered so far."""
    link = link_of_token(request.COOKIES.get(COOKIE, ""))
    if link is None:
        response = _no_link(request)
        cookie_delete(response)
        return response
    contents = link_contents(link)
    match, result = contents.match, contents.result
    sides = [
        {
            "side": Side(side),
            "entry": contents.teams.get(side),
            "is_own": side == contents.side,
            "players": [
                {"seat": SeatName(seat).label, "name": contents.seats[seat].name}
                for seat in seats
                if seat in contents.seats
            ],
            "marks": [game[side] for game in result.games] if result else [],
        }
        for side, seats in (("NS", "NS"), ("EW", "EW"))
    ]
    context = {"link": link, "contents": contents, "match": match, "sides": sides, "result": result}
    return render(request, "tables/link.html", context)


@require_POST
def link_leave(request: HttpRequest) -> HttpResponseBase:
    """Forget the link in this browser."""
    response = redirect("/")
    cookie_delete(response)
    return response


def _no_link(request: HttpRequest) -> HttpResponse:
    return render(request, "tables/link_gone.html", status=404)
