"""How fast is it, and does it hold? Benchmarks and bounded load, on loopback only."""
