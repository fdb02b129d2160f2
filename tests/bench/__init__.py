"""Measurements of this machine: `make bench`."""
