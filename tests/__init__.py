"""The tests: folders mirror the source; beside them concurrency, crash, browser and bench tests."""
