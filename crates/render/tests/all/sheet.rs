//! Contact sheets.

use mapwright_render::{Drawing, Error, RenderOptions, Scale, Sheet, Thumbnail, View};
use mapwright_scene::{Content, Node, Scene, TileLayer};

fn level(size: [u32; 2]) -> Scene {
    let mut scene = Scene::default();
    let cells = vec![5; (size[0] * size[1]) as usize];
    let layer = scene.tile_layers.push(TileLayer { size, tile_size: [8; 2], cells, ..TileLayer::default() });
    scene.add_node(None, Node::new("", Content::TileLayer(layer)));
    scene
}

/// The pixels of a sheet, row by row.
fn rows(sheet: &Sheet) -> Vec<Vec<[u8; 3]>> {
    let mut png = Vec::new();
    let [width, height] = sheet.write_png(&mut png).expect("a sheet");
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a header");
    let mut data = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut data).expect("pixels");
    let rows: Vec<Vec<[u8; 3]>> = data.chunks(width as usize * 3).map(|row| row.as_chunks().0.to_vec()).collect();
    assert_eq!(rows.len(), height as usize);
    rows
}

#[test]
fn images_are_in_rows_with_their_names() {
    let mut sheet = Sheet::new(40);
    assert!(matches!(sheet.write_png(Vec::new()), Err(Error::Nothing)));
    let options = RenderOptions::default().with_view(View::Numbers).with_scale(Scale::Fit(sheet.cell()));
    let (wide, large) = (level([5, 1]), level([9, 9]));
    for (name, scene) in [("wide.wwd", &wide), ("", &wide), ("a name that has no room", &wide)] {
        assert!(sheet.add(Thumbnail::new(name, 40, Drawing::new(scene, &options).expect("an image"))));
    }
    // Larger images are cut off.
    let whole = RenderOptions::default().with_view(View::Numbers);
    assert!(sheet.add(Thumbnail::new("large", 40, Drawing::new(&large, &whole).expect("an image"))));
    let rows = rows(&sheet);
    // Two by two cells of 40 pixels, with gaps and two lines of letters.
    assert_eq!((rows.len(), rows[0].len(), sheet.len()), (2 * (40 + 8 + 32) + 8, 2 * 48 + 8, 4));
    let (background, tile) = (rows[0][0], rows[8 + 20][8 + 20]);
    assert_ne!(tile, background);
    assert_eq!(
        (rows[8 + 15][8 + 20], rows[8 + 16][8], rows[8 + 23][8 + 39], rows[8 + 24][8]),
        (background, tile, tile, background)
    );
    let inked = |from: [usize; 2], size: [usize; 2]| {
        rows[from[1]..from[1] + size[1]]
            .iter()
            .flat_map(|row| &row[from[0]..from[0] + size[0]])
            .filter(|pixel| **pixel != background)
            .count()
    };
    assert!(inked([8, 52], [40, 16]) > 50 && inked([8, 68], [40, 16]) > 20, "two lines");
    assert_eq!(inked([56, 50], [40, 38]), 0, "no name");
    assert_eq!(inked([48, 0], [8, rows.len()]), 0, "nothing between them");
    assert_eq!(inked([56, 88], [40, 40]), 1600);
}

#[test]
fn thumbnails_of_another_size_are_centred_or_cut_off() {
    let scene = level([9, 9]);
    let options = RenderOptions::default().with_view(View::Numbers);
    let thumbnail = |cell| Thumbnail::new("name", cell, Drawing::new(&scene, &options).expect("an image"));
    let mut sheet = Sheet::new(40);
    assert!(sheet.add(thumbnail(32)) && sheet.add(thumbnail(512)));
    let rows = rows(&sheet);
    let (background, tile) = (rows[0][0], rows[8 + 20][8 + 20]);
    let drawn = |row: usize, from: usize| rows[row][from..from + 40].iter().filter(|pixel| **pixel == tile).count();
    assert_eq!([8 + 3, 8 + 4, 8 + 35, 8 + 36].map(|row| drawn(row, 8)), [0, 32, 32, 0]);
    assert_eq!([8, 8 + 39, 8 + 40, 8 + 43].map(|row| drawn(row, 56)), [40, 40, 0, 0]);
    assert_eq!((rows[8 + 20][8 + 3], rows[8 + 20][8 + 4]), (background, tile));
}
