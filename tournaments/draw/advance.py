"""How a bracket moves: what a result, a bye or a withdrawal does to the places that follow.

The rules, each of them local to one match and the places it feeds:

1. A match with two teams and a confirmed result is decided by it. The winner takes the winner's place;
   the loser takes the loser's place if it may go on. After a double forfeit both places stay empty.
2. A match with one team and one place that nobody will ever fill is a bye: the team takes the winner's
   place and the loser's place stays empty. With nobody at all both places stay empty.
3. A match with two teams, no result and a withdrawn team is closed by withdrawal for the other, and the
   withdrawn team does not take the loser's place. If both have withdrawn, the one that withdrew first gives
   way; for the title or third place nobody wins then.
4. A withdrawn team otherwise keeps its way: it stands where its results put it and gives a walkover
   there. So what was once filled never changes because somebody withdraws later. But the title and third
   place are never won by a withdrawn team without a result.
5. A reset match is needed only if side b wins the grand final and the loser may go on; else it is not needed.

Sources always have smaller numbers than the matches they feed, so one pass in number order derives
everything, and the same results give the same bracket in whatever order they were confirmed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from tournaments.draw.errors import DrawError
from tournaments.draw.plan import Place, Plan, PlannedMatch, Seed, Side, Source, WinnerOf
from tournaments.draw.state import BracketState, Cause, CauseReason, Change, Filling, MatchState, Result, Slot

E = TypeVar("E")

_NOT_PLAYED: Mapping[str | None, CauseReason] = {"forfeit": "forfeit", "withdrawal": "withdrawal"}


def derive(
    plan: Plan,
    entries: Sequence[E],
    results: Mapping[int, Result[E]],
    withdrawn: Sequence[E] = (),
) -> BracketState[E]:
    """The state of the whole bracket.

    `entries` is the seed order (seed n is `entries[n - 1]`), `results` the confirmed results by match number,
    `withdrawn` the withdrawn entries in the order in which they withdrew. Raises DrawError
    `entries_do_not_fit`.
    """
    if len(entries) != plan.size or len(set(entries)) != plan.size:
        raise DrawError(
            "entries_do_not_fit",
            f"The bracket is drawn for {plan.size} different entries, not for these {len(entries)}.",
            size=plan.size,
            entries=len(entries),
        )
    left_at = _left_at(withdrawn)
    states: list[MatchState[E]] = []
    outgoing: list[tuple[Slot[E], Slot[E]]] = []
    for match in plan.matches:
        a, b = (_arriving(source, entries, outgoing) for source in match.sources)
        state = _settle(match, a, b, results.get(match.number), left_at)
        states.append(state)
        outgoing.append(_outgoing(state, plan.reset is not None and match.is_final))
    final = states[plan.final.number - 1]
    reset = None if plan.reset is None else states[plan.reset.number - 1]
    return BracketState(tuple(states), champion(final, reset), tuple(withdrawn))


def initial_fillings(plan: Plan, entries: Sequence[E]) -> tuple[Filling[E], ...]:
    """The places that the draw alone fills, byes of round 1 included."""
    cause = Cause(None, "draw")
    places = ((plan.entry_place(seed), entry) for seed, entry in enumerate(entries, start=1))
    return tuple(Filling(place.match, place.side, entry, cause) for place, entry in places)


def settle(
    plan: Plan,
    number: int,
    a: Slot[E],
    b: Slot[E],
    result: Result[E] | None = None,
    withdrawn: Sequence[E] = (),
) -> MatchState[E]:
    """Where one match stands, given its two slots and its confirmed result."""
    return _settle(plan.match(number), a, b, result, _left_at(withdrawn))


def fillings(plan: Plan, state: MatchState[E]) -> tuple[Filling[E], ...]:
    """The places that follow from one match: none while it is open, else one for each place it feeds."""
    feeds = plan.feeds(state.number)
    has_reset = plan.reset is not None and plan.match(state.number).is_final
    found = []
    for place, slot in zip((feeds.winner, feeds.loser), _outgoing(state, has_reset), strict=True):
        if place is not None and slot.cause is not None:
            found.append(Filling(place.match, place.side, slot.entry, slot.cause))
    return tuple(found)


def champion(final: MatchState[E], reset: MatchState[E] | None) -> E | None:
    """Who has won the title by the final and its reset match; None while open, or when nobody has."""
    if reset is not None and final.status == "decided" and reset.status != "not-needed":
        return reset.winning_entry
    return final.winning_entry


def changes(stored: Mapping[Place, Slot[E]], state: BracketState[E]) -> tuple[Change[E], ...]:
    """What to write so that the stored slots equal the derived ones; a place not stored is open."""
    unknown: Slot[E] = Slot()
    return tuple(
        Change(place, stored.get(place, unknown), slot)
        for place, slot in state.slots.items()
        if stored.get(place, unknown) != slot
    )


def _left_at(withdrawn: Sequence[E]) -> dict[E, int]:
    return {entry: order for order, entry in enumerate(withdrawn)}


def _arriving(source: Source, entries: Sequence[E], outgoing: list[tuple[Slot[E], Slot[E]]]) -> Slot[E]:
    if isinstance(source, Seed):
        return Slot("filled", entries[source.number - 1], Cause(None, "draw"))
    winner, loser = outgoing[source.match - 1]
    return winner if isinstance(source, WinnerOf) else loser


def _settle(
    match: PlannedMatch, a: Slot[E], b: Slot[E], result: Result[E] | None, left_at: Mapping[E, int]
) -> MatchState[E]:
    number, stale = match.number, result is not None
    if match.is_reset and a.cause is not None and a.cause.reason == "not-needed":
        return MatchState(number, a, b, "not-needed", result_is_stale=stale)
    if a.status == "open" or b.status == "open":
        return MatchState(number, a, b, "waiting", result_is_stale=stale)
    if a.entry is None and b.entry is None:
        return MatchState(number, a, b, "void", result_is_stale=stale)
    if a.entry is None or b.entry is None:
        if _has_prize(match) and (a.entry in left_at or b.entry in left_at):
            return MatchState(number, a, b, "void", result_is_stale=stale)
        there: Side = "b" if a.entry is None else "a"
        return MatchState(number, a, b, "bye", winner=there, result_is_stale=stale)
    if result is not None and result.between in (None, (a.entry, b.entry)):
        goes_on = result.loser_goes_on and result.outcome in ("played", "forfeit")
        return MatchState(number, a, b, "decided", result.outcome, result.winner, goes_on)
    a_left, b_left = left_at.get(a.entry), left_at.get(b.entry)
    if a_left is None and b_left is None:
        return MatchState(number, a, b, "ready", result_is_stale=stale)
    winner: Side | None = "a" if a_left is None or (b_left is not None and b_left < a_left) else "b"
    if _has_prize(match) and a_left is not None and b_left is not None:
        winner = None
    return MatchState(number, a, b, "decided", "withdrawal", winner, automatic=True, result_is_stale=stale)


def _has_prize(match: PlannedMatch) -> bool:
    return match.is_final or match.is_reset or match.is_third_place


def _outgoing(state: MatchState[E], has_reset: bool) -> tuple[Slot[E], Slot[E]]:
    """What a match sends to its winner's and its loser's place."""
    if not state.is_closed:
        return Slot(), Slot()
    if has_reset and not (state.status == "decided" and state.winner == "b" and state.loser_goes_on):
        nothing: Slot[E] = Slot("empty", None, Cause(state.number, "not-needed"))
        return nothing, nothing
    if state.status == "bye":
        cause = Cause(state.number, "bye")
        return Slot("filled", state.winning_entry, cause), Slot("empty", None, cause)
    if state.winner is None:
        cause = Cause(state.number, "double-forfeit" if state.status == "decided" else "nobody")
        return Slot("empty", None, cause), Slot("empty", None, cause)
    winner = Slot("filled", state.winning_entry, Cause(state.number, _NOT_PLAYED.get(state.outcome, "won")))
    lost = Cause(state.number, _NOT_PLAYED.get(state.outcome, "lost"))
    loser = Slot("filled", state.losing_entry, lost) if state.loser_goes_on else Slot("empty", None, lost)
    return winner, loser
