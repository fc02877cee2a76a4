//! Generated colours. They are stable: a number has the same colour in all images of all levels.

use mapwright_scene::Model;

/// Red, green and blue, multiplied by alpha, and alpha.
pub(crate) type Color = [u8; 4];

/// A transparent colour.
pub(crate) const CLEAR: Color = [0; 4];

/// Returns an opaque colour.
pub(crate) const fn opaque([red, green, blue]: [u8; 3]) -> Color {
    [red, green, blue, 255]
}

/// Hashes a number so that neighbouring numbers have unrelated values.
pub(crate) const fn hash(number: u32) -> u32 {
    let mut hash = number.wrapping_add(0x9E37_79B9);
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

/// Hashes a string.
pub(crate) fn hash_text(text: &str) -> u32 {
    hash(text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
}

/// Returns the name of a file without folders and extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit(['\\', '/']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(name, _)| name)
}

/// Hashes the name that the variants of a model share.
pub(crate) fn group(model: &Model) -> u32 {
    hash_text(&variants(model))
}

/// Returns the file name of a model up to the first digit, in lower case.
fn variants(model: &Model) -> String {
    let Model::Reference(path) = model else { return String::new() };
    let name = stem(path);
    let end = name.find(|letter: char| letter.is_ascii_digit()).filter(|&end| end > 0).unwrap_or(name.len());
    name.get(..end).unwrap_or(name).trim_end_matches(['_', '-', ' ']).to_ascii_lowercase()
}

/// Returns a colour with a hue of 0..1536, a brightness and a saturation of 0..=255. Brightness is perceived brightness.
pub(crate) fn tone(hue: u32, brightness: u32, strength: u32) -> [u8; 3] {
    let (sector, step) = (hue / 256 % 6, hue % 256);
    let pure = match sector {
        0 => [255, step, 0],
        1 => [255 - step, 255, 0],
        2 => [0, 255, step],
        3 => [0, 255 - step, 255],
        4 => [step, 0, 255],
        _ => [255, 0, 255 - step],
    };
    let gray = luma(pure);
    let weak = pure.map(|part| (part * strength + gray * (255 - strength)) / 255);
    // Yellow is six times as bright as blue. Move both halfway to the wanted brightness.
    let wanted = brightness.min(255);
    let bright = luma(weak).max(1);
    weak.map(|part| {
        let scaled = part * wanted / bright;
        // Spread the part that exceeds a channel as white.
        u8::try_from((scaled.min(255) * 3 + (wanted + scaled.saturating_sub(255) / 2).min(255)) / 4).unwrap_or(u8::MAX)
    })
}

/// Returns the perceived brightness of a colour, 0..=255.
const fn luma([red, green, blue]: [u32; 3]) -> u32 {
    (red * 54 + green * 183 + blue * 19) / 256
}

/// Visual weight of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// The tile does not collide.
    Light,
    /// The collision is unknown.
    Middle,
    /// The tile collides.
    Heavy,
}

/// Returns the colour of a tile number.
pub(crate) fn number(tile: u16, set: u16, weight: Weight) -> [u8; 3] {
    let hash = hash(u32::from(tile) | u32::from(set) << 16);
    let (hue, one, other) = (hash % 1536, (hash >> 12) % 64, (hash >> 20) % 64);
    match weight {
        Weight::Light => tone(hue, 70 + one / 2, 60 + other),
        Weight::Middle => tone(hue, 95 + one, 90 + other),
        Weight::Heavy => tone(hue, 140 + one, 130 + other),
    }
}

/// Mixes two colours. `share` is that of the second one, in 256ths.
pub(crate) fn mix(first: [u8; 3], second: [u8; 3], share: u16) -> [u8; 3] {
    let parts =
        [0, 1, 2].map(|part: usize| first.get(part).copied().zip(second.get(part).copied()).unwrap_or_default());
    parts.map(|(first, second)| {
        let mixed = (u16::from(first) * (256 - share) + u16::from(second) * share) / 256;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    })
}

/// Returns the colour of a palette index if there is no palette.
pub(crate) fn fill(index: u32) -> [u8; 3] {
    let hash = hash(index);
    tone(hash % 1536, 45 + (hash >> 12) % 30, 60)
}

/// Returns the colour of a texture cell of a terrain.
pub(crate) fn cell(index: u32) -> [u8; 3] {
    let hash = hash(index ^ 0x7E55_0000);
    tone(hash % 1536, 105 + (hash >> 12) % 70, 110 + (hash >> 20) % 80)
}

/// Returns the colour of a class of objects.
pub(crate) fn class(hash: u32) -> [u8; 3] {
    tone(hash % 1536, 150 + (hash >> 12) % 80, 230)
}

/// Returns the colour of a material: almost grey, because the real colour is unknown.
pub(crate) fn material(hash: u32) -> [u8; 3] {
    let (brightness, strength) = (150 + (hash >> 12) % 60, 20 + (hash >> 20) % 40);
    mix(tone(hash % 1536, brightness, strength), [u8::try_from(brightness).unwrap_or(u8::MAX); 3], 128)
}

/// Returns the colour of a collision attribute. It is clear without collision.
pub(crate) fn attribute(attribute: u32) -> Color {
    match attribute {
        0 => CLEAR,
        1 => opaque([0x9A, 0xA5, 0xB4]),
        2 => opaque([0x5F, 0xB5, 0x6A]),
        3 => opaque([0xE3, 0xB4, 0x4C]),
        4 => opaque([0xD9, 0x4B, 0x45]),
        other => {
            let hash = hash(other);
            opaque(tone(hash % 1536, 120 + (hash >> 12) % 60, 200))
        }
    }
}

/// The colour of tiles with unknown collision.
pub(crate) const UNKNOWN: Color = opaque([0x46, 0x3A, 0x52]);
/// The colour of empty areas.
pub(crate) const BACKGROUND: [u8; 3] = [0x1B, 0x1F, 0x2A];

/// Draws a colour over an opaque one.
pub(crate) fn blend_over([red, green, blue, opacity]: Color, below: &mut Color) {
    match opacity {
        255 => *below = [red, green, blue, 255],
        0 => {}
        _ => {
            let rest = 255 - u32::from(opacity);
            for (below, above) in below.iter_mut().zip([red, green, blue, opacity]) {
                let visible = (u32::from(*below) * rest + 127) / 255;
                *below = above.saturating_add(u8::try_from(visible).unwrap_or(u8::MAX));
            }
        }
    }
}

/// Draws a row of colours over opaque ones.
pub(crate) fn lay(colors: &[Color], below: &mut [Color]) {
    for (below, &color) in below.iter_mut().zip(colors) {
        blend_over(color, below);
    }
}

/// Multiplies a colour by a brightness.
pub(crate) fn lit(color: [u8; 3], light: f64) -> [u8; 3] {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    color.map(|part| (f64::from(part) * light).clamp(0.0, 255.0) as u8)
}

/// Multiplies a colour by an opacity of 0..=255.
pub(crate) fn fade(color: Color, opacity: u8) -> Color {
    color.map(|part| u8::try_from((u32::from(part) * u32::from(opacity) + 127) / 255).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_colours_are_stable() {
        // Images of different versions are compared by eye and by byte.
        assert_eq!(
            [number(1, 0, Weight::Middle), number(2, 0, Weight::Heavy), fill(128), class(hash_text("Officer"))],
            [[96, 118, 66], [104, 174, 255], [77, 59, 51], [60, 232, 151]]
        );
        assert_eq!(
            [material(hash_text("stone")), material(hash_text("dev_blank"))],
            [[145, 150, 163], [156, 161, 167]]
        );
    }

    #[test]
    fn variants_of_a_model_share_a_group() {
        let of = |path: &str| variants(&Model::Reference(path.into()));
        assert_eq!(of("data3d\\Smrk_1.p3d"), of("ca/plants/smrk2.p3d"));
        assert_eq!(of("ca\\structures\\Land_House.p3d"), "land_house");
        assert_eq!((of("3d.p3d"), of(""), of("\\")), ("3d".into(), String::new(), String::new()));
    }

    #[test]
    fn colours_of_neighbours_differ() {
        let mut colors: Vec<_> = (0..1000).map(|tile| number(tile, 0, Weight::Middle)).collect();
        assert!(colors.windows(2).all(|pair| pair[0] != pair[1]));
        colors.sort_unstable();
        colors.dedup();
        assert!(colors.len() > 980, "{}", colors.len());
    }

    #[test]
    fn half_transparent_colours_are_blended() {
        let mut below = opaque([200, 100, 0]);
        blend_over([50, 50, 50, 128], &mut below);
        assert_eq!(below, [150, 100, 50, 255]);
        blend_over(CLEAR, &mut below);
        assert_eq!(below, [150, 100, 50, 255]);
        blend_over(opaque([1, 2, 3]), &mut below);
        assert_eq!(below, [1, 2, 3, 255]);
    }
}
