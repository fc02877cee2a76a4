//! Nodes with meshes → objects.

use std::borrow::Cow;

use mapwright_scene::{ColorSpace, Mesh, MeshId, NodeId, Visit};

use super::context::WriteContext;
use super::face_names::FaceNames;
use super::folders::Folders;
use super::mesh_changes::change_mesh;
use super::mesh_report::report_mesh;
use super::meshes::{MeshColumns, write_mesh};
use super::terms::empty_list;
use crate::scene::options::Weld;
use crate::scene::plugin_states::plugin_modules;
use crate::scene::report::{report_extras, report_hidden_selection};
use crate::{Object, ObjectState, Shape, WingedMesh, WriteError};

/// An object that was written.
pub(super) struct WrittenObject<'a> {
    pub(super) node: NodeId,
    /// The index of its shape in the base.
    pub(super) old: Option<usize>,
    /// The object. Its mesh is empty if there are `columns`.
    pub(super) object: Object,
    /// Its mesh; `None` if the numbers of the base still apply.
    pub(super) columns: Option<MeshColumns<'a>>,
}

/// Writes the objects, in the order of the nodes. They are not in the model yet.
pub(super) fn write_objects<'a>(
    context: &mut WriteContext<'a>,
    meshes: &[(Visit<'a>, MeshId)],
    folders: &Folders,
    names: &FaceNames,
    weld: Weld,
) -> Result<Vec<WrittenObject<'a>>, WriteError> {
    let mut uses = vec![0_usize; context.scene.meshes.len()];
    let mut objects = Vec::with_capacity(meshes.len());
    for (visit, mesh) in meshes {
        uses[mesh.index()] += 1;
        let mesh = with_srgb_colors(&context.scene.meshes[*mesh], context.scene.color_space);
        objects.extend(write_object(context, visit, mesh, folders, names, weld)?);
    }
    for (mesh, count) in uses.iter().enumerate().filter(|(_, count)| **count != 1) {
        let path = format!("meshes[{mesh}]");
        match count {
            0 => context.losses.dropped(path, "mesh that no node uses"),
            _ => context.losses.approximated(path, format!("mesh of {count} nodes, copied for each of them")),
        }
    }
    Ok(objects)
}

/// Returns a mesh with the colours of its corners in sRGB, as Wings 3D stores them.
fn with_srgb_colors(mesh: &Mesh, space: ColorSpace) -> Cow<'_, Mesh> {
    if space == ColorSpace::Srgb || mesh.color_sets.is_empty() {
        return Cow::Borrowed(mesh);
    }
    let mut mesh = mesh.clone();
    mesh.color_sets.iter_mut().for_each(|set| set.convert_to_srgb(space));
    Cow::Owned(mesh)
}

/// Writes an object: changes the one of the base if possible, otherwise builds its mesh. Returns `None` if no face is left.
fn write_object<'a>(
    context: &mut WriteContext<'a>,
    visit: &Visit<'a>,
    mesh: Cow<'a, Mesh>,
    folders: &Folders,
    names: &FaceNames,
    weld: Weld,
) -> Result<Option<WrittenObject<'a>>, WriteError> {
    let path = format!("nodes[{}]", visit.id.index());
    if !mesh.name.is_empty() && mesh.name != visit.node.name {
        context.losses.dropped(&path, format!("name {:?} of the mesh; the object has that of its node", mesh.name));
    }
    let old = context.claim_entry(visit.node, "shapes").map(|(index, _)| index);
    let changed = match old {
        Some(old) => change_object(context, old, visit, &mesh, names, &path)?,
        None => None,
    };
    let (mut object, columns) = match changed {
        Some(object) => (object, None),
        None => match build_object(context, old, visit, mesh, names, weld, &path)? {
            Some((object, columns)) => (object, Some(columns)),
            None => return Ok(None),
        },
    };
    // Set only the properties that differ: those that stay keep their encoding.
    if object.name.as_str() != visit.node.name {
        object.name = visit.node.name.as_str().into();
    }
    let (state, is_locked) = (object.state(), context.is_locked(visit.id));
    if (state.is_visible(), state.is_locked()) != (visit.visible, is_locked) {
        object.set_state(match (visit.visible, is_locked) {
            (true, false) => &ObjectState::Normal,
            (true, true) => &ObjectState::Locked,
            (false, false) => &ObjectState::Hidden,
            (false, true) => &ObjectState::HiddenLocked,
        })?;
    }
    let folder = folders.find(visit.parent);
    if object.folder().as_deref() != folder {
        object.set_folder(folder)?;
    }
    Ok(Some(WrittenObject { node: visit.id, old, object, columns }))
}

/// Changes the object of the base. Returns `None` if its topology differs from that of the mesh.
fn change_object(
    context: &mut WriteContext<'_>,
    old: usize,
    visit: &Visit<'_>,
    mesh: &Mesh,
    names: &FaceNames,
    path: &str,
) -> Result<Option<Object>, WriteError> {
    let base = context.base.expect("only a base has old objects");
    let imported = base.objects[old].as_ref().expect("a node was read from the object");
    let mut object = old_object(context, old).clone();
    let before = &base.scene.meshes[imported.mesh];
    let is_renamed = mesh.face_materials.iter().any(|material| names.is_renamed(*material));
    // Files store vertices in the space of the scene.
    let mesh = &mesh.transformed(&visit.world);
    if before != &**mesh || is_renamed {
        if !change_mesh(&mut object, &imported.rings, before, mesh, names) {
            return Ok(None);
        }
        report_mesh(mesh, &visit.world, names, path, &mut context.losses);
        if before.mirror != mesh.mirror {
            object.set_mirror_face(mesh.mirror.map(|face| imported.rings.faces[face as usize]))?;
        }
    }
    Ok(Some(object))
}

/// Builds the mesh of an object. An object of the base keeps its other properties.
fn build_object<'a>(
    context: &mut WriteContext<'_>,
    old: Option<usize>,
    visit: &Visit<'_>,
    mesh: Cow<'a, Mesh>,
    names: &FaceNames,
    weld: Weld,
    path: &str,
) -> Result<Option<(Object, MeshColumns<'a>)>, WriteError> {
    let Some(built) = write_mesh(mesh, &visit.world, names, weld, path, &mut context.losses) else { return Ok(None) };
    let mut object = match old {
        Some(old) => old_object(context, old).clone(),
        None => {
            let mut object = Object::new("", WingedMesh::default());
            object.props.set("plugin_states", &empty_list()?)?;
            object
        }
    };
    let losses = &mut context.losses;
    report_extras(&object.mesh, path, losses);
    if object.props.get("plugin_states").is_some_and(|states| plugin_modules(states).next().is_some()) {
        losses.approximated(path, "data of plug-ins, which may refer to old numbers of elements");
    }
    // The selection refers to old numbers, and Wings cannot save a wrong one.
    if report_hidden_selection(&object, path, losses) {
        object.set_state(&ObjectState::Hidden)?;
    }
    object.mesh = WingedMesh::default();
    object.set_hidden_faces(built.hidden, &built.holes)?;
    object.set_mirror_face(built.mirror)?;
    Ok(Some((object, built.columns)))
}

fn old_object<'c>(context: &'c WriteContext<'_>, index: usize) -> &'c Object {
    context.model.shapes.get(index).and_then(Shape::as_object).expect("a node was read from the object")
}
