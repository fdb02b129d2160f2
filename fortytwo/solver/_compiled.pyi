from collections.abc import Sequence

from .numbering import Numbering

NAME: str
DIGEST: str

class Core:
    @property
    def nodes(self) -> int: ...
    def set_limit(self, limit: int) -> None: ...
    def load(self, numbers: Numbering, holdings: Sequence[int]) -> None: ...
    def bound(
        self, holdings: Sequence[int], leader: int, table: Sequence[int], lead: int, need: int
    ) -> int: ...
