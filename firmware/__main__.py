"""The command line: `stickman COMMAND`. A command is a module of `firmware.commands`, imported when asked for."""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from typing import NoReturn

from firmware import commands
from firmware.errors import StickmanError


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    names = command_names()
    if not arguments or arguments[0] in ("-h", "--help") or arguments[0] not in names:
        return _overview(arguments, names)
    name = arguments[0]
    command = importlib.import_module(f"firmware.commands.{name}")
    parser = _Parser(prog=f"stickman {name}", description=command.HELP)
    command.arguments(parser)
    try:
        return int(command.run(parser.parse_args(arguments[1:])))
    except _sentences() as error:
        print(f"stickman: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone; the interpreter must not complain about it again at exit.
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130


def command_names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(commands.__path__)))


class _Parser(argparse.ArgumentParser):
    """argparse with a mistake said in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}. See: {self.prog} --help\n")


def _overview(arguments: Sequence[str], names: Sequence[str]) -> int:
    if arguments and arguments[0] not in ("-h", "--help"):
        print(f"stickman: there is no command {arguments[0]!r}; there are {', '.join(names)}.", file=sys.stderr)
        return 2
    print("Stickman, the dice tray that calls the roll.\n\nusage: stickman COMMAND [--help]\n")
    for name in names:
        print(f"  {name:10} {importlib.import_module(f'firmware.commands.{name}').HELP}")
    return 0 if arguments else 2


def _sentences() -> tuple[type[Exception], ...]:
    """The errors that are sentences for the person at the keyboard. Only floors already loaded can have raised."""
    kinds: list[type[Exception]] = [StickmanError]
    for floor, name in (
        ("rules.errors", "RulesError"),
        ("vision.errors", "VisionError"),
        ("hardware.facts", "HardwareError"),
        ("web.errors", "WebError"),
    ):
        module = sys.modules.get(floor)
        if module is not None:
            kinds.append(getattr(module, name))
    return tuple(kinds)


if __name__ == "__main__":
    sys.exit(main())
