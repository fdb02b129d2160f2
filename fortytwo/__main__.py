"""`python -m fortytwo`: the rules for programs and people, on the command line.

Answers are text, or JSON with `--json`. An error ends with exit status 1 and its code; `batch`
answers every line, errors included, and ends with 0.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from . import requests
from .errors import FortyTwoError, ParseError, echo
from .hand import Hand
from .records import HandRecord, read_object
from .requests import Answer


class _Parser(argparse.ArgumentParser):
    """Wrong usage is a coded error like any other."""

    def error(self, message: str) -> NoReturn:
        raise ParseError("bad_usage", reason=message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        options = _parser().parse_args(words)
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except FortyTwoError as error:
        if "--json" in words:
            print(json.dumps(requests.error_answer(error)))
        else:
            print(f"{error.code}: {error.message}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m fortytwo", description="The rules of Texas 42.")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.set_defaults(run=run)
        if name != "batch":
            added.add_argument("--json", action="store_true", help="answer in JSON")
            added.add_argument("--rules", help="a preset, or a JSON object of switches")
        return added

    legal = command("legal", _legal, "Which tiles of a holding may be played.")
    legal.add_argument("--trump", required=True, help="0 to 6, doubles or follow-me")
    legal.add_argument("--led", help="the tile led; leave out for the leader")
    legal.add_argument("--holding", required=True, help='tiles, like "6-3 5-4 1-1"')
    trick = command("trick", _trick, "Who takes a trick, and for how many points.")
    trick.add_argument("--trump", required=True, help="0 to 6, doubles or follow-me")
    trick.add_argument("--plays", required=True, help='four tiles, like "N:6-5 E:6-3 S:6-6 W:5-5"')
    for name, run, text in (
        ("hand", _hand, "What a recorded hand gave."),
        ("replay", _replay, "Re-play a recorded hand, trick by trick."),
        ("verify", _verify, "Check a recorded hand; exit status 1 if anything is wrong with it."),
    ):
        command(name, run, text).add_argument("file", nargs="?", default="-", help="JSON file; - is stdin")
    command("batch", _batch, "Answer one JSON request a line from standard input.")
    return parser


def _legal(options: argparse.Namespace) -> int:
    request = {"trump": options.trump, "led": options.led, "holding": options.holding}
    answer = requests.legal(_with_rules(request, options))
    return _show(options, answer, lambda: " ".join(map(str, _list(answer["legal"]))))


def _trick(options: argparse.Namespace) -> int:
    answer = requests.trick(_with_rules({"trump": options.trump, "plays": options.plays}, options))
    return _show(options, answer, lambda: f"{answer['winner']} takes the trick: {_points(answer['points'])}.")


def _hand(options: argparse.Namespace) -> int:
    hand = _record(options).replay()
    return _show(options, requests.hand_answer(hand), lambda: _summary(hand))


def _replay(options: argparse.Namespace) -> int:
    hand = _record(options).replay()
    return _show(options, requests.hand_answer(hand), lambda: "\n".join([*_steps(hand), _summary(hand)]))


def _verify(options: argparse.Namespace) -> int:
    answer = requests.verify(_with_rules(_read_file(options.file), options))
    findings = _list(answer["findings"])

    def text() -> str:
        lines = [f"{finding['code']}: {finding['message']}" for finding in findings]
        return "\n".join(lines) or "Nothing is wrong with this hand."

    _show(options, answer, text)
    return 0 if answer["ok"] else 1


def _batch(options: argparse.Namespace) -> int:
    try:
        for line in sys.stdin.buffer:
            print(json.dumps(requests.answer_line(line)), flush=True)
    except BrokenPipeError:
        # The reader has gone; there is nobody left to tell. The flush at exit must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _record(options: argparse.Namespace) -> HandRecord:
    return HandRecord.from_json(_with_rules(_read_file(options.file), options))


def _read_file(name: str) -> dict[str, object]:
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise ParseError("unreadable_file", text=echo(name), reason=reason) from None
    return dict(read_object("request", requests.parse_json(content)))


def _with_rules(data: dict[str, object], options: argparse.Namespace) -> dict[str, object]:
    """Add `--rules`: a preset by name, or switches as a JSON object."""
    text: str | None = options.rules
    if text is not None:
        is_json = text.lstrip().startswith("{")
        data["rules"] = requests.parse_json(text.encode("utf-8", "replace")) if is_json else text
    return data


def _show(options: argparse.Namespace, answer: Answer, text: Callable[[], str]) -> int:
    print(json.dumps(answer) if options.json else text())
    return 0


def _list(value: object) -> list[dict[str, object]]:
    return value if isinstance(value, list) else []


def _points(points: object) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _steps(hand: Hand) -> list[str]:
    calls = " ".join(f"{seat}:{call}" for seat, call in hand.auction.by_seat())
    lines = [f"{hand.shaker} shakes. Calls: {calls}"]
    for number, taken in enumerate(hand.tricks, 1):
        settled = "  (settled)" if number == hand.settled_after else ""
        lines.append(f"{number}. {taken}  {taken.winner} takes {_points(taken.points)}{settled}")
    if hand.table:
        lines.append(f"{len(hand.tricks) + 1}. {' '.join(map(str, hand.table))}  ...")
    return lines


def _summary(hand: Hand) -> str:
    if hand.declarer is None:
        return "Thrown in." if hand.auction.thrown_in else "The auction is still open."
    said = f"{hand.declarer} bid {hand.bid}, trump {hand.trump or 'not named'}"
    points = f"points NS {hand.points.ns}, EW {hand.points.ew}"
    if hand.made is None:
        return f"{said}; {points}; not settled."
    outcome = "made" if hand.made else "set"
    marks = f"marks NS {hand.marks.ns}, EW {hand.marks.ew}"
    return f"{said}: {outcome} after trick {hand.settled_after}; {points}; {marks}."


if __name__ == "__main__":
    sys.exit(main())
