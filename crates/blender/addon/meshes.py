# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds meshes of Blender from arrays."""

import bpy
import numpy

from .frame import points_to_blender

MAX_UV_SETS = 8
"""The maximum number of UV maps of a mesh in Blender."""
NO_ROW = 0xFFFFFFFF


def build_mesh(name, mesh, materials, unit, scene_colors, losses):
    """Returns a mesh with the polygons, seams of shading, UV maps and colours of a mesh of the scene."""
    positions, corners = points_to_blender(mesh.positions, unit), mesh.corners.astype(numpy.int32)
    ends = mesh.face_ends
    starts = numpy.zeros(len(ends), numpy.int32)
    starts[1:] = ends[:-1]
    sources = numpy.zeros(0, numpy.int64)
    is_valid = has_distinct_vertices(corners, starts)
    if not is_valid or has_repeated_polygons(corners, starts, len(positions)):
        corners, sources = split_repeated(corners, starts, len(positions))
    built = new_mesh(name, numpy.concatenate([positions, positions[sources]]), corners, starts)
    if len(sources):
        text = "polygons that repeat another polygon, such as the back of a sheet: with vertices of their own"
        losses.add("approximated", text)
    color_sets = mesh.color_sets
    set_materials(built, mesh.face_materials, materials, bool(color_sets))

    uv_sets = mesh.uv_sets
    if len(uv_sets) > MAX_UV_SETS:
        losses.add("dropped", f"UV sets of meshes beyond {MAX_UV_SETS}", len(uv_sets) - MAX_UV_SETS)
    for index, column in enumerate(uv_sets[:MAX_UV_SETS]):
        uvs = corner_rows(column, 0.0)
        if column.origin == "top_left":
            uvs[:, 1] = 1 - uvs[:, 1]
        add_uv_map(built, column.name or f"UVMap{index or ''}", uvs)
    for index, column in enumerate(color_sets):
        colors = corner_rows(column, 1.0)
        layer = built.color_attributes.new(column.name or f"Color{index or ''}", "FLOAT_COLOR", "CORNER")
        layer.data.foreach_set("color_srgb" if scene_colors == "srgb" else "color", colors.ravel())

    hard_edges = mesh.hard_edges
    normals = None if len(hard_edges) else mesh.normals
    if normals is not None:
        normals = points_to_blender(corner_rows(normals, numpy.nan), 1.0)
        missing = numpy.isnan(normals[:, 0])
        if missing.any():
            normals[missing] = points_to_blender(mesh.compute_normals()[missing], 1.0)
    finish_mesh(built, hard_edges, normals, is_valid, losses)
    return built


def new_mesh(name, positions, corners, starts):
    """Returns a mesh of polygons. `corners` are the vertices of all polygons, `starts` the first corner of each."""
    built = bpy.data.meshes.new(name)
    built.vertices.add(len(positions))
    built.loops.add(len(corners))
    built.polygons.add(len(starts))
    if len(positions):
        built.attributes["position"].data.foreach_set("vector", positions.ravel())
    if len(starts):
        # The attribute of all corners is set much faster than a property of each.
        built.attributes[".corner_vert"].data.foreach_set("value", corners)
        built.polygons.foreach_set("loop_start", starts)
    return built


def by_size(starts, count):
    """Yields the polygons of each number of corners, as rows of the places of their corners."""
    sizes = numpy.diff(numpy.append(starts, count))
    for size in numpy.unique(sizes):
        yield starts[sizes == size][:, None] + numpy.arange(size)


def has_distinct_vertices(corners, starts):
    """Returns True if no polygon has a vertex twice, which Blender does not allow."""
    for places in by_size(starts, len(corners)):
        rows = numpy.sort(corners[places], axis=1)
        if (rows[:, 1:] == rows[:, :-1]).any():
            return False
    return True


def has_repeated_polygons(corners, starts, vertices):
    """Returns True if two polygons have the same vertices in any order.

    It may also return True for others, but hardly does: for one in 2⁶³ pairs.
    """
    if len(starts) < 2:
        return False
    numbers = numpy.random.default_rng(0).integers(0, 1 << 63, vertices, numpy.uint64)
    # Sums of random numbers do not depend on the order.
    sums = numpy.sort(numpy.add.reduceat(numbers[corners], starts))
    return bool((sums[1:] == sums[:-1]).any())


def split_repeated(corners, starts, vertices):
    """Gives polygons that have the vertices of an earlier polygon vertices of their own, as Blender does not allow such polygons.

    Returns the new corners, and for each new vertex the one that it repeats.
    """
    corners, sources = corners.copy(), []
    for places in by_size(starts, len(corners)):
        _, first = numpy.unique(numpy.sort(corners[places], axis=1), axis=0, return_index=True)
        for place in numpy.delete(places, first, axis=0):
            old = corners[place]
            corners[place] = vertices + len(sources) + numpy.arange(len(place))
            sources.extend(old)
    return corners, numpy.array(sources, numpy.int64)


def set_materials(built, face_materials, materials, has_colors):
    """Gives each polygon its material. The mesh gets a slot for each material that it uses."""
    # Index −1, for no material, comes first.
    used = numpy.flatnonzero(numpy.bincount(face_materials + 1)) - 1
    places = numpy.searchsorted(used, face_materials)
    for index in used:
        built.materials.append(materials.get(index, has_colors) if index >= 0 else None)
    if len(used) > 1:
        slots = built.attributes.new("material_index", "INT", "FACE")
        slots.data.foreach_set("value", places.astype(numpy.int32))


def corner_rows(column, missing):
    """Returns the value of each corner as 32-bit numbers. Corners without a value get the given number."""
    rows, indices = column.rows.astype(numpy.float32), column.indices
    is_missing = indices == NO_ROW
    if not is_missing.any():
        return rows[indices]
    taken = numpy.full((len(indices), rows.shape[1]), missing, numpy.float32)
    taken[~is_missing] = rows[indices[~is_missing]]
    return taken


def add_uv_map(built, name, uvs):
    layer = built.uv_layers.new(name=name, do_init=False)
    if len(uvs):
        layer.uv.foreach_set("vector", numpy.ascontiguousarray(uvs).ravel())


def finish_mesh(built, hard_edges, normals, is_valid, losses):
    """Makes the edges, removes polygons that Blender does not allow, then sets hard edges or normals."""
    stored = None
    if normals is not None and len(normals):
        # The checks below may remove corners, and take their attributes with them.
        stored = built.attributes.new("custom_normal", "FLOAT_VECTOR", "CORNER")
        stored.data.foreach_set("vector", normals.ravel())
    built.update(calc_edges=True)
    if not is_valid:
        # The check takes longer than all else.
        polygons = len(built.polygons)
        built.validate(clean_customdata=False)
        if len(built.polygons) < polygons:
            text = "polygons that Blender does not allow, because they repeat a vertex"
            losses.add("dropped", text, polygons - len(built.polygons))
    if stored is not None and bpy.app.version < (5, 0, 0):
        stored = built.attributes["custom_normal"]
        normals = numpy.empty(len(built.loops) * 3, numpy.float32)
        stored.data.foreach_get("vector", normals)
        built.attributes.remove(stored)
        built.normals_split_custom_set(normals.reshape(-1, 3))
    if len(hard_edges):
        set_hard_edges(built, hard_edges)


def set_hard_edges(built, hard_edges):
    """Marks the edges between the given pairs of vertices as sharp."""
    edges = numpy.empty(len(built.edges) * 2, numpy.int32)
    built.edges.foreach_get("vertices", edges)
    edges = numpy.sort(edges.reshape(-1, 2).astype(numpy.int64), axis=1)
    count = len(built.vertices)
    wanted = hard_edges.astype(numpy.int64)
    is_hard = numpy.isin(edges[:, 0] * count + edges[:, 1], wanted[:, 0] * count + wanted[:, 1])
    sharp = built.attributes.new("sharp_edge", "BOOLEAN", "EDGE")
    sharp.data.foreach_set("value", is_hard)


def build_terrain(name, terrain, materials, unit):
    """Returns the ground as a grid of quads. The texture coordinates count the texture cells."""
    heights = terrain.heights
    rows, columns = heights.shape
    grid = numpy.empty((rows, columns, 3), numpy.float32)
    grid[..., 0] = numpy.arange(columns) * (terrain.spacing[0] * unit)
    grid[..., 1] = numpy.arange(rows)[:, None] * (terrain.spacing[1] * -unit)
    numpy.multiply(heights, terrain.step * unit, out=grid[..., 2], casting="unsafe")
    grid[..., 2][~numpy.isfinite(grid[..., 2])] = 0
    positions = grid.reshape(-1, 3)
    if rows < 2 or columns < 2:
        built = new_mesh(name, positions, numpy.zeros(0, numpy.int32), numpy.zeros(0, numpy.int32))
        finish_mesh(built, (), None, True, None)
        return built

    first = (numpy.arange(rows - 1)[:, None] * columns + numpy.arange(columns - 1)).ravel().astype(numpy.int32)
    quads = first[:, None] + numpy.array([0, columns, columns + 1, 1], numpy.int32)
    if (terrain.spacing[0] < 0) != (terrain.spacing[1] < 0):
        quads = quads[:, ::-1]
    corners = numpy.ascontiguousarray(quads).ravel()
    built = new_mesh(name, positions, corners, numpy.arange(0, len(corners), 4, dtype=numpy.int32))

    cells = terrain.cells
    steps = [cells_per_quad(*sides) for sides in zip(heights.shape, cells.shape)]
    if cells.size:
        rows_of, columns_of = (
            numpy.minimum(((numpy.arange(side - 1) + 0.5) * step).astype(numpy.int64), max(count - 1, 0))
            for side, step, count in zip(heights.shape, steps, cells.shape)
        )
        listed = numpy.array([-1 if index is None else index for index in terrain.materials] + [-1])
        kinds = cells[rows_of[:, None], columns_of].ravel()
        set_materials(built, listed[numpy.minimum(kinds, len(listed) - 1)], materials, False)
    uvs = numpy.empty((rows, columns, 2), numpy.float32)
    uvs[..., 0] = numpy.arange(columns) * steps[1]
    uvs[..., 1] = 1 - numpy.arange(rows)[:, None] * steps[0]
    add_uv_map(built, "UVMap", uvs.reshape(-1, 2)[corners])
    finish_mesh(built, (), None, True, None)
    return built


def cells_per_quad(vertices, cells):
    """Returns the number of texture cells along a quad. Some formats store as many cells as heights."""
    quads = max(vertices - 1, 1)
    is_cut = cells > 0 and quads % cells != 0 and vertices % cells == 0
    return cells / (vertices if is_cut else quads)


def build_box(name, size, color):
    """Returns a box in the place of a model that is not known, which all its instances share."""
    x, y, z = size[0] / 2, size[2] / 2, size[1] / 2
    corners = [(a, b, c) for a in (-x, x) for b in (-y, y) for c in (-z, z)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    built = bpy.data.meshes.new(name)
    built.from_pydata(corners, [], faces, shade_flat=True)
    material = bpy.data.materials.new(name)
    material.diffuse_color = (*color, 1)
    built.materials.append(material)
    return built
