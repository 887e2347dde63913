"""What can be wrong with rules and moves. Each message is a sentence for the players."""


class RulesError(ValueError):
    """Any mistake in rules or moves."""


class InvalidMove(RulesError):
    """Not a move of this game at all: seven on a die, no such player."""


class IllegalMove(RulesError):
    """A move of this game, but not now: banking before a throw, setting aside a dead die."""


class BadRules(RulesError):
    """Rules that cannot be played: an unknown option, a value that is not allowed."""
