//! Files assembled by hand.

use mapwright_wapart::io::{Category, Confidence, FaultKind, Limits};
use mapwright_wapart::{
    Palette, PidFlags, ReadErrorKind, ReadOptions, WriteErrorKind, WriteOptions, WriterProfile, ani, pcx, pid,
};

use crate::support::{palette_bytes, pcx_file, pid_file};

fn read(file: &[u8]) -> pid::Document {
    pid::Document::from_bytes(file).unwrap()
}

#[test]
fn packed_runs_cross_the_end_of_rows() {
    let file = pid_file(1, [3, 2], [-4, 5], &[0xC4, 200, 0xC0, 9, 0xC1, 0xFF, 0, 77]);
    let image = read(&file);
    assert_eq!(image.indices, [200, 200, 200, 200, 255, 0]);
    assert_eq!((image.width, image.height, image.offset), (3, 2, [-4, 5]));
    assert_eq!((image.flags, &*image.trailing), (PidFlags::TRANSPARENT, &[77][..]));
    let runs = image.count_runs();
    assert_eq!((runs.empty, runs.over_row, runs.excess), (1, 1, 0));
    assert_eq!(image.to_bytes().unwrap(), file);
    // The last run may be too long.
    let file = pid_file(0, [2, 1], [0; 2], &[0xFF, 5]);
    let image = read(&file);
    assert_eq!((&*image.indices, image.count_runs().excess), (&[5, 5][..], 61));
    assert_eq!(image.to_bytes().unwrap(), file);
}

#[test]
fn skips_cross_the_end_of_rows() {
    let file = pid_file(0x21 | 8 | 16, [3, 2], [0; 2], &[2, 200, 201, 128 + 3, 128, 0, 1, 9]);
    let image = read(&file);
    assert_eq!(image.indices, [200, 201, 0, 0, 0, 9]);
    assert_eq!(image.skipped, [false, false, true, true, true, false]);
    let runs = image.count_runs();
    assert_eq!((runs.empty, runs.over_row, runs.excess), (2, 1, 0));
    assert!(image.flags.has(PidFlags::MIRROR) && image.flags.has(PidFlags::INVERT), "flags are stored, not applied");
    assert_eq!(image.to_bytes().unwrap(), file);
    assert_eq!(read(&pid_file(0x20, [2, 1], [0; 2], &[255])).skipped, [true; 2]);
    // Literals beyond the image must exist.
    assert_eq!(read(&pid_file(0x20, [2, 1], [0; 2], &[3, 1, 2, 3])).indices, [1, 2]);
    let error = pid::Document::from_bytes(&pid_file(0x20, [2, 1], [0; 2], &[3, 1, 2])).unwrap_err();
    assert_eq!(error.category(), Category::Truncated);
}

#[test]
fn skipped_pixels_have_the_colour_of_the_fill_word_with_its_flag() {
    let mut file = pid_file(0x120, [4, 1], [0; 2], &[0x82, 2, 5, 7]);
    file[24..28].copy_from_slice(&0x1234_5607_u32.to_le_bytes());
    let image = read(&file);
    assert_eq!((image.fill, image.fill_index(), &*image.indices), (0x1234_5607, 7, &[7, 7, 5, 7][..]));
    assert_eq!(image.skipped, [true, true, false, false], "a literal of the same colour is opaque");
    file[4..8].copy_from_slice(&0x20_u32.to_le_bytes());
    assert_eq!((read(&file).fill_index(), &read(&file).indices[..2]), (0, &[0, 0][..]));
}

#[test]
fn a_palette_is_the_end_of_the_file() {
    let mut file = pid_file(0x80, [3, 1], [0; 2], &[0, 1, 255 - 64]);
    file.extend(palette_bytes());
    let image = read(&file);
    assert_eq!(image.palette.as_ref().unwrap().color(3), [3, 252, 7]);
    assert_eq!(image.to_bytes().unwrap(), file);
    // A palette is no pixels.
    file.remove(32);
    let error = pid::Document::from_bytes(&file).unwrap_err();
    assert_eq!((error.category(), error.position().unwrap().offset), (Category::Truncated, 34));
    file.truncate(600);
    assert_eq!(pid::Document::from_bytes(&file).unwrap_err().category(), Category::Truncated);
}

#[test]
fn a_palette_file_is_768_bytes() {
    let palette = Palette::from_bytes(&palette_bytes()).unwrap();
    assert_eq!((palette.color(3), palette.as_bytes()), ([3, 252, 7], &*palette_bytes()));
    assert_eq!(Palette::grey().color(200), [200; 3]);
    for size in [0, 767, 769, 1024] {
        let error = Palette::from_bytes(&vec![0; size]).unwrap_err();
        assert!(matches!(error.kind(), ReadErrorKind::PaletteSize { found } if *found == size));
    }
}

#[test]
fn impossible_sizes_are_rejected_without_allocating() {
    for size in [[0, 5], [5, 0], [-1, 5], [i32::MIN, i32::MIN]] {
        let error = pid::Document::from_bytes(&pid_file(0, size, [0; 2], &[1; 100])).unwrap_err();
        assert!(matches!(error.kind(), ReadErrorKind::Size { .. }), "{error}");
        assert_eq!(error.position().unwrap().offset, 8);
    }
    let error = pid::Document::from_bytes(&pid_file(0, [i32::MAX, i32::MAX], [0; 2], &[1; 100])).unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::Input(FaultKind::Limit { .. })), "{error}");
    // The limit allows it, but a hundred bytes cannot contain it.
    for flags in [0, 0x20] {
        let error = pid::Document::from_bytes(&pid_file(flags, [4096, 4096], [0; 2], &[0xFF; 100])).unwrap_err();
        assert_eq!((error.category(), error.position().unwrap().offset), (Category::Truncated, 32), "{error}");
    }
    let options = ReadOptions::default().with_limits(Limits::default().with_max_decompressed(5));
    let error = pid::Document::from_bytes_with(&pid_file(0, [3, 2], [0; 2], &[1; 6]), &options).unwrap_err();
    assert!(error.category() == Category::Limit && error.help().is_some(), "{error}");
}

/// Source: "Encoders".
#[test]
fn changed_pixels_are_packed_like_the_pixels_that_were_read() {
    // Both files have the same pixels; a lone 0x41 shows the rule.
    let pixels = [0x41, 9, 9, 0xC5, 0x41];
    let tiles: &[u8] = &[0x41, 0xC2, 9, 0xC1, 0xC5, 0x41];
    let sprites: &[u8] = &[0xC1, 0x41, 0xC2, 9, 0xC1, 0xC5, 0xC1, 0x41];
    // No known program writes this encoding.
    let other: &[u8] = &[0x41, 9, 9, 0xC1, 0xC5, 0x41];
    for (stream, changed) in [(tiles, &[0xC3, 9, 0xC1, 0xC5, 0x42][..]), (sprites, &[0xC3, 9, 0xC1, 0xC5, 0xC1, 0x42])]
    {
        let mut image = read(&pid_file(0, [5, 1], [0; 2], stream));
        assert_eq!(image.indices, pixels);
        (image.indices[0], image.indices[4]) = (9, 0x42);
        assert_eq!(image.to_bytes().unwrap()[32..], *changed);
        (image.indices[0], image.indices[4]) = (0x41, 0x41);
        assert_eq!(image.to_bytes().unwrap()[32..], *stream, "an undone change");
    }
    let mut image = read(&pid_file(0, [5, 1], [0; 2], other));
    assert_eq!(image.to_bytes().unwrap()[32..], *other);
    for (profile, expected) in [(WriterProfile::Tiles, tiles), (WriterProfile::Sprites, sprites)] {
        let options = WriteOptions::default().with_profile(profile);
        assert_eq!(image.to_bytes_with(&options).unwrap()[32..], *expected);
    }
    image.indices[1] = 8;
    assert_eq!(image.to_bytes().unwrap()[32..], [0x41, 8, 9, 0xC1, 0xC5, 0x41]);
}

#[test]
fn runs_end_with_their_row_and_at_their_longest() {
    let mut image = pid::Document::new(200, 2, vec![7; 400]);
    let row = [0xFF, 7, 0xFF, 7, 0xFF, 7, 0xC0 | 11, 7];
    assert_eq!(image.to_bytes().unwrap()[32..], [row, row].concat());
    image.set_skipped(Some(vec![true; 400]));
    let row = [0xFE, 0x80 | 74];
    assert_eq!(image.to_bytes().unwrap()[32..], [row, row].concat());
    image.set_skipped(Some(vec![false; 400]));
    let stream = image.to_bytes().unwrap().split_off(32);
    assert_eq!((stream.len(), stream[0], stream[128], stream[202]), (2 * 202, 127, 73, 127));
}

#[test]
fn contradictory_images_are_not_written() {
    let kind = |image: &pid::Document| image.to_bytes().unwrap_err().into_kind();
    let mut image = pid::Document::new(2, 1, vec![1, 2, 3]);
    assert!(matches!(kind(&image), WriteErrorKind::Count { expected: 2, found: 3, .. }));
    image.indices.pop();
    image.flags = PidFlags::SKIPS;
    assert!(matches!(kind(&image), WriteErrorKind::Count { expected: 2, found: 0, .. }));
    image.skipped = vec![true, false];
    assert!(matches!(kind(&image), WriteErrorKind::SkippedIndex { expected: 0, found: 1 }));
    image.indices[0] = 0;
    assert!(image.to_bytes().is_ok());
    image.palette = Some(Palette::grey());
    assert!(matches!(kind(&image), WriteErrorKind::PaletteFlag));
    image.set_palette(None);
    image.width = 0;
    assert!(matches!(kind(&image), WriteErrorKind::Size { .. }));
    image.width = u32::MAX;
    assert!(matches!(kind(&image), WriteErrorKind::Size { .. }));
}

#[test]
fn rid_images_have_a_byte_per_pixel() {
    let file = pid_file(0x20, [3, 2], [1, 2], &[0xC4, 200, 1, 2, 0xFF, 7]);
    let image = pid::Document::from_rid(&file, &ReadOptions::default()).unwrap();
    assert_eq!((&*image.indices, image.offset), (&[0xC4, 200, 1, 2, 0xFF, 7][..], [1, 2]));
    let again = read(&image.to_bytes().unwrap());
    assert_eq!(again, image, "as PID");
    let error = pid::Document::from_rid(&file[..37], &ReadOptions::default()).unwrap_err();
    assert_eq!(error.category(), Category::Truncated);
}

#[test]
fn pcx_of_256_colours() {
    let mut file = pcx_file([3, 2], 1, 4, 1, &[0xC3, 9, 0, 1, 0xC2, 200, 0]);
    let image = pcx::Document::from_bytes(&file).unwrap();
    assert_eq!((image.width(), image.height()), (3, 2));
    assert_eq!(image.indices().unwrap(), [9, 9, 9, 1, 200, 200], "without the padding");
    assert!(image.palette.is_none() && image.rgb().is_none());
    assert_eq!(image.to_bytes().unwrap(), file);
    file.push(12);
    file.extend(palette_bytes());
    let image = pcx::Document::from_bytes(&file).unwrap();
    assert_eq!(image.palette.as_ref().unwrap().color(9), [9, 246, 7]);
    assert_eq!(image.to_bytes().unwrap(), file);
    // A palette is no pixels.
    file.remove(128 + 6);
    assert_eq!(pcx::Document::from_bytes(&file).unwrap_err().category(), Category::Truncated);
}

#[test]
fn pcx_of_three_planes_has_no_palette() {
    // Runs cross planes and rows: red 9 9, green 9 1, blue 2 2; then zeros.
    let mut file = pcx_file([2, 2], 3, 2, 1, &[0xC3, 9, 1, 0xC2, 2, 0xC6, 0]);
    let image = pcx::Document::from_bytes(&file).unwrap();
    assert_eq!(image.rgb().unwrap(), [9, 9, 2, 9, 1, 2, 0, 0, 0, 0, 0, 0]);
    assert!(image.indices().is_none());
    file.push(12);
    file.extend(palette_bytes());
    let image = pcx::Document::from_bytes(&file).unwrap();
    assert_eq!((image.palette.is_none(), image.trailing.len()), (true, 769));
    assert_eq!(image.to_bytes().unwrap(), file);
}

#[test]
fn plain_pcx_rows_are_not_packed() {
    let file = pcx_file([2, 1], 1, 2, 0, &[0xC3, 9]);
    let image = pcx::Document::from_bytes(&file).unwrap();
    assert_eq!(image.indices().unwrap(), [0xC3, 9]);
    assert_eq!(image.to_bytes().unwrap(), file);
}

#[test]
fn other_pcx_files_are_rejected() {
    let file = pcx_file([2, 2], 1, 2, 1, &[0xC4, 9]);
    let changed = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        pcx::Document::from_bytes(&file).unwrap_err()
    };
    assert!(matches!(changed(0, 11).kind(), ReadErrorKind::NotPcx { found: 11 }));
    for (at, byte) in [(2, 2), (3, 1), (65, 2), (65, 4)] {
        assert_eq!(changed(at, byte).category(), Category::Unsupported, "{at}");
    }
    assert!(matches!(changed(66, 1).kind(), ReadErrorKind::PcxRow { row: 1, width: 2 }));
    assert!(matches!(changed(8, 0).kind(), ReadErrorKind::Size { width: -2, height: 2 }));
    // Rows far longer than the image.
    let file = pcx_file([1, 60_000], 3, u16::MAX, 1, &[0xFF; 100]);
    assert_eq!(pcx::Document::from_bytes(&file).unwrap_err().category(), Category::Limit);
}

#[test]
fn pcx_files_are_made_from_indices() {
    let indices = [1, 1, 1, 200, 200, 5];
    let image = pcx::Document::from_indices(3, 2, &indices, Some(Palette::grey())).unwrap();
    let file = image.to_bytes().unwrap();
    assert_eq!(file[128..137], [0xC3, 1, 0, 0xC2, 200, 5, 0, 12, 0]);
    let again = pcx::Document::from_bytes(&file).unwrap();
    assert_eq!((&again, again.indices().unwrap()), (&image, indices.to_vec()));
    let kind = |image: Result<pcx::Document, _>| image.and_then(|image| image.to_bytes()).unwrap_err().into_kind();
    assert!(matches!(kind(pcx::Document::from_indices(3, 2, &[1], None)), WriteErrorKind::Count { .. }));
    assert!(matches!(kind(pcx::Document::from_indices(65_535, 1, &[1; 65_535], None)), WriteErrorKind::PcxSize { .. }));
    let mut narrow = pcx::Document::from_indices(4, 1, &[1; 4], None).unwrap();
    narrow.row = 2;
    let error = narrow.to_bytes().unwrap_err().to_string();
    assert_eq!(error, "invalid PCX row size 2: expected at least 4 bytes, with at most 67108864 in all rows in row");
    // Pixels that would be read as a palette: 12 is 769 bytes before the end.
    let pixels: Vec<u8> = (0..1538_u32).map(|at| if at == 769 { 12 } else { (at % 11) as u8 }).collect();
    let image = pcx::Document::from_indices(1538, 1, &pixels, None);
    assert!(matches!(kind(image), WriteErrorKind::AmbiguousPalette));
    let mut image = again;
    image.planes = 3;
    assert!(matches!(kind(Ok(image)), WriteErrorKind::PaletteOfPlanes));
}

#[test]
fn formats_are_recognized() {
    let pid = pid_file(0x3A5, [3, 2], [0; 2], &[]);
    assert_eq!(
        (pid::sniff(&pid), pcx::sniff(&pid), ani::sniff(&pid)),
        (Confidence::Maybe, Confidence::No, Confidence::No)
    );
    let pcx = pcx_file([3, 2], 3, 4, 1, &[]);
    assert_eq!(
        (pid::sniff(&pcx), pcx::sniff(&pcx), ani::sniff(&pcx)),
        (Confidence::No, Confidence::Certain, Confidence::No)
    );
    let ani = ani::Document::default().to_bytes().unwrap();
    assert_eq!(
        (pid::sniff(&ani), pcx::sniff(&ani), ani::sniff(&ani)),
        (Confidence::No, Confidence::No, Confidence::Maybe)
    );
    for bytes in [&b""[..], &[10], &[0; 200]] {
        assert_eq!(
            (pid::sniff(bytes), pcx::sniff(bytes), ani::sniff(bytes)),
            (Confidence::No, Confidence::No, Confidence::No)
        );
    }
}

#[test]
fn findings_name_what_the_games_cannot_read() {
    let codes = |findings: Vec<mapwright_wapart::io::Finding>| -> Vec<&str> {
        findings.into_iter().map(|finding| finding.code).collect()
    };
    assert_eq!(codes(read(&pid_file(0, [4, 1], [0; 2], &[0xC4, 7])).validate()), [""; 0]);
    let packed = read(&pid_file(0x400, [3, 1], [0; 2], &[0xC0, 1, 0xC4, 7, 5]));
    assert_eq!(
        codes(packed.validate()),
        ["image-width", "empty-run", "excess-pixels", "trailing-bytes", "unknown-flags"]
    );
    assert_eq!(codes(read(&pid_file(0x20, [3, 2], [0; 2], &[0x86])).validate()), ["run-over-row"]);
    let mut image = pcx::Document::from_indices(3, 1, &[1, 2, 3], None).unwrap();
    assert_eq!(codes(image.validate()), ["palette-missing", "image-width"]);
    (image.palette, image.max[0]) = (Some(Palette::grey()), 3);
    assert_eq!(codes(image.validate()), [""; 0]);
}
