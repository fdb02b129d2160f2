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

from . import notation, requests
from .claims import Meaning
from .errors import FortyTwoError, ParseError, echo
from .hand import Hand
from .presets import PRESETS, preset
from .presets_page import markdown
from .records import HandRecord, read_object
from .requests import Answer
from .search_requests import MOST_TILES
from .solver.backend import backend, why_pure
from .switch_texts import describe


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
        ("verify", _verify, "Check a record, JSON or 42 notation; exit status 1 if anything is wrong."),
        ("claim", _claim, "Whether the seat on lead can claim the rest; a record or a position."),
        ("perft", _perft, "Count legal lines from a record, or with --auctions legal auctions."),
        ("solve", _solve, "The exact points of the leader's side, best play by all."),
        ("par", _par, "The exact points for every leader and trump of a deal."),
    ):
        command(name, run, text).add_argument("file", nargs="?", default="-", help="- is standard input")
    claim, perft = commands.choices["claim"], commands.choices["perft"]
    claim.add_argument("--meaning", help=", ".join(Meaning))
    claim.add_argument("--order", help="the claimer's tiles in their order")
    perft.add_argument("--tiles", type=int, default=4, help=f"the longest line, 1 to {MOST_TILES}")
    perft.add_argument("--auctions", action="store_true", help="count auctions; no file is read")
    solve, bench = commands.choices["solve"], command("bench", _bench, "How fast the solver is here.")
    solve.add_argument("--backend", action="store_true", help="which search is used; no file is read")
    bench.add_argument("--deals", type=int, default=20, help="random deals, each under nine trumps")
    presets = command("presets", _presets, "The presets and what differs from the default.")
    presets.add_argument("name", nargs="?", help="one preset only")
    presets.add_argument("--markdown", action="store_true", help="the page docs/rules-and-presets.md")
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
    content = _content(options.file)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"42", b"#")):
        return _verify_notation(options, content)
    answer = requests.verify(_with_rules(_object(content), options))
    findings = _list(answer["findings"])

    def text() -> str:
        lines = [f"{finding['code']}: {finding['message']}" for finding in findings]
        return "\n".join(lines) or "Nothing is wrong with this hand."

    _show(options, answer, text)
    return 0 if answer["ok"] else 1


def _verify_notation(options: argparse.Namespace, content: bytes) -> int:
    document = notation.parse(_utf8(content))
    problems = notation.check(document)
    answer: Answer = {"ok": not problems, "findings": [problem.to_json() for problem in problems]}

    def text() -> str:
        lines = [f"line {problem.line}: {problem.code}: {problem.message}" for problem in problems]
        return "\n".join(lines) or "Nothing is wrong with this file."

    _show(options, answer, text)
    return 0 if answer["ok"] else 1


def _claim(options: argparse.Namespace) -> int:
    request = _request(options)
    for field in ("meaning", "order"):
        if getattr(options, field) is not None:
            request[field] = getattr(options, field)
    answer = requests.answer({**request, "op": "claim", "lines": True})

    def text() -> str:
        lines = [" ".join(map(str, line)) for line in _rows(answer["lines"])]
        loses = " It loses the hand." if answer["forfeits"] else ""
        return "\n".join([f"The claim of {answer['seat']} is {answer['verdict']}.{loses}", *lines])

    return _show(options, answer, text)


def _perft(options: argparse.Namespace) -> int:
    if options.auctions:
        answer = requests.answer(_with_rules({"op": "perft"}, options))
        return _show(options, answer, lambda: f"{answer['auctions']} auctions")
    answer = requests.answer({**_request(options), "op": "perft", "tiles": options.tiles})
    return _show(options, answer, lambda: " ".join(str(count) for count in _rows(answer["lines"])))


def _solve(options: argparse.Namespace) -> int:
    if options.backend:
        why = why_pure()
        answer: Answer = {"backend": backend(), "why_pure": why}
        return _show(options, answer, lambda: f"{backend()}{f': {why}' if why else ''}")
    answer = requests.answer({**_request(options), "op": "solve"})
    said = ", ".join(f"{name} {value}" for name, value in answer.items() if name != "moves")
    return _show(options, answer, lambda: said)


def _par(options: argparse.Namespace) -> int:
    answer = requests.answer({**_request(options), "op": "par"})
    return _show(options, answer, lambda: json.dumps(answer, indent=2))


def _bench(options: argparse.Namespace) -> int:
    answer = requests.answer(_with_rules({"op": "bench", "deals": options.deals}, options))
    return _show(options, answer, lambda: json.dumps(answer, indent=2))


def _presets(options: argparse.Namespace) -> int:
    if options.markdown:
        print(markdown(), end="")
        return 0
    chosen = PRESETS if options.name is None else {options.name: preset(options.name)}
    answer: Answer = {
        name: {"source": item.source, "switches": dict(item.switches), "event": dict(item.event)}
        for name, item in chosen.items()
    }

    def text() -> str:
        lines = []
        for name, item in chosen.items():
            lines.append(f"{name}: {item.source}")
            lines += [f"  {describe(switch, value)}" for switch, value in item.switches.items()]
        return "\n".join(lines)

    return _show(options, answer, text)


def _batch(options: argparse.Namespace) -> int:
    try:
        for line in sys.stdin.buffer:
            print(json.dumps(requests.answer_line(line)), flush=True)
    except BrokenPipeError:
        # The reader has gone; there is nobody left to tell. The flush at exit must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _record(options: argparse.Namespace) -> HandRecord:
    return HandRecord.from_json(_request(options))


def _request(options: argparse.Namespace) -> dict[str, object]:
    return _with_rules(_object(_content(options.file)), options)


def _object(content: bytes) -> dict[str, object]:
    return dict(read_object("request", requests.parse_json(content)))


def _content(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a file name"
        raise ParseError("unreadable_file", text=echo(name), reason=reason) from None


def _utf8(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ParseError("bad_notation", line=line, column=1, reason="it is not UTF-8") from None


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


def _rows(value: object) -> list[list[object]]:
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
