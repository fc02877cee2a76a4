"""Scenes from arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence, Tuple, Union

from . import _native
from ._arrays import NO_ROW

if TYPE_CHECKING:
    import numpy

    from ._native import Scene

Rows = Union[Any, Tuple[Any, Any]]
"""Values of the corners of a mesh: an array with a row for each corner, or a tuple of rows and the index of the row of each corner."""


@dataclass
class MeshData:
    """The arrays of a mesh: anything that `numpy.asarray` accepts.

    A corner is one use of a vertex by a face. Columns of corners go through all faces in order, and through the corners of each face
    counter-clockwise as seen from the front.
    """

    positions: Any
    """The positions of the vertices: shape (vertices, 3), right-handed with Y up."""
    corners: Any
    """The vertex of each corner. An array of shape (faces, n) is faces of n corners."""
    face_sizes: Any = None
    """The number of corners of each face. None: the shape of `corners` states it."""
    name: str = ""
    face_materials: Any = None
    """The index of the material of each face, or -1. None: no face has one."""
    uv_sets: Dict[str, Rows] = field(default_factory=dict)
    """Texture coordinates by name: rows of 2 numbers."""
    uv_origin: str = "top_left"
    """The position of the texture coordinate (0, 0): top_left or lower_left."""
    color_sets: Dict[str, Rows] = field(default_factory=dict)
    """Vertex colours by name: rows of red, green, blue and opacity, 0 to 1."""
    normals: Optional[Rows] = None
    """Unit normals: rows of 3 numbers."""


@dataclass
class LightData:
    """A light at the origin of its node. It shines along the node's −Z."""

    kind: str = "point"
    """The shape: ambient, directional, point or spot."""
    color: Sequence[float] = (1.0, 1.0, 1.0)
    """Red, green and blue in the colour space of the scene."""
    intensity: float = 1.0
    """The factor for the linear colour."""
    unit: str = "relative"
    """The unit of the intensity: relative, or photometric, which is lux for directional lights and candela for others."""
    range: Optional[float] = None
    """The maximum distance in units of length. None: infinite."""
    cone: Sequence[float] = (0.0, 0.785398)
    """Half the angles of full light and of the cone of a spot in radians."""


@dataclass
class EntityData:
    """An object of a game: a class and its properties."""

    class_name: str
    model: Optional[str] = None
    """The path of the model in the files of the game."""
    properties: Dict[str, Any] = field(default_factory=dict)
    """The keys with their values: texts, numbers, Booleans, and lists of them."""


@dataclass
class ImageData:
    """An image file."""

    name: str
    data: bytes
    """The bytes of the file."""
    media_type: str = "image/png"


@dataclass
class NodeData:
    """An object of a scene. It has a mesh, a light, an entity, or none of them: then it is a group."""

    name: str = ""
    mesh: Optional[int] = None
    """The index of the mesh."""
    parent: Optional[int] = None
    """The index of the parent, which is before this node. None: a root."""
    matrix: Any = None
    """The matrix from the space of the node to that of its parent: shape (4, 4), for points as columns. None: the identity."""
    light: Optional[LightData] = None
    """The light, for a node without a mesh."""
    entity: Optional[EntityData] = None
    """The object of a game, for a node without a mesh."""


@dataclass
class MaterialData:
    """The appearance of a surface."""

    name: str = ""
    reference: Optional[str] = None
    """The path in the files of the game, for formats that refer to materials."""
    base_color: Sequence[float] = (1.0, 1.0, 1.0, 1.0)
    """Red, green, blue and opacity, 0 to 1."""
    metallic: float = 0.0
    roughness: float = 1.0
    emissive: Sequence[float] = (0.0, 0.0, 0.0)
    double_sided: bool = False
    alpha: str = "opaque"
    """The use of opacity: opaque, mask or blend."""
    base_color_image: Optional[int] = None
    """The index of the image of the colour."""


def build_scene(
    meshes: Sequence[MeshData],
    nodes: Optional[Sequence[NodeData]] = None,
    materials: Sequence[MaterialData] = (),
    *,
    name: str = "",
    metres_per_unit: Optional[float] = None,
    color_space: str = "srgb",
    images: Sequence[ImageData] = (),
) -> "Scene":
    """Builds a scene from arrays of NumPy, which are copied once. Without nodes, each mesh is an object at the origin.

    All arrays are checked. Wrong ones raise MalformedError with a path, or ValueError for a wrong shape or type.
    """
    if nodes is None:
        nodes = [NodeData(name=mesh.name, mesh=index) for index, mesh in enumerate(meshes)]
    return _native.build_scene(
        name,
        metres_per_unit,
        color_space,
        [_material(material) for material in materials],
        [_mesh(mesh, f"meshes[{index}]") for index, mesh in enumerate(meshes)],
        [_node(node, f"nodes[{index}]") for index, node in enumerate(nodes)],
        images,
    )


_MAX_DEPTH = 16
"""The maximum number of lists in each other."""


class _Prepared:
    """The form of the data that the native module reads."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


def _material(material: MaterialData) -> _Prepared:
    emissive = tuple(map(float, material.emissive))
    return _Prepared(**{**vars(material), "base_color": tuple(map(float, material.base_color)), "emissive": emissive})


def _node(node: NodeData, path: str) -> _Prepared:
    matrix = None if node.matrix is None else _floats(node.matrix, f"{path}.matrix", (4, 4)).tolist()
    entity = None
    if node.entity is not None:
        properties = node.entity.properties
        prepared = [(key, _property(value, f"{path}.entity.properties[{key!r}]")) for key, value in properties.items()]
        entity = _Prepared(**{**vars(node.entity), "properties": prepared})
    return _Prepared(**{**vars(node), "matrix": matrix, "entity": entity})


def _property(value: Any, path: str, depth: int = 0) -> Any:
    """Checks the value of a property: a list that contains itself must end."""
    if isinstance(value, (list, tuple)):
        if depth == _MAX_DEPTH:
            raise ValueError(f"{path}: lists are nested more than {_MAX_DEPTH} deep")
        return [_property(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{path}: {value} does not fit 64 bits")
    if not isinstance(value, (bool, int, float, str)):
        raise ValueError(f"{path}: expected a text, a number, a Boolean or a list of them, found {type(value).__name__}")
    return value


def _mesh(mesh: MeshData, path: str) -> _Prepared:
    import numpy

    corners = _indices(mesh.corners, f"{path}.corners")
    if mesh.face_sizes is not None:
        sizes = _indices(mesh.face_sizes, f"{path}.face_sizes")
    elif corners.ndim == 2:
        sizes = numpy.full(corners.shape[0], corners.shape[1], numpy.uint32)
    else:
        raise ValueError(f"{path}: expected face_sizes, or corners of shape (faces, n)")
    materials = [] if mesh.face_materials is None else mesh.face_materials
    return _Prepared(
        name=mesh.name,
        positions=_floats(mesh.positions, f"{path}.positions", (None, 3)).tobytes(),
        corners=corners.tobytes(),
        face_sizes=sizes.tobytes(),
        face_materials=_indices(materials, f"{path}.face_materials").tobytes(),
        uv_sets=[(name, *_rows(rows, 2, f"{path}.uv_sets[{name!r}]")) for name, rows in mesh.uv_sets.items()],
        uv_origin=mesh.uv_origin,
        color_sets=[(name, *_rows(rows, 4, f"{path}.color_sets[{name!r}]")) for name, rows in mesh.color_sets.items()],
        normals=None if mesh.normals is None else _rows(mesh.normals, 3, f"{path}.normals"),
    )


def _rows(rows: Rows, width: int, path: str) -> Tuple[bytes, Optional[bytes]]:
    # A mesh with a face has at least 3 corners, so a tuple of 2 is no list of rows.
    if isinstance(rows, tuple) and len(rows) == 2:
        values, indices = rows
        return _floats(values, path, (None, width)).tobytes(), _indices(indices, f"{path}.indices").tobytes()
    return _floats(rows, path, (None, width)).tobytes(), None


def _floats(values: Any, path: str, shape: Tuple[Optional[int], ...]) -> "numpy.ndarray[Any, numpy.dtype[numpy.float64]]":
    """Returns an array of floats of the given shape, in which None is any length."""
    import numpy

    array = numpy.asarray(values, numpy.float64)
    if array.size == 0 and shape[0] is None:
        array = array.reshape([length or 0 for length in shape])
    fits = array.ndim == len(shape) and all(want in (None, found) for want, found in zip(shape, array.shape))
    if not fits:
        wanted = ", ".join("n" if length is None else str(length) for length in shape)
        raise ValueError(f"{path}: expected shape ({wanted}), found {array.shape}")
    return array


def _indices(values: Any, path: str) -> "numpy.ndarray[Any, numpy.dtype[numpy.uint32]]":
    """Returns an array of indices, in which -1 becomes `NO_ROW`. NumPy alone would wrap numbers that are too large."""
    import numpy

    array = numpy.asarray(values)
    if array.size == 0:
        return numpy.zeros(0, numpy.uint32)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{path}: expected whole numbers, found {array.dtype}")
    if array.dtype.kind == "i" and (array.min() < -1 or array.max() > NO_ROW) or array.max() > NO_ROW:
        raise ValueError(f"{path}: expected indices from 0 to {NO_ROW - 1}, or -1 for none")
    return numpy.where(array == -1, NO_ROW, array).astype(numpy.uint32) if array.dtype.kind == "i" else array.astype(numpy.uint32)
