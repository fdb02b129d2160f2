"""`python -m tests.bench` measures this machine: prints a table and writes `var/bench.json`.

`--only engine,draw` chooses sections; `--against PATH` compares this checkout with another one, whose rounds
alternate with ours on the same machine in the same minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench.figures import comparison, lines_of, table
from tests.bench.machine import commit, in_words, machine
from tests.bench.rounds import Bench, Measured, RoundFailedError
from tests.bench.sections import SECTIONS, section
from tests.serving import ROOT

ROUNDS = 3


def main(arguments: list[str]) -> int:
    """0, or 1 when a round failed."""
    options = _options(arguments)
    checkouts = [ROOT, *([options.against.resolve()] if options.against else [])]
    facts = machine(ROOT)
    print(in_words(facts), flush=True)
    measured: list[Measured] = []
    failed = 0
    began = datetime.now(UTC)
    with Bench(web_processes=options.web_processes) as bench:
        for name in options.only:
            databases = [one for one in section(name).DATABASES if options.database in ("", one) or not one]
            rounds: list[Measured] = []
            try:
                for number in range(options.rounds):
                    for database in databases:
                        # The one that goes first changes, so that neither has the warmer machine.
                        for checkout in checkouts if number % 2 == 0 else checkouts[::-1]:
                            rounds.append(bench.run(name, database, checkout))
            except RoundFailedError as error:
                print(f"\n{error}", file=sys.stderr, flush=True)
                failed = 1
            measured += rounds
            print(_report(name, rounds, checkouts), flush=True)
        facts["postgresql"] = bench.postgresql
    if facts["postgresql"]:
        print(f"\nPostgreSQL {facts['postgresql']}, every commit written to the disk")
    _write(options.json, facts, began, checkouts, measured)
    return failed


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--only", type=_sections, default=SECTIONS, help=f"some of {','.join(SECTIONS)}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each section; their median counts")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="", help="that one only")
    parser.add_argument("--web-processes", type=int, default=2, help="of the site on PostgreSQL")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout to compare with")
    parser.add_argument("--json", type=Path, default=ROOT / "var" / "bench.json", help="where figures go")
    return parser.parse_args(arguments)


def _sections(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no section {', '.join(unknown)}")
    return names


def _report(name: str, rounds: list[Measured], checkouts: list[Path]) -> str:
    loads = [load for one in rounds for load in one.load]
    title = f"\n{name}: {len(rounds)} rounds, load {min(loads, default=0):.1f} to {max(loads, default=0):.1f}"
    ours = lines_of(one.figures for one in rounds if one.checkout == checkouts[0])
    if len(checkouts) == 1:
        return f"{title}\n{table(ours)}"
    theirs = lines_of(one.figures for one in rounds if one.checkout == checkouts[1])
    return f"{title}\n{comparison(ours, theirs)}"


def _write(
    target: Path, facts: dict[str, Any], began: datetime, checkouts: list[Path], measured: list[Measured]
) -> None:
    sections: dict[str, Any] = {}
    for name in dict.fromkeys(one.section for one in measured):
        rounds = [one for one in measured if one.section == name]
        sections[name] = {
            "load": [one.load for one in rounds],
            **{
                label: [
                    line.as_json() for line in lines_of(one.figures for one in rounds if one.checkout == path)
                ]
                for label, path in zip(("lines", "against"), checkouts, strict=False)
            },
        }
    text = {
        "machine": facts,
        "began_at": began.isoformat(timespec="seconds"),
        "ended_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "against": commit(checkouts[1]) if len(checkouts) > 1 else None,
        "sections": sections,
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(text, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
