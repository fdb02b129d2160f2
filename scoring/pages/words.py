"""The words of rounds, states and bids, for people. Everything goes through gettext."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from tournaments.enums import MatchState, Outcome, SettledWay

ChipWords = tuple[str, str]
"""The kind of a chip (its silhouette and ground) and its word."""


ROUNDS = {
    "quarterfinals": gettext_lazy("Quarter-finals"),
    "semifinals": gettext_lazy("Semi-finals"),
    "final": gettext_lazy("Final"),
    "third-place": gettext_lazy("Third place"),
    "winners-semifinals": gettext_lazy("Winners’ semi-finals"),
    "winners-final": gettext_lazy("Winners’ final"),
    "losers-final": gettext_lazy("Losers’ final"),
    "grand-final": gettext_lazy("Grand final"),
    "reset": gettext_lazy("Reset match"),
}
SHORT_ROUNDS = {
    "quarterfinals": gettext_lazy("Quarters"),
    "semifinals": gettext_lazy("Semis"),
    "final": gettext_lazy("Final"),
    "third-place": gettext_lazy("3rd"),
    "winners-semifinals": gettext_lazy("Semis"),
    "winners-final": gettext_lazy("Final"),
    "losers-final": gettext_lazy("Final"),
    "grand-final": gettext_lazy("Grand"),
    "reset": gettext_lazy("Reset"),
}


def round_name(key: str) -> str:
    """A round in full: "Winners 3", "Losers’ final", "Grand final"."""
    if key in ROUNDS:
        return str(ROUNDS[key])
    section, _dash, number = key.rpartition("-")
    if section == "winners":
        return _("Winners %(number)s") % {"number": number}
    if section == "losers":
        return _("Losers %(number)s") % {"number": number}
    return _("Round %(number)s") % {"number": number}


def round_short(key: str) -> str:
    """A round in the strip of a phone: "3", "Semis", "Final"."""
    return str(SHORT_ROUNDS[key]) if key in SHORT_ROUNDS else key.rpartition("-")[2]


def winner_of(code: str) -> str:
    return _("Winner of %(match)s") % {"match": code}


def loser_of(code: str) -> str:
    return _("Loser of %(match)s") % {"match": code}


CHIPS = {
    MatchState.LOCKED: ("waiting", gettext_lazy("Only if needed")),
    MatchState.WAITING: ("waiting", gettext_lazy("Waiting")),
    MatchState.READY: ("waiting", gettext_lazy("Next")),
    MatchState.CALLED: ("called", gettext_lazy("Called")),
    MatchState.ENTERED: ("confirm", gettext_lazy("To confirm")),
    MatchState.DISPUTED: ("dispute", gettext_lazy("Dispute")),
    MatchState.CONFIRMED: ("final", gettext_lazy("Final")),
    MatchState.VOID: ("bye", gettext_lazy("Not played")),
}


def state_chip(state: str, game: int, *, moving_on: bool = False) -> ChipWords:
    """The chip of a match. `game` is the game being played; `moving_on` says that teams still have to be."""
    if state == MatchState.PLAYING:
        return "playing", _("Game %(number)d") % {"number": game}
    if moving_on and state == MatchState.CONFIRMED:
        return "pending", _("Final, moving on")
    kind, word = CHIPS[MatchState(state)]
    return kind, str(word)


OUTCOMES = {
    Outcome.FORFEIT: gettext_lazy("forfeit"),
    Outcome.DOUBLE_FORFEIT: gettext_lazy("double forfeit"),
    Outcome.WITHDRAWAL: gettext_lazy("withdrawal"),
}
SETTLED = {
    SettledWay.OTHER_SIDE: gettext_lazy("confirmed by the other side"),
    SettledWay.OFFICIAL: gettext_lazy("confirmed by an official"),
    SettledWay.DESK: gettext_lazy("entered at the desk"),
    SettledWay.SILENCE: gettext_lazy("counted after nobody objected in time"),
    SettledWay.RULE: gettext_lazy("by rule, after a withdrawal"),
}


def outcome_word(outcome: str) -> str:
    """What stands in place of marks when a match was not played out; empty when it was."""
    return str(OUTCOMES.get(Outcome(outcome), ""))


def settled_words(way: str) -> str:
    """How a result came to count, as a sentence part."""
    return str(SETTLED.get(SettledWay(way), "")) if way else ""


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
        "follow-me-high": _("Follow me, doubles high"),
        "follow-me-low": _("Follow me, doubles low"),
        "nello": _("Nello"),
        "nello-own-suit": _("Nello, doubles a suit of their own"),
        "nello-high": _("Nello, doubles high"),
        "nello-low": _("Nello, doubles low"),
        "nello-reversed": _("Nello, doubles a suit of their own, double blank high"),
        "sevens": _("Sevens: the nearest to seven takes the trick"),
    }
    return names.get(trump, trump)


def special_words(trump: str) -> str:
    """A special contract by its bare name, "nello" or "sevens"; empty for trumps and follow me."""
    if trump == "nello" or trump.startswith("nello-"):
        return _("nello")
    return _("sevens") if trump == "sevens" else ""


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
        "follow-me-high": _("follow me"),
        "follow-me-low": _("follow me"),
    }
    if special := special_words(trump):
        return special
    return names.get(trump, trump)


def call_words(call: str) -> str:
    """A call as it is said: "pass", "34", "84", "3 marks", "plunge (4 marks)"."""
    if call == "pass":
        return _("pass")
    specials = {"plunge": _("plunge (%(marks)s)"), "splash": _("splash (%(marks)s)")}
    kind = call[:6]
    if call.endswith("m") or kind in specials:
        number = int(call.removeprefix(kind) if kind in specials else call[:-1])
        marks = ngettext("%(number)d mark", "%(number)d marks", number) % {"number": number}
        return specials[kind] % {"marks": marks} if kind in specials else marks
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
