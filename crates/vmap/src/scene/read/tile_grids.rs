//! Reads tile grids of Dota 2 as surfaces.

use mapwright_dmx::ElementRef;
use mapwright_scene::MeshId;

use super::super::names::{self, with_count};
use super::super::tile_surface::{first_layer, to_mesh};
use super::context::ReadContext;

/// Returns the first layer of a tile grid as a mesh; `None` if its sizes do not fit.
pub(super) fn read_tile_grid(context: &mut ReadContext<'_>, element: ElementRef<'_>) -> Option<MeshId> {
    let layer = first_layer(element)?;
    if let Some(&known) = context.meshes.get(&layer.element().id()) {
        return known;
    }
    let path = names::node_path(element);
    let more = element.children("layerData").count().saturating_sub(1);
    if more > 0 {
        context.losses.dropped(path.as_str(), with_count(more, "further layer"));
    }
    let mesh = to_mesh(layer).map(|mesh| context.linked.scene.meshes.push(mesh));
    match mesh {
        Some(_) => context.losses.approximated(
            path,
            "tile grid as a surface with assumed height steps of 128; its tiles, objects, water and textures are not shown",
        ),
        None => context.losses.dropped(path, "tile grid: the number of heights does not fit its size"),
    }
    context.meshes.insert(layer.element().id(), mesh);
    mesh
}
