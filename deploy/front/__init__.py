"""The raw ASGI front: it answers event streams, gives out public pages that are still true, and hands everything
else to Django."""
