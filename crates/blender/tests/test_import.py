"""Tests of imports."""

import math
import os
import shutil
import time
from pathlib import Path

import bpy
import mapwright
import numpy
import pytest
from compare import check_import, import_level
from conftest import FIXTURES

LEVELS = [
    "wings/torus.wings",
    "wings/lights.wings",
    "vmap/room.vmap",
    "addon/maps/house.vmap",
    "wwd/claw.wwd",
    "wmp/room.wmp",
    "wrp/island.wrp",
    "wrp/island-8wvr.wrp",
]
TARGETS = ["glb", "gltf", "obj", "map", "tmx", "asc", "tif", "xyz"]


@pytest.mark.parametrize("name", LEVELS)
def test_levels_are_imported_with_all_objects(name):
    assert check_import(FIXTURES / name) == []


@pytest.mark.parametrize("target", TARGETS)
def test_all_formats_are_imported(target, tmp_path):
    source = {"tmx": "wwd/claw.wwd", "asc": "wrp/island.wrp", "tif": "wrp/island.wrp", "xyz": "wrp/island.wrp"}
    source = source.get(target, "wings/torus.wings" if target != "map" else "wmp/room.wmp")
    path = tmp_path / f"level.{target}"
    mapwright.open(FIXTURES / source).convert_file(path, allow_empty=True)
    assert check_import(path) == []


def test_counts_are_those_of_info():
    path = FIXTURES / "vmap/room.vmap"
    totals = mapwright.open(path).info()["vmap"]["totals"]
    import_level(path)
    assert len(bpy.data.meshes) == totals["meshes"]
    assert sum(len(mesh.polygons) for mesh in bpy.data.meshes) == totals["faces"]
    assert sum(len(mesh.vertices) for mesh in bpy.data.meshes) == totals["vertices"]


def test_objects_are_in_metres_with_z_up():
    collection, _ = import_level(FIXTURES / "vmap/room.vmap")
    bpy.context.view_layer.update()
    lamp = collection.all_objects["lamp"]
    # 96 units of an inch.
    assert tuple(lamp.matrix_world.translation) == pytest.approx((0, 0, 2.4384), abs=1e-5)
    assert lamp.type == "LIGHT" and lamp["mapwright_key"] and lamp["brightness"] == "2"
    assert collection["mapwright_format"] == "vmap"
    instance = collection.all_objects["Instance"]
    assert instance.instance_type == "COLLECTION" and len(instance.instance_collection.all_objects) == 2
    assert collection.all_objects["switch"]["targetname"] == "switch"


def test_a_length_of_a_unit_can_be_given():
    path = FIXTURES / "wmp/room.wmp"
    collection, _ = import_level(path, metres_per_unit=0.5)
    row = mapwright.open(path).query("key=entity/4")[0]
    guard = next(one for one in collection.all_objects if one.get("mapwright_key") == "entity/4")
    assert tuple(guard.location) == pytest.approx([value / 2 for value in row["position"]])


def test_instances_of_terrains_share_their_mesh():
    path = FIXTURES / "wrp/island.wrp"
    collection, losses = import_level(path)
    trees = [one for one in collection.all_objects if one.name.endswith(" str_briza")]
    assert len(trees) == 8 and len({tree.data for tree in trees}) == 1
    assert any("boxes in the place of models" in line for line in losses)
    row = mapwright.open(path).query("id=3")[0]
    tree = next(one for one in trees if one["mapwright_key"] == "id=3")
    assert tuple(tree.location) == pytest.approx((row["x"], row["z"], row["y"]))
    heading = math.degrees(tree.rotation_euler.z)
    assert (heading + row["heading"]) % 360 == pytest.approx(0, abs=0.01)


def test_terrains_have_their_heights():
    path = FIXTURES / "wrp/island.wrp"
    import_level(path)
    terrain = mapwright.open(path).to_scene().terrains[0]
    ground = next(mesh for mesh in bpy.data.meshes if len(mesh.polygons) == 225)
    heights = numpy.array([vertex.co.z for vertex in ground.vertices]).reshape(16, 16)
    assert numpy.allclose(heights, terrain.heights * terrain.step, atol=1e-4)
    assert all(polygon.normal.z > 0 for polygon in ground.polygons)
    # Texture cells that are no grass have a material.
    assert len([one for one in ground.materials if one is not None]) >= 1


def write_textured_square(folder):
    """Writes an OBJ with a square, whose image is red above and blue below."""
    (folder / "a.mtl").write_text("newmtl paint\nmap_Kd a.png\n")
    (folder / "a.obj").write_text(
        "mtllib a.mtl\nusemtl paint\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\n"
        "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n"
    )
    image = bpy.data.images.new("a", 1, 2)
    image.pixels[:] = [0, 0, 1, 1, 1, 0, 0, 1]
    image.filepath_raw, image.file_format = str(folder / "a.png"), "PNG"
    image.save()
    bpy.ops.wm.read_homefile(use_empty=True)
    return folder / "a.obj"


def test_textures_are_packed_and_upright(tmp_path):
    import_level(write_textured_square(tmp_path))
    shutil.rmtree(tmp_path)
    mesh = bpy.data.meshes[0]
    uvs = {tuple(mesh.vertices[loop.vertex_index].co): tuple(mesh.uv_layers[0].uv[loop.index].vector) for loop in mesh.loops}
    assert uvs == {(0, 0, 0): (0, 0), (2, 0, 0): (1, 0), (2, 0, 1): (1, 1), (0, 0, 1): (0, 1)}
    material = mesh.materials[0]
    node = next(node for node in material.node_tree.nodes if node.type == "TEX_IMAGE")
    assert node.outputs["Color"].links[0].to_socket.name == "Base Color"
    assert list(node.image.pixels) == [0, 0, 1, 1, 1, 0, 0, 1]


def test_texture_coordinates_from_the_top_are_turned(tmp_path):
    uvs = [[0, 0.25], [1, 0.25], [1, 0.75]]
    mesh = mapwright.MeshData([[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0, 1, 2]], uv_sets={"map": uvs}, uv_origin="top_left")
    mapwright.build_scene([mesh]).convert_file(tmp_path / "a.glb")
    import_level(tmp_path / "a.glb")
    found = {tuple(one.vector) for one in bpy.data.meshes[0].uv_layers[0].uv}
    assert found == {(0, 0.75), (1, 0.75), (1, 0.25)}


def test_instances_show_their_target_in_their_place():
    path = FIXTURES / "vmap/room.vmap"
    import_level(path)
    nodes = mapwright.open(path).to_scene().nodes
    instance = next(node for node in nodes if node.target is not None)
    inner = [node for node in nodes if node.parent == instance.target and node.kind == "mesh"]
    target = nodes[instance.target]
    assert not numpy.allclose(target.world, numpy.eye(4))
    wanted = set()
    for node in inner:
        x, y, z = (instance.world @ numpy.linalg.inv(target.world) @ node.world)[:3, 3] * 0.0254
        wanted.add((round(x, 3) + 0.0, round(-z, 3) + 0.0, round(y, 3) + 0.0))
    found = set()
    for shown in bpy.context.evaluated_depsgraph_get().object_instances:
        if shown.is_instance and shown.object.type == "MESH":
            found.add(tuple(round(value, 3) + 0.0 for value in shown.matrix_world.translation))
    assert found == wanted


def test_images_of_pixels_are_packed():
    path = FIXTURES / "wings/torus.wings"
    import_level(path)
    image = next(image for image in bpy.data.images if image.size[0] == 64)
    pixels = mapwright.open(path).to_scene().images[0].pixels
    found = (numpy.array(image.pixels).reshape(64, 64, 4)[::-1, :, :3] * 255).round()
    assert image.packed_file is not None and (found == pixels).all()
    glass = bpy.data.materials["Glass"]
    assert glass.surface_render_method == "BLENDED"
    alpha = next(node for node in glass.node_tree.nodes if node.type == "BSDF_PRINCIPLED").inputs["Alpha"]
    assert alpha.default_value == pytest.approx(0.35)


def test_vertex_colours_are_shown_where_a_mesh_has_them():
    import_level(FIXTURES / "wings/torus.wings")

    def shows_colours(name):
        materials = bpy.data.objects[name].data.materials
        return any(node.type == "VERTEX_COLOR" for material in materials if material for node in material.node_tree.nodes)

    # Both objects have materials that use vertex colours. Blender would show the floor, which has none, in black.
    assert shows_colours("Torus") and not shows_colours("Floor")


def test_content_folders_have_models_and_images(tmp_path):
    shutil.copytree(FIXTURES / "addon/maps", tmp_path / "maps")
    path = tmp_path / "maps/house.vmap"
    import_level(path)
    assert not any(image.packed_file for image in bpy.data.images)
    bpy.ops.wm.read_homefile(use_empty=True)
    collection, _ = import_level(path, content=str(FIXTURES / "addon"))
    assert any(image.packed_file for image in bpy.data.images)
    assert any("mapwright_source" in one for one in collection.all_objects)


def test_tiles_and_images_of_objects_are_drawn_with_the_files_of_the_game():
    path = FIXTURES / "rez/game.rez/LEVEL1/WORLDS/WORLD.WWD"
    collection, losses = import_level(path)
    assert not any("tiles of layers" in line for line in losses)
    assert any("drawn at rest" in line for line in losses)
    images = bpy.data.collections["Images"].objects
    assert {"Action", "Soldier"} <= {one.name.split(".")[0] for one in images}
    bpy.context.view_layer.update()
    soldier = images["Soldier"]
    assert soldier.parent.get("logic") == "Soldier" and any(image.packed_file for image in bpy.data.images)
    # An object of 48 × 64 pixels stands in the plane of the level.
    found = [tuple(soldier.matrix_world @ vertex.co) for vertex in soldier.data.vertices]
    size = numpy.ptp(numpy.array(found), axis=0)
    assert tuple(size) == pytest.approx((48, 0, 64), abs=1e-3)
    assert tuple(soldier.matrix_world.translation)[::2] == pytest.approx((400, -352))


def test_hard_edges_are_sharp():
    path = FIXTURES / "wings/torus.wings"
    import_level(path)
    for mesh in mapwright.open(path).to_scene().meshes:
        built = bpy.data.meshes[mesh.name]
        sharp = {tuple(sorted(edge.vertices)) for edge in built.edges if edge.use_edge_sharp}
        assert sharp == {tuple(edge) for edge in mesh.hard_edges.tolist()}
        normals = numpy.array([tuple(normal.vector) for normal in built.corner_normals])
        wanted = mesh.compute_normals()[:, [0, 2, 1]] * [1, -1, 1]
        assert (numpy.sum(normals * wanted, axis=1) > 0.98).all()


def test_normals_without_hard_edges_are_kept(tmp_path):
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    tilted = numpy.array([0, 0.6, 0.8])
    mesh = mapwright.MeshData(square, [[0, 1, 2, 3]], normals=[tilted] * 4)
    mapwright.build_scene([mesh]).convert_file(tmp_path / "a.glb")
    import_level(tmp_path / "a.glb")
    normals = [tuple(normal.vector) for normal in bpy.data.meshes[0].corner_normals]
    assert numpy.allclose(normals, [0, -0.8, 0.6], atol=1e-3)


def test_vertex_colours_keep_their_values(tmp_path):
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    colors = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0.5], [0.5, 0.5, 0.5, 1]]
    mesh = mapwright.MeshData(square, [[0, 1, 2, 3]], color_sets={"tint": colors})
    mapwright.build_scene([mesh], color_space="srgb").convert_file(tmp_path / "a.wings")
    import_level(tmp_path / "a.wings")
    layer = bpy.data.meshes[0].color_attributes[0]
    found = {tuple(round(value, 3) for value in one.color_srgb[:3]) for one in layer.data}
    assert found >= {tuple(color[:3]) for color in colors}


def test_both_sides_of_a_sheet_are_kept(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 4 3 2 1\nf 1 2 3\nf 1 1 2 3\n")
    _, losses = import_level(tmp_path / "a.obj")
    mesh = bpy.data.meshes[0]
    assert not mesh.validate() and len(mesh.vertices) == 8
    assert {polygon.normal.y for polygon in mesh.polygons if len(polygon.vertices) == 4} == {-1, 1}
    assert any("vertices of their own" in line for line in losses)


def test_cameras_and_lights_look_along_their_node():
    path = FIXTURES / "wings/torus.wings"
    import_level(path)
    bpy.context.view_layer.update()
    scene = mapwright.open(path).to_scene()
    for node in scene.nodes:
        if node.kind in ("camera", "light"):
            x, y, z = -node.world[:3, 2]
            found = bpy.data.objects[node.name].matrix_world.to_3x3() @ __import__("mathutils").Vector((0, 0, -1))
            assert tuple(found) == pytest.approx((x, -z, y), abs=1e-5)
    camera = next(node for node in scene.nodes if node.kind == "camera")
    assert bpy.data.cameras[0].angle_y == pytest.approx(scene.cameras[camera.index].fov_y, abs=1e-4)


def test_errors_have_a_place_and_losses_are_in_a_text(tmp_path):
    damaged = tmp_path / "damaged.wwd"
    damaged.write_bytes((FIXTURES / "wwd/claw.wwd").read_bytes()[:1000])
    with pytest.raises(RuntimeError, match="damaged.wwd.*") as error:
        bpy.ops.import_scene.mapwright(filepath=str(damaged))
    assert "0x" in str(error.value) or "byte" in str(error.value)
    assert not bpy.data.objects and not bpy.data.collections
    with pytest.raises(RuntimeError, match="missing.wwd"):
        bpy.ops.import_scene.mapwright(filepath=str(tmp_path / "missing.wwd"))
    _, losses = import_level(FIXTURES / "wmp/room.wmp")
    assert any("guard.mdl" in line for line in losses)
    # Equal losses are one line with their number.
    assert "approximated: brushes[0]: brush: as a mesh (2 times)" in losses


@pytest.mark.parametrize(
    ("name", "data", "step"),
    [
        ("missing.vmap", None, "Check the folder and the name"),
        ("empty.wwd", b"", "The file is empty: replace it"),
        ("empty.glb", b"", "The file is empty: replace it"),
        ("damaged.vmap", b"damaged", "Replace the file by a backup"),
        ("damaged.wrp", b"damaged", "If the terrain is in an archive"),
        ("notes.unknown", b"damaged", "Select a file with an ending"),
    ],
)
def test_errors_have_a_next_step(tmp_path, name, data, step):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(RuntimeError, match=rf"{name}: .*\. {step}"):
        bpy.ops.import_scene.mapwright(filepath=str(tmp_path / name))


def test_several_files_are_imported_at_once():
    names = ["room.vmap", "empty.vmap"]
    files = [{"name": name} for name in names]
    bpy.ops.import_scene.mapwright(directory=str(FIXTURES / "vmap") + os.sep, files=files)
    assert {one.name for one in bpy.data.collections} >= set(names)


def test_missing_custom_properties_are_reported(addon):
    class Document:
        def query(self, *_args, **_options):
            raise mapwright.Error("too many objects")

    losses = addon.report.LossList()
    assert addon.read.rows_by_key(Document(), losses) == {}
    assert losses.lines() == ["dropped: custom properties of objects: too many objects"]


def test_a_damaged_file_does_not_stop_the_others(tmp_path):
    shutil.copy(FIXTURES / "vmap/room.vmap", tmp_path / "b.vmap")
    (tmp_path / "a.vmap").write_bytes(b"damaged")
    files = [{"name": name} for name in ["a.vmap", "b.vmap"]]
    # Blender raises the reports of errors, also if the operator finishes.
    with pytest.raises(RuntimeError, match="a.vmap"):
        bpy.ops.import_scene.mapwright(directory=str(tmp_path) + os.sep, files=files)
    assert "b.vmap" in bpy.context.scene.collection.children and "a.vmap" not in bpy.data.collections


def test_levels_do_not_read_images_elsewhere(tmp_path):
    path = write_textured_square(tmp_path)
    folder = tmp_path / "level"
    folder.mkdir()
    for name in ["a.obj", "a.mtl"]:
        shutil.move(tmp_path / name, folder / name)
    (folder / "a.mtl").write_text(f"newmtl paint\nmap_Kd {path.with_suffix('.png')}\n")
    _, losses = import_level(folder / "a.obj")
    assert not [image for image in bpy.data.images if image.size[0]] and losses


def test_the_file_handler_knows_the_endings_of_all_formats(addon):
    endings = {f".{ending}" for one in mapwright.formats() if one["to_scene"] for ending in one["extensions"]}
    dropped = set(addon.DroppedLevel.bl_file_extensions.split(";"))
    assert dropped == endings - addon.BLENDER_ENDINGS and ".vmap" in dropped
    shown = bpy.ops.import_scene.mapwright.get_rna_type().properties["filter_glob"].default
    assert set(shown.split(";")) == {f"*{one}" for one in endings}


def test_real_files_are_imported(record_property):
    """Imports files of a folder, as many as fit into the given time, the smallest of each format first."""
    if "MAPWRIGHT_CORPUS" not in os.environ:
        pytest.skip("no folder of real files")
    limit = float(os.environ.get("MAPWRIGHT_SECONDS", "60"))
    by_ending = {}
    for path in Path(os.environ["MAPWRIGHT_CORPUS"]).rglob("*"):
        ending = path.suffix.lower()
        if path.is_file() and path.stat().st_size <= 8 << 20 and ending.lstrip(".") in ENDINGS:
            by_ending.setdefault(ending, []).append(path)
    queues = [sorted(paths, key=lambda path: (path.stat().st_size, path)) for paths in by_ending.values()]
    turns = max(map(len, queues))
    order = [queue[turn] for turn in range(turns) for queue in queues if turn < len(queue)]
    start, checked, problems = time.monotonic(), 0, []
    for path in order:
        if time.monotonic() - start > limit:
            break
        bpy.ops.wm.read_homefile(use_empty=True)
        try:
            mapwright.open(path).to_scene()
        except mapwright.Error:
            continue
        checked += 1
        problems += [f"{path}: {problem}" for problem in check_import(path)]
    record_property("real files", f"{checked} imported of {len(order)} with {len(queues)} endings, in {limit:.0f} s at most")
    assert checked and not problems, "\n".join(problems)


ENDINGS = {ending for one in mapwright.formats() if one["to_scene"] for ending in one["extensions"]}
