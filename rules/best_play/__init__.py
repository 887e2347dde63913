"""The best play of any rules: by expected score, and by the chance to win between two players. Uses numpy."""
