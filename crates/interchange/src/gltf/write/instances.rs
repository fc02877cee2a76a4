//! Instance sets, by `EXT_mesh_gpu_instancing`.

use mapwright_io::format_count;
use mapwright_scene::{InstanceSet, InstanceTransforms, MeshId, Model, NodeId, PlaceholderBox, Transform};

use super::{Writer, node::trs, push, runs, vertices::single};
use crate::gltf::json::{
    self, Extras, InstanceAttributes, Instances, InstancesNote, Json, NodeExtensions, NodeNote, codes,
    properties_to_json,
};

/// Returns the meshes of a set.
pub(super) fn meshes(set: &InstanceSet) -> Vec<MeshId> {
    let mesh = |model: &Model| match model {
        Model::Mesh(id) => Some(*id),
        Model::Reference(_) => None,
    };
    set.models.iter().filter_map(mesh).collect()
}

/// Instances of one model to write, as columns.
#[derive(Default)]
struct Columns {
    translations: Vec<u32>,
    rotations: Vec<u32>,
    scales: Vec<u32>,
    ids: Vec<u32>,
    order: Vec<u32>,
    on_ground: Vec<bool>,
}

impl Columns {
    /// Returns the rows as transforms.
    fn places(&self) -> Vec<Transform> {
        let three = |words: &[u32; 3]| words.map(|word| f64::from(f32::from_bits(word)));
        let (translations, _) = self.translations.as_chunks();
        let (rotations, _) = self.rotations.as_chunks::<4>();
        let (scales, _) = self.scales.as_chunks();
        let rows = translations.iter().zip(rotations).zip(scales);
        rows.map(|((translation, rotation), scale)| Transform::Trs {
            translation: three(translation),
            rotation: rotation.map(|word| f64::from(f32::from_bits(word))),
            scale: three(scale),
        })
        .collect()
    }
}

/// Changes to the instances of a set.
#[derive(Default)]
struct Changes {
    sheared: usize,
    infinite: usize,
    /// Number of instances that were moved to the ground.
    moved: usize,
    /// Number of instances without ground below them.
    floating: usize,
}

impl Writer<'_> {
    /// Attaches a set to a node: one model to the node itself, several to child nodes.
    pub(super) fn instance_set(
        &mut self,
        set: &InstanceSet,
        node: NodeId,
        path: &str,
        out: &mut json::Node,
        note: &mut NodeNote,
    ) {
        if matches!(set.transforms, InstanceTransforms::Affine(_)) {
            self.losses.approximated(path, "instance matrices stored as translation, rotation and scale");
        }
        let has_ids = !set.ids.is_empty() && set.ids.iter().all(|&id| u32::try_from(id).is_ok());
        if !set.ids.is_empty() && !has_ids {
            self.losses.dropped(path, "instance numbers, some of which are negative or exceed 32 bits");
        }
        if has_ids || !set.order.is_empty() || set.on_ground.contains(&true) {
            let text = "numbers, order and ground contact of instances: stored in columns and `extras`, which most programs ignore";
            self.losses.preserved(path, text);
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
        let properties = properties_to_json(&set.properties, &format!("{path}.properties"), &mut self.losses);
        let mut changes = Changes::default();
        for (model, instances) in set.models.iter().zip(&by_model).filter(|(_, instances)| !instances.is_empty()) {
            let (kind, reference) = match model {
                Model::Mesh(_) => (None, None),
                Model::Reference(reference) => {
                    (Some(PlaceholderBox::index_of_model(reference)), Some(reference.clone()))
                }
            };
            let lift = kind.map_or(0.0, |kind| self.half_height(kind));
            let columns = self.columns(set, instances, node, lift, has_ids, &mut changes);
            if columns.translations.is_empty() {
                continue;
            }
            let baked = kind.filter(|_| self.options.bake_boxes);
            if let (Some(kind), Some(reference)) = (baked, &reference) {
                let text = format!(
                    "{} of {reference} merged into one mesh of boxes",
                    format_count(columns.on_ground.len(), "instance")
                );
                self.losses.approximated(path, text);
                let Some(mesh) = self.baked(kind, reference.clone(), &columns.places()) else { continue };
                let below = json::Node { name: reference.clone(), mesh: Some(mesh), ..json::Node::default() };
                let place = self.places.node_count.saturating_add(push(&mut self.places.below, below));
                out.children.push(place);
                continue;
            }
            let mesh = match (model, kind) {
                (Model::Mesh(id), _) => self.places.meshes.get(id.index()).copied().flatten(),
                (Model::Reference(reference), kind) => {
                    self.losses.synthesized(path, format!("a box for the model {reference}"));
                    kind.and_then(|kind| self.placeholder(kind))
                }
            };
            let Some(mesh) = mesh else { continue };
            let on_ground = runs(columns.on_ground.iter().copied());
            let instances_note =
                InstancesNote { name: set.name.clone(), reference, on_ground, properties: properties.clone() };
            let extensions = self.instances(columns);
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
        self.report(&changes, path);
    }

    fn report(&mut self, changes: &Changes, path: &str) {
        let Changes { sheared, infinite, moved, floating } = *changes;
        if sheared > 0 {
            self.losses.approximated(
                path,
                format!("{} with shear or a rotation not of length 1", format_count(sheared, "instance")),
            );
        }
        if infinite > 0 {
            self.losses
                .dropped(path, format!("{} with numbers that are not finite", format_count(infinite, "instance")));
        }
        if moved > 0 {
            self.losses.approximated(path, format!("{} moved to the ground", format_count(moved, "instance")));
        }
        if floating > 0 {
            let text = format!("{} without ground below: height unchanged", format_count(floating, "instance"));
            self.losses.approximated(path, text);
        }
    }

    /// Returns the columns of instances with finite numbers. On the ground, they are `lift` above it.
    fn columns(
        &self,
        set: &InstanceSet,
        instances: &[usize],
        node: NodeId,
        lift: f64,
        has_ids: bool,
        changes: &mut Changes,
    ) -> Columns {
        let mut columns = Columns::default();
        for &instance in instances {
            let Some(transform) = set.transforms.get(instance) else { continue };
            let ((mut translation, rotation, scale), change) = trs(&transform);
            let on_ground = set.on_ground.get(instance) == Some(&true);
            if on_ground {
                if let Some(ground) = self.places.ground.height(self.scene, node, translation) {
                    let height = ground + lift * scale[1].abs();
                    changes.moved += usize::from(translation[1] != height);
                    translation[1] = height;
                } else {
                    changes.floating += 1;
                }
            }
            let (numbers, rotation) = ([translation.map(single), scale.map(single)], rotation.map(single));
            if !numbers.iter().flatten().chain(&rotation).all(|number| number.is_finite()) {
                changes.infinite += 1;
                continue;
            }
            changes.sheared += usize::from(change.is_some());
            let [translation, scale] = numbers;
            columns.translations.extend(translation.map(f32::to_bits));
            columns.rotations.extend(rotation.map(f32::to_bits));
            columns.scales.extend(scale.map(f32::to_bits));
            columns.on_ground.push(on_ground);
            columns.order.extend(set.order.get(instance));
            let id = set.ids.get(instance).filter(|_| has_ids);
            columns.ids.extend(id.and_then(|&id| u32::try_from(id).ok()));
        }
        columns
    }

    fn instances(&mut self, columns: Columns) -> NodeExtensions {
        self.uses_extension("EXT_mesh_gpu_instancing");
        let rows = columns.on_ground.len();
        let mut whole =
            |words: Vec<u32>| (!words.is_empty()).then(|| self.column(words, codes::UNSIGNED_INT, "SCALAR", rows));
        let (id, order) = (whole(columns.ids), whole(columns.order));
        let attributes = InstanceAttributes {
            translation: Some(self.column(columns.translations, codes::FLOAT, "VEC3", rows)),
            rotation: Some(self.column(columns.rotations, codes::FLOAT, "VEC4", rows)),
            scale: Some(self.column(columns.scales, codes::FLOAT, "VEC3", rows)),
            id,
            order,
        };
        NodeExtensions { light: None, instances: Some(Instances { attributes }) }
    }
}
