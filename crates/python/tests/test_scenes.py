"""Tests of scenes and tables: views of columns, and scenes from arrays."""

from __future__ import annotations

import base64
import gc
from pathlib import Path

import numpy
import pyarrow
import pytest

import mapwright as mw

from files import FIXTURES, OBJ

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
"""An image with one red pixel."""
SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def test_columns_of_meshes_are_views() -> None:
    mesh = mw.from_bytes(OBJ).to_scene().meshes[0]
    positions = mesh.positions
    assert positions.tolist() == SQUARE and positions.dtype == numpy.float64
    assert not positions.flags.writeable and not positions.flags.owndata
    assert positions.ctypes.data == mesh.positions.ctypes.data
    assert mesh.corners.tolist() == [0, 1, 2, 3] and mesh.face_ends.tolist() == [4]
    with pytest.raises(ValueError):
        positions[0] = 1


def test_views_keep_the_scene() -> None:
    positions = mw.open(FIXTURES / "wings/torus.wings").to_scene().meshes[0].positions
    copy = positions.copy()
    gc.collect()
    filler = [bytes(1 << 16) for _ in range(100)]
    assert (positions == copy).all() and filler


def test_values_of_corners_have_rows() -> None:
    mesh = mw.from_bytes(OBJ).to_scene().meshes[0]
    uvs = mesh.uv_sets[0]
    assert (uvs.origin, len(uvs)) == ("lower_left", 4)
    assert uvs.rows[uvs.indices].tolist() == uvs.to_numpy().tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert mesh.normals is None and mesh.compute_normals().tolist() == [[0, 0, 1]] * 4
    partly = mw.from_bytes(OBJ + b"f 1 2 3\n").to_scene().meshes[0].uv_sets[0].to_numpy()
    assert numpy.isnan(partly[4:]).all() and not numpy.isnan(partly[:4]).any()


def test_faces_are_split_into_triangles() -> None:
    mesh = mw.from_bytes(OBJ).to_scene().meshes[0]
    triangles = mesh.triangles()
    assert triangles.shape == (2, 3)
    assert sorted(set(mesh.corners[triangles].ravel().tolist())) == [0, 1, 2, 3]


def test_empty_columns_have_a_shape() -> None:
    mesh = mw.build_scene([mw.MeshData([], [], [])]).meshes[0]
    assert (mesh.positions.shape, mesh.corners.shape, mesh.triangles().shape) == ((0, 3), (0,), (0, 3))


def test_nodes_have_matrices_in_the_order_of_the_tree() -> None:
    scene = mw.open(FIXTURES / "vmap/room.vmap").to_scene()
    nodes = scene.nodes
    assert scene.world_matrices.shape == (len(nodes), 4, 4)
    for index, node in enumerate(nodes):
        above = numpy.eye(4) if node.parent is None else nodes[node.parent].world
        assert node.parent is None or node.parent < index
        assert numpy.allclose(above @ node.local, node.world)
        assert numpy.array_equal(node.world, scene.world_matrices[index])
    lamp = next(node for node in nodes if node.name == "lamp")
    assert (lamp.kind, lamp.index) == ("light", 0) and lamp.world[:3, 3].tolist() == [0, 96, 0]


def test_items_of_scenes_have_their_fields() -> None:
    scene = mw.open(FIXTURES / "vmap/room.vmap").to_scene()
    light = scene.lights[0]
    assert (light.kind, light.unit) == ("point", "relative") and len(light.color) == 3
    assert {entity.class_name for entity in scene.entities} >= {"prop_static"}
    assert all(isinstance(entity.properties, dict) for entity in scene.entities)
    assert scene.metres_per_unit is not None and scene.format == "vmap"
    wings = mw.open(FIXTURES / "wings/torus.wings").to_scene()
    assert wings.materials[0].name and len(wings.materials[0].base_color) == 4
    image = wings.images[0]
    assert image.pixels is not None and image.pixels.ndim == 3 and image.file is None
    lights = mw.open(FIXTURES / "wings/lights.wings").to_scene()
    assert lights.lights and all(light.attenuation for light in lights.lights)


def test_instances_name_the_node_that_they_show() -> None:
    nodes = mw.open(FIXTURES / "vmap/room.vmap").to_scene().nodes
    instance = next(node for node in nodes if node.kind == "instance")
    assert instance.target is not None and instance.in_tree
    target = nodes[instance.target]
    # A group that instances show is not shown in its own place.
    assert target.kind == "group" and not target.in_tree
    assert any(node.parent == instance.target for node in nodes)
    assert all(node.target is None for node in nodes if node.kind != "instance")


def test_references_are_resolved_on_request() -> None:
    document = mw.open(FIXTURES / "addon/maps/house.vmap")
    plain, resolved = document.to_scene(), document.to_scene(resolve=True)
    assert len(resolved.meshes) > len(plain.meshes) and not plain.images
    assert any("resolved_from" in node.properties for node in resolved.nodes)
    textures = [texture for material in resolved.materials for texture in material.textures]
    colors = [texture for texture in textures if texture["usage"] == "base_color"]
    assert colors and all(resolved.images[texture["image"]].path is None for texture in colors)
    assert {texture["uv_set"] for texture in textures} == {0} and colors[0]["wrap"] == ["repeat", "repeat"]


def test_brushes_become_meshes() -> None:
    scene = mw.open(FIXTURES / "wmp/room.wmp").to_scene()
    meshes = scene.with_brushes_as_meshes()
    assert scene.brush_count > 0 and meshes.brush_count == 0
    assert len(meshes.meshes) == len(scene.meshes) + scene.brush_count


def test_terrains_and_instances_are_columns() -> None:
    scene = mw.open(FIXTURES / "wrp/island.wrp").to_scene()
    terrain = scene.terrains[0]
    assert terrain.heights.shape == (16, 16) and terrain.heights.dtype == numpy.int16
    assert terrain.step == pytest.approx(0.045) and terrain.cells.shape[0] > 0
    ground = terrain.to_mesh()
    heights = ground.positions[:, 1].reshape(16, 16)
    assert numpy.allclose(heights, terrain.heights * terrain.step)
    instances = scene.instance_sets[0]
    matrices = instances.matrices()
    assert matrices.shape == (len(instances), 4, 4) and len(instances.model) == len(instances)
    assert numpy.allclose(matrices[:, :3, 3], instances.translations)
    assert isinstance(instances.models[0], str)
    box = instances.placeholders[0]
    assert box is not None and box[0] == "house" and min(box[1]) > 0
    floats = mw.open(FIXTURES / "wrp/island-8wvr.wrp").to_scene().terrains[0]
    assert floats.heights.dtype == numpy.float32 and floats.step == 1.0


def build(**changes: object) -> mw.Scene:
    fields: "dict[str, object]" = {"positions": SQUARE, "corners": [[0, 1, 2, 3]], "name": "floor"}
    return mw.build_scene([mw.MeshData(**{**fields, **changes})])  # type: ignore[arg-type]


def test_scenes_from_arrays_are_converted(tmp_path: Path) -> None:
    matrix = numpy.eye(4)
    matrix[:3, 3] = [5, 6, 7]
    uvs = numpy.array([[0, 0], [1, 0], [1, 1], [0, 1]], numpy.float32)
    mesh = mw.MeshData(
        positions=numpy.array(SQUARE, numpy.float32),
        corners=numpy.array([0, 1, 2, 0, 2, 3]),
        face_sizes=[3, 3],
        face_materials=[0, -1],
        uv_sets={"map": (uvs, [0, 1, 2, 0, 2, 3])},
        color_sets={"tint": numpy.ones((6, 4))},
        normals=[[0, 0, 1]] * 6,
        name="floor",
    )
    nodes = [mw.NodeData("group"), mw.NodeData("floor", mesh=0, parent=0, matrix=matrix)]
    materials = [mw.MaterialData("red", base_color=(1, 0, 0, 1), double_sided=True)]
    scene = mw.build_scene([mesh], nodes, materials, metres_per_unit=1.0)
    built = scene.meshes[0]
    assert built.face_materials.tolist() == [0, -1] and built.uv_sets[0].to_numpy().shape == (6, 2)
    back = mw.from_bytes(scene.convert("glb").data).to_scene()
    floor = next(node for node in back.nodes if node.kind == "mesh")
    assert floor.world[:3, 3].tolist() == [5, 6, 7]
    assert [material.name for material in back.materials] == ["red"]
    for name in ["a.vmap", "a.wings", "a.obj", "a.gltf"]:
        scene.convert_file(tmp_path / name)
        assert mw.open(tmp_path / name).format == name[2:]


def test_scenes_have_lights_entities_and_images(tmp_path: Path) -> None:
    png = base64.b64decode(PNG)
    mesh = mw.MeshData(SQUARE, [[0, 1, 2, 3]], face_materials=[0], uv_sets={"": [[0, 0], [1, 0], [1, 1], [0, 1]]})
    nodes = [
        mw.NodeData("floor", mesh=0),
        mw.NodeData("lamp", light=mw.LightData("spot", color=(1, 0, 0), intensity=3, range=50, cone=(0.1, 0.5))),
        mw.NodeData("door", entity=mw.EntityData("func_door", properties={"speed": 100, "message": "open"})),
    ]
    materials = [mw.MaterialData("red", base_color_image=0, alpha="mask")]
    scene = mw.build_scene([mesh], nodes, materials, images=[mw.ImageData("red", png)])
    assert [node.kind for node in scene.nodes] == ["mesh", "light", "entity"]
    light, entity = scene.lights[0], scene.entities[0]
    assert (light.kind, light.color, light.intensity, light.range, light.cone) == ("spot", [1, 0, 0], 3, 50, [0.1, 0.5])
    assert (entity.class_name, entity.properties) == ("func_door", {"speed": 100, "message": "open"})
    material = scene.materials[0]
    assert (material.base_color_image, material.alpha_cutoff) == (0, 0.5)
    assert scene.images[0].file == ("image/png", png)
    scene.convert_file(tmp_path / "a.vmap")
    back = mw.open(tmp_path / "a.vmap")
    assert back.query("class=func_door")[0]["speed"] == "100" and len(back.to_scene().lights) == 1
    assert mw.from_bytes(scene.convert("glb").data).to_scene().images[0].file == ("image/png", png)


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (mw.NodeData(light=mw.LightData(), entity=mw.EntityData("a")), "at most one"),
        (mw.NodeData(mesh=0, light=mw.LightData()), "at most one"),
        (mw.NodeData(light=mw.LightData("odd")), "invalid kind"),
        (mw.NodeData(light=mw.LightData(intensity=float("nan"))), "lights"),
    ],
)
def test_wrong_objects_are_errors(node: mw.NodeData, text: str) -> None:
    mesh = mw.MeshData(SQUARE, [[0, 1, 2, 3]])
    with pytest.raises(ValueError, match=text):
        mw.build_scene([mesh], [node])
    with pytest.raises(ValueError, match="image index 1"):
        mw.build_scene([mesh], materials=[mw.MaterialData(base_color_image=1)])


def test_rows_may_be_tuples() -> None:
    normal = (0, 0, 1)
    for normals in [(normal,) * 4, [normal] * 4, ([normal], [0, 0, 0, 0]), ((normal,), (0, 0, 0, 0))]:
        found = build(normals=normals).meshes[0].normals
        assert found is not None and found.to_numpy().tolist() == [[0, 0, 1]] * 4


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"corners": [[0, 1, 9]]}, mw.MalformedError, r"meshes\[0\].corners\[2\]"),
        ({"corners": [0, 1, 2, 3], "face_sizes": [2, 2]}, mw.MalformedError, "at least 3"),
        ({"corners": [0, 1, 2], "face_sizes": [4]}, mw.MalformedError, "length 3"),
        ({"positions": [[0, 0, numpy.nan]] * 4}, mw.MalformedError, "meshes"),
        ({"face_materials": [0]}, mw.MalformedError, "material index 0"),
        ({"uv_sets": {"a": [[0, 0]]}}, mw.MalformedError, "uv_sets"),
        ({"positions": [[0, 0]] * 6}, ValueError, r"expected shape \(n, 3\)"),
        ({"normals": ((0, 0),) * 4}, ValueError, r"meshes\[0\].normals: expected shape \(n, 3\)"),
        ({"corners": [0, 1, 2]}, ValueError, "face_sizes"),
        ({"corners": [[0.5, 1, 2]]}, ValueError, "whole numbers"),
        ({"corners": [[0, 1, 1 << 32]]}, ValueError, "indices from 0"),
        ({"corners": [[0, 1, -2]]}, ValueError, "indices from 0"),
        ({"uv_origin": "right"}, ValueError, "uv_origin"),
    ],
)
def test_wrong_arrays_are_errors(changes: "dict[str, object]", error: "type[Exception]", text: str) -> None:
    with pytest.raises(error, match=text):
        build(**changes)


def test_tables_have_typed_columns() -> None:
    table = mw.open(FIXTURES / "wwd/claw.wwd").table(fields=["*"])
    kinds = {column.name: column.kind for column in table.columns}
    assert kinds["x"] == "int" and "logic" in table and len(table) == len(table.names)
    assert table["x"].dtype == numpy.int64 and len(table["x"]) == table.num_rows
    objects = mw.open(FIXTURES / "wwd/claw.wwd").query()
    x = table["x"]
    assert isinstance(x, numpy.ma.MaskedArray) and x.compressed().tolist() == [one["x"] for one in objects if "x" in one]
    assert table["logic"].tolist() == [one.get("logic") for one in objects]
    with pytest.raises(KeyError):
        table["nothing"]


def test_tables_become_arrow(level: Path) -> None:
    if level.suffix in (".dmx", ".rez"):
        return
    table = mw.open(level).table(fields=["*"])
    arrow = table.to_arrow()
    arrow.validate(full=True)
    assert arrow.num_rows == table.num_rows and arrow.column_names == table.names
    for row, one in zip(arrow.to_pylist(), mw.open(level).query()):
        for name, value in one.items():
            if name in row and isinstance(value, (bool, int, float)) and not isinstance(row[name], str):
                assert row[name] == pytest.approx(value), name


def test_rows_without_a_value_are_missing() -> None:
    table = mw.open(FIXTURES / "vmap/room.vmap").table(fields=["name", "range", "shape"])
    arrow = table.to_arrow()
    assert arrow["shape"].null_count > 0
    shapes = [one for one in table["shape"].tolist() if one is not None]
    assert shapes == [one for one in arrow["shape"].to_pylist() if one is not None] == ["point"]
    assert isinstance(arrow, pyarrow.Table)


def test_properties_of_entities_are_checked() -> None:
    endless: list[object] = []
    endless.append(endless)
    cases = [(endless, "nested more than"), (2**70, "64 bits"), (b"text", "found bytes"), ({"a": 1}, "found dict")]
    for value, text in cases:
        node = mw.NodeData(entity=mw.EntityData("a", properties={"key": [value]}))
        with pytest.raises(ValueError, match=text) as error:
            mw.build_scene([], [node])
        assert "nodes[0].entity.properties['key'][0]" in str(error.value)
