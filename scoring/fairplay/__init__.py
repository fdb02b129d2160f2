"""Fair play as pure functions: records in, findings out. No Django, no clock, no chance.

A *detector* reads one record and says what it found, or why it could not look: never that all is well.
A *finding* is an observation with what speaks for it, what speaks against it and the innocent reasons
that were tried. It is a question for a person; nothing here changes a score. What is said to people is
made from codes and facts elsewhere.

This is the rule tier: each finding is a statement that is true of the record. Statistical detectors come
later as further entries of `registry.DETECTORS`.
"""
