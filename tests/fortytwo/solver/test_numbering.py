"""Tiles by place follow and win as the tables of the contract say."""

import random

import pytest

from fortytwo import TILES, Ruleset, Trump, trick_rules
from fortytwo.solver.numbering import each_bit, numbering
from fortytwo.suits import SMALL_END, NearestSeven, SuitTable
from fortytwo.tiles import ALL_TILES

RULES = [Ruleset(), Ruleset(doubles_trump="must_follow_number")]
TABLES = {
    id(table): table
    for rules in RULES
    for trump in Trump
    if isinstance(table := trick_rules(trump, rules), SuitTable)
}


@pytest.mark.parametrize("table", TABLES.values(), ids=str)
def test_numbering_agrees_with_table(table):
    rng = random.Random(1)
    numbers = numbering(table)
    for _ in range(500):
        tiles = rng.sample(range(len(TILES)), 4)
        ends = len(table.pips[tiles[0]])
        led = tiles[0] + SMALL_END * rng.randrange(ends)
        lead, places = numbers.lead(led), [numbers.place[tile] for tile in tiles]
        able = [place for place in places if numbers.beats[lead] >> place & 1]
        assert places.index(max(able)) == table.winner([led, *tiles[1:]])
        assert numbers.follow[lead] == numbers.bits(table.follow[led])
        assert numbers.fallback[lead] == numbers.bits(table.fallback[led])


@pytest.mark.parametrize("table", TABLES.values(), ids=str)
def test_numbering_is_a_bijection(table):
    numbers = numbering(table)
    assert sorted(numbers.index) == list(range(len(TILES)))
    assert [numbers.place[index] for index in numbers.index] == list(range(len(TILES)))
    assert numbers.bits(ALL_TILES) == ALL_TILES
    assert [numbers.tile(bit) for bit in each_bit(ALL_TILES)] == [TILES[index] for index in numbers.index]


def test_numbering_of_one_table_is_one_value():
    table = trick_rules(Trump.FIVES, Ruleset())
    assert numbering(table) is numbering(table)


def test_sevens_have_no_numbering():
    assert isinstance(trick_rules(Trump.SEVENS, Ruleset()), NearestSeven)
