"""Chance that can be re-made: a generator of random numbers for each thing that has a name."""

import hashlib
import random


def dice(seed: int, *names: str | int) -> random.Random:
    """The generator for the thing called `names` under `seed`; equal names give equal numbers."""
    text = "/".join(map(str, (seed, *names)))
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))
