//! Half-edge meshes → polygon meshes.

use mapwright_dmx::ElementRef;
use mapwright_scene as scene;
use mapwright_scene::transform::normalize;
use mapwright_scene::{
    Attribute, ColorSet, Domain, Faces, Losses, MaterialId, MeshId, Smoothing, TextureProjection, UvOrigin, UvSet,
};

use super::to::Reader;
use super::values::text;
use super::{AXES, Subdivision, names};
use crate::mesh::{BuildOptions, Hardness, Mesh, Polygons, Repair, Stream, StreamData};
use crate::validate::lossy;

/// The stream of colours that artists paint; the other paint streams mean something to materials alone.
pub(super) const TINT: &str = "VertexPaintTintColor:0";
/// Streams with a field of their own, beside texture coordinates.
const CORNER_FIELDS: [&str; 2] = ["normal:0", TINT];
const FACE_FIELDS: [&str; 4] = ["textureScale:0", "textureAxisU:0", "textureAxisV:0", "materialindex:0"];
/// Streams of whole numbers of faces that say nothing as a rule.
const QUIET: [&str; 2] = ["flags:0", "lightmapScaleBias:0"];
/// The stream whose first three numbers are a direction.
pub(super) const TANGENT: &str = "tangent:0";

/// Bytes that the name of a stream may have. Any number of streams may have the same.
const LONGEST_NAME: usize = 256;

/// The name of a column without the number of the first stream of its kind.
fn column_name(stream: &Stream) -> String {
    let name = text(&stream.name);
    name.strip_suffix(":0").map(str::to_owned).unwrap_or(name)
}

/// The name of the stream of a column.
pub(super) fn stream_name(column: &str) -> String {
    if column.contains(':') { column.to_owned() } else { format!("{column}:0") }
}

/// Finds the mesh of an element, or reads it. Nodes may have a mesh in common.
pub(super) fn find<'a>(reader: &mut Reader<'a>, node: ElementRef<'a>, element: ElementRef<'a>) -> Option<MeshId> {
    if let Some(&known) = reader.mesh_ids.get(&element.id()) {
        return known;
    }
    let path = format!("{}.meshData", names::path(node));
    let read = reader.owned.get(element).map_err(|error| error.to_string()).and_then(|mesh| {
        let smoothing = smoothing(node.number("smoothingAngle").unwrap_or(USUAL_ANGLE));
        let polygons = mesh.polygons().map_err(|error| error.to_string())?;
        let fine = if reader.subdivision == Subdivision::Fine { polygons.subdivided() } else { None };
        let Some(fine) = fine else { return self::mesh(reader, &polygons, smoothing, &path) };
        let fine = Mesh::build(&fine, &BuildOptions::default().with_repair(Repair::ShareVertices)).mesh;
        let polygons = fine.polygons().map_err(|error| error.to_string())?;
        reader.reading.losses.approximated(&path, "subdivided faces, as the quads of their samples");
        self::mesh(reader, &polygons, smoothing, &path)
    });
    let id = match read {
        Ok(mesh) => {
            reader.reading.meshes.push(element.id());
            Some(reader.reading.scene.meshes.push(mesh))
        }
        Err(reason) => {
            reader.reading.losses.dropped(path, format!("a mesh that cannot be read: {reason}"));
            None
        }
    };
    reader.mesh_ids.insert(element.id(), id);
    id
}

/// The angle that nodes have as a rule.
pub(super) const USUAL_ANGLE: f64 = 40.0;

/// What an angle in degrees means for edges that say nothing.
fn smoothing(degrees: f64) -> Smoothing {
    match degrees {
        _ if degrees >= 180.0 => Smoothing::Smooth,
        _ if degrees > 0.0 => Smoothing::Angle(degrees.to_radians()),
        _ => Smoothing::Flat,
    }
}

/// The angle in degrees that means the same.
pub(super) fn angle(smoothing: Smoothing) -> f64 {
    match smoothing {
        Smoothing::Smooth => 180.0,
        Smoothing::Flat => 0.0,
        Smoothing::Angle(angle) => angle.to_degrees(),
    }
}

fn mesh(
    reader: &mut Reader<'_>,
    polygons: &Polygons<'_>,
    smoothing: Smoothing,
    path: &str,
) -> Result<scene::Mesh, String> {
    let positions = polygons.positions().ok_or("no positions")?;
    let losses = &mut reader.reading.losses;
    let nowhere = positions.iter().flatten().filter(|c| !c.is_finite()).count();
    if nowhere > 0 {
        losses.repaired(path, format!("{nowhere} coordinates that are not finite, as 0"));
    }
    let mut faces = Faces::with_capacity(polygons.len(), polygons.corners().len());
    let mut vertices = Vec::new();
    for face in polygons.iter() {
        vertices.clear();
        vertices.extend(face.iter().map(|corner| corner.vertex));
        faces.push(&vertices);
    }
    let finite = |c: f32| if c.is_finite() { f64::from(c) } else { 0.0 };
    let mut mesh = scene::Mesh {
        positions: positions.into_iter().map(|p| AXES.apply(p.map(finite))).collect(),
        faces,
        smoothing,
        ..scene::Mesh::default()
    };
    corners(polygons, &mut mesh, path, losses);
    mesh.face_projections = projections(polygons, path, losses);
    mesh.attributes.extend(columns(polygons, Domain::Face, path, losses));
    mesh.attributes.extend(columns(polygons, Domain::Vertex, path, losses));
    edges(polygons, &mut mesh, path, losses);
    subdivision(polygons, path, losses);
    materials(reader, polygons, &mut mesh, path);
    Ok(mesh)
}

/// Texture coordinates, normals, colours and the rest of what corners have.
fn corners(polygons: &Polygons<'_>, mesh: &mut scene::Mesh, path: &str, losses: &mut Losses) {
    let file = polygons.mesh();
    let corners = polygons.corners();
    let mut unmapped = 0_usize;
    for stream in &file.face_vertex_data.streams {
        let Some(uvs) = stream.data.as_vector2s().filter(|_| is_uv(stream)) else { continue };
        let uv = |corner: u32| uvs.get(corner as usize).filter(|uv| uv.iter().all(|c| c.is_finite()));
        let corners: Vec<Option<[f64; 2]>> =
            corners.iter().map(|corner| uv(corner.corner).map(|uv| uv.map(f64::from))).collect();
        unmapped += corners.iter().filter(|uv| uv.is_none()).count();
        mesh.uv_sets.push(UvSet { name: String::new(), origin: UvOrigin::TopLeft, corners });
    }
    if unmapped > 0 {
        losses.dropped(path, format!("{unmapped} texture coordinates that are not finite"));
    }
    if let Some(normals) = polygons.normals() {
        let mut wrong = 0_usize;
        let mut computed: Option<Vec<[f64; 3]>> = None;
        let mut list = Vec::with_capacity(corners.len());
        for (index, corner) in corners.iter().enumerate() {
            let stored = normals.get(corner.corner as usize).map(|normal| AXES.apply(normal.map(f64::from)));
            let stored = stored.and_then(unit);
            wrong += usize::from(stored.is_none());
            list.push(stored.unwrap_or_else(|| {
                let computed = computed.get_or_insert_with(|| mesh.corner_normals());
                computed.get(index).copied().unwrap_or([0.0, 1.0, 0.0])
            }));
        }
        if wrong > 0 {
            losses.repaired(path, format!("{wrong} normals without a direction, computed from faces"));
        }
        mesh.normals = Some(list);
    }
    if let Some(colors) = polygons.colors(TINT) {
        let color = |corner: u32| colors.get(corner as usize).filter(|color| color.iter().all(|c| c.is_finite()));
        let corners = corners.iter().map(|corner| color(corner.corner).copied()).collect();
        mesh.color_sets.push(ColorSet { name: "VertexPaintTintColor".to_owned(), corners });
    }
    mesh.attributes.extend(columns(polygons, Domain::Corner, path, losses));
}

fn is_uv(stream: &Stream) -> bool {
    stream.name.starts_with(b"texcoord:")
}

/// A normal as it is stored, if it is of length 1 as well as single precision can tell; else its direction.
fn unit(normal: [f64; 3]) -> Option<[f64; 3]> {
    let length: f64 = normal.iter().map(|c| c * c).sum();
    if (length - 1.0).abs() < 1e-4 { Some(normal) } else { normalize(normal) }
}

/// The streams of a domain without a field of their own.
fn columns(polygons: &Polygons<'_>, domain: Domain, path: &str, losses: &mut Losses) -> Vec<Attribute> {
    let file = polygons.mesh();
    let (data, fields): (_, &[&str]) = match domain {
        Domain::Corner => (&file.face_vertex_data, &CORNER_FIELDS),
        Domain::Face => (&file.face_data, &FACE_FIELDS),
        Domain::Vertex => (&file.vertex_data, &["position:0"]),
    };
    let rows = rows(polygons, domain);
    let mut columns = Vec::new();
    for stream in &data.streams {
        let is = |name: &&str| stream.name == name.as_bytes();
        if fields.iter().any(is) || (domain == Domain::Corner && is_uv(stream)) {
            continue;
        }
        if stream.name.len() > LONGEST_NAME {
            losses.dropped(path, format!("stream {}…, for its long name", lossy(&stream.name)));
            continue;
        }
        let (width, mut values) = numbers(&stream.data, &rows);
        if values.len() != rows.len().saturating_mul(width) {
            losses.dropped(path, format!("stream {}, which has not an item for each", lossy(&stream.name)));
            continue;
        }
        if domain == Domain::Face && QUIET.iter().any(is) && values.iter().all(|value| *value == 0.0) {
            continue;
        }
        if domain == Domain::Corner && stream.name == TANGENT.as_bytes() {
            turn(&mut values, |direction| AXES.apply(direction));
        }
        columns.push(Attribute { name: column_name(stream), domain, width, values });
    }
    columns
}

/// Which row of the streams each vertex, corner or face of a mesh has.
pub(super) fn rows(polygons: &Polygons<'_>, domain: Domain) -> Vec<usize> {
    let places = |indices: &[i32]| indices.iter().map(|&index| usize::try_from(index).unwrap_or(usize::MAX)).collect();
    match domain {
        Domain::Corner => polygons.corners().iter().map(|corner| corner.corner as usize).collect(),
        Domain::Face => places(&polygons.mesh().face_data_indices),
        Domain::Vertex => places(&polygons.mesh().vertex_data_indices),
    }
}

/// Turns the first three numbers of rows of four.
pub(super) fn turn(values: &mut [f64], change: impl Fn([f64; 3]) -> [f64; 3]) {
    for row in values.as_chunks_mut::<4>().0 {
        let [x, y, z, _] = row;
        [*x, *y, *z] = change([*x, *y, *z]);
    }
}

/// The numbers of a stream in the order of rows, and how many a row has. Rows that do not exist are left out.
fn numbers(data: &StreamData, rows: &[usize]) -> (usize, Vec<f64>) {
    fn pick<T: Copy, const N: usize>(items: &[[T; N]], rows: &[usize], to: impl Fn(T) -> f64) -> (usize, Vec<f64>) {
        (N, rows.iter().filter_map(|&row| items.get(row)).flatten().map(|&item| to(item)).collect())
    }
    match data {
        StreamData::Int(items) => {
            (1, rows.iter().filter_map(|&row| items.get(row)).map(|&item| f64::from(item)).collect())
        }
        StreamData::Float(items) => {
            (1, rows.iter().filter_map(|&row| items.get(row)).map(|&item| f64::from(item)).collect())
        }
        StreamData::Vector2(items) => pick(items, rows, f64::from),
        StreamData::Vector3(items) => pick(items, rows, f64::from),
        StreamData::Vector4(items) => pick(items, rows, f64::from),
    }
}

/// The texture projections of faces; none if one is missing.
fn projections(polygons: &Polygons<'_>, path: &str, losses: &mut Losses) -> Vec<TextureProjection> {
    let data = &polygons.mesh().face_data;
    let axes = |name| data.stream(name).and_then(|stream| stream.data.as_vector4s());
    let scales = data.stream("textureScale:0").and_then(|stream| stream.data.as_vector2s());
    let (Some(us), Some(vs), Some(scales)) = (axes("textureAxisU:0"), axes("textureAxisV:0"), scales) else {
        return Vec::new();
    };
    let mut odd = 0_usize;
    let mut list = Vec::with_capacity(polygons.len());
    for row in rows(polygons, Domain::Face) {
        let (Some(u), Some(v), Some(scale)) = (us.get(row), vs.get(row), scales.get(row)) else { return Vec::new() };
        let mut is_odd = false;
        let mut number = |value: f32, instead: f64, zero: bool| {
            let good = value.is_finite() && (zero || value != 0.0);
            is_odd |= !good;
            if good { f64::from(value) } else { instead }
        };
        let [ux, uy, uz, shift_u] = u.map(|c| number(c, 0.0, true));
        let [vx, vy, vz, shift_v] = v.map(|c| number(c, 0.0, true));
        let scale = scale.map(|c| number(c, 1.0, false));
        let axis = |p| {
            let [x, y, z] = AXES.apply(p);
            [x, y, z, 0.0]
        };
        list.push(TextureProjection {
            u: axis([ux, uy, uz]),
            v: axis([vx, vy, vz]),
            offset: [shift_u, shift_v],
            scale,
            rotation: 0.0,
            local: false,
        });
        odd += usize::from(is_odd);
    }
    if odd > 0 {
        losses.repaired(path, format!("{odd} texture projections of scale 0 or with numbers that are not finite"));
    }
    list
}

/// Which edges split the shading.
fn edges(polygons: &Polygons<'_>, mesh: &mut scene::Mesh, path: &str, losses: &mut Losses) {
    let mut unknown = 0_usize;
    for edge in polygons.edges() {
        let [a, b] = edge.vertices;
        let pair = [a.min(b), a.max(b)];
        match edge.hardness {
            _ if a == b => {}
            Hardness::AUTOMATIC => {}
            Hardness::HARD => mesh.hard_edges.push(pair),
            Hardness::SOFT => mesh.soft_edges.push(pair),
            _ => unknown += 1,
        }
    }
    for list in [&mut mesh.hard_edges, &mut mesh.soft_edges] {
        list.sort_unstable();
        list.dedup();
    }
    if unknown > 0 {
        losses.dropped(path, format!("{unknown} edges with unknown flags"));
    }
    let other = polygons.mesh().edge_data.streams.iter().filter(|stream| stream.name != b"flags:0");
    for stream in other {
        losses.dropped(path, format!("stream {} of edges", lossy(&stream.name)));
    }
}

fn subdivision(polygons: &Polygons<'_>, path: &str, losses: &mut Losses) {
    let data = &polygons.mesh().subdivision_data;
    let level = |corner: u32| data.levels.get(corner as usize).copied().unwrap_or(0);
    let fine = polygons.iter().filter(|face| face.iter().any(|corner| level(corner.corner) > 0)).count();
    if fine > 0 {
        losses.dropped(
            path,
            format!("subdivision and displacement of {fine} faces, which are as coarse as their corners"),
        );
    }
}

fn materials(reader: &mut Reader<'_>, polygons: &Polygons<'_>, mesh: &mut scene::Mesh, path: &str) {
    let all = polygons.materials();
    let wrong = all.iter().filter(|material| material.is_none()).count();
    if wrong > 0 {
        reader.reading.losses.dropped(path, format!("materials of {wrong} faces, which do not exist"));
    }
    let ids: Vec<Option<MaterialId>> =
        polygons.mesh().materials.iter().map(|name| material(reader, &text(name))).collect();
    let of = |index: Option<u32>| ids.get(index? as usize).copied().flatten();
    let list: Vec<Option<MaterialId>> = all.into_iter().map(of).collect();
    if list.iter().any(Option::is_some) {
        mesh.face_materials = list;
    }
}

/// The material of a reference; `None` for an empty one.
pub(super) fn material(reader: &mut Reader<'_>, reference: &str) -> Option<MaterialId> {
    if reference.is_empty() {
        return None;
    }
    let scene = &mut reader.reading.scene;
    Some(*reader.materials.entry(reference.to_owned()).or_insert_with(|| {
        let name = names::material_name(reference);
        scene.materials.push(scene::Material { reference: Some(reference.to_owned()), ..scene::Material::new(name) })
    }))
}
