"""Seeds a local database with events in every state, for looking at the pages. Not a test.

SEVEN_MARKS_VAR=/tmp/look python -m tests.pages.demo
"""

import os


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.embedded")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from tests.pages.event import ODD_NAMES, account, dispute, event, full_hand, play, record_live

    owner = account()
    big = event(147, name="Lone Star 42 Championship", tables=52, owner=owner)
    play(big, 75)
    live = list(big.live())
    full_hand(big, live[0], game=1, number=1, plays=28, seed=3)
    full_hand(big, live[0], game=1, number=2, plays=19, known=False, seed=5, shaker="N")
    record_live_rest(big, record_live, skip=live[0].number)
    dispute(big, next(match for match in big.live() if match.state == "called"))
    play(event(147, name="Hill Country State 42", tables=60, owner=owner, seed=5))
    event(147, name="Brazos Valley Open", published=False, started=False, here=112, owner=owner, seed=6)
    event(12, name="Drawn and Waiting", started=False, here=12, owner=owner, seed=7, tables=6)
    two = event(2, name="The Two of Us", kind="single-elimination", owner=owner, seed=8, tables=1)
    play(two, 5)
    play(event(2, name="The Two of Us, Finished", owner=owner, seed=9, tables=1))
    odd = event(
        14,
        name="Ñandú’s “Odd Names” <b>Invitational</b> & فريق الدومينو Friends of the Longest Name",
        names=ODD_NAMES,
        owner=owner,
        seed=10,
        tables=5,
    )
    play(odd, 60)
    record_live(odd)
    single = event(
        21,
        name="Single Elimination Night",
        kind="single-elimination",
        owner=owner,
        seed=11,
        tables=6,
        stage={"third_place": True},
    )
    play(single)
    event(8, name="Hidden", visibility="private", owner=owner)
    event(8, name="By Link Only", visibility="unlisted", owner=owner)
    eleven = event(11, name="Eleven Teams", owner=owner, seed=12, tables=5)
    play(eleven, 150)


def record_live_rest(made, record_live, skip: int) -> None:  # type: ignore[no-untyped-def]
    everything = made.live
    made.live = lambda: [match for match in everything() if match.number != skip]  # type: ignore[method-assign]
    record_live(made)
    made.live = everything  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
