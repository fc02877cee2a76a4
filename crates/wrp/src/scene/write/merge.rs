//! Merges a changed scene into its document.

use hashbrown::HashMap;
use mapwright_io::FixedBytes;
use mapwright_scene::{Losses, Scene, Terrain};

use super::instances::{Instance, collect_instances, report_clamped, report_fixed};
use super::materials::{material_name, slot_shift, to_wvr8_materials, write_slots};
use super::surface::{Surface, check_scene, is_own, report_rounding};
use crate::document::{Builder, Document, Heading, Objects, Placements};
use crate::loss::counted;
use crate::scene::capabilities;
use crate::steps::{Steps, to_f32};
use crate::{WriteError, WriteErrorKind};

/// Merges a changed scene into its document. `before` is the scene of the document.
#[expect(clippy::expect_used, reason = "the reader creates one terrain")]
pub(in crate::scene) fn merge_scene(
    document: &mut Document,
    scene: &Scene,
    before: &Scene,
) -> Result<Losses, WriteError> {
    check_scene(scene)?;
    let mut losses = capabilities().losses(scene);
    let mut surface = Surface::find(scene, &mut losses)?;
    let old = before.terrains.items().first().expect("the scene of a document has a terrain");
    if surface.terrain.size != old.size {
        let (found, expected) = (surface.terrain.size, old.size);
        return Err(WriteError::without_position(WriteErrorKind::SizeMismatch { found, expected }));
    }
    // A scene from elsewhere, such as a heightmap, has its own spacing and position. That is not a loss.
    let own = is_own(scene);
    if surface.terrain.spacing.map(f64::abs) != old.spacing.map(f64::abs) && own {
        losses.dropped("terrains.spacing", "changed distance of heights: it stays unchanged");
    }
    if own && surface.corner != [0.0; 3] {
        losses.dropped("terrains", "changed position of the terrain: it stays at the corner of the map");
        surface.corner = [0.0; 3];
    }
    let mut changed = document.clone();
    // Heights come first: objects that fit to the ground need the new ones.
    merge_heights(&mut changed, &surface, old, &mut losses);
    merge_cells(&mut changed, scene, before, &surface, old, &mut losses);
    // A scene from elsewhere without instances, such as a heightmap, keeps the objects.
    if own || !scene.instance_sets.is_empty() {
        merge_objects(&mut changed, scene, before, &surface, &mut losses);
    }
    // A failed merge must not change the document.
    changed.to_bytes()?;
    *document = changed;
    Ok(losses)
}

fn merge_heights(document: &mut Document, surface: &Surface<'_>, old: &Terrain, losses: &mut Losses) {
    if surface.terrain.heights == old.heights && surface.terrain.spacing == old.spacing {
        return;
    }
    match document {
        Document::Wvr(terrain) => {
            let unit = terrain.height_unit;
            let mut steps = Steps::new(unit);
            for (raw, height) in terrain.heights.iter_mut().zip(surface.metres()) {
                if f32::from(*raw) * unit != height {
                    *raw = steps.round_height(height);
                }
            }
            report_rounding(&steps, losses);
        }
        Document::Wvr8(terrain) => replace_heights(&mut terrain.heights, &surface.metres()),
        Document::Oprw(terrain) => replace_heights(&mut terrain.heights, &surface.metres()),
    }
}

/// Replaces heights, but keeps the bits of NaN, which scenes do not preserve.
fn replace_heights(heights: &mut [f32], new: &[f32]) {
    for (height, new) in heights.iter_mut().zip(new) {
        if !(height.is_nan() && new.is_nan()) {
            *height = *new;
        }
    }
}

/// Merges texture cells and the names of their materials.
fn merge_cells(
    document: &mut Document,
    scene: &Scene,
    before: &Scene,
    surface: &Surface<'_>,
    old: &Terrain,
    losses: &mut Losses,
) {
    let new = surface.terrain;
    if new.cells.is_empty() {
        return;
    }
    let names = |scene: &Scene, terrain: &Terrain| -> Vec<Option<Vec<u8>>> {
        terrain.materials.iter().map(|id| id.and_then(|id| scene.materials.get(id)).map(material_name)).collect()
    };
    let (names, old_names) = (names(scene, new), names(before, old));
    if surface.cells() == old.cells && names == old_names {
        return;
    }
    match document {
        Document::Wvr(terrain) => {
            let mut changed = terrain.clone();
            changed.names.fill(FixedBytes { raw: [0; 32] });
            write_slots(scene, surface, &mut changed, losses);
            // Slots whose material is unchanged keep their bytes, including the residue after the name.
            let has_moved = slot_shift(&new.materials, terrain) > 0;
            for (index, (slot, new)) in terrain.names.iter_mut().zip(changed.names).enumerate() {
                let is_same = !has_moved && old_names.get(index) == names.get(index);
                // The name of the sea is not in the scene.
                if !is_same && slot.text() != new.text() && !(has_moved && index == 0) {
                    *slot = new;
                }
            }
            terrain.textures = changed.textures;
        }
        Document::Wvr8(terrain) if new.cell_size == terrain.land => {
            let (materials, cells) = to_wvr8_materials(scene, surface, losses);
            for (index, material) in materials.into_iter().enumerate() {
                match terrain.materials.get_mut(index) {
                    // Unchanged materials keep further file names, which scenes do not contain.
                    Some(_) if old_names.get(index) == names.get(index) => {}
                    Some(old) => *old = material,
                    None => terrain.materials.push(material),
                }
            }
            terrain.cells = cells;
        }
        _ => losses.dropped("terrains.cells", "changed texture cells: they stay unchanged in this terrain"),
    }
}

/// Merges objects. Objects that are unchanged in the scene keep their bytes.
fn merge_objects(document: &mut Document, scene: &Scene, before: &Scene, surface: &Surface<'_>, losses: &mut Losses) {
    let mut instances = collect_instances(scene, surface.unit, surface.corner, losses);
    let originals = collect_instances(before, 1.0, [0.0; 3], &mut Losses::new());
    let originals: HashMap<u32, &Instance<'_>> =
        originals.iter().filter_map(|instance| Some((instance.order?, instance))).collect();
    // Before the comparison: an object that was moved too far and restored is unchanged.
    restore_clamped(&mut instances, &originals, losses);
    report_clamped(&instances, losses);
    let is_unchanged = instances.len() == originals.len()
        && instances.iter().all(|instance| {
            let original = instance.order.and_then(|order| originals.get(&order));
            original.is_some_and(|original| is_same(instance, original))
        });
    if is_unchanged {
        return;
    }
    if let Document::Oprw(_) = document {
        losses.dropped("objects", "changed objects: other parts of the file were computed from them");
        return;
    }
    let objects = build_objects(document, &instances, &originals, losses);
    // Keep the sentinel of 8WVR before the same objects at the end.
    let count = document.objects().len();
    if let Document::Wvr8(terrain) = document
        && let Some(sentinel) = terrain.sentinel.as_mut().filter(|sentinel| sentinel.followed_by > 0)
    {
        sentinel.followed_by =
            sentinel.followed_by.saturating_add(objects.len()).saturating_sub(count).min(objects.len());
    }
    *document.objects_mut() = objects;
}

/// Restores transforms that exceed single precision, if the original object has others.
fn restore_clamped(instances: &mut [Instance<'_>], originals: &HashMap<u32, &Instance<'_>>, losses: &mut Losses) {
    let mut restored = 0_usize;
    for instance in instances.iter_mut().filter(|instance| instance.is_clamped) {
        let original = instance.order.and_then(|order| originals.get(&order));
        if let Some(original) = original.filter(|original| !original.is_clamped) {
            instance.restore_clamped(original);
            restored = restored.saturating_add(1);
        }
    }
    if restored > 0 {
        let objects = counted(restored, ["object", "objects"]);
        losses.dropped("objects", format!("transforms of {objects} that exceed single precision: they stay unchanged"));
    }
}

/// Builds the objects of the document from changed instances.
fn build_objects(
    document: &Document,
    instances: &[Instance<'_>],
    originals: &HashMap<u32, &Instance<'_>>,
    losses: &mut Losses,
) -> Objects {
    let (ground, cell) = (document.ground(), document.upright_cell());
    let old = document.objects();
    // Start with the old models, so that their names keep the residues.
    let mut builder = Builder::new(Objects { models: old.models.clone(), ..Default::default() });
    let mut headings = Vec::new();
    let can_fit = matches!(document, Document::Wvr(_));
    let mut is_taken = vec![false; old.len()];
    let mut lifted = 0_usize;
    for instance in instances {
        // Find the object that the instance was made from. A copy of an instance has the same order, but is a new object.
        let row = instance.order.and_then(|order| usize::try_from(order).ok());
        let row = row.filter(|row| is_taken.get_mut(*row).is_some_and(|taken| !std::mem::replace(taken, true)));
        let original = row.and_then(|row| originals.get(&u32::try_from(row).ok()?).copied());
        let old_model = row.and_then(|row| old.model.get(row).copied());
        let model = match (original, old_model) {
            (Some(original), Some(model)) if original.model.eq_ignore_ascii_case(instance.model) => model,
            _ => builder.add_model(&instance.model_name()),
        };
        let is_unmoved = original.is_some_and(|original| is_same_place(original, instance));
        let old_id = row.and_then(|row| old.ids.get(row).copied());
        let id = instance.id.and_then(|id| i32::try_from(id).ok()).or(old_id);
        // An object that fitted to the ground and was lifted gets a fixed height.
        let stays =
            instance.is_on_ground(&ground) || original.is_some_and(|original| is_same_height(original, instance));
        let fits = can_fit && instance.on_ground && stays;
        let is_lifted =
            instance.on_ground && !fits && !is_unmoved && original.is_some_and(|original| original.on_ground);
        lifted = lifted.saturating_add(usize::from(is_lifted));
        match &old.placements {
            Placements::Matrices(matrices) => {
                let matrix = match (row.and_then(|row| matrices.get(row)), original) {
                    (Some(old), _) if is_unmoved => *old,
                    (Some(old), Some(original)) => instance.to_changed_matrix(original, old, fits),
                    _ => instance.to_matrix(fits),
                };
                builder.push(model, matrix, id);
            }
            Placements::Headings(old) => {
                let old = row.and_then(|row| old.get(row)).filter(|_| is_unmoved).copied();
                let matrix = instance.to_matrix(false);
                let [x, y, z] = matrix.position;
                let surface = ground.height_at(f64::from(x), f64::from(z)).unwrap_or(0.0);
                let (above, heading) = (to_f32(f64::from(y) - surface), to_f32(matrix.heading()));
                headings.push(old.unwrap_or(Heading { x: x / cell, y: above, z: z / cell, heading }));
                builder.push(model, matrix, None);
            }
        }
    }
    if lifted > 0 {
        report_fixed(lifted, losses);
    }
    let missing = builder.missing_ids();
    let mut objects = builder.finish();
    if !document.has_ids() {
        objects.ids.clear();
    } else if missing > 0 {
        losses.synthesized("objects", counted(missing, ["ID of an object", "IDs of objects"]));
        objects.assign_ids();
    }
    if matches!(old.placements, Placements::Headings(_)) {
        objects.placements = Placements::Headings(headings);
    }
    objects
}

/// Returns `true` if an instance equals its original.
fn is_same(instance: &Instance<'_>, original: &Instance<'_>) -> bool {
    instance.model.eq_ignore_ascii_case(original.model)
        && instance.id == original.id
        && is_same_place(original, instance)
}

/// Returns `true` if two instances have the same height.
fn is_same_height(a: &Instance<'_>, b: &Instance<'_>) -> bool {
    let [height, other] = [a, b].map(|instance| {
        let [_, _, _, [_, y, _]] = instance.affine;
        y.to_bits()
    });
    height == other
}

/// Returns `true` if two instances have the same transform, compared by bits.
fn is_same_place(a: &Instance<'_>, b: &Instance<'_>) -> bool {
    let bits = |instance: &Instance<'_>| instance.affine.map(|axis| axis.map(f64::to_bits));
    a.on_ground == b.on_ground && bits(a) == bits(b)
}
