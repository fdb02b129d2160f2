"""Sets a PDF with Typst from a template in `templates/paper` and the data that it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import segno
import typst
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

FONTS = Path(__file__).parent / "fonts"
PAPERS = {"letter": "us-letter", "a4": "a4"}
"""Sizes that can be asked for, with Typst's names for them."""

LETTER_ZONES = ("America/", "US/", "Canada/")
"""Where printers hold US letter: America, by its time zones."""


@lru_cache(maxsize=1)
def _fonts() -> typst.Fonts:
    """The sheets' own face; the machine's fonts stand in for scripts that it lacks."""
    return typst.Fonts(include_system_fonts=True, font_paths=[str(FONTS)])


def paper_of(request: HttpRequest, time_zone: str) -> str:
    """The size asked for with `?paper=`, else the one that is usual where the event is."""
    usual = "letter" if time_zone.startswith(LETTER_ZONES) else "a4"
    asked = request.GET.get("paper", usual)
    return asked if asked in PAPERS else usual


def press(template: str, paper: str, data: Mapping[str, Any]) -> bytes:
    """The PDF, tagged for screen readers. `data` must be JSON; text in it is shown as it is, never as markup."""
    folder = Path(settings.BASE_DIR) / "templates" / "paper"
    known = {"paper": PAPERS[paper], "language": (get_language() or "en").split("-")[0]}
    compiler = typst.Compiler(
        str(folder / f"{template}.typ"),
        root=str(folder),
        font_paths=_fonts(),
        sys_inputs={"data": json.dumps({**known, **data})},
    )
    made = compiler.compile(format="pdf")
    if not isinstance(made, bytes):
        raise TypeError("a PDF is one file")
    return made


def pdf_response(body: bytes, name: str) -> HttpResponse:
    """The PDF as an answer that the browser shows; `name` is what it is saved as."""
    response = HttpResponse(body, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response


def square(address: str) -> str:
    """The address as a QR code in SVG, with the quiet edge that readers need."""
    code: Any = segno.make(address, error="m", micro=False)
    return str(code.svg_inline(border=4, dark="#000", light="#fff"))
