"""When matches to come are likely to be called."""

from scoring.pages.forecast import Ahead, forecast

HOUR = 3600.0


def test_forecast_says_nothing_without_a_pace() -> None:
    assert forecast([Ahead(1, 0, None, ())], took=[1800, 1800], tables=4, now=0) == {}
    assert forecast([Ahead(1, 0, None, ())], took=[1800] * 3, tables=0, now=0) == {}


def test_waiting_match_is_called_when_its_sources_are_over() -> None:
    matches = [Ahead(1, 0, 0.0, ()), Ahead(2, 1, 900.0, ()), Ahead(3, 2, None, (1, 2))]
    assert forecast(matches, took=[1800.0] * 3, tables=5, now=1000.0) == {3: 2700.0}


def test_matches_queue_for_tables_in_their_order() -> None:
    waiting = [Ahead(number, number, None, ()) for number in (1, 2, 3)]
    calls = forecast(waiting, took=[HOUR] * 3, tables=1, now=0.0)
    assert calls == {1: 0.0, 2: HOUR, 3: 2 * HOUR}


def test_match_that_lasts_too_long_is_over_soon() -> None:
    matches = [Ahead(1, 0, 0.0, ()), Ahead(2, 1, None, (1,))]
    assert forecast(matches, took=[600.0] * 3, tables=2, now=9000.0) == {2: 9000.0}
