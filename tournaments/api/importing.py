"""Many teams at once: as JSON, as a list of lines, or as a workbook; read, shown line by line, and entered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.base import ApiView, is_asked
from tournaments.api.entries import entries_shown
from tournaments.api.parsers import StrictJSONParser
from tournaments.api.serializers import EntryShown, NewEntryFields
from tournaments.enums import Role
from tournaments.errors import Unreadable
from tournaments.permissions import require_role
from tournaments.selectors.importing import (
    MOST_BYTES,
    MOST_LINES,
    Kind,
    Line,
    Plan,
    Problem,
    lines_of_file,
    lines_of_workbook,
    plan_import,
)
from tournaments.services.importing import lines_enter

LINES = "text/plain"
CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LINE_KINDS = list(get_args(Kind))
LINE_PROBLEMS = [code for code in get_args(Problem) if code]
DRY_RUN = OpenApiParameter("dry_run", bool, description="With 1: say what each line would do, store nothing.")


class TeamList(dict[str, list[Line]]):
    """`lines` of a body that was a list and no JSON, which may have a field of that name."""


class LinesParser(BaseParser):
    """Typed or pasted lines."""

    media_type = LINES

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> TeamList:
        """The lines. Raises Unreadable, and AgainstRules for a list that is too large."""
        return TeamList(lines=self.read(stream.read(MOST_BYTES + 1)))

    def read(self, content: bytes) -> list[Line]:
        return lines_of_file("", content)


class CsvParser(LinesParser):
    """The same lines under the name that programs give them."""

    media_type = CSV


class WorkbookParser(LinesParser):
    media_type = XLSX

    def read(self, content: bytes) -> list[Line]:
        return lines_of_workbook(content)


class EntryImport(serializers.Serializer[Any]):
    entries = serializers.ListField(child=NewEntryFields(), max_length=MOST_LINES)
    dry_run = serializers.BooleanField(default=False)


class LineShown(serializers.Serializer[Any]):
    number = serializers.IntegerField(source="line.number", help_text="Place in the list, from 1.")
    name = serializers.CharField(source="line.name")
    players = serializers.ListField(source="line.players", child=serializers.CharField())
    kind = serializers.ChoiceField(LINE_KINDS)
    code = serializers.ChoiceField(
        LINE_PROBLEMS, allow_blank=True, help_text="Why it is in conflict, for programs."
    )
    why = serializers.CharField(help_text="The same for people; empty for a new team.")


class DryRunShown(serializers.Serializer[Any]):
    dry_run = serializers.BooleanField()
    new = serializers.IntegerField(help_text="Teams that would be entered.")
    same = serializers.IntegerField(help_text="Lines of teams that are entered already.")
    conflicts = serializers.IntegerField(help_text="Lines because of which nothing would be entered.")
    lines = LineShown(many=True)


class EntryImportView(ApiView):
    parser_classes = [StrictJSONParser, LinesParser, CsvParser, WorkbookParser]

    @extend_schema(
        request={
            "application/json": EntryImport,
            LINES: OpenApiTypes.STR,
            CSV: OpenApiTypes.STR,
            XLSX: OpenApiTypes.BINARY,
        },
        responses={200: DryRunShown, 201: EntryShown(many=True)},
        parameters=[DRY_RUN],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter many teams, all or none; those that are entered already are passed over.

        A file has a line for each team: team, first player, second player, and a seed that may be missing.
        A refusal names every line in conflict as `lines`. A dry run tells of each line what it would do.
        """
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DESK)
        lines, is_dry_run = _read(request)
        if is_dry_run:
            return Response(_shown(plan_import(tournament, lines)))
        made = lines_enter(tournament_id=tournament.pk, lines=lines, actor=actor)
        shown = entries_shown(tournament).filter(pk__in=[one.pk for one in made])
        return Response(EntryShown(shown, many=True).data, status=201)


def _read(request: Request) -> tuple[list[Line], bool]:
    """The lines of the body, whatever its form, and whether they are only to be looked at."""
    is_dry_run = is_asked(request, "dry_run")
    if not request.data:
        raise Unreadable("no_teams", "There is no team on the list.")
    if isinstance(request.data, TeamList):
        lines = request.data["lines"]
    else:
        fields = EntryImport(data=request.data)
        fields.is_valid(raise_exception=True)
        lines = [_line(number, row) for number, row in enumerate(fields.validated_data["entries"], start=1)]
        is_dry_run = is_dry_run or fields.validated_data["dry_run"]
    if not lines:
        raise Unreadable("no_teams", "There is no team on the list.")
    return lines, is_dry_run


def _line(number: int, row: dict[str, Any]) -> Line:
    return Line(number, row["name"], tuple(row["players"]), str(row.get("seed") or ""), row.get("rating"))


def _shown(plan: Plan) -> dict[str, Any]:
    return {
        "dry_run": True,
        "new": len(plan.new),
        "same": len(plan.same),
        "conflicts": len(plan.conflicts),
        "lines": LineShown(plan.lines, many=True).data,
    }
