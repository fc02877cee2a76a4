//! Bodies for the art of Claw and Gruntz.

use mapwright_testkit::{Refusal, laws};
use mapwright_wapart::drawing::{self, Layer, Motion};
use mapwright_wapart::{FrameSet, Game, Image, ImageSets, Palette, WriteOptions, WriterProfile, ani, pcx, pid};

use crate::target::{Target, refusal};

/// The targets of `mapwright-wapart`. A byte of skips unpacks to at most 127 pixels.
pub const TARGETS: &[Target] = &[
    Target { body: pid, inputs: PID, inflation: 127, ..wapart("wapart_pid") },
    Target { body: pcx, inputs: PCX, inflation: 32, ..wapart("wapart_pcx") },
    Target { body: ani, inputs: ANI, ..wapart("wapart_ani") },
    Target { body: rules, inputs: RULES, ..wapart("wapart_rules") },
];

const fn wapart(name: &'static str) -> Target {
    Target { name, format: "wapart", files: "wapart", memory: 32, ..Target::NEW }
}

const PID: &[&[u8]] = &[
    // Packed, with the colour key: a run over the end of a row, literals.
    b"\x0a\0\0\0\x01\0\0\0\x03\0\0\0\x02\0\0\0\xfa\xff\xff\xff\x05\0\0\0\0\0\0\0\0\0\0\0\xc4\xc8\xc1\xff\x07",
    // Skips with a fill colour, and light.
    b"\x0a\0\0\0\x65\x01\0\0\x03\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0\x02\x01\x02\x81\x82\x01\x03",
];

const PCX: &[&[u8]] = &[
    // One plane of 3×2 pixels in rows of 4 bytes; three planes of 2×1.
    b"\x0a\x05\x01\x08\0\0\0\0\x02\0\x01\0\x48\0\x48\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \x01\x04\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc8\x07",
    b"\x0a\x05\x01\x08\0\0\0\0\x01\0\0\0\x48\0\x48\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
      \x03\x02\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc6\x07",
];

const ANI: &[&[u8]] = &[
    // A record with sounds, and one without.
    b"\x20\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0SET\
      \x02\0\x03\0\0\0\0\0\x07\0\x64\0\x01\0\0\0\0\0\xff\xffA_B C_D\0\
      \0\0\x01\0\x09\0\0\0\0\0\0\0\x63\0\0\0\0\0\0\0",
];

const RULES: &[&[u8]] = &[
    b"LEVEL1/TILES/ACTION/012.PID\nLEVEL1/TILES/ACTION/A012.PCX\nGAME\\IMAGES\\COINS\\WALL.PID",
    b"LEVEL1/IMAGES/A_B/1.PID\nLEVEL1/IMAGES/A/B/1.PID\nX/LEVEL1/IMAGES/C/99999.RID",
];

fn document(bytes: &[u8]) -> Result<pid::Document, Refusal> {
    pid::Document::from_bytes(bytes).map_err(refusal)
}

/// Checks that an accepted image comes back byte for byte, and has the same pixels when it is packed again.
pub fn pid(bytes: &[u8]) {
    let Some(read) = laws::total(bytes, document) else { return };
    laws::exact("the input", bytes, document, pid::Document::to_bytes);
    for profile in WriterProfile::ALL {
        let packed = read.to_bytes_with(&WriteOptions::default().with_profile(profile));
        let again = document(&packed.expect("a document that was read can be written"));
        assert!(again.as_ref() == Ok(&read), "packing changes the image");
    }
    assert!(read.validate().len() < 10, "too many findings");
    check_colors(read.indices.len(), &read.into());
}

/// Checks that an accepted image comes back byte for byte.
pub fn pcx(bytes: &[u8]) {
    let document = |bytes: &[u8]| pcx::Document::from_bytes(bytes).map_err(refusal);
    let Some(read) = laws::total(bytes, document) else { return };
    laws::exact("the input", bytes, document, pcx::Document::to_bytes);
    assert!(read.validate().len() < 10, "too many findings");
    let pixels = u64::from(read.width()) * u64::from(read.height());
    check_colors(usize::try_from(pixels).expect("few pixels"), &read.into());
}

fn check_colors(pixels: usize, image: &Image) {
    let palette = Palette::grey();
    for game in [Game::Claw, Game::Gruntz] {
        assert_eq!(image.to_rgba(game, Some(&palette)).len(), 4 * pixels, "four bytes for each pixel");
    }
}

/// Checks that an accepted animation comes back byte for byte, and that its typed view takes any numbers.
pub fn ani(bytes: &[u8]) {
    let document = |bytes: &[u8]| ani::Document::from_bytes(bytes).map_err(refusal);
    let Some(read) = laws::total(bytes, document) else { return };
    laws::exact("the input", bytes, document, ani::Document::to_bytes);
    let mut frame = 1;
    for record in &read.records {
        frame = record.next_frame(frame, 1, 9);
        assert!(record.duration_ms() > 0, "a record without a duration");
    }
    assert!(read.sound_names().all(|name| !name.is_empty()), "a sound without a name");
    let _ = read.validate();
}

/// Checks that image sets of any paths contain only these paths, and that the rules of drawing take any numbers.
pub fn rules(bytes: &[u8]) {
    let paths: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let mut sets = ImageSets::new(&paths);
    sets.add_root(br"\LEVEL1\TILES", b"");
    sets.add_root(b"LEVEL1_IMAGES", b"LEVEL");
    for set in sets.iter() {
        assert!(set.frames.iter().all(|(_, file)| file < paths.len()) && !set.frames.is_empty(), "{set:?}");
        assert!(sets.get(&set.key) == Some(set), "{set:?} is not found");
    }
    let frames = FrameSet::from_names(&paths);
    assert_eq!(frames.at_rest(-1), frames.iter().next(), "the lowest frame");

    let (words, _) = bytes.as_chunks::<4>();
    let numbers: Vec<i32> = words.iter().map(|word| i32::from_le_bytes(*word)).collect();
    let layers: Vec<Layer> = numbers.iter().map(|&z| Layer { z, is_main: z < 0 }).collect();
    for uses_z in [false, true] {
        let order = drawing::draw_order(&layers, &numbers, uses_z);
        assert_eq!(order.len(), 2 * numbers.len(), "each plane and object once");
    }
    for numbers in numbers.windows(6) {
        let [x, y, width, height, percent, z] = *numbers else { continue };
        for logic in [&b"RollingBall"[..], b"EyeCandy", b"FortressFlag"] {
            let rules = drawing::logic_rules(Game::Gruntz, logic);
            let _ = rules.z(z, rules.position([x, y]), Some(width.unsigned_abs()));
        }
        let size = [width, height].map(i32::unsigned_abs);
        let corner = drawing::top_left([x, y], size, [z, percent], [true, false]);
        let plane = Motion { size: corner, wraps: [x > 0, y > 0], percent: [percent, z], is_main: false };
        let _ = plane.origin([x.into(), y.into()], size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_files_are_accepted() {
        let accepted = |is_accepted: fn(&[u8]) -> bool, files: &[&[u8]]| files.iter().all(|file| is_accepted(file));
        assert!(accepted(|file| document(file).is_ok(), PID));
        assert!(accepted(|file| pcx::Document::from_bytes(file).is_ok(), PCX));
        assert!(accepted(|file| ani::Document::from_bytes(file).is_ok(), ANI));
    }
}
