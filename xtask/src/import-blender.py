"""Imports .glb files with Blender and compares the number of imported objects of each kind with the JSON of the file."""

import json
import struct
import sys
from pathlib import Path

import bpy

# The importer calls itself for each level of nodes, and files of the corpus have more than 1,000.
sys.setrecursionlimit(10_000)


def read_json(path):
    data = path.read_bytes()
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def shown_nodes(root):
    """Returns the nodes of the scene, in any order."""
    queue = list(root["scenes"][root.get("scene", 0)].get("nodes", [])) if root.get("scenes") else []
    found = []
    while queue:
        node = root["nodes"][queue.pop()]
        found.append(node)
        queue.extend(node.get("children", []))
    return found


def triangles(root, binary, primitive):
    """Returns the number of triangles that Blender keeps: it drops triangles with repeated vertices and repeated triangles."""
    positions = root["accessors"][primitive["attributes"]["POSITION"]]["count"]
    if "indices" not in primitive:
        return positions // 3
    accessor = root["accessors"][primitive["indices"]]
    view = root["bufferViews"][accessor["bufferView"]]
    code, size = {5121: ("B", 1), 5123: ("H", 2), 5125: ("I", 4)}[accessor["componentType"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    numbers = struct.unpack_from(f"<{accessor['count']}{code}", binary, start)
    corners = zip(numbers[0::3], numbers[1::3], numbers[2::3])
    return len({tuple(sorted(corner)) for corner in corners if len(set(corner)) == 3})


def count_in_json(root, binary):
    nodes = shown_nodes(root)
    counts = {"objects": len(nodes), "triangles": 0, "materials": set(), "uv sets": 0, "colours": 0, "images": set()}
    for node in nodes:
        if "mesh" not in node:
            continue
        instancing = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
        copies = 1
        if instancing:
            copies = root["accessors"][next(iter(instancing["attributes"].values()))]["count"]
            counts["objects"] += copies
        primitives = root["meshes"][node["mesh"]]["primitives"]
        counts["triangles"] += copies * sum(triangles(root, binary, primitive) for primitive in primitives)
        for word, name in [("uv sets", "TEXCOORD_"), ("colours", "COLOR_")]:
            sets = max(sum(key.startswith(name) for key in primitive["attributes"]) for primitive in primitives)
            counts[word] += copies * sets
        for material in {primitive["material"] for primitive in primitives if "material" in primitive}:
            counts["materials"].add(material)
            for image in images(root, root["materials"][material]):
                counts["images"].add(image)
    return {key: value if isinstance(value, int) else len(value) for key, value in counts.items()}


def images(root, value):
    """Yields the images that a material uses."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key.endswith("Texture") and isinstance(part, dict) and "index" in part:
                source = root["textures"][part["index"]].get("source")
                if source is not None:
                    yield source
            elif key != "extras":
                yield from images(root, part)


def count_imported():
    counts = {"objects": len(bpy.data.objects), "triangles": 0, "uv sets": 0, "colours": 0}
    for item in bpy.data.objects:
        if item.type == "MESH":
            item.data.calc_loop_triangles()
            counts["triangles"] += len(item.data.loop_triangles)
            counts["uv sets"] += len(item.data.uv_layers)
            counts["colours"] += sum(not one.name.startswith("_") for one in item.data.color_attributes)
    counts["materials"] = len([one for one in bpy.data.materials if one.users])
    counts["images"] = len([one for one in bpy.data.images if one.type == "IMAGE"])
    return counts


def main(names):
    failures = 0
    for name in names:
        path = Path(name)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        try:
            bpy.ops.import_scene.gltf(filepath=str(path))
            wanted, found = count_in_json(*read_json(path)), count_imported()
            differences = [f"{key} {found[key]}, expected {count}" for key, count in wanted.items() if found[key] != count]
        except Exception as error:
            differences = [str(error)]
        if differences:
            # A report of Blender may leave its last line open.
            print(f"\n== {path.name}: {'; '.join(differences)}")
            failures += 1
    imported = len(names) - failures
    print(f"== Blender {bpy.app.version_string} imports {imported} of {len(names)} files with equal counts")
    sys.exit(1 if failures else 0)


main(sys.argv[1:])
