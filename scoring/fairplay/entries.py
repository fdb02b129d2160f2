"""D11, the rules about who enters: somebody who plays in the match, the same account twice, the desk.

An account is known to play where it is tied to a player. Entries by the links of the two teams are how a
match is meant to be recorded and are no finding: the other side settles them.
"""

from __future__ import annotations

from scoring.fairplay.facts import EventFacts, MatchFacts, Settled, TeamFacts
from scoring.fairplay.types import About, Detector, Finding, Item, Looked, Reason, Scope, Tried

PLAYER, OWN, DESK, ONE_SCORER, VERSION = "player-entry", "own-entry", "desk-entry", "one-scorer", 1
FEWEST_MATCHES = 2
"""Matches of a team from which on "all of them" says something."""
MOST_ELSEWHERE = 0.5
"""An account that settles a larger share of everybody else's matches simply does the event's desk."""


def look_for_players(record: MatchFacts) -> Looked:
    """Somebody who plays in the match entered or settled its result, or kept its score."""
    if not record.playing:
        return Looked(untestable="no_accounts_of_players")
    return Looked(
        tuple(
            _player_finding(record, account, side)
            for account, side in sorted(record.playing.items())
            if _acts(record, account)
        )
    )


def _acts(record: MatchFacts, account: str) -> tuple[Item, ...]:
    """What the account did in this match."""
    result, code = record.result, record.code
    acts = []
    if result.entered_by == account:
        acts.append(Item("entered_result", {"at": result.entered_at.isoformat()}, code))
    if result.settled_by == account and result.settled_at is not None:
        acts.append(Item("settled_result", {"at": result.settled_at.isoformat(), "way": result.way}, code))
    hands = [hand for hand in record.hands if hand.account == account]
    if hands:
        acts.append(Item("kept_score", {"hands": len(hands)}, code, hands[0].game, hands[0].number))
    return tuple(acts)


def _player_finding(record: MatchFacts, account: str, side: str) -> Finding:
    acts = _acts(record, account)
    settled = any(act.code == "settled_result" for act in acts)
    by_other = record.result.way == "other-side"
    return Finding(
        detector=PLAYER,
        version=VERSION,
        subject=f"match:{record.id}:account:{account}",
        code="player_settled" if settled else "player_entered",
        about=About(record.id),
        facts={"side": side, "account": account},
        figures=(
            Item("acts", {"value": len(acts)}),
            Item("won_or_lost", {"value": "won" if record.result.winner == side else "lost"}),
        ),
        toward=acts,
        away=(Item("other_side_agreed", {}, record.code),) if by_other else (),
        reasons=(
            Reason("other_side_agreed", Tried.FITS if by_other else Tried.NO_FIT),
            Reason("entered_for_both", Tried.OPEN),
            Reason("account_shared", Tried.OPEN),
            Reason("wrong_account_tied", Tried.OPEN),
        ),
    )


def look_for_own(record: MatchFacts) -> Looked:
    """The same account entered and settled, in a way that asks for two."""
    result = record.result
    if not result.settled_by or result.settled_by != result.entered_by or result.way == "desk":
        return Looked()
    finding = Finding(
        detector=OWN,
        version=VERSION,
        subject=f"match:{record.id}",
        code="settled_own_entry",
        about=About(record.id),
        facts={"account": result.settled_by, "way": result.way},
        toward=(
            Item("entered_result", {"at": result.entered_at.isoformat()}, record.code),
            Item("settled_result", {"at": _iso(record), "way": result.way}, record.code),
        ),
        reasons=(
            Reason("two_people_one_account", Tried.OPEN),
            Reason("changed_in_the_store", Tried.OPEN),
        ),
    )
    return Looked((finding,))


def look_at_desk(record: MatchFacts) -> Looked:
    """A result that counted at once by the desk's word: listed, with the reason that was given."""
    result = record.result
    if result.way != "desk":
        return Looked()
    if record.from_paper:
        return Looked(untestable="copied_from_paper")
    played = result.outcome == "played"
    finding = Finding(
        detector=DESK,
        version=VERSION,
        subject=f"match:{record.id}:version:{result.version}",
        code="desk_settled" if played else "desk_forfeit",
        about=About(record.id),
        facts={"account": result.settled_by, "reason": result.reason, "version": result.version},
        figures=(
            Item("result_version", {"value": result.version}),
            Item("games_recorded", {"value": sum(game.is_closed for game in record.games)}),
        ),
        toward=(Item("settled_result", {"at": _iso(record), "way": result.way}, record.code),),
        away=(Item("settled_with_reason", {"reason": result.reason}, record.code),) if result.reason else (),
        reasons=(
            Reason("desk_gave_a_reason", Tried.OPEN, {"reason": result.reason}),
            Reason("sheet_brought_to_desk", Tried.OPEN),
        ),
    )
    return Looked((finding,))


def look_for_one_scorer(record: EventFacts) -> Looked:
    """One account entered and settled every match that a team played."""
    found = []
    for team in record.teams:
        account = scorer_of_all(team)
        if account and _share_elsewhere(record, team, account) <= MOST_ELSEWHERE:
            found.append(_scorer_finding(record, team, account))
    return Looked(tuple(found))


def scorer_of_all(team: TeamFacts) -> str:
    """The account that entered and settled all matches of the team, or empty."""
    if len(team.matches) < FEWEST_MATCHES:
        return ""
    account = team.matches[0].entered_by
    return account if account and all(one.is_all_by(account) for one in team.matches) else ""


def _elsewhere(record: EventFacts, team: TeamFacts) -> list[Settled]:
    own = {one.match_id for one in team.matches}
    return [one for one in record.others if one.match_id not in own]


def _share_elsewhere(record: EventFacts, team: TeamFacts, account: str) -> float:
    """The share of all other matches that the same account entered and settled; 0 where there are none."""
    others = _elsewhere(record, team)
    return sum(one.is_all_by(account) for one in others) / len(others) if others else 0.0


def _scorer_finding(record: EventFacts, team: TeamFacts, account: str) -> Finding:
    others = _elsewhere(record, team)
    same = sum(one.is_all_by(account) for one in others)
    return Finding(
        detector=ONE_SCORER,
        version=VERSION,
        subject=f"entry:{team.entry_id}:account:{account}",
        code="one_scorer_for_team",
        about=About(record.match.id, entry=team.entry_id),
        facts={"account": account, "matches": len(team.matches), "team": team.number},
        figures=(
            Item("matches_of_team", {"value": len(team.matches)}),
            Item("matches_elsewhere", {"value": same, "of": len(others)}),
        ),
        toward=tuple(Item("entered_and_settled", {}, one.match) for one in team.matches),
        away=tuple(Item("same_elsewhere", {}, one.match) for one in others if one.is_all_by(account))[:5],
        reasons=(
            Reason("does_the_desk_for_all", Tried.NO_FIT, {"same": same, "of": len(others)}),
            Reason("scorer_of_that_table", Tried.OPEN),
        ),
    )


def _iso(record: MatchFacts) -> str:
    at = record.result.settled_at
    return at.isoformat() if at else ""


_INPUTS = ("who entered and who settled the result",)

PLAYERS: Detector[MatchFacts] = Detector(
    name=PLAYER,
    version=VERSION,
    scope=Scope.MATCH,
    look=look_for_players,
    inputs=(*_INPUTS, "which accounts belong to players"),
    null="Nobody who plays in a match enters or settles its result with an account of an official.",
    innocent=("other_side_agreed", "entered_for_both", "account_shared", "wrong_account_tied"),
)
OWN_ENTRY: Detector[MatchFacts] = Detector(
    name=OWN,
    version=VERSION,
    scope=Scope.MATCH,
    look=look_for_own,
    inputs=_INPUTS,
    null="Whoever settles a result is not who entered it.",
    innocent=("two_people_one_account", "changed_in_the_store"),
)
DESK_ENTRY: Detector[MatchFacts] = Detector(
    name=DESK,
    version=VERSION,
    scope=Scope.MATCH,
    look=look_at_desk,
    inputs=_INPUTS,
    null="Listed, not doubted: the desk may settle a result with a reason.",
    innocent=("desk_gave_a_reason", "sheet_brought_to_desk"),
)
ONE_SCORER_OF_TEAM: Detector[EventFacts] = Detector(
    name=ONE_SCORER,
    version=VERSION,
    scope=Scope.EVENT,
    look=look_for_one_scorer,
    inputs=_INPUTS,
    null="A team's matches are entered and settled by several people, or by whoever does it for all.",
    innocent=("does_the_desk_for_all", "scorer_of_that_table"),
)
