//! Meshes for tests.

use mapwright_io::math;
use mapwright_testkit::{corpus, files_below};
use mapwright_vmap::mesh::{DataArray, Soup, Stream, StreamData};
use mapwright_vmap::{Mesh, dmx};

/// Names, graphs and bytes of the readable maps of the corpus. Some files are damaged or not maps.
pub(crate) fn graphs() -> Vec<(String, Vec<u8>, dmx::Document)> {
    let paths = corpus("vmap").map(|folder| files_below(&folder)).unwrap_or_default();
    let read = |path: std::path::PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let graph = dmx::Document::from_bytes(&bytes).ok()?;
        Some((path.display().to_string(), bytes, graph))
    };
    paths.into_iter().filter_map(read).collect()
}

/// Returns the meshes of a graph.
pub(crate) fn meshes(graph: &dmx::Document) -> impl Iterator<Item = dmx::ElementRef<'_>> {
    graph.iter().filter(|element| element.is("CDmePolygonMesh"))
}

/// The quad of the format description, numbered as by Hammer: positions (−64 −64 0), (64 −64 0), (−64 64 0), (64 64 0).
pub(crate) fn quad() -> Mesh {
    let positions = vec![[-64.0, -64.0, 0.0], [64.0, -64.0, 0.0], [-64.0, 64.0, 0.0], [64.0, 64.0, 0.0]];
    let mut mesh = Mesh {
        vertex_edge_indices: vec![7, 1, 5, 3],
        vertex_data_indices: vec![0, 1, 2, 3],
        edge_vertex_indices: vec![1, 0, 3, 1, 2, 3, 0, 2],
        edge_opposite_indices: vec![1, 0, 3, 2, 5, 4, 7, 6],
        edge_next_indices: vec![2, 7, 4, 1, 6, 3, 0, 5],
        edge_face_indices: vec![0, -1, 0, -1, 0, -1, 0, -1],
        edge_data_indices: vec![0, 0, 1, 1, 2, 2, 3, 3],
        edge_vertex_data_indices: vec![1, 0, 3, 2, 5, 4, 7, 6],
        face_edge_indices: vec![6],
        face_data_indices: vec![0],
        materials: vec![b"materials/a.vmat".to_vec()],
        vertex_data: DataArray { size: 4, streams: vec![Stream::new("position", 0, StreamData::Vector3(positions))] },
        face_vertex_data: DataArray {
            size: 8,
            streams: vec![
                Stream::new("texcoord", 0, StreamData::Vector2(vec![[0.5; 2]; 8])),
                Stream::new("normal", 0, StreamData::Vector3(vec![[0.0, 0.0, 1.0]; 8])),
                Stream::new("tangent", 0, StreamData::Vector4(vec![[1.0, 0.0, 0.0, -1.0]; 8])),
            ],
        },
        edge_data: DataArray { size: 4, streams: vec![Stream::new("flags", 0, StreamData::Int(vec![0, 1, 2, 9]))] },
        face_data: DataArray {
            size: 1,
            streams: vec![
                Stream::new("textureScale", 0, StreamData::Vector2(vec![[0.25; 2]])),
                Stream::new("textureAxisU", 0, StreamData::Vector4(vec![[1.0, 0.0, 0.0, 0.0]])),
                Stream::new("textureAxisV", 0, StreamData::Vector4(vec![[0.0, -1.0, 0.0, 0.0]])),
                Stream::new("materialindex", 0, StreamData::Int(vec![0])),
                Stream::new("flags", 0, StreamData::Int(vec![0])),
                Stream::new("lightmapScaleBias", 0, StreamData::Int(vec![0])),
            ],
        },
        ..Mesh::default()
    };
    mesh.subdivision_data.levels = vec![0; 8];
    mesh
}

/// Returns polygons with the given vertices.
pub(crate) fn soup(positions: &[[f32; 3]], faces: &[&[u32]]) -> Soup {
    let mut soup = Soup { positions: positions.to_vec(), ..Soup::default() };
    faces.iter().for_each(|face| soup.push_face(face));
    soup
}

#[allow(clippy::cast_possible_truncation, reason = "maps store single precision")]
fn single(number: f64) -> f32 {
    number as f32
}

fn sine(angle: f64) -> f32 {
    single(math::sin(angle))
}

/// Returns vertices in general position, for tests of connectivity.
pub(crate) fn distinct_positions(count: u32) -> Vec<[f32; 3]> {
    let turn = |n: u32, by: f32| sine(f64::from(n) * f64::from(by)) * 100.0;
    (0..count).map(|n| [turn(n, 12.9), turn(n, 78.2), turn(n, 37.7)]).collect()
}

/// Returns a grid of quads with the given number along each side.
pub(crate) fn grid(side: u32) -> Soup {
    let number = |n: u32| f32::from(u16::try_from(n).unwrap());
    let place =
        |n: u32| [number(n % (side + 1)) * 8.0, number(n / (side + 1)) * 8.0, sine(f64::from(n % 97) * 0.3) * 4.0];
    let mut soup = Soup { positions: (0..(side + 1) * (side + 1)).map(place).collect(), ..Soup::default() };
    for n in (0..side * side).map(|n| n / side * (side + 1) + n % side) {
        soup.push_face(&[n, n + 1, n + side + 2, n + side + 1]);
    }
    soup
}

/// Returns a torus of quads.
pub(crate) fn torus(around: u32, across: u32) -> Soup {
    let mut soup = Soup::default();
    for n in 0..around * across {
        let turn = |n: u32, of: u32| f64::from(n) / f64::from(of) * std::f64::consts::TAU;
        let (a, b) = (turn(n / across, around), turn(n % across, across));
        let radius = 64.0 + 16.0 * math::cos(b);
        let position = [radius * math::cos(a), radius * math::sin(a), 16.0 * math::sin(b)];
        soup.positions.push(position.map(single));
    }
    for n in 0..around * across {
        let at = |i: u32, j: u32| (n / across + i) % around * across + (n % across + j) % across;
        soup.push_face(&[at(0, 0), at(1, 0), at(1, 1), at(0, 1)]);
    }
    soup
}
