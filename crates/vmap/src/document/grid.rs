//! Tile grids of Dota 2, and settings of navigation meshes.

use mapwright_dmx::{ElementRef, Value};

use super::value::{node_view, view};

node_view! {
    /// The terrain of a Dota 2 map: a grid of tiles. The tile sets are the [`TileObject`](crate::TileObject)s below it.
    TileGrid {
        /// The map with the first tile set; the others are in `targetMapPath1` to `targetMapPath3`.
        path: &'a [u8] = "targetMapPath", b"";
    }
}

impl<'a> TileGrid<'a> {
    /// Returns the layers: `layerData` since format 18, `tileGridData` in 16.
    pub fn layers(self) -> impl Iterator<Item = TileLayer<'a>> {
        self.0.child("tileGridData").into_iter().chain(self.0.children("layerData")).map(TileLayer)
    }
}

view! {
    /// A layer of W × H cells. Other data is in arrays of the [`element`](TileLayer::element): W·H cells, (W+1)(H+1) vertices,
    /// 2·W·H+W+H edges, (4W+1)(4H+1) objects, (8W+1)(8H+1) points of blend, grass and fog maps.
    TileLayer {
        /// W, the number of cells along X.
        width: i32 = "gridWidth", 0;
        /// H, the number of cells along Y.
        height: i32 = "gridHeight", 0;
        /// Height step of each vertex.
        vertex_heights: &'a [i32] = "verticesHeight", &[];
        /// Index of the tile set of each cell.
        cell_tile_sets: &'a [i32] = "cellsTileSet", &[];
        /// Rotation of the tile of each cell, in quarter turns.
        cell_orientations: &'a [i32] = "cellsOrientation", &[];
    }
}

impl<'a> TileLayer<'a> {
    /// Returns `true` for each cell without a visible tile.
    pub fn hidden_cells(self) -> impl ExactSizeIterator<Item = bool> {
        bools(self.0, "cellsHidden")
    }

    /// Returns `true` for each vertex under water.
    pub fn water_vertices(self) -> impl ExactSizeIterator<Item = bool> {
        bools(self.0, "verticesWater")
    }

    /// Returns the contents of the tile sets: `propTypes`, `treeTypes`, `plantTypes`.
    pub fn tile_set_infos(self) -> impl Iterator<Item = ElementRef<'a>> {
        self.0.children("tileSetMapInfo")
    }
}

fn bools<'a>(element: ElementRef<'a>, name: &str) -> impl ExactSizeIterator<Item = bool> + use<'a> {
    let items: &[u8] = match element.get(name) {
        Some(Value::BoolArray(items)) => items,
        _ => &[],
    };
    items.iter().map(|&byte| byte != 0)
}

node_view! {
    /// Settings for building navigation meshes.
    NavData {}
}

impl<'a> NavData<'a> {
    /// Returns the settings, `CDmeNavData`: scalars with the suffixes `_0`, `_1`, `_2` per hull in format 29, arrays later.
    pub fn settings(self) -> Option<ElementRef<'a>> {
        self.0.child("navData")
    }
}
