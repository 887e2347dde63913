"""The weights of the second opinion, which come with the program."""

from functools import partial
from importlib import resources

from speech.sentence import say
from vision import larger
from vision.errors import VisionError
from vision.opinion import Network
from vision.watcher import Read


def second_opinion() -> Network:
    """A network of one's own, for one thread.

    Raises `VisionError` when the weights were not installed along, or this OpenCV cannot use them.
    """
    return Network(*(_weights(name) for name in ("opinion.onnx", "rim.onnx")))


def _weights(name: str) -> bytes:
    try:
        return resources.files("vision").joinpath(name).read_bytes()
    except OSError:
        raise VisionError(say("The file vision/{name} is missing: install Stickman again.", name=name)) from None


def reading() -> Read:
    """The watcher's reader, with a second opinion, for one thread. Raises as `second_opinion`."""
    return partial(larger.read, network=second_opinion())
