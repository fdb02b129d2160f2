"""The pages of the people who run a tournament."""
