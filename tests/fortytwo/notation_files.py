"""Files in 42 notation that several tests read."""

import re
from pathlib import Path

from fortytwo.notation import HEADER

PAGE = Path(__file__).parents[2] / "docs" / "notation.md"
EXAMPLE = re.search(r"```\n(42 notation.*?)```", PAGE.read_text(), re.S).group(1)
GRAMMAR = re.search(r"```ebnf\n(.*?)```", PAGE.read_text(), re.S).group(1)


def file(*lines):
    return "\n".join([HEADER, *lines]) + "\n"


FULL = """hand 1
shaker W
deal N 6-6 6-5 6-4 6-2 5-5 3-3 2-2
deal E 6-3 6-1 5-4 3-0 2-0 1-1 1-0
deal S 6-0 5-3 5-0 4-3 4-2 4-1 3-1
deal W 5-2 5-1 4-4 4-0 3-2 2-1 0-0
calls N:34 E:pass S:pass W:pass
trump 6
1. N:6-6 E:6-1 S:6-0 W:0-0 = N 1
2. N:6-5 E:6-3 S:5-0 W:2-1 = N 6
3. N:6-4 E:2-0 S:4-1 W:4-0 = N 16
4. N:5-5 E:5-4 S:5-3 W:5-2 = N 11
result made 1-0 points 34-0 tricks 4"""
