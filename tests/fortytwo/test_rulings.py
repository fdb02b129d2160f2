"""What each rule set makes of a breach."""

import json

import pytest

from fortytwo import (
    Call,
    Effect,
    FalseSpecial,
    Hand,
    HandResult,
    Irregularity,
    Offence,
    PerSide,
    Ruleset,
    Seat,
    Tile,
    parse_tiles,
    preset,
    rule_on,
    rule_on_findings,
)
from tests.fortytwo.helpers import EXAMPLE_DEAL, STRAIGHT, bid_hand, call_all, play_all

BY_DIRECTOR = Ruleset(renege="director")
ONE_MARK = Ruleset(renege="one_mark")


def reneged(rules=STRAIGHT, bid="84"):
    """East does not follow the 6-6 and plays the 6-1 in the next trick."""
    return play_all(bid_hand(f"{bid} pass pass pass", "6", rules=rules), "66 54 60 00 65 61 50 21")


@pytest.mark.parametrize(
    ("rules", "decided_by", "marks"),
    [
        (STRAIGHT, "rules", PerSide(2, 0)),
        (ONE_MARK, "rules", PerSide(1, 0)),
        (BY_DIRECTOR, "director", None),
        (Ruleset(scoring="points"), "rules", PerSide(84, 0)),
        (Ruleset(scoring="points", renege="one_mark"), "rules", PerSide(42, 0)),
    ],
)
def test_renege_found_in_a_record_is_ruled_on(rules, decided_by, marks):
    hand = reneged(rules)
    (ruling,) = rule_on_findings(rules, hand.findings, hand.contract)
    assert (ruling.decided_by, ruling.marks, ruling.needs_director) == (
        decided_by,
        marks,
        decided_by == "director",
    )
    assert ruling.irregularity.evidence == hand.findings[0]
    assert (ruling.irregularity.seat, ruling.irregularity.tile) == (Seat.E, Tile.parse("54"))


def test_director_chooses_one_of_the_effects():
    hand = reneged(BY_DIRECTOR)
    (ruling,) = rule_on_findings(BY_DIRECTOR, hand.findings, hand.contract)
    assert ruling.effects[:2] == (Effect.HAND_LOST, Effect.ONE_MARK)
    assert [ruling.marks_of(effect) for effect in ruling.effects] == [
        PerSide(2, 0),
        PerSide(1, 0),
        None,
        None,
    ]
    chosen = ruling.choose(Effect.ONE_MARK)
    assert (chosen.marks, chosen.needs_director) == (PerSide(1, 0), False)


def test_ruling_gives_a_result_and_leaves_the_hand_alone():
    hand = reneged()
    (ruling,) = rule_on_findings(STRAIGHT, hand.findings, hand.contract)
    result = HandResult(PerSide(0, 2), Seat.W, Seat.N, Call.parse("84"), made=False)
    assert ruling.applied(result) == HandResult(PerSide(2, 0), Seat.W, Seat.N, Call.parse("84"), made=True)
    assert ruling.applied(HandResult(PerSide())).made is None
    penalty = ruling.choose(Effect.ONE_MARK)
    assert penalty.applied(result) == HandResult(PerSide(1, 0), Seat.W, Seat.N, Call.parse("84"), made=False)
    assert ruling.choose(Effect.WARNING).applied(result) == result


def test_both_sides_at_fault_is_for_the_director():
    hand = play_all(bid_hand("30 pass pass pass", "6"), "66 54 60 00 65 61 50 62 64 63 51 52")
    assert {found.seat for found in hand.findings} == {Seat.E, Seat.W}
    assert not any(r.needs_director for r in rule_on_findings(STRAIGHT, hand.findings, hand.contract))
    both = (*hand.findings, FalseSpecial(Seat.N, Call.parse("plunge4"), 3))
    assert all(r.needs_director for r in rule_on_findings(STRAIGHT, both, hand.contract))


@pytest.mark.parametrize(
    ("offence", "rules", "decided_by", "first"),
    [
        (Offence.LEAD_OUT_OF_TURN, STRAIGHT, "director", Effect.TILE_STAYS_UP),
        (Offence.LEAD_OUT_OF_TURN, preset("hallettsville").ruleset(), "rules", Effect.HAND_LOST),
        (Offence.EXPOSED_TILE, STRAIGHT, "rules", Effect.TILE_STAYS_UP),
        (Offence.TOUCHED_TILE, STRAIGHT, "rules", Effect.TILE_MUST_BE_PLAYED),
        (Offence.BID_OUT_OF_TURN, STRAIGHT, "rules", Effect.CALL_REFUSED),
        (Offence.BID_OUT_OF_TURN, preset("hallettsville").ruleset(), "rules", Effect.CALL_STANDS),
        (Offence.BID_OUT_OF_TURN, Ruleset(bid_out_of_turn="reshake_choice"), "other_side", Effect.RESHAKE),
        (Offence.FALSE_SPECIAL, STRAIGHT, "director", Effect.HAND_LOST),
        (Offence.MISDEAL, STRAIGHT, "rules", Effect.RESHAKE),
        (Offence.MISDEAL, Ruleset(misdeal="director"), "director", Effect.RESHAKE),
        (Offence.WRONG_LAYDOWN, STRAIGHT, "rules", Effect.PLAY_GOES_ON),
        (Offence.WRONG_LAYDOWN, Ruleset(claim="stated_order"), "rules", Effect.HAND_LOST),
        (Offence.WRONG_LAYDOWN, Ruleset(claim="off"), "director", Effect.TILE_STAYS_UP),
        (Offence.TALK, STRAIGHT, "director", Effect.WARNING),
    ],
)
def test_every_offence_has_its_page(offence, rules, decided_by, first):
    contract = bid_hand("34 pass pass pass", "6").contract
    ruling = rule_on(rules, Irregularity(offence=offence, seat=Seat.E), contract)
    assert (ruling.decided_by, ruling.effects[0]) == (decided_by, first)
    assert ruling.marks == (PerSide(1, 0) if ruling.effects == (Effect.HAND_LOST,) else None)


def test_a_hand_lost_without_an_offender_or_a_contract_is_for_the_director():
    lost = Irregularity(offence=Offence.RENEGE)
    contract = bid_hand("34 pass pass pass", "6").contract
    assert rule_on(STRAIGHT, lost, contract).needs_director
    assert rule_on(STRAIGHT, lost, contract).marks_of(Effect.HAND_LOST) is None
    named = Irregularity(offence=Offence.RENEGE, seat=Seat.W)
    assert rule_on(STRAIGHT, named).needs_director
    assert rule_on(STRAIGHT, named).marks_of(Effect.HAND_LOST) is None
    assert rule_on(ONE_MARK, named).marks == PerSide(1, 0)


def test_ruling_as_json():
    hand = reneged()
    (ruling,) = rule_on_findings(STRAIGHT, hand.findings, hand.contract)
    assert json.loads(json.dumps(ruling.to_json())) == {
        "irregularity": {
            "offence": "renege",
            "seat": "E",
            "trick": 1,
            "tile": "5-4",
            "call": None,
            "evidence": hand.findings[0].to_json(),
            "note": "",
        },
        "decided_by": "rules",
        "effects": ["hand_lost"],
        "marks": {"NS": 2, "EW": 0},
    }
    misdeal = rule_on(STRAIGHT, Irregularity(offence=Offence.MISDEAL, note="eight tiles drawn"))
    assert (misdeal.to_json()["marks"], misdeal.irregularity.to_json()["evidence"]) == (None, None)


def test_special_without_its_doubles_is_a_finding_once_the_holding_is_known():
    hand = call_all(Hand.start(Ruleset(plunge=True), Seat.W), "pass plunge4 pass pass")
    hand = hand.with_holding(Seat.E, parse_tiles("63 61 54 30 20 11 10"))
    (found,) = hand.findings
    assert found.to_json() == {
        "code": "false_special",
        "seat": "E",
        "call": "plunge4",
        "held": 1,
        "message": "E called plunge4 with 1 doubles; it needs 4.",
    }
    assert hand.verify().findings == hand.findings
    (ruling,) = rule_on_findings(hand.rules, hand.findings)
    assert (ruling.needs_director, ruling.irregularity.call) == (True, Call.parse("plunge4"))
    true = call_all(Hand.start(Ruleset(plunge=True), Seat.W), "plunge4 pass pass pass")
    assert true.with_holding(Seat.N, parse_tiles("66 55 44 33 10 20 21")).findings == ()


def test_false_special_stays_a_finding_beside_a_renege():
    hand = call_all(Hand.start(Ruleset(plunge=True), Seat.W), "pass plunge4 pass pass")
    hand = hand.with_holding(Seat.E, EXAMPLE_DEAL[Seat.E]).name_trump(hand.legal_trumps()[6])
    hand = play_all(hand, "66 44 63 62 64 65 61 60")
    assert [found.code for found in hand.findings] == ["false_special", "renege"]
