"""What the public pages show: rows of all three apps joined into plain values, and how they are cached.

Nothing here writes. Each selector says how many queries it takes; none grows with the size of a list.
"""
