//! Instance sets, by `EXT_mesh_gpu_instancing`.

use mapwright_scene::{InstanceSet, InstanceTransforms, Mesh, MeshId, Model};

use super::{
    Writer,
    mesh::{single, words_out},
    node::trs,
    push,
};
use crate::{
    Error,
    gltf::json::{
        self, Accessor, Extras, InstanceAttributes, Instances, InstancesNote, Json, NodeExtensions, NodeNote, codes,
    },
};

/// The meshes that a set shows.
pub(super) fn meshes(set: &InstanceSet) -> Vec<MeshId> {
    let mesh = |model: &Model| match model {
        Model::Mesh(id) => Some(*id),
        Model::Reference(_) => None,
    };
    set.models.iter().filter_map(mesh).collect()
}

impl Writer<'_> {
    /// Puts a set on a node: on the node itself where it has one model, else on nodes below it, one for each.
    pub(super) fn instance_set(
        &mut self,
        set: &InstanceSet,
        path: &str,
        out: &mut json::Node,
        note: &mut NodeNote,
    ) -> Result<(), Error> {
        if !(set.ids.is_empty() && set.order.is_empty() && set.on_ground.is_empty()) {
            self.losses.dropped(path, "numbers, order and ground contact of instances");
        }
        if matches!(set.transforms, InstanceTransforms::Affine(_)) {
            self.losses.approximated(path, "matrices of instances became translation, rotation and scale");
        }
        let mut by_model = vec![Vec::new(); set.models.len()];
        for (instance, &model) in set.model.iter().enumerate() {
            if let Some(list) = by_model.get_mut(model as usize) {
                list.push(instance);
            }
        }
        let used = by_model.iter().filter(|instances| !instances.is_empty()).count();
        if used == 0 {
            self.losses.dropped(path, "a set without instances");
        } else if used > 1 {
            self.losses.approximated(path, "one set for each model");
        }
        for (model, instances) in set.models.iter().zip(&by_model).filter(|(_, instances)| !instances.is_empty()) {
            let properties = Json::from_properties(&set.properties, &format!("{path}.properties"), &mut self.losses);
            let mut instances_note = InstancesNote { name: set.name.clone(), reference: None, properties };
            let mesh = match model {
                Model::Mesh(id) => self.places.meshes.get(id.index()).copied().flatten(),
                Model::Reference(reference) => {
                    self.losses.made_up(path, format!("a box for the model {reference}"));
                    instances_note.reference = Some(reference.clone());
                    self.placeholder()?
                }
            };
            let Some(mesh) = mesh else { continue };
            let Some(extensions) = self.instances(set, instances, path) else { continue };
            if used == 1 {
                out.mesh = Some(mesh);
                out.extensions = Some(Box::new(extensions));
                note.instances = Some(Box::new(instances_note));
            } else {
                let name = instances_note.reference.clone().unwrap_or_default();
                let note = NodeNote { instances: Some(Box::new(instances_note)), ..NodeNote::default() };
                let below = json::Node {
                    name,
                    mesh: Some(mesh),
                    extensions: Some(Box::new(extensions)),
                    extras: Extras::new(Json::Null, Some(note)),
                    ..Default::default()
                };
                let place = self.places.node_count.saturating_add(push(&mut self.places.below, below));
                out.children.push(place);
            }
        }
        Ok(())
    }

    /// Adds the nodes that sets of several models need; they follow all others.
    pub(super) fn instance_nodes(&mut self) {
        self.root.nodes.append(&mut self.places.below);
    }

    /// The columns of some instances. `None` where none of them has finite numbers.
    fn instances(&mut self, set: &InstanceSet, instances: &[usize], path: &str) -> Option<NodeExtensions> {
        let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        let (mut changed, mut infinite) = (0_usize, 0_usize);
        for transform in instances.iter().filter_map(|&instance| set.transforms.get(instance)) {
            let ((translation, rotation, scale), change) = trs(&transform);
            let numbers = [translation.map(single), scale.map(single)];
            if !numbers.iter().flatten().chain(&rotation.map(single)).all(|number| number.is_finite()) {
                infinite += 1;
                continue;
            }
            changed += usize::from(change.is_some());
            let [translation, scale] = numbers;
            translations.extend(translation.map(f32::to_bits));
            rotations.extend(rotation.map(|number| single(number).to_bits()));
            scales.extend(scale.map(f32::to_bits));
        }
        if changed > 0 {
            self.losses.approximated(path, format!("{changed} instances with shear or a rotation not of length 1"));
        }
        if infinite > 0 {
            self.losses.dropped(path, format!("{infinite} instances with numbers that are not finite"));
        }
        if translations.is_empty() {
            return None;
        }
        self.uses_extension("EXT_mesh_gpu_instancing");
        let attributes = InstanceAttributes {
            translation: Some(self.column(&translations, 3)),
            rotation: Some(self.column(&rotations, 4)),
            scale: Some(self.column(&scales, 3)),
        };
        Some(NodeExtensions { light: None, instances: Some(Instances { attributes }) })
    }

    fn column(&mut self, words: &[u32], width: usize) -> u32 {
        let view = self.view(None, None, |bin| words_out(bin, words));
        let accessor = Accessor {
            buffer_view: Some(view),
            component_type: codes::FLOAT,
            count: (words.len() / width) as u64,
            shape: format!("VEC{width}"),
            ..Accessor::default()
        };
        push(&mut self.root.accessors, accessor)
    }

    /// A box of one unit on the ground, as the last mesh.
    fn placeholder(&mut self) -> Result<Option<u32>, Error> {
        if self.places.placeholder.is_none() {
            let corner = |i: u32| [f64::from(i & 1) - 0.5, f64::from(i >> 1 & 1), f64::from(i >> 2) - 0.5];
            let faces = [[0, 1, 5, 4], [0, 2, 3, 1], [1, 3, 7, 5], [5, 7, 6, 4], [4, 6, 2, 0], [2, 6, 7, 3]];
            let mesh = Mesh {
                name: "placeholder".into(),
                positions: (0..8).map(corner).collect(),
                faces: faces.into_iter().collect(),
                smoothing: mapwright_scene::Smoothing::Flat,
                ..Mesh::default()
            };
            let reported = self.losses.len();
            self.places.placeholder = self.mesh(&mesh, "placeholder")?;
            // What became of a box that was never in the scene is nobody's loss.
            self.losses.items.truncate(reported);
            if let Some(mesh) = self.root.meshes.last_mut() {
                mesh.extras.note.get_or_insert_default().placeholder = true;
            }
        }
        Ok(self.places.placeholder)
    }
}
