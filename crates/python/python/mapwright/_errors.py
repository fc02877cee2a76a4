"""Exceptions. Each is a subclass of `Error`, and of the built-in exception that fits."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple, Type

if TYPE_CHECKING:
    from ._native import Loss


class Error(Exception):
    """A file that cannot be read, converted, edited or written.

    `str(error)` is the problem with its place. The attributes have its parts; those that do not apply are None.
    """

    category: str
    """truncated, malformed, unsupported, limit, io or losses."""
    file: Optional[str]
    """The file with the problem."""
    place: Optional[str]
    """The position in the file, as text."""
    path: Optional[str]
    """The path of the part of the document or scene."""
    help: Optional[str]
    """One line that states what to do next."""
    offset: Optional[int]
    """The number of bytes before the position."""
    line: Optional[int]
    """The line in a text, from 1."""
    column: Optional[int]
    """The column in the line, from 1, in bytes."""

    def __init__(
        self,
        message: str,
        *,
        category: str = "malformed",
        file: Optional[str] = None,
        place: Optional[str] = None,
        path: Optional[str] = None,
        help: Optional[str] = None,
        offset: Optional[int] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self._message = message
        self.category = category
        self.file = file
        self.place = place
        self.path = path
        self.help = help
        self.offset = offset
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return self._message

    def __reduce__(self) -> Tuple[Any, ...]:
        # Exceptions with keyword arguments need this to be sent to other processes.
        return _restore, (type(self), self._message, _fields(self))


class MalformedError(Error, ValueError):
    """The input ends early or contradicts its format."""


class UnsupportedError(Error, ValueError):
    """The format or this version does not support the operation."""


class QueryError(UnsupportedError):
    """An invalid query or edit, or a value that a field cannot have."""


class LimitError(Error):
    """A limit was reached, which options can raise."""


class LossError(Error):
    """A conversion with `strict=True` has losses. Nothing was written."""

    losses: Tuple["Loss", ...]
    """The losses."""

    def __init__(self, message: str, *, losses: Sequence["Loss"] = (), **fields: Any) -> None:
        super().__init__(message, **{**fields, "category": "losses"})
        self.losses = tuple(losses)


class FileError(Error, OSError):
    """The operating system reported an error."""

    def __init__(self, message: str, *, errno: Optional[int] = None, **fields: Any) -> None:
        super().__init__(message, **{"category": "io", **fields})
        self.errno = errno
        self.strerror = message
        self.filename: Optional[str] = self.file


class MissingFileError(FileError, builtins.FileNotFoundError):
    """A file does not exist."""


class ExistingFileError(FileError, builtins.FileExistsError):
    """A file exists and must not be replaced."""


class FilePermissionError(FileError, builtins.PermissionError):
    """A file must not be read or written."""


def _fields(error: Error) -> Dict[str, Any]:
    names = ["category", "file", "place", "path", "help", "offset", "line", "column"]
    fields = {name: getattr(error, name) for name in names}
    if isinstance(error, FileError):
        fields["errno"] = error.errno
    if isinstance(error, LossError):
        fields["losses"] = error.losses
    return fields


def _restore(cls: Type[Error], message: str, fields: Dict[str, Any]) -> Error:
    return cls(message, **fields)
