//! Reads half-edge meshes as polygon meshes.

use mapwright_dmx::ElementRef;
use mapwright_scene as scene;
use mapwright_scene::transform::normalize;
use mapwright_scene::{
    Attribute, ColorSet, CornerColumn, Domain, Faces, Losses, MaterialId, MeshId, TextureProjection, UvOrigin, UvSet,
};

use super::super::conventions::AXES;
use super::super::names::{self, with_count};
use super::super::options::Subdivision;
use super::super::streams::{
    DEFAULT_SMOOTHING_ANGLE, TANGENT, TINT, attribute_name, map_directions, rows, smoothing_from_angle,
};
use super::context::ReadContext;
use crate::mesh::{BuildOptions, Hardness, Mesh, Polygons, Repair, Stream, StreamData};
use crate::validate::lossy;

/// Corner streams that become fields of the mesh, besides texture coordinates.
const CORNER_FIELDS: [&str; 2] = ["normal:0", TINT];
/// Face streams that become fields of the mesh.
const FACE_FIELDS: [&str; 4] = ["textureScale:0", "textureAxisU:0", "textureAxisV:0", "materialindex:0"];
/// Integer face streams that are left out if all items are 0.
const MOSTLY_ZERO: [&str; 2] = ["flags:0", "lightmapScaleBias:0"];

/// Maximum length of the name of a stream in bytes. Any number of streams can refer to the same long name.
const MAX_STREAM_NAME: usize = 256;

/// Returns the mesh of an element, which several nodes can share. Reads it if it is new.
pub(super) fn read_mesh<'a>(
    context: &mut ReadContext<'a>,
    node: ElementRef<'a>,
    element: ElementRef<'a>,
) -> Option<MeshId> {
    if let Some(&known) = context.meshes.get(&element.id()) {
        return known;
    }
    let path = format!("{}.meshData", names::node_path(node));
    let id = match convert(context, node, element, &path) {
        Ok(mesh) => Some(context.linked.scene.meshes.push(mesh)),
        Err(reason) => {
            context.losses.dropped(path, format!("unreadable mesh: {reason}"));
            None
        }
    };
    context.meshes.insert(element.id(), id);
    id
}

fn convert(
    context: &mut ReadContext<'_>,
    node: ElementRef<'_>,
    element: ElementRef<'_>,
    path: &str,
) -> Result<scene::Mesh, String> {
    let mesh = context.unshared.read(element).map_err(|error| error.to_string())?;
    let polygons = mesh.polygons().map_err(|error| error.to_string())?;
    let angle = node.number("smoothingAngle").unwrap_or(DEFAULT_SMOOTHING_ANGLE);
    let subdivided = if context.subdivision == Subdivision::Fine { polygons.subdivided() } else { None };
    let Some(soup) = subdivided else { return to_scene_mesh(context, &polygons, angle, path) };
    let fine = Mesh::build(&soup, &BuildOptions::default().with_repair(Repair::ShareVertices)).mesh;
    let polygons = fine.polygons().map_err(|error| error.to_string())?;
    context.losses.approximated(path, "subdivided faces, as the quads of their samples");
    to_scene_mesh(context, &polygons, angle, path)
}

fn to_scene_mesh(
    context: &mut ReadContext<'_>,
    polygons: &Polygons<'_>,
    smoothing_angle: f64,
    path: &str,
) -> Result<scene::Mesh, String> {
    let positions = polygons.positions().ok_or("no positions")?;
    let losses = &mut context.losses;
    let damaged = positions.iter().flatten().filter(|c| !c.is_finite()).count();
    if damaged > 0 {
        losses.repaired(path, format!("{}, replaced by 0", with_count(damaged, "non-finite coordinate")));
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
        smoothing: smoothing_from_angle(smoothing_angle),
        ..scene::Mesh::default()
    };
    // Invalid normals are computed from positions and faces, so these come first.
    read_corners(polygons, &mut mesh, path, losses);
    mesh.face_projections = read_projections(polygons, path, losses);
    mesh.attributes.extend(read_attributes(polygons, Domain::Face, path, losses));
    mesh.attributes.extend(read_attributes(polygons, Domain::Vertex, path, losses));
    read_edges(polygons, &mut mesh, path, losses);
    report_subdivision(polygons, path, losses);
    read_materials(context, polygons, &mut mesh, path);
    Ok(mesh)
}

/// Reads texture coordinates, normals, colours and other corner attributes.
fn read_corners(polygons: &Polygons<'_>, mesh: &mut scene::Mesh, path: &str, losses: &mut Losses) {
    let corners = polygons.corners();
    let mut unmapped = 0_usize;
    for stream in &polygons.mesh().face_vertex_data.streams {
        let Some(uvs) = stream.data.as_vector2s().filter(|_| is_uv(stream)) else { continue };
        let uv = |corner: u32| uvs.get(corner as usize).filter(|uv| uv.iter().all(|c| c.is_finite()));
        let corners: CornerColumn<[f64; 2]> =
            corners.iter().map(|corner| uv(corner.corner).map(|uv| uv.map(f64::from))).collect();
        unmapped += corners.iter().filter(Option::is_none).count();
        mesh.uv_sets.push(UvSet { name: String::new(), origin: UvOrigin::TopLeft, corners });
    }
    if unmapped > 0 {
        losses.dropped(path, with_count(unmapped, "non-finite texture coordinate"));
    }
    if let Some(normals) = polygons.normals() {
        let mut invalid = 0_usize;
        let mut computed: Option<CornerColumn<[f64; 3]>> = None;
        let mut list = Vec::with_capacity(corners.len());
        for (index, corner) in corners.iter().enumerate() {
            let stored = normals.get(corner.corner as usize).map(|normal| AXES.apply(normal.map(f64::from)));
            let stored = stored.and_then(to_unit);
            invalid += usize::from(stored.is_none());
            list.push(stored.unwrap_or_else(|| {
                let computed = computed.get_or_insert_with(|| mesh.corner_normals());
                computed.get(index).unwrap_or([0.0, 1.0, 0.0])
            }));
        }
        if invalid > 0 {
            losses.repaired(path, format!("{}, computed from the faces", with_count(invalid, "invalid normal")));
        }
        mesh.normals = Some(list.into());
    }
    if let Some(colors) = polygons.colors(TINT) {
        let color = |corner: u32| colors.get(corner as usize).filter(|color| color.iter().all(|c| c.is_finite()));
        let corners = corners.iter().map(|corner| color(corner.corner).copied()).collect();
        mesh.color_sets.push(ColorSet { name: "VertexPaintTintColor".to_owned(), corners });
    }
    mesh.attributes.extend(read_attributes(polygons, Domain::Corner, path, losses));
}

fn is_uv(stream: &Stream) -> bool {
    stream.name.starts_with(b"texcoord:")
}

/// Returns a stored normal unchanged if its length is 1 within single precision, else normalized.
fn to_unit(normal: [f64; 3]) -> Option<[f64; 3]> {
    let squared: f64 = normal.iter().map(|c| c * c).sum();
    if (squared - 1.0).abs() < 1e-4 { Some(normal) } else { normalize(normal) }
}

/// Reads the streams of a domain that do not become fields.
fn read_attributes(polygons: &Polygons<'_>, domain: Domain, path: &str, losses: &mut Losses) -> Vec<Attribute> {
    let mesh = polygons.mesh();
    let (data, fields): (_, &[&str]) = match domain {
        Domain::Corner => (&mesh.face_vertex_data, &CORNER_FIELDS),
        Domain::Face => (&mesh.face_data, &FACE_FIELDS),
        Domain::Vertex => (&mesh.vertex_data, &["position:0"]),
    };
    let rows = rows(polygons, domain);
    let mut attributes = Vec::new();
    for stream in &data.streams {
        let is = |name: &&str| stream.name == name.as_bytes();
        if fields.iter().any(is) || (domain == Domain::Corner && is_uv(stream)) {
            continue;
        }
        if stream.name.len() > MAX_STREAM_NAME {
            let name = lossy(&stream.name);
            losses.dropped(path, format!("stream {name}…: the name is longer than {MAX_STREAM_NAME} bytes"));
            continue;
        }
        let (width, mut values) = pick_rows(&stream.data, &rows);
        if values.len() != rows.len().saturating_mul(width) {
            losses.dropped(path, format!("stream {}: too few items", lossy(&stream.name)));
            continue;
        }
        if domain == Domain::Face && MOSTLY_ZERO.iter().any(is) && values.iter().all(|value| *value == 0.0) {
            continue;
        }
        if domain == Domain::Corner && stream.name == TANGENT.as_bytes() {
            map_directions(&mut values, |direction| AXES.apply(direction));
        }
        attributes.push(Attribute { name: attribute_name(stream), domain, width, values });
    }
    attributes
}

/// Returns the numbers per row and the numbers of the given rows. Rows out of range are left out.
fn pick_rows(data: &StreamData, rows: &[usize]) -> (usize, Vec<f64>) {
    fn pick<T: Copy, const N: usize>(items: &[[T; N]], rows: &[usize], to: impl Fn(T) -> f64) -> (usize, Vec<f64>) {
        (N, rows.iter().filter_map(|&row| items.get(row)).flatten().map(|&item| to(item)).collect())
    }
    match data {
        StreamData::Int(items) => pick(items.as_chunks::<1>().0, rows, f64::from),
        StreamData::Float(items) => pick(items.as_chunks::<1>().0, rows, f64::from),
        StreamData::Vector2(items) => pick(items, rows, f64::from),
        StreamData::Vector3(items) => pick(items, rows, f64::from),
        StreamData::Vector4(items) => pick(items, rows, f64::from),
    }
}

/// Reads the texture projections of faces; none if a stream is missing or too short.
fn read_projections(polygons: &Polygons<'_>, path: &str, losses: &mut Losses) -> Vec<TextureProjection> {
    let data = &polygons.mesh().face_data;
    let axes = |name| data.stream(name).and_then(|stream| stream.data.as_vector4s());
    let scales = data.stream("textureScale:0").and_then(|stream| stream.data.as_vector2s());
    let (Some(us), Some(vs), Some(scales)) = (axes("textureAxisU:0"), axes("textureAxisV:0"), scales) else {
        return Vec::new();
    };
    let mut invalid = 0_usize;
    let mut list = Vec::with_capacity(polygons.len());
    for row in rows(polygons, Domain::Face) {
        let (Some(u), Some(v), Some(scale)) = (us.get(row), vs.get(row), scales.get(row)) else { return Vec::new() };
        let mut is_invalid = false;
        let mut number = |value: f32, replacement: f64, may_be_zero: bool| {
            let is_valid = value.is_finite() && (may_be_zero || value != 0.0);
            is_invalid |= !is_valid;
            if is_valid { f64::from(value) } else { replacement }
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
        invalid += usize::from(is_invalid);
    }
    if invalid > 0 {
        let count = with_count(invalid, "texture projection");
        losses.repaired(path, format!("{count} with scale 0 or non-finite numbers"));
    }
    list
}

/// Reads the hard and soft edges.
fn read_edges(polygons: &Polygons<'_>, mesh: &mut scene::Mesh, path: &str, losses: &mut Losses) {
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
        losses.dropped(path, format!("{} with unknown flags", with_count(unknown, "edge")));
    }
    for stream in polygons.mesh().edge_data.streams.iter().filter(|stream| stream.name != b"flags:0") {
        losses.dropped(path, format!("edge stream {}", lossy(&stream.name)));
    }
}

fn report_subdivision(polygons: &Polygons<'_>, path: &str, losses: &mut Losses) {
    let data = &polygons.mesh().subdivision_data;
    let level = |corner: u32| data.levels.get(corner as usize).copied().unwrap_or(0);
    let fine = polygons.iter().filter(|face| face.iter().any(|corner| level(corner.corner) > 0)).count();
    if fine > 0 {
        losses.dropped(path, format!("subdivision and displacement of {}", with_count(fine, "face")));
    }
}

fn read_materials(context: &mut ReadContext<'_>, polygons: &Polygons<'_>, mesh: &mut scene::Mesh, path: &str) {
    let indices = polygons.materials();
    let invalid = indices.iter().filter(|material| material.is_none()).count();
    if invalid > 0 {
        let count = with_count(invalid, "face");
        context.losses.dropped(path, format!("materials of {count}: index out of range"));
    }
    let ids: Vec<Option<MaterialId>> =
        polygons.mesh().materials.iter().map(|name| material_of_reference(context, &names::text(name))).collect();
    let id = |index: Option<u32>| ids.get(index? as usize).copied().flatten();
    let list: Vec<Option<MaterialId>> = indices.into_iter().map(id).collect();
    if list.iter().any(Option::is_some) {
        mesh.face_materials = list;
    }
}

/// Returns the material of a reference; `None` for an empty one.
fn material_of_reference(context: &mut ReadContext<'_>, reference: &str) -> Option<MaterialId> {
    if reference.is_empty() {
        return None;
    }
    let scene = &mut context.linked.scene;
    Some(*context.materials.entry(reference.to_owned()).or_insert_with(|| {
        let name = names::material_name(reference);
        let is_tool = names::is_tool_material(reference);
        let reference = Some(reference.to_owned());
        scene.materials.push(scene::Material { reference, is_tool, ..scene::Material::new(name) })
    }))
}
