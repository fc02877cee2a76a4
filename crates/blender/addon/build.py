# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the visible objects of Blender to a new file."""

import math
import tempfile
from pathlib import Path

import bpy
import mapwright
import numpy

from . import read
from .frame import LIGHT_TURN, matrices_to_scene, points_to_scene
from .report import ExportError, LossList
from .snapshot import get

SIGNATURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}
"""The first bytes of the image files that all formats of models can contain, and their media types."""
CURVE_TYPES = frozenset(["CURVE", "FONT", "META", "SURFACE"])
"""Types of objects that are meshes only after their evaluation."""
PLAIN_NODES = frozenset(["ATTRIBUTE", "MIX", "REROUTE", "TEX_COORD", "TEX_IMAGE", "UVMAP", "VERTEX_COLOR"])
"""Types of nodes of a base colour that are not reported. The import creates most of them."""
LIGHT_KINDS = {"POINT": "point", "SPOT": "spot", "SUN": "directional"}


def export_new(context, path, target, only_selected=False, scale=1.0):
    """Writes the objects of a view layer to a file of the format `target`. Returns the losses.

    `scale` is the number of units per metre for formats that do not state their unit.
    """
    for collection in bpy.data.collections:
        if read.PATH in collection and Path(collection[read.PATH]).resolve() == Path(path).resolve():
            text = "this is the original of an imported level: choose another file, or write the changes of the original"
            raise ExportError(f"{path}: {text}")
    builder = SceneBuilder()
    builder.add_all(context.evaluated_depsgraph_get(), only_selected)
    if not builder.nodes:
        raise ExportError("nothing to write: select or show objects")
    scene = mapwright.build_scene(
        builder.meshes,
        builder.nodes,
        builder.materials,
        name=Path(path).stem,
        metres_per_unit=1.0,
        color_space="linear",
        images=builder.images,
    )
    path = Path(path)
    # The names of companion files depend on the name of the file, so it is written to another folder first.
    with tempfile.TemporaryDirectory() as folder:
        conversion = scene.convert_file(Path(folder) / path.name, to=target, scale=scale)
    for name in conversion.side_files:
        # Blender asks before it replaces the chosen file only.
        if (path.parent / name).exists():
            raise ExportError(f"{path.parent / name} exists already: choose another folder, or remove this file first")
    conversion.save(path, overwrite=True)
    builder.losses.add_all(conversion.losses)
    return builder.losses.lines()


class SceneBuilder:
    """The data of a scene of the package, collected from Blender."""

    def __init__(self):
        self.meshes, self.nodes, self.materials, self.images = [], [], [], []
        self.losses = LossList()
        self._meshes, self._materials, self._images = {}, {}, {}

    def add_all(self, depsgraph, only_selected):
        """Adds all visible objects, and those of collections that instances show."""
        has_parents, curves = False, set()
        for shown in depsgraph.object_instances:
            item = shown.object
            # Blender also shows the mesh of a curve as an instance of the curve in the same place.
            place = item.original.as_pointer(), tuple(value for row in shown.matrix_world for value in row)
            if item.type in CURVE_TYPES:
                curves.add(place)
            elif shown.is_instance and place in curves:
                continue
            owner = shown.parent if shown.is_instance else item
            if not shown.show_self or only_selected and not owner.original.select_get():
                continue
            has_parents |= item.parent is not None
            self.add(item, numpy.array(shown.matrix_world))
        if has_parents:
            self.losses.add("dropped", "parents of objects: all objects are written in their place")

    def add(self, item, matrix):
        node = mapwright.NodeData(item.name)
        if item.type == "EMPTY" and item.instance_type == "COLLECTION":
            # Its objects are instances of their own.
            return
        if item.type == "LIGHT":
            node.light = self.light(item.data)
            matrix = matrix @ LIGHT_TURN.T
            if node.light is None:
                return
        elif item.type == "EMPTY":
            node.entity = self.entity(item) if read.CLASS in item else None
        else:
            node.mesh = self.mesh(item)
            if node.mesh is None:
                return
        node.matrix = matrices_to_scene(matrix, 1.0)
        self.nodes.append(node)

    def mesh(self, item):
        """Returns the index of the mesh of an object with its modifiers, or None. Objects share meshes without modifiers."""
        original = item.original
        is_shared = item.type == "MESH" and not original.modifiers
        # Materials may belong to the object, so that meshes with other materials are others.
        slots = tuple(slot.material.name if slot.material else None for slot in item.material_slots)
        # An object with geometry nodes can show several meshes.
        owner = None if is_shared else original.as_pointer()
        key = (original if is_shared else item).data.as_pointer(), owner, slots
        if key not in self._meshes:
            self._meshes[key] = self.add_mesh(item)
        return self._meshes[key]

    def add_mesh(self, item):
        try:
            mesh = item.to_mesh()
        except RuntimeError:
            mesh = None
        if mesh is None:
            self.losses.add("dropped", f"objects of the type {item.type.lower()}")
            return None
        try:
            if not len(mesh.polygons):
                self.losses.add("dropped", f"mesh without faces of {item.name!r}")
                return None
            self.meshes.append(self.mesh_data(item, mesh))
            return len(self.meshes) - 1
        finally:
            item.to_mesh_clear()

    def mesh_data(self, item, mesh):
        count = len(mesh.loops)
        positions = get(mesh.vertices, "co", len(mesh.vertices), 3)
        normals = get(mesh.corner_normals, "vector", count, 3)
        materials = [-1 if slot.material is None else self.material(slot.material) for slot in item.material_slots]
        places = get(mesh.polygons, "material_index", len(mesh.polygons), 0, numpy.int32)
        materials = numpy.array(materials or [-1])
        return mapwright.MeshData(
            points_to_scene(positions, 1.0),
            get(mesh.loops, "vertex_index", count, 0, numpy.int32),
            face_sizes=get(mesh.polygons, "loop_total", len(mesh.polygons), 0, numpy.int32),
            name=item.data.name,
            face_materials=materials[numpy.clip(places, 0, len(materials) - 1)],
            uv_sets={layer.name: get(layer.uv, "vector", count, 2) for layer in mesh.uv_layers},
            uv_origin="lower_left",
            color_sets=dict(self.colors(mesh)),
            normals=points_to_scene(normals, 1.0),
        )

    def colors(self, mesh):
        for layer in mesh.color_attributes:
            values = get(layer.data, "color", len(layer.data), 4)
            if layer.domain == "POINT":
                values = values[get(mesh.loops, "vertex_index", len(mesh.loops), 0, numpy.int32)]
            yield layer.name, values

    def material(self, material):
        """Returns the index of a material. Of its nodes, the values and the image of the principled shader are written."""
        material = material.original
        if material.name not in self._materials:
            self._materials[material.name] = len(self.materials)
            self.materials.append(self.material_data(material))
        return self._materials[material.name]

    def material_data(self, material):
        data = mapwright.MaterialData(material.name, reference=material.get("mapwright_reference"))
        data.double_sided = not material.use_backface_culling
        nodes = material.node_tree.nodes if material.node_tree is not None else ()
        shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
        if shader is None:
            data.base_color = tuple(material.diffuse_color)
            self.losses.add("dropped", "nodes of materials without a principled shader")
            return data
        inputs = shader.inputs
        alpha = inputs["Alpha"]
        data.base_color = (*inputs["Base Color"].default_value[:3], alpha.default_value)
        data.metallic, data.roughness = inputs["Metallic"].default_value, inputs["Roughness"].default_value
        strength = inputs["Emission Strength"].default_value
        emissive = [value * strength for value in inputs["Emission Color"].default_value[:3]]
        data.emissive = [min(value, 1.0) for value in emissive]
        if data.emissive != emissive:
            self.losses.add("approximated", f"emission of {material.name!r}: it is limited to 1")
        if alpha.is_linked or alpha.default_value < 1:
            data.alpha = "blend" if material.surface_render_method == "BLENDED" else "mask"
        image = self.base_color_image(material, inputs["Base Color"])
        if image is not None:
            data.base_color_image = self.image(image)
            if data.base_color_image is not None:
                data.base_color = (1.0, 1.0, 1.0, alpha.default_value)
        for name in ("Metallic", "Roughness", "Normal", "Emission Color"):
            if inputs[name].is_linked:
                self.losses.add("dropped", f"textures of materials: {name.lower()}")
        return data

    def base_color_image(self, material, socket):
        """Returns the image that leads to the base colour, and reports other nodes that change it."""
        if not socket.is_linked:
            return None
        nodes = nodes_before(socket)
        images = [node.image for node in nodes if node.type == "TEX_IMAGE" and node.image is not None]
        if not images:
            self.losses.add("dropped", f"nodes of the base colour of {material.name!r}: only an image is written")
            return None
        for node in nodes:
            if node.type not in PLAIN_NODES and not is_identity(node):
                text = f"{node.bl_label} node of {material.name!r}: the image is written without it"
                self.losses.add("dropped", text)
        if len(set(images)) > 1:
            self.losses.add("dropped", f"other images of the base colour of {material.name!r}: only the first is written")
        return images[0]

    def image(self, image):
        """Returns the index of an image, or None if it has no pixels."""
        if image.name not in self._images:
            try:
                data = image_bytes(image)
            except (RuntimeError, OSError) as error:
                self.losses.add("dropped", f"image {image.name!r}: {str(error).strip()}")
                self._images[image.name] = None
                return None
            media_type = next(kind for start, kind in SIGNATURES.items() if data.startswith(start))
            self._images[image.name] = len(self.images)
            self.images.append(mapwright.ImageData(image.name, data, media_type))
        return self._images[image.name]

    def entity(self, item):
        """Returns the entity of an empty. Its custom properties are its keys."""
        properties = {}
        for name in (name for name in item.keys() if name not in read.OWN_PROPERTIES):
            if read.is_unsupported(item, name):
                self.losses.add("dropped", f"property {name!r} of {item.name!r}: values of this type cannot be written")
            value = read.plain_value(item[name])
            if value is not None:
                properties[name] = value
        return mapwright.EntityData(item[read.CLASS], properties=properties)

    def light(self, light):
        kind = LIGHT_KINDS.get(light.type)
        if kind is None:
            self.losses.add("dropped", f"lights of the type {light.type.lower()}")
            return None
        lumens = light.energy * read.LUMENS_PER_WATT
        data = mapwright.LightData(kind, tuple(light.color), unit="photometric")
        data.intensity = lumens if kind == "directional" else lumens / (4 * math.pi)
        if light.use_custom_distance and kind != "directional":
            data.range = light.cutoff_distance
        if kind == "spot":
            outer = light.spot_size / 2
            data.cone = (outer * (1 - light.spot_blend), outer)
        return data


def nodes_before(socket):
    """Returns the nodes that lead to an input, the nearest first."""
    waiting, found = [link.from_node for link in socket.links], []
    while waiting:
        node = waiting.pop(0)
        if node not in found:
            found.append(node)
            waiting.extend(link.from_node for socket in node.inputs for link in socket.links)
    return found


def is_identity(node):
    """Returns True for a Mapping node that changes nothing."""
    if node.type != "MAPPING":
        return False
    neutral = {"Location": 0, "Rotation": 0, "Scale": 1}
    inputs = [(socket, neutral[socket.name]) for socket in node.inputs if socket.name in neutral]
    return all(not socket.is_linked and set(socket.default_value) == {value} for socket, value in inputs)


def image_bytes(image):
    """Returns an image as the bytes of a PNG or JPEG file."""
    data = file_bytes(image)
    if data.startswith(tuple(SIGNATURES)):
        return data
    # A copy of an image has the pixels of its file, and not those that were painted.
    width, height = image.size
    if not len(image.pixels):
        raise RuntimeError("its file is missing, or of a kind that Blender cannot read")
    pixels = numpy.empty(width * height * image.channels, numpy.float32)
    image.pixels.foreach_get(pixels)
    pixels = pixels.reshape(-1, image.channels)
    colors = numpy.ones((len(pixels), 4), numpy.float32)
    colors[:, :3] = pixels[:, :3] if image.channels >= 3 else pixels[:, :1]
    if image.channels in (2, 4):
        colors[:, 3] = pixels[:, -1]
    if image.is_float and image.colorspace_settings.name != "Non-Color":
        # Images of floats have linear colours, and PNG files have sRGB.
        linear = numpy.clip(colors[:, :3], 0, None)
        colors[:, :3] = numpy.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    copy = bpy.data.images.new(image.name, width, height, alpha=True)
    try:
        copy.pixels.foreach_set(numpy.clip(colors, 0, 1).ravel())
        with tempfile.TemporaryDirectory() as folder:
            copy.filepath_raw, copy.file_format = str(Path(folder) / "image.png"), "PNG"
            copy.save()
            return Path(copy.filepath_raw).read_bytes()
    finally:
        bpy.data.images.remove(copy)


def file_bytes(image):
    """Returns the bytes of the file of an image, or no bytes if it has none or if its pixels were changed."""
    if image.is_dirty or image.source != "FILE":
        return b""
    if image.packed_file is not None:
        return image.packed_file.data
    path = Path(bpy.path.abspath(image.filepath, library=image.library))
    return path.read_bytes() if image.filepath and path.is_file() else b""
