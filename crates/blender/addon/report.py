# SPDX-License-Identifier: GPL-3.0-or-later
"""Differences between a file and Blender, and errors, which the user must know."""


class ExportError(Exception):
    """A problem with the objects in Blender. The text ends with what to do next."""


class LossList:
    """Differences in order. Those with an equal kind and text are one line, with the path of the first and their number."""

    def __init__(self):
        self._found = {}

    def add(self, kind, text, count=1, path=""):
        """Adds a difference of a kind of the package: dropped, approximated, synthesized or repaired."""
        entry = self._found.setdefault((kind, text), [path, 0])
        entry[1] += count

    def add_all(self, losses):
        """Adds the losses of the package. Preserved data is not lost."""
        for loss in losses:
            if loss.kind != "preserved":
                self.add(loss.kind, loss.text, loss.count, loss.path)

    def lines(self):
        return [
            ": ".join(part for part in (kind, path, text) if part) + (f" ({count} times)" if count > 1 else "")
            for (kind, text), (path, count) in self._found.items()
        ]
