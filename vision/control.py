"""What a control of a camera can be set to."""

Control = bool | int | float | str | tuple[float, ...]
