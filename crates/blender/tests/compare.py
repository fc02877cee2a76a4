"""Compares imported objects with the scene of the package, which is read again."""

import bpy
import mapwright
import numpy

FACES_DROPPED = "polygons that Blender does not allow"


def import_level(path, **options):
    """Imports a file with the operator. Returns its collection and the lines of its losses."""
    assert bpy.ops.import_scene.mapwright(filepath=str(path), **options) == {"FINISHED"}
    collection = next(one for one in bpy.data.collections if one.get("mapwright_path") == str(path))
    texts = [text for text in bpy.data.texts if text.name.startswith("mapwright: ")]
    return collection, [line.body for text in texts for line in text.lines if line.body]


def expected_counts(document):
    """Returns the numbers of objects, of meshes and of their polygons that a document must give."""
    scene = document.to_scene(resolve=True)
    if scene.brush_count:
        scene = scene.with_brushes_as_meshes()
    nodes = scene.nodes
    groups = [
        node.kind == "group" and (node.key is not None or numpy.array_equal(node.local, numpy.eye(4))) for node in nodes
    ]
    sets = scene.instance_sets
    shown = [sets[node.index] for node in nodes if node.kind == "instance_set"]
    objects = len(nodes) - sum(groups) - len(shown) + sum(map(len, shown))

    meshes = {node.index for node in nodes if node.kind == "mesh"}
    meshes |= {model for one in shown for model in one.models if isinstance(model, int)}
    boxes = {model for one in shown for model in one.models if isinstance(model, str)}
    sizes = [scene.terrains[node.index].heights.shape for node in nodes if node.kind == "terrain"]
    polygons = sum(len(scene.meshes[index].face_ends) for index in meshes)
    polygons += sum(max(rows - 1, 0) * max(columns - 1, 0) for rows, columns in sizes) + 6 * len(boxes)
    return {"objects": objects, "meshes": len(meshes) + len(boxes) + len(sizes), "polygons": polygons}


def imported_counts(losses):
    """Returns the same numbers of the file in Blender. Polygons that were reported as dropped count."""
    dropped = 0
    for line in losses:
        if FACES_DROPPED in line:
            dropped += int(line.rsplit("(", 1)[1].split()[0]) if line.endswith("times)") else 1
    polygons = sum(len(mesh.polygons) for mesh in bpy.data.meshes) + dropped
    return {"objects": len(bpy.data.objects), "meshes": len(bpy.data.meshes), "polygons": polygons}


def check_import(path):
    """Imports a file. Returns a text for each difference."""
    document = mapwright.open(path)
    _, losses = import_level(path)
    wanted, found = expected_counts(document), imported_counts(losses)
    problems = [f"{name}: {found[name]}, expected {count}" for name, count in wanted.items() if found[name] != count]
    problems += [f"mesh {mesh.name!r} is invalid" for mesh in bpy.data.meshes if mesh.validate()]
    values = numpy.empty(len(bpy.data.objects) * 16, numpy.float32)
    bpy.data.objects.foreach_get("matrix_basis", values)
    if not numpy.isfinite(values).all():
        problems.append("a place is not finite")
    return problems
