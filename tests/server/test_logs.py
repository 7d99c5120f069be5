"""Are long values of log lines cut where a reader sees it?"""

import io
import json

import pytest
import structlog

from lastcard_server import logs

SENTENCE = "The store cannot be opened by this server because of words. "


@pytest.mark.parametrize(
    ("text", "end"),
    [(SENTENCE * 6, "words. "), (SENTENCE * 20, "…"), ("x" * 5_000, "x…")],
    ids=["whole", "sentences", "one word"],
)
def test_a_long_value_ends_with_a_word(
    text: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences of the server's own are whole; of others there is as much as fits, then a sign."""
    monkeypatch.setattr("logging.basicConfig", lambda **_: None)  # libraries log as before
    to, before = io.StringIO(), structlog.get_config()
    try:
        logs.configure(pretty=False, to=to)
        structlog.get_logger().info("said", text=text)
    finally:
        structlog.configure(**before)
    said: str = json.loads(to.getvalue())["text"]
    assert said.endswith(end)
    assert len(said) > 350
    assert {*said.removesuffix("…").split()} <= {*text.split()} or " " not in text
