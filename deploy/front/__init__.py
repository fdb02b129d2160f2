"""The raw ASGI front: it answers event streams itself and hands everything else to Django."""
