"""The house rules a second time, slowly and from the rules text, to compare with.

It builds on `naive` (straight 42) and imports nothing of the engine. A contract is what was named, as
text: "0".."6", "doubles", "follow-me", "nello-low", "sevens" and so on; `switches` is a dictionary with
the switches of a rule set that are not at their default. A tile led as its smaller end is "6-4/4".
"""

from tests.fortytwo.naive import ALL, COUNT, ORDER, bid_points, call_height, ends, is_double, side
from tests.fortytwo.naive import other as other_side

MODES = {
    "follow-me-high": "high",
    "follow-me-low": "low",
    "nello-own-suit": "own_suit",
    "nello-high": "high",
    "nello-low": "low",
    "nello-reversed": "own_suit_reversed",
}


def doubles_mode(named, switches):
    """What the doubles are in a contract without trump."""
    if named in MODES:
        return MODES[named]
    if named == "nello":
        return switches.get("nello_doubles", "own_suit")
    return switches.get("follow_me_doubles", "high")


class Suits:
    """Who belongs to what, for one contract."""

    def __init__(self, named, switches):
        self.trump = named if named in ("doubles", *"0123456") else None
        self.mode = doubles_mode(named, switches) if self.trump is None else "high"
        self.follow_number = switches.get("doubles_trump") == "must_follow_number"

    def is_trump(self, tile):
        if self.trump == "doubles":
            return is_double(tile)
        return self.trump is not None and self.trump in ends(tile)

    def belongs(self, tile):
        if self.is_trump(tile):
            return {"trump"}
        if is_double(tile) and self.mode.startswith("own_suit"):
            return {"doubles"}
        return set(ends(tile))

    def led(self, lead):
        tile, _, declared = lead.partition("/")
        if declared:
            return declared
        suits = self.belongs(tile)
        return suits.pop() if len(suits) == 1 else max(suits)

    def legal(self, holding, lead):
        if lead is None:
            return list(holding)
        can = [tile for tile in holding if self.led(lead) in self.belongs(tile)]
        if not can and self.trump == "doubles" and self.follow_number and is_double(lead[:3]):
            can = [tile for tile in holding if lead[0] in ends(tile)]
        return can or list(holding)

    def height(self, tile, suit):
        """Place in the suit from low to high; None outside it."""
        if suit not in self.belongs(tile):
            return None
        if suit == "doubles" or (suit == "trump" and self.trump == "doubles"):
            return -int(tile[0]) if self.mode == "own_suit_reversed" else int(tile[0])
        if is_double(tile):
            return -1 if self.mode == "low" else 7
        one, two = ends(tile)
        pip = self.trump if suit == "trump" else suit
        return int(two if one == pip else one)

    def winner(self, plays):
        """The seat that takes the trick; `plays` are (seat, tile), leader first."""
        for suit in ("trump", self.led(plays[0][1])):
            ranked = [(self.height(tile[:3], suit), seat) for seat, tile in plays]
            ranked = [pair for pair in ranked if pair[0] is not None]
            if ranked:
                return max(ranked)[1]
        raise AssertionError("the leader is always in the suit led")


class Sevens:
    """No suits: nearest to seven pips."""

    def legal(self, holding, lead):
        nearest = min(away(tile) for tile in holding)
        return [tile for tile in holding if away(tile) == nearest]

    def winner(self, plays):
        nearest = min(away(tile) for _, tile in plays)
        return next(seat for seat, tile in plays if away(tile) == nearest)


def away(tile):
    return abs(int(tile[0]) + int(tile[2]) - 7)


def tricks_of(named, switches):
    return Sevens() if named == "sevens" else Suits(named, switches)


def calls_open(calls, switches, doubles=7):
    """Every call that the next seat can make, from the texts of the calls before."""
    high = max([height(call) for call in calls], default=0)
    marks_high = max(high - 41, 0)
    forced = switches.get("all_pass", "throw_in") != "throw_in" and len(calls) == 3 and high == 0
    least = max(int(switches["all_pass"][6:]), switches.get("lowest_bid", 30)) if forced else 0
    found = [] if forced else ["pass"]
    for points in range(switches.get("lowest_bid", 30), 42):
        if points > high and points >= least:
            found.append(str(points))
    limit = switches.get("opening_limit", 2)
    for marks in range(1, 43):
        first = marks_high == 0 and (limit is None or marks <= limit)
        raised = marks_high > 0 and marks_high < marks <= marks_high + switches.get("raise_limit", 1)
        if first or raised:
            found.append({1: "42", 2: "84"}.get(marks, f"{marks}m"))
    if switches.get("plunge") and doubles >= 4:
        found.append(f"plunge{marks_high + 1 if marks_high >= 4 else 4}")
    value = switches.get("splash")
    if value and doubles >= 3:
        found.append(f"splash{marks_high + 1 if marks_high >= value else value}")
    return [call for call in found if not call.endswith("43")]


def height(call):
    return 41 + int(call[6:]) if call[:6] in ("plunge", "splash") else call_height(call)


def marks_of(call):
    return max(height(call) - 41, 1)


def declarer(shaker, calls):
    found = None
    for place, call in enumerate(calls):
        if call != "pass":
            found = (ORDER[(ORDER.index(shaker) + 1 + place) % 4], call)
    return found


def partner(seat):
    return ORDER[(ORDER.index(seat) + 2) % 4]


def hand(deal, shaker, calls, named, tiles, switches):
    """The whole answer for a legal hand, in the shape that the engine's front gives; an assertion
    fails where a play is illegal."""
    bidder, bid = declarer(shaker, calls)
    special = bid[:6] in ("plunge", "splash")
    out = partner(bidder) if named.startswith("nello") else None
    rules = tricks_of(named, switches)
    held = {seat: list(holding) for seat, holding in deal.items()}
    tricks, table = [], []
    seat = partner(bidder) if special else bidder
    points, made, settled = {"NS": 0, "EW": 0}, None, None
    for tile in tiles:
        assert tile[:3] in rules.legal(held[seat], table[0][1] if table else None), tile
        held[seat].remove(tile[:3])
        table.append((seat, tile))
        seat = ORDER[(ORDER.index(seat) + 1) % 4]
        if seat == out:
            seat = ORDER[(ORDER.index(seat) + 1) % 4]
        if len(table) == (3 if out else 4):
            seat = rules.winner(table)
            worth = 1 + sum(COUNT.get(tile[:3], 0) for _, tile in table)
            tricks.append((seat, worth))
            points[side(seat)] += worth
            table = []
            if made is None:
                made = decided(side(bidder), bid, named, points, tricks, switches)
                settled = None if made is None else len(tricks)
    return {
        "declarer": bidder,
        "bid": bid,
        "trump": named,
        "points": points,
        "made": made,
        "marks": score(side(bidder), bid, named, points, made, switches),
        "tricks": [{"winner": winner, "points": worth} for winner, worth in tricks],
        "settled_after": settled,
    }


def decided(bidders, bid, named, points, tricks, switches):
    """True made, False set, None while what is written down can still change."""
    lost = [winner for winner, _ in tricks if side(winner) != bidders]
    won = [winner for winner, _ in tricks if side(winner) == bidders]
    over = len(tricks) == 7
    if named.startswith("nello"):
        return False if won else (True if over else None)
    if bid_points_of(bid) == 42 or named == "sevens":
        told = False if lost else (True if over else None)
    elif points[bidders] >= int(bid):
        told = True
    else:
        told = False if points[other_side(bidders)] >= 43 - int(bid) else None
    if switches.get("scoring") == "points" and not over:
        # Points that are still out change the totals, except a set that counts the bid only.
        return told if told is False and switches.get("set_scores") == "bid_only" else None
    return told


def bid_points_of(bid):
    return 42 if height(bid) > 41 else bid_points(bid)


def score(bidders, bid, named, points, made, switches):
    given = {"NS": 0, "EW": 0}
    if made is None:
        return given
    others = other_side(bidders)
    if switches.get("scoring") != "points":
        given[bidders if made else others] = marks_of(bid)
        return given
    value = 42 * marks_of(bid) if height(bid) > 41 else int(bid)
    if named.startswith("nello"):
        given[bidders if made else others] = value
    elif not made:
        given[others] = value + (0 if switches.get("set_scores") == "bid_only" else points[others])
    elif height(bid) > 41:
        given[bidders] = value
    else:
        given = dict(points)
    return given


def offered(bid, switches, forced):
    """What may be named on this bid."""
    found = list("0123456")
    marks = height(bid) > 41
    if switches.get("doubles_trump", "free") != "off":
        found.append("doubles")
    if switches.get("follow_me", "any_bid") == "any_bid" or (
        switches.get("follow_me") == "marks_only" and marks
    ):
        called = switches.get("follow_me_doubles") == "as_called"
        found += ["follow-me-high", "follow-me-low"] if called else ["follow-me"]
    by_partner = bid[:6] in ("plunge", "splash")
    for name in ("nello", "sevens"):
        lowest = switches.get(name)
        only_forced = switches.get("forced_special") == name and forced
        if not by_partner and (only_forced or (lowest and marks and marks_of(bid) >= lowest)):
            called = name == "nello" and switches.get("nello_doubles") == "as_called"
            found += [text for text in MODES if text.startswith("nello")] if called else [name]
    return found


__all__ = ["ALL", "Sevens", "Suits", "calls_open", "hand", "offered"]
