"""How the site is: probes, metrics, log lines, the director's box and the doctor. No models of its own."""
