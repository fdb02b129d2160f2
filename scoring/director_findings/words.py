"""The words of fair play, made from codes and facts. They state what the record says and blame nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from scoring.pages import words as pages

Texts = Mapping[str, Any]

SENTENCES: Texts = {
    "possible_renege": _("%(seat)s did not follow %(suit)s in trick %(trick)s, and %(shown)s"),
    "record_contradicts": _("%(seat)s did not follow %(suit)s in trick %(trick)s, and %(shown)s"),
    "doubles_missing": _("%(seat)s called %(call)s and held %(held)s doubles"),
    "record_impossible": _("The stored record of this hand cannot have been played"),
    "hand_impossible": _("This hand cannot have happened as it is stored"),
    "hand_differs": _("What is stored for this hand does not follow from its record"),
    "game_differs": _("A game’s marks are not those of its hands"),
    "result_differs": _("The result is not that of the games recorded"),
    "recorded_after_the_end": _("Something was recorded after the match was final"),
    "claim_not_certain": _("A claim was accepted that was not certain"),
    "times_run_backwards": _("The times of this hand run backwards"),
    "faster_than_hands": _("%(plays)s dominoes were recorded in %(seconds)s seconds"),
    "gaps_all_alike": _("The dominoes of this hand came at even intervals"),
    "match_too_short": _("The result was entered %(minutes)s minutes after the match began"),
    "hands_in_a_batch": _("%(hands)s hands were recorded within %(seconds)s seconds"),
    "player_entered": _("Somebody who plays in this match entered its result or kept its score"),
    "player_settled": _("Somebody who plays in this match settled its result"),
    "settled_own_entry": _("The same account entered this result and settled it"),
    "desk_settled": _("The desk entered this result, and it counted at once"),
    "desk_forfeit": _("The desk ended this match without play"),
    "one_scorer_for_team": _("One account entered and settled all %(matches)s matches of a team"),
    "two_hands_at_once": _("One account recorded hands at two tables at the same time"),
    "two_tables_in_turns": _("One account recorded two tables in turns"),
    "deal_twice": _("The same deal was recorded twice"),
    "hands_twice": _("Two matches have the same hands in the same order"),
}

ITEMS: Texts = {
    "shown_void_then_held": _("%(seat)s played the %(played)s on the %(led)s led, and %(shown)s."),
    "could_have_changed": _(
        "The hand was decided by %(margin)s, and that side took %(at_stake)s points from trick %(trick)s on: "
        "it could have turned."
    ),
    "could_not_change": _(
        "The hand was decided by %(margin)s, and that side took %(at_stake)s points from trick %(trick)s on: "
        "it could not have turned."
    ),
    "rule_would_give": _(
        "Scored %(scored)s; for a renege the rules of the event give %(by_rule)s, North and South first."
    ),
    "other_voids_hold": _("Other times that %(seat)s did not follow, with nothing against it: %(count)s."),
    "called_with": _("%(seat)s called %(call)s and held %(held)s doubles."),
    "wrong_trump": _("With %(trump)s nothing contradicts."),
    "wrong_trump_moved": _("With %(trump)s nothing contradicts, with other seats leading."),
    "swapped_order": _("Trick %(trick)s with the %(first)s and the %(second)s the other way round."),
    "tile_typo": _("%(seat)s, trick %(trick)s: %(instead)s instead of %(written)s."),
    "tile_typo_held": _("%(seat)s held %(instead)s instead of %(written)s."),
    "wrong_leader": _("Trick %(trick)s written from another seat on."),
    "wrong_leader_rest": _("%(leader)s led trick %(trick)s, and the rest follows from it."),
    "engine_refuses": _("The rules refuse it: %(refusal)s."),
    "engine_refuses_field": _("%(field)s: the rules refuse it (%(refusal)s)."),
    "differs": _("%(field)s: stored %(stored)s, by the record %(worked_out)s."),
    "recorded_late": _("Recorded at %(at)s."),
    "settled_with_reason": _("A reason was given: “%(reason)s”"),
    "entered_result": _("%(account)s entered the result at %(at)s."),
    "settled_result": _("%(account)s settled it at %(at)s, %(way)s."),
    "kept_score": _("%(account)s recorded hands: %(hands)s."),
    "other_side_agreed": _("The other side confirmed the result itself."),
    "entered_and_settled": _("Entered and settled by the same account."),
    "same_elsewhere": _("The same account entered and settled this match of other teams too."),
    "times_run_backwards": _("One domino is %(gap)s seconds after the one before it."),
    "faster_than_hands": _("%(plays)s dominoes in %(seconds)s seconds; hands need about %(least)s."),
    "gaps_all_alike": _("The %(gaps)s gaps between them have a standard deviation of %(sd)s seconds."),
    "match_too_short": _("Began at %(began)s, entered at %(entered)s."),
    "hands_in_a_batch": _("%(hands)s hands in a row within %(seconds)s seconds, from this one on."),
    "recorded_here": _("%(account)s, from %(from)s to %(to)s."),
    "same_here": _("The same here."),
    "other_line": _("Played on like this it ends otherwise: %(plays)s."),
}

FIGURES: Texts = {
    "contradictions": _("contradictions in this hand"),
    "tiles_seen": _("dominoes known"),
    "errors_that_fit": _("kinds of error that would explain it"),
    "points_after": _("points of that side from there on"),
    "doubles_held": _("doubles held, of those needed"),
    "differences": _("figures that differ"),
    "marks_stored": _("marks stored, North and South first"),
    "games_recorded": _("games recorded at the table"),
    "result_version": _("version of the result"),
    "tiles_left": _("dominoes left"),
    "plays": _("dominoes with a time"),
    "seconds": _("seconds from first to last"),
    "longest_gap": _("seconds, the longest gap"),
    "minutes": _("minutes from the start to the entry"),
    "hands_recorded": _("hands recorded"),
    "batches": _("batches"),
    "acts": _("acts of this account here"),
    "won_or_lost": _("that side’s match"),
    "matches_of_team": _("matches of this team"),
    "matches_elsewhere": _("matches of others, by the same account"),
    "overlaps": _("pairs of hands at one time"),
    "changes": _("changes from table to table"),
}

VALUES: Texts = {"won": _("won"), "lost": _("lost")}

REASONS: Texts = {
    "wrong_trump": _("Another trump was noted"),
    "swapped_order": _("Two dominoes of a trick the wrong way round"),
    "tile_typo": _("One domino typed for another"),
    "wrong_leader": _("A trick written from the wrong seat on"),
    "rules_changed": _("A rule was set differently"),
    "typed_wrongly": _("Somebody typed it wrongly"),
    "changed_in_the_store": _("The stored row was changed by hand"),
    "desk_gave_a_reason": _("The desk gave a reason"),
    "sheet_right_record_wrong": _("The score sheet is right and the record is not"),
    "game_cut_short": _("A game was cut short"),
    "written_afterwards": _("It was written afterwards"),
    "sent_after_an_outage": _("The network was away"),
    "clock_was_set": _("The server’s clock was set"),
    "called_late": _("Play began before the call"),
    "other_side_agreed": _("The other side agreed"),
    "entered_for_both": _("Both teams asked for it"),
    "account_shared": _("Several people use the account"),
    "wrong_account_tied": _("The account is tied to the wrong player"),
    "two_people_one_account": _("Two people, one account"),
    "sheet_brought_to_desk": _("Both teams brought the sheet to the desk"),
    "does_the_desk_for_all": _("This account does the desk for everybody"),
    "scorer_of_that_table": _("A scorer who always sits at that table"),
    "walks_between_two_tables": _("Somebody walks between two tables"),
    "hand_left_open": _("A hand was left open"),
    "recorded_into_wrong_match": _("It was recorded into the wrong match"),
    "recorded_twice": _("It was recorded twice"),
    "dealt_alike_on_purpose": _("Prepared deals"),
    "copied_as_practice": _("Copied as practice"),
    "holding_typed_wrongly": _("A hand turned up was typed wrongly"),
    "call_typed_wrongly": _("The call was typed wrongly"),
    "all_agreed": _("All four agreed"),
}

REASON_TEXTS: Texts = {
    "written_afterwards": _("Then declare the match as copied from paper; its times count no more."),
    "sent_after_an_outage": _("Phones keep what was typed and send it at once when they are back."),
    "clock_was_set": _("Compare the other tables at that minute."),
    "called_late": _("Times are those of the call and of the entry."),
    "rules_changed": _("Compare the rules of the stage with those on paper."),
    "typed_wrongly": _("Ask who kept the score."),
    "changed_in_the_store": _("Only somebody with the machine can do that."),
    "sheet_right_record_wrong": _("Look at the sheet."),
    "game_cut_short": _("Time may have been called."),
    "entered_for_both": _("Ask the other side."),
    "account_shared": _("Ask who was signed in."),
    "wrong_account_tied": _("Look at the list of accounts that play."),
    "two_people_one_account": _("Ask who was signed in."),
    "sheet_brought_to_desk": _("Look at the signatures."),
    "scorer_of_that_table": _("Look at who sat where."),
    "walks_between_two_tables": _("Hand by hand one person can keep two tables."),
    "hand_left_open": _("A hand opened early and closed late looks like this."),
    "recorded_into_wrong_match": _("Compare with the sheets of both matches."),
    "recorded_twice": _("Compare the times."),
    "dealt_alike_on_purpose": _("Ask whether deals were prepared."),
    "copied_as_practice": _("Ask who tried the program out."),
    "holding_typed_wrongly": _("Ask whoever typed them."),
    "call_typed_wrongly": _("Ask the table."),
    "all_agreed": _("Ask the table."),
}

DETECTORS: Texts = {
    "contradiction": _("Records that contradict themselves"),
    "special": _("Plunge or splash without its doubles"),
    "hand-score": _("Hands that do not add up"),
    "match-score": _("Results that do not follow from the games"),
    "claim": _("Claims that were not certain"),
    "player-entry": _("Entered by somebody who plays"),
    "own-entry": _("Entered and settled by one account"),
    "one-scorer": _("One account for all of a team"),
    "two-tables": _("One account at two tables"),
    "same-deal": _("The same deal twice"),
    "same-hands": _("The same hands twice"),
    "hand-times": _("Hands recorded quicker than they can be played"),
    "match-times": _("Matches entered quicker than they can be played"),
    "desk-entry": _("Settled at the desk"),
}
"""In the order of the list: what a record says first, what is only listed last."""

STEPS: Texts = {
    "contradiction": _("ask the two teams what they remember before anybody is asked to explain"),
    "special": _("ask the table what was turned up"),
    "hand-score": _("lay the score sheet beside the record"),
    "match-score": _("lay the score sheet beside the record"),
    "claim": _("ask the table what was laid down"),
    "player-entry": _("have somebody else settle matches of this team"),
    "own-entry": _("ask who was signed in"),
    "one-scorer": _("let another official settle the next match of this team"),
    "two-tables": _("ask who was signed in"),
    "same-deal": _("lay both records side by side"),
    "same-hands": _("lay both records side by side"),
    "hand-times": _("ask how the hand was recorded"),
    "match-times": _("ask when it was written; declare it as copied from paper if so"),
    "desk-entry": _("look at the sheet, then close"),
}

UNTESTABLE: Texts = {
    "no_plays": _("the dominoes were not recorded"),
    "record_refused": _("the stored record cannot be played through"),
    "no_claims_recorded": _("claims are not recorded"),
    "holdings_unknown": _("not all hands were turned up"),
    "too_many_lines": _("too many dominoes were left"),
    "times_do_not_count": _("the event is simulated or copied from paper"),
    "too_few_plays": _("too few dominoes have a time"),
    "no_games": _("only the result was entered"),
    "no_accounts_of_players": _("no account is tied to a player of the match"),
    "simulated": _("the event is simulated"),
    "copied_from_paper": _("it was declared as copied from paper"),
    "not_played": _("the match was not played"),
    "no_begin": _("its beginning was not recorded"),
    "recorded_by_links": _("hands were recorded by table or team links"),
    "no_hands": _("no hands were recorded"),
    "too_few_hands": _("the hands recorded say too little"),
}

FIELDS: Texts = {
    "marks": _("Marks"),
    "winner": _("Winner"),
    "result": _("Game in the result"),
    "total": _("Marks of all games"),
    "games": _("Games won"),
    "ending": _("Made or set"),
    "bid": _("Bid"),
    "declarer": _("Bidder"),
    "trump": _("Trump"),
    "points": _("Points"),
    "made": _("Made or set"),
}

SUITS: Texts = {
    "trumps": _("trump"),
    "doubles": _("doubles"),
    "blanks": _("blanks"),
    "ones": _("ones"),
    "twos": _("twos"),
    "threes": _("threes"),
    "fours": _("fours"),
    "fives": _("fives"),
    "sixes": _("sixes"),
    "sevens": pgettext_lazy("the game of sevens", "sevens"),
}


@dataclass(frozen=True, slots=True)
class Say:
    """How people and times are named on a page. Without `accounts` and `seats` nobody is."""

    zone: str
    accounts: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)

    def seat(self, seat: str) -> str:
        name = pages.seat_name(seat)
        return f"{name} ({self.seats[seat]})" if seat in self.seats else name

    def account(self, account: str) -> str:
        return self.accounts.get(account) or _now("The account")

    def time(self, text: str) -> str:
        """A stored moment in the venue's zone: 9:45:12."""
        return datetime.fromisoformat(text).astimezone(ZoneInfo(self.zone)).strftime("%-I:%M:%S")


def sentence(code: str, facts: Mapping[str, Any], say: Say) -> str:
    """What was observed, as a headline."""
    return _filled(SENTENCES, code, facts, say)


def item(code: str, facts: Mapping[str, Any], say: Say) -> str:
    """One piece of evidence."""
    if code == "wrong_trump" and not facts.get("seats_stay"):
        code = "wrong_trump_moved"
    elif code == "wrong_leader" and facts.get("rest"):
        code = "wrong_leader_rest"
    elif code == "tile_typo" and not facts.get("trick"):
        code = "tile_typo_held"
    elif code == "engine_refuses" and facts.get("field"):
        code = "engine_refuses_field"
    return _filled(ITEMS, code, facts, say)


def figure(code: str, facts: Mapping[str, Any]) -> tuple[str, str]:
    """A number, and what it is."""
    value = facts.get("value")
    shown = "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    shown = str(VALUES.get(shown, shown))
    shown = shown.replace("-", "–") if code == "marks_stored" else shown
    if "of" in facts:
        shown = _now("%(value)s of %(all)s") % {"value": shown, "all": facts["of"]}
    return shown, str(FIGURES.get(code, code))


def reason(code: str, tried: str, facts: Mapping[str, Any]) -> tuple[str, str]:
    """An innocent reason, and what became of trying it."""
    return str(REASONS.get(code, code)), _reason_text(code, tried, facts)


def _reason_text(code: str, tried: str, facts: Mapping[str, Any]) -> str:
    if code in {"wrong_trump", "swapped_order", "tile_typo", "wrong_leader"}:
        return _error_text(tried, facts)
    if code == "does_the_desk_for_all":
        return _now("Tested: %(same)s of %(of)s other matches.") % facts
    if code == "desk_gave_a_reason" and facts.get("reason"):
        return _now("“%(reason)s” Nobody but the people there can say whether it is so.") % facts
    if tried == "fits":
        return _now("Tested: it is so.")
    if tried == "no-fit":
        return _now("Tested: it does not explain this.")
    return str(REASON_TEXTS.get(code, _now("The record cannot tell.")))


def _error_text(tried: str, facts: Mapping[str, Any]) -> str:
    if tried == "fits":
        text = ngettext(
            "It would explain the record, in %(ways)d way.",
            "It would explain the record, in %(ways)d ways.",
            facts["ways"],
        )
        return text % facts
    if facts.get("in_part"):
        return _now("It would explain a part of it.")
    if facts.get("all_seen"):
        return _now("Tested: all 28 dominoes are different, so it does not explain this.")
    return _now("Tested: it does not explain this.")


def _filled(texts: Texts, code: str, facts: Mapping[str, Any], say: Say) -> str:
    text = str(texts.get(code, code))
    return text % _said(facts, say) if "%(" in text else text


def _said(facts: Mapping[str, Any], say: Say) -> dict[str, Any]:
    """The facts as words."""
    said: dict[str, Any] = {"account": say.account(""), "field": "", "refusal": ""}
    for name, value in facts.items():
        said[name] = _said_fact(name, value, say)
    if "proof" in facts:
        said["shown"] = _shown(facts)
    if isinstance(facts.get("tiles"), list):
        said["first"], said["second"] = facts["tiles"]
    if isinstance(facts.get("plays"), list):
        said["plays"] = " ".join(facts["plays"])
    return said


def _said_fact(name: str, value: Any, say: Say) -> Any:
    if name in {"seat", "leader"} and value:
        return say.seat(str(value))
    if name == "account":
        return say.account(str(value))
    if name in {"at", "from", "to", "began", "entered"} and value:
        return say.time(str(value))
    if name == "suit":
        return SUITS.get(str(value), value)
    if name == "trump":
        return pages.trump_words(str(value)).lower()
    if name == "call":
        return pages.call_words(str(value))
    if name == "way":
        return pages.settled_words(str(value))
    if name == "field":
        return FIELDS.get(str(value), value)
    if name == "refusal":
        return str(value).replace("_", " ")
    if isinstance(value, float):
        return f"{value:g}"
    if name in {"stored", "worked_out", "scored", "by_rule"}:
        return str(value).replace("-", "–") or _now("nothing")
    return value


def _shown(facts: Mapping[str, Any]) -> str:
    if facts.get("proof_trick"):
        text = _now("showed the %(proof)s in trick %(proof_trick)s")
    else:
        text = _now("held the %(proof)s when the hands were turned up")
    return text % facts
