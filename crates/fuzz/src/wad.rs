//! Bodies for archives of textures.

use mapwright_interchange::wad::Wad;
use mapwright_testkit::laws;

use crate::scene::refusal;
use crate::target::Target;

/// The targets of archives of textures.
pub const TARGETS: &[Target] =
    &[Target { name: "wad_read", format: "wad", files: "wad", body: read, inputs: FILES, memory: 16, ..Target::NEW }];

const FILES: &[&[u8]] = &[
    // An entry of two texels with the palette of the game, and one of five bytes that are none.
    b"WAD2\x02\0\0\0\x3f\0\0\0ab\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x01\0\0\0\x28\0\0\0\x2a\0\0\0\x2b\0\0\0\x2c\0\0\0\x01\x02\
      12345\x0c\0\0\0\x2a\0\0\0\x2a\0\0\0\x44\0\0\0ab\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \x36\0\0\0\x05\0\0\0\x05\0\0\0\x42\0\0\0bar\0\0\0\0\0\0\0\0\0\0\0\0\0",
    // Of Gamestudio: a texel of 32 bits.
    b"WAD7\x01\0\0\0\x38\0\0\0sky\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\x2c\0\0\0\0\0\0\0\0\0\0\0\x01\x02\
      \x0c\0\0\0\x2c\0\0\0\x2c\0\0\0\x08\0\0\0sky\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"WAD3\0\0\0\0\x0c\0\0\0",
];

/// Reads and decodes every image.
pub fn read(bytes: &[u8]) {
    let refused = |bytes: &[u8]| Wad::from_bytes(bytes).map(|_| ()).map_err(refusal);
    if laws::total(bytes, refused).is_none() {
        return;
    }
    let Ok(wad) = Wad::from_bytes(bytes) else { return };
    for texture in &wad.textures {
        assert!(wad.texture(&texture.name).is_some(), "a texture that its archive does not find");
        if let Some(pixels) = texture.pixels() {
            assert_eq!([pixels.width, pixels.height], texture.size, "the image has another size than declared");
        }
    }
}
