//! Brushes → brushes.

use mapwright_scene::{Brush, BrushSide, Content, LossKind, Properties, TextureProjection, Value};

use super::context::Context;
use crate::document::number::parse_number;
use crate::geometry::{
    HalfSpace, MAX_BRUSH_FACES, TextureAxes, base_axes, clip_polygons, cross, dot, largest_triangle,
};
use crate::scene::AXES;
use crate::scene::textures::{ASSUMED_SIZE, EXTRA, FLAGS, MATRIX, VALVE_ROTATION};
use crate::{Face, Mapping, Plane, Primitive};

/// Numbers beyond this are not meant as coordinates.
pub(super) const MAX_NUMBER: f64 = 1e9;
/// Corners are moved to a whole number that is this near, because clipping is rounded.
const WHOLE: f64 = 1e-6;
/// Corners nearer to each other are one vertex.
const SAME: f64 = 1e-3;
/// Most corners of a polygon of which all triangles are compared.
const MAX_TRIED_CORNERS: usize = 64;

/// Returns the content of the node of a brush, or `None` for one that cannot be in a scene.
pub(super) fn brush_content(
    context: &mut Context<'_>,
    primitive: Primitive<'_>,
    path: (usize, usize),
) -> Option<Content> {
    let faces: Vec<Face<'_>> = primitive.faces().collect();
    if faces.is_empty() {
        context.note(LossKind::Dropped, "brush without faces", primitive.range().start);
        return None;
    }
    if faces.len() > MAX_BRUSH_FACES {
        context.drop_part(path, &format!("a brush of {} faces: at most {MAX_BRUSH_FACES} are read", faces.len()));
        return None;
    }
    if !faces.iter().all(|face| is_in_range(*face)) {
        context.drop_part(path, "a brush with numbers beyond ±1e9");
        return None;
    }
    let spaces: Vec<Option<HalfSpace>> = faces.iter().map(|face| face.half_space()).collect();
    // A brush that encloses no space has no polygons; programs that draw it report that.
    let polygons = clip_polygons(&spaces).unwrap_or_else(|_| vec![Vec::new(); faces.len()]);
    let mut brush = Brush::default();
    let rings = weld(&polygons, &mut brush.vertices);
    let sides = faces.iter().zip(spaces).zip(polygons.iter().zip(rings));
    brush.sides = sides.map(|((face, space), (polygon, ring))| side(context, *face, space, (polygon, ring))).collect();
    if primitive.pairs().len() > 0 {
        context.note(LossKind::Dropped, "keys of a brush", primitive.range().start);
    }
    Some(Content::Brush(context.scene.brushes.push(brush)))
}

/// Returns `true` if the numbers of the plane of a face are within the range of coordinates, and those of its texture are finite.
fn is_in_range(face: Face<'_>) -> bool {
    let is_good = |word: &[u8]| parse_number(word).abs() <= MAX_NUMBER;
    let is_finite = |word: &[u8]| parse_number(word).is_finite();
    face.plane_words().all(is_good) && face.mapping_words().all(is_finite)
}

/// Returns the side of a face, with its polygon in the axes of the file and the indices of its vertices.
fn side(
    context: &mut Context<'_>,
    face: Face<'_>,
    space: Option<HalfSpace>,
    (polygon, corners): (&[[f64; 3]], Vec<u32>),
) -> BrushSide {
    let offset = || face.layout().plane.start;
    let mut properties = Properties::new();
    let normal = space.map_or([0.0, 0.0, 1.0], |space| space.normal);
    // Maps are clockwise, scenes counter-clockwise.
    let [first, second, third] = match face.plane() {
        Plane::Points(points) => points,
        Plane::Equation(_) => points_of(space, polygon),
    };
    let plane = [third, second, first].map(|point| AXES.apply(point));
    let mapping = face.mapping();
    let scale_of = |scale: [f64; 2]| scale.map(|factor| if factor == 0.0 { 1.0 } else { factor });
    let on_base_axes = |shift: [f64; 2], rotation: f64, scale: [f64; 2]| {
        let [u, v] = base_axes(normal).map(|axis| scene_axis(axis, 0.0));
        let (offset, scale) = (shift, scale_of(scale));
        TextureProjection { u, v, offset, scale, rotation: rotation.to_radians(), local: false }
    };
    let projection = match mapping {
        Mapping::Standard { shift, rotation, scale } => on_base_axes(shift, rotation, scale),
        Mapping::Valve { u: [a, b, c, x], v: [d, e, f, y], rotation, scale } => {
            if rotation != 0.0 {
                properties.push(VALVE_ROTATION, rotation);
            }
            let (u, v) = ([a, b, c], [d, e, f]);
            if dot(cross(u, v), normal) == 0.0 && space.is_some() {
                context.note(LossKind::Repaired, "texture axes without an area: replaced as compilers do", offset());
                on_base_axes([x, y], rotation, scale)
            } else {
                let [u, v] = [u, v].map(|axis| scene_axis(axis, 0.0));
                TextureProjection { u, v, offset: [x, y], scale: scale_of(scale), rotation: 0.0, local: false }
            }
        }
        Mapping::Matrix(rows) => {
            properties.push(MATRIX, rows.as_flattened().iter().copied().map(Value::Float).collect::<Vec<_>>());
            let (TextureAxes::Texels(axes) | TextureAxes::Repeats(axes)) = mapping.axes(normal);
            let [u, v] = axes.map(|[x, y, z, constant]| scene_axis([x, y, z], constant));
            TextureProjection { u, v, offset: [0.0; 2], scale: [1.0 / ASSUMED_SIZE; 2], rotation: 0.0, local: false }
        }
    };
    if let Mapping::Standard { scale, .. } | Mapping::Valve { scale, .. } = mapping
        && scale.contains(&0.0)
    {
        context.note(LossKind::Repaired, "texture scale of 0: read as 1", offset());
    }
    push_extra(face, &mut properties);
    let material = context.material(&face.texture(), face.layout().texture.start);
    BrushSide { plane, corners, projection, material, properties }
}

/// Returns an axis of a projection in the frame of scenes.
fn scene_axis(axis: [f64; 3], constant: f64) -> [f64; 4] {
    let [x, y, z] = AXES.apply(axis).map(|part| part + 0.0);
    [x, y, z, constant]
}

/// Returns three points of a plane that the file stores as an equation, clockwise as seen from outside.
fn points_of(space: Option<HalfSpace>, polygon: &[[f64; 3]]) -> [[f64; 3]; 3] {
    if let Some(points) = largest_triangle(polygon).filter(|_| polygon.len() <= MAX_TRIED_CORNERS) {
        return points;
    }
    let Some(HalfSpace { normal, distance }) = space else { return [[0.0; 3]; 3] };
    let away = if normal.first().is_some_and(|part| part.abs() < 0.6) { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = cross(normal, away);
    let second = cross(normal, first);
    let on_plane = normal.map(|part| part * distance);
    let beside = |way: [f64; 3]| {
        let [x, y, z] = on_plane;
        let [a, b, c] = way;
        [x + a * ASSUMED_SIZE, y + b * ASSUMED_SIZE, z + c * ASSUMED_SIZE]
    };
    [beside(second), on_plane, beside(first)]
}

/// Adds the words after the mapping.
fn push_extra(face: Face<'_>, properties: &mut Properties) {
    let mut names = FLAGS.into_iter();
    let mut extra = Vec::new();
    for word in face.extra() {
        let text = crate::decode_text(word);
        let whole = text.parse::<i64>().ok().map(Value::Int);
        let number = || text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::Float);
        match (whole.or_else(number), extra.is_empty().then(|| names.next()).flatten()) {
            (Some(number), Some(name)) => properties.push(name, number),
            (number, _) => extra.push(number.unwrap_or_else(|| Value::Text(text.into_owned()))),
        }
    }
    if !extra.is_empty() {
        properties.push(EXTRA, extra);
    }
}

/// Moves corners of polygons that are nearly equal to one vertex. Returns the indices of the vertices of each polygon, counter-clockwise
/// as seen from outside.
fn weld(polygons: &[Vec<[f64; 3]>], vertices: &mut Vec<[f64; 3]>) -> Vec<Vec<u32>> {
    // Sorted along one axis, so that only near corners are compared.
    let mut corners: Vec<(usize, [f64; 3])> = polygons.iter().flatten().copied().enumerate().collect();
    corners.sort_by(|(_, a), (_, b)| a[0].total_cmp(&b[0]));
    let mut numbers = vec![0_u32; corners.len()];
    let whole = |part: f64| if (part - part.round()).abs() < WHOLE { part.round() + 0.0 } else { part };
    let mut first_near = 0;
    let mut found: Vec<[f64; 3]> = Vec::new();
    for (corner, point) in corners {
        while found.get(first_near).is_some_and(|near| near[0] < point[0] - 2.0 * SAME) {
            first_near += 1;
        }
        let is_near = |other: &[f64; 3]| other.iter().zip(point).all(|(a, b)| (a - b).abs() < SAME);
        let near = found.iter().skip(first_near).position(is_near).map(|place| place + first_near);
        let vertex = near.unwrap_or_else(|| {
            found.push(point.map(whole));
            found.len() - 1
        });
        numbers.get_mut(corner).into_iter().for_each(|number| *number = u32::try_from(vertex).unwrap_or(u32::MAX));
    }
    let mut numbers = numbers.into_iter();
    let rings = polygons.iter().map(|polygon| {
        let mut ring: Vec<u32> = numbers.by_ref().take(polygon.len()).collect();
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        ring.reverse();
        if ring.len() < 3 { Vec::new() } else { ring }
    });
    let rings = rings.collect();
    *vertices = found.into_iter().map(|point| AXES.apply(point)).collect();
    rings
}
