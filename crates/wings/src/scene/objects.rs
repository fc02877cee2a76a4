//! Objects ⇄ nodes with meshes.

use mapwright_scene::{Content, Losses, Mesh, MeshId, Node, NodeId, Visit};

use super::folders::{Folders, Groups, listed};
use super::from::Writer;
use super::materials::FaceNames;
use super::meshes::{self, MaterialNames, Numbers};
use super::terms::{Names, make, other_keys};
use super::to::{Reading, modules};
use crate::{Object, ObjectState, Rings, Shape, WriteError};

/// Where an object is in the scene.
pub(super) struct Place {
    pub(super) node: NodeId,
    pub(super) mesh: MeshId,
    pub(super) rings: Rings,
}

/// Reads the objects into nodes, those of a folder below its group.
pub(super) fn read(reading: &mut Reading, names: &MaterialNames) {
    let mut groups = Groups::default();
    let shapes = std::mem::take(&mut reading.model.shapes);
    for (index, shape) in shapes.iter().enumerate() {
        let path = format!("shapes[{index}]");
        let object = match shape {
            Shape::Object(object) => object,
            Shape::Other(opaque) => {
                reading.losses.dropped(path, format!("an object that cannot be read: {}", opaque.reason));
                reading.objects.push(None);
                continue;
            }
        };
        let (mesh, rings) = match meshes::read(object, names, &path, &mut reading.losses) {
            Ok(read) => read,
            Err(reason) => {
                reading.losses.dropped(path, format!("object {:?}, which is inconsistent: {reason}", object.name));
                reading.objects.push(None);
                continue;
            }
        };
        report(object, &path, &mut reading.losses);
        let mesh = reading.scene.meshes.push(mesh);
        let state = object.state();
        let node = Node {
            visible: state.is_visible(),
            locked: state.is_locked(),
            key: Some(path),
            ..Node::new(object.name.as_str(), Content::Mesh(mesh))
        };
        let folder = object.folder().map(|folder| groups.of(folder, &mut reading.scene));
        let node = reading.scene.add_node(folder, node);
        reading.objects.push(Some(Place { node, mesh, rings }));
    }
    reading.model.shapes = shapes;
    for folder in listed(&reading.model) {
        groups.of(folder, &mut reading.scene);
    }
}

const HIDDEN_SELECTION: &str = "the selection that the object had when it was hidden";

/// What of an object is not in the scene.
fn report(object: &Object, path: &str, losses: &mut Losses) {
    if let Some(states) = object.props.get("plugin_states") {
        let mut plugins = Names::default();
        modules(states).filter(|module| module != "wings_shape").for_each(|module| plugins.push(|| module));
        plugins.report(path, "data of the plug-ins", losses);
    }
    if matches!(object.state(), ObjectState::HiddenSelected { .. }) {
        losses.dropped(path, HIDDEN_SELECTION);
    }
    const READ: [&str; 6] = ["plugin_states", "holes", "mirror_face", "num_hidden_faces", "state", "mode"];
    other_keys(&object.props, &READ).report(path, "unknown properties", losses);
}

/// An object as it was written.
pub(super) struct Written {
    pub(super) node: NodeId,
    /// The shape of the document that it was.
    pub(super) old: Option<usize>,
    pub(super) object: Object,
    /// How the numbers of its elements follow from the mesh; `None`: they are what they were.
    pub(super) numbers: Option<Numbers>,
}

impl Writer<'_> {
    /// Writes an object, or finds the one that it was.
    pub(super) fn object(
        &mut self,
        visit: &Visit<'_>,
        mesh: MeshId,
        folders: &Folders,
        names: &FaceNames,
    ) -> Result<Option<Written>, WriteError> {
        let path = format!("nodes[{}]", visit.id.index());
        let Some(mesh) = self.scene.meshes.get(mesh) else { return Ok(None) };
        if !mesh.name.is_empty() && mesh.name != visit.node.name {
            self.losses.dropped(&path, format!("name {:?} of the mesh; the object has that of its node", mesh.name));
        }
        let old = self.old_object(visit.node.key.as_deref());
        let folder = folders.of(visit.parent);
        let locked = visit.node.locked || self.above_locked(visit.parent);
        let written = match old {
            Some(old) => self.patch_object(old, visit, mesh, names, &path)?,
            None => None,
        };
        let (mut object, numbers) = match written {
            Some(object) => (object, None),
            None => {
                let before = old.and_then(|old| self.model.shapes.get(old)).and_then(Shape::as_object).cloned();
                let weld = self.options.weld;
                let Some(built) = meshes::write(mesh, &visit.world, names, weld, &path, &mut self.losses) else {
                    return Ok(None);
                };
                let fresh = before.is_none();
                let mut object = before.unwrap_or_else(|| Object::new("", crate::WingedMesh::default()));
                meshes::report_extras(&object.mesh, &path, &mut self.losses);
                object.mesh = built.mesh;
                if fresh {
                    let empty = make(|term| {
                        term.begin_list();
                        term.end_list();
                    })?;
                    object.props.set("plugin_states", &empty)?;
                } else if let Some(states) = object.props.get("plugin_states")
                    && modules(states).any(|module| module != "wings_shape")
                {
                    self.losses.approximated(&path, "data of plug-ins, which may name elements by their old numbers");
                }
                if matches!(object.state(), ObjectState::HiddenSelected { .. }) {
                    self.losses.dropped(&path, HIDDEN_SELECTION);
                    object.set_state(&ObjectState::Hidden)?;
                }
                object.set_hidden_faces(built.hidden, &built.holes)?;
                object.set_mirror_face(built.mirror)?;
                (object, Some(built.numbers))
            }
        };
        if object.name.as_str() != visit.node.name {
            object.name = visit.node.name.as_str().into();
        }
        let state = object.state();
        if (state.is_visible(), state.is_locked()) != (visit.visible, locked) {
            object.set_state(match (visit.visible, locked) {
                (true, false) => &ObjectState::Normal,
                (true, true) => &ObjectState::Locked,
                (false, false) => &ObjectState::Hidden,
                (false, true) => &ObjectState::HiddenLocked,
            })?;
        }
        if object.folder().as_deref() != folder {
            object.set_folder(folder)?;
        }
        Ok(Some(Written { node: visit.id, old, object, numbers }))
    }

    /// The shape that a key leads to, if no other node had it before.
    fn old_object(&mut self, key: Option<&str>) -> Option<usize> {
        let number: usize = key?.strip_prefix("shapes[")?.strip_suffix(']')?.parse().ok()?;
        let used = self.used_shapes.get_mut(number)?;
        let base = self.base?;
        (base.objects.get(number)?.is_some() && !std::mem::replace(used, true)).then_some(number)
    }

    /// Puts what changed into the object that the document has, if its mesh still has the same topology.
    fn patch_object(
        &mut self,
        old: usize,
        visit: &Visit<'_>,
        mesh: &Mesh,
        names: &FaceNames,
        path: &str,
    ) -> Result<Option<Object>, WriteError> {
        let Some((base, place)) =
            self.base.and_then(|base| Some((base, base.objects.get(old).and_then(Option::as_ref)?)))
        else {
            return Ok(None);
        };
        let Some(mut object) = self.model.shapes.get(old).and_then(Shape::as_object).cloned() else { return Ok(None) };
        let Some(before) = base.scene.meshes.get(place.mesh) else { return Ok(None) };
        let renamed = mesh.face_materials.iter().any(|material| names.is_renamed(*material));
        // In the space of the scene, as the file has them.
        let mesh = &mesh.transformed(&visit.world);
        if before != &**mesh || renamed {
            if !meshes::patch(&mut object, &place.rings, before, mesh, names) {
                return Ok(None);
            }
            meshes::report(mesh, names, path, &mut self.losses);
            meshes::report_place(&visit.world, path, &mut self.losses);
            if before.mirror != mesh.mirror {
                let face = mesh.mirror.and_then(|face| place.rings.faces.get(face as usize).copied());
                object.set_mirror_face(face)?;
            }
        }
        Ok(Some(object))
    }
}
