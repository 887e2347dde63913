"""One file a command of `stickman`."""
