"""Tests of documents: reading, listing, editing, comparing, merging, saving."""

from __future__ import annotations

import json
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

import pytest

import mapwright as mw

from files import FIXTURES, LEVELS, OBJ


def run(*args: object) -> "subprocess.CompletedProcess[bytes]":
    """Runs the command of the package."""
    return subprocess.run([sys.executable, "-m", "mapwright", *map(str, args)], capture_output=True, check=False)


def test_importing_the_package_imports_no_other() -> None:
    code = "import sys, mapwright; sys.exit(any(name in sys.modules for name in ('numpy', 'pyarrow')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_untouched_files_keep_every_byte(level: Path, tmp_path: Path) -> None:
    document = mw.open(level)
    assert bytes(document) == document.to_bytes() == level.read_bytes()
    copy = tmp_path / level.name
    document.save(copy)
    assert copy.read_bytes() == level.read_bytes()
    with pytest.raises(FileExistsError):
        document.save(copy)
    document.save(copy, overwrite=True)


def test_detection_and_summaries_are_those_of_the_command(level: Path) -> None:
    document = mw.open(str(level))
    assert document.format == mw.detect_file(level) == mw.detect(level.read_bytes(), name=level.name)
    assert mw.from_bytes(level.read_bytes(), name=level.name).format == document.format
    printed = json.loads(run("info", "--json", level).stdout)
    info = document.info()
    assert info["format"] == printed["format"] and info["findings"] == printed["findings"]
    assert {key for key in info if key not in printed} == set()
    assert document.info_text()
    assert document.path == level and document.warning is None


def test_formats_have_names_and_extensions() -> None:
    formats = {one["name"]: one for one in mw.formats()}
    assert formats["wings"]["extensions"][0] == "wings" and formats["wings"]["lossless"]
    assert formats["glb"]["from_scene"] and not formats["glb"]["lossless"]
    assert mw.detect(b"junk") is None


def test_findings_have_a_code_and_a_severity() -> None:
    findings = mw.open(FIXTURES / "wrp/odd.wrp").validate()
    assert findings and all(finding.severity in ("error", "warning", "note") for finding in findings)
    assert str(findings[0]).startswith(findings[0].severity) and findings[0].code in str(findings[0])


def test_queries_return_the_objects_that_the_command_lists(level: Path) -> None:
    if level.suffix in (".dmx", ".rez"):
        with pytest.raises(mw.UnsupportedError):
            mw.open(level).query()
        return
    objects = mw.open(level).query()
    assert objects
    assert objects == json.loads(run("query", "--json", "*", level).stdout)["items"]


def test_unknown_fields_and_values_are_errors() -> None:
    document = mw.open(FIXTURES / "vmap/room.vmap")
    for query in ["kind=lihgt", "knid=light", "kind="]:
        with pytest.raises(mw.QueryError):
            document.query(query)
        with pytest.raises(ValueError):
            document.table(query)
    with pytest.raises(mw.QueryError, match="nmae"):
        document.query(fields=["nmae"])
    assert document.query("kind=lihgt", allow_unknown=True) == []
    assert document.query("kind=light", fields=["name"]) == [{"name": "lamp"}]


def test_edits_change_a_copy() -> None:
    document = mw.open(FIXTURES / "vmap/room.vmap")
    changed, results = document.edit("set kind=light: brightness=3", "set kind=light: z+=1")
    assert [(result.matched, result.changed) for result in results] == [(1, 1), (1, 1)]
    assert document.query("kind=light", fields=["brightness", "z"]) == [{"brightness": "2", "z": 96.0}]
    assert changed.query("kind=light", fields=["brightness", "z"]) == [{"brightness": "3", "z": 97.0}]
    diff = document.diff(changed)
    assert diff is not None and not diff.is_equal and "brightness" in str(diff) and not diff.to_dict()["equal"]
    assert document.diff(document) is None
    back, _ = changed.edit("set kind=light: brightness=2, z=96")
    assert back.to_bytes() == document.to_bytes()


def test_failing_edits_change_nothing() -> None:
    document = mw.open(FIXTURES / "wwd/claw.wwd")
    with pytest.raises(mw.QueryError):
        document.edit("set *: x+=1", "set logic=Nothing: x=1")
    with pytest.raises(TypeError):
        document.edit()
    unchanged, results = document.edit("set logic=Nothing: x=1", allow_no_match=True)
    assert unchanged.to_bytes() == document.to_bytes() and results[0].changed == 0
    with pytest.raises(mw.UnsupportedError):
        mw.from_bytes(OBJ).edit("set *: x=1")


def test_differences_need_one_format() -> None:
    with pytest.raises(mw.UnsupportedError):
        mw.open(FIXTURES / "wwd/claw.wwd").diff(mw.from_bytes(OBJ))
    diff = mw.from_bytes(OBJ).diff(mw.from_bytes(OBJ.replace(b"Floor", b"Floer")))
    assert diff is not None and not diff.is_equal


def test_versions_of_a_map_are_merged() -> None:
    base = mw.open(FIXTURES / "vmap/room.vmap")
    ours, _ = base.edit("set kind=light: brightness=3")
    theirs, _ = base.edit("set kind=light: z=100")
    merged, conflicts = mw.merge(base, ours, theirs)
    assert conflicts == []
    assert merged.query("kind=light", fields=["brightness", "z"]) == [{"brightness": "3", "z": 100.0}]
    theirs, _ = base.edit("set kind=light: brightness=4")
    for prefer, value in [("ours", "3"), ("theirs", "4")]:
        merged, conflicts = mw.merge(base, ours, theirs, prefer=prefer)  # type: ignore[arg-type]
        assert len(conflicts) == 1 and merged.query("kind=light", fields=["brightness"]) == [{"brightness": value}]
    with pytest.raises(mw.UnsupportedError):
        mw.merge(base, ours, mw.open(FIXTURES / "wwd/claw.wwd"))


def test_errors_have_places_and_survive_pickling() -> None:
    with pytest.raises(mw.MalformedError) as caught:
        mw.from_bytes((FIXTURES / "wings/torus.wings").read_bytes()[:100], name="torus.wings")
    error = caught.value
    assert error.category == "truncated" and error.offset is not None and error.file == "torus.wings"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.offset) == (type(error), str(error), error.offset)
    with pytest.raises(mw.Error) as caught_text:
        mw.from_bytes(b'{"asset"', format="gltf")
    assert (caught_text.value.line, caught_text.value.offset) == (1, None)
    with pytest.raises(mw.UnsupportedError):
        mw.from_bytes(b"junk")
    with pytest.raises(mw.LimitError) as limit:
        mw.from_bytes(OBJ, max_input=10)
    assert limit.value.help


def test_errors_keep_losses_in_other_processes() -> None:
    with pytest.raises(mw.LossError) as caught:
        mw.open(FIXTURES / "wmp/room.wmp").convert("obj", strict=True)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is mw.LossError and str(again) == str(caught.value)
    assert again.losses == caught.value.losses != ()


def test_errors_of_files_are_those_of_python(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        mw.open(tmp_path / "none.wmp")
    error = caught.value
    assert isinstance(error, mw.MissingFileError) and error.filename == str(tmp_path / "none.wmp")
    assert pickle.loads(pickle.dumps(error)).filename == error.filename
    with pytest.raises(FileNotFoundError):
        mw.detect_file(tmp_path / "none")
    with pytest.raises(mw.FileError):
        mw.open(tmp_path)
    with pytest.raises(OSError):
        mw.open(FIXTURES / "wwd/claw.wwd").save(tmp_path / "none" / "claw.wwd")
    with pytest.raises(OSError):
        mw.open(FIXTURES / "wwd/claw.wwd", content=tmp_path / "none")


def test_wrong_arguments_are_errors() -> None:
    for options in [{"nothing": 1}, {"scale": 2.0}]:
        with pytest.raises(TypeError):
            mw.from_bytes(OBJ, **options)  # type: ignore[arg-type]
    for options in [{"external": "some"}, {"format": "objj"}]:
        with pytest.raises(ValueError):
            mw.from_bytes(OBJ, **options)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        mw.Document()


def test_files_in_archives_are_opened() -> None:
    level = mw.open(FIXTURES / "rez/game.rez/LEVEL1/WORLDS/WORLD.WWD")
    assert level.format == "wwd"
    assert level.convert("glb").data[:4] == b"glTF", "the archive is the content of the level"


def test_untrusted_files_are_read_with_lower_limits(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_bytes(b"mtllib a.mtl\nusemtl red\n" + OBJ)
    (tmp_path / "a.mtl").write_text("newmtl red\nKd 1 0 0\n")
    assert [path.name for path in mw.open(tmp_path / "a.obj").side_files] == ["a.mtl"]
    assert mw.open(tmp_path / "a.obj", untrusted=True).side_files == []


def test_other_threads_run_meanwhile() -> None:
    document = mw.open(FIXTURES / "wmp/room.wmp")
    stop, ticks = threading.Event(), []

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0)

    thread = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    # A thread that keeps the interpreter is then never interrupted.
    sys.setswitchinterval(100)
    try:
        thread.start()
        start = time.perf_counter()
        while time.perf_counter() - start < 0.2:
            begin = time.perf_counter()
            document.convert("glb")
            end = time.perf_counter()
            if any(begin < at < end for at in ticks):
                break
        else:
            pytest.fail("no other thread ran during a conversion")
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)


def test_threads_share_a_document() -> None:
    document = mw.open(FIXTURES / "vmap/room.vmap")
    results: "list[bytes]" = []
    threads = [threading.Thread(target=lambda: results.append(document.convert("glb").data)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and len(set(results)) == 1


def test_the_command_is_in_the_package() -> None:
    assert run("--version").stdout.split() == [b"mapwright", mw.__version__.encode()]
    missing = run("info", "none.wmp")
    assert missing.returncode != 0 and b"none.wmp" in missing.stderr
    script = Path(sys.executable).with_name("mapwright.exe" if os.name == "nt" else "mapwright")
    if script.exists():
        assert subprocess.run([script, "--version"], capture_output=True, check=True).stdout == run("--version").stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal for one process")
def test_the_command_is_interrupted() -> None:
    def reset() -> None:
        # A test in the background may inherit that one is ignored. Then the command sets no handler.
        for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(one, signal.SIG_DFL)

    args = [sys.executable, "-m", "mapwright", "info", "--from", "obj", "-"]
    with subprocess.Popen(args, stdin=subprocess.PIPE, preexec_fn=reset) as command:
        try:
            assert command.stdin is not None
            # A pipe takes 64 KiB: once more is written, the command has started to read.
            command.stdin.write(b" " * (1 << 20))
            command.send_signal(signal.SIGINT)
            assert command.wait(30) == 130
        finally:
            command.kill()


def test_levels_are_of_all_lossless_formats() -> None:
    lossless = {one["name"] for one in mw.formats() if one["lossless"]}
    # No fixture is a file of Tiled; the tests of conversions make some.
    others = {"etf", "tmx", "tmj"}
    assert {mw.open(FIXTURES / name).format for name in LEVELS} | others == lossless


def heights(side: int) -> bytes:
    """Returns a flat heightmap as an image."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 16, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(side * (2 * side + 1)))) + chunk(b"IEND", b"")


def test_untrusted_files_are_converted_with_lower_limits() -> None:
    assert mw.from_bytes(heights(8), format="heightpng", untrusted=True).to_scene().convert("glb").data[:4] == b"glTF"
    # The mesh of this many heights needs more than 256 MiB, which is known before it is made.
    document = mw.from_bytes(heights(3000), format="heightpng", untrusted=True)
    for convert in [document.convert, document.to_scene().convert]:
        with pytest.raises(mw.LimitError, match="268435456"):
            convert("glb")
