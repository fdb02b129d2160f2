"""Commands that run and keep the site."""
