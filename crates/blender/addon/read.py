# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the objects of Blender from a level or model."""

import functools
import hashlib
import json
import math
from pathlib import Path

import bpy
import mapwright
import numpy

from . import meshes
from .frame import LIGHT_TURN, matrices_to_blender
from .report import LossList
from .materials import MaterialBuilder
from .snapshot import data_digests

KEY = "mapwright_key"
"""The custom property with the path of an object in its document."""
SOURCE = "mapwright_source"
"""The custom property of objects from another file: its path. They are no part of the document."""
PATH = "mapwright_path"
"""The custom property of a collection with the path of its document."""
FORMAT = "mapwright_format"
"""The custom property of a collection with the format of its document."""
UNIT = "mapwright_metres_per_unit"
"""The custom property of a collection with the length of a unit of its document."""
DIGEST = "mapwright_sha256"
"""The custom property of a collection with the SHA-256 of its document."""
CLASS = "mapwright_class"
"""The custom property of an entity with its class."""
KIND = "mapwright_kind"
"""The custom property of an object with its kind in the scene."""
MATRIX = "mapwright_matrix"
"""The custom property of an object with its matrix in the world after the import, column by column. An export finds moved objects by it."""

NAME = "mapwright_name"
"""The custom property of an object with its name after the import. Copies of an object have other names."""
DIGESTS = "mapwright_digests"
"""The custom property of an object with the digests of its data after the import."""
OWN_PROPERTIES = frozenset([KEY, SOURCE, CLASS, KIND, MATRIX, NAME, DIGESTS])
"""Custom properties that the importer adds. They are no properties of the object in its file."""

POSE_FIELDS = frozenset("x y z origin angles pitch yaw roll scales key kind faces vertices".split())
PLACE_FIELDS = {
    "wmp": frozenset("x y z position scale key kind number faces vertices".split()),
    "wwd": frozenset("x y z key kind index".split()),
}
"""Fields that are the transform or the mesh of an object, or identify it, by format. The others become custom properties.

Other formats have the fields in `POSE_FIELDS`.
"""
TRANSFORM_KEYS = frozenset(["origin", "angles"])
"""Keys of entities that repeat their transform, so that they are no custom properties."""
LONGEST_NAME = 63
"""The maximum length of the name of a custom property in bytes."""

EDITED_FORMATS = frozenset(["vmap", "wmp", "wrp", "wwd", "wings"])
"""The formats whose documents can be changed."""
PLAIN_TYPES = frozenset([bool, int, float, str])
EMPTY_DISPLAYS = {"entity": "CUBE", "marker": "ARROWS", "sound": "SPHERE"}
LIGHT_TYPES = {"point": "POINT", "spot": "SPOT", "directional": "SUN", "area": "AREA"}
LUMENS_PER_WATT = 683
DEFAULT_REACH = 5.0
"""The distance in metres at which a light without a range and a unit fully lights a surface."""


def open_document(path, content=()):
    """Opens a document. `content` are folders and archives of the game."""
    return mapwright.open(path, content=[str(folder) for folder in content])


def to_scene(document, resolve=True):
    """Returns the scene of a document with meshes in the place of brushes."""
    scene = document.to_scene(resolve=resolve)
    return scene.with_brushes_as_meshes() if scene.brush_count else scene


def import_file(path, content=(), metres_per_unit=1.0):
    """Imports a file into a new collection, which is in no scene yet. Returns it, and the losses.

    `metres_per_unit` is the length of a unit if the file does not state it.
    """
    path = Path(path).absolute()
    document = open_document(path, content)
    scene = to_scene(document)
    unit = scene.metres_per_unit or metres_per_unit
    importer = Importer(document, scene, unit, path)
    importer.draw_tiles(document, content)
    collection = importer.build()
    collection[PATH] = str(path)
    collection[FORMAT] = document.format
    collection[UNIT] = unit
    if path.is_file() and document.format in EDITED_FORMATS:
        collection[DIGEST] = digest(path)
    return collection, importer.losses.lines()


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def rows_by_key(document, losses, query="*"):
    """Returns the fields of objects of a document by key. Instances of terrains have the key `id=NUMBER`."""
    try:
        rows = document.query(query, allow_unknown=True)
    except mapwright.Error as error:
        losses.add("dropped", f"custom properties of objects: {error}")
        return {}
    if any("key" in row for row in rows):
        return {row["key"]: row for row in rows if "key" in row}
    return {instance_key(row["id"]): row for row in rows if "id" in row}


def instance_key(number):
    return f"id={number}"


def instance_name(number, model):
    """Returns the name of an instance of a model with this name."""
    return f"{number:05} {model}"


def model_name(path):
    """Returns the name of the model in a file."""
    return path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]


def instance_keys(instance_sets):
    """Returns the keys of the instances of each set. A number that repeats identifies no object: its key is None."""
    numbers = [instances.ids for instances in instance_sets]
    if not sum(map(len, numbers)):
        return [[None] * len(instances) for instances in instance_sets]
    found, counts = numpy.unique(numpy.concatenate(numbers), return_counts=True)
    repeated = set(found[counts > 1].tolist())
    return [
        [None if number in repeated else instance_key(number) for number in ids.tolist()] or [None] * len(instances)
        for ids, instances in zip(numbers, instance_sets)
    ]


def place_fields(format_name):
    return PLACE_FIELDS.get(format_name, POSE_FIELDS)


def row_properties(key, row, format_name, entity=None):
    """Returns the fields of an object that are its custom properties. Instances have only their model, as there are many."""
    if key.startswith("id=") and "model" in row:
        return to_properties({"model": row["model"]})
    hidden = place_fields(format_name)
    fields = {name: value for name, value in row.items() if name not in hidden}
    # Keys of an entity may have the names of these fields, or of fields of other formats.
    if entity is not None and format_name == "vmap":
        fields = {**entity.properties, **fields}
    return to_properties(fields)


def to_properties(fields):
    """Returns the fields of an object that become custom properties, with values that Blender can store."""
    properties = {}
    for name, value in fields.items():
        if not is_property_name(name):
            continue
        kind = type(value)
        if kind is int and not -(2**31) <= value < 2**31:
            properties[name] = str(value)
        elif kind in PLAIN_TYPES:
            properties[name] = value
        elif kind is list and 0 < len(value) <= 16 and all(type(one) in (int, float) for one in value):
            properties[name] = [float(one) for one in value]
    return properties


@functools.cache
def is_property_name(name):
    return name not in TRANSFORM_KEYS and 0 < len(name.encode()) <= LONGEST_NAME


def is_unsupported(item, name):
    """Returns True for a custom property that no format can store. Blender itself has data with registered names there."""
    return plain_value(item[name]) is None and name not in item.bl_rna.properties


def plain_value(value):
    """Returns the value of a custom property as a plain object, or None for other data, which add-ons store."""
    if isinstance(value, (bool, int, float, str)):
        return value
    return list(value) if type(value).__name__ == "IDPropertyArray" else None


class Item:
    """An object that is to be created."""

    __slots__ = ("name", "data", "matrix", "collection", "parent", "node", "properties", "shown", "object", "world")

    def __init__(self, name, data, matrix, collection, parent=None, node=None, properties=None):
        self.name = name or "Object"
        self.data = data
        self.matrix = matrix
        self.collection = collection
        self.parent = parent
        self.node = node
        self.properties = properties or {}
        self.shown = None
        """The collection that an instance shows."""
        self.object = None
        self.world = None
        """The matrix in the world with the precision of Blender, column by column."""


class Importer:
    """The state of one import."""

    def __init__(self, document, scene, unit, path):
        self.scene = scene
        self.format = document.format if document is not None else None
        self.path = path
        self.drawn = None
        """A scene with the tiles and the images of the objects of a level of tiles."""
        self.unit = unit
        self.losses = LossList()
        self.losses.add_all(scene.losses)
        self.nodes = scene.nodes
        # Fields of meshes take long, as they count faces, and no user changes them here. Brushes have fields.
        has_fields = any(node.key is not None for node in self.nodes)
        self.rows = rows_by_key(document, self.losses, "not kind=mesh") if has_fields else {}
        self.materials = MaterialBuilder(scene, path.parent, self.losses)
        self.scene_meshes = scene.meshes
        self.entities = scene.entities
        self.instance_sets = scene.instance_sets
        self.instance_keys = instance_keys(self.instance_sets)
        self.meshes = {}
        self.items = []
        self.root = bpy.data.collections.new(path.name)

    def draw_tiles(self, document, content):
        """Draws the tiles and the images of objects, if the files of the game are known."""
        # A level in an archive finds its images there.
        if document.format != "wwd" or not content and self.path.is_file():
            return
        conversion = document.convert("glb", allow_empty=True)
        drawn = mapwright.from_bytes(conversion.data).to_scene()
        if len(drawn.meshes):
            self.drawn = drawn
            self.losses.add_all(loss for loss in conversion.losses if loss.path.startswith(("tile_layers", "content")))

    def build(self):
        """Builds everything. Returns the collection with all objects."""
        worlds = matrices_to_blender(self.scene.world_matrices, self.unit)
        targets = {node.target for node in self.nodes if node.target is not None}
        own = {}
        # For each node: the collection of its children, their parent, and the file from which they come.
        places = []
        for index, node in enumerate(self.nodes):
            collection, parent, source = (self.root, None, None) if node.parent is None else places[node.parent]
            source = node.properties.get("resolved_from") or source
            is_collection = self.is_collection(node)
            if is_collection or index in targets:
                # Only its instances show a node outside of the tree.
                above = collection if node.parent is not None or node.in_tree else None
                own[index] = self.add_collection(node, above, source)
                collection = own[index]
            if node.kind == "instance_set":
                self.add_instances(node, worlds[index], collection)
            if not is_collection:
                parent = self.add_node(node, worlds[index], collection, parent, source)
            places.append((collection, parent, source))
        if self.drawn is not None:
            self.add_images()
        instances = [item for item in self.items if item.node is not None and item.node.target is not None]
        for item in instances:
            self.place_instance(item, own[item.node.target], worlds[item.node.target])
        self.create()
        return self.root

    def is_collection(self, node):
        """Returns True for groups and sets of instances. A moved group of a format without keys is a joint of a model."""
        if node.kind == "group":
            return node.key is not None or numpy.allclose(node.local, numpy.eye(4))
        return node.kind == "instance_set"

    def add_collection(self, node, above, source):
        collection = bpy.data.collections.new(node.name or node.kind)
        if above is not None:
            above.children.link(collection)
        collection.hide_viewport = collection.hide_render = not node.visible
        if node.key is not None and source is None:
            collection[KEY] = node.key
        return collection

    def add_node(self, node, world, collection, parent, source):
        """Adds the object of a node."""
        data = self.data_of(node)
        if isinstance(data, (bpy.types.Light, bpy.types.Camera)):
            world = world @ LIGHT_TURN
        item = Item(node.name or node.kind, data, world, collection, parent, node, self.properties_of(node, source))
        self.items.append(item)
        return item

    def properties_of(self, node, source):
        properties = {KIND: node.kind}
        if node.kind == "entity":
            entity = self.entities[node.index]
            properties[CLASS] = entity.class_name
            if node.key is None or source is not None:
                properties.update(to_properties(entity.properties))
        if source is not None:
            properties[SOURCE] = source
        elif node.key is not None:
            properties[KEY] = node.key
            entity = self.entities[node.index] if node.kind == "entity" else None
            properties.update(row_properties(node.key, self.rows.get(node.key, {}), self.format, entity))
        return properties

    def data_of(self, node):
        """Returns the mesh, light or camera of a node. Other nodes are empties."""
        if node.kind == "mesh":
            return self.mesh(node.index)
        if node.kind == "terrain":
            terrain = self.scene.terrains[node.index]
            return meshes.build_terrain(terrain.name or node.name or "Terrain", terrain, self.materials, self.unit)
        if node.kind == "light":
            return self.build_light(node)
        if node.kind == "camera":
            return self.build_camera(self.scene.cameras[node.index], node.name)
        if node.kind == "tile_layer" and self.drawn is None:
            self.losses.add("dropped", "tiles of layers: the images of the game are not in the content")
        if node.kind == "path":
            self.losses.add("dropped", "points of paths")
        return None

    def mesh(self, index):
        if index not in self.meshes:
            mesh = self.scene_meshes[index]
            colors = self.scene.color_space
            built = meshes.build_mesh(mesh.name or "Mesh", mesh, self.materials, self.unit, colors, self.losses)
            self.meshes[index] = built
        return self.meshes[index]

    def build_light(self, node):
        source = self.scene.lights[node.index]
        kind = LIGHT_TYPES.get(source.kind)
        if kind is None:
            self.losses.add("dropped", f"lights of the kind {source.kind}: imported as empties")
            return None
        light = bpy.data.lights.new(node.name or "Light", kind)
        light.color = self.materials.linear(source.color)
        if source.unit == "photometric":
            watts = source.intensity / LUMENS_PER_WATT
            light.energy = watts if kind == "SUN" else watts * 4 * math.pi
        else:
            # A white surface that faces a light of intensity 1 at half its range is as bright as white.
            reach = DEFAULT_REACH if source.range is None else source.range * self.unit / 2
            light.energy = source.intensity * math.pi * (1 if kind == "SUN" else 4 * math.pi * reach**2)
            self.losses.add("approximated", "brightness of lights without a unit")
        if source.range is not None and kind != "SUN":
            light.use_custom_distance = True
            light.cutoff_distance = source.range * self.unit
        if source.cone is not None:
            inner, outer = source.cone
            light.spot_size = 2 * outer
            light.spot_blend = min(max(1 - inner / max(outer, 1e-6), 0), 1)
        return light

    def build_camera(self, source, name):
        camera = bpy.data.cameras.new(name or "Camera")
        camera.sensor_fit = "VERTICAL"
        if source.fov_y is not None:
            camera.angle = source.fov_y
        else:
            camera.type = "ORTHO"
            camera.ortho_scale = 2 * source.half_height * self.unit
        camera.clip_start = max(source.near * self.unit, 1e-3)
        if source.far is not None:
            camera.clip_end = source.far * self.unit
        return camera

    def add_instances(self, node, world, collection):
        """Adds an object for each instance. All instances of a model share a mesh."""
        instances, keys = self.instance_sets[node.index], self.instance_keys[node.index]
        names, shared = [], []
        for model, box in zip(instances.models, instances.placeholders):
            if box is None:
                shared.append(self.mesh(model))
                names.append(shared[-1].name)
            else:
                names.append(model_name(model))
                shared.append(self.box(model, names[-1], *box[1:]))
        matrices = world @ matrices_to_blender(instances.matrices(), self.unit)
        fields = [{"model": model} if isinstance(model, str) else {} for model in instances.models]
        numbers = instances.ids if len(instances.ids) else range(len(instances))
        add, keyless = self.items.append, {KIND: "instance"}
        for row, model in enumerate(instances.model):
            properties = keyless if keys[row] is None else {KEY: keys[row], **fields[model]}
            # Blender compares each new name with many others, which takes three times as long if they begin in the same way.
            add(Item(instance_name(numbers[row], names[model]), shared[model], matrices[row], collection, properties=properties))

    def box(self, model, name, size, color):
        if model not in self.meshes:
            self.losses.add("synthesized", "boxes in the place of models that are in other files")
            self.meshes[model] = meshes.build_box(name, size, color)
        return self.meshes[model]

    def add_images(self):
        """Adds the layers of tiles, and the image of each object as its child."""
        drawn = Importer(None, self.drawn, self.unit, self.path)
        drawn.losses = self.losses
        drawn.materials.interpolation = "Closest"
        owners = {self.rows.get(item.properties.get(KEY), {}).get("id"): item for item in self.items}
        owners.pop(None, None)
        collection = bpy.data.collections.new("Images")
        self.root.children.link(collection)
        for node, world in zip(drawn.nodes, matrices_to_blender(self.drawn.world_matrices, self.unit)):
            if node.kind == "mesh":
                owner = owners.get(node.properties.get("id"))
                properties = {SOURCE: "images of the game"}
                self.items.append(Item(node.name, drawn.mesh(node.index), world, collection, owner, properties=properties))

    def place_instance(self, item, collection, target):
        """Lets an instance show the collection of its target, which is elsewhere, in its own place."""
        item.shown = collection
        if numpy.allclose(target[:3, :3], numpy.eye(3)):
            collection.instance_offset = target[:3, 3]
        else:
            item.matrix = item.matrix @ inverse(target)

    def create(self):
        """Creates the objects."""
        new = bpy.data.objects.new
        # Blender keeps objects sorted by name. Other orders take several times as long.
        for item in sorted(self.items, key=lambda item: item.name.casefold()):
            item.object = new(item.name, item.data)
        by_collection = {}
        for item in self.items:
            by_collection.setdefault(item.collection, []).append(item)
        sheared = 0
        for collection, items in by_collection.items():
            link = collection.objects.link
            matrices = numpy.empty((len(items), 4, 4))
            for place, item in enumerate(items):
                link(item.object)
                matrices[place] = item.matrix
                if item.parent is not None:
                    item.object.parent = item.parent.object
                    matrices[place] = inverse(item.parent.matrix) @ item.matrix
                self.set_fields(item)
            is_finite = numpy.isfinite(matrices).all(axis=(1, 2))
            if not is_finite.all():
                matrices[~is_finite] = numpy.eye(4)
                self.losses.add("repaired", "places that are not finite: at the origin", int((~is_finite).sum()))
            sheared += count_sheared(matrices)
            # Blender stores columns.
            columns = numpy.ascontiguousarray(matrices.transpose(0, 2, 1), numpy.float32)
            collection.objects.foreach_set("matrix_basis", columns.ravel())
            # Blender stores positions, angles and scales instead of matrices.
            collection.objects.foreach_get("matrix_basis", columns.reshape(-1))
            for item, basis in zip(items, columns.reshape(-1, 16)):
                item.world = basis
        digests = {}
        for item in self.items:
            # Parents come first.
            if item.parent is not None:
                above, basis = (world.reshape(4, 4).astype(numpy.float64) for world in (item.parent.world, item.world))
                # The product of matrices as columns is in the other order.
                item.world = (basis @ above).ravel()
            if self.format in EDITED_FORMATS:
                item.object[MATRIX] = item.world
            if KEY in item.properties:
                item.object[NAME] = item.object.name
            if KEY in item.properties and item.data is not None:
                # Instances share their data.
                if item.data not in digests:
                    digests[item.data] = json.dumps(data_digests(item.object))
                item.object[DIGESTS] = digests[item.data]
        if sheared:
            self.losses.add("approximated", "transforms with shear, which objects of Blender cannot have", sheared)

    def set_fields(self, item):
        created = item.object
        for name, value in item.properties.items():
            created[name] = value
        node = item.node
        if node is None:
            return
        if not node.visible:
            created.hide_viewport = created.hide_render = True
        if item.data is None:
            created.empty_display_type = EMPTY_DISPLAYS.get(node.kind, "PLAIN_AXES")
            created.empty_display_size = 0.25
        if item.shown is not None:
            created.instance_type = "COLLECTION"
            created.instance_collection = item.shown


def inverse(matrix):
    """Returns the inverse of a matrix, or the nearest to it of one that flattens space."""
    try:
        return numpy.linalg.inv(matrix)
    except numpy.linalg.LinAlgError:
        return numpy.linalg.pinv(matrix)


def count_sheared(matrices):
    """Returns the number of matrices whose axes are not at right angles."""
    axes = matrices[:, :3, :3]
    axes = axes / numpy.maximum(numpy.linalg.norm(axes, axis=1, keepdims=True), 1e-12)
    products = axes.transpose(0, 2, 1) @ axes * (1 - numpy.eye(3))
    return int((numpy.abs(products).max(axis=(1, 2)) > 1e-3).sum())
