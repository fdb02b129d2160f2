"""The draw: made as a draft, looked at, made again, published, taken back while nothing was played."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.director.access import Desk, Undo, acted, official, shown
from scoring.director.selectors.draw import draw_context
from tournaments.enums import DrawMethod, Role
from tournaments.models import Stage
from tournaments.services.draw import stage_draw, stage_publish, stage_reset


def _stage(desk: Desk) -> Stage:
    stage = desk.tournament.stages.order_by("number").first()
    if stage is None:
        raise Http404
    return stage


@require_safe
@official(Role.DIRECTOR)
def draw(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """The draw as it stands."""
    context = {**draw_context(desk.tournament), "methods": DrawMethod.choices}
    return shown(request, "director/draw.html", desk, context, tab="draw")


@require_POST
@official(Role.DIRECTOR)
def make(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Draw, or draw again: the draft before it is thrown away."""
    method = request.POST.get("method", DrawMethod.SEED)
    lots = request.POST.get("lots", "").strip()
    seed = int(lots) if lots.isascii() and lots.isdigit() and len(lots) <= 10 else None
    return acted(
        request,
        lambda: stage_draw(stage_id=_stage(desk).pk, actor=desk.actor, method=method, seed=seed),
        back=reverse("draw", args=[desk.slug]),
        done=lambda stage: _("%(number)d teams are drawn. Nobody else sees it yet.") % {"number": stage.size},
    )


@require_POST
@official(Role.DIRECTOR)
def publish(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Show the draw to everybody."""
    return acted(
        request,
        lambda: stage_publish(stage_id=_stage(desk).pk, actor=desk.actor),
        back=reverse("event", args=[desk.slug]),
        done=_("The draw is published."),
        undo=Undo(reverse("draw-reset", args=[desk.slug]), _("Take it back"), {"sure": "yes"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DIRECTOR)
def reset(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Throw the draw away, after a question; refused once something was entered in it."""
    if request.method != "POST" or request.POST.get("sure") != "yes":
        return shown(request, "director/draw_reset.html", desk, draw_context(desk.tournament), tab="draw")
    return acted(
        request,
        lambda: stage_reset(stage_id=_stage(desk).pk, actor=desk.actor),
        back=reverse("draw", args=[desk.slug]),
        done=_("The draw is taken back. Teams and seeds are as before."),
    )
