"""How does a command say that what it was given cannot be used? One sentence, and exit code 2."""

import click


class BadInput(click.ClickException):
    """A file or option that cannot be used; the message is the sentence that is printed."""

    exit_code = 2
