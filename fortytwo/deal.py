"""A deal: per seat the seven tiles, or nothing where they are not known.

When three holdings are known the fourth follows. `repr` and `str` never show a tile.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import IllegalAction
from .seats import SEATS, Seat
from .tiles import ALL_TILES, HOLDING_SIZE, TILES, Tile, mask_of, tiles_of

Holdings = tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """Holdings as masks by seat index, None for unknown. Use `Deal.of`, `Deal.shuffled`, `UNKNOWN_DEAL`."""

    masks: Holdings = (None, None, None, None)

    @classmethod
    def of(cls, holdings: Mapping[Seat, Iterable[Tile] | None]) -> Deal:
        """Raises `IllegalAction`: holding_size, tile_twice, tile_dealt_twice."""
        deal = UNKNOWN_DEAL
        for seat in SEATS:
            tiles = holdings.get(seat)
            if tiles is not None:
                deal = deal.with_holding(seat, tiles)
        return deal

    @classmethod
    def shuffled(cls, rng: random.Random) -> Deal:
        """A random deal, the same one for the same state of `rng`."""
        tiles = list(TILES)
        rng.shuffle(tiles)
        return cls.of({seat: tiles[7 * seat.number : 7 * seat.number + 7] for seat in SEATS})

    @property
    def is_known(self) -> bool:
        return None not in self.masks

    def holding(self, seat: Seat) -> tuple[Tile, ...] | None:
        """The seat's seven tiles as dealt, highest first, or None where unknown."""
        mask = self.masks[seat.number]
        return None if mask is None else tiles_of(mask)

    def others_mask(self, seat: Seat) -> int:
        """Tiles that are known to be in the other seats' holdings."""
        union = 0
        for other, mask in zip(SEATS, self.masks, strict=True):
            if other is not seat and mask is not None:
                union |= mask
        return union

    def with_holding(self, seat: Seat, tiles: Iterable[Tile]) -> Deal:
        """Add one seat's seven tiles. Also raises `holding_differs` where others are known."""
        dealt = tuple(tiles)
        if len(dealt) != HOLDING_SIZE:
            raise IllegalAction("holding_size", seat=seat, expected=HOLDING_SIZE, count=len(dealt))
        mask = mask_of(dealt)
        known = self.masks[seat.number]
        if known is not None:
            if known != mask:
                raise IllegalAction("holding_differs", seat=seat)
            return self
        twice = mask & self.others_mask(seat)
        if twice:
            raise IllegalAction("tile_dealt_twice", seat=seat, tile=tiles_of(twice)[0])
        masks = [mask if other is seat else old for other, old in zip(SEATS, self.masks, strict=True)]
        return Deal(_completed(masks))

    def __repr__(self) -> str:
        known = "".join(seat for seat, mask in zip(SEATS, self.masks, strict=True) if mask is not None)
        return f"<Deal known={known or 'none'}>"


UNKNOWN_DEAL = Deal()


def _completed(masks: list[int | None]) -> Holdings:
    if masks.count(None) == 1:
        rest = ALL_TILES
        for mask in masks:
            rest &= ~(mask or 0)
        masks[masks.index(None)] = rest
    north, east, south, west = masks
    return (north, east, south, west)
