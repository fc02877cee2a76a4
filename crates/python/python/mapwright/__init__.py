"""Reads, edits and converts game levels without losing a byte.

>>> import mapwright as mw
>>> document = mw.from_bytes(b"o Floor\\nv 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n")
>>> document.format
'obj'
>>> document.convert("glb").data[:4]
b'glTF'
"""

from ._builder import MaterialData, MeshData, NodeData, build_scene
from ._errors import (
    Error,
    ExistingFileError,
    FileError,
    FilePermissionError,
    LimitError,
    LossError,
    MalformedError,
    MissingFileError,
    QueryError,
    UnsupportedError,
)
from ._native import (
    Camera,
    Column,
    Conversion,
    CornerColumn,
    Diff,
    Document,
    EditResult,
    Entity,
    Finding,
    Image,
    InstanceSet,
    Light,
    Loss,
    Material,
    Mesh,
    Node,
    Scene,
    Table,
    Terrain,
    __version__,
    detect,
    detect_file,
    formats,
    from_bytes,
    merge,
    open,
)
from ._options import ConvertOptions, ReadOptions

__all__ = [
    "Camera",
    "Column",
    "Conversion",
    "ConvertOptions",
    "CornerColumn",
    "Diff",
    "Document",
    "EditResult",
    "Entity",
    "Error",
    "ExistingFileError",
    "FileError",
    "FilePermissionError",
    "Finding",
    "Image",
    "InstanceSet",
    "LimitError",
    "Light",
    "Loss",
    "LossError",
    "MalformedError",
    "Material",
    "MaterialData",
    "Mesh",
    "MeshData",
    "MissingFileError",
    "Node",
    "NodeData",
    "QueryError",
    "ReadOptions",
    "Scene",
    "Table",
    "Terrain",
    "UnsupportedError",
    "__version__",
    "build_scene",
    "detect",
    "detect_file",
    "formats",
    "from_bytes",
    "merge",
    "open",
]
