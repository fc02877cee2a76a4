//! Reads maps as scenes.

mod cameras;
mod context;
mod entities;
mod instance_cycles;
mod instances;
mod meshes;
mod nodes;
mod paths;
mod properties;
mod sets;
mod tile_grids;
mod tree;
mod values;

use mapwright_dmx::Value;
use mapwright_io::{Context, Position};
use mapwright_scene::Losses;

use super::linked::LinkedScene;
use super::names::{OVERLAY_TARGETS, with_count};
use super::options::Subdivision;
use crate::{Document, ReadError, ReadErrorKind};
use context::ReadContext;

/// Reads a map as a scene that is linked to its elements.
pub(super) fn read_scene(document: &Document, subdivision: Subdivision) -> Result<(LinkedScene, Losses), ReadError> {
    let graph = document.graph();
    let missing = |name| Err(ReadError::new(ReadErrorKind::MissingAttribute, Position::file(0))).in_field(name);
    let Some(root) = graph.root() else { return missing("root") };
    let Some(world) = root.child("world") else { return missing("world") };
    let mut context = ReadContext::new(document, root, world, subdivision);
    // Find all nodes before any is converted. Each is converted once, and references to nodes never become values.
    let tree = tree::find_nodes(&mut context, world);
    let targets = tree.nodes.iter().filter_map(|found| graph.element(found.element)?.get(OVERLAY_TARGETS));
    let targets = targets.filter_map(|targets| if let Value::IntArray(list) = targets { Some(list) } else { None });
    context.overlay_targets = targets.flatten().copied().collect();
    nodes::read_world(&mut context, world);
    nodes::read_nodes(&mut context, &tree);
    // An instance can precede its target, so link instances after all nodes exist.
    instances::link_targets(&mut context, &tree.nodes);
    cameras::read_cameras(&mut context, root);
    // Sets refer to nodes.
    sets::read_sets(&mut context, root);
    // What is left of the root becomes properties: elements that were read above count as used.
    context.linked.scene.properties = properties::read_properties(&mut context, root, &super::names::ROOT);
    for (name, what) in [("nodeInstanceData", "baked light of nodes"), ("m_ReferencedMeshSnapshots", "mesh snapshots")]
    {
        let count = root.get(name).and_then(Value::array_len).unwrap_or(0);
        if count > 0 {
            context.losses.dropped(name, format!("{what}: {count}"));
        }
    }
    for (name, what) in
        [("asset_preview_thumbnail", "preview image"), ("map_asset_references", "list of referenced assets")]
    {
        if graph.prefix_value(name).is_some() {
            context.losses.dropped(name, what);
        }
    }
    if context.values.skipped_texts > 0 {
        let texts = with_count(context.values.skipped_texts, "long string");
        context.losses.dropped("", format!("{texts}: their copies exceed the memory limit"));
    }
    Ok((context.linked, context.losses))
}
