//! Summaries of meshes and their differences.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use mapwright_io::diff::join_first;

use super::FieldChange;
use crate::{Edge, Name, Shape, Wing, WingedMesh};

/// Returns a hash of the geometry of an object, which identifies it under another name.
pub(super) fn digest(shape: &Shape) -> Option<u64> {
    let mesh = &shape.as_object()?.mesh;
    let mut hasher = DefaultHasher::new();
    for vertex in &mesh.vertices {
        vertex.map(f64::to_bits).hash(&mut hasher);
    }
    for edge in &mesh.edges {
        topology(edge).hash(&mut hasher);
    }
    (!mesh.edges.is_empty()).then(|| hasher.finish())
}

/// Compares two meshes.
pub(super) fn compare_meshes(old: &WingedMesh, new: &WingedMesh, fields: &mut Vec<FieldChange>) {
    let (before, now) = (describe_size(old), describe_size(new));
    if before != now {
        fields.push(FieldChange::new("mesh", before, now));
    }
    if old.vertices.len() == new.vertices.len() {
        compare_positions(&old.vertices, &new.vertices, fields);
    }
    if old.edges.len() == new.edges.len() {
        let ends = |edge: &Edge| format!("{}-{}", edge.start, edge.end);
        compare_columns("edges", &old.edges, &new.edges, topology, ends, fields);
        let corners =
            |mesh: &WingedMesh| -> Vec<Wing> { mesh.edges.iter().flat_map(|edge| [edge.left, edge.right]).collect() };
        let (a, b) = (corners(old), corners(new));
        let bits = |wing: &Wing| wing.uv.map(|uv| uv.map(f64::to_bits));
        compare_columns("UVs of corners", &a, &b, bits, |wing| numbers(wing.uv.as_ref().map(|uv| &uv[..])), fields);
        let bits = |wing: &Wing| wing.color.map(|color| color.map(f32::to_bits));
        let text = |wing: &Wing| numbers(wing.color.map(|color| color.map(f64::from)).as_ref().map(|color| &color[..]));
        compare_columns("colours of corners", &a, &b, bits, text, fields);
    }
    if face_count(old) == face_count(new) {
        let count = old.faces.len().max(new.faces.len());
        let filled = |mesh: &WingedMesh| -> Vec<Option<Name>> {
            mesh.faces.iter().cloned().chain(std::iter::repeat(None)).take(count).collect()
        };
        let text = |name: &Option<Name>| name.as_ref().map_or_else(|| "default".to_owned(), ToString::to_string);
        compare_columns("materials of faces", &filled(old), &filled(new), Clone::clone, text, fields);
    }
    let hard = |mesh: &WingedMesh| mesh.hard_edges.iter().copied().collect::<BTreeSet<u32>>();
    let (a, b) = (hard(old), hard(new));
    if a != b {
        let only = |one: &BTreeSet<u32>, other: &BTreeSet<u32>| join_first(one.difference(other), ToString::to_string);
        fields.push(FieldChange::new("hard edges", only(&a, &b), only(&b, &a)));
    }
    if old.extras != new.extras {
        let terms = |mesh: &WingedMesh| {
            join_first(mesh.extras.iter(), |extra| format!("{:?} {} {:?}", extra.list, extra.index, extra.term))
        };
        fields.push(FieldChange::new("extras", terms(old), terms(new)));
    }
}

fn numbers(row: Option<&[f64]>) -> String {
    row.map_or("none".to_owned(), |row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

/// Compares two columns of the same length.
fn compare_columns<T, K: PartialEq>(
    what: &str,
    old: &[T],
    new: &[T],
    key: impl Fn(&T) -> K,
    text: impl Fn(&T) -> String,
    fields: &mut Vec<FieldChange>,
) {
    let others: Vec<_> = old.iter().zip(new).filter(|(old, new)| key(old) != key(new)).collect();
    if !others.is_empty() {
        let (a, b) = (join_first(others.iter(), |pair| text(pair.0)), join_first(others.iter(), |pair| text(pair.1)));
        fields.push(FieldChange::new(format!("{what} ({} of {})", others.len(), old.len()), a, b));
    }
}

fn compare_positions(old: &[[f64; 3]], new: &[[f64; 3]], fields: &mut Vec<FieldChange>) {
    let is_other = |(old, new): &(&[f64; 3], &[f64; 3])| old.map(f64::to_bits) != new.map(f64::to_bits);
    let others: Vec<_> = old.iter().zip(new).filter(is_other).collect();
    if others.is_empty() {
        return;
    }
    let distance = |(old, new): &(&[f64; 3], &[f64; 3])| {
        old.iter().zip(*new).map(|(old, new)| (old - new) * (old - new)).sum::<f64>().sqrt()
    };
    let most = others.iter().map(distance).fold(0.0, f64::max);
    // Four digits suffice for the distance.
    let most = format!("{most:.3e}").parse::<f64>().unwrap_or(most);
    let (a, b) = (
        join_first(others.iter(), |pair| numbers(Some(pair.0))),
        join_first(others.iter(), |pair| numbers(Some(pair.1))),
    );
    fields.push(FieldChange::new(format!("vertices moved ({} of {}, at most {most})", others.len(), old.len()), a, b));
}

/// Returns the numbers of elements as text.
fn describe_size(mesh: &WingedMesh) -> String {
    format!("{} vertices, {} edges, {} faces", mesh.vertices.len(), mesh.edges.len(), face_count(mesh))
}

/// Returns the number of faces that edges refer to.
fn face_count(mesh: &WingedMesh) -> u64 {
    let last = mesh.edges.iter().map(|edge| edge.left.face.max(edge.right.face)).max();
    last.map_or(0, |last| u64::from(last).saturating_add(1))
}

/// Returns an edge without the attributes of its corners.
fn topology(edge: &Edge) -> [u32; 8] {
    let wing = |wing: &Wing| [wing.face, wing.predecessor, wing.successor];
    let ([a, b, c], [d, e, f]) = (wing(&edge.left), wing(&edge.right));
    [edge.start, edge.end, a, b, c, d, e, f]
}
