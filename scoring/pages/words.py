"""The words of rounds, states and bids, for people. Everything goes through gettext."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.enums import MatchState, Outcome, SettledWay

ChipWords = tuple[str, str]
"""The kind of a chip (its silhouette and ground) and its word."""


def round_name(key: str) -> str:
    """A round in full: "Winners 3", "Losers’ final", "Grand final"."""
    fixed = {
        "quarterfinals": _("Quarter-finals"),
        "semifinals": _("Semi-finals"),
        "final": _("Final"),
        "third-place": _("Third place"),
        "winners-semifinals": _("Winners’ semi-finals"),
        "winners-final": _("Winners’ final"),
        "losers-final": _("Losers’ final"),
        "grand-final": _("Grand final"),
        "reset": _("Reset match"),
    }
    if key in fixed:
        return fixed[key]
    section, _dash, number = key.rpartition("-")
    if section == "winners":
        return _("Winners %(number)s") % {"number": number}
    if section == "losers":
        return _("Losers %(number)s") % {"number": number}
    return _("Round %(number)s") % {"number": number}


def round_short(key: str) -> str:
    """A round in the strip of a phone: "3", "Semis", "Final"."""
    fixed = {
        "quarterfinals": _("Quarters"),
        "semifinals": _("Semis"),
        "final": _("Final"),
        "third-place": _("3rd"),
        "winners-semifinals": _("Semis"),
        "winners-final": _("Final"),
        "losers-final": _("Final"),
        "grand-final": _("Grand"),
        "reset": _("Reset"),
    }
    return fixed.get(key) or key.rpartition("-")[2]


def winner_of(code: str) -> str:
    return _("Winner of %(match)s") % {"match": code}


def loser_of(code: str) -> str:
    return _("Loser of %(match)s") % {"match": code}


def state_chip(state: str, game: int, *, moving_on: bool = False) -> ChipWords:
    """The chip of a match. `game` is the game being played; `moving_on` says that teams still have to be."""
    words: dict[str, ChipWords] = {
        MatchState.LOCKED: ("waiting", _("Only if needed")),
        MatchState.WAITING: ("waiting", _("Waiting")),
        MatchState.READY: ("waiting", _("Next")),
        MatchState.CALLED: ("called", _("Called")),
        MatchState.PLAYING: ("playing", _("Game %(number)d") % {"number": game}),
        MatchState.ENTERED: ("confirm", _("To confirm")),
        MatchState.DISPUTED: ("dispute", _("Dispute")),
        MatchState.CONFIRMED: ("final", _("Final")),
        MatchState.VOID: ("bye", _("Not played")),
    }
    if moving_on and state == MatchState.CONFIRMED:
        return ("pending", _("Final, moving on"))
    return words[state]


def outcome_word(outcome: str) -> str:
    """What stands in place of marks when a match was not played out; empty when it was."""
    return {
        Outcome.FORFEIT: _("forfeit"),
        Outcome.DOUBLE_FORFEIT: _("double forfeit"),
        Outcome.WITHDRAWAL: _("withdrawal"),
    }.get(Outcome(outcome), "")


def settled_words(way: str) -> str:
    """How a result came to count, as a sentence part."""
    return (
        {
            SettledWay.OTHER_SIDE: _("confirmed by the other side"),
            SettledWay.OFFICIAL: _("confirmed by an official"),
            SettledWay.DESK: _("entered at the desk"),
            SettledWay.SILENCE: _("counted after nobody objected in time"),
            SettledWay.RULE: _("by rule, after a withdrawal"),
        }.get(SettledWay(way), "")
        if way
        else ""
    )


def seat_name(seat: str) -> str:
    return {"N": _("North"), "E": _("East"), "S": _("South"), "W": _("West")}[seat]


def seat_letter(seat: str) -> str:
    """The letter of a seat on a table plan."""
    return {
        "N": pgettext("seat letter", "N"),
        "E": pgettext("seat letter", "E"),
        "S": pgettext("seat letter", "S"),
        "W": pgettext("seat letter", "W"),
    }[seat]


def trump_words(trump: str) -> str:
    """ "Sixes are trump", "Follow me", "Doubles are trump"."""
    names = {
        "0": _("Blanks are trump"),
        "1": _("Ones are trump"),
        "2": _("Twos are trump"),
        "3": _("Threes are trump"),
        "4": _("Fours are trump"),
        "5": _("Fives are trump"),
        "6": _("Sixes are trump"),
        "doubles": _("Doubles are trump"),
        "follow-me": _("Follow me"),
    }
    return names.get(trump, trump)


def trump_short(trump: str) -> str:
    """ "sixes", "follow me", "doubles"."""
    names = {
        "0": _("blanks"),
        "1": _("ones"),
        "2": _("twos"),
        "3": _("threes"),
        "4": _("fours"),
        "5": _("fives"),
        "6": _("sixes"),
        "doubles": _("doubles"),
        "follow-me": _("follow me"),
    }
    return names.get(trump, trump)


def call_words(call: str) -> str:
    """A call as it is said: "pass", "34", "84", "3 marks"."""
    if call == "pass":
        return _("pass")
    if call.endswith("m"):
        number = int(call[:-1])
        return ngettext("%(number)d mark", "%(number)d marks", number) % {"number": number}
    return call


def losses_words(losses: int) -> str:
    """How a team that is still in stands."""
    if losses == 0:
        return _("no loss")
    return ngettext("%(number)d loss", "%(number)d losses", losses) % {"number": losses}


def best_of_words(best_of: int) -> str:
    names = {3: _("best of three"), 5: _("best of five"), 7: _("best of seven")}
    return names.get(best_of, _("one game"))


def kind_words(kind: str) -> str:
    return {
        "single-elimination": _("single elimination"),
        "double-elimination": _("double elimination"),
    }.get(kind, kind)
