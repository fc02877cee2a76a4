//! Converts the instances of a scene to objects.

use hashbrown::HashMap;
use mapwright_io::unescape_bytes;
use mapwright_scene::{Content, Losses, Model, Scene, Transform, Visit, transform::multiply};

use super::names::NameFitter;
use crate::document::{Builder, Ground, Matrix, Name, Objects};
use crate::loss::counted;
use crate::scene::axes::{Affine, to_matrix};

/// Width of a model name in 4WVR, in bytes.
const WIDTH: usize = 76;

/// An instance of a scene, to be stored as an object.
#[derive(Debug, Clone)]
pub(super) struct Instance<'a> {
    /// Name of the model, escaped.
    pub(super) model: &'a str,
    /// Transform in the axes of scenes, in metres from the south-west corner of the terrain.
    pub(super) affine: Affine,
    pub(super) id: Option<i64>,
    /// Index of the object that the instance was made from.
    pub(super) order: Option<u32>,
    pub(super) on_ground: bool,
    /// `true` if the transform exceeded single precision and was clamped.
    pub(super) is_clamped: bool,
}

impl Instance<'_> {
    /// Returns `true` if the instance is on the ground, to the millimetre.
    pub(super) fn is_on_ground(&self, ground: &Ground<'_>) -> bool {
        let [x, y, z] = to_matrix(self.affine).position.map(f64::from);
        (ground.height_at(x, z).unwrap_or(0.0) - y).abs() < 1e-3
    }

    /// Clamps the transform to single precision.
    fn clamp(&mut self) {
        let old = self.affine;
        let most = f64::from(f32::MAX);
        self.affine = old.map(|axis| axis.map(|number| number.clamp(-most, most)));
        self.is_clamped = self.affine != old;
    }

    /// Replaces clamped numbers by those of the original instance.
    pub(super) fn restore_clamped(&mut self, original: &Instance<'_>) {
        for (number, original) in self.affine.as_flattened_mut().iter_mut().zip(original.affine.as_flattened()) {
            if number.abs() == f64::from(f32::MAX) {
                *number = *original;
            }
        }
        self.is_clamped = false;
    }

    /// Returns the matrix of the object.
    pub(super) fn to_matrix(&self, fits_to_ground: bool) -> Matrix {
        let mut matrix = to_matrix(self.affine);
        if fits_to_ground {
            let [x, _, z] = matrix.position;
            matrix.position = [x, Matrix::FIT_TO_GROUND, z];
        }
        matrix
    }

    /// Returns the matrix of a changed object. Axes that are unchanged in the scene keep the bits of the old matrix, such as the
    /// signs of zeros.
    pub(super) fn to_changed_matrix(&self, original: &Instance<'_>, old: &Matrix, fits_to_ground: bool) -> Matrix {
        let new = self.to_matrix(fits_to_ground);
        let [aside, up, dir, _] = self.affine;
        let [old_aside, old_up, old_dir, _] = original.affine;
        // Adding 0.0 removes the signs of zeros that the change of axes made.
        let pick =
            |is_same: bool, old: [f32; 3], new: [f32; 3]| if is_same { old } else { new.map(|number| number + 0.0) };
        Matrix {
            aside: pick(aside == old_aside, old.aside, new.aside),
            up: pick(up == old_up, old.up, new.up),
            dir: pick(dir == old_dir, old.dir, new.dir),
            position: new.position,
        }
    }

    /// Returns the model name as bytes.
    pub(super) fn model_name(&self) -> Name {
        Name::new(unescape_bytes(self.model))
    }
}

/// Collects the instances of a scene, ordered by the file that they came from. New instances come last.
///
/// `metres` is the number of metres per unit; `corner` is the position of the south-west corner of the terrain in metres.
#[expect(clippy::expect_used, reason = "scenes are checked before they are written")]
pub(super) fn collect_instances<'a>(
    scene: &'a Scene,
    metres: f64,
    corner: [f64; 3],
    losses: &mut Losses,
) -> Vec<Instance<'a>> {
    let mut instances = Vec::new();
    let mut meshes = 0_usize;
    for visit in scene.walk() {
        match &visit.node.content {
            Content::InstanceSet(id) => {
                let set = scene.instance_sets.get(*id).expect("handles of a checked scene are valid");
                for index in 0..set.transforms.len() {
                    let (Some(Model::Reference(model)), Some(transform)) =
                        (set.model_of(index), set.transforms.get(index))
                    else {
                        meshes = meshes.saturating_add(1);
                        continue;
                    };
                    instances.push(Instance {
                        model,
                        affine: to_terrain(&visit, &transform, metres, corner),
                        id: set.ids.get(index).copied(),
                        order: set.order.get(index).copied(),
                        on_ground: set.on_ground.get(index).copied().unwrap_or(false),
                        is_clamped: false,
                    });
                }
            }
            Content::Prefab(prefab) => instances.push(Instance {
                model: &prefab.reference,
                affine: to_terrain(&visit, &Transform::IDENTITY, metres, corner),
                id: None,
                order: None,
                on_ground: false,
                is_clamped: false,
            }),
            _ => {}
        }
    }
    if meshes > 0 {
        let instances = counted(meshes, ["instance of a mesh", "instances of meshes"]);
        losses.dropped("instance_sets", format!("{instances}: objects must be models of the game"));
    }
    instances.iter_mut().for_each(Instance::clamp);
    // The sort is stable, so new instances keep their order.
    instances.sort_by_key(|instance| instance.order.map_or((true, 0), |order| (false, order)));
    instances
}

/// Returns the transform of an instance in metres from the corner of the terrain.
fn to_terrain(visit: &Visit<'_>, transform: &Transform, metres: f64, [x, y, z]: [f64; 3]) -> Affine {
    // Skip operations without effect: they would change the bits of some numbers, and unchanged objects must stay exact.
    let own = transform.matrix();
    let world = if visit.world.is_identity() { own } else { multiply(&visit.world.matrix(), &own) };
    let [aside, up, dir, [px, py, pz, _]] = world;
    let axis = |[x, y, z, _]: [f64; 4]| [x, y, z];
    let position = if metres == 1.0 { [px, py, pz] } else { [px * metres, py * metres, pz * metres] };
    let [px, py, pz] = position;
    let relative = if [x, y, z] == [0.0; 3] { position } else { [px - x, py - y, pz - z] };
    [axis(aside), axis(up), axis(dir), relative]
}

/// Reports instances that were clamped.
pub(super) fn report_clamped(instances: &[Instance<'_>], losses: &mut Losses) {
    let clamped = instances.iter().filter(|instance| instance.is_clamped).count();
    if clamped > 0 {
        let instances = counted(clamped, ["instance", "instances"]);
        losses.approximated("instance_sets", format!("transforms of {instances} clamped to single precision"));
    }
}

/// Converts instances to objects. Missing IDs are synthesized. `fits_to_ground` is `true` if the variant can mark objects that the
/// game puts on the ground; only objects that are still on it get the mark.
pub(super) fn to_objects(
    instances: &[Instance<'_>],
    ground: &Ground<'_>,
    fits_to_ground: bool,
    losses: &mut Losses,
) -> Objects {
    let mut builder = Builder::default();
    report_clamped(instances, losses);
    // Only 4WVR has a fixed-width field for names, and only 4WVR has the mark.
    let width = if fits_to_ground { WIDTH } else { usize::MAX };
    let mut models: HashMap<&str, Option<u32>> = instances.iter().map(|instance| (instance.model, None)).collect();
    let names: Vec<Vec<u8>> = models.keys().map(|model| unescape_bytes(model)).collect();
    let mut fitter = NameFitter::new(width, "objects", names.iter().map(Vec::as_slice));
    let (mut fixed, mut nameless) = (0_usize, 0_usize);
    for instance in instances {
        let model = models.entry(instance.model).or_default();
        let model = match *model {
            Some(model) => model,
            None => {
                let name = fitter.fit(&unescape_bytes(instance.model), losses);
                if name.is_empty() {
                    // An empty name would end the list of objects.
                    nameless = nameless.saturating_add(1);
                    continue;
                }
                *model.insert(builder.add_model(&Name::new(name)))
            }
        };
        let fits = instance.on_ground && instance.is_on_ground(ground) && fits_to_ground;
        fixed = fixed.saturating_add(usize::from(instance.on_ground && !fits));
        builder.push(model, instance.to_matrix(fits), instance.id.and_then(|id| i32::try_from(id).ok()));
    }
    if fixed > 0 {
        report_fixed(fixed, losses);
    }
    if nameless > 0 {
        losses.dropped("objects", format!("{} without a model name", counted(nameless, ["object", "objects"])));
    }
    if builder.missing_ids() > 0 {
        losses.synthesized("objects", counted(builder.missing_ids(), ["ID of an object", "IDs of objects"]));
    }
    let mut objects = builder.finish();
    objects.assign_ids();
    objects
}

/// Reports objects that fit to the ground and get a fixed height.
pub(super) fn report_fixed(count: usize, losses: &mut Losses) {
    let objects = counted(count, ["object that fits", "objects that fit"]);
    losses.approximated("objects", format!("{objects} to the ground, stored at a fixed height"));
}
