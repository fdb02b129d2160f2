"""House rules hand by hand: who may call what, who leads, who sits out, when it ends."""

import json

import pytest

from fortytwo import (
    PASS,
    Call,
    Hand,
    HandRecord,
    IllegalAction,
    ParseError,
    PerSide,
    Phase,
    Play,
    Ruleset,
    Seat,
    Side,
    Tile,
    Trump,
    check_trick,
    largest_stake,
    legal_tiles,
    parse_tiles,
    preset,
    trick_rules,
)
from fortytwo.suits import NearestSeven
from tests.fortytwo.helpers import EXAMPLE_DEAL, bid_hand, call_all, play_all

NELLO = Ruleset(nello=1)
PLUNGE = Ruleset(plunge=True)
SPLASH = Ruleset(splash=2)
SEVENS = Ruleset(sevens=1)

FOUR_DOUBLES = {
    Seat.N: parse_tiles("66 55 44 33 10 20 21"),
    Seat.E: parse_tiles("65 64 63 62 61 60 22"),
    Seat.S: parse_tiles("54 53 52 51 50 43 11"),
    Seat.W: parse_tiles("42 41 40 32 31 30 00"),
}


def refusal(move, *args, **named):
    with pytest.raises(IllegalAction) as caught:
        move(*args, **named)
    return caught.value.code


def calls_of(hand):
    return [str(call) for call in hand.legal_calls()]


def start(rules, deal=None, shaker=Seat.W):
    return Hand.start(rules, shaker, deal)


# Nello.


def test_nello_trick_has_three_tiles_and_the_partner_is_skipped():
    hand = bid_hand("42 pass pass pass", "nello", rules=NELLO)
    assert (hand.contract.sits_out, hand.to_act, hand.contract.size) == (Seat.S, Seat.N, 3)
    order = []
    for word in ("10", "20", "30"):
        order.append(hand.to_act)
        hand = hand.play(hand.to_act, Tile.parse(word))
    assert order == [Seat.N, Seat.E, Seat.W]
    assert (len(hand.tricks), hand.tricks[0].winner, hand.turn, hand.made) == (1, Seat.N, Seat.N, False)


def test_nello_ends_at_the_first_trick_that_the_declarer_takes():
    hand = play_all(bid_hand("84 pass pass pass", "nello", rules=NELLO), "10 21 31 53 51 54")
    assert (hand.made, hand.settled_after, hand.phase) == (None, None, Phase.PLAY)
    hand = play_all(hand, "33 50 32")
    assert (hand.phase, hand.tricks[2].winner) == (Phase.PLAY, Seat.E)
    hand = play_all(hand, "20 60 42")
    assert hand.tricks[3].winner is Seat.N
    assert (hand.made, hand.settled_after, hand.phase) == (False, 4, Phase.SETTLED)
    assert hand.marks == PerSide(0, 2)


def test_nello_is_made_when_the_declarer_takes_nothing():
    # N 10 20 30 21 31 32 40 below E and W in every suit; S sits out with the sixes.
    deal = {
        Seat.N: parse_tiles("10 20 30 21 31 32 40"),
        Seat.E: parse_tiles("50 51 52 53 54 11 00"),
        Seat.S: parse_tiles("66 65 64 63 62 61 60"),
        Seat.W: parse_tiles("55 44 41 42 43 33 22"),
    }
    hand = bid_hand("42 pass pass pass", "nello", rules=NELLO, deal=deal)
    assert len(hand.legal_plays()) == 7
    hand = play_all(hand, "10 51 41")
    assert (hand.turn, hand.points) == (Seat.E, PerSide(0, 6))
    while hand.turn is not None:
        hand = hand.play(hand.turn, hand.legal_plays()[-1])
    assert (hand.made, hand.settled_after, hand.phase) == (True, 7, Phase.COMPLETE)
    assert (hand.marks, hand.tricks_taken) == (PerSide(1, 0), PerSide(0, 7))
    assert hand.verify().complete


@pytest.mark.parametrize(
    ("mode", "led", "holding", "legal"),
    [
        ("own_suit", "33", "31 32 50", "31 32 50"),
        ("own_suit", "31", "33 50", "33 50"),
        ("high", "31", "33 50", "33"),
        ("low", "60", "66 54", "66"),
        ("own_suit_reversed", "33", "31 00 50", "00"),
    ],
)
def test_nello_follows_by_what_the_doubles_are(mode, led, holding, legal):
    for trump, rules in (
        (Trump.NELLO, Ruleset(nello=1, nello_doubles=mode)),
        (Trump.parse(f"nello-{mode.replace('_', '-').replace('own-suit-r', 'r')}"), Ruleset()),
    ):
        tricks = trick_rules(trump, rules)
        assert legal_tiles(tricks, Tile.parse(led), parse_tiles(holding)) == parse_tiles(legal)


def test_nello_with_doubles_high_and_low_wins_as_published():
    def winner(trump, text):
        tricks = trick_rules(trump, NELLO)
        return text.split()[tricks.winner([tile.index for tile in parse_tiles(text)])]

    assert winner(Trump.NELLO_HIGH, "31 33 50") == "33"
    assert winner(Trump.NELLO_LOW, "66 60 65") == "65"
    assert winner(Trump.NELLO_REVERSED, "33 00 66") == "00"
    assert winner(Trump.NELLO_OWN_SUIT, "33 00 66") == "66"


def test_nello_is_offered_from_its_lowest_bid_and_as_called():
    def offered(rules, bid):
        return [str(t) for t in call_all(start(rules), f"{bid} pass pass pass").legal_trumps()]

    assert "nello" not in offered(NELLO, "41")
    assert offered(NELLO, "42")[-1] == "nello"
    assert "nello" not in offered(Ruleset(nello=2), "42")
    called = ["nello-own-suit", "nello-high", "nello-low", "nello-reversed"]
    assert offered(Ruleset(nello=2, nello_doubles="as_called"), "84")[-4:] == called
    hand = call_all(start(NELLO), "42 pass pass pass")
    assert refusal(hand.name_trump, Trump.NELLO_LOW) == "trump_not_offered"


def test_only_a_forced_shaker_may_name_the_forced_special():
    rules = Ruleset(all_pass="force_30", forced_special="nello")
    hand = call_all(start(rules), "pass pass pass 30")
    assert hand.auction.was_forced
    named = hand.name_trump(Trump.NELLO)
    assert (named.contract.seats, named.contract.stake) == ((Seat.W, Seat.N, Seat.S), 1)
    assert play_all(named, "00 65 64").marks == PerSide(1, 0)
    free = call_all(start(rules), "pass pass 30 42")
    assert not free.auction.was_forced
    assert refusal(free.name_trump, Trump.NELLO) == "trump_not_offered"
    sevens = Ruleset(all_pass="force_42", forced_special="sevens")
    assert call_all(start(sevens), "pass pass pass 42").legal_trumps()[-1] is Trump.SEVENS


# Plunge and splash.


def test_plunge_lets_the_partner_name_the_trump_and_lead():
    hand = call_all(start(PLUNGE, FOUR_DOUBLES, Seat.S), "pass plunge4 pass pass")
    assert (hand.declarer, hand.to_act, hand.phase) == (Seat.N, Seat.S, Phase.NAMING)
    assert refusal(hand.name_trump, Trump.FIVES, Seat.N) == "out_of_turn"
    hand = hand.name_trump(Trump.FIVES, Seat.S)
    assert (hand.turn, hand.contract.side, hand.contract.declarer) == (Seat.S, Side.NS, Seat.N)
    hand = play_all(hand, "50 42 55 65")
    assert hand.tricks[0].winner is Seat.N
    assert play_all(hand, "20 22 43 32").marks == PerSide(0, 4)


def test_plunge_by_east_is_named_and_led_by_west():
    hand = call_all(start(PLUNGE), "pass plunge4 pass pass")
    assert (hand.declarer, hand.to_act) == (Seat.E, Seat.W)
    assert hand.name_trump(Trump.SIXES).to_act is Seat.W


def test_partner_of_a_plunge_names_no_special_contract():
    rules = Ruleset(plunge=True, nello=1, sevens=1)
    assert call_all(start(rules), "plunge4 pass pass pass").legal_trumps()[-1] is Trump.FOLLOW_ME
    by_lead = Ruleset(plunge=True, trump_not_named="high_end")
    hand = call_all(start(by_lead), "plunge4 pass pass pass").play(Seat.S, Tile.parse("52"))
    assert (hand.trump, hand.to_act) == (Trump.FIVES, Seat.W)
    unnamed = call_all(start(PLUNGE), "plunge4 pass pass pass")
    with pytest.raises(IllegalAction) as caught:
        unnamed.play(Seat.S, Tile.parse("52"))
    assert (caught.value.code, caught.value.facts["seat"]) == ("trump_not_named", "S")


def test_plunge_is_four_marks_or_one_over_more():
    def offered(text, rules=PLUNGE):
        hand = call_all(start(rules), text)
        return [call for call in calls_of(hand) if call.startswith(("plunge", "splash"))]

    assert offered("") == offered("41") == offered("84 3m") == ["plunge4"]
    assert offered("84 3m 4m") == ["plunge5"]
    assert offered("", SPLASH) == offered("42", SPLASH) == ["splash2"]
    assert offered("84", SPLASH) == ["splash3"]
    both = Ruleset(plunge=True, splash=3)
    assert offered("84 3m", both) == ["splash4", "plunge4"]
    assert offered("plunge4", both) == ["splash5"]
    assert calls_of(call_all(start(PLUNGE), "plunge4")) == ["pass", "5m"]


@pytest.mark.parametrize(
    ("rules", "calls", "call", "code"),
    [
        (Ruleset(), "", "plunge4", "call_not_offered"),
        (PLUNGE, "", "splash3", "call_not_offered"),
        (PLUNGE, "", "plunge5", "special_differs"),
        (PLUNGE, "84 3m 4m", "plunge4", "call_not_higher"),
        (SPLASH, "", "splash3", "special_differs"),
        (PLUNGE, "plunge4", "6m", "call_too_high"),
        (PLUNGE, "plunge4", "plunge5", "doubles_missing"),
        (Ruleset(opening_limit=None, plunge=True), "42m", "plunge42", "call_not_higher"),
        (Ruleset(opening_limit=None, plunge=True), "40m 41m", "plunge41", "call_not_higher"),
    ],
)
def test_specials_at_the_wrong_time_are_refused(rules, calls, call, code):
    hand = call_all(start(rules), calls)
    assert refusal(hand.call, hand.to_act, Call.parse(call)) == code


def test_special_needs_its_doubles_where_the_holding_is_known():
    hand = start(Ruleset(plunge=True, splash=3), EXAMPLE_DEAL)
    assert calls_of(hand)[-2:] == ["splash3", "plunge4"]
    hand = hand.call(Seat.N, PASS)
    assert not any(call.startswith(("plunge", "splash")) for call in calls_of(hand))
    with pytest.raises(IllegalAction) as caught:
        hand.call(Seat.E, Call.parse("plunge4"))
    assert (caught.value.code, caught.value.facts["needed"]) == ("doubles_missing", 4)


def test_special_that_others_make_impossible_is_refused_where_holdings_are_unknown():
    known = start(Ruleset(plunge=True, splash=3), {Seat.N: FOUR_DOUBLES[Seat.N]}).call(Seat.N, PASS)
    assert calls_of(known)[-1] == "splash3"
    promised = call_all(start(Ruleset(plunge=True, splash=3)), "plunge4")
    assert calls_of(promised)[-1] == "splash5"
    assert call_all(promised, "splash5 pass pass").declarer is Seat.E


def test_only_the_caller_sees_that_its_doubles_do_not_suffice():
    hand = start(PLUNGE, EXAMPLE_DEAL).call(Seat.N, PASS)
    shown = {seat: [str(call) for call in hand.view_for(seat).legal_calls] for seat in (*Seat, None)}
    assert "plunge4" not in shown[Seat.E]
    assert all("plunge4" in shown[seat] for seat in (Seat.N, Seat.S, Seat.W, None))


def test_largest_stake_counts_specials():
    assert largest_stake(PLUNGE) == 7
    assert largest_stake(preset("lechner-house").ruleset()) == 10
    assert largest_stake(Ruleset(splash=3)) == 6


def test_special_call_texts_round_trip():
    for text in ("plunge4", "splash2", "plunge42"):
        assert str(Call.parse(text)) == text
        assert eval(repr(Call.parse(text))) == Call.parse(text)
    assert Call.parse("Plunge-4") == Call.special("plunge", 4)
    call = Call.parse("splash3")
    assert (call.doubles, call.stake, call.needed, call.is_marks, call.rank) == (3, 3, 42, True, 44)
    for text in ("plunge", "plunge1", "plunge43", "splash-x"):
        with pytest.raises(ParseError):
            Call.parse(text)
    with pytest.raises(ParseError):
        Call.special("plunge", 43)


# Sevens.


def test_sevens_plays_the_nearest_tile_and_the_first_of_equals_wins():
    tricks = trick_rules(Trump.SEVENS, SEVENS)
    assert legal_tiles(tricks, Tile.parse("21"), parse_tiles("53 33 66")) == parse_tiles("53 33")
    assert legal_tiles(tricks, None, parse_tiles("53 33 66")) == parse_tiles("53 33")
    assert tricks.winner([tile.index for tile in parse_tiles("53 42 43 61")]) == 2
    assert (tricks.suit_name(0), tricks.lead_mask(0)) == ("sevens", 0)


def test_sevens_goes_on_when_the_partner_takes_a_trick():
    hand = bid_hand("42 pass pass pass", "sevens", rules=SEVENS)
    hand = play_all(hand, "53 54 43 66")
    assert (hand.tricks[0].winner, hand.made, hand.turn) == (Seat.S, None, Seat.S)
    hand = play_all(hand, "33 61 65 11")
    assert (hand.made, hand.marks, hand.settled_after) == (False, PerSide(0, 1), 2)


def test_sevens_must_be_led_and_followed_with_the_nearest():
    hand = bid_hand("42 pass pass pass", "sevens", rules=SEVENS, deal=EXAMPLE_DEAL)
    assert [str(tile) for tile in hand.legal_plays()] == ["6-2", "3-3"]
    with pytest.raises(IllegalAction) as caught:
        hand.play(Seat.N, Tile.parse("66"))
    assert (caught.value.code, caught.value.facts) == ("must_play_nearest", {"seat": "N", "tile": "6-6"})
    hand = hand.play(Seat.N, Tile.parse("62"))
    assert refusal(hand.play, Seat.E, Tile.parse("63")) == "must_play_nearest"


def test_sevens_renege_by_the_leader_is_found_without_the_deal():
    hand = play_all(bid_hand("42 pass pass pass", "sevens", rules=SEVENS), "66 43 52 44")
    hand = play_all(hand, "42 40 41 61")
    (found,) = hand.findings
    assert (found.seat, found.led, found.played, found.proof) == (
        Seat.N,
        Tile.parse("66"),
        Tile.parse("66"),
        Tile.parse("61"),
    )


# Follow me as called, and the small end.


def test_follow_me_as_called_is_named_with_its_doubles():
    rules = preset("lechner-house").ruleset()
    assert Trump.FOLLOW_ME_LOW not in call_all(start(rules), "41 pass pass pass").legal_trumps()
    hand = call_all(start(rules), "42 pass pass pass")
    assert refusal(hand.name_trump, Trump.FOLLOW_ME) == "trump_not_offered"
    low = play_all(hand.name_trump(Trump.FOLLOW_ME_LOW), "66 60 65 10")
    assert low.tricks[0].winner is Seat.S
    high = play_all(hand.name_trump(Trump.FOLLOW_ME_HIGH), "66 60 65 10")
    assert high.tricks[0].winner is Seat.N
    assert refusal(call_all(start(Ruleset()), "42 pass pass pass").name_trump, Trump.FOLLOW_ME_LOW) == (
        "trump_not_offered"
    )


def test_first_lead_may_be_declared_as_its_smaller_end():
    rules = Ruleset(small_end_opening=True)
    hand = bid_hand("30 pass pass pass", "1", rules=rules).play(Seat.N, Tile.parse("64"), 4)
    assert str(hand.plays[0]) == "N:6-4/4"
    hand = play_all(hand, "42 66 44")
    assert (hand.tricks[0].winner, str(hand.tricks[0])) == (Seat.W, "N:6-4/4 E:4-2 S:6-6 W:4-4")
    assert hand.void_tiles(Seat.S) == parse_tiles("64 54 44 43 42 40")
    assert refusal(hand.play, Seat.W, Tile.parse("63"), 3) == "lead_suit_refused"
    assert hand.play(Seat.W, Tile.parse("63"), 6).plays[-1] == Play(Seat.W, Tile.parse("63"))


@pytest.mark.parametrize(
    ("rules", "trump", "tile", "suit", "stored"),
    [
        (Ruleset(), "1", "64", 6, "N:6-4"),
        (Ruleset(), "1", "64", 4, None),
        (Ruleset(small_end_opening=True), "1", "64", 5, None),
        (Ruleset(small_end_opening=True), "4", "64", 4, "N:6-4"),
        (Ruleset(small_end_opening=True), "4", "64", 6, None),
        (Ruleset(small_end_opening=True), "doubles", "66", 6, "N:6-6"),
        (Ruleset(small_end_opening=True), "1", "66", 6, "N:6-6"),
    ],
)
def test_only_an_uncalled_mixed_tile_has_a_smaller_end_to_declare(rules, trump, tile, suit, stored):
    hand = bid_hand("30 pass pass pass", trump, rules=rules)
    if stored is None:
        assert refusal(hand.play, Seat.N, Tile.parse(tile), suit) == "lead_suit_refused"
    else:
        assert str(hand.play(Seat.N, Tile.parse(tile), suit).plays[0]) == stored


def test_a_follower_declares_no_suit():
    hand = play_all(bid_hand("30 pass pass pass", "1", rules=Ruleset(small_end_opening=True)), "64")
    assert refusal(hand.play, Seat.E, Tile.parse("63"), 6) == "lead_suit_refused"


def test_declared_suit_must_be_followed():
    rules = Ruleset(small_end_opening=True)
    hand = bid_hand("30 pass pass pass", "1", rules=rules, deal=EXAMPLE_DEAL).play(
        Seat.N, Tile.parse("64"), 4
    )
    with pytest.raises(IllegalAction) as caught:
        hand.play(Seat.E, Tile.parse("63"))
    assert (caught.value.code, caught.value.facts["suit"], caught.value.facts["led"]) == (
        "must_follow",
        "fours",
        "6-4",
    )


def test_record_with_a_declared_suit_round_trips():
    rules = Ruleset(small_end_opening=True)
    record = HandRecord.from_json(
        {
            "rules": rules.switches(),
            "shaker": "W",
            "calls": ["30", "pass", "pass", "pass"],
            "trump": "1",
            "plays": ["N:6-4/4", "E:4-2"],
        }
    )
    assert (record.led_as, record.to_json()["plays"]) == (4, ["N:6-4/4", "E:4-2"])
    assert HandRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
    assert record.replay().plays[0].suit == 4


# Tricks of three.


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("N:31 E:33 W:50", None),
        ("E:31 S:33 N:50", None),
        ("N:31 W:33 E:50", "trick_order"),
        ("N:31 N:33 E:50", "trick_order"),
        ("N:31 E:33 S:50 W:51", "trick_size"),
        ("N:31 E:31 S:50", "tile_twice"),
        ("N:31/2 E:33 W:50", "lead_suit_refused"),
    ],
)
def test_trick_of_three_tiles_leaves_one_seat_out(text, code):
    plays = [Play.parse(part) for part in text.split()]
    tricks = trick_rules(Trump.NELLO_HIGH, NELLO)
    if code is None:
        assert check_trick(tricks, plays, size=3).winner is plays[1].seat
    else:
        assert refusal(check_trick, tricks, plays, size=3) == code


def test_sevens_refusal_needs_no_lead():
    assert NearestSeven().refusal(Seat.N, Tile.parse("66"), None).code == "must_play_nearest"


def test_goals_say_what_they_ask_for():
    by_lines = {
        (Ruleset(nello=1), "nello"): (None, False),
        (Ruleset(scoring="points", nello=1), "nello"): (None, False),
        (Ruleset(scoring="points"), "6"): (42, True),
        (Ruleset(sevens=1), "sevens"): (42, True),
    }
    for (rules, trump), expected in by_lines.items():
        goal = bid_hand("42 pass pass pass", trump, rules=rules).contract.goal
        assert (goal.needed, goal.count) == expected
    points_nello = bid_hand("42 pass pass pass", "nello", rules=Ruleset(scoring="points", nello=1)).contract
    assert points_nello.scoring.stake(points_nello.bid) == 42
