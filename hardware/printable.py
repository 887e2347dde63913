"""What an owner prints on paper: the markers for the corners of the tray, as PDF."""

from importlib import resources

PAPERS = ("a4", "letter")


def markers(paper: str) -> bytes:
    """`paper`: one of `PAPERS`. `make guide` draws it."""
    return (resources.files("hardware") / "print" / f"markers-{paper}.pdf").read_bytes()
