"""What every stored record shares: an id that can be made anywhere without clashing."""

import unicodedata
import uuid

from django.db import models
from uuid6 import uuid7


def new_id() -> uuid.UUID:
    """A version-7 UUID: ordered by time, unique across machines."""
    return uuid.UUID(int=uuid7().int)


SEARCHABLE_LENGTH = 480
"""Characters of a searchable name: some letters decompose into 18, and an index row holds 2,704 bytes."""


def folded(name: str) -> str:
    """The name without accents and case, for comparing: 'José Peña' -> 'jose pena'."""
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def searchable(name: str) -> str:
    """As much of the folded name as is stored for searching."""
    return folded(name)[:SEARCHABLE_LENGTH]


class Record(models.Model):
    """Abstract parent: a time-ordered UUID as primary key."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)

    class Meta:
        abstract = True
