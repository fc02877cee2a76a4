# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes changes of imported objects to their document."""

import json
import math
from pathlib import Path

import mapwright
import numpy
from mathutils import Matrix

from . import read
from .frame import matrices_to_blender, points_to_blender
from .report import ExportError, LossList
from .snapshot import data_digests

AXES = {
    "vmap": numpy.eye(3),
    "wmp": numpy.eye(3),
    "wrp": numpy.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
    "wwd": numpy.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]]),
    "wings": numpy.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}
"""The matrix from the axes of Blender to the fields x, y and z of each format that edits can change."""
SCALE_FIELDS = {"vmap": "scales", "wmp": "scale"}


def containing_file(path):
    """Returns the file in which a path is, such as an archive, or None."""
    return next((above for above in path.parents if above.is_file()), None)


def find_source(collection):
    """Returns the path of the document of an imported collection."""
    path = collection.get(read.PATH)
    if path is None:
        raise ExportError(f"collection {collection.name!r} is no imported level: select one, or write a new file")
    archive = containing_file(Path(path))
    if archive is not None:
        folder = Path(path).parent.relative_to(archive.parent).as_posix()
        command = f"mapwright extract {quote(folder)} {quote(Path(path).name)} -o {quote(Path(path).name)}"
        step = f"take it out with `{command}` and import that file, or write a new file"
        raise ExportError(f"{path}: the original is in the archive {archive.name}: {step}")
    if not Path(path).is_file():
        raise ExportError(f"{path}: the original file is missing: put it back, or write a new file")
    if collection[read.FORMAT] not in read.EDITED_FORMATS:
        raise ExportError(f"{path}: files of this format cannot be changed: write a new file")
    if read.digest(path) != collection.get(read.DIGEST):
        raise ExportError(f"{path}: the original file changed after the import: import it again")
    return path


def all_objects(collection):
    """Returns the objects of a level, and those of collections that its instances show, without other levels in it."""
    found, waiting, seen = {}, [collection], set()
    while waiting:
        current = waiting.pop()
        if current in seen or current != collection and read.PATH in current:
            continue
        seen.add(current)
        waiting.extend(current.children)
        for item in current.objects:
            found[item.name] = item
            if item.instance_collection is not None:
                waiting.append(item.instance_collection)
    return list(found.values())


def world_matrix(item):
    """Returns the matrix of an object in the world. Blender does not update that of hidden objects."""
    matrix = numpy.array(item.matrix_basis)
    while item.parent is not None:
        matrix = numpy.array(item.parent.matrix_basis) @ numpy.array(item.matrix_parent_inverse) @ matrix
        item = item.parent
    return matrix


def is_moved(old, new):
    """Returns True if two matrices differ by more than the precision of Blender."""
    scale = numpy.abs(old[:3, :3]).max()
    places = numpy.abs(new[:3, 3] - old[:3, 3]) > 2e-6 * numpy.abs(old[:3, 3]) + 2e-6
    return bool(places.any() or (numpy.abs(new[:3, :3] - old[:3, :3]) > 1e-4 * scale).any())


def stored_matrix(item):
    """Returns the matrix of an object in the world after the import, or None."""
    stored = item.get(read.MATRIX)
    return None if stored is None else numpy.array(stored).reshape(4, 4).T


def is_moved_in_parent(item):
    """Returns True if an object moved since the import, unless its parent moved it."""
    old = stored_matrix(item)
    if old is None:
        return False
    above = None if item.parent is None else stored_matrix(item.parent)
    if above is not None:
        old = world_matrix(item.parent) @ read.inverse(above) @ old
    return is_moved(old, world_matrix(item))


def export_changes(collection, target):
    """Writes the original document with the changes of its objects. Returns the losses and the number of changed objects."""
    source = find_source(collection)
    document = mapwright.open(source)
    changes = Changes(document, collection)
    changed = changes.apply()
    changes.document.save(target, overwrite=True)
    if Path(target).resolve() == Path(source).resolve():
        collection[read.DIGEST] = read.digest(target)
        for item in all_objects(collection):
            # Objects that are not written may have moved with their parent.
            if read.KEY not in item and read.MATRIX in item and (read.SOURCE in item or item.parent is not None):
                item[read.MATRIX] = world_matrix(item).T.ravel()
        for item, matrix in changes.written:
            item[read.MATRIX] = matrix.T.ravel()
    return changes.losses.lines(), changed


class Changes:
    """The edits that lead from a document to the objects in Blender."""

    def __init__(self, document, collection):
        self.document = document
        self.format = document.format
        self.unit = collection[read.UNIT]
        self.losses = LossList()
        self.rows = read.rows_by_key(document, self.losses)
        self.written = []
        """Moved objects with their matrices in the written file."""
        self.scene = Places(document, self.unit)
        self.objects = {}
        self.digests = {}
        """The digests of meshes, lights and cameras, which objects may share."""
        owners = {}
        for item in sorted(all_objects(collection), key=lambda item: item.name):
            key = item.get(read.KEY)
            if key is not None:
                owners.setdefault(key, []).append(item)
            elif read.KIND not in item and read.SOURCE not in item:
                self.report_new(item)
            elif is_moved_in_parent(item):
                source = item.get(read.SOURCE)
                why = "it has no unique number, so it cannot be moved" if source is None else f"it is in another file, {source!r}"
                self.losses.add("dropped", f"place of {item.name!r}: {why}")
        for key, items in owners.items():
            self.find_owner(key, items)
        for key in self.scene.keys():
            if key not in owners and self.scene.is_object(key):
                name = self.scene.name(key, self.rows.get(key, {}))
                self.losses.add("dropped", f"deleted object {name!r}: it remains in the file")

    def report_new(self, item):
        self.losses.add("dropped", f"new object {item.name!r}: only changed objects are written")

    def find_owner(self, key, items):
        """Finds the imported object among its copies, which have its key and other names."""
        imported = items if len(items) == 1 else [item for item in items if item.get(read.NAME) == item.name]
        if imported:
            self.objects[key] = imported[0]
            for item in items:
                if item != imported[0]:
                    self.report_new(item)
        else:
            names = ", ".join(repr(item.name) for item in items)
            name = items[0].get(read.NAME, key)
            step = f"rename the one that is to be written to {name!r}"
            self.losses.add("dropped", f"changes of {names}: they are copies of one object: {step}")

    def apply(self):
        """Edits the document. Returns the number of changed objects."""
        edits = {}
        for key, item in self.objects.items():
            fields = self.property_changes(key, item)
            if fields:
                # A field that cannot be set does not prevent the others.
                edits[key] = [self.edit(key, [field]) for field in fields]
            self.report_changed_data(key, item)
        changed = set(self.run(edits, are_properties=True))
        moved = {}
        for key, item in self.objects.items():
            old, new = stored_matrix(item), world_matrix(item)
            if old is not None and is_moved(old, new):
                moved[key] = (item, old, new)
        # Parents come first: if the format moves children with their parent, they have arrived.
        for depth in sorted({self.scene.depth(key) for key in moved}):
            now = Places(self.document, self.unit) if depth or changed else self.scene
            edits = {}
            for key, (item, old, new) in moved.items():
                if self.scene.depth(key) == depth and not now.has_arrived(key, self.scene, new @ read.inverse(old)):
                    edits[key] = self.place_changes(key, item, old, new)
            changed.update(self.run(edits))
        if moved:
            self.check_places(moved)
        return len(changed)

    def check_places(self, moved):
        """Reports objects that are not where they are in Blender, and collects the places in the document."""
        now = Places(self.document, self.unit)
        for key, (item, old, new) in moved.items():
            if now.has_arrived(key, self.scene, new @ read.inverse(old)):
                self.written.append((item, new))
            else:
                # The next export must not apply the written part of the change again.
                self.written.append((item, now.change_since(key, self.scene) @ old))
                self.losses.add("approximated", f"place of {item.name!r}: the format cannot store all of it")

    def edit(self, key, fields):
        return f"set {selector(key)}: " + ", ".join(fields)

    def run(self, edits, are_properties=False):
        """Applies edits by key. Returns the keys of the objects that were changed."""
        texts = [text for listed in edits.values() for text in listed]
        if not texts:
            return []
        try:
            self.edit_document(texts, are_properties)
            return list(edits)
        except mapwright.Error:
            # One of them is not possible. The others are.
            changed = []
        for key, listed in edits.items():
            for text in listed:
                try:
                    self.edit_document([text], are_properties)
                    changed.append(key)
                except mapwright.Error as error:
                    self.losses.add("dropped", f"change of {self.objects[key].name!r}: {error}")
        return changed

    def edit_document(self, texts, are_properties):
        self.document, results = self.document.edit(*texts, create_fields=are_properties)
        # Places are compared with those in Blender afterwards, which has fewer digits than most files.
        if are_properties:
            for result in results:
                self.losses.add_all(result.losses)

    def property_changes(self, key, item):
        """Returns assignments of custom properties that differ from the document."""
        row = self.rows.get(key)
        if row is None:
            return []
        # The import gives meshes no custom properties.
        is_mesh = item.type == "MESH" and row.get("kind") == "mesh"
        old = {} if is_mesh else read.row_properties(key, row, self.format, self.scene.entity(key))
        hidden = read.place_fields(self.format)
        fields = []
        for name, value in item.items():
            if name in read.OWN_PROPERTIES:
                continue
            if read.is_unsupported(item, name):
                self.losses.add("dropped", f"property {name!r} of {item.name!r}: values of this type cannot be written")
            value = read.plain_value(value)
            if value is None or name in old and same(old[name], value):
                continue
            if name in hidden:
                # An edit of this name would change the transform.
                self.losses.add("dropped", f"property {name!r} of {item.name!r}: the format uses this name for other data")
                continue
            if name in old:
                value = keep_same_numbers(old[name], value)
            fields.append(f"{quote(name)}={quote(text_of(value))}")
        for name in old.keys() - item.keys():
            self.losses.add("dropped", f"deleted property {name!r} of {item.name!r}: it remains in the file")
        return fields

    def place_changes(self, key, item, old, new):
        """Returns the edits that move, turn and scale an object."""
        row, axes = self.rows.get(key), AXES.get(self.format)
        if row is None or axes is None:
            self.losses.add("dropped", f"place of {item.name!r}: objects of this file cannot be moved")
            return []
        edits = []
        place = self.scene.position(key)
        delta = (new @ read.inverse(old) @ place - place)[:3]
        if numpy.allclose(new[:3, :3], old[:3, :3], rtol=0, atol=1e-6):
            delta = new[:3, 3] - old[:3, 3]
        changes = {}
        for name, change in zip("xyz", axes @ delta / self.unit):
            if name not in row:
                continue
            # Blender has about 7 digits.
            noise = 4e-7 * (numpy.abs(new[:3, 3]).max() / self.unit + 1)
            digits = 0 if isinstance(row[name], int) else max(0, math.floor(-math.log10(noise)))
            change = round(float(change), digits)
            if change:
                changes[name] = f"{change:.{digits}f}"
        (_, old_turn, old_scale), (_, new_turn, new_scale) = Matrix(old).decompose(), Matrix(new).decompose()
        turn = (new_turn @ old_turn.inverted()).to_matrix()
        is_turned = turn.to_quaternion().angle > 1e-4
        ratios = [after / before if before else 1.0 for before, after in zip(old_scale, new_scale)]
        is_scaled = any(abs(ratio - 1) > 1e-4 for ratio in ratios)
        if self.format == "wrp" and (is_turned or is_scaled):
            return [self.edit(key, [f"matrix={quote(changed_words(row, changes, old, new))}"])]
        if changes:
            edits.append(self.edit(key, [f"{name}+={change}" for name, change in changes.items()]))
        fields = []
        if is_scaled:
            name = SCALE_FIELDS.get(self.format)
            if isinstance(row.get(name), list):
                scales = [scale_number(value, ratio) for value, ratio in zip(row[name], ratios)]
                fields.append(f"{name}={quote(text_of(scales))}")
            elif self.format == "wmp":
                edits.append(f"scale {selector(key)}: {triple(ratios)}")
            else:
                self.losses.add("dropped", f"scale of {item.name!r}: edits of this format cannot store it")
        if is_turned:
            # An entity may have a key of this name, which is a text.
            if isinstance(row.get("angles"), list):
                fields.append(f"angles={quote(text_of(turn_angles(turn, row['angles'])))}")
            elif self.format == "wmp":
                edits.append(f"turn {selector(key)}: {triple(engine_angles(turn))}")
            else:
                self.losses.add("dropped", f"rotation of {item.name!r}: edits of this format cannot store it")
        if fields:
            edits.append(self.edit(key, fields))
        return edits

    def report_changed_data(self, key, item):
        """Reports data that is not as after the import, and that is not written."""
        only = "only transforms and properties are written"
        entity = self.scene.entity(key)
        if entity is not None and item.get(read.CLASS) != entity.class_name:
            self.losses.add("dropped", f"changed class of {item.name!r}: {only}")
        if len(item.modifiers):
            self.losses.add("dropped", f"modifiers of {item.name!r}: {only}")
        # Objects that had no data at the import have no digests.
        digests = json.loads(item.get(read.DIGESTS, "{}"))
        data = item.data
        if digests and data is not None:
            # Materials may belong to the object instead of its data.
            if any(slot.link == "OBJECT" for slot in item.material_slots):
                found = data_digests(item)
            else:
                found = self.digests.get(data) or self.digests.setdefault(data, data_digests(item))
            for part, digest in found.items():
                if digests.get(part) != digest:
                    self.losses.add("dropped", f"changed {part} of {data.name!r}: {only}")


class Places:
    """The places of the objects of a document by key, in Blender's axes."""

    def __init__(self, document, unit):
        scene = read.to_scene(document, resolve=False)
        self.unit = unit
        self.nodes = scene.nodes
        self.meshes = scene.meshes
        self.entities = scene.entities
        self.worlds = matrices_to_blender(scene.world_matrices, unit)
        self.by_key = {node.key: index for index, node in enumerate(self.nodes) if node.key is not None}
        self.instances = {}
        sets = scene.instance_sets
        keys = read.instance_keys(sets)
        for index, node in enumerate(self.nodes):
            if node.kind == "instance_set":
                matrices = self.worlds[index] @ matrices_to_blender(sets[node.index].matrices(), unit)
                self.instances.update(zip(keys[node.index], matrices))
        self.instances.pop(None, None)

    def keys(self):
        return [*self.by_key, *self.instances]

    def is_object(self, key):
        """Returns False for groups, which are collections in Blender."""
        return key in self.instances or self.nodes[self.by_key[key]].kind != "group"

    def name(self, key, row):
        """Returns the name that the import gives to an object. `row` contains its fields."""
        if key in self.by_key:
            node = self.nodes[self.by_key[key]]
            return node.name or node.kind
        return read.instance_name(row["id"], read.model_name(row["model"])) if "model" in row else key

    def depth(self, key):
        depth, index = 0, self.by_key.get(key)
        while index is not None:
            depth, index = depth + 1, self.nodes[index].parent
        return depth

    def matrix(self, key):
        return self.worlds[self.by_key[key]] if key in self.by_key else self.instances.get(key)

    def entity(self, key):
        node = self.nodes[self.by_key[key]] if key in self.by_key else None
        return self.entities[node.index] if node is not None and node.kind == "entity" else None

    def mesh(self, key):
        node = self.nodes[self.by_key[key]] if key in self.by_key else None
        return self.meshes[node.index] if node is not None and node.kind == "mesh" else None

    def position(self, key):
        """Returns the position of an object with a fourth number 1."""
        return self.matrix(key)[:, 3]

    def reference_points(self, key):
        """Returns points that state the place of an object: those of its mesh, or its origin and axes."""
        mesh = self.mesh(key)
        if mesh is None or not len(mesh.positions):
            points = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * self.unit
        else:
            step = max(1, len(mesh.positions) // 64)
            points = points_to_blender(mesh.positions[::step], self.unit).astype(numpy.float64)
        return numpy.c_[points, numpy.ones(len(points))] @ self.matrix(key).T

    def change_since(self, key, before):
        """Returns the matrix that leads an object from its earlier place to this one."""
        if self.matrix(key) is None or before.matrix(key) is None:
            return numpy.eye(4)
        change = self.matrix(key) @ read.inverse(before.matrix(key))
        now, earlier = self.reference_points(key), before.reference_points(key)
        # Edits of some formats move the vertices instead of the matrix.
        if now.shape == earlier.shape:
            change[:3, 3] += (now - earlier @ change.T).mean(axis=0)[:3]
        return change

    def has_arrived(self, key, before, change):
        """Returns True if an object is where the change of its matrix leads it from its earlier place."""
        if self.matrix(key) is None or before.matrix(key) is None:
            return False
        now, wanted = self.reference_points(key), before.reference_points(key) @ change.T
        if now.shape != wanted.shape:
            return False
        precision = 1e-5 * numpy.abs(wanted[:, :3]).max() + 1e-3 * self.unit
        return bool((numpy.abs(now - wanted) < precision).all())


def selector(key):
    """Returns the query that selects an object."""
    return key if key.startswith("id=") else f"key={quote(key)}"


def changed_words(row, changes, old, new):
    """Returns the matrix of an object of a terrain, which moves by `changes`, and whose axes change as from `old` to `new`."""
    words = [int(word, 16) for word in row["matrix"].split()]
    numbers = numpy.array(words, dtype=numpy.uint32).view(numpy.float32).astype(numpy.float64).reshape(4, 3)
    axes = AXES["wrp"]
    turn = axes @ (new @ read.inverse(old))[:3, :3] @ axes.T
    numbers[:3] = numbers[:3] @ turn.T
    numbers[3] += [float(changes.get(name, 0)) for name in "xyz"]
    return " ".join(f"{word:08x}" for word in numbers.astype(numpy.float32).view(numpy.uint32).ravel())


def engine_angles(turn):
    """Returns pan, tilt and roll of 3D Gamestudio in degrees."""
    euler = turn.to_euler("XYZ")
    return [round(math.degrees(angle), 5) + 0.0 for angle in (euler.z, -euler.y, euler.x)]


def triple(numbers):
    return ",".join(f"{number:.7g}" for number in numbers)


def turn_angles(turn, angles):
    """Returns pitch, yaw and roll in degrees after a rotation in the axes of the file."""
    pitch, yaw, roll = map(math.radians, angles)
    rotation = Matrix.Rotation(yaw, 3, "Z") @ Matrix.Rotation(pitch, 3, "Y") @ Matrix.Rotation(roll, 3, "X")
    turned = (turn @ rotation).to_euler("XYZ")
    new = [round(math.degrees(angle), 4) + 0.0 for angle in (turned.y, turned.z, turned.x)]
    return [before if abs(before - after) < 1e-3 else after for before, after in zip(angles, new)]


def quote(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(map(text_of, value))
    if isinstance(value, float):
        # The shortest digits that give the same number.
        return numpy.format_float_positional(value, trim="-")
    return str(value)


def keep_same_numbers(old, new):
    """Returns a list with the old numbers where they are the same, so that only changed numbers are written."""
    if not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return new
    return [before if same(before, after) else after for before, after in zip(old, new)]


def scale_number(value, ratio):
    """Returns a scaled number with the digits that Blender has, or the same number if it is not scaled."""
    return value if abs(ratio - 1) <= 1e-4 else float(f"{value * ratio:.6g}")


def same(old, new):
    if isinstance(old, list) or isinstance(new, list):
        return isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and all(map(same, old, new))
    if isinstance(old, str) or isinstance(new, str):
        return old == new
    return math.isclose(old, new, rel_tol=1e-9)
