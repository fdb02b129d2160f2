"""One call for the commands: build an event on a server, or take up one that runs, and play it."""

from dataclasses import dataclass

from scoring.simulation.client import Api, Figures, SimulationError
from scoring.simulation.event import EventSpec, Tokens, event_build, event_read
from scoring.simulation.pace import Pace
from scoring.simulation.progress import Progress, clock, counted, latencies
from scoring.simulation.runner import Outcome, Runner


@dataclass(frozen=True, slots=True)
class Settings:
    """What is played, where and how fast. `resume` is the slug of an event to play on; `shown_url` is what
    people type where it is not `base_url`."""

    base_url: str
    spec: EventSpec
    tokens: Tokens
    pace: Pace
    connections: int = 8
    resume: str = ""
    shown_url: str = ""


async def event_play(settings: Settings, progress: Progress) -> tuple[Outcome, Figures]:
    """Play to the champion, saying how it goes. Raises SimulationError, also for an event that broke a rule."""
    async with Api(settings.base_url, connections=settings.connections) as api:
        if settings.resume:
            event = await event_read(api, settings.resume, settings.tokens)
        else:
            event = await event_build(api, settings.spec, settings.tokens)
        site = (settings.shown_url or settings.base_url).rstrip("/")
        progress.say(f"{event.name}: {event.teams} teams, {len(event.tables)} tables, {site}/t/{event.slug}/")
        progress.begin()
        runner = Runner(
            api=api,
            event=event,
            tokens=settings.tokens,
            habits=settings.spec.habits,
            pace=settings.pace,
            progress=progress,
        )
        outcome = await runner.run()
        progress.say(summary(outcome, api.figures))
    if outcome.findings:
        raise SimulationError("The event is over, but wrong:\n" + "\n".join(outcome.findings))
    return outcome, api.figures


def summary(outcome: Outcome, figures: Figures) -> str:
    """What there is to say at the end."""
    writes, reads = len(figures.writes), len(figures.reads)
    seconds = max(outcome.seconds, 0.001)
    lines = [
        f"Champion: {outcome.champion}, after {clock(outcome.seconds)}.",
        f"Matches: {counted(outcome.levels)}; settled by {counted(outcome.settled)}.",
        f"Writes: {writes}, {writes / seconds:.1f} a second; {latencies(figures.writes)}.",
        f"Reads: {reads}, {reads / seconds:.1f} a second; {latencies(figures.reads)}.",
        f"Refused as they must be: {figures.refused.total()} ({counted(figures.refused) or 'none'}).",
    ]
    if figures.unexpected:
        lines.append(f"Refused though they were right: {counted(figures.unexpected)}.")
    if figures.repeated:
        lines.append(f"Sent again: {counted(figures.repeated)}.")
    if outcome.meddled:
        lines.append(f"Entered at the desk because somebody else wrote: {', '.join(outcome.meddled)}.")
    if not outcome.findings:
        lines.append("Every team has its losses, every match is closed, the placings agree.")
    return "\n".join(lines)
