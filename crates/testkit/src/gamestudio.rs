//! Files of 3D Gamestudio, assembled byte by byte from their description. The project reads these formats, but writes none of them.

mod grids;
mod images;
mod whole_level;

pub use grids::{VERSIONS, grid};
pub use images::{bmp, dds, pcx, pcx_header, tga, tga_packed, tga_pixel};
pub use whole_level::{MadeLevel, made_level, map};

/// A file under construction.
#[derive(Debug, Clone, Default)]
pub struct Bytes(
    /// The bytes up to now.
    pub Vec<u8>,
);

impl Bytes {
    /// Starts a file with its first bytes.
    pub fn new(magic: &str) -> Self {
        Self(magic.as_bytes().to_vec())
    }

    /// Appends bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// Appends numbers of 16 bits.
    pub fn u16(self, numbers: &[u16]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(&bytes)
    }

    /// Appends numbers of 32 bits.
    pub fn u32(self, numbers: &[u32]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(&bytes)
    }

    /// Appends signed numbers of 32 bits.
    pub fn i32(self, numbers: &[i32]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(&bytes)
    }

    /// Appends numbers of single precision.
    pub fn f32(self, numbers: &[f32]) -> Self {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(&bytes)
    }

    /// Appends a text of 16 bytes.
    ///
    /// # Panics
    /// If the text is longer.
    pub fn name(self, text: &str) -> Self {
        let mut name = [0; 16];
        name[..text.len()].copy_from_slice(text.as_bytes());
        self.bytes(&name)
    }

    /// Appends the rest of the header of 84 bytes. `size` is the size of all skins, `counts` are vertices, triangles, frames and texture
    /// coordinates.
    pub fn header(self, grid: [f32; 3], skins: i32, size: [i32; 2], counts: [i32; 4]) -> Self {
        self.i32(&[0])
            .f32(&[2.0, 2.0, 2.0, -1.0, -2.0, -3.0, 0.0])
            .f32(&grid)
            .i32(&[skins, size[0], size[1]])
            .i32(&counts)
            .i32(&[0])
            .f32(&[0.0])
    }
}

/// Returns MDL5: a skin of RGB565 with mipmaps, three vertices, one triangle, two frames.
pub fn mdl5() -> Vec<u8> {
    let frame = |file: Bytes, name: &str, z: u16| {
        file.u32(&[2]).bytes(&[9; 16]).name(name).u16(&[0, 0, z, 0, 1, 0, z, 0, 0, 1, z, 0])
    };
    let file = Bytes::new("MDL5").header([0.0; 3], 1, [0, 0], [3, 1, 2, 3]);
    let file = file.u32(&[10, 8, 8]).bytes(&[0x1f, 0xf8].repeat(64)).bytes(&[7; 2 * (16 + 4 + 1)]);
    let file = file.u16(&[0, 0, 8, 0, 0, 4]).u16(&[0, 1, 2, 0, 1, 2]);
    frame(frame(file, "stand1", 0), "stand2", 5).0
}

/// Returns MDL2 or IDPO: an 8-bit skin, four vertices with one on the seam, a front and a back triangle.
pub fn mdl2(magic: &str) -> Vec<u8> {
    let file = Bytes::new(magic).header([0.0; 3], 1, [8, 4], [3, 2, 1, 0]).u32(&[0]).bytes(&[200; 32]);
    let file = file.i32(&[0, 0, 0, 0x20, 3, 1, 0, 7, 3]).i32(&[1, 0, 1, 2, 0, 2, 1, 0]);
    let file = file.u32(&[0]).bytes(&[0; 8]).name("frame1");
    file.bytes(&[0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 9, 0]).0
}

/// The sizes of records in most files.
pub const SIZES: [u16; 10] = [36, 28, 16, 68, 8, 26, 26, 26, 68, 24];

/// Returns the header of MDL7 with its record sizes.
pub fn mdl7_header(bones: u32, groups: u32, sizes: [u16; 10]) -> Bytes {
    Bytes::new("MDL7").u32(&[0, bones, groups, 0, 0, 0]).u16(&sizes)
}

/// Appends the start of a group. `counts` are skins, texture coordinates, triangles, vertices and frames.
pub fn group(file: Bytes, name: &str, counts: [u32; 5]) -> Bytes {
    file.bytes(&[1, 0, 0, 0]).u32(&[0]).name(name).u32(&counts)
}

/// Appends a triangle of 26 bytes.
pub fn triangle26(file: Bytes, vertices: [u16; 3], uvs: [u16; 3], skin: i32) -> Bytes {
    file.u16(&vertices).u16(&uvs).i32(&[skin]).u16(&[0xffff; 3]).i32(&[-1])
}

/// Appends a vertex of 26 bytes. Files store normals inwards.
pub fn vertex26(file: Bytes, position: [f32; 3], bone: u16) -> Bytes {
    file.f32(&position).u16(&[bone]).f32(&[0.0, 0.0, -2.0])
}

/// Returns MDL7: a bone, and two groups. The skins of the first one are 32-bit pixels, an external file, a material alone, and the image
/// of skin 0.
pub fn mdl7() -> Vec<u8> {
    let file = mdl7_header(1, 2, SIZES).u16(&[0xffff, 0]).f32(&[1.0, 2.0, 3.0]).name("root").bytes(&[0; 4]);
    let file = group(file, "body", [4, 3, 2, 3, 2]);
    let file = file.u32(&[5, 1, 1]).name("paint").bytes(&[3, 2, 1, 128]);
    let file = file.u32(&[7 + 32, 6, 1]).name("cloth").bytes(b"a.tga\0").u32(&[4]).bytes(b"x.fx");
    let file = file.u32(&[16, 0, 0]).name("glass");
    let file = file.f32(&[0.5, 0.25, 0.125, 0.0, 0.1, 0.2, 0.3, 0.75, 1.0, 1.0, 1.0, 0.0, 0.5, 0.5, 0.5, 0.0, 32.0]);
    let file = file.u32(&[1, 0, 0]).name("again");
    let file = file.f32(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.5]);
    let file = triangle26(file, [0, 1, 2], [0, 1, 2], 0);
    let file = triangle26(file, [0, 2, 1], [0, 1, 2], 2);
    let file = vertex26(vertex26(vertex26(file, [0.0; 3], 0), [1.0, 0.0, 0.0], 0), [0.0, 1.0, 0.0], 0);
    let file = file.name("base").u32(&[0, 1]).f32(&[0.0; 16]).u16(&[0, 0]);
    let file = vertex26(file.name("jump1").u32(&[1, 0]), [0.0, 1.0, 5.0], 2);
    let file = group(file, "head", [0, 0, 1, 3, 0]);
    let file = triangle26(file, [0, 1, 2], [0xffff; 3], 3);
    let file = vertex26(vertex26(vertex26(file, [0.0; 3], 0), [0.0, 2.0, 0.0], 0), [2.0, 0.0, 0.0], 0);
    // Editors store their own data after the model.
    file.bytes(b"editor data").0
}

/// Returns HMP7: 3 columns and 2 rows, a skin with an external file, one frame.
pub fn hmp7() -> Vec<u8> {
    let file = Bytes::new("HMP7").header([10.0, 20.0, 3.0], 1, [0, 0], [6, 0, 1, 0]);
    let file = file.u32(&[7, 6, 1]).bytes(b"g.bmp\0").u32(&[2]).bytes(&[0; 16]).name("frame");
    file.u16(&[0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0]).0
}

/// Returns HMP4: 2 columns and 2 rows with packed vertices.
pub fn hmp4() -> Vec<u8> {
    let file = Bytes::new("HMP4").header([10.0, 20.0, 2.0], 1, [2, 1], [4, 0, 1, 0]);
    let file = file.u32(&[2]).u16(&[0xf800, 0x001f]).u32(&[2]).bytes(&[0; 16]).name("frame");
    (0..4).fold(file, |file, z| file.u16(&[90, 91, z, 0])).0
}

/// Returns HMP4 with triangles, as an early file has them.
pub fn hmp4_mesh() -> Vec<u8> {
    let file = Bytes::new("HMP4").header([10.0, 20.0, 2.0], 1, [2, 1], [4, 2, 1, 4]);
    let file = file.u32(&[2]).u16(&[0xf800, 0x001f]).u16(&[0, 0, 1, 0, 0, 1, 1, 1]);
    let file = file.u16(&[0, 1, 2, 0, 1, 2, 1, 3, 2, 1, 3, 2]).u32(&[0]).bytes(&[0; 8]).name("frame");
    file.bytes(&[0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 2, 0, 1, 0, 3, 0]).0
}

/// Returns an archive of entries: type, name, bytes.
///
/// # Panics
/// If it exceeds 4 GiB.
pub fn archive(magic: &str, entries: &[(u8, &str, Vec<u8>)]) -> Vec<u8> {
    let mut file = Bytes::new(magic).u32(&[u32::try_from(entries.len()).unwrap(), 0]);
    let mut directory = Bytes::default();
    for (kind, name, data) in entries {
        let [start, size] = [file.0.len(), data.len()].map(|number| u32::try_from(number).unwrap());
        directory = directory.u32(&[start, size, size]).bytes(&[*kind, 0, 0xff, 0xff]).name(name);
        file = file.bytes(data);
    }
    let start = u32::try_from(file.0.len()).unwrap().to_le_bytes();
    file.0[8..12].copy_from_slice(&start);
    file.bytes(&directory.0).0
}

/// Returns a texture with its header. `words` are the four words after the size.
pub fn texture(name: &str, size: [u32; 2], words: [u32; 4], data: &[u8]) -> Vec<u8> {
    Bytes::default().name(name).u32(&size).u32(&words).bytes(data).0
}

/// Returns the indices of a texture of 8 by 8 texels, with mipmaps. The last texel of the image has index 255.
fn indices() -> Vec<u8> {
    (0..64 + 16 + 4 + 1).map(|i| if i == 63 { 255 } else { i }).collect()
}

/// Returns red, green and blue of 256 colours.
pub fn palette() -> Vec<u8> {
    (0..=255_u8).flat_map(|i| [i, 255 - i, i / 2]).collect()
}

/// Returns archives of all versions, with and without palettes.
pub fn wads() -> [Vec<u8>; 4] {
    let offsets = [40, 104, 120, 124];
    let indexed = |name: &str| texture(name, [8, 8], offsets, &indices());
    let high_color = texture("wood", [2, 1], offsets, &[0xe0, 0x07, 0x00, 0xf8]);
    let own = [&indices()[..], &[0, 1], &palette()].concat();
    let direct = |format, data: &[u8]| texture("", [2, 1], [format, 44, 0, 0], data);
    [
        archive("WAD2", &[(0x44, "a", indexed("a")), (0x42, "bar", vec![1; 40]), (0x54, "*wood", high_color)]),
        archive("WAD2", &[(0x44, "a", indexed("a")), (0x40, "palette", palette())]),
        archive(
            "WAD3",
            &[(0x43, "{Fence", texture("{fence", [8, 8], offsets, &own)), (0x43, "short", indexed("short"))],
        ),
        archive(
            "WAD7",
            &[
                (0x40, "P", palette()),
                (0x08, "plain", direct(8, &[1, 2])),
                (0x0a, "high", direct(10, &[0xe0, 0x07, 0x00, 0xf8])),
                (0x04, "rgb", direct(4, &[3, 2, 1, 6, 5, 4])),
                (0x05, "argb", direct(5, &[3, 2, 1, 9, 6, 5, 4, 8])),
                (0x06, "dds", texture("", [8, 1], [6, 0, 0, 0], b"DDS junk")),
                (0x0a, "cut", vec![0; 39]),
            ],
        ),
    ]
}

/// Returns a compiled level of lists by their index in the header. Other lists are empty.
///
/// # Panics
/// If it exceeds 4 GiB, or an index is not below `count`.
pub fn level(magic: &str, count: usize, lists: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut header = vec![[0_u32; 2]; count];
    let mut start = 4 + 8 * count;
    for (list, data) in lists {
        header[*list] = [start, data.len()].map(|number| u32::try_from(number).unwrap());
        start += data.len();
    }
    let data: Vec<u8> = lists.iter().flat_map(|(_, data)| data.clone()).collect();
    Bytes::new(magic).u32(header.as_flattened()).bytes(&data).0
}

/// Returns a list of textures. `None` is an empty slot.
fn texture_list(textures: &[Option<Vec<u8>>]) -> Vec<u8> {
    let mut offsets = vec![u32::try_from(textures.len()).unwrap()];
    let mut start = 4 + 4 * textures.len();
    for texture in textures {
        offsets.push(texture.as_ref().map_or(u32::MAX, |_| u32::try_from(start).unwrap()));
        start += texture.as_ref().map_or(0, Vec::len);
    }
    Bytes::default().u32(&offsets).bytes(&textures.iter().flatten().flatten().copied().collect::<Vec<_>>()).0
}

/// Returns WMB7: a palette, an empty slot and a texture of 24 bits, a block with a drawn and a hidden triangle.
pub fn wmb7() -> Vec<u8> {
    let textures = texture_list(&[None, Some(texture("wall", [2, 1], [4, 0, 0, 0], &[3, 2, 1, 6, 5, 4]))]);
    let block = Bytes::default().u32(&[1]).f32(&[0.0; 6]).u32(&[0, 3, 2, 2]);
    let vertex = |file: Bytes, x: f32, y: f32| file.f32(&[x, y, 7.0, x / 2.0, y / 2.0, 0.0, 0.0]);
    let block = vertex(vertex(vertex(block, 0.0, 0.0), 0.0, 4.0), 4.0, 0.0);
    let block = block.u16(&[0, 1, 2, 0]).u32(&[0]).u16(&[0, 2, 1, 1]).u32(&[1]);
    let block = block.u16(&[1, 0]).i32(&[-1]).f32(&[0.0; 2]).u32(&[3]);
    let block = block.u16(&[0, 0]).i32(&[-1]).f32(&[0.0; 2]).u32(&[16395]);
    let palettes = [vec![0; 16], palette()].concat();
    level("WMB7", 20, &[(0, palettes), (2, textures), (17, block.0)])
}

/// Returns WMB2 or WMB4: a texture of 16 bits and one of 8 bits, and a square.
pub fn wmb4(magic: &str) -> Vec<u8> {
    let mipmaps = |bytes: usize| vec![0; bytes * (64 + 16 + 4 + 1)];
    let high = texture("wall", [8, 8], [40, 0, 0, 0], &mipmaps(2));
    let textures = texture_list(&[Some(high), Some(texture("old", [8, 8], [40, 0, 0, 0], &mipmaps(1)))]);
    let vertices = Bytes::default().f32(&[0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 4.0, 4.0, 0.0, 4.0, 0.0, 0.0]).0;
    let material = Bytes::default().f32(&[1.0, 0.0, 0.0, 2.0, 0.0, -1.0, 0.0, 0.0]).u32(&[0]).u16(&[9]);
    let material = material.bytes(&[0; 64 - 38]).0;
    let face = Bytes::default().u16(&[0, 0]).u32(&[0]).u16(&[4, 0]);
    let edges = [[0, 0], [0, 1], [2, 1], [2, 3], [3, 0]];
    let (face, edges) = if magic == "WMB2" {
        (face.bytes(&[0; 8]).0, Bytes::default().u16(edges.as_flattened()).0)
    } else {
        let wide: Vec<u32> = edges.as_flattened().iter().map(|&index| index.into()).collect();
        (face.bytes(&[0; 12]).0, Bytes::default().u32(&wide).0)
    };
    let loops = Bytes::default().i32(&[1, -2, 3, 4]).0;
    level(magic, 16, &[(2, textures), (3, vertices), (6, material), (7, face), (12, edges), (13, loops)])
}
