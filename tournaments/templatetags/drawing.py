"""Dominoes, the ALL tally, tokens and rings as SVG text. Pure: no Django, no database, no words.

Units are those of the design: a domino is 44 x 88, the tally 128 x 64, a side token 13 x 25.
Colours are classes, so that the style sheet decides them for both themes.
"""

from __future__ import annotations

from functools import cache
from html import escape

Pip = tuple[int, int]

CENTRE, NEAR, FAR = 0, -12, 12
LAYOUTS: dict[int, tuple[Pip, ...]] = {
    0: (),
    1: ((CENTRE, CENTRE),),
    2: ((NEAR, NEAR), (FAR, FAR)),
    3: ((NEAR, NEAR), (CENTRE, CENTRE), (FAR, FAR)),
    4: ((NEAR, NEAR), (FAR, NEAR), (NEAR, FAR), (FAR, FAR)),
    5: ((NEAR, NEAR), (FAR, NEAR), (CENTRE, CENTRE), (NEAR, FAR), (FAR, FAR)),
    6: ((NEAR, NEAR), (NEAR, CENTRE), (NEAR, FAR), (FAR, NEAR), (FAR, CENTRE), (FAR, FAR)),
}
"""Offsets of the pips from the centre of a half; a six is two columns along the tile."""

STROKES = (
    "M6 59L25 5",
    "M25 5L44 59",
    "M13 40H37",
    "M61 5V59",
    "M61 59H85",
    "M101 5V59",
    "M101 59H123",
)
"""The seven strokes of ALL, in the order in which marks earn them."""

STAR = "M22 31.5l3.2 9.1 9.6.2-7.6 5.9 2.8 9.2-8-5.4-8 5.4 2.8-9.2-7.6-5.9 9.6-.2z"
MARKS_IN_ALL = len(STROKES)


@cache
def domino(
    high: int,
    low: int,
    *,
    height: int = 76,
    lying: bool = False,
    badge: int = 0,
    state: str = "",
    label: str = "",
) -> str:
    """One tile as an image with a spoken name. `state` is "", "played", "down" or "blank"."""
    width = height // 2
    size = (height, width) if lying else (width, height)
    box = "0 0 88 44" if lying else "0 0 44 88"
    turn = ' transform="translate(0 44) rotate(-90)"' if lying else ""
    hidden = f'role="img" aria-label="{escape(label, quote=True)}"' if label else 'aria-hidden="true"'
    shape = "tile" + (f" tile-{state}" if state else "")
    parts = [f'<svg class="{shape}" {hidden} width="{size[0]}" height="{size[1]}" viewBox="{box}">']
    parts.append(_body(lying))
    if state == "down":
        parts.append(f'<path class="star" d="{STAR}"{turn}/>')
    elif state == "played":
        parts.append(f"<g{turn}>{_hollow(high, low)}</g>")
    else:
        parts.append(f'<g{turn}><path class="bar" d="M7 44H37"/>{_pips(high, low)}')
        parts.append('<circle class="pin" cx="22" cy="44" r="2.7"/></g>')
    if badge and state == "":
        parts.append(_badge(badge, height, 88 if lying else 44))
    parts.append("</svg>")
    return "".join(parts)


def _body(lying: bool) -> str:
    """Edge and face. The edge shows below the face however the tile lies: light from above."""
    if lying:
        return '<rect class="edge" x="1" y="1.8" width="86" height="42" rx="7"/>' + (
            '<rect class="face" x="1" y="1" width="86" height="40.6" rx="7"/>'
        )
    return '<rect class="edge" x="1" y="1.8" width="42" height="86" rx="7"/>' + (
        '<rect class="face" x="1" y="1" width="42" height="84.6" rx="7"/>'
    )


def _places(high: int, low: int) -> list[Pip]:
    return [(22 + x, 22 + y) for x, y in LAYOUTS[high]] + [(22 + x, 66 + y) for x, y in LAYOUTS[low]]


def _pips(high: int, low: int) -> str:
    """All pips as one path of dots: a zero-length line with round ends is a disc."""
    places = _places(high, low)
    if not places:
        return ""
    return '<path class="pips" d="' + "".join(f"M{x} {y}h0" for x, y in places) + '"/>'


def _hollow(high: int, low: int) -> str:
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="3.8"/>' for x, y in _places(high, low))
    return f'<path class="bar" d="M7 44H37"/>{dots}'


def _badge(count: int, height: int, right: int) -> str:
    """The count disc on the upper right corner, 5 out and 6 up, at least 16 px across."""
    unit = 88 / height
    across = max(0.235 * 88, 16 * unit)
    out, up = max(5.0, 5 * unit), max(6.0, 6 * unit)
    x, y = right + out - across / 2, across / 2 - up
    return (
        f'<g class="count"><circle cx="{x:.2f}" cy="{y:.2f}" r="{across / 2 - 0.75 * unit:.2f}" '
        f'stroke-width="{1.5 * unit:.2f}"/><text x="{x:.2f}" y="{y:.2f}" dy=".36em" '
        f'font-size="{across * 0.6:.2f}">{count}</text></g>'
    )


@cache
def tally(earned: int, *, height: int = 26, preview: int = 0, label: str = "") -> str:
    """ALL with `earned` strokes in ink, `preview` more in brass dashes and the rest as dots."""
    earned = max(0, min(earned, MARKS_IN_ALL))
    ahead = max(earned, min(preview, MARKS_IN_ALL))
    hidden = f'role="img" aria-label="{escape(label, quote=True)}"' if label else 'aria-hidden="true"'
    strokes = [f'<path class="to-come" d="{path}"/>' for path in STROKES[ahead:]]
    strokes += [f'<path class="ahead" d="{path}"/>' for path in STROKES[earned:ahead]]
    strokes += [f'<path class="earned" pathLength="1" d="{path}"/>' for path in STROKES[:earned]]
    return (
        f'<svg class="all" {hidden} width="{height * 2}" height="{height}" viewBox="0 0 128 64">'
        + "".join(strokes)
        + "</svg>"
    )


@cache
def token(side: str) -> str:
    """The side token: a small tile with one pip a half, ivory for NS and ebony for EW."""
    tone = "ivory" if side == "NS" else "ebony"
    return (
        f'<svg class="token token-{tone}" aria-hidden="true" width="13" height="25" viewBox="0 0 13 25">'
        '<rect x=".75" y=".75" width="11.5" height="23.5" rx="2.8"/><path class="bar" d="M.8 12.5H12.2"/>'
        '<path class="pips" d="M6.5 6.7h0M6.5 18.3h0"/></svg>'
    )


@cache
def rings(won: int, needed: int) -> str:
    """Games won as rings stacked from below; decoration, the number is spoken elsewhere."""
    if needed < 2:
        return ""
    step, size = (11, 9) if needed < 4 else (9, 8)
    height = step * needed
    dots = "".join(
        f'<circle class="{"won" if number < won else "open"}" cx="5" '
        f'cy="{height - step / 2 - number * step:g}" r="{size / 2 - 0.6:g}"/>'
        for number in range(needed)
    )
    return (
        f'<svg class="rings" aria-hidden="true" width="10" height="{height}" '
        f'viewBox="0 0 10 {height}">{dots}</svg>'
    )
