//! Levels drawn by these rules are the images that another program draws.

use std::collections::HashMap;

use mapwright_testkit::corpus;
use mapwright_testkit::witness::ask;
use mapwright_wapart::drawing::{DrawStep, Layer, Motion, draw_order, is_dropped, is_hidden, logic_rules, top_left};
use mapwright_wapart::{Game, Image, ImageSets, Palette};
use mapwright_wwd::{Document, DrawFlags, Header, HeaderFlags, Object, Plane, PlaneFlags};

use crate::support::unhex;

/// Prints the files of an archive, and the pixels of PNG images whose rows have no filter.
const SCRIPT: &str = r#"
import struct, sys, zlib
sys.path.insert(0, sys.argv[1])
import rez_dump as R
for path in sys.argv[2:]:
    data = open(path, "rb").read()
    if path.endswith(".rez"):
        rez = R.Rez(data)
        for folder, e in rez.root.walk():
            if isinstance(e, R.File):
                print("entry", "/".join(n.decode() for n in (*folder, e.full())), rez.data(e).hex())
        continue
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", body)
            assert rest == [8, 6, 0, 0, 0]
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    rows = zlib.decompress(packed)
    rows = [rows[y * (4 * width + 1):(y + 1) * (4 * width + 1)] for y in range(height)]
    assert all(row[0] == 0 for row in rows)
    print("image", width, height, b"".join(row[1:] for row in rows).hex())
"#;

#[test]
#[ignore = "needs the corpus"]
fn levels_are_drawn_as_another_program_draws_them() {
    let Some(folder) = corpus("rez") else { return };
    let views = [
        ("tiny_claw", "tiny_claw", View::Level),
        ("tiny_claw", "tiny_claw_editor", View::Hidden),
        ("tiny_claw", "tiny_claw_view_200_40_320_200", View::Screen([200, 40], [320, 200])),
        ("tiny_gruntz", "tiny_gruntz", View::Level),
        ("tiny_gruntz", "tiny_gruntz_editor", View::Hidden),
    ];
    for (archive, image, view) in views {
        let files = [folder.join(format!("synthetic/{archive}.rez")), folder.join(format!("pictures/{image}.png"))];
        let Some(text) = ask(SCRIPT, &files) else { return };
        let mut entries = Vec::new();
        let mut expected = (0, Vec::new());
        for line in text.lines() {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["entry", name, bytes] => entries.push((name.to_owned(), unhex(bytes))),
                ["image", width, _, bytes] => expected = (width.parse().unwrap(), unhex(bytes)),
                _ => panic!("{line}"),
            }
        }
        let level = entries.iter().find(|(name, _)| name.contains("/WORLD")).expect("a level");
        let level = Document::from_bytes(&level.1).expect("a level");
        let canvas = Drawing::new(&level, &entries, view).draw();
        assert_eq!((canvas.width, canvas.pixels.len() * 4), (expected.0, expected.1.len()), "{image}");
        let (colors, _) = expected.1.as_chunks::<4>();
        let different = canvas.pixels.iter().zip(colors).position(|([r, g, b], [x, y, z, _])| (r, g, b) != (x, y, z));
        let place = different.map(|at| (at % canvas.width, at / canvas.width, canvas.pixels[at], colors[at]));
        assert_eq!(place, None, "{image}");
    }
}

#[derive(Clone, Copy, PartialEq)]
enum View {
    /// The whole level.
    Level,
    /// The whole level, with the objects that the game hides.
    Hidden,
    /// A part of this position and size, as the game shows it.
    Screen([i64; 2], [u32; 2]),
}

struct Canvas {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    fn blend(&mut self, [x, y]: [i64; 2], [red, green, blue, opacity]: [u8; 4]) {
        let (Ok(column), Ok(row)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if column >= self.width {
            return;
        }
        let Some(pixel) = self.pixels.get_mut(row * self.width + column) else { return };
        for (below, above) in pixel.iter_mut().zip([red, green, blue]) {
            let opacity = u16::from(opacity);
            let mixed = (u16::from(above) * opacity + u16::from(*below) * (255 - opacity) + 127) / 255;
            *below = u8::try_from(mixed).expect("a mean of bytes");
        }
    }
}

struct Drawing<'a> {
    level: &'a Document,
    view: View,
    game: Game,
    sets: ImageSets,
    palette: Option<Palette>,
    images: HashMap<usize, Image>,
}

impl<'a> Drawing<'a> {
    fn new(level: &'a Document, entries: &[(String, Vec<u8>)], view: View) -> Self {
        let header: &Header = &level.header;
        let mut sets = ImageSets::new(entries.iter().map(|(name, _)| name));
        for (root, prefix) in [
            (&header.image_set_1, &header.prefix_1),
            (&header.image_set_2, &header.prefix_2),
            (&header.image_set_3, &header.prefix_3),
            (&header.image_set_4, &header.prefix_4),
        ] {
            sets.add_root(root.text(), prefix.text());
        }
        sets.add_root(header.image_dir.text(), b"");
        let images = entries.iter().enumerate();
        let images =
            images.filter_map(|(file, (name, bytes))| Some((file, Image::from_file(name.as_bytes(), bytes).ok()?)));
        let palette = entries.iter().find(|(name, _)| name.ends_with(".PAL"));
        Self {
            level,
            view,
            game: Game::from_image_dir(header.image_dir.text()).expect("a game"),
            images: images.collect(),
            palette: palette.map(|(_, bytes)| Palette::from_bytes(bytes).expect("a palette")),
            sets,
        }
    }

    fn draw(self) -> Canvas {
        let main = self.level.planes.iter().find(|plane| plane.is_main()).expect("a main plane");
        let size = [main.tiles_wide * main.tile_w, main.tiles_high * main.tile_h].map(i64::from);
        let [width, height] = match self.view {
            View::Screen(_, size) => size.map(|side| side as usize),
            _ => size.map(|side| usize::try_from(side).expect("a size")),
        };
        let mut canvas = Canvas { width, pixels: vec![[0; 3]; width * height] };
        let objects = self.level.planes.iter().flat_map(|plane| plane.objects.iter());
        let shown: Vec<&Object> = objects.filter(|object| self.is_shown(object, size)).collect();
        let z: Vec<i32> = shown.iter().map(|object| self.placement(object).1).collect();
        let layer = |plane: &Plane| Layer { z: plane.z_coord, is_main: plane.is_main() };
        let layers: Vec<Layer> = self.level.planes.iter().map(layer).collect();
        for step in draw_order(&layers, &z, self.level.header.flags.has(HeaderFlags::USE_Z)) {
            match step {
                DrawStep::Plane(plane) => self.draw_plane(&mut canvas, &self.level.planes[plane]),
                DrawStep::Object(object) => self.draw_object(&mut canvas, main, shown[object]),
            }
        }
        canvas
    }

    fn is_shown(&self, object: &Object, main: [i64; 2]) -> bool {
        let no_draw = object.draw_flags.has(DrawFlags::NO_DRAW);
        let is_hidden = is_hidden(self.game, &object.logic, &object.image_set, no_draw) && self.view != View::Hidden;
        !is_dropped([object.x, object.y], &object.logic, main) && !is_hidden && !object.image_set.is_empty()
    }

    fn image(&self, object: &Object) -> Option<&Image> {
        self.images.get(&self.sets.get(&object.image_set)?.frames.at_rest(object.i)?.1)
    }

    fn placement(&self, object: &Object) -> ([i32; 2], i32) {
        let rules = logic_rules(self.game, &object.logic);
        let position = rules.position([object.x, object.y]);
        (position, rules.z(object.z, position, self.image(object).map(|image| image.height)))
    }

    fn origin(&self, plane: &Plane) -> [i64; 2] {
        let View::Screen([x, y], view) = self.view else { return [0, 0] };
        let camera = [x + i64::from(view[0] / 2), y + i64::from(view[1] / 2)];
        let motion = Motion {
            size: [plane.tiles_wide * plane.tile_w, plane.tiles_high * plane.tile_h].map(i64::from),
            wraps: [plane.flags.has(PlaneFlags::WRAP_X), plane.flags.has(PlaneFlags::WRAP_Y)],
            percent: [plane.movement_x, plane.movement_y],
            is_main: plane.is_main(),
        };
        motion.origin(camera, view)
    }

    fn draw_object(&self, canvas: &mut Canvas, main: &Plane, object: &Object) {
        let Some(image) = self.image(object) else { return };
        let flips = [object.draw_flags.has(DrawFlags::MIRROR), object.draw_flags.has(DrawFlags::INVERT)];
        let [left, top] = top_left(self.placement(object).0, [image.width, image.height], image.offset, flips);
        let [x, y] = self.origin(main);
        self.draw_image(canvas, image, [left - x, top - y], [i64::MAX; 2], flips);
    }

    fn draw_image(&self, canvas: &mut Canvas, image: &Image, [left, top]: [i64; 2], most: [i64; 2], flips: [bool; 2]) {
        let rgba = image.to_rgba(self.game, self.palette.as_ref());
        let (pixels, _) = rgba.as_chunks::<4>();
        let [width, height] = [image.width, image.height].map(i64::from);
        for (&pixel, at) in pixels.iter().zip(0..) {
            let [column, row] = [at % width, at / width];
            let column = if flips[0] { width - 1 - column } else { column };
            let row = if flips[1] { height - 1 - row } else { row };
            if column < most[0] && row < most[1] {
                canvas.blend([left + column, top + row], pixel);
            }
        }
    }

    fn draw_plane(&self, canvas: &mut Canvas, plane: &Plane) {
        if plane.flags.has(PlaneFlags::NO_DRAW) {
            return;
        }
        let [left, top] = self.origin(plane);
        let tile = [plane.tile_w, plane.tile_h].map(i64::from);
        let grid = [plane.tiles_wide, plane.tiles_high].map(i64::from);
        let view = [canvas.width, canvas.pixels.len() / canvas.width].map(|side| i64::try_from(side).expect("a size"));
        let sets: Vec<&[u8]> = plane.image_sets.iter().collect();
        for row in top.div_euclid(tile[1])..=(top + view[1] - 1).div_euclid(tile[1]) {
            for column in left.div_euclid(tile[0])..=(left + view[0] - 1).div_euclid(tile[0]) {
                let is_inside = |at: i64, size: i64, wrap| plane.flags.has(wrap) || (0..size).contains(&at);
                if !is_inside(column, grid[0], PlaneFlags::WRAP_X) || !is_inside(row, grid[1], PlaneFlags::WRAP_Y) {
                    continue;
                }
                let cell = row.rem_euclid(grid[1]) * grid[0] + column.rem_euclid(grid[0]);
                let word = plane.tiles[usize::try_from(cell).expect("a cell")];
                let corner = [column * tile[0] - left, row * tile[1] - top];
                let set = sets.get((word >> 16) as usize).filter(|_| word != u32::MAX);
                if word == 0xEEEE_EEEE {
                    let index = plane.fill_color.to_le_bytes()[0];
                    let [red, green, blue] = self.palette.as_ref().map_or([index; 3], |palette| palette.color(index));
                    for at in 0..tile[0] * tile[1] {
                        let place = [corner[0] + at % tile[0], corner[1] + at / tile[0]];
                        canvas.blend(place, [red, green, blue, 255]);
                    }
                }
                let frame = set.and_then(|set| self.sets.get(set)?.frames.get(word & 0xFFFF));
                if let Some(image) = frame.and_then(|file| self.images.get(&file)) {
                    self.draw_image(canvas, image, corner, tile, [false; 2]);
                }
            }
        }
    }
}
