"""Tests of exports: changes of the original, and new files."""

import math
import re
import shutil
from types import SimpleNamespace

import bmesh
import bpy
import mapwright
import numpy
import pytest
from compare import import_level
from conftest import FIXTURES


def test_instances_with_a_repeated_number_have_no_key(addon):
    class Instances:
        def __init__(self, ids, count):
            self.ids, self.count = numpy.array(ids), count

        def __len__(self):
            return self.count

    keys = addon.read.instance_keys([Instances([1, 2], 2), Instances([2, 3], 2), Instances([], 1)])
    assert keys == [["id=1", None], [None, "id=3"], [None]]


@pytest.fixture
def level(tmp_path):
    """Copies a fixture, and imports it. Returns its path and its collection."""

    def load(name):
        path = tmp_path / name.rsplit("/", 1)[1]
        shutil.copy(FIXTURES / name, path)
        return path, import_level(path)[0]

    return load


def by_key(collection, key):
    return next(one for one in collection.all_objects if one.get("mapwright_key") == key)


def export(path, **options):
    """Exports with the operator. Returns the lines of the losses."""
    for text in list(bpy.data.texts):
        bpy.data.texts.remove(text)
    assert bpy.ops.export_scene.mapwright(filepath=str(path), **options) == {"FINISHED"}
    return [line.body for text in bpy.data.texts for line in text.lines if line.body]


def count_differences(old, new):
    assert len(old) == len(new)
    return sum(a != b for a, b in zip(old, new))


@pytest.mark.parametrize(
    "name",
    [
        "vmap/room.vmap",
        "addon/maps/house.vmap",
        "wwd/claw.wwd",
        "wmp/room.wmp",
        "wmp/hand.wmp",
        "wrp/island.wrp",
        "wrp/island-1wvr.wrp",
        "wrp/island-2wvr.wrp",
        "wrp/island-3wvr.wrp",
        "wrp/odd.wrp",
        "wings/torus.wings",
    ],
)
def test_an_unchanged_level_keeps_all_bytes(level, name):
    path, _ = level(name)
    target = path.with_name(f"new-{path.name}")
    assert export(target) == []
    assert target.read_bytes() == path.read_bytes()


def test_a_moved_entity_changes_its_position_only(level):
    path, collection = level("vmap/room.vmap")
    collection.all_objects["prop_static"].location.x += 64 * 0.0254
    target = path.with_name("new.vmap")
    assert export(target) == []
    assert 1 <= count_differences(path.read_bytes(), target.read_bytes()) <= 4
    row = mapwright.open(target).query("class=prop_static")[0]
    assert row["origin"] == [0, 32, -128]


def test_an_entity_turns_and_scales(level):
    path, collection = level("vmap/room.vmap")
    prop = collection.all_objects["prop_static"]
    prop.rotation_euler.z += math.radians(30)
    prop.scale.z = 2
    assert export(path.with_name("new.vmap")) == []
    row = mapwright.open(path.with_name("new.vmap")).query("class=prop_static")[0]
    assert row["angles"] == pytest.approx([0, 75, 0], abs=1e-3)
    assert row["scales"] == pytest.approx([1, 1, 2]) and row["origin"] == [-64, 32, -128]


@pytest.mark.parametrize("turn", [(0.3, 0, 0), (0, 0.4, 0), (0.2, -0.7, 1.1)])
def test_any_rotation_arrives(level, turn):
    path, collection = level("vmap/room.vmap")
    collection.all_objects["prop_static"].rotation_euler = turn
    assert export(path.with_name("new.vmap")) == []
    key = collection.all_objects["prop_static"]["mapwright_key"]
    bpy.ops.wm.read_homefile(use_empty=True)
    again = by_key(import_level(path.with_name("new.vmap"))[0], key)
    assert numpy.allclose(again.rotation_euler.to_matrix(), __import__("mathutils").Euler(turn).to_matrix(), atol=1e-4)


def test_children_move_with_their_parent_once(level):
    path, collection = level("vmap/room.vmap")
    switch = collection.all_objects["switch"]
    assert switch.children
    switch.location.z += 10 * 0.0254
    assert export(path.with_name("new.vmap")) == []
    old, new = (mapwright.open(one).query("x=120", fields=["key", "z"]) for one in (path, path.with_name("new.vmap")))
    assert len(old) == 2
    assert [row["z"] - 10 for row in new] == pytest.approx([row["z"] for row in old], abs=1e-4)


@pytest.mark.parametrize(
    ("name", "key", "move", "field"),
    [
        ("wwd/claw.wwd", "planes[1].objects[0]", (5, 0, -7), {"x": 305, "y": 347}),
        ("wmp/room.wmp", "entity/4", (1, 2, 3), {"x": 65, "y": -62, "z": 27}),
        ("wmp/room.wmp", "block/1", (16, 0, 8), {"x": 144, "y": 0, "z": 40}),
        ("wrp/island.wrp", "id=3", (10, 20, 5), {"x": 491, "y": 20.25, "z": 483}),
        ("wings/torus.wings", "lights[0]", (1, -2, 3), {"x": 4, "y": 8, "z": 4}),
        ("wings/torus.wings", "shapes[1]", (1, 0, 0.5), {}),
    ],
)
def test_objects_of_every_format_move(level, name, key, move, field):
    path, collection = level(name)
    item = by_key(collection, key)
    item.location = [old + change for old, change in zip(item.location, move)]
    target = path.with_name(f"new-{path.name}")
    assert export(target) == []
    query = key if key.startswith("id=") else f'key="{key}"'
    row = mapwright.open(target).query(query)[0]
    assert {name: row[name] for name in field} == pytest.approx(field, abs=1e-3)
    assert not any(text.startswith("approximated") for text in export(target))


@pytest.mark.parametrize(
    ("name", "key", "scale"),
    [
        ("wmp/room.wmp", "entity/4", (2, 3, 0.5)),
        ("wmp/room.wmp", "block/1", (2, 1, 0.5)),
        ("wrp/island.wrp", "id=3", (1.5, 1.5, 1.5)),
        ("wrp/island.wrp", "id=3", (1, 2, 3)),
    ],
)
@pytest.mark.parametrize("turn", [(0, 0, 0), (0, 0, 2.5), (0.3, -0.4, 1.1)])
def test_objects_turn_and_grow(level, name, key, scale, turn):
    path, collection = level(name)
    item = by_key(collection, key)
    item.location.x += 3
    item.rotation_mode = "XYZ"
    item.rotation_euler = [old + change for old, change in zip(item.rotation_euler, turn)]
    item.scale = [old * factor for old, factor in zip(item.scale, scale)]
    target = path.with_name(f"new-{path.name}")
    assert export(target) == []
    assert path.read_bytes() != target.read_bytes()
    # All of it is written: the next export changes nothing.
    assert export(target) == []


def test_a_place_that_the_format_cannot_store_is_reported(level):
    path, collection = level("wwd/claw.wwd")
    item = by_key(collection, "planes[1].objects[0]")
    # The depth of objects is their order.
    item.location.y += 5
    losses = export(path.with_name("new.wwd"))
    assert len(losses) == 1 and losses[0].startswith(f"approximated: place of '{item.name}'")


def test_properties_become_fields(level):
    path, collection = level("vmap/room.vmap")
    lamp = collection.all_objects["lamp"]
    lamp["brightness"] = "7"
    lamp["new_key"] = 'a "quoted" text'
    assert export(path.with_name("new.vmap")) == []
    row = mapwright.open(path.with_name("new.vmap")).query("name=lamp")[0]
    assert row["brightness"] == "7" and row["new_key"] == 'a "quoted" text'


def test_numbers_and_lists_become_fields(level):
    path, collection = level("wmp/room.wmp")
    guard = by_key(collection, "entity/4")
    guard["skill1"] = 2.5
    guard["action"] = "sleep"
    assert export(path.with_name("new.wmp")) == []
    row = mapwright.open(path.with_name("new.wmp")).query("key=entity/4")[0]
    assert (row["skill1"], row["action"]) == (2.5, "sleep")


@pytest.mark.parametrize(
    ("name", "key", "field", "value"),
    [
        ("wrp/island.wrp", "id=3", "model", "data3d\\other.p3d"),
        ("wwd/claw.wwd", "planes[1].objects[0]", "score", 10),
        ("wings/torus.wings", "lights[0]", "color", [0.5, 0.25, 1.0]),
    ],
)
def test_properties_of_every_format_become_fields(level, name, key, field, value):
    path, collection = level(name)
    by_key(collection, key)[field] = value
    target = path.with_name(f"new-{path.name}")
    assert export(target) == []
    assert mapwright.open(target).query(key if "=" in key else f'key="{key}"')[0][field] == value


def test_losses_of_edits_are_reported(level):
    path, collection = level("wings/torus.wings")
    # The format has no intensity: its lights have brighter or darker colours.
    by_key(collection, "lights[0]")["intensity"] = 0.5
    losses = export(path.with_name("new.wings"))
    assert len(losses) == 1 and losses[0].startswith("approximated: nodes[2]: intensity")


def test_models_of_gamestudio_scale(level):
    path, collection = level("wmp/room.wmp")
    guard = by_key(collection, "entity/4")
    guard.scale = [old * factor for old, factor in zip(guard.scale, (2, 3, 4))]
    assert export(path.with_name("new.wmp")) == []
    assert mapwright.open(path.with_name("new.wmp")).query("key=entity/4")[0]["scale"] == [2, 3, 4]


def test_what_is_not_written_is_reported(level):
    path, collection = level("vmap/room.vmap")
    names = {one.name for one in collection.all_objects}
    assert {"lamp", "switch", "Mesh"} <= names
    bpy.data.objects.remove(collection.all_objects["lamp"])
    collection.objects.link(bpy.data.objects.new("added", None))
    copy = collection.all_objects["switch"].copy()
    collection.objects.link(copy)
    del collection.all_objects["prop_static"]["model"]
    collection.all_objects["Mesh"].data.vertices[0].co.x += 1
    losses = export(path.with_name("new.vmap"))
    changes = ["deleted object 'lamp'", "deleted property 'model'", "changed vertices of 'Mesh'"]
    for text in ["new object 'added'", f"new object '{copy.name}'", *changes]:
        assert sum(text in line for line in losses) == 1, (text, losses)
    assert path.with_name("new.vmap").read_bytes() == path.read_bytes()


def test_each_refused_property_is_reported_and_the_others_are_written(level):
    path, collection = level("vmap/room.vmap")
    lamp, mesh = collection.all_objects["lamp"], collection.all_objects["Mesh"]
    lamp["brightness"], lamp["visible"], lamp["id"], lamp["pitch"] = "7", "unknown", "5", 3.0
    mesh["name"], mesh["first"], mesh["second"] = "wall", "1", 2
    losses = export(path.with_name("new.vmap"))
    refused = [("lamp", "visible"), ("lamp", "id"), ("lamp", "pitch"), ("Mesh", "first"), ("Mesh", "second")]
    assert len(losses) == len(refused)
    for owner, name in refused:
        found = [line for line in losses if f"of {owner!r}" in line and re.search(rf"\b{name}\b", line)]
        assert len(found) == 1, (name, losses)
    document = mapwright.open(path.with_name("new.vmap"))
    assert document.query("name=lamp")[0]["brightness"] == "7"
    assert document.query(f"key={mesh['mapwright_key']}")[0]["name"] == "wall"


def test_properties_of_other_types_are_reported(level, tmp_path):
    path, collection = level("vmap/room.vmap")
    collection.all_objects["lamp"]["tags"] = {"a": 1}
    text = "values of this type cannot be written"
    assert export(path.with_name("new.vmap")) == [f"dropped: property 'tags' of 'lamp': {text}"]
    bpy.ops.wm.read_homefile(use_empty=True)
    door = bpy.data.objects.new("door", None)
    bpy.context.scene.collection.objects.link(door)
    door["mapwright_class"], door["tags"], door["speed"] = "func_door", {"a": 1}, 100
    assert f"dropped: property 'tags' of 'door': {text}" in export(tmp_path / "door.vmap", mode="NEW", format="vmap")
    assert mapwright.open(tmp_path / "door.vmap").query("class=func_door")[0]["speed"] == "100"


def test_strong_emission_is_reported(tmp_path):
    bpy.ops.mesh.primitive_cube_add()
    material = bpy.data.materials.new("lava")
    material.use_nodes = True
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Emission Color"].default_value = (0.5, 0.25, 0.0, 1.0)
    bpy.context.object.data.materials.append(material)
    text = "approximated: emission of 'lava': it is limited to 1"
    for strength, is_reported in ((2.0, False), (3.0, True)):
        shader.inputs["Emission Strength"].default_value = strength
        losses = export(tmp_path / f"{strength}.glb", mode="NEW", format="glb")
        assert (text in losses) == is_reported, losses


def test_a_copy_does_not_move_the_original(level):
    path, collection = level("vmap/room.vmap")
    lamp = collection.all_objects["lamp"]
    copy = lamp.copy()
    collection.objects.link(copy)
    copy.location.x += 5
    assert export(path.with_name("new.vmap")) == ["dropped: new object 'lamp.001': only changed objects are written"]
    lamp.name = "a renamed lamp"
    losses = export(path.with_name("new.vmap"))
    text = "changes of 'a renamed lamp', 'lamp.001': they are copies of one object: rename the one that is to be written"
    assert losses == [f"dropped: {text} to 'lamp'"]
    assert path.with_name("new.vmap").read_bytes() == path.read_bytes()
    # The shorter name of a copy does not matter.
    lamp.name, copy.name = "lamp", "l"
    assert export(path.with_name("new.vmap")) == ["dropped: new object 'l': only changed objects are written"]
    assert path.with_name("new.vmap").read_bytes() == path.read_bytes()
    bpy.data.objects.remove(copy)
    lamp.name = "other"
    lamp.location.x += 1
    assert export(path.with_name("new.vmap")) == []
    assert path.with_name("new.vmap").read_bytes() != path.read_bytes()


def test_objects_without_a_unique_number_are_reported_when_they_move(level):
    path, collection = level("wrp/island-1wvr.wrp")
    tree = next(one for one in collection.all_objects if "str_briza" in one.name)
    tree.location.x += 5
    losses = export(path.with_name("new.wrp"))
    assert losses == [f"dropped: place of {tree.name!r}: it has no unique number, so it cannot be moved"]
    added = tree.copy()
    for name in list(added.keys()):
        del added[name]
    collection.objects.link(added)
    assert f"dropped: new object {added.name!r}: only changed objects are written" in export(path.with_name("new.wrp"))


def test_deleted_instances_are_reported_by_name(level):
    path, collection = level("wrp/island.wrp")
    tree = by_key(collection, "id=3")
    name = tree.name
    bpy.data.objects.remove(tree)
    assert export(path.with_name("new.wrp")) == [f"dropped: deleted object {name!r}: it remains in the file"]


def test_an_unchanged_level_of_blocks_gives_no_message(tmp_path):
    bpy.ops.mesh.primitive_cube_add()
    export(tmp_path / "a.wmp", mode="NEW")
    text = (tmp_path / "a.wmp").read_text()
    # The settings of the level are lights in Blender.
    start = text.index("level 0 {")
    text = text[:start] + text[text.index("}", start) + 1 :]
    text = text.replace("entities 1", "entities 0").replace("objects 2", "objects 1")
    (tmp_path / "a.wmp").write_text(text)
    bpy.ops.wm.read_homefile(use_empty=True)
    collection, _ = import_level(tmp_path / "a.wmp")
    assert [one["flags"] for one in collection.all_objects] == [0]
    assert export(tmp_path / "b.wmp") == []


def test_levels_in_archives_are_not_changed_there(tmp_path):
    shutil.copy(FIXTURES / "rez/game.rez", tmp_path)
    path = tmp_path / "game.rez/LEVEL1/WORLDS/WORLD.WWD"
    import_level(path)
    command = 'mapwright extract "game.rez/LEVEL1/WORLDS" "WORLD.WWD" -o "WORLD.WWD"'
    for target in (path, tmp_path / "new.wwd"):
        with pytest.raises(RuntimeError, match=f"the original is in the archive game.rez: take it out with `{command}`"):
            export(target)
    with pytest.raises(RuntimeError, match="cannot be written into game.rez, which is a file: choose a folder"):
        export(path.with_name("new.glb"), mode="NEW")


def delete_face(item):
    edited = bmesh.new()
    edited.from_mesh(item.data)
    bmesh.ops.delete(edited, geom=[next(iter(edited.faces))], context="FACES_ONLY")
    edited.to_mesh(item.data)
    edited.free()


def move_uvs(item):
    item.data.uv_layers[0].uv[0].vector = (0.125, 7)


def replace_material_of_object(item):
    item.material_slots[0].link = "OBJECT"
    item.material_slots[0].material = bpy.data.materials.new("other")


@pytest.mark.parametrize(
    ("name", "change", "text"),
    [
        ("Mesh", delete_face, "changed faces of 'Mesh'"),
        ("Mesh", move_uvs, "changed UV maps of 'Mesh'"),
        ("Mesh", lambda item: item.data.materials.clear(), "changed materials of 'Mesh'"),
        ("Mesh", replace_material_of_object, "changed materials of 'Mesh'"),
        ("Mesh", lambda item: item.modifiers.new("grid", "SUBSURF"), "modifiers of 'Mesh'"),
        ("lamp", lambda item: setattr(item.data, "color", (1, 0, 0)), "changed light data of 'lamp'"),
        ("lamp", lambda item: setattr(item.data, "energy", 5), "changed light data of 'lamp'"),
        ("switch", lambda item: item.__setitem__("mapwright_class", "other"), "changed class of 'switch'"),
    ],
)
def test_changed_data_is_reported(level, name, change, text):
    path, collection = level("vmap/room.vmap")
    change(collection.all_objects[name])
    losses = export(path.with_name("new.vmap"))
    assert f"dropped: {text}: only transforms and properties are written" in losses
    assert path.with_name("new.vmap").read_bytes() == path.read_bytes()


def test_keys_of_entities_with_names_of_other_fields_are_properties(tmp_path):
    keys = {"scale": "3", "number": "5", "index": "2", "pitch": "-40", "kind": "big", "origin": "0 0 0"}
    door = mapwright.NodeData("door", entity=mapwright.EntityData("prop_door", properties=keys))
    path = tmp_path / "a.vmap"
    mapwright.build_scene([], [door], []).convert_file(path)
    item = import_level(path)[0].all_objects["door"]
    assert {name: item.get(name) for name in keys} == {**keys, "origin": None}
    assert export(tmp_path / "b.vmap") == []
    assert (tmp_path / "b.vmap").read_bytes() == path.read_bytes()

    item["scale"], item["number"], item["index"], item["pitch"] = "4", "6", "3", "50"
    losses = export(tmp_path / "b.vmap")
    # Edits set the angle of the object with `pitch`, and `number` is another name of its number.
    assert losses == [
        "dropped: property 'pitch' of 'door': the format uses this name for other data",
        "dropped: change of 'door': `id` cannot be set on objects of the kind `entity`",
    ]
    found = mapwright.open(tmp_path / "b.vmap").to_scene().entities[0].properties
    assert found == {**keys, "scale": "4", "index": "3"}


def test_the_pitch_of_a_sound_is_a_property(level):
    path, collection = level("wmp/room.wmp")
    row = mapwright.open(path).query("kind=sound")[0]
    sound = by_key(collection, row["key"])
    assert sound["pitch"] == row["pitch"]
    sound["pitch"] = 80.0
    assert export(path.with_name("new.wmp")) == []
    assert mapwright.open(path.with_name("new.wmp")).query("kind=sound")[0]["pitch"] == 80


def test_numbers_keep_their_digits(level, addon):
    path, collection = level("wings/torus.wings")
    light = by_key(collection, "lights[0]")
    light["color"] = [1e-7, *light["color"][1:]]
    assert export(path.with_name("new.wings")) == []
    old, new = (mapwright.open(one).query('key="lights[0]"')[0]["color"] for one in (path, path.with_name("new.wings")))
    assert new == [1e-7, *old[1:]]
    assert addon.write.text_of([1 / 3, 255.0, 1e-7]) == "0.3333333333333333 255 0.0000001"
    third = 1 / 3
    assert addon.write.keep_same_numbers([third, 2], [third + 1e-12, 3.0]) == [third, 3.0]
    assert addon.write.scale_number(third, 1.00001) == third


def test_impossible_changes_are_reported_and_the_others_written(level):
    path, collection = level("wmp/room.wmp")
    guard, other = by_key(collection, "entity/4"), by_key(collection, "entity/5")
    guard["flags"] = "many"
    other.location.x += 8
    losses = export(path.with_name("new.wmp"))
    assert any("change of 'guard_001'" in line for line in losses)
    old, new = (mapwright.open(one).query("key=entity/5")[0]["x"] for one in (path, path.with_name("new.wmp")))
    assert new == old + 8


def test_objects_of_other_files_are_not_written(tmp_path):
    shutil.copytree(FIXTURES / "addon", tmp_path / "addon")
    path = tmp_path / "addon/maps/house.vmap"
    collection, _ = import_level(path)
    resolved = [one for one in collection.all_objects if "mapwright_source" in one]
    inner = next(one for one in resolved if one.parent is not None and "mapwright_key" in one.parent)
    # Its entity takes it along, which is no change of the other file.
    inner.parent.location.x += 1
    assert export(path.with_name("new.vmap")) == []
    assert mapwright.open(path).diff(mapwright.open(path.with_name("new.vmap"))) is not None
    inner.location.y += 1
    losses = export(path.with_name("new.vmap"))
    assert len(losses) == 1 and f"place of '{inner.name}': it is in another file" in losses[0]


def test_the_original_can_be_replaced_twice(level):
    path, collection = level("wwd/claw.wwd")
    item = by_key(collection, "planes[1].objects[0]")
    for _ in range(2):
        item.location.x += 5
        assert export(path) == []
    assert mapwright.open(path).query('key="planes[1].objects[0]"')[0]["x"] == 310


@pytest.mark.parametrize(
    ("name", "key", "move", "turn", "field"),
    [
        ("wwd/claw.wwd", "planes[1].objects[0]", (5.4, 0, 0), 0, {"x": 305, "y": 340}),
        ("wings/torus.wings", "lights[0]", (1, -2, 3), 0.5, {"x": 4, "y": 8, "z": 4}),
        ("wings/torus.wings", "shapes[1]", (1, 0, 0.5), 0.5, None),
    ],
)
def test_the_stored_part_of_a_change_is_written_once(level, name, key, move, turn, field):
    path, collection = level(name)
    item = by_key(collection, key)
    item.location = [old + change for old, change in zip(item.location, move)]
    item.rotation_euler.z += turn
    rows = []
    for _ in range(3):
        # The rest of the change is in Blender only, so each export reports it.
        assert any(f"place of '{item.name}'" in line for line in export(path))
        rows.append(mapwright.open(path).query(f'key="{key}"')[0])
    assert rows[0] == rows[1] == rows[2]
    if field is not None:
        assert {name: rows[0][name] for name in field} == pytest.approx(field)


def test_a_changed_original_is_an_error(level):
    path, _ = level("wwd/claw.wwd")
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(RuntimeError, match="changed after the import: import it again"):
        export(path.with_name("new.wwd"))
    path.unlink()
    with pytest.raises(RuntimeError, match="missing"):
        export(path.with_name("new.wwd"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with pytest.raises(RuntimeError, match="no collection of an imported level"):
        export(path.with_name("new.wwd"))
    assert not path.with_name("new.wwd").exists()


def test_new_files_have_meshes_lights_entities_and_images(tmp_path):
    bpy.ops.mesh.primitive_cube_add(size=2, location=(1, 2, 3))
    cube = bpy.context.object
    cube.name = "crate"
    material = bpy.data.materials.new("paint")
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.new("colours", 1, 2)
    node.image.pixels[:] = [1, 0, 0, 1, 0, 0, 1, 1]
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    cube.data.materials.append(material)
    twin = bpy.data.objects.new("twin", cube.data)
    bpy.context.collection.objects.link(twin)
    light = bpy.data.lights.new("lamp", "POINT")
    light.energy = 100
    bpy.context.collection.objects.link(bpy.data.objects.new("lamp", light))
    door = bpy.data.objects.new("door", None)
    door["mapwright_class"], door["speed"] = "func_door", 100
    door.location = (0, 0, 1)
    bpy.context.collection.objects.link(door)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(camera)

    edge = bpy.data.meshes.new("edge")
    edge.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
    bpy.context.collection.objects.link(bpy.data.objects.new("edge", edge))

    path = tmp_path / "new.glb"
    losses = export(path, mode="NEW", format="glb")
    assert any("objects of the type camera" in line for line in losses)
    assert any("mesh without faces of 'edge'" in line for line in losses)
    scene = mapwright.open(path).to_scene()
    assert len(scene.meshes) == 1 and len(scene.meshes[0].face_ends) == 6
    places = {node.name: node.world[:3, 3].tolist() for node in scene.nodes}
    assert places["crate"] == [1, 3, -2] and places["twin"] == [0, 0, 0] and places["door"] == [0, 1, 0]
    assert scene.lights[0].intensity == pytest.approx(100 * 683 / (4 * math.pi))
    assert scene.images[0].file[1].startswith(b"\x89PNG")

    path = tmp_path / "new.vmap"
    export(path, mode="NEW", format="vmap")
    row = mapwright.open(path).query("class=func_door")[0]
    assert row["speed"] == "100" and row["origin"] == pytest.approx([0, 0, 1 / 0.0254], abs=1e-3)
    assert imported_pixels(tmp_path / "new.glb") == [1, 0, 0, 1, 0, 0, 1, 1]


def imported_pixels(path):
    """Imports a file into an empty file of Blender. Returns the pixels of its image."""
    bpy.ops.wm.read_homefile(use_empty=True)
    import_level(path)
    return list(next(image for image in bpy.data.images if image.size[0]).pixels)


def add_textured_plane(image):
    """Adds a plane with a material that shows an image."""
    bpy.ops.mesh.primitive_plane_add()
    material = bpy.data.materials.new("paint")
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    bpy.context.object.data.materials.append(material)


@pytest.mark.parametrize("kind", ["PNG", "TARGA"])
@pytest.mark.parametrize("is_painted", [False, True])
def test_images_of_files_are_written_with_their_pixels(tmp_path, kind, is_painted):
    image = bpy.data.images.new("colours", 2, 1)
    image.pixels[:] = [0, 1, 0, 1, 0, 0, 1, 1]
    image.filepath_raw, image.file_format = str(tmp_path / "image.file"), kind
    image.save()
    bpy.ops.wm.read_homefile(use_empty=True)
    image = bpy.data.images.load(str(tmp_path / "image.file"))
    if is_painted:
        image.pixels[:] = [1, 0, 0, 1, 1, 1, 0, 1]
    add_textured_plane(image)
    assert not any("image" in line for line in export(tmp_path / "new.glb", mode="NEW", format="glb"))
    assert imported_pixels(tmp_path / "new.glb") == ([1, 0, 0, 1, 1, 1, 0, 1] if is_painted else [0, 1, 0, 1, 0, 0, 1, 1])


def test_images_without_pixels_are_reported(tmp_path):
    image = bpy.data.images.new("gone", 1, 1)
    image.source, image.filepath = "FILE", str(tmp_path / "gone.png")
    add_textured_plane(image)
    losses = export(tmp_path / "new.glb", mode="NEW", format="glb")
    assert any(line.startswith("dropped: image 'gone': its file is missing") for line in losses)
    assert mapwright.open(tmp_path / "new.glb").to_scene().meshes


def node_before_image(kind):
    """Adds a node between the texture coordinates and the image of the plane. Returns it."""
    tree = bpy.data.materials["paint"].node_tree
    node, image = tree.nodes.new(kind), next(node for node in tree.nodes if node.type == "TEX_IMAGE")
    tree.links.new(node.outputs["Vector"], image.inputs["Vector"])
    return node


def test_mapping_nodes_are_reported(tmp_path):
    add_textured_plane(bpy.data.images.new("wood", 1, 1))
    mapping = node_before_image("ShaderNodeMapping")
    assert not any("Mapping" in line for line in export(tmp_path / "new.glb", mode="NEW"))
    mapping.inputs["Scale"].default_value = (2, 2, 2)
    text = "dropped: Mapping node of 'paint': the image is written without it"
    assert text in export(tmp_path / "new.glb", mode="NEW")


def test_procedural_base_colours_are_reported(tmp_path):
    add_textured_plane(None)
    text = "dropped: nodes of the base colour of 'paint': only an image is written"
    assert text in export(tmp_path / "new.glb", mode="NEW")
    tree = bpy.data.materials["paint"].node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    tree.links.new(tree.nodes.new("ShaderNodeTexNoise").outputs["Color"], shader.inputs["Base Color"])
    assert text in export(tmp_path / "new.glb", mode="NEW")


def test_curves_texts_and_metaballs_are_written_once(tmp_path):
    bpy.ops.object.text_add()
    text = bpy.context.object
    bpy.ops.surface.primitive_nurbs_surface_sphere_add()
    bpy.ops.object.metaball_add()
    inner = bpy.data.collections.new("inner")
    inner.objects.link(text)
    shown = bpy.data.objects.new("shown", None)
    shown.instance_type, shown.instance_collection = "COLLECTION", inner
    shown.location.x = 5
    bpy.context.collection.objects.link(shown)
    export(tmp_path / "new.glb", mode="NEW")
    found = [node.world[0, 3] for node in mapwright.open(tmp_path / "new.glb").to_scene().nodes if node.kind == "mesh"]
    assert sorted(found) == [0, 0, 0, 5]


def test_meshes_of_geometry_nodes_are_written_each(tmp_path):
    bpy.ops.mesh.primitive_plane_add()
    tree = bpy.data.node_groups.new("both", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    join, out = tree.nodes.new("GeometryNodeJoinGeometry"), tree.nodes.new("NodeGroupOutput")
    for kind in ("GeometryNodeMeshCube", "GeometryNodeMeshGrid"):
        instance = tree.nodes.new("GeometryNodeGeometryToInstance")
        tree.links.new(tree.nodes.new(kind).outputs["Mesh"], instance.inputs[0])
        tree.links.new(instance.outputs[0], join.inputs[0])
    tree.links.new(join.outputs[0], out.inputs[0])
    bpy.context.object.modifiers.new("both", "NODES").node_group = tree
    export(tmp_path / "new.glb", mode="NEW")
    sizes = [len(mesh.face_ends) for mesh in mapwright.open(tmp_path / "new.glb").to_scene().meshes]
    assert sorted(sizes) == [4, 6]


def test_new_files_replace_no_companion_files(tmp_path):
    image = bpy.data.images.new("wood", 1, 1)
    add_textured_plane(image)
    export(tmp_path / "new.obj", mode="NEW", format="obj")
    companions = [path for path in tmp_path.iterdir() if path.name != "new.obj"]
    assert len(companions) == 2
    for path in companions:
        (tmp_path / "new.obj").write_text("old")
        for other in companions:
            other.unlink(missing_ok=True)
        path.write_text("precious")
        with pytest.raises(RuntimeError, match=f"{path.name} exists already: choose another folder"):
            export(tmp_path / "new.obj", mode="NEW", format="obj")
        assert path.read_text() == "precious" and (tmp_path / "new.obj").read_text() == "old"


def test_new_files_do_not_replace_an_imported_original(level):
    path, _ = level("wings/torus.wings")
    data = path.read_bytes()
    with pytest.raises(RuntimeError, match="original of an imported level"):
        export(path, mode="NEW", format="wings")
    assert path.read_bytes() == data


def test_operators_do_not_remember_files_and_modes():
    exported = bpy.ops.export_scene.mapwright.get_rna_type().properties
    assert exported["filepath"].is_skip_save and exported["mode"].is_skip_save
    assert bpy.ops.import_scene.mapwright.get_rna_type().properties["filepath"].is_skip_save


@pytest.mark.parametrize(
    ("mode", "name", "checked"),
    [
        ("NEW", "level.v2", "level.v2.glb"),
        ("NEW", "level.vmap", "level.vmap.glb"),
        ("NEW", "level.GLB", "level.GLB"),
        ("NEW", "level", "level.glb"),
        ("CHANGES", "room.v2", "room.v2.vmap"),
        ("CHANGES", "room.glb", "room.glb.vmap"),
        ("CHANGES", "room.VMAP", "room.VMAP"),
    ],
)
def test_an_ending_is_added_to_the_whole_name(addon, level, tmp_path, mode, name, checked):
    level("vmap/room.vmap")
    given = SimpleNamespace(is_property_set=lambda name: True)
    path = str(tmp_path / name)
    operator = SimpleNamespace(mode=mode, format="glb", filepath=path, added_ending="", properties=given)
    addon.ExportLevel.check(operator, bpy.context)
    assert operator.filepath == str(tmp_path / checked)
    # Another choice replaces only the added ending.
    if name == "level.v2":
        operator.format = "obj"
        addon.ExportLevel.check(operator, bpy.context)
        assert operator.filepath == str(tmp_path / "level.v2.obj")


@pytest.mark.parametrize("name", ["room.wmp", "x.glb", "noext"])
def test_changes_need_an_ending_of_the_original(level, name):
    path, _ = level("vmap/room.vmap")
    with pytest.raises(RuntimeError, match="must end with .vmap: add this ending, or write a new file"):
        export(path.with_name(name))
    assert not path.with_name(name).exists()


@pytest.mark.parametrize("name", ["room", "room.backup"])
def test_an_original_with_another_ending_can_be_replaced(tmp_path, name):
    path = tmp_path / name
    shutil.copy(FIXTURES / "vmap/room.vmap", path)
    collection, _ = import_level(path)
    collection.all_objects["lamp"]["brightness"] = "7"
    assert export(path) == []
    assert mapwright.open(path).query("name=lamp")[0]["brightness"] == "7"
    with pytest.raises(RuntimeError, match="must end with .vmap"):
        export(tmp_path / "other.glb")


def test_the_longest_ending_gives_the_format(addon):
    given = SimpleNamespace(is_property_set=lambda name: False)
    for name, found in [("a.cells.png", "cellpng"), ("a.png", "heightpng"), ("a", "vmap")]:
        assert addon.target_format(SimpleNamespace(filepath=name, format="vmap", properties=given)) == found


def test_the_ending_of_a_new_file_gives_its_format(tmp_path):
    bpy.ops.mesh.primitive_cube_add()
    export(tmp_path / "a.glb", mode="NEW")
    assert mapwright.open(tmp_path / "a.glb").format == "glb"
    for name, options in [("b.glb", {"format": "vmap"}), ("noext", {}), ("noext", {"format": "obj"})]:
        with pytest.raises(RuntimeError, match="must end with .*choose the format of this ending"):
            export(tmp_path / name, mode="NEW", **options)
        assert not (tmp_path / name).exists()


def test_paths_relative_to_the_blend_file_are_resolved(level, tmp_path):
    path, _ = level("vmap/room.vmap")
    bpy.ops.wm.read_homefile(use_empty=True)
    (tmp_path / "blend").mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "blend/a.blend"))
    assert bpy.ops.import_scene.mapwright(filepath="//../room.vmap") == {"FINISHED"}
    export("//new.vmap")
    assert (tmp_path / "blend/new.vmap").read_bytes() == path.read_bytes()
    export("//new.glb", mode="NEW")
    assert (tmp_path / "blend/new.glb").is_file()


def activate(collection):
    """Makes a collection the active one."""
    waiting = [bpy.context.view_layer.layer_collection]
    while waiting:
        layer = waiting.pop()
        if layer.collection == collection:
            bpy.context.view_layer.active_layer_collection = layer
        waiting.extend(layer.children)
    assert bpy.context.collection == collection


def test_each_of_several_levels_is_written_to_its_file(level):
    room_path, room = level("vmap/room.vmap")
    activate(room)
    torus_path, torus = level("wings/torus.wings")
    assert set(bpy.context.scene.collection.children) == {room, torus}
    for path, collection in [(room_path, room), (torus_path, torus)]:
        activate(collection)
        target = path.with_name(f"new-{path.name}")
        assert export(target) == []
        assert target.read_bytes() == path.read_bytes()
    # A level that was moved into another is still a level of its own.
    bpy.context.scene.collection.children.unlink(torus)
    room.children.link(torus)
    activate(torus)
    assert export(torus_path.with_name("nested.wings")) == []
    activate(room)
    assert export(room_path.with_name("nested.vmap")) == []


def test_an_import_into_a_collection_of_the_user_stays_there(level):
    own = bpy.data.collections.new("own")
    bpy.context.scene.collection.children.link(own)
    activate(own)
    _, collection = level("vmap/room.vmap")
    assert list(own.children) == [collection]


@pytest.mark.parametrize("is_new", [False, True])
def test_changes_in_edit_mode_are_found(level, is_new):
    path, collection = level("vmap/room.vmap")
    item = collection.all_objects["Mesh"]
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    bmesh.from_edit_mesh(item.data).verts[:][0].co.x += 100
    if is_new:
        export(path.with_name("new.glb"), mode="NEW")
        meshes = mapwright.open(path.with_name("new.glb")).to_scene().meshes
        assert max(mesh.positions[:, 0].max() for mesh in meshes) > 90
    else:
        assert any("changed vertices of 'Mesh'" in line for line in export(path.with_name("new.vmap")))
    assert item.mode == "OBJECT"


def test_new_files_are_imported_again(tmp_path):
    import_level(FIXTURES / "wings/torus.wings")
    polygons = sum(len(mesh.polygons) for mesh in bpy.data.meshes)
    old = bpy.data.objects["Torus"].data
    box = numpy.array([tuple(vertex.co) for vertex in old.vertices])
    bpy.context.view_layer.update()
    sun = bpy.data.objects["Sun"].matrix_world.to_3x3().copy()
    energy = bpy.data.objects["Lamp"].data.energy
    path = tmp_path / "new.glb"
    export(path, mode="NEW", format="glb")
    bpy.ops.wm.read_homefile(use_empty=True)
    import_level(path)
    bpy.context.view_layer.update()
    assert sum(len(mesh.polygons) for mesh in bpy.data.meshes) == polygons
    new = numpy.array([tuple(vertex.co) for vertex in bpy.data.objects["Torus"].data.vertices])
    assert numpy.allclose([new.min(0), new.max(0)], [box.min(0), box.max(0)], atol=1e-5)
    assert len(bpy.data.lights) == 2
    turned = bpy.data.objects["Sun"].matrix_world.to_3x3()
    assert numpy.allclose(turned, sun, atol=1e-4)
    assert bpy.data.objects["Lamp"].data.energy == pytest.approx(energy, rel=1e-4)


def test_modifiers_and_instances_are_applied(tmp_path):
    bpy.ops.mesh.primitive_plane_add(size=2)
    plane = bpy.context.object
    plane.modifiers.new("grid", "SUBSURF").subdivision_type = "SIMPLE"
    inner = bpy.data.collections.new("inner")
    inner.objects.link(plane)
    bpy.context.scene.collection.objects.unlink(plane)
    for x in (0, 10):
        shown = bpy.data.objects.new(f"shown {x}", None)
        shown.instance_type, shown.instance_collection = "COLLECTION", inner
        shown.location.x = x
        bpy.context.scene.collection.objects.link(shown)
    export(tmp_path / "new.glb", mode="NEW", format="glb")
    scene = mapwright.open(tmp_path / "new.glb").to_scene()
    nodes = [node for node in scene.nodes if node.kind == "mesh"]
    assert sorted(node.world[0, 3] for node in nodes) == [0, 10]
    assert len(scene.meshes[nodes[0].index].face_ends) == 4


def test_colours_of_vertices_and_corners_are_written(tmp_path):
    bpy.ops.mesh.primitive_plane_add(size=2)
    mesh = bpy.context.object.data
    layer = mesh.color_attributes.new("tint", "FLOAT_COLOR", "POINT")
    colors = numpy.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0.25, 0.5, 1, 1]], numpy.float32)
    layer.data.foreach_set("color", colors.ravel())
    places = {tuple(vertex.co): tuple(color[:3]) for vertex, color in zip(mesh.vertices, colors.tolist())}
    export(tmp_path / "new.glb", mode="NEW", format="glb")
    bpy.ops.wm.read_homefile(use_empty=True)
    import_level(tmp_path / "new.glb")
    mesh = bpy.data.meshes[0]
    found = {}
    for loop, color in zip(mesh.loops, mesh.color_attributes[0].data):
        place = tuple(round(value, 3) + 0.0 for value in mesh.vertices[loop.vertex_index].co)
        found.setdefault(place, set()).add(tuple(round(value, 3) for value in color.color[:3]))
    for place, color in places.items():
        assert any(numpy.allclose(color, one, atol=0.005) for one in found[place]), (found, places)


def test_only_selected_objects_are_written(tmp_path):
    for x in (0, 5):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0, 0))
    export(tmp_path / "new.obj", mode="NEW", format="obj", only_selected=True)
    nodes = mapwright.open(tmp_path / "new.obj").to_scene().nodes
    assert len([node for node in nodes if node.kind == "mesh"]) == 1


def test_nothing_to_write_is_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="new.glb"):
        export(tmp_path / "new.glb", mode="NEW", format="glb")
    assert not (tmp_path / "new.glb").exists()
    bpy.ops.object.light_add(type="POINT")
    with pytest.raises(RuntimeError, match="Choose another format") as error:
        export(tmp_path / "new.obj", mode="NEW")
    assert "allow_empty" not in str(error.value) and not (tmp_path / "new.obj").exists()
