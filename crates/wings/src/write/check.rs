//! Checks of a model before it is encoded. Errors name the part of the model, which the encoder does not know.

use mapwright_io::{Error, Frame, Path};

use crate::{Edge, Model, Name, Wing, WingedMesh, WriteError, WriteErrorKind};

/// Checks that all parts of a model can be encoded.
pub(super) fn check_model(model: &Model) -> Result<(), WriteError> {
    for (index, object) in model.objects() {
        check_mesh(&object.mesh).map_err(|error| in_mesh(error, index))?;
    }
    for (index, entry) in model.materials.iter().enumerate() {
        if let Some(material) = entry.as_material() {
            check_name(&material.name)
                .map_err(|error| error.wrap(Frame::Index(index)).wrap(Frame::Field("materials")))?;
        }
    }
    Ok(())
}

/// Adds the path of the mesh of a shape to an error.
pub(super) fn in_mesh(error: WriteError, shape: usize) -> WriteError {
    error.wrap(Frame::Field("mesh")).wrap(Frame::Index(shape)).wrap(Frame::Field("shapes"))
}

fn check_mesh(mesh: &WingedMesh) -> Result<(), WriteError> {
    check_vertices(mesh.vertices.iter().copied())?;
    check_edges(mesh.edges.iter().copied())?;
    check_faces(mesh.faces.iter().map(Option::as_ref))
}

pub(super) fn check_vertices(mut vertices: impl Iterator<Item = [f64; 3]>) -> Result<(), WriteError> {
    match vertices.position(|vertex| !vertex.iter().all(|x| x.is_finite())) {
        Some(index) => Err(error(WriteErrorKind::NotFinite, [Frame::Field("vertices"), Frame::Index(index)])),
        None => Ok(()),
    }
}

pub(super) fn check_edges(mut edges: impl Iterator<Item = Edge>) -> Result<(), WriteError> {
    let is_finite = |wing: Wing| {
        wing.uv.is_none_or(|uv| uv.iter().all(|x| x.is_finite()))
            && wing.color.is_none_or(|color| color.iter().all(|x| x.is_finite()))
    };
    match edges.position(|edge| !(is_finite(edge.left) && is_finite(edge.right))) {
        Some(index) => Err(error(WriteErrorKind::NotFinite, [Frame::Field("edges"), Frame::Index(index)])),
        None => Ok(()),
    }
}

pub(super) fn check_faces<'m>(faces: impl Iterator<Item = Option<&'m Name>>) -> Result<(), WriteError> {
    // Neighbouring faces usually share a material.
    let mut checked: Option<&Name> = None;
    for (index, face) in faces.enumerate() {
        if let Some(material) = face.filter(|material| checked != Some(*material)) {
            check_name(material).map_err(|error| error.wrap(Frame::Index(index)).wrap(Frame::Field("faces")))?;
            checked = Some(material);
        }
    }
    Ok(())
}

/// Names of materials are atoms.
fn check_name(name: &Name) -> Result<(), WriteError> {
    match name.as_str().chars().count() {
        length @ 256.. if !name.is_unusual() => {
            Err(error(WriteErrorKind::NameLength { length }, [Frame::Field("name")]))
        }
        _ => Ok(()),
    }
}

fn error(kind: WriteErrorKind, path: impl IntoIterator<Item = Frame>) -> WriteError {
    let path: Path = path.into_iter().collect();
    path.frames().rev().fold(Error::without_position(kind), |error, frame| error.wrap(frame.clone()))
}
