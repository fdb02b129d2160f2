"""The page `docs/rules-and-presets.md`: every switch, and each preset against the default.

It is made from the code by `python -m fortytwo presets --markdown`; a test keeps the two equal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from .presets import PRESETS, Preset
from .rules import CHOICES, CLASHES
from .switch_texts import EVENT_TITLES, SWITCH_TEXTS, default_of, event_phrase

SHOWN_VALUES = 8
"""A switch with more values than this is shown as a range."""

HEAD = """\
# Rules and presets

A tournament plays by a rule set: a preset, with any switch changed. The default is straight 42 as it is
played at the online championship table. This page is made from the code:
`python -m fortytwo presets --markdown`.
"""

PRESETS_HEAD = """\
## Presets

A switch that a preset does not list is not stated by its source and is at its default. What stands under
*Brings along* are settings of the event, not rules of a hand; an event can change them too.
"""


def markdown() -> str:
    """The whole page."""
    return (
        "\n".join([HEAD, *_switches(), *_clashes(), PRESETS_HEAD, *_overview(), *_presets()]).rstrip() + "\n"
    )


def _switches() -> Iterator[str]:
    yield "## Switches\n"
    yield "The default is in bold.\n"
    yield "| switch | what it sets | values |"
    yield "| --- | --- | --- |"
    for name in CHOICES:
        text = SWITCH_TEXTS[name]
        note = f" ({text.note})" if text.note else ""
        yield f"| `{name}` | {text.title}{note} | {_values(name)} |"
    yield ""


def _clashes() -> Iterator[str]:
    yield "### Switches that clash\n"
    yield "A set in which one switch says what another rules out is refused, and both are named.\n"
    for clash in CLASHES:
        yield f"- `{clash.first}` and `{clash.second}`: {clash.reason}."
    yield ""


def _values(name: str) -> str:
    text, choices = SWITCH_TEXTS[name], CHOICES[name]
    shown = [f"**{text.phrase(choices[0])}** (`{_value(choices[0])}`)"]
    if len(choices) > SHOWN_VALUES:
        numbers = [choice for choice in choices if isinstance(choice, int)]
        return f"{shown[0]}; any number from {min(numbers)} to {max(numbers)}"
    shown += [f"{text.phrase(choice)} (`{_value(choice)}`)" for choice in choices[1:]]
    return "; ".join(shown)


def _overview() -> Iterator[str]:
    """Presets side by side, as far as any of them differs."""
    differing = [name for name in CHOICES if any(name in preset.switches for preset in PRESETS.values())]
    yield "| | default | " + " | ".join(f"`{name}`" for name in PRESETS) + " |"
    yield "| --- " * (len(PRESETS) + 2) + "|"
    for name in differing:
        text = SWITCH_TEXTS[name]
        cells = [
            text.phrase(preset.switches[name]) if name in preset.switches else ""
            for preset in PRESETS.values()
        ]
        yield f"| {text.title} | {text.phrase(default_of(name))} | " + " | ".join(cells) + " |"
    yield ""


def _presets() -> Iterator[str]:
    for preset in PRESETS.values():
        yield f"### `{preset.name}`\n"
        yield f"{preset.source}\n"
        yield from _differences(preset)
        if preset.event:
            yield "Brings along:\n"
            for key, item in preset.event.items():
                yield f"- {EVENT_TITLES[key]}: **{event_phrase(item)}**"
            yield ""


def _differences(preset: Preset) -> Iterator[str]:
    if not preset.switches:
        yield "Nothing differs from the default.\n"
        return
    for name, value in preset.switches.items():
        text = SWITCH_TEXTS[name]
        before = text.phrase(default_of(name))
        yield f"- {text.title}: **{text.phrase(value)}** (default: {before})"
    yield ""


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
