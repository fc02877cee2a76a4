//! Tile grids of Dota 2 and settings of navigation meshes.

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
    /// The layers: `layerData` from format 18 on, `tileGridData` in 16.
    pub fn layers(self) -> impl Iterator<Item = TileLayer<'a>> {
        self.0.child("tileGridData").into_iter().chain(self.0.children("layerData")).map(TileLayer)
    }
}

view! {
    /// A layer of W × H cells. All else stands in arrays of the [`element`](TileLayer::element): W·H cells, (W+1)(H+1) vertices,
    /// 2·W·H+W+H edges, (4W+1)(4H+1) objects, (8W+1)(8H+1) points of blend, grass and fog maps.
    TileLayer {
        /// W, the cells along X.
        width: i32 = "gridWidth", 0;
        /// H, the cells along Y.
        height: i32 = "gridHeight", 0;
        /// The height step of each vertex.
        vertex_heights: &'a [i32] = "verticesHeight", &[];
        /// Which tile set each cell is of.
        cell_tile_sets: &'a [i32] = "cellsTileSet", &[];
        /// How each cell's tile is turned, in quarter turns.
        cell_orientations: &'a [i32] = "cellsOrientation", &[];
    }
}

impl<'a> TileLayer<'a> {
    /// Which cells show no tile.
    pub fn hidden_cells(self) -> impl ExactSizeIterator<Item = bool> {
        bools(self.0, "cellsHidden")
    }

    /// Which vertices are under water.
    pub fn water_vertices(self) -> impl ExactSizeIterator<Item = bool> {
        bools(self.0, "verticesWater")
    }

    /// What the tile sets offer: `propTypes`, `treeTypes`, `plantTypes`.
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
    /// How navigation meshes are built.
    NavData {}
}

impl<'a> NavData<'a> {
    /// The settings, `CDmeNavData`: scalars with the suffixes `_0`, `_1`, `_2` per hull in format 29, arrays later.
    pub fn settings(self) -> Option<ElementRef<'a>> {
        self.0.child("navData")
    }
}
