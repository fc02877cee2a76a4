//! Writes changes of a polygon mesh into the half-edge mesh that it was read from.

use std::collections::HashMap;

use mapwright_dmx::ElementId;
use mapwright_scene::{Domain, Mesh as SceneMesh, Transform};

use super::super::conventions::is_rounded;
use super::super::streams::rows;
use super::columns::{Column, set_rows, to_columns};
use super::context::WriteContext;
use super::materials::Materials;
use crate::WriteError;
use crate::mesh::{BuildOptions, DataArray, Hardness, Mesh, StreamData};

/// Writes what changed into the mesh of an element, if its polygons are the same. Returns `false` if they are not.
pub(super) fn update_mesh(
    context: &mut WriteContext<'_, '_, '_>,
    element: ElementId,
    before: Option<(&SceneMesh, Transform)>,
    (mesh, world): (&SceneMesh, Transform),
    materials: &Materials,
    path: &str,
) -> Result<bool, WriteError> {
    let Some((before, old_world)) = before else { return Ok(false) };
    if before.faces != mesh.faces || before.positions.len() != mesh.positions.len() {
        return Ok(false);
    }
    let data = context.element_ref(element).and_then(|node| node.child("meshData"));
    let Some(mut file) = data.and_then(|data| Mesh::from_element(data).ok()) else { return Ok(false) };
    let rows = {
        let Ok(polygons) = file.polygons() else { return Ok(false) };
        [Domain::Vertex, Domain::Corner, Domain::Face].map(|domain| (domain, rows(&polygons, domain)))
    };
    for (domain, rows) in rows {
        let (old, _) = to_columns(before, domain, &old_world);
        let (new, synthesized) = to_columns(mesh, domain, &world);
        let data = match domain {
            Domain::Vertex => &mut file.vertex_data,
            Domain::Corner => &mut file.face_vertex_data,
            Domain::Face => &mut file.face_data,
        };
        if let Some(text) = synthesized.filter(|_| old != new) {
            context.losses.synthesized(path, text);
        }
        let update = update_columns(data, &rows, &new, &old);
        context.rounded += update.rounded;
        for name in update.dropped {
            context.losses.dropped(path, format!("attribute {name}"));
        }
    }
    update_edges(&mut file, before, mesh);
    if !materials.are_equal(before, mesh) {
        update_materials(&mut file, |face| {
            let old = materials.old_reference(before.face_material(face));
            let new = materials.reference(mesh.face_material(face));
            (old != new).then(|| new.map(|name| name.as_bytes().to_vec()))
        });
    }
    context.editor.set_mesh(element, &file)?;
    Ok(true)
}

/// The result of changing streams.
#[derive(Default)]
struct ColumnUpdate {
    /// Number of numbers that single precision cannot represent.
    rounded: usize,
    /// Names of columns that cannot be stored.
    dropped: Vec<String>,
}

/// Writes changed columns into their streams, and removes the streams of removed columns.
fn update_columns(data: &mut DataArray, rows: &[usize], new: &[Column], old: &[Column]) -> ColumnUpdate {
    let size = usize::try_from(data.size).unwrap_or(0);
    let mut update = ColumnUpdate::default();
    for column in new {
        let before = old.iter().find(|before| before.name == column.name);
        if before == Some(column) {
            continue;
        }
        let changed = column.values.iter().enumerate().filter(|(index, value)| {
            let before = before.and_then(|before| before.values.get(*index));
            before.is_none_or(|before| before.to_bits() != value.to_bits())
        });
        update.rounded += changed.filter(|(_, value)| is_rounded(**value)).count();
        if data.stream(&column.name).is_none() {
            data.streams.extend(column.zero_stream(size));
        }
        let is_stored =
            data.stream_mut(&column.name).is_some_and(|stream| set_rows(&mut stream.data, rows, column, before));
        if !is_stored {
            update.dropped.push(column.name.clone());
        }
    }
    // Every mesh of Hammer has these streams, so they stay if the scene no longer has them.
    const REQUIRED: [&str; 6] =
        ["texcoord:0", "normal:0", "tangent:0", "textureScale:0", "textureAxisU:0", "textureAxisV:0"];
    for removed in old.iter().filter(|old| !new.iter().any(|new| new.name == old.name)) {
        match removed.name.as_str() {
            name if REQUIRED.contains(&name) => {}
            "flags:0" | "lightmapScaleBias:0" => {
                let zeros = Column { values: vec![0.0; removed.values.len()], ..removed.clone() };
                if let Some(stream) = data.stream_mut(&removed.name) {
                    set_rows(&mut stream.data, rows, &zeros, Some(removed));
                }
            }
            name => data.streams.retain(|stream| stream.name != name.as_bytes()),
        }
    }
    update
}

/// Writes the changed hardness of edges.
fn update_edges(file: &mut Mesh, before: &SceneMesh, mesh: &SceneMesh) {
    if before.hard_edges == mesh.hard_edges && before.soft_edges == mesh.soft_edges {
        return;
    }
    let hardness = |mesh: &SceneMesh, pair: &[u32; 2]| match () {
        () if mesh.hard_edges.binary_search(pair).is_ok() => Hardness::HARD,
        () if mesh.soft_edges.binary_search(pair).is_ok() => Hardness::SOFT,
        () => Hardness::AUTOMATIC,
    };
    let Mesh { edge_vertex_indices, edge_data_indices, edge_data, .. } = file;
    let Some(StreamData::Int(flags)) = edge_data.stream_mut("flags:0").map(|stream| &mut stream.data) else { return };
    let ends = edge_vertex_indices.as_chunks::<2>().0;
    for (ends, data) in ends.iter().zip(edge_data_indices.as_chunks::<2>().0) {
        let [end, start] = ends.map(i32::cast_unsigned);
        let pair = [start.min(end), start.max(end)];
        let new = hardness(mesh, &pair);
        if new != hardness(before, &pair)
            && let Some(flag) = usize::try_from(data[0]).ok().and_then(|row| flags.get_mut(row))
        {
            *flag = new.0;
        }
    }
}

/// Gives faces other materials. `change` returns `Some(Some(name))`, `Some(None)` for the default material, or `None` for no change.
/// Materials without faces are removed.
fn update_materials(file: &mut Mesh, change: impl Fn(usize) -> Option<Option<Vec<u8>>>) {
    let default = BuildOptions::default().material;
    let to_index = |index: usize| i32::try_from(index).unwrap_or(i32::MAX);
    let mut known: HashMap<Vec<u8>, i32> = HashMap::new();
    for (index, name) in file.materials.iter().enumerate() {
        known.entry(name.clone()).or_insert(to_index(index));
    }
    let Mesh { materials, face_data, face_data_indices, .. } = file;
    let Some(StreamData::Int(indices)) = face_data.stream_mut("materialindex:0").map(|stream| &mut stream.data) else {
        return;
    };
    for (face, row) in face_data_indices.iter().enumerate() {
        let Some(name) = change(face) else { continue };
        let index = *known.entry(name.unwrap_or_else(|| default.clone())).or_insert_with_key(|name| {
            materials.push(name.clone());
            to_index(materials.len() - 1)
        });
        if let Some(item) = usize::try_from(*row).ok().and_then(|row| indices.get_mut(row)) {
            *item = index;
        }
    }
    let mut is_used = vec![false; materials.len()];
    for &index in &*indices {
        if let Some(flag) = usize::try_from(index).ok().and_then(|index| is_used.get_mut(index)) {
            *flag = true;
        }
    }
    let used_before = is_used.iter().scan(0, |count, &is_used| {
        let before = *count;
        *count += i32::from(is_used);
        Some(before)
    });
    let renumbered: Vec<i32> = used_before.collect();
    for index in indices.iter_mut() {
        if let Some(&new) = usize::try_from(*index).ok().and_then(|index| renumbered.get(index)) {
            *index = new;
        }
    }
    let mut flags = is_used.into_iter();
    materials.retain(|_| flags.next() == Some(true));
}
