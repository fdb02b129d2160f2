"""What each page says in each state of an event."""

import csv
import html
import io
import re

import pytest
from django.test import Client
from django.utils import timezone

import fortytwo
from scoring.models import Hand
from tables.addresses import COOKIE
from tables.enums import LinkKind
from tables.models import AccessLink, Table
from tables.tokens import token_of
from tests.pages.event import ODD_NAMES, Event, account, dispute, event, finish, full_hand, play, record_live
from tournaments.enums import Role
from tournaments.models import Bye, Entry, EntryPlayer, Match, Official, Slot
from tournaments.services.announcement import announcement_end, announcement_make
from tournaments.services.draw import stage_draw
from tournaments.services.entry import entry_withdraw
from tournaments.services.result import match_forfeit
from tournaments.services.tournament import tournament_update

pytestmark = pytest.mark.django_db


def _get(path: str, **headers: str) -> str:
    answer = Client().get(path, headers=headers)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content.decode()


def _text(page: str) -> str:
    """The words of a page, tags and templates dropped."""
    page = re.sub(r"<(template|script|svg)\b.*?</\1>", " ", page, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def _paths(made: Event) -> list[str]:
    base = f"/t/{made.slug}/"
    tails = [
        "",
        "bracket/",
        "bracket/?part=losers",
        "bracket/?part=finals",
        "standings/",
        "tables/",
        "teams/",
    ]
    return [
        base + tail
        for tail in [*tails, "teams/1/", "results/", "matches/M1/", "results.csv", "standings.csv"]
    ]


def test_message_to_all_is_on_every_page_until_it_ends() -> None:
    made = event(4, tables=2)
    shown = [path for path in _paths(made) if not path.endswith(".csv")]
    before = {path: Client().get(path).headers["ETag"] for path in shown}

    said = announcement_make(tournament_id=made.tournament.pk, text="Lunch <b>at</b> 12:30", actor=made.owner)

    for path in [*shown, f"/t/{made.slug}/messages/?fragment=messages"]:
        assert "Lunch <b>at</b> 12:30" in _text(_get(path)), path
    for path, etag in before.items():
        assert Client().get(path).headers["ETag"] != etag, path
    announcement_end(announcement_id=said.pk, actor=made.owner)
    for path in shown:
        assert "Lunch" not in _get(path), path


# ---- Now -----------------------------------------------------------------------------------


def test_home_before_the_draw_says_who_is_here_and_when_it_starts() -> None:
    made = event(9, published=False, started=False, here=4)
    text = _text(_get(f"/t/{made.slug}/"))
    assert "teams entered 9 teams here 4 first call 8:15" in text
    assert "Nothing is being played yet" in text
    assert "Not drawn yet 9 teams, double elimination, best of three." in text


def test_home_before_play_names_the_byes_of_the_first_round() -> None:
    made = event(12, started=False)
    assert "4 teams have a bye in the first round." in _text(_get(f"/t/{made.slug}/"))


def test_home_while_playing_shows_tables_next_and_results() -> None:
    made = play(event(16, tables=4), 60)
    record_live(made)
    text = _text(_get(f"/t/{made.slug}/"))
    assert "Now playing" in text
    assert "Up next" in text
    assert "Latest results" in text
    assert "of 30" in text
    assert "Table 1" in text


def test_home_at_the_end_names_the_champion_and_first_places() -> None:
    made = play(event(8))
    champion = made.tournament.champion
    assert champion is not None
    text = _text(_get(f"/t/{made.slug}/"))
    assert f"Champion {champion.name}" in text
    assert "Runner-up" in text
    assert "Now playing" not in text


def test_home_of_two_teams_plays_and_ends() -> None:
    made = event(2, kind="single-elimination", tables=1)
    assert "2 teams" in _text(_get(f"/t/{made.slug}/")).replace("teams 2", "2 teams")
    play(made)
    assert "Champion" in _text(_get(f"/t/{made.slug}/"))


def test_times_are_those_of_the_venue_and_its_zone_is_named() -> None:
    made = event(4, started=False)
    assert re.search(r"Updated \d{1,2}:\d\d:\d\d CST", _text(_get(f"/t/{made.slug}/")))
    tournament_update(tournament_id=made.tournament.pk, actor=made.owner, time_zone="Europe/Berlin")
    assert re.search(r"Updated \d{1,2}:\d\d:\d\d CET", _text(_get(f"/t/{made.slug}/")))
    assert "3:15" in _text(_get(f"/t/{made.slug}/"))


# ---- Bracket -------------------------------------------------------------------------------


def test_bracket_names_bye_teams_in_round_two_before_round_one_ends() -> None:
    made = event(12)
    page = _get(f"/t/{made.slug}/bracket/")
    byes = Slot.objects.filter(
        match__tournament=made.tournament, source_kind="seed", match__round__key="winners-2"
    )
    names = list(byes.values_list("entry__name", flat=True))
    assert len(names) == 4
    text = _text(page)
    for name in names:
        assert name in text
    assert page.count('class="bye"') == 4
    assert "4 byes" in text
    assert "Winner of M1" in text


def test_bracket_marks_a_decided_match_and_moves_its_teams() -> None:
    made = event(4)
    finish(made, 1, winner="NS")
    page = _get(f"/t/{made.slug}/bracket/")
    winner = Slot.objects.get(match=made.match(1), side="NS").entry
    assert winner is not None
    assert re.search(rf'id="M1".*?c-final.*?data-won="{winner.number}"', page, flags=re.S)
    final = Slot.objects.get(match=made.match(3), side="NS").entry
    assert final == winner


def test_reset_match_is_absent_until_it_is_needed() -> None:
    made = event(2)
    finals = f"/t/{made.slug}/bracket/?part=finals"
    finish(made, 1, winner="NS")
    assert "Reset match" not in _text(_get(finals))
    finish(made, 2, winner="EW")
    text = _text(_get(finals))
    assert "Reset match needed: both have one loss" in text
    finish(made, 3, winner="NS")
    assert "Champion" in _text(_get(f"/t/{made.slug}/"))


def test_reset_match_vanishes_when_the_unbeaten_team_wins() -> None:
    made = event(2)
    finish(made, 1, winner="NS")
    finish(made, 2, winner="NS")
    assert "Reset match" not in _text(_get(f"/t/{made.slug}/bracket/?part=finals"))


def test_third_place_never_reads_final() -> None:
    made = event(4, kind="single-elimination", stage={"third_place": True})
    finish(made, 1, winner="NS")
    finish(made, 2, winner="NS")
    third = Match.objects.get(tournament=made.tournament, round__key="third-place")
    final = Match.objects.get(tournament=made.tournament, round__key="final")
    finish(made, third.number)
    page = _get(f"/t/{made.slug}/bracket/")
    labels = [
        html.unescape(one)
        for one in re.findall(r'class="visually-hidden">([^<]+)</span><span class="in"', page)
    ]
    assert any(label.startswith(f"{final.code}, ") and "final" not in label.split(":")[0] for label in labels)
    match_page = _text(_get(f"/t/{made.slug}/matches/{third.code}/"))
    assert f"{third.code}, Third place" in match_page
    assert "champion-card" not in _get(f"/t/{made.slug}/")


def test_cell_says_in_one_sentence_what_it_shows() -> None:
    made = event(4, tables=2)
    match = made.live()[0]
    record_live(made)
    page = _get(f"/t/{made.slug}/matches/{match.code}/?fragment=cell")
    label = html.unescape(re.findall(r'class="visually-hidden">([^<]+)<', page)[0])
    assert re.fullmatch(rf"{match.code}, table \d, game 1: .+ \d, .+ \d", label)


def test_state_of_each_match_has_its_word() -> None:
    made = event(16, tables=6)
    record_live(made)
    called = next(match for match in made.live() if match.state == "playing")
    text = _text(_get(f"/t/{made.slug}/tables/"))
    assert "Game 1" in text
    assert called.code in text


def test_dispute_shows_neither_entry() -> None:
    made = event(4, tables=2)
    match = made.live()[0]
    dispute(made, match)
    text = _text(_get(f"/t/{made.slug}/matches/{match.code}/"))
    assert "Dispute" in text
    assert re.search(r"\d–\d", text) is None


def test_round_whose_only_real_match_is_over_counts_as_done() -> None:
    made = event(5)
    finish(made, 1)
    text = _text(_get(f"/t/{made.slug}/bracket/"))
    assert "Winners 1 1 match · 3 byes · done" in text


def test_advance_pending_is_said_while_the_teams_are_not_moved_on() -> None:
    made = event(4)
    match = made.match(1)
    from scoring.services.game import result_put

    games = [{"NS": 7, "EW": 1}, {"NS": 7, "EW": 2}]
    result_put(match_id=match.pk, games=games, actor=made.owner, desk=True, reason="x")  # type: ignore[arg-type]
    assert "Final, moving on" in _text(_get(f"/t/{made.slug}/bracket/"))
    assert "The teams are being moved on." in _text(_get(f"/t/{made.slug}/matches/M1/"))


# ---- Standings, results --------------------------------------------------------------------


def test_standings_rank_by_round_of_exit_and_share_ranks() -> None:
    made = play(event(8))
    text = _text(_get(f"/t/{made.slug}/standings/"))
    assert re.search(r"1 .+? Champion", text)
    assert "=5" in text
    assert "=7" in text


def test_standings_while_playing_put_those_still_in_first() -> None:
    made = play(event(16, tables=4), 300)
    text = _text(_get(f"/t/{made.slug}/standings/"))
    assert "In, no loss" in text
    if "Out in" in text:
        assert "Still in above. Below: out, after two losses." in text


def test_double_forfeit_of_the_final_leaves_standings_whole() -> None:
    made = event(4, kind="single-elimination")
    finish(made, 1)
    finish(made, 2)
    match_forfeit(match_id=made.match(3).pk, side="both", actor=made.owner, reason="nobody came")
    from tournaments.services.bracket import bracket_advance

    bracket_advance(stage_id=made.stage.pk)
    for path in _paths(made):
        _get(path)
    assert "double forfeit" in _text(_get(f"/t/{made.slug}/matches/M3/")).lower()


def test_csv_lists_results_and_placings() -> None:
    made = play(event(4))
    results = list(csv.reader(io.StringIO(_get(f"/t/{made.slug}/results.csv").lstrip("\ufeff"))))
    placings = list(csv.reader(io.StringIO(_get(f"/t/{made.slug}/standings.csv").lstrip("\ufeff"))))
    assert results[0][:2] == ["Match", "Round"]
    confirmed = Match.objects.filter(tournament=made.tournament, state="confirmed").count()
    assert [row[0] for row in results[1:]] == [
        f"M{number}"
        for number in sorted(
            Match.objects.filter(tournament=made.tournament, state="confirmed").values_list(
                "number", flat=True
            )
        )
    ]
    assert len(results) == confirmed + 1
    assert [row[0] for row in placings[1:]] == ["1", "2", "3", "4"]


def test_csv_cell_is_never_a_formula() -> None:
    made = play(event(len(ODD_NAMES), names=ODD_NAMES))
    for name in ("results", "standings"):
        for row in csv.reader(io.StringIO(_get(f"/t/{made.slug}/{name}.csv").lstrip("\ufeff"))):
            assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row), row
    text = _get(f"/t/{made.slug}/standings.csv")
    assert "'=2+5" in text
    assert "'-1+1" in text


def test_results_are_paged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.pages.results.PER_PAGE", 4)
    made = play(event(4))
    first, second = _get(f"/t/{made.slug}/results/"), _get(f"/t/{made.slug}/results/?page=2")
    assert "Page 1 of 2" in _text(first)
    assert "Page 2 of 2" in _text(second)
    assert "Page 2 of 2" in _text(_get(f"/t/{made.slug}/results/?page=99"))
    assert "Page 1 of 2" in _text(_get(f"/t/{made.slug}/results/?page=x"))


# ---- Teams and players ---------------------------------------------------------------------


def test_team_page_says_which_table_and_against_whom() -> None:
    made = event(8, tables=2)
    match = made.live()[0]
    own, other = (Slot.objects.get(match=match, side=side).entry for side in ("NS", "EW"))
    assert own is not None
    assert other is not None
    text = _text(_get(f"/t/{made.slug}/teams/{own.number}/"))
    assert "Table 1 Called Go to the table now: you meet" in text
    assert other.name in text
    assert "Win : M" in text or "Win: M" in text
    assert "Lose" in text


def test_team_page_of_a_beaten_team_says_its_place() -> None:
    made = play(event(5))
    last = Entry.objects.filter(tournament=made.tournament).exclude(pk=made.tournament.champion_id)
    for entry in last:
        text = _text(_get(f"/t/{made.slug}/teams/{entry.number}/"))
        assert re.search(r"Place =?\d", text), (entry.name, text)


def test_team_page_of_a_team_with_a_bye_says_so() -> None:
    made = event(5)
    bye = Bye.objects.filter(stage=made.stage, round__key="winners-1", entry__isnull=False)[0]
    assert bye.entry is not None
    assert "Bye Winners 1" in _text(_get(f"/t/{made.slug}/teams/{bye.entry.number}/"))


def test_withdrawn_team_is_shown_as_such() -> None:
    made = event(8, tables=2)
    match = made.live()[0]
    gone = Slot.objects.get(match=match, side="NS").entry
    assert gone is not None
    entry_withdraw(entry_id=gone.pk, actor=made.owner, reason="ill")
    from tournaments.services.bracket import bracket_advance

    bracket_advance(stage_id=made.stage.pk)
    for path in [*_paths(made), f"/t/{made.slug}/teams/{gone.number}/"]:
        _get(path)
    assert "withdrawal" in _text(_get(f"/t/{made.slug}/matches/{match.code}/")).lower()


@pytest.mark.parametrize("query", ["jose pena", "JOSÉ", "niño", "nino"])
def test_teams_are_found_without_accents(query: str) -> None:
    made = event(6, names=["José Peña / Niño"])
    page = Client().get(f"/t/{made.slug}/teams/", {"q": query})
    text = _text(page.content.decode())
    assert "José Peña / Niño" in text
    assert "San Saba Six" not in text
    assert page.headers["Cache-Control"] == "no-store"


def test_team_is_found_by_its_player_and_its_number() -> None:
    made = event(6)
    entry = Entry.objects.get(tournament=made.tournament, number=3)
    player = EntryPlayer.objects.filter(entry=entry).select_related("player")[0].player
    by_player = (
        Client().get(f"/t/{made.slug}/teams/", {"q": player.name, "fragment": "found"}).content.decode()
    )
    assert f'data-found-team="{entry.number}"' in by_player
    by_number = Client().get(f"/t/{made.slug}/teams/", {"q": "3", "fragment": "found"}).content.decode()
    assert 'data-found-team="3"' in by_number


def test_nobody_found_is_said() -> None:
    made = event(4)
    assert "Nobody found" in _text(Client().get(f"/t/{made.slug}/teams/", {"q": "zzzz"}).content.decode())


def test_player_page_tells_of_public_tournaments_only() -> None:
    made = play(event(4))
    member = EntryPlayer.objects.filter(entry=made.tournament.champion)[0]
    text = _text(_get(f"/players/{member.player_id}/"))
    assert made.tournament.name in text
    assert "Champion" in text
    tournament_update(tournament_id=made.tournament.pk, actor=made.owner, visibility="unlisted")
    assert Client().get(f"/players/{member.player_id}/").status_code == 404


# ---- Match ---------------------------------------------------------------------------------


def test_match_page_lists_games_and_hands() -> None:
    made = event(4, tables=2)
    record_live(made)
    match = next(match for match in made.live() if match.state == "playing")
    text = _text(_get(f"/t/{made.slug}/matches/{match.code}/"))
    assert "Game 1" in text
    assert "Made" in text or "Set" in text


def test_live_hand_shows_what_was_played_and_nothing_else() -> None:
    made = event(4, tables=2)
    match = made.live()[0]
    hand = full_hand(made, match, plays=10)
    page = _get(f"/t/{made.slug}/matches/{match.code}/")
    played = set(hand.plays.values_list("tile", flat=True))
    assert len(played) == 10
    shown = set(re.findall(r'aria-label="(\d-\d)', page))
    assert shown == played
    assert "Holdings are never shown while a hand is played." in _text(page)


@pytest.mark.parametrize("plays", [0, 1, 5, 13])
def test_no_page_shows_a_tile_that_is_not_played_yet(plays: int) -> None:
    made = event(4, tables=2)
    match = made.live()[0]
    hand = full_hand(made, match, plays=plays)
    assert hand.state == "live"
    played = set(hand.plays.values_list("tile", flat=True))
    held = {tile for holding in hand.holdings.all() for tile in holding.tiles.split()} - played
    assert len(held) == 28 - plays
    paths = [
        *_paths(made),
        f"/t/{made.slug}/matches/{match.code}/?hand=1.1",
        f"/t/{made.slug}/?fragment=home",
    ]
    for path in [*paths, f"/t/{made.slug}/matches/{match.code}/?fragment=match"]:
        page = _get(path)
        for tile in held:
            assert f'"{tile}' not in page, (path, tile)


def test_marks_bid_keeps_only_the_latest_trick_in_view() -> None:
    made = event(4, tables=2, rules={"early_end": "play_all"})
    match = made.live()[0]
    hand = full_hand(made, match, plays=14, bid="42")
    assert (hand.state, hand.plays.count()) == ("live", 14)
    page = _get(f"/t/{made.slug}/matches/{match.code}/")
    assert page.count('class="trick-number"') == 1
    assert "Marks bid: only the latest trick stays in view." in _text(page)


def test_closed_hand_can_be_looked_at_again() -> None:
    made = event(4, tables=2)
    match = made.live()[0]
    full_hand(made, match, plays=28)
    text = _text(_get(f"/t/{made.slug}/matches/{match.code}/?hand=1.1"))
    assert "made." in text or "set." in text
    assert Hand.objects.get().state == "closed"


@pytest.mark.parametrize("hand", ["x", "1", "1.", ".1", "1.2.3", "9999.1", "-1.1"])
def test_unreadable_hand_is_not_there(hand: str) -> None:
    made = event(4)
    assert Client().get(f"/t/{made.slug}/matches/M1/", {"hand": hand}).status_code == 404


def test_match_says_where_both_teams_go() -> None:
    made = event(4)
    text = _text(_get(f"/t/{made.slug}/matches/M1/"))
    assert "Winner : M3" in text or "Winner: M3" in text
    assert "Loser : M" in text or "Loser: M" in text


@pytest.mark.parametrize("path", ["matches/M999/", "matches/X1/", "matches/M0/", "teams/99/", "nowhere/"])
def test_what_is_not_there_is_404(path: str) -> None:
    made = event(4)
    assert Client().get(f"/t/{made.slug}/{path}").status_code == 404


# ---- Rules ---------------------------------------------------------------------------------


def test_rules_say_what_the_event_changed_and_what_is_default() -> None:
    made = event(4, preset="straight-guide", rules={"lowest_bid": 31})
    text = _text(_get(f"/t/{made.slug}/rules/"))
    assert "Double elimination, best of three." in text
    assert "Lowest bid 31 this event" in text
    assert "A hand ends when all seven tricks are played Claim off Tricks" in text
    assert "Not stated by the source: the default of straight 42." in text
    made = event(4, name="Default", preset="online-championship")
    assert "Not stated by the source" not in _text(_get(f"/t/{made.slug}/rules/"))


def test_rules_name_every_switch_that_differs() -> None:
    text = _text(_get(f"/t/{event(4, preset='hallettsville').slug}/rules/"))
    assert "A game is played to 7 marks" in text
    assert "A lead out of turn counts as a renege" in text
    assert "First shake from game 2 on the losing side draws between its two" in text
    made = event(4, name="Points", rules={"scoring": "points", "claim": "claimer_knowledge"})
    text = _text(_get(f"/t/{made.slug}/rules/"))
    assert "A game is played to 250 points" in text
    assert "Claim accepted if certain from what the claimer knows, else refused this event" in text


def test_presets_are_shown_against_the_default_and_linked() -> None:
    page = _get("/rules/")
    text = _text(page)
    for name, preset in fortytwo.PRESETS.items():
        assert f'id="{name}"' in page
        assert preset.source.rstrip(".") in text
    assert "Everyone passes the shaker must bid at least 30 default: the hand is thrown in" in text
    assert "A bye counts 7-4" in text
    assert "Nothing differs from the default." in text
    assert "A game is played to 7 marks" in text
    assert 'href="/rules/#timpson"' in _get(f"/t/{event(2, preset='timpson').slug}/rules/")


# ---- Who may see what ----------------------------------------------------------------------


def test_private_tournament_is_not_there_for_strangers() -> None:
    made = event(4, visibility="private")
    stranger, director = Client(), Client()
    stranger.force_login(account().user)
    other = account()
    Official.objects.create(tournament=made.tournament, user=other.user, role=Role.SCORER)
    director.force_login(other.user)
    for path in _paths(made):
        assert Client().get(path).status_code == 404, path
        assert stranger.get(path).status_code == 404, path
        answer = director.get(path)
        assert answer.status_code == 200, path
        assert answer.headers["Cache-Control"] == "private, no-cache"
    assert made.tournament.name not in _get("/")


def test_private_tournament_is_there_for_whoever_holds_a_link() -> None:
    made, other = event(4, visibility="private"), event(4, visibility="private", name="Other")
    table = Table.objects.filter(tournament=made.tournament)[0]
    link = AccessLink.objects.create(tournament=made.tournament, kind=LinkKind.TABLE, table=table)
    client = Client()
    client.cookies[COOKIE] = token_of(link.pk)
    assert client.get(f"/t/{made.slug}/").status_code == 200
    assert client.get(f"/t/{other.slug}/").status_code == 404
    AccessLink.objects.filter(pk=link.pk).update(revoked_at=timezone.now())
    assert client.get(f"/t/{made.slug}/").status_code == 404


def test_unlisted_tournament_is_reached_by_its_address_only() -> None:
    made = event(4, visibility="unlisted")
    page = _get(f"/t/{made.slug}/")
    assert '<meta name="robots" content="noindex">' in page
    assert made.slug not in _get("/")


def test_draft_draw_shows_nothing() -> None:
    made = event(6, published=False, started=False)
    stage_draw(stage_id=made.stage.pk, actor=made.owner, method="random", seed=1)
    text = _text(_get(f"/t/{made.slug}/bracket/"))
    assert "The draw is not out yet" in text
    assert Client().get(f"/t/{made.slug}/matches/M1/").status_code == 404
    assert "Nothing yet: the draw is not out." in _text(_get(f"/t/{made.slug}/teams/1/"))
    for tail in ("results.csv", "standings.csv"):
        assert len(_get(f"/t/{made.slug}/{tail}").splitlines()) == 1
    assert "Winner of" not in _text(_get(f"/t/{made.slug}/"))


def test_archive_has_current_tournaments_first() -> None:
    running = event(4, name="Running Now")
    coming = event(4, name="Still To Come", published=False, started=False)
    done = play(event(4, name="Long Past"))
    from tournaments.services.tournament import tournament_move

    tournament_move(tournament_id=done.tournament.pk, move="finish", actor=done.owner)
    text = _text(_get("/"))
    places = [text.index(one.tournament.name) for one in (running, coming, done)]
    assert places == sorted(places)


def test_archive_without_tournaments_says_what_will_be_there() -> None:
    assert "No tournament is announced yet" in _text(_get("/"))


# ---- Names ---------------------------------------------------------------------------------


def test_odd_names_are_whole_and_safe_on_every_page() -> None:
    made = event(len(ODD_NAMES), names=ODD_NAMES, name="<i>Cup</i> & 'friends'", tables=5)
    play(made, 50)
    record_live(made)
    for path in _paths(made):
        page = _get(path)
        if not path.endswith(".csv"):
            assert "<script>alert" not in page, path
            assert "<i>Cup" not in page, path
            assert "<b>bold" not in page, path
    shown = html.unescape(_get(f"/t/{made.slug}/teams/"))
    for name in ODD_NAMES:
        assert name in shown, name
    for entry in Entry.objects.filter(tournament=made.tournament):
        page = _get(f"/t/{made.slug}/teams/{entry.number}/")
        assert f">{html.escape(entry.name, quote=True).replace('&#x27;', '&#x27;')}</h1>" in page


def test_direction_is_set_for_each_name() -> None:
    made = event(len(ODD_NAMES), names=ODD_NAMES, tables=5)
    page = _get(f"/t/{made.slug}/")
    assert page.count('dir="auto"') > 5
