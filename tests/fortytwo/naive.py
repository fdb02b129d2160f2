"""The rules of straight 42 a second time, slowly and from the rules text, to compare with.

It imports nothing of the engine. A tile is text like "6-5", a seat a letter, a trump "0".."6",
"doubles" or "follow-me"; a suit is the name of a trump or a pip as text.
"""

ORDER = "NESW"
COUNT = {"5-5": 10, "6-4": 10, "5-0": 5, "4-1": 5, "3-2": 5}
TRUMPS = ["0", "1", "2", "3", "4", "5", "6", "doubles", "follow-me"]
ALL = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]


def ends(tile):
    return tile.split("-")


def is_double(tile):
    return tile[0] == tile[2]


def is_trump(tile, trump):
    if trump == "follow-me":
        return False
    if trump == "doubles":
        return is_double(tile)
    return trump in ends(tile)


def suits(tile, trump):
    """A trump belongs to the trump suit only; a double to its number; others to both numbers."""
    if is_trump(tile, trump):
        return {"trump"}
    return set(ends(tile))


def suit_led(tile, trump):
    """A trump leads trumps, any other tile its higher number."""
    if is_trump(tile, trump):
        return "trump"
    return max(ends(tile))


def follows(tile, led, trump):
    return suit_led(led, trump) in suits(tile, trump)


def legal(holding, led, trump):
    if led is None:
        return list(holding)
    can = [tile for tile in holding if follows(tile, led, trump)]
    return can or list(holding)


def beats(tile, other, led, trump):
    """Whether `tile` beats `other` in a trick to which `led` was led."""
    if is_trump(tile, trump) != is_trump(other, trump):
        return is_trump(tile, trump)
    if is_trump(tile, trump):
        suit = trump
    else:
        if not follows(tile, led, trump):
            return False
        if not follows(other, led, trump):
            return True
        suit = suit_led(led, trump)
    return height(tile, suit) > height(other, suit)


def height(tile, suit):
    """Doubles rank by size in the doubles suit; in a number suit the double is top, then the other end."""
    if suit == "doubles":
        return int(tile[0])
    if is_double(tile):
        return 7
    one, other = ends(tile)
    return int(other if one == suit else one)


def trick_winner(plays, trump):
    """`plays` are (seat, tile), leader first."""
    best = plays[0]
    for play in plays[1:]:
        if beats(play[1], best[1], plays[0][1], trump):
            best = play
    return best[0]


def trick_points(plays):
    return 1 + sum(COUNT.get(tile, 0) for _, tile in plays)


def side(seat):
    return "NS" if seat in "NS" else "EW"


def other(name):
    return "EW" if name == "NS" else "NS"


def bid_points(bid):
    return int(bid) if bid.isdigit() and int(bid) < 42 else 42


def bid_marks(bid):
    if bid.endswith("m"):
        return int(bid[:-1])
    return {"42": 1, "84": 2}.get(bid, 1)


def declarer(shaker, calls):
    """The seat of the last call that is not a pass, and the call; None when all passed."""
    found = None
    first = ORDER.index(shaker) + 1
    for place, call in enumerate(calls):
        if call != "pass":
            found = (ORDER[(first + place) % 4], call)
    return found


def play_out(deal, leader, trump, tiles):
    """Plays in order -> list of (winner, points), or the number (1..28) of the first illegal play."""
    held = {seat: list(holding) for seat, holding in deal.items()}
    tricks = []
    table = []
    seat = leader
    for number, tile in enumerate(tiles, 1):
        led = table[0][1] if table else None
        if tile not in held[seat] or tile not in legal(held[seat], led, trump):
            return number
        held[seat].remove(tile)
        table.append((seat, tile))
        seat = ORDER[(ORDER.index(seat) + 1) % 4]
        if len(table) == 4:
            seat = trick_winner(table, trump)
            tricks.append((seat, trick_points(table)))
            table = []
    return tricks


def hand(deal, shaker, calls, trump, tiles):
    """The whole answer for a legal hand, in the shape that the engine's front gives."""
    found = declarer(shaker, calls)
    seat, bid = found
    tricks = play_out(deal, seat, trump, tiles)
    assert isinstance(tricks, list), f"play {tricks} is illegal"
    points = {"NS": 0, "EW": 0}
    made, settled = None, None
    for number, (winner, worth) in enumerate(tricks, 1):
        points[side(winner)] += worth
        if made is None:
            if bid_points(bid) < 42:
                if points[side(seat)] >= int(bid):
                    made = True
                elif points[other(side(seat))] >= 43 - int(bid):
                    made = False
            elif side(winner) != side(seat):
                made = False
            elif number == 7:
                made = True
            if made is not None:
                settled = number
    marks = {"NS": 0, "EW": 0}
    if made is not None:
        marks[side(seat) if made else other(side(seat))] = bid_marks(bid)
    return {
        "declarer": seat,
        "bid": bid,
        "trump": trump,
        "points": points,
        "made": made,
        "marks": marks,
        "tricks": [{"winner": winner, "points": worth} for winner, worth in tricks],
        "settled_after": settled,
    }


def call_height(call):
    """Place of a call on the ladder pass, 30..41, 42, 84, 3m, 4m, ..."""
    if call == "pass":
        return 0
    if bid_points(call) < 42:
        return int(call)
    return 41 + bid_marks(call)


def legal_calls(calls, forced=False):
    """Straight 42: higher than the last, opening marks 1 or 2, then one mark more a step."""
    standing = max(map(call_height, calls), default=0)
    found = [] if forced and len(calls) == 3 and standing == 0 else ["pass"]
    for call in [*(str(n) for n in range(30, 42)), "42", "84", *(f"{n}m" for n in range(3, 9))]:
        height = call_height(call)
        if height <= standing:
            continue
        marks = height - 41
        if marks >= 1:
            standing_marks = max(standing - 41, 0)
            if standing_marks == 0 and marks > 2:
                continue
            if standing_marks > 0 and marks != standing_marks + 1:
                continue
        found.append(call)
    return found


def auctions(forced=False):
    """Every auction from the empty table, as tuples of four calls."""
    found = [()]
    for _ in range(4):
        found = [(*calls, call) for calls in found for call in legal_calls(calls, forced)]
    return found
