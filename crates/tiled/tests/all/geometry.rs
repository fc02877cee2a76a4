//! Positions in pixels. The expected numbers are those of drawings by Tiled's rasterizer.

use crate::support;

use support::document;

fn positions(attributes: &str, cells: &[[i32; 2]]) -> Vec<[f64; 2]> {
    let document = document(&format!("<map width='4' height='4' {attributes}/>"));
    let map = document.as_map().unwrap();
    cells.iter().map(|cell| map.cell_position(*cell).unwrap()).collect()
}

#[test]
fn cells_have_the_positions_of_their_orientation() {
    const CELLS: &[[i32; 2]] = &[[0, 0], [1, 0], [0, 1], [3, 2], [-1, -1]];
    for (attributes, expected) in [
        (
            "orientation='orthogonal' tilewidth='16' tileheight='8'",
            [[0.0, 0.0], [16.0, 0.0], [0.0, 8.0], [48.0, 16.0], [-16.0, -8.0]],
        ),
        (
            "orientation='oblique' tilewidth='16' tileheight='8' skewx='3' skewy='-1'",
            [[3.0, 0.0], [19.0, -1.0], [6.0, 8.0], [57.0, 13.0], [-16.0, -7.0]],
        ),
        (
            "orientation='isometric' tilewidth='16' tileheight='8'",
            [[24.0, 0.0], [32.0, 4.0], [16.0, 4.0], [32.0, 20.0], [24.0, -8.0]],
        ),
        (
            "orientation='staggered' tilewidth='16' tileheight='8'",
            [[0.0, 0.0], [16.0, 0.0], [8.0, 4.0], [48.0, 8.0], [-8.0, -4.0]],
        ),
        (
            "orientation='staggered' staggerindex='even' tilewidth='16' tileheight='8'",
            [[8.0, 0.0], [24.0, 0.0], [0.0, 4.0], [56.0, 8.0], [-16.0, -4.0]],
        ),
        (
            "orientation='staggered' staggeraxis='x' tilewidth='16' tileheight='8'",
            [[0.0, 0.0], [8.0, 4.0], [0.0, 8.0], [24.0, 20.0], [-8.0, -4.0]],
        ),
        (
            "orientation='hexagonal' hexsidelength='6' tilewidth='14' tileheight='12'",
            [[0.0, 0.0], [14.0, 0.0], [7.0, 9.0], [42.0, 18.0], [-7.0, -9.0]],
        ),
        (
            "orientation='hexagonal' hexsidelength='6' staggeraxis='x' staggerindex='even' tilewidth='14' tileheight='12'",
            [[0.0, 6.0], [10.0, 0.0], [0.0, 18.0], [30.0, 24.0], [-10.0, -12.0]],
        ),
        // An odd pixel of the size does not count.
        (
            "orientation='hexagonal' hexsidelength='7' tilewidth='21' tileheight='19'",
            [[0.0, 0.0], [20.0, 0.0], [10.0, 12.0], [60.0, 24.0], [-10.0, -12.0]],
        ),
    ] {
        assert_eq!(positions(attributes, CELLS), expected, "{attributes}");
    }
    assert_eq!(document("<map/>").as_map().unwrap().cell_position([0, 0]), None);
}

#[test]
fn objects_of_isometric_maps_are_along_the_sides_of_cells() {
    let isometric = document("<map orientation='isometric' width='4' height='4' tilewidth='16' tileheight='8'/>");
    let map = isometric.as_map().unwrap();
    let places = [[0.0, 0.0], [8.0, 0.0], [0.0, 16.0]].map(|place| map.object_position(place));
    assert_eq!(places, [[32.0, 0.0], [40.0, 4.0], [16.0, 8.0]]);
    let hexagonal = document("<map orientation='hexagonal' tileheight='8'/>");
    assert_eq!(hexagonal.as_map().unwrap().object_position([1.5, 2.0]), [1.5, 2.0]);
}
