"""Who plays whom: pure plans of brackets, the walk through them, and the places at the end.

Nothing here knows a database, a clock or a web page. A *plan* is drawn once from the number of teams; the
*state* of a bracket is a pure function of the plan, the entries in seed order, the confirmed results and the
withdrawals.
"""
