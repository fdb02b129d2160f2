import random

import pytest

from fortytwo import (
    PLAIN_TRUMPS,
    SEATS,
    TILES,
    Call,
    Deal,
    IllegalAction,
    ParseError,
    Seat,
    Side,
    Tile,
    Trump,
    parse_tiles,
)
from fortytwo.tiles import mask_of, tiles_of


def test_set_has_28_tiles_with_35_count():
    assert len(set(TILES)) == 28
    assert {str(tile): tile.count for tile in TILES if tile.count} == {
        "5-5": 10,
        "6-4": 10,
        "5-0": 5,
        "4-1": 5,
        "3-2": 5,
    }
    assert [tile.index for tile in TILES] == list(range(28))


def test_tile_parse_reads_every_form_and_writes_high_pip_first():
    for tile in TILES:
        for text in (
            f"{tile.high}-{tile.low}",
            f"{tile.low}-{tile.high}",
            f"{tile.high}{tile.low}",
            f" {tile.low}{tile.high} ",
        ):
            assert Tile.parse(text) == tile
        assert Tile.parse(str(tile)) == tile
        assert eval(repr(tile)) == tile
        assert Tile.of(tile.low, tile.high) == tile


NO_TILES = ["", "7-1", "6--4", "644", "six-four", "-64", "6-4-", "٦٤", None, 64, ["6-4"]]


@pytest.mark.parametrize("text", NO_TILES)
def test_tile_parse_refuses_what_is_no_tile(text):
    with pytest.raises(ParseError) as caught:
        Tile.parse(text)
    assert caught.value.code == "bad_tile"


@pytest.mark.parametrize(("high", "low"), [(4, 6), (7, 0), (3, -1), ("6", "4"), (True, 0)])
def test_tile_itself_cannot_be_wrong(high, low):
    with pytest.raises(ParseError) as caught:
        Tile(high, low)
    assert caught.value.code == "bad_tile"


def test_masks_round_trip_highest_first():
    holding = parse_tiles("00, 66 5-3")
    assert tiles_of(mask_of(holding)) == parse_tiles("66 53 00")
    with pytest.raises(IllegalAction) as caught:
        mask_of(parse_tiles("66 10 66"))
    assert (caught.value.code, caught.value.facts) == ("tile_twice", {"tile": "6-6"})


def test_seats_go_clockwise_and_partners_sit_opposite():
    assert [seat.left for seat in SEATS] == [Seat.E, Seat.S, Seat.W, Seat.N]
    assert [seat.partner for seat in SEATS] == [Seat.S, Seat.W, Seat.N, Seat.E]
    assert [seat.side for seat in SEATS] == [Side.NS, Side.EW, Side.NS, Side.EW]
    assert Side.NS.seats == (Seat.N, Seat.S)
    assert Side.EW.seats == (Seat.E, Seat.W)
    assert Seat.S.clockwise() == (Seat.S, Seat.W, Seat.N, Seat.E)


def test_short_words_round_trip():
    for seat in SEATS:
        assert Seat.parse(str(seat)) is Seat.parse(seat.lower()) is eval(repr(seat)) is seat
    for side in Side:
        assert Side.parse(str(side)) is eval(repr(side)) is side
        assert side.other.other is side
    for trump in Trump:
        assert Trump.parse(str(trump)) is eval(repr(trump)) is trump
    assert Seat.parse("north") is Seat.N
    assert Trump.parse("Follow_Me") is Trump.FOLLOW_ME
    assert [trump.pip for trump in PLAIN_TRUMPS] == [0, 1, 2, 3, 4, 5, 6, None, None]


@pytest.mark.parametrize("parse", [Seat.parse, Side.parse, Trump.parse, Call.parse])
@pytest.mark.parametrize("text", ["", "x", "7", None, 3, "N" * 1000])
def test_short_words_refuse_anything_else(parse, text):
    if parse == Call.parse and text == "7":
        text = "7x"
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.code == f"bad_{parse.__self__.__name__.lower()}"
    assert len(caught.value.message) < 200


def test_deal_completes_the_fourth_holding():
    deal = Deal.shuffled(random.Random(42))
    three = {seat: deal.holding(seat) for seat in SEATS[:3]}
    assert Deal.of(three) == deal
    assert not Deal.of({Seat.N: deal.holding(Seat.N)}).is_known


def test_deal_shuffled_is_the_same_for_the_same_seed():
    assert Deal.shuffled(random.Random(7)) == Deal.shuffled(random.Random(7))
    assert Deal.shuffled(random.Random(7)) != Deal.shuffled(random.Random(8))


def test_deal_refuses_wrong_holdings():
    north = parse_tiles("66 65 64 63 62 61 60")
    cases = [
        ({Seat.N: north[:6]}, "holding_size"),
        ({Seat.N: (*north[:6], north[0])}, "tile_twice"),
        ({Seat.N: north, Seat.E: parse_tiles("66 55 54 53 52 51 50")}, "tile_dealt_twice"),
    ]
    for holdings, code in cases:
        with pytest.raises(IllegalAction) as caught:
            Deal.of(holdings)
        assert caught.value.code == code
    deal = Deal.of({Seat.N: north})
    assert deal.with_holding(Seat.N, north) is deal
    with pytest.raises(IllegalAction) as caught:
        deal.with_holding(Seat.N, parse_tiles("00 55 54 53 52 51 50"))
    assert caught.value.code == "holding_differs"


def test_deal_repr_shows_no_tile():
    deal = Deal.shuffled(random.Random(1))
    assert repr(deal) == str(deal) == "<Deal known=NESW>"
    assert repr(Deal()) == "<Deal known=none>"
