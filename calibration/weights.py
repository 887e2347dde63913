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
    try:
        weights = resources.files("vision").joinpath("opinion.onnx").read_bytes()
    except OSError:
        raise VisionError(say("The file vision/opinion.onnx is missing: install Stickman again.")) from None
    return Network(weights)


def reading() -> Read:
    """The watcher's reader, with a second opinion, for one thread. Raises as `second_opinion`."""
    return partial(larger.read, network=second_opinion())
