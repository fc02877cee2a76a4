//! The surface of a tile grid of Dota 2.

use mapwright_dmx::ElementRef;
use mapwright_scene::{Heights, Mesh, Terrain};

use crate::{Node, NodeKind, TileLayer};

/// Width of a cell in units. All known grids of W cells begin at −128 · W, so that they are centred.
const CELL: f64 = 256.0;
/// Height of a step in units. No known map has a height other than 0: the value is that of the tiles in the game.
const STEP: f32 = 128.0;

/// Returns the first layer of a tile grid.
pub(super) fn first_layer(element: ElementRef<'_>) -> Option<TileLayer<'_>> {
    match Node(element).kind() {
        NodeKind::TileGrid(grid) => grid.layers().next(),
        _ => None,
    }
}

/// Returns the surface of a layer, or `None` if its sizes do not fit. The surface is a mesh, because some programs show either the
/// terrain or the meshes of a scene.
pub(super) fn to_mesh(layer: TileLayer<'_>) -> Option<Mesh> {
    let size = [layer.width(), layer.height()].map(|cells| u32::try_from(cells).ok()?.checked_add(1));
    let [Some(columns), Some(rows)] = size else { return None };
    let heights = layer.vertex_heights();
    if columns.checked_mul(rows).and_then(|count| usize::try_from(count).ok()) != Some(heights.len()) {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "heights of more than 24 bits are damaged")]
    let heights = heights.iter().map(|&height| height as f32 * STEP).collect();
    // Rows run north, which is −Z in the scene.
    let terrain = Terrain::new([columns, rows], [CELL, -CELL], Heights::F32(heights));
    Some(Mesh { uv_sets: Vec::new(), ..terrain.mesh() })
}
