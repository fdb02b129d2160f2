"""The table page: what holders of a link, and officials for them, enter at a table."""
