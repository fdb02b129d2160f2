"""The 28 tiles of a double-six set.

A tile's *index* (0..27) is its place in `TILES`; a *mask* is a set of tiles as 28 bits, bit i for
index i. Values use `Tile`; the tables and the hot paths use indexes and masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .errors import IllegalAction, ParseError, echo

PIPS = range(7)
HOLDING_SIZE = 7


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Tile:
    """A tile, high pip first. Use `Tile.parse("6-4")` or `Tile.of(4, 6)`."""

    high: int
    low: int

    def __post_init__(self) -> None:
        if type(self.high) is not int or type(self.low) is not int or not 0 <= self.low <= self.high <= 6:
            raise ParseError("bad_tile", text=echo(f"{self.high}-{self.low}"))

    def __hash__(self) -> int:
        # Tiles are looked up in tables at every play; this is faster than hashing a pair.
        return self.high << 3 | self.low

    @classmethod
    def of(cls, one: int, other: int) -> Tile:
        """The tile with these two pips, in any order."""
        return cls(max(one, other), min(one, other))

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read "6-4", "4-6", "64" or "46". Raises `ParseError("bad_tile")`."""
        tile = _BY_TEXT.get(text.strip()) if isinstance(text, str) else None
        if tile is None:
            raise ParseError("bad_tile", text=echo(text))
        return tile

    @property
    def index(self) -> int:
        return self.high * (self.high + 1) // 2 + self.low

    @property
    def mask(self) -> int:
        return 1 << self.index

    @property
    def is_double(self) -> bool:
        return self.high == self.low

    @property
    def pips(self) -> int:
        return self.high + self.low

    @property
    def count(self) -> int:
        """Count points on the tile: 10 for 5-5 and 6-4, 5 for 5-0, 4-1 and 3-2, else 0."""
        return self.pips if self.pips in (5, 10) else 0

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"

    def __repr__(self) -> str:
        return f"Tile.parse('{self}')"


_BY_TEXT: dict[str, Tile] = {}

TILES: tuple[Tile, ...] = tuple(Tile(high, low) for high in PIPS for low in range(high + 1))
ALL_TILES = (1 << len(TILES)) - 1
COUNT: tuple[int, ...] = tuple(tile.count for tile in TILES)
BIT: tuple[int, ...] = tuple(1 << index for index in range(len(TILES)))
INDEX: dict[Tile, int] = {tile: index for index, tile in enumerate(TILES)}
DOUBLES = sum(tile.mask for tile in TILES if tile.is_double)

for _tile in TILES:
    for _text in (f"{_tile.high}{_tile.low}", f"{_tile.low}{_tile.high}"):
        _BY_TEXT[_text] = _tile
        _BY_TEXT["-".join(_text)] = _tile


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read tiles separated by spaces or commas."""
    return tuple(Tile.parse(part) for part in text.replace(",", " ").split())


def mask_of(tiles: Iterable[Tile]) -> int:
    """The tiles as a mask. Raises `IllegalAction("tile_twice")`."""
    mask = 0
    for tile in tiles:
        if mask & tile.mask:
            raise IllegalAction("tile_twice", tile=tile)
        mask |= tile.mask
    return mask


def tiles_of(mask: int) -> tuple[Tile, ...]:
    """The tiles of a mask, highest first: the fixed order in which a holding is shown."""
    return tuple(_walk(mask))


def _walk(mask: int) -> Iterator[Tile]:
    while mask:
        index = mask.bit_length() - 1
        yield TILES[index]
        mask ^= BIT[index]
