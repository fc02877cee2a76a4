//! [`Model`] with large meshes → bytes of a new file.

use std::ops::Range;

use mapwright_etf::{Builder, StreamWriter, WriterProfile};
use mapwright_io::Error;

use super::check::{check_edges, check_faces, check_model, check_vertices, in_mesh};
use super::model::{Extras, emit_edge, emit_face, emit_hard_edges, emit_material, emit_shape, emit_vertex};
use super::payload_length;
use crate::document::MAGIC;
use crate::{Edge, Model, Name, Object, WingedMesh, WriteError};

/// A mesh whose elements are made when they are written.
pub(crate) trait MeshSource: Sync {
    /// Returns the number of edges.
    fn edge_count(&self) -> usize;
    /// Returns an edge.
    fn edge(&self, index: u32) -> Edge;
    /// Returns the number of faces.
    fn face_count(&self) -> usize;
    /// Returns the material of a face.
    fn face(&self, index: u32) -> Option<&Name>;
    /// Returns the number of vertices.
    fn vertex_count(&self) -> usize;
    /// Returns the position of a vertex.
    fn vertex(&self, index: u32) -> [f64; 3];
    /// Returns the numbers of the hard edges.
    fn hard_edges(&self) -> &[u32];
    /// Returns `true` if all texture coordinates and colours are finite.
    fn has_finite_attributes(&self) -> bool;

    /// Returns the whole mesh.
    fn to_mesh(&self) -> WingedMesh {
        WingedMesh {
            edges: indices(0..self.edge_count()).map(|index| self.edge(index)).collect(),
            faces: indices(0..self.face_count()).map(|index| self.face(index).cloned()).collect(),
            vertices: indices(0..self.vertex_count()).map(|index| self.vertex(index)).collect(),
            hard_edges: self.hard_edges().to_vec(),
            extras: Vec::new(),
        }
    }
}

/// Writes the file of a model as [`Document::from_model`](crate::Document::from_model) would. `meshes` has the mesh of each shape that is
/// not in the model.
pub(crate) fn stream_model<M: MeshSource>(
    model: &Model,
    meshes: &[Option<M>],
    profile: WriterProfile,
) -> Result<Vec<u8>, WriteError> {
    for (shape, mesh) in meshes.iter().enumerate() {
        mesh.as_ref().map_or(Ok(()), check_source).map_err(|error| in_mesh(error, shape))?;
    }
    check_model(model)?;
    let header = [&MAGIC[..], &[0; 4]].concat();
    let start = header.len();
    let mut out = StreamWriter::write_document(header, profile, |term| {
        term.tuple(3)?;
        term.term(|term| term.atom("wings"))?;
        term.term(|term| term.integer(2))?;
        term.tuple(3)?;
        term.begin_list(model.shapes.len())?;
        for (index, shape) in model.shapes.iter().enumerate() {
            match (shape.as_object(), meshes.get(index).and_then(Option::as_ref)) {
                (Some(object), Some(mesh)) => write_object(term, object, mesh)?,
                _ => term.term(|term| emit_shape(term, shape))?,
            }
        }
        term.end_list()?;
        term.term(|term| {
            term.begin_list();
            model.materials.iter().for_each(|entry| emit_material(term, entry));
            term.end_list();
        })?;
        term.term(|term| model.props.emit(term))
    })
    .map_err(|error| error.map_kind(Into::into))?;
    let length = payload_length(out.len().saturating_sub(start))?;
    if let Some(field) = out.get_mut(MAGIC.len()..).and_then(<[u8]>::first_chunk_mut) {
        *field = length.to_be_bytes();
    }
    Ok(out)
}

fn check_source(mesh: &impl MeshSource) -> Result<(), WriteError> {
    check_vertices(indices(0..mesh.vertex_count()).map(|index| mesh.vertex(index)))?;
    if !mesh.has_finite_attributes() {
        check_edges(indices(0..mesh.edge_count()).map(|index| mesh.edge(index)))?;
    }
    check_faces(indices(0..mesh.face_count()).map(|index| mesh.face(index)))
}

fn write_object(
    term: &mut StreamWriter,
    object: &Object,
    mesh: &impl MeshSource,
) -> Result<(), Error<mapwright_etf::WriteErrorKind>> {
    term.tuple(4)?;
    term.term(|term| term.atom("object"))?;
    term.term(|term| object.name.emit_string(term))?;
    term.tuple(5)?;
    term.term(|term| term.atom("winged"))?;
    let emit_edges = |term: &mut Builder, range| {
        indices(range).for_each(|index| emit_edge(term, &mesh.edge(index), &[]));
    };
    term.list(mesh.edge_count(), emit_edges)?;
    let emit_faces = |term: &mut Builder, range| {
        indices(range).for_each(|index| emit_face(term, mesh.face(index), &[]));
    };
    term.list(mesh.face_count(), emit_faces)?;
    let emit_vertices = |term: &mut Builder, range| {
        indices(range).for_each(|index| emit_vertex(term, &mesh.vertex(index), &[]));
    };
    term.list(mesh.vertex_count(), emit_vertices)?;
    term.term(|term| emit_hard_edges(term, mesh.hard_edges(), &Extras::new(&[])))?;
    term.term(|term| object.props.emit(term))
}

/// Returns the numbers of elements. A file of 4 GiB has room for fewer.
#[expect(clippy::cast_possible_truncation, reason = "columns have 32-bit numbers")]
fn indices(range: Range<usize>) -> impl Iterator<Item = u32> {
    range.map(|index| index as u32)
}
