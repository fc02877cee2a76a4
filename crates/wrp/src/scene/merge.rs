//! A changed scene back into its document.

use hashbrown::HashMap;
use mapwright_io::FixedBytes;
use mapwright_scene::{Import, Losses, Scene, Terrain};

use super::objects::{self, Row};
use super::surface::{self, Surface};
use super::{from, to};
use crate::document::{Builder, Document, Heading, Placements};
use crate::steps::{Steps, narrow};
use crate::{WriteError, WriteErrorKind};

pub(super) fn merge(document: &mut Document, scene: &Scene) -> Result<Losses, WriteError> {
    let Ok(Import { scene: before, .. }) = to::read(document) else {
        let text = "the terrain's grids are not as large as it says";
        return Err(WriteError::without_position(WriteErrorKind::Scene(text.to_owned())));
    };
    if before == *scene {
        return Ok(Losses::new());
    }
    from::check(scene)?;
    let mut losses = super::capabilities().losses(scene);
    let mut surface = Surface::find(scene, &mut losses)?;
    let Some(old) = before.terrains.items().first() else { return Ok(losses) };
    if surface.terrain.size != old.size {
        let (found, expected) = (surface.terrain.size, old.size);
        return Err(WriteError::without_position(WriteErrorKind::Size { found, expected }));
    }
    let own = scene.properties.get("format").and_then(|format| format.as_text()) == Some("wrp");
    let mut changed = document.clone();
    if surface.terrain.spacing.map(f64::abs) != old.spacing.map(f64::abs) && own {
        losses.dropped("terrains.spacing", "another distance of heights: the terrain keeps its own");
    }
    if own && surface.corner != [0.0; 3] {
        losses.dropped("terrains", "another place of the terrain, which stays at the corner of the map");
        surface.corner = [0.0; 3];
    }
    heights(&mut changed, &surface, old, &mut losses);
    cells(&mut changed, scene, &before, &surface, old, &mut losses);
    if own || !scene.instance_sets.is_empty() {
        merge_objects(&mut changed, scene, &before, &surface, &mut losses);
    }
    // Nothing is half done: what cannot be written is not taken.
    changed.to_bytes()?;
    *document = changed;
    Ok(losses)
}

fn heights(document: &mut Document, surface: &Surface<'_>, old: &Terrain, losses: &mut Losses) {
    if surface.terrain.heights == old.heights && surface.terrain.spacing == old.spacing {
        return;
    }
    match document {
        Document::Wvr(terrain) => {
            let unit = terrain.height_unit;
            let mut steps = Steps::new(unit);
            for (raw, height) in terrain.heights.iter_mut().zip(surface.metres()) {
                if f32::from(*raw) * unit != height {
                    *raw = steps.step(height);
                }
            }
            surface::report(&steps, losses);
        }
        Document::Wvr8(terrain) => replace(&mut terrain.heights, &surface.metres()),
        Document::Oprw(terrain) => replace(&mut terrain.heights, &surface.metres()),
    }
}

/// Replaces heights, but for numbers that only differ in bits that scenes do not keep.
fn replace(heights: &mut [f32], new: &[f32]) {
    for (height, new) in heights.iter_mut().zip(new) {
        if !(height.is_nan() && new.is_nan()) {
            *height = *new;
        }
    }
}

/// Texture cells, and the names of their materials.
fn cells(
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
        terrain.materials.iter().map(|id| id.and_then(|id| scene.materials.get(id)).map(from::name)).collect()
    };
    let (names, old_names) = (names(scene, new), names(before, old));
    if surface.cells() == old.cells && names == old_names {
        return;
    }
    // A new grid of the same size; what is new in the list of names goes into its place.
    match document {
        Document::Wvr(terrain) => {
            let mut changed = terrain.clone();
            changed.names.fill(FixedBytes { raw: [0; 32] });
            from::slots(scene, surface, &mut changed, losses);
            let moved = from::shift(&new.materials, terrain) > 0;
            for ((slot, new), place) in terrain.names.iter_mut().zip(changed.names).zip(0..) {
                let same = !moved && old_names.get(place) == names.get(place);
                // What the sea's slot says is in no scene.
                if !same && slot.text() != new.text() && !(moved && place == 0) {
                    *slot = new;
                }
            }
            terrain.textures = changed.textures;
        }
        Document::Wvr8(terrain) if new.cell_size == terrain.land => {
            let (materials, cells) = from::materials(scene, surface, losses);
            for (place, material) in materials.into_iter().enumerate() {
                match terrain.materials.get_mut(place) {
                    Some(_) if old_names.get(place) == names.get(place) => {}
                    Some(old) => *old = material,
                    None => terrain.materials.push(material),
                }
            }
            terrain.cells = cells;
        }
        _ => losses.dropped("terrains.cells", "changed texture cells: here they stay as they are"),
    }
}

/// Objects: rows that the scene says as before stay as they are.
fn merge_objects(document: &mut Document, scene: &Scene, before: &Scene, surface: &Surface<'_>, losses: &mut Losses) {
    let mut rows = objects::rows(scene, surface.unit, surface.corner, losses);
    let known = objects::rows(before, 1.0, [0.0; 3], &mut Losses::new());
    let known: HashMap<u32, &Row<'_>> = known.iter().filter_map(|row| Some((row.order?, row))).collect();
    let mut held = 0_usize;
    for row in rows.iter_mut().filter(|row| row.is_cut) {
        let was = row.order.and_then(|order| known.get(&order));
        if let Some(was) = was.filter(|was| !was.is_cut) {
            row.hold_back(was);
            held = held.saturating_add(1);
        }
    }
    if held > 0 {
        losses.dropped(
            "objects",
            format!("places of {held} beyond the numbers of the file: what is too far stays where it was"),
        );
    }
    objects::report_cut(&rows, losses);
    let same = rows.len() == known.len() && rows.iter().all(|row| is_same(row, &known));
    if same {
        return;
    }
    if let Document::Oprw(_) = document {
        losses.dropped("objects", "changed objects: the game computed other parts of the file from them");
        return;
    }
    let (cell, with_ids) = (document.upright_cell(), document.has_ids());
    let old = document.objects().clone();
    let fits = matches!(document, Document::Wvr(_));
    let mut builder = Builder::new(crate::Objects { models: old.models.clone(), ..Default::default() });
    let mut headings = Vec::new();
    let ground = document.ground();
    let mut seen = vec![false; old.len()];
    let mut lifted = 0_usize;
    for row in &rows {
        // The row that it was, if it is there and no other row says the same of itself.
        let place = row.order.and_then(|order| usize::try_from(order).ok());
        let place = place.filter(|place| seen.get_mut(*place).is_some_and(|seen| !std::mem::replace(seen, true)));
        let was = place.and_then(|place| known.get(&u32::try_from(place).ok()?).copied());
        let old_model = place.and_then(|place| old.model.get(place).copied());
        let model = match (was, old_model) {
            (Some(was), Some(model)) if was.model.eq_ignore_ascii_case(row.model) => model,
            _ => builder.model(&row.name()),
        };
        let stood = was.is_some_and(|was| is_place(was, row));
        let old_id = place.and_then(|place| old.ids.get(place).copied());
        let id = row.id.and_then(|id| i32::try_from(id).ok()).or(old_id);
        // What was put on the ground and is lifted stands where it is now.
        let stays = row.is_on(&ground) || was.is_some_and(|was| is_height(was, row));
        let fits = fits && row.on_ground && stays;
        let leaves = row.on_ground && !fits && !stood && was.is_some_and(|was| was.on_ground);
        lifted = lifted.saturating_add(usize::from(leaves));
        match (&old.placements, place) {
            (Placements::Matrices(matrices), place) => {
                let old = place.and_then(|place| matrices.get(place)).copied();
                let matrix = match (old, was) {
                    (Some(old), _) if stood => old,
                    (Some(old), Some(was)) => row.moved(was, &old, fits),
                    _ => row.matrix(fits),
                };
                builder.push(model, matrix, id);
            }
            (Placements::Headings(old), place) => {
                let old = place.and_then(|place| old.get(place)).filter(|_| stood).copied();
                let matrix = row.matrix(false);
                let [x, y, z] = matrix.position;
                let below = ground.at(f64::from(x), f64::from(z)).unwrap_or(0.0);
                let above = narrow(f64::from(y) - below);
                let heading = narrow(matrix.heading());
                headings.push(old.unwrap_or(Heading { x: x / cell, y: above, z: z / cell, heading }));
                builder.push(model, matrix, None);
            }
        }
    }
    if lifted > 0 {
        losses.approximated("objects", format!("{lifted} that fit to the ground, at the height where they stand"));
    }
    let unnumbered = builder.unnumbered();
    let mut objects = builder.finish();
    if !with_ids {
        objects.ids.clear();
    } else if unnumbered > 0 {
        losses.synthesized("objects", format!("numbers of {unnumbered} objects"));
        objects.number();
    }
    if let Document::Wvr8(terrain) = document
        && let Some(sentinel) = terrain.sentinel.as_mut().filter(|sentinel| sentinel.followed_by > 0)
    {
        let (before, now) = (old.len(), objects.len());
        sentinel.followed_by = sentinel.followed_by.saturating_add(now).saturating_sub(before).min(now);
    }
    if matches!(old.placements, Placements::Headings(_)) {
        objects.placements = Placements::Headings(headings);
    }
    *document.objects_mut() = objects;
}

/// Whether a row says what the document's row of that place says.
fn is_same(row: &Row<'_>, known: &HashMap<u32, &Row<'_>>) -> bool {
    let was = row.order.and_then(|order| known.get(&order));
    was.is_some_and(|was| row.model.eq_ignore_ascii_case(was.model) && row.id == was.id && is_place(was, row))
}

/// Whether both stand at the same height.
fn is_height(a: &Row<'_>, b: &Row<'_>) -> bool {
    let [height, other] = [a, b].map(|row| {
        let [_, _, _, [_, y, _]] = row.affine;
        y.to_bits()
    });
    height == other
}

/// Whether both stand at the same place, down to the bits.
fn is_place(a: &Row<'_>, b: &Row<'_>) -> bool {
    let bits = |row: &Row<'_>| row.affine.map(|axis| axis.map(f64::to_bits));
    a.on_ground == b.on_ground && bits(a) == bits(b)
}
