"""A published deal with its values by best play; rows lead. Ella is east, the shaker Nancy north."""

from fortytwo import Deal, Seat, parse_tiles

DEAL = {
    "E": "65 53 51 50 22 21 20",
    "S": "55 54 44 42 40 31 00",
    "W": "66 63 62 52 33 30 10",
    "N": "64 60 43 32 61 41 11",
}
TRUMPS = ("0", "1", "2", "3", "4", "5", "6", "doubles", "follow-me")
PAR = {
    "E": (29, 19, 42, 42, 0, 15, 26, 18, 31),
    "S": (35, 42, 6, 28, 42, 28, 34, 29, 42),
    "W": (14, 0, 42, 42, 6, 15, 24, 14, 31),
    "N": (34, 42, 18, 29, 42, 28, 22, 31, 42),
}


def deal():
    return Deal.of({Seat.parse(seat): parse_tiles(tiles) for seat, tiles in DEAL.items()})
