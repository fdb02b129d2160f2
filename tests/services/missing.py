"""What a service says when it cannot be had."""


class ServiceMissingError(Exception):
    """In one line: what is missing, why, and how to get it."""
