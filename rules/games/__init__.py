"""The games that can be played, by name. A new game is one more file here and one more line."""

from collections.abc import Mapping
from typing import Any

from rules.game import ENGINE_VERSION, Game
from rules.games.farkle import Farkle

__all__ = ["ENGINE_VERSION", "GAMES"]

GAMES: Mapping[str, Game[Any]] = {game.name: game for game in (Farkle(),)}
