"""Tables of the objects of many files, as Parquet.

`write_tables` writes a row for each object and a row for each file. It works in batches: each batch becomes a part of both tables. A batch
whose part exists is skipped, so a run that was stopped resumes. `write_batch` writes one batch, in any thread or process.
pyarrow is required.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from . import _native
from ._errors import Error

if TYPE_CHECKING:
    from ._options import Path as AnyPath
    from ._options import ReadOptions

__all__ = ["Batch", "Summary", "plan_batches", "read_file", "write_batch", "write_tables"]

DEFAULT_FIELDS: Mapping[str, str] = {
    "class": "string",
    "name": "string",
    "x": "double",
    "y": "double",
    "z": "double",
    "key": "string",
}
"""The fields of objects in the table, with their types in the notation of pyarrow."""


@dataclass(frozen=True)
class Batch:
    """Files whose rows become one part of each table. It can be sent to other processes and machines with the same files."""

    folder: str
    """The folder of the tables."""
    number: int
    """The number of the part, from 0."""
    files: Tuple[str, ...]
    """The files."""
    query: str
    """The objects."""
    fields: Tuple[Tuple[str, str], ...]
    """The names and types of the fields of objects."""
    options: Tuple[Tuple[str, Any], ...]
    """The options of reading."""

    @property
    def fingerprint(self) -> str:
        """A text that differs if the files or anything else of the batch differs. The content of files does not count."""
        content = {name: value for name, value in asdict(self).items() if name != "folder"}
        return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


@dataclass(frozen=True)
class Summary:
    """The numbers of rows that were written."""

    files: int = 0
    failed: int = 0
    objects: int = 0
    skipped: int = 0
    """The number of batches whose parts existed."""

    def __add__(self, other: "Summary") -> "Summary":
        return Summary(
            self.files + other.files,
            self.failed + other.failed,
            self.objects + other.objects,
            self.skipped + other.skipped,
        )


def write_tables(
    files: Iterable["AnyPath"],
    folder: "AnyPath",
    *,
    query: str = "*",
    fields: Mapping[str, str] = DEFAULT_FIELDS,
    batch_size: int = 500,
    map: Callable[[Callable[[Batch], Summary], List[Batch]], Iterable[Summary]] = map,
    options: Optional["ReadOptions"] = None,
) -> Summary:
    """Writes the tables `objects` and `files` below a folder, and returns the numbers of rows in all parts.

    `map` applies a function to a list: the built-in one, `Executor.map` of `concurrent.futures`, or for Dask
    `lambda work, batches: client.gather(client.map(work, batches))`. The tables are equal in all cases.

    A file that cannot be read is a row of `files` with `ok` false and the error. Raises Error if the folder has parts of other files,
    another query, other fields or other options; remove the folder to start again.
    """
    batches = plan_batches(files, folder, query=query, fields=fields, batch_size=batch_size, options=options)
    for table in ("files", "objects"):
        # Parts of a longer list would stay in the table.
        others = set(Path(folder, table).glob("part-*.parquet")) - {_part(table, batch) for batch in batches}
        if others:
            raise _another_list(min(others))
    return sum(map(write_batch, batches), Summary())


def plan_batches(
    files: Iterable["AnyPath"],
    folder: "AnyPath",
    *,
    query: str = "*",
    fields: Mapping[str, str] = DEFAULT_FIELDS,
    batch_size: int = 500,
    options: Optional["ReadOptions"] = None,
) -> List[Batch]:
    """Divides files into batches. The order of the files matters: the same list gives the same parts."""
    import pyarrow

    if batch_size < 1:
        raise ValueError(f"invalid batch_size {batch_size}: expected at least 1")
    _native.check_query(query)
    for name, of in fields.items():
        if name in ("file", "index"):
            raise ValueError(f"invalid field {name!r}: the table has a column of this name")
        pyarrow.type_for_alias(of)
    names = [os.fspath(file) for file in files]
    shared = (query, tuple(fields.items()), tuple(sorted((options or {}).items())))
    starts = range(0, len(names), batch_size)
    return [
        Batch(os.fspath(folder), number, tuple(names[start : start + batch_size]), *shared)
        for number, start in enumerate(starts)
    ]


def write_batch(batch: Batch) -> Summary:
    """Writes one part of both tables, unless it exists. A part of `files` is written last, so it states that the batch is complete."""
    import pyarrow
    from pyarrow import parquet

    objects_path, files_path = _part("objects", batch), _part("files", batch)
    if files_path.exists():
        return _read_summary(files_path, batch)
    objects_schema, files_schema = _schemas(batch)
    objects_path.parent.mkdir(parents=True, exist_ok=True)
    files_path.parent.mkdir(parents=True, exist_ok=True)
    rows: List[Dict[str, Any]] = []
    with _replacing(objects_path) as unfinished, parquet.ParquetWriter(unfinished, objects_schema) as writer:
        # One file at a time is in memory.
        for file in batch.files:
            row, objects = read_file(file, batch.query, batch.fields, **dict(batch.options))
            rows.append(row)
            if objects is not None and objects.num_rows > 0:
                writer.write_table(objects)
    with _replacing(files_path) as unfinished:
        parquet.write_table(pyarrow.Table.from_pylist(rows, files_schema), unfinished)
    return _summarize(rows)


def read_file(
    file: "AnyPath", query: str = "*", fields: Iterable[Tuple[str, str]] = tuple(DEFAULT_FIELDS.items()), **options: Any
) -> Tuple[Dict[str, Any], Any]:
    """Returns the row of a file, and the table of its objects, or None if it cannot be read.

    Fields that no object of the file has are null. A value that does not fit the type of its column is an error of the file.
    """
    import pyarrow

    name = os.fspath(file)
    row: Dict[str, Any] = {"file": name, "ok": False, "error": None, "category": None, "format": None, "bytes": None, "objects": 0}
    fields = tuple(fields)
    try:
        row["bytes"] = os.stat(name).st_size if os.path.isfile(name) else None
        document = _native.open(name, **options)
        row["format"] = document.format
        table = document.table(query, fields=[field for field, _ in fields], allow_unknown=True).to_arrow()
        columns = [pyarrow.repeat(pyarrow.scalar(name, pyarrow.string()), table.num_rows)]
        columns.append(pyarrow.array(range(table.num_rows), pyarrow.int64()))
        for field, of in fields:
            column = table[field]
            wanted = pyarrow.type_for_alias(of)
            if column.null_count == len(column):
                columns.append(pyarrow.nulls(len(column), wanted))
            else:
                columns.append(column.cast(wanted).combine_chunks())
        objects = pyarrow.table(columns, names=["file", "index", *(field for field, _ in fields)])
    except Error as error:
        row.update(error=str(error), category=error.category)
        return row, None
    except pyarrow.ArrowException as error:
        row.update(error=f"a value does not fit its column: {error}", category="unsupported")
        return row, None
    row.update(ok=True, objects=table.num_rows)
    return row, objects


def _part(table: str, batch: Batch) -> Path:
    """Returns the path of the part of a table that a batch becomes."""
    return Path(batch.folder, table, f"part-{batch.number:05}.parquet")


def _schemas(batch: Batch) -> Tuple[Any, Any]:
    """Returns the schemas of both tables, with the fingerprint of the batch."""
    import pyarrow

    metadata = {"mapwright.batch": batch.fingerprint}
    objects: List[Tuple[str, Any]] = [("file", pyarrow.string()), ("index", pyarrow.int64())]
    objects += [(name, pyarrow.type_for_alias(of)) for name, of in batch.fields]
    files: Sequence[Tuple[str, Any]] = [
        ("file", pyarrow.string()),
        ("ok", pyarrow.bool_()),
        ("error", pyarrow.string()),
        ("category", pyarrow.string()),
        ("format", pyarrow.string()),
        ("bytes", pyarrow.int64()),
        ("objects", pyarrow.int64()),
    ]
    return pyarrow.schema(objects), pyarrow.schema(files, metadata)


def _read_summary(path: Path, batch: Batch) -> Summary:
    """Returns the numbers of an existing part. Raises Error if it belongs to another batch."""
    from pyarrow import parquet

    found = (parquet.read_schema(path).metadata or {}).get(b"mapwright.batch", b"").decode()
    if found != batch.fingerprint:
        raise _another_list(path)
    return _summarize(parquet.read_table(path, columns=["ok", "objects"]).to_pylist()) + Summary(skipped=1)


def _another_list(path: Path) -> Error:
    message = f"{path}: belongs to another list of files, query, fields or options"
    return Error(message, category="unsupported", file=str(path), help="remove the folder, or use another one")


def _summarize(rows: Sequence[Mapping[str, Any]]) -> Summary:
    failed = sum(not row["ok"] for row in rows)
    return Summary(len(rows), failed, sum(row["objects"] for row in rows))


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Gives the name of a new file, which gets the name `path` when it is complete. Several processes may write the same part.

    Readers of tables ignore names that begin with a dot.
    """
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        yield unfinished
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
