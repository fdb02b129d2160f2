"""What a round measures, and how rounds become one line: medians, p95 and how far the rounds lie apart."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

MANY = 20  # values from which a p95 says something


@dataclass
class Figure:
    """One thing that one round measured. `goal` is what the line is held against, such as ">= 75"."""

    name: str
    unit: str
    values: list[float] = field(default_factory=list)
    goal: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Line:
    """The same figure over all rounds."""

    name: str
    unit: str
    median: float
    p95: float | None
    lowest: float
    highest: float
    """The lowest and the highest median of a round."""
    count: int
    goal: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the median meets the goal; None without one."""
        if not self.goal:
            return None
        sign, number = self.goal.split()
        return self.median >= float(number) if sign == ">=" else self.median <= float(number)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "is_met": self.is_met}


def lines_of(rounds: Iterable[Sequence[Figure]]) -> list[Line]:
    """One line for each name, in the order in which they were first seen."""
    seen: dict[str, list[Figure]] = {}
    for figures in rounds:
        for figure in figures:
            if figure.values:
                seen.setdefault(figure.name, []).append(figure)
    return [_line(figures) for figures in seen.values()]


def _line(figures: list[Figure]) -> Line:
    values = sorted(value for figure in figures for value in figure.values)
    medians = [statistics.median(figure.values) for figure in figures]
    return Line(
        name=figures[0].name,
        unit=figures[0].unit,
        median=statistics.median(values),
        p95=values[int(0.95 * len(values))] if len(values) >= MANY else None,
        lowest=min(medians),
        highest=max(medians),
        count=len(values),
        goal=figures[0].goal,
    )


def table(lines: Sequence[Line]) -> str:
    """The lines as a table for people."""
    rows = [("", "median", "p95", "rounds", "")]
    rows += [
        (
            line.name,
            f"{_number(line.median)} {line.unit}",
            "" if line.p95 is None else _number(line.p95),
            _number(line.lowest)
            if line.lowest == line.highest
            else f"{_number(line.lowest)} to {_number(line.highest)}",
            _verdict(line),
        )
        for line in lines
    ]
    return _columns(rows)


def comparison(ours: Sequence[Line], theirs: Sequence[Line]) -> str:
    """Both medians of each line that both have, and ours divided by theirs."""
    other = {line.name: line for line in theirs}
    rows = [("", "here", "there", "here / there", "rounds here", "rounds there")]
    rows += [
        (
            line.name,
            f"{_number(line.median)} {line.unit}",
            f"{_number(other[line.name].median)} {line.unit}",
            f"{line.median / other[line.name].median:.2f}" if other[line.name].median else "",
            f"{_number(line.lowest)} to {_number(line.highest)}",
            f"{_number(other[line.name].lowest)} to {_number(other[line.name].highest)}",
        )
        for line in ours
        if line.name in other
    ]
    return _columns(rows)


def _verdict(line: Line) -> str:
    if line.is_met is None:
        return ""
    return f"{line.goal} {'met' if line.is_met else 'MISSED'}"


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1000:
        return str(int(value))
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
