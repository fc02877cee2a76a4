# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences between a file and Blender, and errors, which the user must know."""


class ExportError(Exception):
    """A problem with the objects in Blender. The text ends with what to do next."""


class LossList:
    """Texts in order. Equal texts are counted."""

    def __init__(self):
        self._counts = {}

    def add(self, kind, text, count=1):
        """Adds a difference of a kind of the package: dropped, approximated, synthesized or repaired."""
        line = f"{kind}: {text}"
        self._counts[line] = self._counts.get(line, 0) + count

    def add_all(self, losses):
        """Adds the losses of the package. Preserved data is not lost."""
        for loss in losses:
            if loss.kind != "preserved":
                self._counts[str(loss)] = self._counts.get(str(loss), 0) + 1

    def lines(self):
        return [line + (f" ({count} times)" if count > 1 else "") for line, count in self._counts.items()]
