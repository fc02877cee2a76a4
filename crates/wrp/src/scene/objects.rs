//! Objects ⇄ instance sets.

use hashbrown::HashMap;
use mapwright_io::{escape_bytes, unescape_bytes};
use mapwright_scene::{
    Content, InstanceSet, InstanceTransforms, Losses, Model, Node, Scene, Transform, Visit, transform::multiply,
};

use super::names::Names;
use crate::document::{Builder, Document, Ground, Matrix, Name};

/// The numbers of an affine map as scenes have them.
pub(super) type Affine = [[f64; 3]; 4];

/// Adds an instance set for each model.
pub(super) fn say(document: &Document, scene: &mut Scene, losses: &mut Losses) {
    let objects = document.objects();
    let ground = document.ground();
    // Which set each model goes into; names in upper and lower case are one.
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut sets: Vec<InstanceSet> = Vec::new();
    let mut merged = 0_usize;
    let mut spelled: Vec<&[u8]> = Vec::new();
    let of_model: Vec<usize> = objects
        .models
        .iter()
        .map(|name| {
            let set = *places.entry(name.bytes.to_ascii_lowercase()).or_insert_with(|| {
                let reference = Model::Reference(escape_bytes(&name.bytes));
                sets.push(InstanceSet { models: vec![reference], ..InstanceSet::default() });
                spelled.push(&name.bytes);
                sets.len().saturating_sub(1)
            });
            let is_other = spelled.get(set).is_some_and(|first| *first != name.bytes);
            merged = merged.saturating_add(usize::from(is_other));
            set
        })
        .collect();
    if merged > 0 {
        losses.approximated("objects.models", format!("{merged} in other letters, upper and lower, than the first"));
    }
    let behind = objects.models.iter().filter(|name| !name.rest.is_empty()).count();
    if behind > 0 {
        losses.dropped("objects.models", format!("{behind} names with bytes behind them: those bytes"));
    }
    let mut rows: Vec<Rows> = sets.iter().map(|_| Rows::default()).collect();
    let mut unknown = 0_usize;
    let matrices = document.matrices();
    for ((order, model), matrix) in (0_u32..).zip(&objects.model).zip(matrices.iter()) {
        let set = usize::try_from(*model).ok().and_then(|model| of_model.get(model));
        let Some(row) = set.and_then(|set| rows.get_mut(*set)) else {
            unknown = unknown.saturating_add(1);
            continue;
        };
        let mut matrix = *matrix;
        let fits = matrix.fits_to_ground();
        if fits {
            let [x, _, z] = matrix.position;
            #[allow(clippy::cast_possible_truncation)] // Heights are f32.
            let surface = ground.at(f64::from(x), f64::from(z)).unwrap_or(0.0) as f32;
            matrix.position = [x, surface, z];
        }
        row.affine.push(affine(&matrix));
        row.order.push(order);
        row.on_ground.push(fits);
        row.ids.extend(usize::try_from(order).ok().and_then(|row| objects.ids.get(row)).map(|&id| i64::from(id)));
    }
    if unknown > 0 {
        losses.dropped("objects", format!("{unknown} of models that the file does not name"));
    }
    let mut parent = None;
    for (mut set, rows) in sets.into_iter().zip(rows).filter(|(_, rows)| !rows.order.is_empty()) {
        let parent = *parent.get_or_insert_with(|| scene.add_node(None, Node::new("objects", Content::Group)));
        let name = match set.models.first() {
            Some(Model::Reference(reference)) => reference.rsplit('\\').next().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        set.model = vec![0; rows.order.len()];
        set.transforms = InstanceTransforms::Affine(rows.affine);
        set.ids = rows.ids;
        set.order = rows.order;
        set.on_ground = if rows.on_ground.contains(&true) { rows.on_ground } else { Vec::new() };
        let set = scene.instance_sets.push(set);
        scene.add_node(Some(parent), Node::new(name, Content::InstanceSet(set)));
    }
}

#[derive(Default)]
struct Rows {
    affine: Vec<Affine>,
    ids: Vec<i64>,
    order: Vec<u32>,
    on_ground: Vec<bool>,
}

/// A matrix in the axes of scenes: only signs change.
fn affine(matrix: &Matrix) -> Affine {
    let Matrix { aside, up, dir, position } = *matrix;
    let flip = |axis: [f32; 3]| super::AXES.apply(axis.map(f64::from));
    [flip(aside), flip(up), flip(dir).map(|number| -number), flip(position)]
}

/// The opposite of [`affine`].
fn matrix([aside, up, dir, position]: Affine) -> Matrix {
    #[allow(clippy::cast_possible_truncation)] // The file has f32.
    let flip = |axis: [f64; 3]| super::AXES.apply(axis).map(|number| number as f32);
    Matrix { aside: flip(aside), up: flip(up), dir: flip(dir.map(|number| -number)), position: flip(position) }
}

/// An instance of a scene as an object.
#[derive(Debug, Clone)]
pub(super) struct Row<'a> {
    /// The model as the scene spells it.
    pub(super) model: &'a str,
    /// Where it stands, in the axes of scenes, metres from the terrain's south-west corner.
    pub(super) affine: Affine,
    pub(super) id: Option<i64>,
    pub(super) order: Option<u32>,
    pub(super) on_ground: bool,
    /// Whether its place was beyond single precision, and is as near to that as it can be.
    pub(super) is_cut: bool,
}

impl Row<'_> {
    /// Whether it stands on the surface, to the millimetre.
    pub(super) fn is_on(&self, ground: &Ground<'_>) -> bool {
        let [x, y, z] = matrix(self.affine).position.map(f64::from);
        (ground.at(x, z).unwrap_or(0.0) - y).abs() < 1e-3
    }

    /// Brings numbers that single precision does not have to the next that it has.
    fn bring_near(&mut self) {
        let old = self.affine;
        let most = f64::from(f32::MAX);
        self.affine = old.map(|axis| axis.map(|number| number.clamp(-most, most)));
        self.is_cut = self.affine != old;
    }

    /// Takes the numbers that were cut for those that they were before.
    pub(super) fn hold_back(&mut self, was: &Self) {
        for (number, was) in self.affine.as_flattened_mut().iter_mut().zip(was.affine.as_flattened()) {
            if number.abs() == f64::from(f32::MAX) {
                *number = *was;
            }
        }
        self.is_cut = false;
    }

    /// Where the object stands.
    pub(super) fn matrix(&self, fits_to_ground: bool) -> Matrix {
        let mut matrix = matrix(self.affine);
        if fits_to_ground {
            let [x, _, z] = matrix.position;
            matrix.position = [x, Matrix::FIT_TO_GROUND, z];
        }
        matrix
    }

    /// Where an object stands that stood elsewhere: numbers that the scene says as before are those of its old matrix, zeros with
    /// their signs.
    pub(super) fn moved(&self, was: &Row<'_>, old: &Matrix, fits_to_ground: bool) -> Matrix {
        let new = self.matrix(fits_to_ground);
        let pick = |at: usize, old: [f32; 3], new: [f32; 3]| match (was.affine.get(at), self.affine.get(at)) {
            (Some(was), Some(now)) if was == now => old,
            _ => new.map(|number| number + 0.0),
        };
        Matrix {
            aside: pick(0, old.aside, new.aside),
            up: pick(1, old.up, new.up),
            dir: pick(2, old.dir, new.dir),
            position: new.position,
        }
    }

    /// The name of the model as bytes.
    pub(super) fn name(&self) -> Name {
        Name::new(unescape_bytes(self.model))
    }
}

/// All instances of a scene, in the order of the file that they came from as far as the scene knows it. `metres` are those in a
/// unit, `corner` is where the south-west corner of the terrain stands, in metres.
pub(super) fn rows<'a>(scene: &'a Scene, metres: f64, corner: [f64; 3], losses: &mut Losses) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let mut meshes = 0_usize;
    for visit in scene.walk() {
        match &visit.node.content {
            Content::InstanceSet(id) => {
                let Some(set) = scene.instance_sets.get(*id) else { continue };
                for instance in 0..set.transforms.len() {
                    let Some(Model::Reference(model)) = set.model_of(instance) else {
                        meshes = meshes.saturating_add(1);
                        continue;
                    };
                    let Some(transform) = set.transforms.get(instance) else { continue };
                    rows.push(Row {
                        model,
                        affine: place(&visit, &transform, metres, corner),
                        id: set.ids.get(instance).copied(),
                        order: set.order.get(instance).copied(),
                        on_ground: set.on_ground.get(instance).copied().unwrap_or(false),
                        is_cut: false,
                    });
                }
            }
            Content::Prefab(prefab) => rows.push(Row {
                model: &prefab.reference,
                affine: place(&visit, &Transform::IDENTITY, metres, corner),
                id: None,
                order: None,
                on_ground: false,
                is_cut: false,
            }),
            _ => {}
        }
    }
    if meshes > 0 {
        losses.dropped("instance_sets", format!("{meshes} instances of meshes: objects are models of the game"));
    }
    rows.iter_mut().for_each(Row::bring_near);
    // Those of unknown place come last, in their order.
    rows.sort_by_key(|row| row.order.map_or((true, 0), |order| (false, order)));
    rows
}

fn place(visit: &Visit<'_>, transform: &Transform, metres: f64, [x, y, z]: [f64; 3]) -> Affine {
    let own = transform.matrix();
    let world = if visit.world.is_identity() { own } else { multiply(&visit.world.matrix(), &own) };
    let [aside, up, dir, [px, py, pz, _]] = world;
    let axis = |[x, y, z, _]: [f64; 4]| [x, y, z];
    let position = if metres == 1.0 { [px, py, pz] } else { [px * metres, py * metres, pz * metres] };
    let [px, py, pz] = position;
    let moved = if [x, y, z] == [0.0; 3] { position } else { [px - x, py - y, pz - z] };
    [axis(aside), axis(up), axis(dir), moved]
}

/// Reports rows whose places are not those that they were to have.
pub(super) fn report_cut(rows: &[Row<'_>], losses: &mut Losses) {
    let far = rows.iter().filter(|row| row.is_cut).count();
    if far > 0 {
        let what = format!("{far} instances beyond the numbers of the file: as far as they go");
        losses.approximated("instance_sets", what);
    }
}

/// Objects of rows, with the numbers that the scene has and others that are free. Objects that fit to the ground do so in the file if
/// the variant can say that and they still stand on it.
pub(super) fn objects(
    rows: &[Row<'_>],
    ground: &Ground<'_>,
    fits_to_ground: bool,
    losses: &mut Losses,
) -> crate::Objects {
    let mut builder = Builder::default();
    report_cut(rows, losses);
    // Names of 4WVR have a field of fixed width; none is as long as this in 8WVR.
    let width = if fits_to_ground { 76 } else { usize::MAX };
    let mut places: HashMap<&str, Option<u32>> = rows.iter().map(|row| (row.model, None)).collect();
    let all: Vec<Vec<u8>> = places.keys().map(|model| unescape_bytes(model)).collect();
    let mut names = Names::new(width, "objects", all.iter().map(Vec::as_slice));
    let (mut fixed, mut nameless) = (0_usize, 0_usize);
    for row in rows {
        let Some(place) = places.get_mut(row.model) else { continue };
        let model = match *place {
            Some(model) => model,
            None => {
                let name = names.fit(&unescape_bytes(row.model), losses);
                if name.is_empty() {
                    // That would end the list.
                    nameless = nameless.saturating_add(1);
                    continue;
                }
                *place.insert(builder.model(&Name::new(name)))
            }
        };
        let stands = row.on_ground && row.is_on(ground);
        fixed = fixed.saturating_add(usize::from(row.on_ground && !(stands && fits_to_ground)));
        builder.push(model, row.matrix(fits_to_ground && stands), row.id.and_then(|id| i32::try_from(id).ok()));
    }
    if fixed > 0 {
        losses.approximated("objects", format!("{fixed} that fit to the ground, at the height where they stand"));
    }
    if nameless > 0 {
        losses.dropped("objects", format!("{nameless} of models without a name"));
    }
    let unnumbered = builder.unnumbered();
    if unnumbered > 0 {
        losses.synthesized("objects", format!("numbers of {unnumbered} objects"));
    }
    let mut objects = builder.finish();
    objects.number();
    objects
}
