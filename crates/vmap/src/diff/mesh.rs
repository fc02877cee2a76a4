//! Differences of meshes, summarized: single elements mean little to people.

use mapwright_dmx::diff::{FieldChange, Matching, Rules, text};

use crate::Mesh;
use crate::document::Node;
use crate::mesh::Stream;

/// Compares the meshes of two nodes.
pub(super) fn compare_meshes(
    pairs: &Matching<'_>,
    old: Node<'_>,
    new: Node<'_>,
    rules: &Rules<'_>,
    seen: &mut [bool],
    fields: &mut Vec<FieldChange>,
) {
    let (one, other) = (old.element().get("meshData"), new.element().get("meshData"));
    let (Some(a), Some(b)) = (old.child("meshData"), new.child("meshData")) else {
        let (one, other) =
            (super::value_text(old.element().document(), one), super::value_text(new.element().document(), other));
        if one != other {
            fields.push(FieldChange::new("mesh", one, other));
        }
        return;
    };
    if pairs.new_of(a.id()) != Some(b.id()) {
        // Several nodes share one of the meshes.
        fields.push(FieldChange::new("mesh", (rules.label)(a), (rules.label)(b)));
    }
    let below = pairs.compare(a.id(), b.id(), rules, seen);
    let meshes = (Mesh::from_element(a), Mesh::from_element(b));
    let summaries = (meshes.0.as_ref().map(summary), meshes.1.as_ref().map(summary));
    if let (Ok(one), Ok(other)) = summaries
        && one != other
    {
        fields.push(FieldChange::new("mesh", one, other));
        let materials = below.into_iter().filter(|change| change.field.starts_with("materials"));
        fields.extend(materials.map(|change| FieldChange { field: format!("mesh {}", change.field), ..change }));
        return;
    }
    fields.extend(below.into_iter().map(|change| {
        let stream = meshes.0.as_ref().ok().and_then(|mesh| named_stream(mesh, &change.field));
        FieldChange { field: format!("mesh {}", stream.as_ref().unwrap_or(&change.field)), ..change }
    }));
}

/// Summarizes a mesh.
pub(crate) fn summary(mesh: &Mesh) -> String {
    let [vertices, edges, faces] =
        [mesh.vertex_edge_indices.len(), mesh.edge_vertex_indices.len() / 2, mesh.face_edge_indices.len()];
    format!("{vertices} vertices, {edges} edges, {faces} faces")
}

/// Replaces the path of a stream's data by the name of the stream.
fn named_stream(mesh: &Mesh, field: &str) -> Option<String> {
    let (array, rest) = field.split_once(".streams[")?;
    let (index, rest) = rest.split_once("].data")?;
    let (_, array) = mesh.data_arrays().into_iter().find(|(name, _)| *name == array)?;
    let stream: &Stream = array.streams.get(index.parse::<usize>().ok()?)?;
    Some(format!("{}{rest}", text(&stream.name)))
}
