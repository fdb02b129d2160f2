"""The solver on whole deals: published values, sharing what is found, limits, threads, house rules."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from fortytwo import SEATS, Call, Deal, Hand, PerSide, Ruleset, Seat, Side, Tile, Trump, trick_rules
from fortytwo.solver import (
    CORES,
    NotSolvable,
    Position,
    SearchLimit,
    Solver,
    backend,
    par_table,
    special_table,
    why_pure,
)
from fortytwo.suits import PLAIN_TRUMPS
from tests.fortytwo.helpers import bid_hand, random_hand, tiles
from tests.fortytwo.solver.minimax import Minimax
from tests.fortytwo.solver.published import PAR, TRUMPS, deal
from tests.fortytwo.solver.searches import backends, both, search


@backends
def test_par_published_deal(name):
    table = par_table(deal(), solver=search(name))
    assert {
        str(seat): tuple(row[Trump.parse(trump)] for trump in TRUMPS) for seat, row in table.items()
    } == PAR


@backends
@pytest.mark.parametrize("trump", PLAIN_TRUMPS, ids=str)
def test_published_deal_late_positions(name, trump):
    rng = random.Random(str(trump))
    position = Position.start(deal(), trump, rng.choice(SEATS))
    while len(tiles_left(position)) > 12:
        position = position.play(rng.choice(position.plays()).tile)
    minimax = Minimax(str(trump))
    solver = search(name)
    while not position.is_over:
        held = tuple(tuple(map(str, holding)) for holding in holdings(position))
        table = tuple((str(play.seat), str(play.tile)) for play in position.table)
        told = position.points.ns + minimax.value(held, str(position.leader), table)
        assert solver.points(position).ns == told
        position = position.play(rng.choice(position.plays()).tile)


def holdings(position):
    return [[tile for tile in tiles_left(position) if tile.mask & mask] for mask in position.holdings]


def tiles_left(position):
    union = sum(position.holdings)
    return [tile for tile in map(Tile.parse, ALL_TEXTS) if tile.mask & union]


ALL_TEXTS = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]


@backends
def test_solver_kept_through_a_hand_equals_fresh_ones(name):
    rng = random.Random(5)
    kept = search(name)
    hand = random_hand(rng, tiles_played=6)
    while hand.turn is not None:
        position = Position.of(hand)
        assert kept.values(position) == search(name).values(position)
        hand = hand.play(hand.turn, rng.choice(hand.legal_plays()))


@backends
def test_best_play_keeps_the_value(name):
    solver = search(name)
    position = Position.start(deal(), Trump.SIXES, Seat.E)
    promised = solver.points(position)
    while not position.is_over:
        values = solver.values(position)
        best = max(values.values())
        assert best == promised[position.turn.side]
        position = position.play(next(play for play, value in values.items() if value == best).tile)
        assert solver.points(position) == promised
    assert position.points == promised
    assert solver.values(position) == {}
    assert solver.reaches(position, Side.EW, promised.ew)
    assert not solver.reaches(position, Side.EW, promised.ew + 1)


def test_backends_agree_on_whole_deals():
    rng = random.Random(6)
    for _ in range(6):
        position = Position.start(Deal.shuffled(rng), rng.choice(PLAIN_TRUMPS), rng.choice(SEATS))
        assert len({solver.points(position) for solver in both()}) == 1


@backends
def test_same_questions_take_the_same_work(name):
    solvers = [search(name), search(name)]
    position = Position.start(deal(), Trump.ZEROS, Seat.S)
    assert solvers[0].values(position) == solvers[1].values(position)
    assert solvers[0].nodes == solvers[1].nodes > 0
    work = solvers[0].nodes
    solvers[0].forget()
    solvers[0].values(position)
    assert solvers[0].nodes == 2 * work


@backends
def test_limit_stops_a_search_and_leaves_the_solver_sound(name):
    position = Position.start(deal(), Trump.SIXES, Seat.E)
    solver = search(name, limit=100)
    with pytest.raises(SearchLimit):
        solver.points(position)
    assert solver.nodes <= 102
    for _ in range(1000):
        try:
            assert solver.points(position) == PerSide(16, 26)
            break
        except SearchLimit:
            # What was found is kept, so the next try comes further.
            continue
    else:
        pytest.fail("it never ended")


@backends
def test_solvers_in_threads(name):
    positions = [Position.start(deal(), trump, seat) for trump in PLAIN_TRUMPS[3:6] for seat in SEATS]

    def work(_):
        solver = search(name)
        return [solver.points(position)[position.turn.side] for position in positions]

    told = [PAR[str(position.turn)][at // 4 + 3] for at, position in enumerate(positions)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [told] * 4


def test_backend_says_which_and_why():
    assert backend() == next(iter(CORES))
    assert list(CORES)[-1] == "pure"
    assert bool(why_pure()) == (backend() == "pure")
    with pytest.raises(LookupError):
        Solver("other")


def test_unknown_holdings_are_not_solvable():
    with pytest.raises(NotSolvable):
        Position.start(Deal(), Trump.FIVES, Seat.N)
    with pytest.raises(NotSolvable):
        Position.of(Hand.start(Ruleset(), Seat.N, deal()))
    with pytest.raises(NotSolvable):
        Solver().points(Position.start(deal(), Trump.NELLO, Seat.N))


@backends
@pytest.mark.parametrize("holdings", [(1, 2, 4, 0), (1, 1, 2, 4), (3, 4, 8, 16)])
def test_positions_that_cannot_be_are_not_solvable(name, holdings):
    rules = trick_rules(Trump.FIVES, Ruleset())
    with pytest.raises(NotSolvable):
        search(name).points(Position(rules, tuple(SEATS), holdings, Seat.N))


@backends
def test_made_and_set_of_a_hand(name):
    hand = bid_hand("30 pass pass pass", "4", shaker=Seat.E, deal=deal())
    assert hand.declarer is Seat.S
    solver = search(name)
    assert solver.makes(hand)
    assert set(solver.outcomes(hand).values()) == {True}
    lost = bid_hand("30 pass pass pass", "4", shaker=Seat.N, deal=deal())
    assert not solver.makes(lost)
    while lost.made is None:
        lost = lost.play(lost.turn, lost.legal_plays()[0])
    assert solver.makes(lost) is lost.made
    assert set(solver.outcomes(lost).values()) == {lost.made}


@backends
def test_outcomes_name_the_play_that_loses(name):
    # Nancy may lead anything at fours but the 3-2, which costs a trick of six points.
    hand = bid_hand("42 pass pass pass", "4", shaker=Seat.W, deal=deal())
    outcomes = {str(play.tile): made for play, made in search(name).outcomes(hand).items()}
    assert [tile for tile, made in outcomes.items() if not made] == ["3-2"]


@backends
def test_plunge_is_led_by_the_partner(name):
    rules = Ruleset(plunge=True)
    holding = {Seat.N: tiles("66 55 44 33 11 65 64")}
    rest = [tile for tile in map(Tile.parse, ALL_TEXTS) if tile not in holding[Seat.N]]
    for seat, at in ((Seat.E, 0), (Seat.S, 7), (Seat.W, 14)):
        holding[seat] = rest[at : at + 7]
    hand = bid_hand("plunge4 pass pass pass", "5", deal=holding, rules=rules)
    position = Position.of(hand)
    assert position.leader is Seat.S
    told = search(name).points(position).ns == 42
    assert search(name).makes(hand) is told


@backends
def test_nello_made_and_set(name):
    rules = Ruleset(nello=1)
    low = {
        Seat.N: tiles("10 20 21 30 31 40 41"),
        Seat.E: tiles("66 65 64 63 62 61 60"),
        Seat.S: tiles("00 11 22 33 32 43 42"),
        Seat.W: tiles("55 54 53 52 51 50 44"),
    }
    hand = bid_hand("42 pass pass pass", "nello", deal=low, rules=rules)
    assert search(name).makes(hand)
    high = {**low, Seat.N: low[Seat.E], Seat.E: low[Seat.N]}
    hand = bid_hand("42 pass pass pass", "nello", deal=high, rules=rules)
    assert not search(name).makes(hand)
    assert set(search(name).outcomes(hand).values()) == {False}


@backends
def test_sevens_is_settled_by_the_deal(name):
    rules = Ruleset(sevens=1)
    rng = random.Random(9)
    for _ in range(40):
        hand = Hand.start(rules, Seat.W, Deal.shuffled(rng))
        for call in ("42", "pass", "pass", "pass"):
            hand = hand.call(hand.to_act, Call.parse(call))
        hand = hand.name_trump(Trump.SEVENS)
        told = search(name).makes(hand)
        while hand.made is None:
            hand = hand.play(hand.turn, rng.choice(hand.legal_plays()))
        assert hand.made is told


@backends
def test_points_game_is_judged_by_the_bid(name):
    rules = Ruleset.from_switches({"scoring": "points"})
    hand = bid_hand("35 pass pass pass", "0", shaker=Seat.E, deal=deal(), rules=rules)
    assert search(name).makes(hand)
    hand = bid_hand("36 pass pass pass", "0", shaker=Seat.E, deal=deal(), rules=rules)
    assert not search(name).makes(hand)


def test_special_table_only_where_the_rules_have_them():
    assert special_table(deal(), Ruleset()) == {}
    table = special_table(deal(), Ruleset(nello=1, sevens=2))
    assert set(table) == set(SEATS)
    assert table[Seat.N] == {Trump.NELLO: False, Trump.SEVENS: True}


def test_position_repr_shows_no_holding():
    assert "holdings" not in repr(Position.start(deal(), Trump.FIVES, Seat.N))
