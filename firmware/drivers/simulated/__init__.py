"""The simulated tray: a camera that renders dice in perspective, and the hands that throw them."""
