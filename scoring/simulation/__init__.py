"""Plays whole events against a running server through its REST API: the demo, the load, the end-to-end test.

Planning is pure: `names`, `hands`, `plans`, `checks` and `export` know no server, no clock and no global
chance, and everything random follows from the seed and a match's code. `client`, `event`, `scribe` and
`runner` say the plans to a server; `accounts` alone touches the database beside it.
"""
