"""Random positions as text for `minimax`, and the same ones as the engine's values."""

from dataclasses import dataclass

from fortytwo import PerSide, Play, Ruleset, Seat, Trump, parse_tiles, trick_rules
from fortytwo.solver import Position
from fortytwo.tiles import mask_of
from tests.fortytwo.naive import ALL, ORDER, TRUMPS
from tests.fortytwo.naive_variants import tricks_of

CONTRACTS = [
    *((named, {}) for named in TRUMPS),
    ("doubles", {"doubles_trump": "must_follow_number"}),
    ("follow-me", {"follow_me_doubles": "low"}),
    ("follow-me", {"follow_me_doubles": "own_suit"}),
    ("follow-me", {"follow_me_doubles": "own_suit_reversed"}),
]
NELLOS = [
    ("nello", {"nello": 1, "nello_doubles": mode})
    for mode in ("own_suit", "high", "low", "own_suit_reversed")
]


@dataclass(frozen=True)
class Drawn:
    """A random position. `out` and `declarer` are for nello; `small_end`: the lead may be declared."""

    named: str
    switches: dict
    held: tuple
    leader: str
    table: tuple
    small_end: bool = False
    out: str | None = None
    declarer: str | None = None

    def position(self):
        holdings = tuple(
            0 if seat == self.out else mask_of(parse_tiles(" ".join(tiles)))
            for seat, tiles in zip(ORDER, self.held, strict=True)
        )
        seats = tuple(Seat.parse(seat) for seat in turns(self.leader, self.out))
        return Position(
            trick_rules(Trump.parse(self.named), Ruleset.from_switches(self.switches)),
            seats,
            holdings,
            seats[len(self.table)],
            tuple(Play.parse(f"{seat}:{tile}") for seat, tile in self.table),
            PerSide(),
            self.small_end,
        )


def draw(rng, contracts=CONTRACTS, most=4):
    """Up to `most` tricks, with no tile to three tiles on the table."""
    named, switches = rng.choice(contracts)
    nello = named == "nello"
    tricks = rng.randint(1, most)
    tiles = rng.sample(ALL, 4 * tricks)
    held = [tiles[at * tricks : (at + 1) * tricks] for at in range(4)]
    leader = rng.choice(ORDER)
    declarer = rng.choice(ORDER) if nello else None
    out = ORDER[(ORDER.index(declarer) + 2) % 4] if nello else None
    if leader == out:
        leader = declarer
    if out:
        held[ORDER.index(out)] = []
    seats = turns(leader, out)
    small_end = not nello and rng.random() < 0.15
    rules = tricks_of(named, switches)
    table = []
    for seat in seats[: rng.choice([0, 0, *range(1, len(seats))])]:
        mine = held[ORDER.index(seat)]
        tile = rng.choice(rules.legal(tuple(mine), table[0][1] if table else None))
        mine.remove(tile)
        lead = rng.choice(lead_forms(named, tile)) if small_end and not table else tile
        table.append((seat, lead))
    frozen = tuple(map(tuple, held))
    return Drawn(named, switches, frozen, leader, tuple(table), small_end and not table, out, declarer)


def lead_forms(named, tile):
    """A tile as it leads; one that is no trump and no double also as its smaller end."""
    mixed = tile[0] != tile[2] and named not in (tile[0], tile[2])
    return [tile, f"{tile}/{tile[2]}"] if mixed else [tile]


def turns(leader, out):
    at = ORDER.index(leader)
    return [seat for seat in ORDER[at:] + ORDER[:at] if seat != out]
