import copy
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fortytwo import (
    PLAIN_TRUMPS,
    SEATS,
    Call,
    Deal,
    Hand,
    HandResult,
    IllegalAction,
    PerSide,
    Phase,
    Ruleset,
    Seat,
    Tile,
    Trump,
    parse_tiles,
)
from tests.fortytwo.helpers import (
    EXAMPLE_DEAL,
    MADE_34,
    STRAIGHT,
    bid_hand,
    call_all,
    play_all,
    random_hand,
    seeds,
    without_deal,
)


def refusal(move, *args):
    with pytest.raises(IllegalAction) as caught:
        move(*args)
    return caught.value.code


def test_bid_of_34_is_made_at_the_fourth_trick():
    hand = bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL)
    running = []
    for number, word in enumerate(MADE_34.split(), 1):
        hand = hand.play(hand.turn, Tile.parse(word))
        if number % 4 == 0:
            running.append((hand.points.ns, hand.made, hand.phase))
    assert running == [
        (1, None, Phase.PLAY),
        (7, None, Phase.PLAY),
        (23, None, Phase.PLAY),
        (34, True, Phase.SETTLED),
    ]
    assert (hand.settled_after, hand.marks, hand.to_act, hand.turn) == (4, PerSide(1, 0), None, Seat.N)
    assert hand.result() == HandResult(
        PerSide(1, 0), Seat.W, Seat.N, Call.parse("34"), Trump.SIXES, True, PerSide(34, 0)
    )


def test_bid_of_38_is_set_by_six_points():
    hand = play_all(bid_hand("38 pass pass pass", "5"), "55 51 32 52")
    assert (hand.points, hand.made) == (PerSide(16, 0), None)
    hand = play_all(hand, "54 65 10 50")
    assert (hand.points, hand.made, hand.settled_after) == (PerSide(16, 6), False, 2)
    assert (hand.marks, hand.phase, hand.turn) == (PerSide(0, 1), Phase.SETTLED, Seat.E)


def test_bid_of_84_is_set_when_the_seventh_trick_is_lost():
    hand = bid_hand("pass 84 pass pass", "doubles")
    assert (hand.declarer, hand.turn) == (Seat.E, Seat.E)
    hand = play_all(hand, "66 65 64 63 55 54 53 52 44 62 43 42 33 61 60 32 22 51 50 41 00 40 30 20")
    assert (hand.made, hand.tricks_taken) == (None, PerSide(0, 6))
    hand = play_all(hand, "10 11 21 31")
    assert (hand.made, hand.settled_after, hand.marks) == (False, 7, PerSide(2, 0))
    assert hand.phase is Phase.COMPLETE
    assert refusal(hand.play, Seat.S, Tile.parse("66")) == "hand_complete"


def test_marks_bid_is_set_at_the_first_trick_lost():
    hand = play_all(bid_hand("42 pass pass pass", "6"), "10 11 21 31")
    assert (hand.made, hand.settled_after, hand.marks) == (False, 1, PerSide(0, 1))


def test_defence_sets_34_with_9_points_while_33_are_in():
    hand = bid_hand("34 pass pass pass", "6")
    hand = play_all(hand, "66 55 64 61 65 41 60 62 63 30 31 50 10 11 53 51 22 20 21 33 44 40 42 43")
    assert (hand.points, hand.made) == (PerSide(33, 3), None)
    hand = play_all(hand, "52 32 54 00")
    assert (hand.points, hand.made, hand.settled_after) == (PerSide(33, 9), False, 7)
    assert (hand.marks, hand.findings) == (PerSide(0, 1), ())


def test_plays_past_settlement_change_no_marks():
    hand = bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL)
    hand = play_all(hand, MADE_34)
    before = (hand.made, hand.settled_after, hand.marks)
    while hand.turn is not None:
        hand = hand.play(hand.turn, hand.legal_plays()[-1])
    assert (hand.made, hand.settled_after, hand.marks) == before
    assert (hand.phase, hand.points.total) == (Phase.COMPLETE, 42)


def test_hand_played_to_the_end_by_rule_stays_open_after_settlement():
    rules = Ruleset(early_end="play_all")
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL, rules=rules), MADE_34)
    assert (hand.is_settled, hand.phase, hand.to_act, hand.marks) == (True, Phase.PLAY, Seat.N, PerSide(1, 0))
    assert refusal(hand.result) == "hand_not_over"


def test_phases_and_who_is_to_act():
    hand = Hand.start(STRAIGHT, Seat.W, EXAMPLE_DEAL)
    assert (hand.phase, hand.to_act, hand.legal_plays(), hand.legal_trumps()) == (
        Phase.AUCTION,
        Seat.N,
        (),
        (),
    )
    hand = call_all(hand, "pass 30 pass pass")
    assert (hand.phase, hand.to_act, hand.trump, hand.table) == (Phase.NAMING, Seat.E, None, ())
    assert hand.legal_trumps() == PLAIN_TRUMPS
    hand = hand.name_trump(Trump.DOUBLES, Seat.E)
    assert (hand.phase, hand.to_act, hand.legal_trumps()) == (Phase.PLAY, Seat.E, ())
    thrown = call_all(Hand.start(STRAIGHT, Seat.W), "pass pass pass pass")
    assert (thrown.phase, thrown.to_act, thrown.marks) == (Phase.THROWN_IN, None, PerSide())
    assert thrown.result() == HandResult(PerSide(), Seat.W, points=PerSide())
    assert thrown.result().thrown_in


def test_moves_at_the_wrong_time_are_refused():
    start = Hand.start(STRAIGHT, Seat.W, EXAMPLE_DEAL)
    tile = Tile.parse("66")
    assert refusal(start.name_trump, Trump.SIXES) == "auction_open"
    assert refusal(start.play, Seat.N, tile) == "auction_open"
    assert refusal(start.result) == "hand_not_over"
    naming = call_all(start, "30 pass pass pass")
    assert refusal(naming.call, Seat.N, Call.parse("31")) == "auction_over"
    assert refusal(naming.play, Seat.N, tile) == "trump_not_named"
    assert refusal(naming.name_trump, Trump.SIXES, Seat.E) == "out_of_turn"
    named = naming.name_trump(Trump.SIXES)
    assert refusal(named.name_trump, Trump.FIVES) == "trump_already_named"
    thrown = call_all(start, "pass pass pass pass")
    assert refusal(thrown.name_trump, Trump.SIXES) == "hand_thrown_in"
    assert refusal(thrown.play, Seat.N, tile) == "hand_thrown_in"


def test_illegal_plays_are_refused_with_code_and_facts():
    hand = play_all(bid_hand("30 pass pass pass", "6", deal=EXAMPLE_DEAL), "66")
    cases = [
        (Seat.S, "60", "out_of_turn"),
        (Seat.E, "66", "tile_played"),
        (Seat.E, "60", "tile_not_held"),
        (Seat.E, "54", "must_follow"),
    ]
    for seat, text, code in cases:
        assert refusal(hand.play, seat, Tile.parse(text)) == code
    with pytest.raises(IllegalAction) as caught:
        hand.play(Seat.E, Tile.parse("54"))
    assert caught.value.facts == {"seat": "E", "tile": "5-4", "led": "6-6", "suit": "trumps"}
    assert caught.value.message == "E must follow trumps, which was led with 6-6; 5-4 does not."


@pytest.mark.parametrize(
    ("rules", "bid", "trump"),
    [
        (Ruleset(follow_me="off"), "84", "follow-me"),
        (Ruleset(follow_me="marks_only"), "41", "follow-me"),
        (Ruleset(doubles_trump="off"), "30", "doubles"),
    ],
)
def test_trumps_that_are_not_offered_are_refused(rules, bid, trump):
    hand = call_all(Hand.start(rules, Seat.W), f"{bid} pass pass pass")
    assert refusal(hand.name_trump, Trump.parse(trump)) == "trump_not_offered"
    assert Trump.parse(trump) not in hand.legal_trumps()


def test_follow_me_from_one_mark():
    hand = call_all(Hand.start(Ruleset(follow_me="marks_only"), Seat.W), "42 pass pass pass")
    assert Trump.FOLLOW_ME in hand.legal_trumps()


@pytest.mark.parametrize("tile", ["52", "55"])
def test_trump_not_named_is_the_high_end_of_the_first_tile(tile):
    rules = Ruleset(trump_not_named="high_end")
    hand = call_all(Hand.start(rules, Seat.W), "30 pass pass pass").play(Seat.N, Tile.parse(tile))
    assert (hand.trump, hand.to_act) == (Trump.FIVES, Seat.E)


def test_known_and_derived_holdings_are_checked():
    three = {seat: EXAMPLE_DEAL[seat] for seat in (Seat.N, Seat.S, Seat.W)}
    hand = play_all(bid_hand("30 pass pass pass", "6", deal=three), "66")
    assert hand.holding(Seat.E) == EXAMPLE_DEAL[Seat.E]
    assert refusal(hand.play, Seat.E, Tile.parse("54")) == "must_follow"


def test_unknown_holding_may_play_what_nobody_else_has():
    hand = play_all(bid_hand("30 pass pass pass", "6", deal={Seat.N: EXAMPLE_DEAL[Seat.N]}), "66")
    assert hand.holding(Seat.E) is None
    assert set(hand.legal_plays()) == {
        tile for seat in (Seat.E, Seat.S, Seat.W) for tile in EXAMPLE_DEAL[seat]
    }
    assert refusal(hand.play, Seat.E, Tile.parse("65")) == "tile_elsewhere"
    assert refusal(hand.play, Seat.E, Tile.parse("66")) == "tile_played"
    assert refusal(hand.play, Seat.S, Tile.parse("60")) == "out_of_turn"


def test_renege_is_a_finding_with_both_plays():
    hand = play_all(bid_hand("30 pass pass pass", "6"), "66 54 60 00")
    assert hand.void_tiles(Seat.E) == parse_tiles("66 65 64 63 62 61 60")
    assert hand.findings == ()
    hand = play_all(hand, "65 61 50 21")
    assert [finding.to_json() for finding in hand.findings] == [
        {
            "code": "renege",
            "seat": "E",
            "trick": 1,
            "led": "6-6",
            "played": "5-4",
            "proof": "6-1",
            "proof_trick": 2,
            "message": "E played 5-4 on the 6-6 led in trick 1 and could have followed with 6-1,"
            " played in trick 2.",
        }
    ]
    again = play_all(hand, "64 63 53 52")
    assert again.findings == hand.findings


def test_renege_shown_by_a_holding_is_a_finding():
    hand = play_all(bid_hand("30 pass pass pass", "6"), "66 54 60 00")
    hand = hand.with_holding(Seat.E, EXAMPLE_DEAL[Seat.E])
    (finding,) = hand.findings
    assert (finding.seat, finding.played, finding.proof, finding.proof_trick) == (
        Seat.E,
        Tile.parse("54"),
        Tile.parse("63"),
        None,
    )
    assert "in the holding" in str(finding)
    assert hand.verify().findings == hand.findings


def test_holdings_can_be_added_at_any_time_and_the_fourth_follows():
    played = play_all(bid_hand("34 pass pass pass", "6"), MADE_34)
    assert played.is_closed
    hand = played
    for seat in (Seat.N, Seat.E, Seat.S):
        hand = hand.with_holding(seat, EXAMPLE_DEAL[seat])
    assert hand.reveal() == Deal.of(EXAMPLE_DEAL)
    assert hand.holding(Seat.W) == parse_tiles("51 44 32")
    assert (hand.verify().complete, hand.verify().ok) == (True, True)
    assert hand.marks == played.marks
    assert (
        call_all(Hand.start(STRAIGHT, Seat.W).with_holding(Seat.E, EXAMPLE_DEAL[Seat.E]), "30").to_act
        is Seat.E
    )


def test_holdings_that_contradict_the_record_are_refused():
    hand = play_all(bid_hand("30 pass pass pass", "6"), "66 61 60 00")
    cases = [
        (Seat.E, "63 54 30 20 11 10 21", "played_not_held"),
        (Seat.E, "63 61 54 30 20 11 00", "tile_played_by_other"),
        (Seat.E, "63 61 54 30 20 11", "holding_size"),
        (Seat.E, "63 61 54 30 20 11 11", "tile_twice"),
    ]
    for seat, text, code in cases:
        assert refusal(hand.with_holding, seat, parse_tiles(text)) == code
    known = hand.with_holding(Seat.E, EXAMPLE_DEAL[Seat.E])
    assert refusal(known.with_holding, Seat.E, parse_tiles("62 61 54 30 20 11 10")) == "holding_differs"
    assert refusal(known.with_holding, Seat.S, parse_tiles("60 53 50 43 42 41 63")) == "tile_dealt_twice"


def test_verify_after_28_tiles_knows_every_holding():
    hand = without_deal(random_hand(random.Random(5)))
    assert hand.deal == Deal()
    assert hand.verify().complete
    assert hand.reveal().is_known
    early = play_all(bid_hand("34 pass pass pass", "6"), MADE_34)
    assert not early.verify().complete
    assert call_all(Hand.start(STRAIGHT, Seat.W), "30").verify().ok


def test_reveal_is_refused_while_the_hand_is_live():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), "66")
    assert refusal(hand.reveal) == "hand_in_progress"


def test_errors_and_hands_can_be_pickled():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), "66")
    with pytest.raises(IllegalAction) as caught:
        hand.play(Seat.E, Tile.parse("54"))
    error = pickle.loads(pickle.dumps(caught.value))
    assert (type(error), error.code, error.facts) == (IllegalAction, "must_follow", caught.value.facts)
    assert pickle.loads(pickle.dumps(hand)) == hand


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_points_are_conserved_and_states_never_change(rng):
    hand = Hand.start(STRAIGHT, rng.choice(SEATS), Deal.shuffled(rng))
    hand = call_all(hand, "30 pass pass 84").name_trump(rng.choice(PLAIN_TRUMPS))
    while hand.turn is not None:
        before, kept = hand, copy.deepcopy(hand)
        hand = hand.play(hand.turn, rng.choice(hand.legal_plays()))
        assert before == kept
        count_out = sum(tile.count for tile in parse_tiles("55 64 50 41 32"))
        count_out -= sum(play.tile.count for trick in hand.tricks for play in trick.plays)
        assert hand.points.total + count_out + 7 - len(hand.tricks) == 42
    assert (hand.points.total, hand.tricks_taken.total) == (42, 7)
    assert sum(trick.points for trick in hand.tricks) == 42


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(min_value=0, max_value=28))
def test_hand_without_its_deal_agrees_and_finds_no_renege(rng, played):
    known = random_hand(rng, tiles_played=played)
    unknown = without_deal(known)
    assert unknown.findings == ()
    assert (unknown.points, unknown.made, unknown.marks, unknown.settled_after, unknown.turn) == (
        known.points,
        known.made,
        known.marks,
        known.settled_after,
        known.turn,
    )
    for seat in SEATS:
        unknown = unknown.with_holding(seat, known.deal.holding(seat))
    assert unknown == known


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_every_renege_in_a_wild_record_is_found(rng):
    """Tiles played without any regard to suits, recorded without the deal."""
    order = {seat: list(tiles) for seat, tiles in EXAMPLE_DEAL.items()}
    hand = bid_hand("30 pass pass pass", rng.choice(PLAIN_TRUMPS).value)
    broken = []
    while hand.turn is not None:
        seat = hand.turn
        tile = rng.choice(order[seat])
        table = hand.table
        if table:
            mask = sum(held.mask for held in order[seat])
            if not hand.contract.tricks.legal_mask(mask, table[0].tile.index) & tile.mask:
                broken.append((seat, len(hand.tricks) + 1, tile))
        order[seat].remove(tile)
        hand = hand.play(seat, tile)
    assert [(found.seat, found.trick, found.played) for found in hand.findings] == broken
    assert hand.verify().findings == hand.findings
    for found in hand.findings:
        assert found.proof_trick > found.trick
