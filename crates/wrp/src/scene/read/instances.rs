//! Converts objects to instance sets.

use hashbrown::HashMap;
use mapwright_io::escape_bytes;
use mapwright_scene::{Content, InstanceSet, InstanceTransforms, Losses, Model, Node, Scene};

use crate::document::{Document, Name};
use crate::loss::counted;
use crate::scene::axes::{Affine, to_affine};
use crate::steps::to_f32;

/// Columns of an instance set.
#[derive(Default)]
struct Columns {
    transforms: Vec<Affine>,
    ids: Vec<i64>,
    order: Vec<u32>,
    on_ground: Vec<bool>,
}

/// Adds an instance set for each model.
pub(super) fn add_instances(document: &Document, scene: &mut Scene, losses: &mut Losses) {
    let objects = document.objects();
    // The games ignore the case of names, so models that differ only in case share a set.
    let (sets, set_of_model) = group_models(&objects.models, losses);
    let mut columns: Vec<Columns> = sets.iter().map(|_| Columns::default()).collect();
    let mut unknown = 0_usize;
    let (ground, matrices) = (document.ground(), document.matrices());
    for ((order, model), matrix) in (0_u32..).zip(&objects.model).zip(matrices.iter()) {
        let set = usize::try_from(*model).ok().and_then(|model| set_of_model.get(model));
        let Some(columns) = set.and_then(|set| columns.get_mut(*set)) else {
            unknown = unknown.saturating_add(1);
            continue;
        };
        let mut matrix = *matrix;
        let fits = matrix.fits_to_ground();
        if fits {
            // The height of such an object is only a mark; scenes store the real height and a flag.
            let [x, _, z] = matrix.position;
            let surface = ground.height_at(f64::from(x), f64::from(z)).unwrap_or(0.0);
            matrix.position = [x, to_f32(surface), z];
        }
        columns.transforms.push(to_affine(&matrix));
        columns.order.push(order);
        columns.on_ground.push(fits);
        columns.ids.extend(usize::try_from(order).ok().and_then(|row| objects.ids.get(row)).map(|&id| i64::from(id)));
    }
    if unknown > 0 {
        let objects = counted(unknown, ["object", "objects"]);
        losses.dropped("objects", format!("{objects} with a model index out of range"));
    }
    let mut parent = None;
    for (mut set, columns) in sets.into_iter().zip(columns).filter(|(_, columns)| !columns.order.is_empty()) {
        // Terrains without objects get no parent node.
        let parent = *parent.get_or_insert_with(|| scene.add_node(None, Node::new("objects", Content::Group)));
        let name = match set.models.first() {
            Some(Model::Reference(reference)) => reference.rsplit('\\').next().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        set.model = vec![0; columns.order.len()];
        set.transforms = InstanceTransforms::Affine(columns.transforms);
        set.ids = columns.ids;
        set.order = columns.order;
        set.on_ground = if columns.on_ground.contains(&true) { columns.on_ground } else { Vec::new() };
        let set = scene.instance_sets.push(set);
        scene.add_node(Some(parent), Node::new(name, Content::InstanceSet(set)));
    }
}

/// Creates an empty set for each model. Returns the sets and the index of the set of each model.
fn group_models(models: &[Name], losses: &mut Losses) -> (Vec<InstanceSet>, Vec<usize>) {
    let mut indices: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut sets: Vec<InstanceSet> = Vec::new();
    let mut first_names: Vec<&[u8]> = Vec::new();
    let mut merged = 0_usize;
    let set_of_model = models.iter().map(|name| {
        let set = *indices.entry(name.bytes.to_ascii_lowercase()).or_insert_with(|| {
            let reference = Model::Reference(escape_bytes(&name.bytes));
            sets.push(InstanceSet { models: vec![reference], ..InstanceSet::default() });
            first_names.push(&name.bytes);
            sets.len().saturating_sub(1)
        });
        let differs = first_names.get(set).is_some_and(|first| *first != name.bytes);
        merged = merged.saturating_add(usize::from(differs));
        set
    });
    let set_of_model = set_of_model.collect();
    if merged > 0 {
        let names = counted(merged, ["name that differs", "names that differ"]);
        losses.approximated("objects.models", format!("{names} from another only in upper and lower case"));
    }
    let residues = models.iter().filter(|name| !name.rest.is_empty()).count();
    if residues > 0 {
        losses.dropped(
            "objects.models",
            counted(
                residues,
                ["name with bytes of an older name after it", "names with bytes of older names after them"],
            ),
        );
    }
    (sets, set_of_model)
}
