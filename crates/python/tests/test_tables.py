"""Tests of tables of many files."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, List

import pyarrow
import pytest
from pyarrow import parquet

import mapwright as mw
from mapwright import tables

from files import FIXTURES

NAMES = ["vmap/room.vmap", "wwd/claw.wwd", "wmp/room.wmp", "wrp/island.wrp", "wings/torus.wings", "rez/game.rez"]


@pytest.fixture
def files(tmp_path: Path) -> List[Path]:
    """Levels of several formats, of which one is damaged and one is missing."""
    damaged = tmp_path / "damaged.wwd"
    damaged.write_bytes((FIXTURES / "wwd/claw.wwd").read_bytes()[:1000])
    return [FIXTURES / NAMES[0], damaged, *(FIXTURES / name for name in NAMES[1:]), tmp_path / "missing.wmp"]


def read(folder: Path) -> "list[pyarrow.Table]":
    return [parquet.read_table(folder / table) for table in ("objects", "files")]


def test_each_object_and_each_file_has_a_row(files: List[Path], tmp_path: Path) -> None:
    summary = tables.write_tables(files, tmp_path / "out", batch_size=3)
    objects, rows = read(tmp_path / "out")
    assert rows["file"].to_pylist() == [str(file) for file in files]
    assert rows["ok"].to_pylist() == [True, False, True, True, True, True, False, False]
    assert rows["category"].to_pylist()[1] in ("truncated", "malformed") and rows["error"].to_pylist()[1]
    assert rows["category"].to_pylist()[-2:] == ["unsupported", "io"]
    assert rows["format"].to_pylist()[:1] == ["vmap"] and rows["bytes"].to_pylist()[0] == files[0].stat().st_size
    assert summary == tables.Summary(len(files), 3, objects.num_rows, 0)
    expected = mw.open(files[0]).query(fields=["class", "name", "x"])
    found = objects.filter(pyarrow.compute.equal(objects["file"], str(files[0]))).to_pylist()
    assert [{name: one[name] for name in ("class", "name", "x")} for one in found] == expected
    assert [one["index"] for one in found] == list(range(len(found)))
    assert not [path for path in (tmp_path / "out").rglob("*") if path.name.startswith(".")]


def test_tables_are_equal_with_every_executor(files: List[Path], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    summary = tables.write_tables(files, tmp_path / "serial", batch_size=2)
    expected = read(tmp_path / "serial")
    with ThreadPoolExecutor(2) as threads:
        assert tables.write_tables(files, tmp_path / "threads", batch_size=2, map=threads.map) == summary
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        assert tables.write_tables(files, tmp_path / "processes", batch_size=2, map=processes.map) == summary
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path / "dask")
    ) as cluster, distributed.Client(cluster) as client:

        def gather(work: Any, batches: Any) -> Any:
            return client.gather(client.map(work, batches))

        assert tables.write_tables(files, tmp_path / "dask-tables", batch_size=2, map=gather) == summary
    for folder in ["threads", "processes", "dask-tables"]:
        assert read(tmp_path / folder) == expected, folder


def test_a_stopped_run_goes_on(files: List[Path], tmp_path: Path) -> None:
    whole = tables.write_tables(files, tmp_path / "whole", batch_size=2)
    batches = tables.plan_batches(files, tmp_path / "parts", batch_size=2)
    tables.write_batch(batches[1])
    part = tmp_path / "parts/files/part-00001.parquet"
    written = part.stat().st_mtime_ns
    # A run that was stopped between both parts of a batch.
    (tmp_path / "parts/objects/part-00002.parquet").write_bytes(b"incomplete")
    again = tables.write_tables(files, tmp_path / "parts", batch_size=2)
    assert again == whole + tables.Summary(skipped=1) and part.stat().st_mtime_ns == written
    assert read(tmp_path / "parts") == read(tmp_path / "whole")


def test_parts_of_another_run_are_errors(files: List[Path], tmp_path: Path) -> None:
    tables.write_tables(files, tmp_path, batch_size=100)
    with pytest.raises(mw.Error, match="belongs to another"):
        tables.write_tables(files[1:], tmp_path, batch_size=100)
    with pytest.raises(mw.Error, match="belongs to another"):
        tables.write_tables(files, tmp_path, batch_size=100, query="kind=light")


def test_parts_of_a_longer_list_are_errors(files: List[Path], tmp_path: Path) -> None:
    tables.write_tables(files, tmp_path, batch_size=2)
    for count in [0, 4]:
        with pytest.raises(mw.Error, match="files.part-0000.*belongs to another"):
            tables.write_tables(files[:count], tmp_path, batch_size=2)
    assert tables.write_tables(files, tmp_path, batch_size=2).skipped == 4
    # A longer run that was stopped between both parts of a batch.
    for part in (tmp_path / "files").glob("part-0000[23].parquet"):
        part.unlink()
    with pytest.raises(mw.Error, match="objects.part-00002.*belongs to another"):
        tables.write_tables(files[:4], tmp_path, batch_size=2)


def test_fields_have_the_types_that_are_asked_for(tmp_path: Path) -> None:
    level = FIXTURES / "vmap/room.vmap"
    fields = {"name": "string", "brightness": "double", "nothing": "int64", "visible": "bool"}
    tables.write_tables([level], tmp_path / "a", query="kind=light", fields=fields)
    objects, rows = read(tmp_path / "a")
    assert objects.to_pylist() == [
        {"file": str(level), "index": 0, "name": "lamp", "brightness": 2.0, "nothing": None, "visible": True}
    ]
    tables.write_tables([level], tmp_path / "b", query="kind=light", fields={"name": "double"})
    objects, rows = read(tmp_path / "b")
    assert objects.num_rows == 0 and "fit" in rows["error"].to_pylist()[0]


def test_options_of_reading_are_used(tmp_path: Path) -> None:
    summary = tables.write_tables([FIXTURES / "vmap/room.vmap"], tmp_path, options={"max_input": 10})
    assert (summary.files, summary.failed) == (1, 1)
    assert read(tmp_path)[1]["category"].to_pylist() == ["limit"]


def test_wrong_arguments_are_errors(tmp_path: Path) -> None:
    with pytest.raises(mw.QueryError):
        tables.plan_batches([], tmp_path, query="kind=")
    for wrong in [{"batch_size": 0}, {"fields": {"file": "string"}}, {"fields": {"x": "dubble"}}]:
        with pytest.raises(ValueError):
            tables.plan_batches([], tmp_path, **wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tables.write_tables([FIXTURES / "vmap/room.vmap"], tmp_path, options={"nothing": 1})  # type: ignore[arg-type]
