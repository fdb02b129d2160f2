"""Tags of the composition root."""
