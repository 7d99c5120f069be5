"""The asyncio service around the engine."""
