"""Draws a stage's bracket from its entries: as a draft that can be drawn again, then published."""

import secrets
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tournaments.actors import Actor
from tournaments.draw.errors import DrawError
from tournaments.draw.plan import LoserOf, Plan, Section, Seed, Source
from tournaments.draw.seeding import Entrant, draw_order
from tournaments.enums import (
    DrawMethod,
    DrawState,
    EntryStatus,
    MatchState,
    Role,
    Side,
    SlotState,
    SourceKind,
)
from tournaments.errors import AgainstRules, Conflict
from tournaments.models import Bye, Entry, Match, Round, Slot, Stage
from tournaments.permissions import require_role
from tournaments.selectors.plan import SIDE_OF_PLACE, stage_plan
from tournaments.services.locks import stage_lock
from tournaments.services.log import log_add, revisions_bump
from tournaments.signals import match_ready


def stage_draw(
    *, stage_id: UUID, actor: Actor, method: str = DrawMethod.SEED, seed: int | None = None
) -> Stage:
    """Draw the bracket as a draft, replacing an earlier draft.

    `seed` re-makes the draw that had it; without one a new seed is chosen and stored. The number of
    queries does not grow with the field. Needs the director's role. Raises Conflict once published.
    """
    if method not in DrawMethod.values:
        raise AgainstRules("unknown_method", f"Draw by {', '.join(DrawMethod.values)}.", field="method")
    with transaction.atomic(durable=True):
        stage = stage_lock(stage_id)
        require_role(actor, stage.tournament, Role.DIRECTOR)
        if stage.draw_state == DrawState.PUBLISHED:
            raise Conflict("draw_published", "The draw is published; it cannot be drawn again.")
        draft_delete(stage)
        stage.draw_method = DrawMethod(method)
        stage.draw_seed = secrets.randbelow(2**31) if seed is None else seed
        entries = _order(stage)
        stage.size, stage.first_number = len(entries), _last_number(stage) + 1
        bracket_write(stage, entries)
        stage.draw_state, stage.drawn_at = DrawState.DRAFT, timezone.now()
        stage.save(
            update_fields=["draw_state", "drawn_at", "draw_method", "draw_seed", "size", "first_number"]
        )
        log_add(
            "draw.made",
            actor=actor,
            tournament_id=stage.tournament_id,
            stage=stage.number,
            method=method,
            seed=stage.draw_seed,
            teams=len(entries),
        )
        revisions_bump(stage.tournament_id, "bracket")
        return stage


def stage_publish(*, stage_id: UUID, actor: Actor) -> Stage:
    """Publish the draft: everybody sees it and first-round matches become ready. Repeating it changes nothing.

    Raises Conflict when a team has withdrawn since the draft was made: it would leave a gap.
    """
    with transaction.atomic(durable=True):
        stage = stage_lock(stage_id)
        require_role(actor, stage.tournament, Role.DIRECTOR)
        if stage.draw_state == DrawState.PUBLISHED:
            return stage
        if stage.draw_state != DrawState.DRAFT:
            raise Conflict("not_drawn", "Make the draw first.")
        _check_all_there(stage)
        now = timezone.now()
        stage.draw_state, stage.published_at = DrawState.PUBLISHED, now
        stage.save(update_fields=["draw_state", "published_at"])
        ids = first_matches_open(stage)
        log_add("draw.published", actor=actor, tournament_id=stage.tournament_id, stage=stage.number)
        for match_id in ids[:1]:
            match_ready.send(sender=Match, match_id=match_id, tournament_id=stage.tournament_id)
        revisions_bump(stage.tournament_id, "home", "bracket", "placings", "tables")
        return stage


def stage_reset(*, stage_id: UUID, actor: Actor) -> Stage:
    """Throw a draft away, or a published draw in which nothing was entered yet."""
    with transaction.atomic(durable=True):
        stage = stage_lock(stage_id)
        require_role(actor, stage.tournament, Role.DIRECTOR)
        touched = Match.objects.filter(stage=stage).exclude(
            state__in=[MatchState.WAITING, MatchState.LOCKED, MatchState.READY, MatchState.CALLED]
        )
        codes = [match.code for match in touched.order_by("number")[:20]]
        if codes:
            raise Conflict("draw_has_play", "Matches of this draw are under way.", affected=codes)
        draft_delete(stage)
        stage.draw_state, stage.drawn_at, stage.published_at = DrawState.NONE, None, None
        stage.save(update_fields=["draw_state", "drawn_at", "published_at"])
        log_add("draw.reset", actor=actor, tournament_id=stage.tournament_id, stage=stage.number)
        revisions_bump(stage.tournament_id, "home", "bracket", "placings", "tables")
        return stage


def first_matches_open(stage: Stage) -> list[UUID]:
    """Matches whose teams are known by the draw become ready; their ids. Needs the stage lock."""
    waiting = Match.objects.filter(stage=stage, state=MatchState.WAITING)
    known = waiting.exclude(slots__state=SlotState.OPEN)
    ids = list(known.order_by("number").values_list("pk", flat=True))
    Match.objects.filter(pk__in=ids).update(state=MatchState.READY, ready_at=timezone.now())
    return ids


def draft_delete(stage: Stage) -> None:
    """Delete the stage's rounds, matches and byes. Needs the stage lock."""
    Bye.objects.filter(stage=stage).delete()
    Match.objects.filter(stage=stage).delete()
    Round.objects.filter(stage=stage).delete()


def _check_all_there(stage: Stage) -> None:
    gone = Entry.objects.filter(
        slots__match__stage=stage, status__in=[EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED]
    )
    names = list(gone.order_by("number").distinct().values_list("name", flat=True))
    if names:
        raise Conflict(
            "draw_stale", f"{', '.join(names[:5])} withdrew after the draw. Draw again.", affected=names
        )


def _order(stage: Stage) -> list[Entry]:
    """Entries in seed order: those checked in when any are, else all that have not withdrawn."""
    entries = list(
        Entry.objects.filter(tournament_id=stage.tournament_id)
        .exclude(status__in=[EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED])
        .order_by("number")
    )
    here = [entry for entry in entries if entry.status == EntryStatus.CHECKED_IN]
    field = here or entries
    entrants = [Entrant(entry, entry.number, entry.seed, entry.rating) for entry in field]
    method = stage.draw_method
    try:
        order = draw_order(
            entrants,
            method=DrawMethod(method).value,  # type: ignore[arg-type]
            random_seed=None if method == DrawMethod.SEED and _all_seeded(field) else stage.draw_seed,
        )
    except DrawError as error:
        raise AgainstRules(error.code, str(error), **error.facts) from error
    return list(order.entries)


def _all_seeded(entries: list[Entry]) -> bool:
    return all(entry.seed is not None for entry in entries)


def bracket_write(stage: Stage, entries: list[Entry]) -> None:
    """Store the bracket of these entries, in the order of the draw. Needs the stage lock and its size."""
    plan = stage_plan(stage)
    rounds = {
        (planned.section, planned.number): Round(
            stage=stage,
            section=planned.section,
            number=planned.number,
            play_order=planned.play_order,
            key=planned.key,
            places=planned.places,
            best_of=int(stage.best_of_by_round.get(planned.key, stage.best_of)),
        )
        for planned in plan.rounds
    }
    Round.objects.bulk_create(rounds.values())
    matches: dict[int, Match] = {}
    for planned_match in plan.matches:
        round_ = rounds[planned_match.section, planned_match.round_number]
        matches[planned_match.number] = Match(
            tournament_id=stage.tournament_id,
            stage=stage,
            round=round_,
            number=stage.first_number - 1 + planned_match.number,
            position=planned_match.position,
            best_of=round_.best_of,
            is_reset=planned_match.is_reset,
            state=MatchState.LOCKED if planned_match.is_reset else MatchState.WAITING,
        )
    Match.objects.bulk_create(matches.values())
    Slot.objects.bulk_create(_slots(plan, matches, entries))
    Bye.objects.bulk_create(_byes(stage, plan, rounds, matches, entries))


def _last_number(stage: Stage) -> int:
    last = (
        Match.objects.filter(tournament_id=stage.tournament_id)
        .exclude(stage=stage)
        .order_by("-number")
        .first()
    )
    return last.number if last else 0


def _slots(plan: Plan, matches: dict[int, Match], entries: list[Entry]) -> list[Slot]:
    slots = []
    for planned in plan.matches:
        for side, source in zip((Side.NS, Side.EW), planned.sources, strict=True):
            entry = entries[source.number - 1] if isinstance(source, Seed) else None
            slots.append(
                Slot(
                    match=matches[planned.number],
                    side=side,
                    state=SlotState.FILLED if entry else SlotState.OPEN,
                    entry=entry,
                    cause="draw" if entry else "",
                    filled_at=timezone.now() if entry else None,
                    **_source_fields(source, matches),
                )
            )
    return slots


def _byes(
    stage: Stage,
    plan: Plan,
    rounds: dict[tuple[Section, int], Round],
    matches: dict[int, Match],
    entries: list[Entry],
) -> list[Bye]:
    return [
        Bye(
            stage=stage,
            round=rounds[planned.section, planned.round_number],
            position=planned.position,
            into_match=matches[planned.into.match],
            into_side=SIDE_OF_PLACE[planned.into.side],
            entry=entries[planned.source.number - 1] if isinstance(planned.source, Seed) else None,
            **_source_fields(planned.source, matches),
        )
        for planned in plan.byes
    ]


def _source_fields(source: Source, matches: dict[int, Match]) -> dict[str, object]:
    """The columns that name a source; a slot and a bye share them."""
    if isinstance(source, Seed):
        return {"source_kind": SourceKind.SEED, "source_seed": source.number}
    kind = SourceKind.LOSER if isinstance(source, LoserOf) else SourceKind.WINNER
    return {"source_kind": kind, "source_match": matches[source.match]}
