"""One hand: the deal as far as it is known, the auction, the trump, the plays, and what they make.

`Hand` is immutable: `call`, `name_trump`, `play` and `with_holding` return the next state or raise
`IllegalAction`. *Settled*: the bid is made or set, whatever is played on. *Closed*: the hand is over
for the players; tiles may still be played on the record of a settled hand and change no marks.
`holding`, `legal_plays`, `findings` and `deal` are for the keeper of the record; everybody else is
shown `view_for`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from .bids import Auction, Call
from .contract import NOTHING, Contract, legal_trumps, make_contract, namer
from .deal import UNKNOWN_DEAL, Deal, Holdings
from .errors import IllegalAction
from .goals import HAND_TRICKS
from .irregularities import Finding, find_false_specials, find_reneges
from .result import HandResult
from .rules import Ruleset
from .seats import SEATS, PerSide, Seat
from .suits import Trump
from .tiles import ALL_TILES, BIT, DOUBLES, INDEX, Tile, mask_of, tiles_of
from .trick import Play, Trick, lead_with_suit, take_trick
from .view import HandView

Masks = tuple[int, int, int, int]


class Phase(StrEnum):
    """Where a hand stands. `SETTLED` is closed with tiles left, `COMPLETE` with none."""

    AUCTION = "auction"
    NAMING = "naming"
    PLAY = "play"
    SETTLED = "settled"
    COMPLETE = "complete"
    THROWN_IN = "thrown_in"


@dataclass(frozen=True, slots=True)
class Verification:
    """What a record is found to be. `complete`: every tile of every seat is known."""

    complete: bool
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return not self.findings


@dataclass(frozen=True, slots=True)
class Claimed:
    """How a claim ended a hand: `made` and the marks, or points, that it gives. `order` is the order of
    tiles that was stated."""

    seat: Seat
    made: bool
    marks: PerSide
    order: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """Start with `Hand.start(rules, shaker, deal)`."""

    rules: Ruleset
    deal: Deal
    auction: Auction
    contract: Contract | None = None
    plays: tuple[Play, ...] = ()
    tricks: tuple[Trick, ...] = ()
    points: PerSide = NOTHING
    tricks_taken: PerSide = NOTHING
    turn: Seat | None = None
    """The seat that plays the next tile, also on a closed record; None before the lead is known."""
    made: bool | None = None
    settled_after: int | None = None
    """The number of tricks after which the hand was settled."""
    findings: tuple[Finding, ...] = ()
    played_masks: Masks = (0, 0, 0, 0)
    denied_masks: Masks = (0, 0, 0, 0)
    """Per seat the tiles that it said not to hold, by not following."""
    claimed: Claimed | None = None

    @classmethod
    def start(
        cls, rules: Ruleset, shaker: Seat, deal: Deal | Mapping[Seat, Iterable[Tile] | None] | None = None
    ) -> Hand:
        """A hand before its first call; a deal that is not given is unknown."""
        known = deal if isinstance(deal, Deal) else UNKNOWN_DEAL if deal is None else Deal.of(deal)
        return cls(rules, known, Auction(rules, shaker))

    # What the state says.

    @property
    def shaker(self) -> Seat:
        return self.auction.shaker

    @property
    def declarer(self) -> Seat | None:
        return self.auction.declarer

    @property
    def bid(self) -> Call | None:
        return self.auction.bid

    @property
    def trump(self) -> Trump | None:
        return self.contract.trump if self.contract else None

    @property
    def phase(self) -> Phase:
        if self.contract is None:
            if not self.auction.is_over:
                return Phase.AUCTION
            return Phase.THROWN_IN if self.auction.thrown_in else Phase.NAMING
        if self.turn is None:
            return Phase.COMPLETE
        if self.claimed is not None:
            return Phase.SETTLED
        if self.settled_after is not None and self.rules.early_end == "at_settlement":
            return Phase.SETTLED
        return Phase.PLAY

    @property
    def is_settled(self) -> bool:
        return self.settled_after is not None

    @property
    def is_closed(self) -> bool:
        return self.phase in (Phase.SETTLED, Phase.COMPLETE, Phase.THROWN_IN)

    @property
    def to_act(self) -> Seat | None:
        """Who must call, name the trump or play; None when the hand is closed."""
        phase = self.phase
        if phase is Phase.AUCTION:
            return self.auction.to_act
        if phase is Phase.NAMING:
            return self._namer()
        return self.turn if phase is Phase.PLAY else None

    @property
    def table(self) -> tuple[Play, ...]:
        """The tiles of the trick that is not complete yet."""
        return self.plays[len(self.tricks) * self.contract.size :] if self.contract else ()

    @property
    def marks(self) -> PerSide:
        """Marks that the hand gives, or points in a points game; 0-0 until it is settled, and when
        thrown in."""
        if self.contract is None or self.made is None:
            return PerSide()
        if self.claimed is not None:
            return self.claimed.marks
        return self.contract.marks(self.made, self.points)

    def result(self) -> HandResult:
        """What a game needs of a closed hand. Raises `IllegalAction("hand_not_over")`."""
        if not self.is_closed:
            raise IllegalAction("hand_not_over")
        return HandResult(
            self.marks, self.shaker, self.declarer, self.bid, self.trump, self.made, self.points
        )

    def holding(self, seat: Seat) -> tuple[Tile, ...] | None:
        """The tiles that the seat still has, highest first, or None where unknown."""
        mask = self.deal.masks[seat.number]
        return None if mask is None else tiles_of(mask & ~self.played_masks[seat.number])

    def void_tiles(self, seat: Seat) -> tuple[Tile, ...]:
        """Tiles that the seat said not to hold, by not following."""
        return tiles_of(self.denied_masks[seat.number])

    def legal_calls(self) -> tuple[Call, ...]:
        """Calls open to the seat to act, lowest first; specials only where it can hold the doubles."""
        calls, seat = self.auction.legal_calls(), self.auction.to_act
        if seat is None or not self.rules.has_specials:
            return calls
        return tuple(call for call in calls if self._can_promise(seat, call))

    def legal_trumps(self) -> tuple[Trump, ...]:
        """What the seat to act may name; empty when no trump is to be named."""
        if self.contract is not None or self.bid is None:
            return ()
        return legal_trumps(self.rules, self.bid, forced=self.auction.was_forced)

    def legal_plays(self) -> tuple[Tile, ...]:
        """Tiles that the seat in turn may play, highest first: of a known holding those that follow,
        of an unknown one every tile that nobody else played or holds. Also on a closed record."""
        if self.contract is None or self.turn is None:
            return ()
        return tiles_of(self._legal_mask(self.contract, self.turn))

    # The moves.

    def call(self, seat: Seat, call: Call) -> Hand:
        """Make a call in the auction."""
        auction = self.auction.call(seat, call)
        if not self._can_promise(seat, call):
            raise IllegalAction("doubles_missing", seat=seat, call=call, needed=call.doubles)
        return replace(self, auction=auction)

    def name_trump(self, trump: Trump, seat: Seat | None = None) -> Hand:
        """Name the trump; `seat` is checked where it is given."""
        if self.contract is not None:
            raise IllegalAction("trump_already_named", trump=self.contract.trump)
        declarer, bid = self._after_auction()
        if seat is not None and seat is not self._namer():
            raise IllegalAction("out_of_turn", seat=seat, expected=self._namer())
        contract = make_contract(self.rules, declarer, bid, trump, forced=self.auction.was_forced)
        return replace(self, contract=contract, turn=contract.leader)

    def play(self, seat: Seat, tile: Tile, suit: int | None = None) -> Hand:
        """Play a tile. `suit` is the pip as which the first lead of a hand is declared, where the rules
        let it be the smaller end. A tile of a suit that the seat said not to hold is a finding, not an
        error, where its holding is unknown."""
        if self.contract is None:
            return self._named_by_lead(tile).play(seat, tile, suit)
        if self.turn is None:
            raise IllegalAction("hand_complete", seat=seat, tile=tile)
        if seat is not self.turn:
            raise IllegalAction("out_of_turn", seat=seat, expected=self.turn, tile=tile)
        index = INDEX[tile]
        if not BIT[index] & self._legal_mask(self.contract, seat):
            raise self._play_refusal(self.contract, seat, tile)
        play = Play(seat, tile) if suit is None else self._with_suit(self.contract, seat, tile, suit)
        return self._played(self.contract, play, index)

    def end_by_claim(self, claimed: Claimed) -> Hand:
        """Close the hand with the result of a claim (see `claims`). Tiles may still be played on the
        record and change no marks. Raises `IllegalAction`: hand_not_in_play."""
        if self.phase is not Phase.PLAY:
            raise IllegalAction("hand_not_in_play")
        return replace(self, claimed=claimed, made=claimed.made, settled_after=len(self.tricks))

    def with_holding(self, seat: Seat, tiles: Iterable[Tile]) -> Hand:
        """Add the seven tiles that a seat was dealt, at any time, also after an early end.

        Raises `IllegalAction`: played_not_held, tile_played_by_other and those of
        `Deal.with_holding`. A breach that the tiles prove becomes a finding.
        """
        dealt = tuple(tiles)
        deal = self.deal.with_holding(seat, dealt)
        mask = mask_of(dealt)
        missing = self.played_masks[seat.number] & ~mask
        if missing:
            raise IllegalAction("played_not_held", seat=seat, tile=tiles_of(missing)[0])
        foreign = mask & self._seen() & ~self.played_masks[seat.number]
        if foreign:
            raise IllegalAction("tile_played_by_other", seat=seat, tile=tiles_of(foreign)[0])
        return replace(self, deal=deal, findings=self._found(deal.masks))

    # What may be shown, and what the whole record proves.

    def view_for(self, seat: Seat | None) -> HandView:
        """What this seat may see while the hand is live; None for everybody else."""
        own = None if seat is None else self.holding(seat)
        may_play = own is not None and self.contract is not None and seat is self.to_act
        return HandView(
            seat=seat,
            shaker=self.shaker,
            phase=self.phase.value,
            calls=self.auction.by_seat(),
            # What the seat to act holds decides on specials, so only that seat is shown what is left.
            legal_calls=self.legal_calls() if seat is self.to_act else self.auction.legal_calls(),
            declarer=self.declarer,
            bid=self.bid,
            trump=self.trump,
            tricks=self.tricks,
            table=self.table,
            to_act=self.to_act,
            points=self.points,
            made=self.made,
            marks=self.marks,
            settled_after=self.settled_after,
            tricks_in_view=self._tricks_in_view(),
            holding=own,
            legal_plays=self.legal_plays() if may_play else None,
            stated=tuple((item.seat, item.call) for item in self.auction.stated),
            sits_out=self.contract.sits_out if self.contract else None,
            needed=self.contract.goal.needed if self.contract else None,
            claimed_by=self.claimed.seat if self.claimed else None,
        )

    def reveal(self) -> Deal:
        """The deal as far as it is known, of a closed hand only: holdings that were not recorded
        are filled in where every tile was played. Raises `IllegalAction("hand_in_progress")`."""
        if not self.is_closed:
            raise IllegalAction("hand_in_progress")
        return Deal(self._known_masks())

    def verify(self) -> Verification:
        """Re-play the whole record with everything that is known by now."""
        masks = self._known_masks()
        return Verification(None not in masks, self._found(masks))

    def __repr__(self) -> str:
        # A hand turns up in logs and tracebacks, so it shows no holding.
        calls = " ".join(map(str, self.auction.calls))
        plays = " ".join(map(str, self.plays))
        return f"<Hand {self.phase} shaker={self.shaker} calls={calls!r} trump={self.trump} plays={plays!r}>"

    # Helpers.

    def _namer(self) -> Seat:
        return namer(*self._after_auction())

    def _after_auction(self) -> tuple[Seat, Call]:
        declarer, bid = self.auction.declarer, self.auction.bid
        if declarer is not None and bid is not None:
            return declarer, bid
        if self.auction.thrown_in:
            raise IllegalAction("hand_thrown_in")
        raise IllegalAction("auction_open", expected=self.auction.to_act)

    def _can_promise(self, seat: Seat, call: Call) -> bool:
        """Whether the seat holds the doubles of a special, as far as is known: doubles that another
        seat holds or has promised too are not there."""
        if not call.doubles:
            return True
        held = self.deal.masks[seat.number]
        if held is not None:
            return (held & DOUBLES).bit_count() >= call.doubles
        free = (DOUBLES & ~self.deal.others_mask(seat)).bit_count()
        for other, made in self.auction.by_seat():
            if other is not seat and self.deal.masks[other.number] is None:
                free -= made.doubles
        return free >= call.doubles

    def _named_by_lead(self, tile: Tile) -> Hand:
        self._after_auction()
        if self.rules.trump_not_named == "refuse":
            raise IllegalAction("trump_not_named", seat=self._namer(), tile=tile)
        return self.name_trump(Trump.of_pip(tile.high))

    def _seen(self) -> int:
        north, east, south, west = self.played_masks
        return north | east | south | west

    def _legal_mask(self, contract: Contract, seat: Seat) -> int:
        held = self.deal.masks[seat.number]
        if held is None:
            return ALL_TILES & ~self._seen() & ~self.deal.others_mask(seat)
        held &= ~self.played_masks[seat.number]
        led_at = len(self.tricks) * len(contract.seats)
        if led_at == len(self.plays):
            return contract.tricks.lead_mask(held)
        return contract.tricks.legal_mask(held, self.plays[led_at].led)

    def _play_refusal(self, contract: Contract, seat: Seat, tile: Tile) -> IllegalAction:
        held = self.deal.masks[seat.number]
        if tile.mask & self._seen():
            return IllegalAction("tile_played", seat=seat, tile=tile)
        if held is None:
            return IllegalAction("tile_elsewhere", seat=seat, tile=tile)
        if not tile.mask & held:
            return IllegalAction("tile_not_held", seat=seat, tile=tile)
        return contract.tricks.refusal(seat, tile, self.table[0].led if self.table else None)

    def _with_suit(self, contract: Contract, seat: Seat, tile: Tile, suit: int) -> Play:
        if self.table:
            reason = "only the leader can declare a suit"
            raise IllegalAction("lead_suit_refused", tile=tile, suit=suit, reason=reason)
        may_declare = self.rules.small_end_opening and not self.plays
        return lead_with_suit(contract.tricks, seat, tile, suit, small_end=may_declare)

    def _played(self, contract: Contract, play: Play, index: int) -> Hand:
        at, bit, size = play.seat.number, BIT[index], len(contract.seats)
        plays = (*self.plays, play)
        tricks, points, taken = self.tricks, self.points, self.tricks_taken
        made, settled = self.made, self.settled_after
        denied = self.denied_masks
        led = plays[len(tricks) * size].led
        turn: Seat | None = contract.after(play.seat)
        shown = contract.tricks.denied_mask(led, index)
        if shown & ~denied[at]:
            denied = _with(denied, at, denied[at] | shown)
        if len(plays) % size == 0:
            trick = take_trick(contract.tricks, plays[-size:])
            tricks = (*tricks, trick)
            points += PerSide.of(trick.winner.side, trick.points)
            taken += PerSide.of(trick.winner.side, 1)
            turn = trick.winner if len(tricks) < HAND_TRICKS else None
            if settled is None:
                made = contract.outcome(points, taken)
                settled = None if made is None else len(tricks)
        findings = self.findings
        if self.denied_masks[at] & bit and self.deal.masks[at] is None:
            specials = find_false_specials(self.auction, self.deal.masks)
            findings = (*specials, *find_reneges(contract, plays, self.deal.masks))
        return Hand(
            self.rules,
            self.deal,
            self.auction,
            contract,
            plays,
            tricks,
            points,
            taken,
            turn,
            made,
            settled,
            findings,
            _with(self.played_masks, at, self.played_masks[at] | bit),
            denied,
            self.claimed,
        )

    def _found(self, masks: Holdings) -> tuple[Finding, ...]:
        """What the record and these holdings as dealt prove."""
        specials = find_false_specials(self.auction, masks)
        return (*specials, *find_reneges(self.contract, self.plays, masks)) if self.contract else specials

    def _known_masks(self) -> Holdings:
        """Holdings as dealt, from the deal or because all seven tiles were played."""
        deal = self.deal
        for seat in SEATS:
            played = tiles_of(self.played_masks[seat.number])
            if deal.masks[seat.number] is None and len(played) == HAND_TRICKS:
                deal = deal.with_holding(seat, played)
        return deal.masks

    def _tricks_in_view(self) -> int | None:
        """How many of the latest tricks a player may look back at; None for all."""
        rule, bid = self.rules.tricks_in_view, self.bid
        latest = rule == "latest" or (rule == "by_bid" and bid is not None and bid.is_marks)
        return 1 if latest else None


def _with(masks: Masks, at: int, value: int) -> Masks:
    north, east, south, west = masks
    if at == 0:
        return (value, east, south, west)
    if at == 1:
        return (north, value, south, west)
    return (north, east, value, west) if at == 2 else (north, east, south, value)
