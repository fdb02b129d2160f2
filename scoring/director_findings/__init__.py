"""Fair play for directors: the list of cases and the page of one. Nobody else reaches them."""
