//! Assembles arrays and streams from rings and fans.

use std::collections::HashMap;
use std::mem::discriminant;

use super::fans::Fans;
use super::rings::{NONE, Rings};
use super::shading::Shading;
use super::{BuildOptions, Built, Problem, Soup};
use crate::mesh::{DataArray, Hardness, Mesh, Stream, StreamData, SubdivisionData};

/// Converts a count or an index. A soup that exceeds the range would take tens of gigabytes.
fn int(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// Assembles the mesh.
pub(super) fn assemble(
    soup: &Soup,
    rings: &Rings,
    fans: &Fans,
    options: &BuildOptions,
    mut problems: Vec<Problem>,
) -> Built {
    let (numbers, edges) = number_half_edges(rings);
    let half_edges = edges.len() * 2;
    let mut mesh = Mesh {
        vertex_edge_indices: vec![-1; fans.sources.len()],
        vertex_data_indices: (0..fans.sources.len()).map(int).collect(),
        edge_vertex_indices: vec![0; half_edges],
        edge_opposite_indices: (0..half_edges).map(|half| int(half ^ 1)).collect(),
        edge_next_indices: vec![0; half_edges],
        edge_face_indices: vec![-1; half_edges],
        edge_data_indices: (0..half_edges).map(|half| int(half / 2)).collect(),
        edge_vertex_data_indices: (0..half_edges).map(int).collect(),
        face_edge_indices: rings.ends.iter().map(|&end| int(numbers[end - 1])).collect(),
        face_data_indices: (0..rings.ends.len()).map(int).collect(),
        subdivision_data: SubdivisionData { levels: vec![0; half_edges], streams: Vec::new() },
        ..Mesh::default()
    };
    // The half that starts at each corner, and the open half-edge that starts at each fan.
    let mut corners = vec![NONE; half_edges];
    let mut open = vec![NONE; fans.vertices.len()];
    for (half, &number) in numbers.iter().enumerate() {
        let next = rings.next(half);
        let (start, end) = (fans.vertex(half), fans.vertex(next));
        mesh.edge_vertex_indices[number] = int(end);
        mesh.edge_next_indices[number] = int(numbers[next]);
        mesh.edge_face_indices[number] = int(rings.ring[half]);
        corners[number] = next;
        if rings.partner[half] == NONE {
            mesh.edge_vertex_indices[number ^ 1] = int(start);
            open[fans.of_half[next]] = number ^ 1;
        }
        if mesh.vertex_edge_indices[start] < 0 {
            mesh.vertex_edge_indices[start] = int(number);
        }
    }
    // The open half-edge of the next fan follows an open half-edge, so that a walk around a vertex visits all its fans.
    for (half, &number) in numbers.iter().enumerate().filter(|(half, _)| rings.partner[*half] == NONE) {
        mesh.edge_next_indices[number ^ 1] = int(open[fans.next[fans.of_half[half]]]);
    }
    for (&vertex, &open) in fans.vertices.iter().zip(&open).filter(|(_, open)| **open != NONE) {
        mesh.vertex_edge_indices[vertex] = int(open);
    }

    let (materials, material_indices) = used_materials(soup, rings, options);
    let hardness = edge_hardness(soup);
    let shading = Shading::new(soup, rings, &hardness, options);
    let positions = fans.sources.iter().map(|&vertex| soup.positions[vertex as usize]).collect();
    let flags = edges.iter().map(|&half| hardness.get(&rings.edge(half)).map_or(0, |hardness| hardness.0)).collect();
    mesh.materials = materials;
    mesh.vertex_data = data_array(fans.sources.len(), vec![Stream::new("position", 0, StreamData::Vector3(positions))]);
    mesh.edge_data = data_array(edges.len(), vec![Stream::new("flags", 0, StreamData::Int(flags))]);
    mesh.face_vertex_data = data_array(half_edges, corner_streams(soup, rings, &shading, &corners));
    mesh.face_data = data_array(rings.ends.len(), face_streams(soup, rings, shading, material_indices));

    let unused = |vertex: &u32| !fans.used.get(*vertex as usize).copied().unwrap_or(false);
    let vertices = 0..u32::try_from(soup.positions.len()).unwrap_or(u32::MAX);
    problems.extend(vertices.filter(unused).map(|vertex| Problem::UnusedVertex { vertex }));
    Built { mesh, faces: rings.faces.clone(), vertices: fans.sources.clone(), problems }
}

/// Returns the half-edge of each half, and the first half of each edge.
fn number_half_edges(rings: &Rings) -> (Vec<usize>, Vec<usize>) {
    let mut numbers = vec![NONE; rings.vertices.len()];
    let mut edges = Vec::with_capacity(numbers.len() / 2);
    for half in 0..numbers.len() {
        if numbers[half] == NONE {
            numbers[half] = edges.len() * 2;
            if let Some(other) = numbers.get_mut(rings.partner[half]) {
                *other = edges.len() * 2 + 1;
            }
            edges.push(half);
        }
    }
    (numbers, edges)
}

fn data_array(size: usize, streams: Vec<Stream>) -> DataArray {
    DataArray { size: int(size), streams }
}

/// Returns the hardness of marked edges by their vertices in the soup. The last mark counts.
fn edge_hardness(soup: &Soup) -> HashMap<[u32; 2], Hardness> {
    soup.edges.iter().map(|&([a, b], hardness)| ([a.min(b), a.max(b)], hardness)).collect()
}

/// Returns the used materials in order, and the material index of each ring.
fn used_materials(soup: &Soup, rings: &Rings, options: &BuildOptions) -> (Vec<Vec<u8>>, Vec<i32>) {
    // The default material comes last.
    let names: Vec<&[u8]> = soup.materials.iter().chain([&options.material]).map(Vec::as_slice).collect();
    let mut first = HashMap::new();
    let same: Vec<usize> = names.iter().enumerate().map(|(at, name)| *first.entry(name).or_insert(at)).collect();
    let default = same[soup.materials.len()];
    let wanted = |&face: &u32| {
        let index =
            if soup.face_materials.is_empty() { Some(0) } else { soup.face_materials.get(face as usize).copied() };
        let index = index.map(|index| index as usize).filter(|&index| index < soup.materials.len());
        index.filter(|&index| !names[index].is_empty()).map_or(default, |index| same[index])
    };
    let wanted: Vec<usize> = rings.faces.iter().map(wanted).collect();
    let mut numbers = vec![None; names.len()];
    wanted.iter().for_each(|&index| numbers[index] = Some(0));
    let mut used = Vec::new();
    for (number, name) in numbers.iter_mut().zip(&names).filter(|(number, _)| number.is_some()) {
        *number = Some(int(used.len()));
        used.push(name.to_vec());
    }
    (used, wanted.iter().map(|&index| numbers[index].unwrap_or_default()).collect())
}

fn corner_streams(soup: &Soup, rings: &Rings, shading: &Shading, halves: &[usize]) -> Vec<Stream> {
    let places: Vec<usize> = halves.iter().map(|&half| rings.corners.get(half).copied().unwrap_or(NONE)).collect();
    let given =
        |name: &str, like: &StreamData| find(&soup.corner_streams, name, like).map(|stream| gather(stream, &places));
    let stream = |semantic: &str, data: StreamData| {
        given(&format!("{semantic}:0"), &data).unwrap_or_else(|| Stream::new(semantic, 0, data.gather(halves)))
    };
    let mut streams = vec![
        stream("texcoord", StreamData::Vector2(shading.texcoords.clone())),
        stream("normal", StreamData::Vector3(shading.normals.clone())),
        stream("tangent", StreamData::Vector4(shading.tangents.clone())),
    ];
    append_others(&mut streams, &soup.corner_streams, &places);
    streams
}

fn face_streams(soup: &Soup, rings: &Rings, shading: Shading, materials: Vec<i32>) -> Vec<Stream> {
    let places: Vec<usize> = rings.faces.iter().map(|&face| face as usize).collect();
    let given =
        |name: &str, like: &StreamData| find(&soup.face_streams, name, like).map(|stream| gather(stream, &places));
    let (pairs, fours) = (StreamData::Vector2(Vec::new()), StreamData::Vector4(Vec::new()));
    let projection = [("textureScale:0", &pairs), ("textureAxisU:0", &fours), ("textureAxisV:0", &fours)];
    let mut streams: Vec<Stream> = projection.into_iter().filter_map(|(name, like)| given(name, like)).collect();
    if streams.len() < projection.len() {
        let [u, v] = shading.axes;
        streams = vec![
            Stream::new("textureScale", 0, StreamData::Vector2(shading.scales)),
            Stream::new("textureAxisU", 0, StreamData::Vector4(u)),
            Stream::new("textureAxisV", 0, StreamData::Vector4(v)),
        ];
    }
    let zeros = |semantic: &str| {
        let zeros = StreamData::Int(vec![0; places.len()]);
        given(&format!("{semantic}:0"), &zeros).unwrap_or_else(|| Stream::new(semantic, 0, zeros))
    };
    streams.push(Stream::new("materialindex", 0, StreamData::Int(materials)));
    streams.push(zeros("flags"));
    streams.push(zeros("lightmapScaleBias"));
    append_others(&mut streams, &soup.face_streams, &places);
    streams
}

/// Returns the stream with a name, if it has the given type.
fn find<'a>(streams: &'a [Stream], name: &str, like: &StreamData) -> Option<&'a Stream> {
    let stream = streams.iter().find(|stream| stream.name == name.as_bytes())?;
    (discriminant(&stream.data) == discriminant(like)).then_some(stream)
}

fn gather(stream: &Stream, places: &[usize]) -> Stream {
    Stream { data: stream.data.gather(places), ..stream.clone() }
}

/// Adds the streams with other names.
fn append_others(streams: &mut Vec<Stream>, others: &[Stream], places: &[usize]) {
    for other in others {
        if streams.iter().all(|stream| stream.name != other.name) {
            streams.push(gather(other, places));
        }
    }
}
