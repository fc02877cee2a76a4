"""The command `mapwright`."""

from __future__ import annotations

import sys

from ._native import run_command


def main() -> None:
    """Runs the command, and ends the process with its exit status."""
    sys.exit(run_command(["mapwright", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
