"""Claims in their meanings: the published positions, and brute force."""

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fortytwo import (
    SEATS,
    Call,
    IllegalAction,
    PerSide,
    Phase,
    Ruleset,
    Seat,
    Tile,
    Trump,
    make_contract,
    parse_tiles,
)
from fortytwo.claim_lines import known_search
from fortytwo.claim_search import HiddenWorld, KnownWorld, Search, is_possible
from fortytwo.claims import (
    Meaning,
    Verdict,
    claim,
    claim_by_knowledge,
    claim_every_line,
    claim_in_order,
)
from fortytwo.position import Knowledge, Position
from fortytwo.tiles import ALL_TILES, mask_of
from tests.fortytwo import naive_claims
from tests.fortytwo.helpers import EXAMPLE_DEAL, MADE_34, STRAIGHT, bid_hand, play_all, seeds
from tests.fortytwo.solver.searches import NAMES, need
from tests.fortytwo.test_variants_naive import SETS, special_hand


def position(trump, bid, leader, held, *, points=None, rules=STRAIGHT, declarer=Seat.N):
    """A position from the rules text: no trick lost so far unless points say so."""
    contract = make_contract(rules, declarer, Call.parse(bid), Trump.parse(trump))
    masks = [mask_of(parse_tiles(held[seat])) for seat in "NESW"]
    tricks = 7 - masks[leader.number].bit_count()
    out = 7 - tricks + sum(tile.count for text in held.values() for tile in parse_tiles(text))
    taken = points or PerSide(42 - out, 0)
    return Position(contract, tuple(masks), leader, taken, PerSide(tricks, 0))


P13 = position("6", "42", Seat.N, {"N": "66 11", "E": "65 40", "S": "20 30", "W": "50 42"})
P14 = position("5", "42", Seat.N, {"N": "33 22 21", "E": "40 64 44", "S": "60 61 66", "W": "32 62 41"})


@pytest.mark.parametrize(
    ("where", "order", "verdict"),
    [
        (P13, "66 11", Verdict.ACCEPTED),
        (P13, "11 66", Verdict.REFUSED),
        (P14, "33 22 21", Verdict.ACCEPTED),
        (P14, "22 21 33", Verdict.REFUSED),
    ],
)
def test_published_claims_in_stated_order(where, order, verdict):
    answer = claim_in_order(where, parse_tiles(order))
    assert (answer.verdict, answer.forfeits) == (verdict, verdict is Verdict.REFUSED)
    assert answer.marks == (PerSide(1, 0) if answer.is_accepted else PerSide(0, 1))
    assert answer.made is answer.is_accepted


@pytest.mark.parametrize("where", [P13, P14])
def test_published_claims_on_every_line_are_refused(where):
    answer = claim_every_line(where)
    assert (answer.verdict, answer.made, answer.marks, answer.forfeits) == (
        Verdict.REFUSED,
        None,
        None,
        False,
    )
    made, lost = answer.lines
    assert {play.seat for play in made} == {play.seat for play in lost} == set(SEATS)
    assert lost[0].seat is Seat.N
    assert len(lost) < len(made)


def test_refusal_in_stated_order_shows_the_line_that_loses():
    answer = claim_in_order(P13, parse_tiles("11 66"))
    (line,) = answer.lines
    assert [str(play) for play in line[:2]] == ["N:1-1", "E:6-5"]


def contract_of(hand):
    contract = hand.contract
    out = contract.sits_out
    return str(contract.side), str(contract.bid), str(contract.trump), None if out is None else str(out)


def claim_position(rng, name, meaning, left):
    """A hand of a family played at random to so many tricks left, not decided yet."""
    switches = {**SETS[name], "claim": meaning}
    while True:
        hand = special_hand(rng, switches, 0)
        size = hand.contract.size
        tiles = size * (7 - left)
        while hand.turn is not None and len(hand.plays) < tiles:
            tile = rng.choice(hand.legal_plays())
            hand = hand.play(hand.turn, tile)
        if hand.made is None and hand.turn is not None:
            return hand, switches


def held_of(hand):
    return {str(seat): [str(tile) for tile in hand.holding(seat)] for seat in SEATS}


def before(hand):
    return [(str(trick.winner), trick.points) for trick in hand.tricks]


def check_result(answer, results):
    """The answer against all results of brute force."""
    if len(results) > 1:
        assert (answer.verdict, answer.marks) == (Verdict.REFUSED, None)
        return
    ((made, ns, ew),) = results
    assert (answer.verdict, answer.made, answer.marks) == (Verdict.ACCEPTED, made, PerSide(ns, ew))


def check_every_line(rng, name, left, backend):
    hand, switches = claim_position(rng, name, "every_line", left)
    found = naive_claims.every_line(held_of(hand), str(hand.turn), before(hand), contract_of(hand), switches)
    answer = claim(hand, hand.turn, backend=backend)
    check_result(answer, found)
    for line in answer.lines:
        after = hand
        for play in line:
            after = after.play(play.seat, play.tile, play.suit)


def check_stated_order(rng, name, left, backend):
    hand, switches = claim_position(rng, name, "stated_order", left)
    order = list(hand.holding(hand.turn))
    rng.shuffle(order)
    answer = claim(hand, hand.turn, order, backend=backend)
    good = naive_claims.in_order(
        held_of(hand), str(hand.turn), [str(tile) for tile in order], contract_of(hand), switches
    )
    assert (answer.verdict is Verdict.ACCEPTED) == good
    assert answer.forfeits == (not good)


def check_knowledge(rng, name, left, backend):
    hand, switches = claim_position(rng, name, "claimer_knowledge", left)
    results = set()
    for held in naive_claims.layouts(hand):
        leader, tricks = str(hand.turn), before(hand)
        results |= naive_claims.every_line(held, leader, tricks, contract_of(hand), switches)
        if len(results) > 1:
            break
    check_result(claim(hand, hand.turn), results)


CHECKS = {
    "every_line": (check_every_line, [1, 2, 2, 3, 3]),
    "stated_order": (check_stated_order, [1, 2, 3, 3, 3]),
    "claimer_knowledge": (check_knowledge, [1, 1, 2, 2, 2]),
}


SEARCHES = [(meaning, name) for meaning in ("every_line", "stated_order") for name in NAMES]
SEARCHES.append(("claimer_knowledge", "pure"))
"""What one seat knows has no compiled search."""
in_each = pytest.mark.parametrize(("meaning", "backend"), SEARCHES)


@in_each
@settings(max_examples=60, deadline=None)
@given(rng=seeds, name=st.sampled_from(sorted(SETS)))
def test_claims_equal_brute_force(meaning, backend, rng, name):
    need(backend)
    check, lefts = CHECKS[meaning]
    check(rng, name, rng.choice(lefts), backend)


@pytest.mark.long
@pytest.mark.timeout(3600)
@in_each
def test_claims_equal_brute_force_on_5000_positions(meaning, backend):
    need(backend)
    check, lefts = CHECKS[meaning]
    for seed in range(5000):
        rng = random.Random(f"{meaning} {seed}")
        check(rng, rng.choice(sorted(SETS)), 3 if seed % 50 == 0 else rng.choice(lefts), backend)


def compare_searches(seed, count, lefts):
    """What each side can take is the same by both searches."""
    rng = random.Random(seed)
    for _ in range(count):
        hand, _ = claim_position(rng, rng.choice(sorted(SETS)), "every_line", rng.choice(lefts))
        order = list(hand.holding(hand.turn)) if rng.random() < 0.3 else []
        rng.shuffle(order)
        where = replace(Position.of(hand), first_lead=not order and rng.random() < 0.3)
        for side in (0, 1):
            told = {
                name: reached(known_search(where, order, work=10**8, backend=name), where, side)
                for name in NAMES
            }
            assert told["pure"] == told["compiled"], (hand, order, side)


def reached(search, where, side):
    """For each number of points whether the side can have so many."""
    most = search.world.left(search.world.start)
    return [search.reaches(side, where.leader.number, points) for points in range(1, most + 2)]


def test_both_searches_agree_on_random_positions():
    need("compiled")
    compare_searches("some", 150, [2, 3, 4, 5])


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_both_searches_agree_on_many_random_positions():
    need("compiled")
    compare_searches("many", 8000, [3, 4, 5, 5])


WORST = [
    ("6", "34", "42 61 63 66 64 62 65", "21 40 55 11 41 60 30", "54 00 32 10 20 43 44", Verdict.ACCEPTED),
    ("4", "34", "11 53 40 64 41 44 54", "50 52 22 33 30 32 20", "43 55 00 51 66 65 42", Verdict.ACCEPTED),
    (
        "doubles",
        "30",
        "66 11 54 55 22 33 44",
        "32 41 63 50 30 31 61",
        "62 10 51 20 60 52 40",
        Verdict.ACCEPTED,
    ),
]
"""Whole deals that hill climbing found to be hard; what West holds is the rest."""


@pytest.mark.parametrize(("trump", "bid", "north", "east", "south", "verdict"), WORST)
def test_hardest_claims_that_were_found_are_decided(trump, bid, north, east, south, verdict):
    need("compiled")
    masks = [mask_of(parse_tiles(text)) for text in (north, east, south)]
    contract = make_contract(STRAIGHT, Seat.N, Call.parse(bid), Trump.parse(trump))
    where = Position(contract, (*masks, ALL_TILES & ~sum(masks)), Seat.N)
    answer = claim_every_line(where, backend="compiled")
    assert answer.verdict is verdict
    # In Python it is too much work, which is said and is no refusal.
    assert claim_every_line(where, work=20_000, backend="pure").verdict in (verdict, Verdict.UNDECIDED)


def test_search_that_is_not_here_cannot_be_asked():
    with pytest.raises(LookupError):
        claim_every_line(P13, backend="other")


@pytest.mark.parametrize("backend", NAMES)
def test_small_end_opening_is_among_the_lines_of_the_first_lead(backend):
    """With seven tricks left brute force is out of reach; two tiles each are dealt by hand."""
    need(backend)
    rules = Ruleset(small_end_opening=True)
    held = {"N": "64 10", "E": "66 44", "S": "00 11", "W": "20 30"}
    usual = position("5", "42", Seat.N, held, rules=rules)
    opening = Position(usual.contract, usual.held, Seat.N, usual.points, usual.tricks, first_lead=True)
    for where in (usual, opening):
        contract = ("NS", "42", "5", None)
        tiles = {seat: [str(tile) for tile in parse_tiles(text)] for seat, text in held.items()}
        tricks = [("N", 7)] * 5
        found = naive_claims.every_line(tiles, "N", tricks, contract, {}, opening=where.first_lead)
        check_result(claim_every_line(where, backend=backend), found)


def test_claim_in_a_points_game_needs_both_totals():
    rules = Ruleset(scoring="points")
    held = {"N": "66 65", "E": "10 20", "S": "30 40", "W": "55 31"}
    where = position("6", "30", Seat.N, held, points=PerSide(30, 0), rules=rules)
    answer = claim_every_line(where)
    assert (answer.is_accepted, answer.made, answer.points, answer.marks) == (
        True,
        True,
        PerSide(42, 0),
        PerSide(42, 0),
    )
    open_count = {"N": "66 31", "E": "41 20", "S": "30 40", "W": "55 64"}
    where = position("6", "30", Seat.N, open_count, points=PerSide(15, 0), rules=rules)
    refused = claim_every_line(where)
    assert (refused.verdict, len(refused.lines)) == (Verdict.REFUSED, 2)


def test_claim_in_a_points_game_may_give_points_to_both_sides():
    rules = Ruleset(scoring="points")
    held = {"N": "10", "E": "11", "S": "30", "W": "20"}
    where = position("6", "30", Seat.N, held, points=PerSide(35, 6), rules=rules)
    assert claim_every_line(where).points == PerSide(35, 7)


def test_claim_by_the_rules_of_the_hand():
    hand = play_all(bid_hand("30 pass pass pass", "6", deal=EXAMPLE_DEAL), MADE_34[:11])
    assert hand.points == PerSide(1, 0)
    answer = claim(hand, Seat.N)
    assert (answer.verdict, answer.meaning) == (Verdict.REFUSED, Meaning.EVERY_LINE)
    assert answer.to_json() == {
        "meaning": "every_line",
        "seat": "N",
        "verdict": "refused",
        "accepted": False,
        "made": None,
        "marks": None,
        "points": None,
        "forfeits": False,
    }


def refusal(*args, **named):
    with pytest.raises(IllegalAction) as caught:
        claim(*args, **named)
    return caught.value.code


def test_claims_at_the_wrong_time_are_refused():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), MADE_34[:11])
    assert refusal(hand, Seat.E) == "claim_not_on_lead"
    assert refusal(hand.play(Seat.N, Tile.parse("65")), Seat.E) == "trick_open"
    assert refusal(bid_hand("34 pass pass pass", "6"), Seat.N) == "deal_unknown"
    off = bid_hand("34 pass pass pass", "6", rules=Ruleset(claim="off"))
    assert refusal(off, Seat.N) == "claim_off"
    by_knowledge = bid_hand("34 pass pass pass", "6", rules=Ruleset(claim="claimer_knowledge"))
    assert refusal(by_knowledge, Seat.N) == "deal_unknown"
    done = hand
    while done.turn is not None:
        done = done.play(done.turn, done.legal_plays()[0])
    assert refusal(done, Seat.N) == "hand_complete"
    stated = Ruleset(claim="stated_order")
    ordered = play_all(bid_hand("34 pass pass pass", "6", rules=stated, deal=EXAMPLE_DEAL), MADE_34[:11])
    for order in ("", "65 64 62 55 33 33", "65 64 62 55 33 10"):
        assert refusal(ordered, Seat.N, parse_tiles(order)) == "claim_order_wrong"
    unnamed = Ruleset(trump_not_named="high_end")
    from fortytwo import Hand

    hand = Hand.start(unnamed, Seat.W, EXAMPLE_DEAL)
    assert refusal(hand, Seat.N) == "trump_not_named"


def test_claimer_knows_only_its_own_tiles():
    known = bid_hand("34 pass pass pass", "6", rules=Ruleset(claim="claimer_knowledge"), deal=EXAMPLE_DEAL)
    only = {Seat.N: EXAMPLE_DEAL[Seat.N]}
    hidden = bid_hand("34 pass pass pass", "6", rules=Ruleset(claim="claimer_knowledge"), deal=only)
    for text in (MADE_34[:11], MADE_34[:23], MADE_34[:35]):
        one, other = play_all(known, text), play_all(hidden, text)
        assert Knowledge.of(one, Seat.N) == Knowledge.of(other, Seat.N)
        assert claim(one, Seat.N).verdict == claim(other, Seat.N).verdict
    assert claim(play_all(hidden, MADE_34[:35]), Seat.N).is_accepted


def test_certain_claim_by_knowledge_is_accepted():
    """North has the last six and three doubles."""
    rules = Ruleset(claim="claimer_knowledge")
    plays = "66 63 60 52 65 61 53 51 64 54 50 44 "
    hand = play_all(
        bid_hand("84 pass pass pass", "6", deal={Seat.N: EXAMPLE_DEAL[Seat.N]}, rules=rules), plays
    )
    assert [str(tile) for tile in hand.holding(Seat.N)] == ["6-2", "5-5", "3-3", "2-2"]
    answer = claim(hand, Seat.N)
    assert (answer.verdict, answer.made, answer.marks) == (Verdict.ACCEPTED, True, PerSide(2, 0))


def test_claim_with_too_much_work_is_undecided():
    hand = bid_hand("30 pass pass pass", "6", deal=EXAMPLE_DEAL)
    answer = claim(hand, Seat.N, work=10)
    assert (answer.verdict, answer.is_accepted, answer.forfeits) == (Verdict.UNDECIDED, False, False)
    stated = bid_hand("30 pass pass pass", "6", deal=EXAMPLE_DEAL, rules=Ruleset(claim="stated_order"))
    assert claim(stated, Seat.N, EXAMPLE_DEAL[Seat.N], work=5).verdict is Verdict.UNDECIDED
    knows = bid_hand("30 pass pass pass", "6", deal=EXAMPLE_DEAL, rules=Ruleset(claim="claimer_knowledge"))
    assert claim(knows, Seat.N, work=10).verdict is Verdict.UNDECIDED


def test_doubles_that_were_promised_narrow_the_layouts():
    """East called a plunge and was overbid; it holds four doubles, so West cannot."""
    rules = Ruleset(plunge=True, claim="claimer_knowledge")
    hand = bid_hand(
        "pass plunge4 5m pass", "6", rules=rules, deal={Seat.S: parse_tiles("65 64 63 62 61 60 50")}
    )
    known = Knowledge.of(hand, Seat.S)
    assert known.doubles == (0, 4, 0, 0)
    world = HiddenWorld(known)
    assert is_possible(world.start)
    few = list(world.start)
    few[6 + 1] = mask_of(parse_tiles("66 55 44 33"))
    assert not is_possible(few)
    few[6 + 1], few[2 + 1] = 0, 3
    assert not is_possible(few)
    double, plain = Tile.parse("44").index, Tile.parse("43").index
    assert world.after(world.start, 1, double, double)[-4:] == (0, 3, 0, 0)
    assert world.after(world.start, 1, plain, plain)[-4:] == (0, 4, 0, 0)
    assert sum(bin(mask).count("1") for mask in next(world.examples(0)).start) == 28
    assert claim(hand, Seat.S).verdict is Verdict.REFUSED


def test_memory_of_a_search_is_used_again():
    search = Search(KnownWorld(P14.contract, P14.held), P14.contract, work=10_000)
    assert search.reaches(0, 0, 23)
    spent = search.work
    assert search.reaches(0, 0, 10)
    assert not search.reaches(0, 0, 24)
    assert search.work == spent


def test_tricks_left_of_a_position():
    assert (P13.tricks_left, P14.tricks_left) == (2, 3)


def test_five_tricks_left_are_answered_fast():
    """The reach is 5 ms for 95 of 100; the test leaves room for a slow machine."""
    spent = []
    for seed in range(40):
        for meaning in CHECKS:
            rng = random.Random(f"speed {seed}")
            hand, _ = claim_position(rng, "follow me low", meaning, 5)
            started = time.process_time()
            claim(hand, hand.turn, hand.holding(hand.turn))
            spent.append(time.process_time() - started)
    spent.sort()
    assert spent[int(len(spent) * 0.95)] < 0.025


def test_points_and_phase_are_untouched_by_asking():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), MADE_34[:11])
    claim(hand, Seat.N)
    assert (hand.phase, hand.points) == (Phase.PLAY, PerSide(1, 0))
    assert claim_by_knowledge(Knowledge.of(hand, Seat.N)).seat is Seat.N
