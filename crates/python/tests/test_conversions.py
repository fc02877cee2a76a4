"""Tests of conversions."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mapwright as mw

from files import FIXTURES, OBJ

CONVERSIONS = [
    ("wings/torus.wings", "torus.glb", {}, []),
    ("wings/torus.wings", "torus.obj", {"scale": 0.5, "only": "Torus"}, ["--scale", "0.5", "--only", "Torus"]),
    ("vmap/room.vmap", "room.glb", {"subdivide": True}, ["--subdivide"]),
    ("vmap/room.vmap", "room.txt", {"text_style": "hammer"}, ["--text-style", "hammer"]),
    ("addon/maps/house.vmap", "house.glb", {"exclude": ["class=prop*"]}, ["--exclude", "class=prop*"]),
    ("wwd/claw.wwd", "claw.tmx", {}, []),
    ("wmp/room.wmp", "room.glb", {"hidden": True, "triangulate": True}, ["--hidden", "--triangulate"]),
    ("wmp/room.wmp", "room.$$M", {}, []),
    ("wmp/room.wmp", "room.map", {"projection": "valve220"}, ["--projection", "valve220"]),
    ("wrp/island.wrp", "island.asc", {"decimals": "all", "origin": (1, 2)}, ["--decimals", "all", "--origin", "1,2"]),
    ("wrp/island.wrp", "island.wrp", {"variant": "8wvr", "size": 32}, ["--variant", "8wvr", "--size", "32"]),
    ("wrp/island.wrp", "island.glb", {"bake_boxes": True}, ["--bake-boxes"]),
]


@pytest.mark.parametrize(("source", "name", "options", "args"), CONVERSIONS)
def test_results_are_those_of_the_command(
    source: str, name: str, options: "dict[str, object]", args: "list[str]", tmp_path: Path
) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    command = [sys.executable, "-m", "mapwright", "convert", *args, str(FIXTURES / source), str(theirs / name)]
    done = subprocess.run(command, capture_output=True, check=False)
    document = mw.open(FIXTURES / source)
    if done.returncode != 0:
        pytest.fail(done.stderr.decode())
    conversion = document.convert_file(ours / name, **options)  # type: ignore[arg-type]
    files = sorted(path.name for path in theirs.iterdir())
    assert sorted(path.name for path in ours.iterdir()) == files == sorted([name, *conversion.side_files])
    for file in files:
        assert (ours / file).read_bytes() == (theirs / file).read_bytes(), file
    assert conversion.data == (ours / name).read_bytes()


def test_losses_are_listed_and_refused(tmp_path: Path) -> None:
    document = mw.open(FIXTURES / "wmp/room.wmp")
    conversion = document.convert("obj")
    lost = [loss for loss in conversion.losses if loss.kind != "preserved"]
    assert len(lost) == conversion.lost_count > 0
    assert all(loss.text and loss.count > 0 for loss in lost) and str(lost[0]).startswith(lost[0].kind)
    assert lost[0] == document.convert("obj").losses[conversion.losses.index(lost[0])]
    with pytest.raises(mw.LossError) as caught:
        document.convert_file(tmp_path / "a.obj", strict=True)
    assert list(caught.value.losses) == conversion.losses and not list(tmp_path.iterdir())
    assert caught.value.category == "losses"
    same = mw.open(FIXTURES / "wings/torus.wings").convert("wings", strict=True)
    assert same.losses == [] and same.lost_count == 0


def test_results_are_saved_with_the_files_beside_them(tmp_path: Path) -> None:
    conversion = mw.open(FIXTURES / "wings/torus.wings").convert("gltf", stem="torus")
    assert conversion.side_files
    conversion.save(tmp_path / "torus.gltf")
    for name, data in conversion.side_files.items():
        assert (tmp_path / name).read_bytes() == data
    with pytest.raises(FileExistsError):
        conversion.save(tmp_path / "torus.gltf")
    conversion.save(tmp_path / "torus.gltf", overwrite=True)


def test_inputs_are_never_replaced(tmp_path: Path) -> None:
    source = tmp_path / "a.obj"
    source.write_bytes(b"mtllib a.mtl\nusemtl red\n" + OBJ)
    (tmp_path / "a.mtl").write_text("newmtl red\nKd 1 0 0\n")
    archive = tmp_path / "game.rez"
    shutil.copy(FIXTURES / "rez/game.rez", archive)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    document = mw.open(source)
    scene = document.to_scene()
    for convert in [document.convert_file, scene.convert_file, scene.with_brushes_as_meshes().convert_file]:
        for name, to in [("a.obj", "obj"), ("a.obj", "glb"), ("a.mtl", "glb")]:
            with pytest.raises(mw.Error, match="is an input"):
                convert(tmp_path / name, to=to, overwrite=True)
    level = mw.open(archive / "LEVEL1/WORLDS/WORLD.WWD")
    for convert in [level.convert_file, level.to_scene().convert_file]:
        with pytest.raises(mw.Error, match="is an input"):
            convert(archive, to="tmx", overwrite=True)
    with pytest.raises(mw.UnsupportedError):
        document.save(tmp_path / "a.mtl", overwrite=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_scenes_have_the_losses_of_their_documents() -> None:
    document = mw.from_bytes(OBJ)
    losses = document.convert("wings").losses
    assert any("soft edges" in loss.text for loss in losses)
    assert document.to_scene().convert("wings").losses == losses


def test_conversions_without_a_result_are_errors() -> None:
    with pytest.raises(mw.UnsupportedError) as caught:
        mw.from_bytes(OBJ).convert("wwd")
    assert caught.value.help
    with pytest.raises(mw.UnsupportedError):
        mw.open(FIXTURES / "rez/game.rez").convert("glb")
    with pytest.raises(mw.UnsupportedError):
        mw.from_bytes(OBJ).convert("glb", scale=-1)
    with pytest.raises(mw.QueryError):
        mw.from_bytes(OBJ).convert("glb", only="kind=lihgt")
    with pytest.raises(mw.LimitError):
        mw.from_bytes(OBJ).convert("glb", max_output=10)


def test_wrong_options_are_errors(tmp_path: Path) -> None:
    document = mw.from_bytes(OBJ)
    for name in ["nothing", "external"]:
        with pytest.raises(TypeError, match=name):
            document.convert("glb", **{name: 1})  # type: ignore[arg-type]
    for options in [{"variant": "5wvr"}, {"target_up": "x"}, {"size": 0}, {"decimals": 3}]:
        with pytest.raises(ValueError):
            document.convert("glb", **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="did you mean"):
        document.convert("gbl")
    with pytest.raises(ValueError, match="extension"):
        document.convert_file(tmp_path / "a.docx")


def test_raw_heights_have_options() -> None:
    island = mw.open(FIXTURES / "wrp/island.wrp")
    made = island.convert("r16", first_row="south", byte_order="big", range=(-100.0, 900.0)).data
    rows, columns = island.to_scene().terrains[0].heights.shape
    assert len(made) == 2 * columns * rows
    options: mw.ReadOptions = {"raw_size": (columns, rows), "byte_order": "big", "range": (-100.0, 900.0), "cell": 50.0}
    north = mw.from_bytes(made, format="r16", **options).convert("xyz").data
    options["first_row"] = "south"
    south = mw.from_bytes(made, format="r16", **options).convert("xyz").data
    assert len(south.splitlines()) == columns * rows and south != north
    with pytest.raises(mw.MalformedError):
        mw.from_bytes(made, format="r16", raw_size=(1, 2))
    with pytest.raises(ValueError, match="first_row"):
        mw.from_bytes(made, format="r16", first_row="west")  # type: ignore[arg-type]
