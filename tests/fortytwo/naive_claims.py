"""Claims by brute force: every legal continuation, and every layout, played out with the naive rules."""

from itertools import combinations

from tests.fortytwo import naive_variants
from tests.fortytwo.naive import COUNT, ORDER, side


def continuations(held, leader, named, switches, out=None, order=None, opening=False):
    """Every line to the last tile as a list of (winner, points); `order` binds the leader of the first
    trick to play its tiles in that order; `opening`: the first lead may be its smaller end."""
    rules = naive_variants.tricks_of(named, switches)
    playing = [seat for seat in ORDER if seat != out]
    claimer = leader

    def after(seat):
        return playing[(playing.index(seat) + 1) % len(playing)]

    def go(held, seat, table, first):
        if not held[seat]:
            yield []
            return
        can = rules.legal(held[seat], table[0][1] if table else None)
        if order is not None and seat == claimer:
            can = [next(tile for tile in order if tile in can)]
        for tile in can:
            ways = [tile]
            if first and not table and named not in ("sevens",):
                ways += smaller_ends(tile, rules)
            rest = {**held, seat: [other for other in held[seat] if other != tile]}
            for way in ways:
                now = [*table, (seat, way)]
                if len(now) < len(playing):
                    yield from go(rest, after(seat), now, first)
                    continue
                winner = rules.winner(now)
                points = 1 + sum(COUNT.get(tile[:3], 0) for _, tile in now)
                for line in go(rest, winner, [], False):
                    yield [(winner, points), *line]

    yield from go({seat: held[seat] for seat in playing}, leader, [], opening)


def smaller_ends(tile, rules):
    """The tile declared as its smaller end, where it can be."""
    mixed = tile[0] != tile[2] and not rules.is_trump(tile)
    return [f"{tile}/{tile[2]}"] if mixed else []


def result(line, before, bidders, bid, named, switches):
    """Made or set, and what both sides write down, at the end of a line; `before` are the tricks so far."""
    points = {"NS": 0, "EW": 0}
    made = None
    for number, (winner, worth) in enumerate([*before, *line], 1):
        points[side(winner)] += worth
        if made is None:
            made = naive_variants.decided(bidders, bid, named, points, ([*before, *line])[:number], switches)
    given = naive_variants.score(bidders, bid, named, points, made, switches)
    return made, given["NS"], given["EW"]


def every_line(held, leader, before, contract, switches, opening=False):
    """The results of all lines. `contract` is (bidding side, bid, named, seat that sits out)."""
    bidders, bid, named, out = contract
    return {
        result(line, before, bidders, bid, named, switches)
        for line in continuations(held, leader, named, switches, out, opening=opening)
    }


def in_order(held, leader, order, contract, switches):
    """Whether the leader's side takes every trick in every line in which it plays in this order."""
    _, _, named, out = contract
    mine = side(leader)
    lines = continuations(held, leader, named, switches, out, order)
    return all(side(winner) == mine for line in lines for winner, _ in line)


def layouts(hand):
    """Every way to give the tiles that the seat on lead has not seen to the others, from the record only:
    `hand` is an engine hand, read for its plays and calls."""
    claimer = str(hand.turn)
    own = [str(tile) for tile in hand.holding(hand.turn)]
    played = {seat: [str(play.tile) for play in hand.plays if play.seat == seat] for seat in ORDER}
    gone = {tile for tiles in played.values() for tile in tiles}
    unseen = [tile for tile in naive_variants.ALL if tile not in gone and tile not in own]
    hidden = [seat for seat in ORDER if seat != claimer]
    for split in deals(unseen, [7 - len(played[seat]) for seat in hidden]):
        held = {claimer: own, **dict(zip(hidden, split, strict=True))}
        if agrees(hand, {seat: [*held[seat], *played[seat]] for seat in ORDER}):
            yield held


def deals(tiles, sizes):
    if not sizes:
        yield []
        return
    for holding in combinations(tiles, sizes[0]):
        rest = [tile for tile in tiles if tile not in holding]
        for others in deals(rest, sizes[1:]):
            yield [list(holding), *others]


def agrees(hand, deal):
    """Whether the calls and plays are legal with this deal."""
    for seat, call in hand.auction.by_seat():
        doubles = sum(tile[0] == tile[2] for tile in deal[str(seat)])
        if doubles < {"plunge": 4, "splash": 3}.get(str(call)[:6], 0):
            return False
    rules = naive_variants.tricks_of(str(hand.trump), hand.rules.differences())
    held = {seat: list(tiles) for seat, tiles in deal.items()}
    lead = None
    for number, play in enumerate(hand.plays):
        lead = None if number % hand.contract.size == 0 else lead
        if str(play.tile) not in rules.legal(held[str(play.seat)], lead):
            return False
        held[str(play.seat)].remove(str(play.tile))
        lead = lead or play.what
    return True
