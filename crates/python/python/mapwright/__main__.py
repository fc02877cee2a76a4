"""The command `mapwright`."""

from __future__ import annotations

import signal
import sys

from ._native import run_command


def main() -> None:
    """Runs the command, and ends the process with its exit status."""
    # The command replaces only the default handler. That of Python would run after the command. An ignored signal stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(["mapwright", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
