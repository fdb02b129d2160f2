"""The rules of Texas 42 as pure values. Standard library only.

    rules = Ruleset()                   # straight 42; Ruleset.from_switches({...}); preset("n42pa").ruleset()
    hand = Hand.start(rules, Seat.W, deal)  # deal: Deal, {Seat: tiles or None}, or None for unknown
    hand = hand.call(Seat.N, Call.parse("30"))          # to_act, legal_calls()
    hand = hand.name_trump(Trump.parse("3"))            # legal_trumps()
    hand = hand.play(Seat.N, Tile.parse("6-5"))         # legal_plays(); each move is a new value
    hand = hand.with_holding(Seat.E, tiles)             # a seat's seven tiles, at any time
    hand.phase, hand.is_closed, hand.points, hand.made, hand.marks, hand.settled_after, hand.findings
    hand.view_for(Seat.N | None)            # the only way to show a hand in progress; .to_json()
    hand.reveal(), hand.verify(), hand.result()

    hand = hand.play(Seat.N, tile, suit=4)  # a first lead declared as its smaller end, where rules let it
    hand.contract.sits_out, hand.contract.goal.needed       # what a special contract changes

    answer = claim(hand, hand.turn, order)  # by the rules of the hand; answer.close(hand) ends it
    recorded_claim(hand, seat, made=True)   # a claim of a live table, checked where all tiles are known
    rule_on_findings(rules, hand.findings, hand.contract)   # Ruling: effects, marks, who decides
    rule_on(rules, Irregularity(offence=Offence.BID_OUT_OF_TURN, seat=seat))

    game = Game(rules, first_shaker).record(hand)       # or HandResult; shaker, score, winner
    match = Match(rules, best_of=3).record(game)        # or PerSide; next_game(), winner, final()
    check_game_score(7, 4, rules); parse_scores("7-4,5-7,7-3"); match_of(rules, 3, scores)
    check_game_score(5, 3, rules, timed=True, winner=None)  # stopped by the clock or a cap
    bid_level_hand(rules, declarer=Seat.N, bid=Call.parse("34"), trump=Trump.FIVES, points=36).marks
    first_shake(rules, random.Random(seed), game=2, lost_last=Side.EW)
    preset("timpson").ruleset(); describe("nello", 1)

Files of hands and matches are in `fortytwo.notation`, exact values in `fortytwo.solver`. In a points game
"marks" of a hand and a game are points. `PLAIN_TRUMPS` are the nine of straight 42; `Trump` has nello,
sevens and follow me with its doubles called as well.

Errors: `FortyTwoError` with `code`, `facts`, a sentence, `to_json()`; `ParseError` (unreadable),
`IllegalAction` (against the rules), `RulesError` (rule set), `ImpossibleRecord` (cannot have happened).
"""

from .bids import PASS, Auction, Call, largest_stake
from .bulk import BulkHand, Replayed, replay_fast, replay_many
from .claims import (
    ClaimAnswer,
    Meaning,
    Verdict,
    claim,
    claim_by_knowledge,
    claim_every_line,
    claim_in_order,
    recorded_claim,
)
from .contract import Contract, legal_trumps, make_contract
from .deal import UNKNOWN_DEAL, Deal
from .errors import (
    CODES,
    FieldError,
    FortyTwoError,
    IllegalAction,
    ImpossibleRecord,
    ParseError,
    RulesError,
)
from .game import (
    Game,
    capped,
    check_game_score,
    game_winner,
    largest_winning_marks,
    parse_score,
    parse_scores,
    possible_game_score,
)
from .hand import Claimed, Hand, Phase, Verification
from .irregularities import FalseSpecial, Finding, Renege
from .match import Match, match_of
from .presets import PRESETS, Preset, preset
from .records import HandRecord, RecordedClaim
from .result import (
    HandResult,
    bid_level_hand,
    check_hand_marks,
    marks_only_hand,
    points_are_reachable,
    thrown_in_hand,
)
from .rules import CHOICES, NOT_BUILT, Ruleset
from .rulings import Effect, Irregularity, Offence, Ruling, rule_on, rule_on_findings
from .seats import SEATS, PerSide, Seat, Side
from .shake import ShakeDraw, first_shake
from .suits import PLAIN_TRUMPS, Trump, trick_rules
from .switch_texts import SWITCH_TEXTS, describe
from .tiles import TILES, Tile, parse_tiles
from .trick import Play, Trick, check_trick, legal_tiles
from .view import HandView

__all__ = [
    "CHOICES",
    "CODES",
    "NOT_BUILT",
    "PASS",
    "PLAIN_TRUMPS",
    "PRESETS",
    "SEATS",
    "SWITCH_TEXTS",
    "TILES",
    "UNKNOWN_DEAL",
    "Auction",
    "BulkHand",
    "Call",
    "ClaimAnswer",
    "Claimed",
    "Contract",
    "Deal",
    "Effect",
    "FalseSpecial",
    "FieldError",
    "Finding",
    "FortyTwoError",
    "Game",
    "Hand",
    "HandRecord",
    "HandResult",
    "HandView",
    "IllegalAction",
    "ImpossibleRecord",
    "Irregularity",
    "Match",
    "Meaning",
    "Offence",
    "ParseError",
    "PerSide",
    "Phase",
    "Play",
    "Preset",
    "RecordedClaim",
    "Renege",
    "Replayed",
    "RulesError",
    "Ruleset",
    "Ruling",
    "Seat",
    "ShakeDraw",
    "Side",
    "Tile",
    "Trick",
    "Trump",
    "Verdict",
    "Verification",
    "bid_level_hand",
    "capped",
    "check_game_score",
    "check_hand_marks",
    "check_trick",
    "claim",
    "claim_by_knowledge",
    "claim_every_line",
    "claim_in_order",
    "describe",
    "first_shake",
    "game_winner",
    "largest_stake",
    "largest_winning_marks",
    "legal_tiles",
    "legal_trumps",
    "make_contract",
    "marks_only_hand",
    "match_of",
    "parse_score",
    "parse_scores",
    "parse_tiles",
    "points_are_reachable",
    "possible_game_score",
    "preset",
    "recorded_claim",
    "replay_fast",
    "replay_many",
    "rule_on",
    "rule_on_findings",
    "thrown_in_hand",
    "trick_rules",
]
