"""Views of the pages of those who run a tournament; each reads, asks one service, and shows."""
