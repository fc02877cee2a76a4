//! Models and terrains of any version: a square grid with a skin.

use super::{Bytes, SIZES, group, mdl7_header, triangle26};

/// The first four bytes of all versions of models and terrains.
pub const VERSIONS: [&str; 9] = ["MDL2", "MDL3", "MDL4", "MDL5", "MDL7", "IDPO", "HMP4", "HMP5", "HMP7"];

/// Returns a model or terrain with `side` × `side` vertices, and a skin with `texels` × `texels` pixels. MDL7, HMP5 and HMP7 have a skin
/// in the image file `skin` instead. `texels` is a multiple of 8.
///
/// # Panics
/// If the version is unknown, or a number exceeds its range.
pub fn grid(version: &str, side: u16, texels: u16, skin: &str) -> Vec<u8> {
    assert!(VERSIONS.contains(&version) && (2..=255).contains(&side) && texels.is_multiple_of(8), "{version}");
    let grid = Grid { side, texels, skin };
    match version {
        "MDL7" => grid.mdl7(),
        "HMP4" | "HMP5" | "HMP7" => grid.terrain(version),
        _ => grid.packed(version),
    }
}

struct Grid<'a> {
    side: u16,
    texels: u16,
    skin: &'a str,
}

impl Grid<'_> {
    /// Returns column, row and height of each vertex.
    fn vertices(&self) -> impl Iterator<Item = [u8; 3]> {
        let side = u8::try_from(self.side).expect("at most 255 vertices per side");
        (0..side).flat_map(move |y| (0..side).map(move |x| [x, y, x.wrapping_mul(7).wrapping_add(y) % 16]))
    }

    fn count(&self) -> u16 {
        self.side.checked_mul(self.side).expect("at most 255 vertices per side")
    }

    fn triangles(&self) -> impl Iterator<Item = [u16; 3]> {
        let side = self.side;
        let cells = (0..side - 1).flat_map(move |y| (0..side - 1).map(move |x| y * side + x));
        cells.flat_map(move |at| [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]])
    }

    fn triangle_count(&self) -> i32 {
        2 * i32::from(self.side - 1) * i32::from(self.side - 1)
    }

    /// Returns the pixels of an embedded skin with a number of bytes per pixel.
    fn pixels(&self, bytes: usize) -> Vec<u8> {
        let texels = usize::from(self.texels);
        let rows = (0..texels).flat_map(|y| (0..texels * bytes).map(move |x| (x / 4 + y / 2).to_le_bytes()[0]));
        rows.collect()
    }

    /// Returns the pixels of three mipmaps.
    fn mipmaps(&self, bytes: usize) -> Vec<u8> {
        let texels = usize::from(self.texels);
        vec![7; [2, 4, 8].map(|part| (texels / part) * (texels / part) * bytes).iter().sum()]
    }

    /// MDL2 to MDL5 and IDPO.
    fn packed(&self, version: &str) -> Vec<u8> {
        let is_old = matches!(version, "MDL2" | "IDPO");
        let (count, texels) = (i32::from(self.count()), i32::from(self.texels));
        let size = if version == "MDL5" { [0, 0] } else { [texels; 2] };
        let coordinates = if is_old { 0 } else { count };
        let file = Bytes::new(version).header([0.0; 3], 1, size, [count, self.triangle_count(), 1, coordinates]);
        let file = match version {
            "MDL2" | "IDPO" => file.u32(&[0]).bytes(&self.pixels(1)),
            "MDL5" => file.u32(&[10, self.texels.into(), self.texels.into()]).bytes(&self.pixels(2)),
            _ => file.u32(&[2]).bytes(&self.pixels(2)),
        };
        let file = if version == "MDL5" { file.bytes(&self.mipmaps(2)) } else { file };
        let step = self.texels / self.side;
        let file = self.vertices().fold(file, |file, [x, y, _]| {
            let [u, v] = [x, y].map(|at| u16::from(at) * step);
            if is_old { file.u32(&[0, u.into(), v.into()]) } else { file.u16(&[u, v]) }
        });
        let file = self.triangles().fold(file, |file, triangle| {
            if is_old { file.u32(&[1]).u32(&triangle.map(u32::from)) } else { file.u16(&triangle).u16(&triangle) }
        });
        let is_wide = matches!(version, "MDL4" | "MDL5");
        let file = file.u32(&[if is_wide { 2 } else { 0 }]).bytes(if is_wide { &[0; 16] } else { &[0; 8] });
        let vertex = |file: Bytes, point: [u8; 3]| {
            if is_wide { file.u16(&point.map(u16::from)).bytes(&[5, 0]) } else { file.bytes(&point).bytes(&[5]) }
        };
        self.vertices().fold(file.name("frame1"), vertex).0
    }

    fn mdl7(&self) -> Vec<u8> {
        let count = u32::from(self.count());
        let counts = [1, count, u32::try_from(self.triangle_count()).expect("a positive number"), count, 0];
        let file = group(mdl7_header(0, 1, SIZES), "grid", counts);
        let file = self.external_skin(file, "skin");
        let scale = f32::from(self.side - 1);
        let file = self.vertices().fold(file, |file, [x, y, _]| file.f32(&[x, y].map(|at| f32::from(at) / scale)));
        let file = self.triangles().fold(file, |file, triangle| triangle26(file, triangle, triangle, 0));
        let vertex =
            |file: Bytes, point: [u8; 3]| file.f32(&point.map(f32::from)).u16(&[0xffff]).f32(&[0.0, 0.0, -1.0]);
        self.vertices().fold(file, vertex).0
    }

    fn terrain(&self, version: &str) -> Vec<u8> {
        let texels = if version == "HMP4" { i32::from(self.texels) } else { 0 };
        let counts = [i32::from(self.count()), 0, 1, 0];
        let file = Bytes::new(version).header([10.0, 10.0, f32::from(self.side)], 1, [texels; 2], counts);
        let file = if version == "HMP4" { file.u32(&[2]).bytes(&self.pixels(2)) } else { self.external_skin(file, "") };
        let file = file.u32(&[2]).bytes(&[0; 16]).name("frame");
        let vertex = |file: Bytes, point: [u8; 3]| match version {
            "HMP4" => file.u16(&point.map(u16::from)).bytes(&[5, 0]),
            _ => file.u16(&[point[2].into()]).bytes(&[0, 0]),
        };
        self.vertices().fold(file, vertex).0
    }

    /// Appends a skin in an image file. Only models store a name.
    fn external_skin(&self, file: Bytes, name: &str) -> Bytes {
        let length = u32::try_from(self.skin.len() + 1).expect("a short name");
        let file = file.u32(&[7, length, 1]);
        let file = if name.is_empty() { file } else { file.name(name) };
        file.bytes(self.skin.as_bytes()).bytes(&[0])
    }
}
