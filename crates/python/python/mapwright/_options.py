"""The keyword arguments of reading and converting. All are optional."""

from __future__ import annotations

from os import PathLike
from typing import Literal, Optional, Sequence, Tuple, TypedDict, Union

Path = Union[str, "PathLike[str]"]
"""A path of a file or folder."""


class ReadOptions(TypedDict, total=False):
    """Options of `open` and `from_bytes`."""

    untrusted: bool
    """Lower limits for reading and converting, and no files beside the document: for untrusted files."""
    content: Union[Path, Sequence[Path]]
    """Folders and archives of the game, with images and models to which the document refers."""
    external: Literal["none", "beside", "any"]
    """Files that the document names: none, those in its folder and below (default), or any."""
    max_input: int
    """Maximum size of the file in bytes."""
    max_decompressed: int
    """Maximum size of decompressed data in bytes."""
    lenient: bool
    """[wings, etf] Accept terms that Erlang itself rejects, if their bytes can be preserved."""
    any_header_size: bool
    """[wwd] Accept files whose declared header size is too large."""
    cell: Optional[float]
    """[wrp, heightpng, r16, r32] Grid spacing in metres, if the file does not store it."""
    height_unit: Optional[float]
    """[wrp, heightmaps] Metres per unit of heights."""
    corner: Optional[Literal["point", "cell"]]
    """[asc] Meaning of xllcorner and yllcorner. The command takes `point` for conversions between asc and wrp."""
    origin: Tuple[float, float]
    """[heightmaps] Map coordinates of the south-west corner in metres."""
    range: Optional[Tuple[float, float]]
    """[heightpng, r16, r32] Heights of black and white, or of the lowest and the highest raw number, in metres."""
    nodata: Union[None, float, Literal["interpolate"]]
    """[heightmaps] Height of points without data in metres."""
    raw_size: Optional[Tuple[int, int]]
    """[r16, r32] Columns and rows of raw heights, if no description is beside them and they are no square."""
    first_row: Optional[Literal["north", "south"]]
    """[r16, r32] The first row of raw heights."""
    byte_order: Optional[Literal["little", "big"]]
    """[r16, r32] The order of the bytes of raw heights."""


class ConvertOptions(TypedDict, total=False):
    """Options of `Document.convert`, `Document.convert_file` and the same methods of `Scene`.

    Formats in brackets use the option; the others ignore it.
    """

    stem: str
    """The name of the file without its extension, after which files beside it are named. `convert_file` takes it from the path."""
    scale: float
    """Factor for all lengths."""
    only: Union[str, Sequence[str]]
    """Convert only objects with this name or matching this query, including their children."""
    exclude: Union[str, Sequence[str]]
    """Leave out objects with this name or matching this query, including their children."""
    source_up: Optional[Literal["y", "z"]]
    """The axis that points up in the source."""
    target_up: Optional[Literal["y", "z"]]
    """The axis that points up in the result."""
    hidden: bool
    """Also convert hidden objects."""
    keep_hidden_faces: bool
    """[wmp] Keep invisible and sky faces in mesh formats."""
    allow_empty: bool
    """Accept a result that shows nothing of the source."""
    triangulate: bool
    """Split faces with more than 3 vertices into triangles."""
    bake_boxes: bool
    """[gltf, glb] Merge the placeholder boxes of each external model into one mesh."""
    content: Union[Path, Sequence[Path]]
    """Folders and archives of the game, after those with which the document was opened."""
    max_output: int
    """Maximum size of the result in bytes."""
    subdivide: bool
    """[vmap] Convert subdivided and displaced faces at in-game resolution."""
    flip_green: bool
    """[vmap] Invert the green channel of normal maps."""
    map_format: Optional[int]
    """[vmap, kv2] Version of new maps, 18 to 40."""
    text_style: Literal["exact", "hammer"]
    """[kv2] Number formatting."""
    line_end: Literal["lf", "crlf"]
    """[kv2] Line ends."""
    projection: Optional[Literal["standard", "valve220"]]
    """[map] Texture projection."""
    variant: Optional[Literal["4wvr", "8wvr"]]
    """[wrp] Variant of terrains."""
    size: Optional[int]
    """[wrp] Resample the heights to this number per side."""
    crop: Optional[int]
    """[wrp] Cut out this number of heights per side, from the south-west corner."""
    dialect: Optional[Literal["a4", "510", "710", "711", "wmpb"]]
    """[wmp] Dialect of Gamestudio maps."""
    corner: Optional[Literal["point", "cell"]]
    """[asc] Meaning of xllcorner and yllcorner."""
    origin: Tuple[float, float]
    """[heightmaps] Map coordinates of the south-west corner in metres."""
    range: Optional[Tuple[float, float]]
    """[heightpng, r16, r32] Heights of black and white, or of the lowest and the highest raw number, in metres."""
    engine: Optional[Literal["unreal", "unity"]]
    """[r16] Game engine for which heights are resampled and scaled. A loss names the settings to enter there."""
    first_row: Literal["north", "south"]
    """[r16, r32] The first row of raw heights."""
    byte_order: Literal["little", "big"]
    """[r16, r32] The order of the bytes of raw heights."""
    decimals: Literal["2", "all"]
    """[asc, xyz] Decimals of heights."""
