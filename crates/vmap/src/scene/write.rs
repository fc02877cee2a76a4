//! Writes scenes into maps: new ones, or the ones that the scenes were read from.

#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "the scene was checked, and lists indexed by node have an entry for each node"
)]

mod attributes;
mod brushes;
mod cameras;
mod children;
mod columns;
mod context;
mod elements;
mod entities;
mod estimate;
mod game_objects;
mod instances;
mod keys;
mod lights;
mod materials;
mod mesh_update;
mod meshes;
mod nodes;
mod output_targets;
mod paths;
mod placement;
mod prefabs;
mod reachable;
mod sets;
mod shear;
mod values;

use std::collections::{BTreeSet, HashSet};

use mapwright_dmx::ElementId;
use mapwright_io::{Error, Position};
use mapwright_scene::{ColorSpace, Losses, Scene};

use super::capabilities::capabilities;
use super::linked::LinkedScene;
use super::names::{self, with_count};
use super::options::ExportOptions;
use crate::document::target_names::target_names;
use crate::{Document, WriteError, WriteErrorKind};
use context::WriteContext;

/// Writes a scene in map units into a map. Parts that are equal in `base` stay unchanged. `color_space` is that of the scene before the
/// conversion to map units.
pub(super) fn write_scene(
    document: &mut Document,
    scene: &Scene,
    color_space: ColorSpace,
    base: Option<&LinkedScene>,
    options: &ExportOptions,
) -> Result<Losses, WriteError> {
    if let Some(finding) = scene.first_error() {
        return Err(Error::on_path(WriteErrorKind::Scene(finding.message), finding.path));
    }
    let old_assets = if base.is_some() { asset_paths(document) } else { HashSet::new() };
    let old_targets = if base.is_some() { target_names(document) } else { BTreeSet::new() };
    let mut losses = capabilities().losses(scene);
    report_units(scene, color_space, &mut losses);
    document.edit_with(&options.edit, |editor| {
        let mut context = WriteContext::new(scene, base, editor, losses)?;
        write_all(&mut context, options.max_bytes)?;
        output_targets::report_dangling_targets(&mut context, &old_targets);
        list_new_assets(&mut context, &old_assets)?;
        Ok(context.losses)
    })
}

/// Writes all parts of the scene: first the elements of nodes, then what refers to them.
fn write_all(context: &mut WriteContext<'_, '_, '_>, max_bytes: u64) -> Result<(), WriteError> {
    // Match nodes with the elements they were read from. All later steps change those in place, so that
    // attributes that scenes do not model survive.
    elements::match_existing_elements(context);
    // Only meshes of new nodes can be shared, so the matches must be known.
    instances::find_shared_meshes(context);
    // Check the limit before anything is created. The estimate depends on which meshes are shared.
    let checked = estimate::estimate(context).check(max_bytes);
    checked.map_err(|excess| Error::new(excess.into(), Position::file(0)))?;
    // Sheared and scaled meshes are never shared, and elements of nodes need their final transforms.
    shear::split_transforms(context);
    elements::create_elements(context)?;
    // Instances refer to groups, so groups must exist before nodes are written.
    instances::create_target_groups(context)?;
    let materials = materials::collect_materials(context);
    instances::create_mesh_groups(context, &materials)?;
    for index in 0..context.reachable.len() {
        let reachable = context.reachable[index];
        // Nodes without a counterpart in maps have no element.
        if let Some(element) = context.element(reachable.id) {
            nodes::write_node(context, &reachable, element, &materials)?;
        }
    }
    // One call for all nodes: each call copies the list of hidden nodes.
    let hidden = std::mem::take(&mut context.hidden);
    if !hidden.is_empty() {
        context.editor.set_all_hidden(&hidden)?;
    }
    // Set the order of children when all elements exist, including those that only the file needs.
    children::write_children(context);
    // Remove old nodes after their remaining children have moved to new parents.
    children::remove_unreferenced_elements(context)?;
    // Cameras are not nodes of the map. They reuse elements of removed ones.
    cameras::write_cameras(context);
    // Members of sets refer to nodes.
    sets::write_sets(context);
    let old = context.base.map(|base| &base.scene.properties);
    let properties = &context.scene.properties;
    attributes::set_properties(context, ElementId::ROOT, properties, old, &names::ROOT, "properties");
    if context.rounded > 0 {
        let count = with_count(context.rounded, "number");
        context.losses.approximated("", format!("{count} rounded to single precision"));
    }
    for (id, mesh) in context.scene.meshes.iter() {
        if mesh.positions.iter().flatten().any(|c| c.abs() > f64::from(f32::MAX)) {
            let text = "positions out of range for single precision, limited to 3.4e38";
            context.losses.approximated(format!("meshes[{}]", id.index()), text);
        }
    }
    if context.shortened_texts > 0 {
        let count = with_count(context.shortened_texts, "text");
        context.losses.repaired("", format!("{count} with zero bytes, which were removed"));
    }
    Ok(())
}

/// Reports changes of the unit of length and of colours.
fn report_units(scene: &Scene, color_space: ColorSpace, losses: &mut Losses) {
    if scene.metres_per_unit.is_none() {
        losses.synthesized("metres_per_unit", "unit of length: inch");
    }
    let has_colors = !scene.lights.is_empty() || scene.meshes.iter().any(|(_, mesh)| !mesh.color_sets.is_empty());
    if color_space == ColorSpace::Linear && has_colors {
        losses.approximated("color_space", "colours, converted to sRGB");
    }
}

fn asset_paths(map: &Document) -> HashSet<Vec<u8>> {
    map.assets().iter().map(|asset| asset.path.to_ascii_lowercase()).collect()
}

/// Lists the assets that the map did not use before.
fn list_new_assets(context: &mut WriteContext<'_, '_, '_>, old: &HashSet<Vec<u8>>) -> Result<(), WriteError> {
    let assets = context.editor.map().assets();
    let new = assets.into_iter().filter(|asset| !old.contains(&asset.path.to_ascii_lowercase()));
    let new: Vec<Vec<u8>> = new.map(|asset| asset.path.to_vec()).collect();
    new.into_iter().try_for_each(|path| context.editor.add_asset(path))
}
