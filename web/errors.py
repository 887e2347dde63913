"""What can go wrong with serving the pages. Each message is a sentence that names the thing and the cure."""


class WebError(Exception):
    """Base of the pages' own errors."""


class PortTaken(WebError, OSError):
    """The address cannot be listened on."""
