"""What can be wrong with a picture or a profile."""


class VisionError(ValueError):
    """A sentence for the person who will read it: what is wrong, and the cure."""
