"""Is the README's bot the one that plays in the demonstration?"""

import re
from pathlib import Path

SOURCE = Path("demo/bot.py").read_text()


def test_the_bot_in_the_readme_is_the_one_that_plays() -> None:
    """The first Python block of the README is demo/bot.py, letter by letter."""
    readme = Path("README.md").read_text()
    assert re.findall(r"^```python\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)[0] == SOURCE
