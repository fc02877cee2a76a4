"""Columns as arrays of NumPy and pyarrow. Both are imported only here, when a caller needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    from ._native import Column, Table

NO_ROW = 0xFFFFFFFF
"""The row index of a corner without a value, and the material index of a face without one."""


def take_rows(rows: "numpy.ndarray[Any, Any]", indices: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    """Returns the row of each index, and NaN for `NO_ROW`."""
    import numpy

    is_missing = indices == NO_ROW
    if not is_missing.any():
        taken: "numpy.ndarray[Any, Any]" = rows[indices]
        return taken
    taken = numpy.full((len(indices), rows.shape[1]), numpy.nan, rows.dtype)
    taken[~is_missing] = rows[indices[~is_missing]]
    return taken


def column_to_numpy(column: "Column") -> "numpy.ndarray[Any, Any]":
    """Returns the values of a column; see `Column.to_numpy`."""
    import numpy

    texts = column.to_texts()
    if texts is not None:
        array = numpy.empty(len(texts), object)
        array[:] = texts
        return array
    values, valid = column.values, column.is_valid
    if valid is None:
        return values
    if column.kind in ("float", "numbers"):
        values = values.copy()
        values[~valid] = numpy.nan
        return values
    return numpy.ma.masked_array(values, mask=~valid)


def column_to_arrow(column: "Column") -> Any:
    """Returns a column as an array of pyarrow."""
    import numpy
    import pyarrow

    rows, valid = len(column), column.is_valid
    bitmap = None
    if valid is not None:
        bitmap = pyarrow.py_buffer(numpy.packbits(valid, bitorder="little"))
    if column.kind == "text":
        buffers = [bitmap, pyarrow.py_buffer(column.offsets), pyarrow.py_buffer(column.values)]
        return pyarrow.Array.from_buffers(pyarrow.large_string(), rows, buffers)
    if column.kind == "bool":
        return pyarrow.array(column.values, mask=None if valid is None else ~valid)
    values = pyarrow.py_buffer(column.values)
    if column.kind == "numbers":
        numbers = pyarrow.Array.from_buffers(pyarrow.float64(), column.values.size, [None, values])
        of = pyarrow.list_(pyarrow.float64(), column.values.shape[1])
        return pyarrow.Array.from_buffers(of, rows, [bitmap], children=[numbers])
    of = pyarrow.int64() if column.kind == "int" else pyarrow.float64()
    return pyarrow.Array.from_buffers(of, rows, [bitmap, values])


def table_to_arrow(table: "Table") -> Any:
    """Returns a table as one of pyarrow."""
    import pyarrow

    return pyarrow.table([column_to_arrow(column) for column in table.columns], names=table.names)
