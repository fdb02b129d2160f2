from collections.abc import Sequence

DIGEST: str

class Tables:
    def __init__(
        self,
        follow: Sequence[int],
        fallback: Sequence[int],
        beating: Sequence[int],
        power: Sequence[Sequence[int]],
        small: Sequence[int],
        called: Sequence[int],
        counts: Sequence[int],
    ) -> None: ...

class Lines:
    def __init__(
        self,
        tables: Tables,
        held: Sequence[int],
        turns: Sequence[Sequence[int]],
        counted: bool,
        first_lead: bool,
        claimer: int,
        order: Sequence[int],
    ) -> None: ...
    def reaches(
        self, side: int, leader: int, need: int, work: int
    ) -> tuple[bool | None, int, list[tuple[int, int]]]: ...
