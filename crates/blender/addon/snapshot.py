# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests of the data of objects, by which an export finds changes that it cannot write."""

import hashlib

import numpy

LIGHT_FIELDS = ("type", "color", "energy", "use_custom_distance", "cutoff_distance", "spot_size", "spot_blend")
CAMERA_FIELDS = ("type", "angle", "ortho_scale", "clip_start", "clip_end")


def data_digests(item):
    """Returns a digest for each part of the mesh, light or camera of an object, by the name of the part."""
    if item.type == "MESH":
        parts = mesh_parts(item)
    elif item.type in ("LIGHT", "CAMERA"):
        parts = {f"{item.type.lower()} data": [text_of_fields(item.data)]}
    else:
        return {}
    digests = {}
    for name, chunks in parts.items():
        hashed = hashlib.blake2b(digest_size=8)
        for chunk in chunks:
            hashed.update(chunk)
        digests[name] = hashed.hexdigest()
    return digests


def text_of_fields(data):
    """Returns the fields of a light or camera that are compared, as bytes."""
    names = LIGHT_FIELDS if hasattr(data, "energy") else CAMERA_FIELDS
    values = [getattr(data, name, None) for name in names]
    return repr([value if isinstance(value, (str, bool, float, type(None))) else list(value) for value in values]).encode()


def mesh_parts(item):
    mesh = item.data
    corners, faces = len(mesh.loops), len(mesh.polygons)
    names = [slot.material.name if slot.material else "" for slot in item.material_slots]
    return {
        "vertices": [get(mesh.vertices, "co", len(mesh.vertices), 3)],
        "faces": [
            get(mesh.loops, "vertex_index", corners, 0, numpy.int32),
            get(mesh.polygons, "loop_total", faces, 0, numpy.int32),
        ],
        "UV maps": [part for one in mesh.uv_layers for part in (one.name.encode(), get(one.uv, "vector", corners, 2))],
        "materials": ["\n".join(names).encode(), get(mesh.polygons, "material_index", faces, 0, numpy.int32)],
    }


def get(items, name, count, width, kind=numpy.float32):
    """Returns a property of all items as an array."""
    values = numpy.empty(count * (width or 1), kind)
    items.foreach_get(name, values)
    return values.reshape(-1, width) if width else values
