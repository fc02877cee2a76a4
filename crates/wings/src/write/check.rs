//! Checks of a model before it is encoded. Errors name the part of the model, which the encoder does not know.

use mapwright_io::{Error, Frame, Path};

use crate::{Model, Name, WingedMesh, WriteError, WriteErrorKind};

/// Checks that all parts of a model can be encoded.
pub(super) fn check_model(model: &Model) -> Result<(), WriteError> {
    for (index, object) in model.objects() {
        let inside =
            |error: WriteError| error.wrap(Frame::Field("mesh")).wrap(Frame::Index(index)).wrap(Frame::Field("shapes"));
        check_mesh(&object.mesh).map_err(inside)?;
    }
    for (index, entry) in model.materials.iter().enumerate() {
        if let Some(material) = entry.as_material() {
            check_name(&material.name)
                .map_err(|error| error.wrap(Frame::Index(index)).wrap(Frame::Field("materials")))?;
        }
    }
    Ok(())
}

fn check_mesh(mesh: &WingedMesh) -> Result<(), WriteError> {
    let item = |list, index| [Frame::Field(list), Frame::Index(index)];
    if let Some(index) = mesh.vertices.iter().position(|vertex| !vertex.iter().all(|x| x.is_finite())) {
        return Err(error(WriteErrorKind::NotFinite, item("vertices", index)));
    }
    for (index, edge) in mesh.edges.iter().enumerate() {
        for wing in [&edge.left, &edge.right] {
            let uv = wing.uv.is_none_or(|uv| uv.iter().all(|x| x.is_finite()));
            let color = wing.color.is_none_or(|color| color.iter().all(|x| x.is_finite()));
            if !(uv && color) {
                return Err(error(WriteErrorKind::NotFinite, item("edges", index)));
            }
        }
    }
    // Neighbouring faces usually share a material.
    let mut checked: Option<&Name> = None;
    for (index, face) in mesh.faces.iter().enumerate() {
        if let Some(material) = face.as_ref().filter(|material| checked != Some(material)) {
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
