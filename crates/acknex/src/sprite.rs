//! Sprites: images that entities show on rectangles.

/// The shape of a sprite. The name of its image defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sprite {
    /// Width and height of one animation frame in pixels. One pixel is one quant.
    pub size: [u32; 2],
    /// Number of animation frames, side by side in the image.
    pub frames: u32,
    /// Number of vertical planes that cross each other: 1 to 3.
    pub planes: u32,
}

impl Sprite {
    /// Returns the shape for the name and size of an image. `fire+4.tga` has 4 animation frames, `grass_x2.tga` has two planes. If the
    /// width is not a multiple of the number of frames, there is one frame.
    pub fn from_name(name: &[u8], size: [u32; 2]) -> Self {
        let stem = name.rsplit(|&byte| matches!(byte, b'\\' | b'/')).next().unwrap_or_default();
        let dot = stem.iter().rposition(|&byte| byte == b'.').unwrap_or(stem.len());
        let stem = stem.get(..dot).unwrap_or_default();
        let [width, height] = size;
        let frames = frame_count(stem).filter(|frames| *frames > 0 && width.is_multiple_of(*frames)).unwrap_or(1);
        let planes = match stem.to_ascii_lowercase().as_slice() {
            [.., b'_', b'x', b'2'] => 2,
            [.., b'_', b'x', b'3'] => 3,
            _ => 1,
        };
        Self { size: [width.checked_div(frames).unwrap_or(width), height], frames, planes }
    }
}

/// Returns the number after the last plus sign.
fn frame_count(stem: &[u8]) -> Option<u32> {
    let plus = stem.iter().rposition(|&byte| byte == b'+')?;
    let digits = stem.get(plus.checked_add(1)?..)?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_state_frames_and_planes() {
        let sprite = |name: &str| Sprite::from_name(name.as_bytes(), [64, 32]);
        assert_eq!(sprite(r"a\b+3\tree.tga"), Sprite { size: [64, 32], frames: 1, planes: 1 });
        assert_eq!(sprite("fire+4.tga"), Sprite { size: [16, 32], frames: 4, planes: 1 });
        assert_eq!(sprite("GRASS_X2.tga").planes, 2);
        assert_eq!(sprite("grass_x3").planes, 3);
        // Strips whose width does not divide, and numbers that are none, are shown whole.
        assert_eq!([sprite("a+5.pcx"), sprite("a+0.pcx"), sprite("a+b.pcx")].map(|it| it.frames), [1; 3]);
    }
}
