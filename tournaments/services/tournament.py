"""A tournament's own life: create it, set its rules and stages, name its officials, move it along."""

from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import IntegrityError, transaction
from django.utils.text import slugify

import fortytwo
from tournaments.actors import Actor
from tournaments.enums import CLOSED, DrawState, Lifecycle, Role, StageKind, Visibility
from tournaments.errors import AgainstRules, Conflict, NotThere, NotYours
from tournaments.models import Match, Official, Stage, Tournament, searchable
from tournaments.permissions import require_role
from tournaments.queue import enqueue
from tournaments.rulesets import tournament_rules
from tournaments.services.draw import draft_delete
from tournaments.services.locks import stage_lock, tournament_lock
from tournaments.services.log import log_add, revisions_bump

MOVES: dict[str, tuple[frozenset[Lifecycle], Lifecycle]] = {
    "open-registration": (frozenset({Lifecycle.DRAFT}), Lifecycle.REGISTRATION),
    "open-checkin": (frozenset({Lifecycle.DRAFT, Lifecycle.REGISTRATION}), Lifecycle.CHECK_IN),
    "start": (
        frozenset({Lifecycle.DRAFT, Lifecycle.REGISTRATION, Lifecycle.CHECK_IN}),
        Lifecycle.RUNNING,
    ),
    "finish": (frozenset({Lifecycle.RUNNING}), Lifecycle.FINISHED),
    "archive": (frozenset({Lifecycle.FINISHED}), Lifecycle.ARCHIVED),
    "reopen": (frozenset({Lifecycle.FINISHED, Lifecycle.ARCHIVED}), Lifecycle.RUNNING),
}
BEFORE_PLAY = frozenset({Lifecycle.DRAFT, Lifecycle.REGISTRATION, Lifecycle.CHECK_IN})
CHANGEABLE = (
    "name",
    "venue",
    "time_zone",
    "starts_at",
    "visibility",
    "preset",
    "rules",
    "auto_confirm_minutes",
    "players_exclusive",
    "simulated",
)
STAGE_OPTIONS = ("name", "kind", "best_of", "best_of_by_round", "grand_final", "third_place", "rules")


def tournament_create(
    *, name: str, actor: Actor, stage: dict[str, Any] | None = None, **fields: Any
) -> Tournament:
    """A new tournament in draft with one stage; the actor becomes its owner."""
    if actor.user is None:
        raise NotYours("account_required", "Sign in to create a tournament.")
    with transaction.atomic(durable=True):
        tournament = Tournament(name=name, **fields)
        _tournament_check(tournament)
        _insert(tournament)
        Official.objects.create(tournament=tournament, user_id=actor.user.pk, role=Role.OWNER)
        new_stage = Stage(tournament=tournament, **(stage or {}))
        _stage_check(new_stage)
        new_stage.save(force_insert=True)
        log_add("tournament.created", actor=actor, tournament_id=tournament.pk, name=name)
        revisions_bump(tournament.pk, "home")
        return tournament


def tournament_update(*, tournament_id: UUID, actor: Actor, **changes: Any) -> Tournament:
    """Change a tournament's own fields. Rules can only change before play starts."""
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DIRECTOR)
        rules_change = {"preset", "rules"} & {
            key for key, value in changes.items() if getattr(tournament, key) != value
        }
        if rules_change and tournament.state not in BEFORE_PLAY:
            raise Conflict(
                "rules_fixed", "The rules cannot change once play has started.", state=tournament.state
            )
        for key, value in changes.items():
            if key in CHANGEABLE:
                setattr(tournament, key, value)
        _tournament_check(tournament)
        if rules_change:
            for stage in tournament.stages.all():
                _rules_check(tournament, stage)
        tournament.save(update_fields=[key for key in changes if key in CHANGEABLE])
        log_add("tournament.changed", actor=actor, tournament_id=tournament.pk, fields=sorted(changes))
        revisions_bump(tournament.pk, "home", "bracket", "placings", "tables")
        return tournament


def tournament_move(*, tournament_id: UUID, move: str, actor: Actor) -> Tournament:
    """Move a tournament along its life by a name of `MOVES`. A move already made returns it unchanged.

    Raises Conflict from a state that does not allow it, for a start without a published draw, and for a
    finish while matches are open (with their codes).
    """
    if move not in MOVES:
        raise NotThere("unknown_move", "There is no such move.", move=move)
    allowed, target = MOVES[move]
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DIRECTOR)
        if tournament.state == target:
            return tournament
        if tournament.state not in allowed:
            raise Conflict(
                "move_not_allowed",
                f"A tournament that is {tournament.get_state_display()} cannot {move}.",
                state=tournament.state,
                move=move,
            )
        if move == "start":
            _check_drawn(tournament)
        if move == "finish":
            _check_all_closed(tournament)
        tournament.state = target
        tournament.save(update_fields=["state"])
        log_add(f"tournament.{move}", actor=actor, tournament_id=tournament.pk)
        if move == "start":
            enqueue("tables.assign_tables", tournament.pk)
        revisions_bump(tournament.pk, "home", "bracket", "placings", "tables")
        return tournament


def stage_update(*, stage_id: UUID, actor: Actor, **changes: Any) -> Stage:
    """Change a stage's options; only while its draw is not published. A draft draw is thrown away."""
    with transaction.atomic(durable=True):
        stage = stage_lock(stage_id)
        require_role(actor, stage.tournament, Role.DIRECTOR)
        if stage.draw_state == DrawState.PUBLISHED:
            raise Conflict("draw_published", "The draw is published; its options are fixed.")
        for key in STAGE_OPTIONS:
            if key in changes:
                setattr(stage, key, changes[key])
        _stage_check(stage)
        if stage.draw_state == DrawState.DRAFT:
            draft_delete(stage)
            stage.draw_state, stage.drawn_at = DrawState.NONE, None
        stage.save(
            update_fields=[*(key for key in STAGE_OPTIONS if key in changes), "draw_state", "drawn_at"]
        )
        log_add("stage.changed", actor=actor, tournament_id=stage.tournament_id, fields=sorted(changes))
        revisions_bump(stage.tournament_id, "home", "bracket")
        return stage


def official_set(*, tournament_id: UUID, user: Any, role: str, actor: Actor) -> Official:
    """Give an account a role in the tournament. Owners name directors and owners; directors name the rest.

    Whoever is a director or owner is changed by an owner only. Raises Conflict for the last owner.
    """
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        before = (
            Official.objects.filter(tournament=tournament, user=user).values_list("role", flat=True).first()
        )
        least = Role.OWNER if {role, before} & {Role.OWNER, Role.DIRECTOR} else Role.DIRECTOR
        require_role(actor, tournament, least)
        owners = Official.objects.filter(tournament=tournament, role=Role.OWNER).exclude(user=user)
        if before == Role.OWNER != role and not owners.exists():
            raise Conflict("last_owner", "A tournament has an owner. Name another one first.")
        official, _ = Official.objects.update_or_create(
            tournament=tournament, user=user, defaults={"role": role}
        )
        log_add("official.set", actor=actor, tournament_id=tournament.pk, user=user.get_username(), role=role)
        return official


def _insert(tournament: Tournament) -> None:
    """Store a new tournament under a free slug, and under the next one when somebody takes it first."""
    while True:
        tournament.slug = _free_slug(tournament.name)
        try:
            with transaction.atomic():
                tournament.save(force_insert=True)
        except IntegrityError:
            if not Tournament.objects.filter(slug=tournament.slug).exists():
                raise
        else:
            return


def _free_slug(name: str) -> str:
    base = slugify(searchable(name))[:70] or "tournament"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    if base not in taken:
        return base
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


def _tournament_check(tournament: Tournament) -> None:
    if not tournament.name.strip():
        raise AgainstRules("name_required", "Give the tournament a name.", field="name")
    if tournament.visibility not in Visibility.values:
        raise AgainstRules("unknown_visibility", "Choose private, unlisted or public.", field="visibility")
    try:
        ZoneInfo(tournament.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise AgainstRules(
            "unknown_time_zone", f"{tournament.time_zone!r} is no time zone.", field="time_zone"
        ) from error
    _rules_check(tournament)


def _stage_check(stage: Stage) -> None:
    if stage.kind not in StageKind.values:
        raise AgainstRules("unknown_kind", f"Choose {', '.join(StageKind.values)}.", field="kind")
    for value in [stage.best_of, *stage.best_of_by_round.values()]:
        if value not in (1, 3, 5, 7):
            raise AgainstRules("best_of_odd", "Best of 1, 3, 5 or 7 games.", field="best_of")
    _rules_check(stage.tournament, stage)


def _rules_check(tournament: Tournament, stage: Stage | None = None) -> None:
    try:
        tournament_rules(tournament, stage.rules if stage else None)
    except fortytwo.FortyTwoError as error:
        raise AgainstRules(error.code, str(error), field="rules", **error.facts) from error


def _check_drawn(tournament: Tournament) -> None:
    if not tournament.stages.filter(draw_state=DrawState.PUBLISHED).exists():
        raise Conflict("draw_not_published", "Publish the draw before the start.")


def _check_all_closed(tournament: Tournament) -> None:
    open_matches = Match.objects.filter(tournament=tournament).exclude(state__in=CLOSED).order_by("number")
    codes = [match.code for match in open_matches[:20]]
    if codes:
        raise Conflict(
            "matches_open",
            f"{open_matches.count()} matches are still open, first {', '.join(codes[:5])}.",
            affected=codes,
        )
