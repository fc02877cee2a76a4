//! Files that lie.

use mapwright_interchange::{
    Category,
    heightmap::{self, Format, ImportOptions},
};
use mapwright_scene::NoFiles;
use mapwright_testkit::{Refusal, laws, mutate};
use proptest::prelude::*;

use super::terrains::*;

fn read_or_refuse(bytes: &[u8]) -> Result<mapwright_scene::Import, Refusal> {
    let options = ImportOptions::default().with_max_bytes(1 << 20);
    heightmap::to_scene(bytes, &NoFiles, &options).map_err(|error| {
        assert!(!error.to_string().is_empty());
        Refusal::new(error.category().name(), None, error.to_string())
    })
}

#[test]
fn damaged_files_are_read_or_rejected() {
    let scene = floats(7, &(0..42).map(|height| height as f32 / 3.0).collect::<Vec<_>>());
    let stepped = steps(every_step());
    for format in FORMATS {
        let (file, _) = written(&scene, &options(format));
        for mutant in mutate::numbers(&file) {
            laws::total(&mutant, read_or_refuse);
        }
        for end in 0..file.len() {
            let _ = laws::total(&file[..end], read_or_refuse);
        }
    }
    for format in [Format::Png, Format::Tif] {
        let (file, _) = written(&stepped, &options(format));
        for end in (0..file.len()).step_by(997) {
            let _ = laws::total(&file[..end], read_or_refuse);
        }
    }
}

#[test]
fn truncated_images_are_rejected() {
    let scene = steps(every_step());
    for format in [Format::Png, Format::Tif] {
        let (file, _) = written(&scene, &options(format));
        let error = read_with(&file[..file.len() / 2], &ImportOptions::default()).unwrap_err();
        assert_eq!(error.category(), Category::Truncated, "{format:?}: {error}");
    }
}

#[test]
fn limits_can_be_raised() {
    let scene = steps(every_step());
    for format in [Format::Png, Format::Tif] {
        let (file, _) = written(&scene, &options(format));
        let error = read_with(&file, &ImportOptions::default().with_max_bytes(65_536 * 4 - 1)).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(error.help().unwrap().contains("max_bytes"));
        assert!(read_with(&file, &ImportOptions::default().with_max_bytes(65_536 * 4)).is_ok());
    }
}

#[test]
fn impossible_sizes_are_rejected() {
    // A PNG of 2³¹ − 1 squared pixels, and one of 30,000 squared, without any of them.
    for edge in [0x7fff_ffff_u32, 30_000] {
        let mut head = Vec::from(*b"IHDR");
        head.extend(edge.to_be_bytes());
        head.extend(edge.to_be_bytes());
        head.extend([16, 0, 0, 0, 0]);
        let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
        file.extend(&head);
        file.extend(crc(&head).to_be_bytes());
        file.extend(b"\0\0\0\0IDAT");
        file.extend(crc(b"IDAT").to_be_bytes());
        let error = read_with(&file, &ImportOptions::default().with_max_bytes(u64::MAX)).unwrap_err();
        assert!(matches!(error.category(), Category::Limit | Category::Truncated), "{error}");
    }
    for asc in ["ncols 4294967295\nnrows 4294967295\n1 2\n", "ncols 65536\nnrows 65536\n1 nan -nan nope"] {
        let error = read_with(asc.as_bytes(), &ImportOptions::default()).unwrap_err();
        assert_eq!(error.category(), Category::Malformed, "{error}");
    }
    let error = read_with(b"0 0 0\n1e9 0 0\n2 0 0\n", &ImportOptions::default()).unwrap_err();
    assert_eq!(error.category(), Category::Malformed);
    // No more than an image can contain, but more than the file does.
    let (mut tif, _) = written(&floats(2, &[1.0; 4]), &options(Format::Tif));
    let at = tif.windows(8).rposition(|entry| entry == [0, 1, 4, 0, 1, 0, 0, 0]).expect("the entry of the width") + 8;
    tif[at..at + 4].copy_from_slice(&60_000_u32.to_le_bytes());
    assert!(read_with(&tif, &ImportOptions::default()).is_err());
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..200), mark in 0..5_usize) {
        let marks: [&[u8]; 5] = [b"", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b"ncols 3 nrows "];
        let _ = laws::total(&[marks[mark], &bytes].concat(), read_or_refuse);
    }

    #[test]
    fn any_words_are_read_or_rejected(
        words in prop::collection::vec(
            prop_oneof![
                Just("ncols".to_owned()), Just("nrows".into()), Just("nan".into()), Just("-inf".into()), Just("\n".into()),
                Just("1e99999".into()), Just("cellsize".into()), Just("nodata_value".into()), Just(",".into()),
                any::<i8>().prop_map(|number| number.to_string()), any::<f32>().prop_map(|number| number.to_string()),
            ],
            0..60,
        ),
    ) {
        let _ = laws::total(words.join(" ").as_bytes(), read_or_refuse);
    }
}
