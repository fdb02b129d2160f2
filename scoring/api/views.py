"""Results, games, hands and plays. Every write has its place in its address, so a repeat is harmless."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

import fortytwo
from scoring.api.serializers import (
    CallFields,
    CallShown,
    CorrectFields,
    DealFields,
    DealShown,
    GameShown,
    GamesShown,
    HandFields,
    HandPage,
    HandShown,
    HoldingShown,
    OffersShown,
    PlayFields,
    PlayShown,
    ResultFields,
    TrumpFields,
    TrumpShown,
    UndoFields,
    UndoneShown,
)
from scoring.models import Game, Hand
from scoring.selectors.hands import (
    deal_for,
    games_of,
    hand_of,
    hand_shown,
    hand_summary,
    offers_for,
    reader_seat,
)
from scoring.services.deal import deal_put
from scoring.services.game import game_put, last_record_undo, result_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import Recorded, call_put, play_put, trump_put
from tournaments.api.base import ApiView
from tournaments.api.bracket import PREVIEW_PARAMETER, RESULT_OR_PREVIEW, preview, wants_preview
from tournaments.api.problems import problem
from tournaments.api.serializers import GameMarksFields, ResultShown, ResultsShown, result_shown
from tournaments.enums import Outcome, Role
from tournaments.errors import AgainstRules, NotThere
from tournaments.models import Match, Result
from tournaments.permissions import require_role, require_score
from tournaments.rulesets import GameMarks, check_games, match_rules
from tournaments.services.correction import result_correct
from tournaments.services.result import forfeit_outcome, result_facts


class MatchResult(ApiView):
    @extend_schema(request=ResultFields, responses={200: ResultShown, 201: ResultShown})
    def put(self, request: Request, match_id: UUID) -> Response:
        """Enter a whole match. A different entry of the other side is kept too and makes a dispute (409)."""
        actor = self.signed_in_actor()
        fields = ResultFields(data=request.data)
        fields.is_valid(raise_exception=True)
        values = fields.validated_data
        games = _games(values)
        _check_winner(values.get("winner"), games)
        entered = result_put(
            match_id=match_id, games=games, actor=actor, desk=values["desk"], reason=values["reason"]
        )
        if entered.how == "disputed":
            return _disputed(entered.result)
        return Response(result_shown(entered.result), status=201 if entered.how == "new" else 200)

    @extend_schema(responses=ResultsShown)
    def get(self, request: Request, match_id: UUID) -> Response:
        """Every entry of the match, oldest first."""
        match = self.match(match_id)
        return self.conditional(
            match.tournament,
            f"match:{match.code}",
            lambda: {"results": ResultShown(match.results.order_by("version"), many=True).data},
        )


def _games(values: dict[str, Any]) -> list[GameMarks]:
    if "scores" in values:
        return [{"NS": score.ns, "EW": score.ew} for score in fortytwo.parse_scores(values["scores"])]
    return [{"NS": game["NS"], "EW": game["EW"]} for game in values["games"]]


def _check_winner(winner: str | None, games: list[GameMarks]) -> None:
    """The declared winner has to be the one that the marks give."""
    wins = sum(1 if game["NS"] > game["EW"] else -1 for game in games)
    if winner is None or wins == 0:
        return
    if winner != ("NS" if wins > 0 else "EW"):
        raise AgainstRules(
            "winner_contradicts_marks",
            "The marks say that the other side won.",
            field="winner",
            winner=winner,
        )


def _disputed(result: Result) -> Response:
    first = result.match.results.filter(state="entered").order_by("version").first()
    return problem(
        409,
        "entries_differ",
        "The other side entered another result. Both are kept; the desk decides.",
        stored=result_facts(first) if first else None,
        yours=result_facts(result),
    )


class ResultCorrect(ApiView):
    @extend_schema(request=CorrectFields, responses=RESULT_OR_PREVIEW, parameters=[PREVIEW_PARAMETER])
    def post(self, request: Request, match_id: UUID) -> Response:
        """Correct a final result; refused with the matches concerned once they have play."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        require_role(actor, match.tournament, Role.DESK)
        fields = CorrectFields(data=request.data)
        fields.is_valid(raise_exception=True)
        values = fields.validated_data
        forfeit = values.get("forfeit", "")
        games = None if forfeit else _games(values)
        if wants_preview(request):
            outcome, winner_side = _corrected(match, games, forfeit)
            return preview(match, outcome=outcome, winner_side=winner_side)
        result = result_correct(
            match_id=match.pk, actor=actor, reason=values["reason"], games=games, forfeit=forfeit
        )
        return Response(result_shown(result))


def _corrected(match: Match, games: list[GameMarks] | None, forfeit: str) -> tuple[Outcome, str]:
    """The outcome and the winning side that a correction would make. Raises as `check_games`."""
    if games is None:
        return forfeit_outcome(forfeit)
    score = check_games(games, best_of=match.best_of, rules=match_rules(match))
    return Outcome.PLAYED, score.winner_side


class MatchUndo(ApiView):
    @extend_schema(request=UndoFields, responses=UndoneShown)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Take back the newest hand or whole game, while the match is not settled."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        require_score(actor, match)
        fields = UndoFields(data=request.data)
        fields.is_valid(raise_exception=True)
        values = fields.validated_data
        last = (values["game"], values["hand"]) if "game" in values else None
        match, what = last_record_undo(match_id=match.pk, actor=actor, last=last)
        return Response({"undone": what, "state": match.state, "match": match.code})


class GameList(ApiView):
    @extend_schema(responses=GamesShown)
    def get(self, request: Request, match_id: UUID) -> Response:
        """The games of a match with their hands; no tile of a hand in progress but those played."""
        match = self.match(match_id)
        return self.conditional(
            match.tournament,
            f"match:{match.code}",
            lambda: {"games": [_game_shown(game) for game in games_of(match)]},
        )


class GameDetail(ApiView):
    @extend_schema(request=GameMarksFields, responses={200: GameShown, 201: GameShown})
    def put(self, request: Request, match_id: UUID, number: int) -> Response:
        """Enter one game as a whole."""
        actor = self.signed_in_actor()
        fields = GameMarksFields(data=request.data)
        fields.is_valid(raise_exception=True)
        marks: GameMarks = {"NS": fields.validated_data["NS"], "EW": fields.validated_data["EW"]}
        game, is_new = game_put(match_id=match_id, number=number, marks=marks, actor=actor)
        return Response(_game_shown(game), status=201 if is_new else 200)


def _game_shown(game: Game) -> dict[str, Any]:
    hands = getattr(game, "standing_hands", [])
    return {
        "number": game.number,
        "state": game.state,
        "marks": {"NS": game.marks_ns, "EW": game.marks_ew},
        "winner_side": game.winner_side,
        "whole": game.whole,
        "first_shaker": game.first_shaker,
        "hands": [hand_summary(hand) for hand in hands],
    }


class HandSlot(ApiView):
    @extend_schema(request=HandFields, responses={200: HandShown, 201: HandShown})
    def put(self, request: Request, match_id: UUID, number: int, hand: int) -> Response:
        """Record a hand as marks or at bid level, or open it for full play."""
        actor = self.signed_in_actor()
        fields = HandFields(data=request.data)
        fields.is_valid(raise_exception=True)
        entry = HandEntry(**fields.validated_data)
        row, is_new = hand_put(match_id=match_id, game_number=number, number=hand, entry=entry, actor=actor)
        return Response(hand_shown(hand_of(row.pk, actor)), status=201 if is_new else 200)

    @extend_schema(responses=HandShown)
    def get(self, request: Request, match_id: UUID, number: int, hand: int) -> Response:
        match = self.match(match_id)
        rows = Hand.objects.filter(game__match=match, game__number=number, number=hand).exclude(state="void")
        pk = rows.values_list("pk", flat=True).first()
        if pk is None:
            raise NotThere("not_found", "There is no such hand.")
        return Response(hand_shown(hand_of(pk, self.actor)))


AS_PARAMETER = OpenApiParameter("as", str, description="The seat whose view is wanted: its own link only.")


class HandDetail(ApiView):
    guarded_reads = True

    @extend_schema(responses=HandPage, parameters=[AS_PARAMETER])
    def get(self, request: Request, hand_id: UUID) -> Response:
        """The hand for everybody; with `as=N` for the holder of that seat's link."""
        hand = hand_of(hand_id, self.actor)
        seat = reader_seat(self.actor, hand, request.query_params.get("as", ""))
        if seat is not None:
            answer = Response(hand_shown(hand, seat=seat))
            answer["Cache-Control"] = "private, no-store"
            return answer
        match = hand.game.match
        return self.conditional(match.tournament, f"match:{match.code}", lambda: hand_shown(hand))


class HandWrite(ApiView):
    """Frame of the writes of full play: read the body, show the hand as it stands afterwards."""

    def fields(self, request: Request, shape: Any) -> dict[str, Any]:
        actor = self.signed_in_actor()
        fields = shape(data=request.data)
        fields.is_valid(raise_exception=True)
        return {"actor": actor, **fields.validated_data}

    def answer(self, recorded: Recorded[Any], **facts: Any) -> Response:
        shown = hand_shown(recorded.hand, engine=recorded.engine)
        return Response({**facts, "hand": shown}, status=201 if recorded.is_new else 200)


class HandDealSeat(HandWrite):
    @extend_schema(request=DealFields, responses={200: HoldingShown, 201: HoldingShown})
    def put(self, request: Request, hand_id: UUID, seat: str) -> Response:
        """Enter one seat's seven tiles, at the deal or when they are turned up."""
        values = self.fields(request, DealFields)
        holding, is_new = deal_put(hand_id=hand_id, seat=seat, **values)
        shown = {"seat": holding.seat, "tiles": holding.tiles.split()}
        return Response(shown, status=201 if is_new else 200)


class HandDeal(ApiView):
    @extend_schema(responses=DealShown)
    def get(self, request: Request, hand_id: UUID) -> Response:
        """The holdings that this reader may see now."""
        answer = Response({"deal": deal_for(hand_of(hand_id, self.actor), self.actor)})
        answer["Cache-Control"] = "private, no-store"
        return answer


class HandCall(HandWrite):
    @extend_schema(request=CallFields, responses={200: CallShown, 201: CallShown})
    def put(self, request: Request, hand_id: UUID, seq: int) -> Response:
        """Record a call of the auction."""
        recorded = call_put(hand_id=hand_id, seq=seq, **self.fields(request, CallFields))
        row = recorded.row
        return self.answer(recorded, seq=row.seq, seat=row.seat, call=row.call)


class HandTrump(HandWrite):
    @extend_schema(request=TrumpFields, responses={200: TrumpShown, 201: TrumpShown})
    def put(self, request: Request, hand_id: UUID) -> Response:
        """Record the trump."""
        recorded = trump_put(hand_id=hand_id, **self.fields(request, TrumpFields))
        return self.answer(recorded, trump=recorded.row.trump)


class HandPlay(HandWrite):
    @extend_schema(request=PlayFields, responses={200: PlayShown, 201: PlayShown})
    def put(self, request: Request, hand_id: UUID, seq: int) -> Response:
        """Record a tile."""
        recorded = play_put(hand_id=hand_id, seq=seq, **self.fields(request, PlayFields))
        row = recorded.row
        return self.answer(recorded, seq=row.seq, seat=row.seat, tile=row.tile, suit=row.suit)


class HandLegal(ApiView):
    guarded_reads = True

    @extend_schema(responses=OffersShown)
    def get(self, request: Request, hand_id: UUID) -> Response:
        """What may be recorded next, as far as this recorder may know it."""
        actor = self.signed_in_actor()
        hand = hand_of(hand_id, actor)
        require_score(actor, hand.game.match)
        answer = Response(offers_for(hand, actor))
        answer["Cache-Control"] = "private, no-store"
        return answer
