//! Documents with every part of the formats.

use mapwright_wapart::ani::{self, Record};
use mapwright_wapart::{Event, LoopMode, Palette, PidFlags, PositionMode, RecordFlags, StepMode, pcx, pid};
use proptest::prelude::*;

/// Bytes with runs, and with every kind of token. 12 is left out: it could be taken for the mark of a palette.
fn pixels(count: usize) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![4 => Just(0), 4 => Just(0xC5), 2 => 0x30_u8..0x50, 1 => (13_u8..).prop_map(|byte| byte)];
    let runs = prop::collection::vec((byte, prop_oneof![3 => 1_usize..3, 1 => 60_usize..140]), 1..20);
    runs.prop_map(move |runs| {
        let all: Vec<u8> = runs.into_iter().flat_map(|(byte, length)| std::iter::repeat_n(byte, length)).collect();
        all.iter().copied().cycle().take(count).collect()
    })
}

fn palette() -> impl Strategy<Value = Palette> {
    any::<u8>().prop_map(|seed| {
        let color = |index: u8| [index ^ seed, index.wrapping_mul(seed), seed];
        Palette::from_bytes(&(0..=255).flat_map(color).collect::<Vec<u8>>()).expect("768 bytes")
    })
}

fn few_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(any::<u8>(), 1..9)]
}

pub(crate) fn pid() -> impl Strategy<Value = pid::Document> {
    (1_u32..150, 1_u32..4).prop_flat_map(|(width, height)| {
        let count = (width * height) as usize;
        let words = (any::<u32>(), any::<u32>(), any::<[i32; 2]>(), any::<u32>(), any::<u32>());
        let parts = (prop::option::of(palette()), few_bytes(), prop::option::of(pixels(count)));
        (pixels(count), words, parts).prop_map(move |(indices, words, (palette, trailing, mask))| {
            let mut image = pid::Document::new(width, height, indices);
            (image.description, image.flags.0, image.offset, image.fill, image.reserved_1c) = words;
            image.trailing = trailing;
            image.flags = image.flags.with(PidFlags::SKIPS, false);
            image.set_palette(palette);
            image.set_skipped(mask.map(|mask| mask.into_iter().map(|byte| byte == 0).collect()));
            image
        })
    })
}

pub(crate) fn pcx() -> impl Strategy<Value = pcx::Document> {
    let sizes = (1_u32..150, 1_u32..4, 0_u16..3, any::<bool>(), 0_u8..2, any::<u16>());
    sizes.prop_flat_map(|(width, height, padding, is_indexed, encoding, left)| {
        let planes: u8 = if is_indexed { 1 } else { 3 };
        let row = u16::try_from(width).expect("it is small") + padding;
        let count = usize::from(row) * usize::from(planes) * height as usize;
        let header = (any::<u8>(), any::<[u16; 2]>(), any::<u8>(), any::<u8>(), any::<u16>(), any::<[u16; 2]>());
        let parts = (prop::option::of(palette()), few_bytes(), pixels(count));
        (header, parts).prop_map(move |(header, (palette, trailing, rows))| {
            let mut image = pcx::Document::from_indices(1, 1, &[0], None).expect("a small image");
            let left = left.min(60_000);
            let small = |number: u32| u16::try_from(number).expect("it is small");
            (image.min, image.max) = ([left, 7], [left + small(width - 1), 6 + small(height)]);
            let ega: u8;
            (image.version, image.resolution, ega, image.reserved_40, image.palette_kind, image.screen) = header;
            (image.ega_palette, image.reserved_4a) = ([ega; 48], [ega; 54]);
            (image.encoding, image.planes, image.row, image.rows) = (encoding, planes, row, rows);
            (image.palette, image.trailing) = (palette.filter(|_| is_indexed), trailing);
            image
        })
    })
}

fn record() -> impl Strategy<Value = Record> {
    let code = || prop_oneof![0_i16..10, Just(99_i16), any::<i16>()];
    let sounds = prop::option::of(prop::collection::vec(1_u8.., 0..20));
    let codes = (any::<u16>(), code(), code(), code(), code());
    (codes, any::<[i16; 4]>(), any::<u16>(), sounds).prop_map(|(codes, numbers, reserved_12, sounds)| {
        let (flags, step, loop_mode, position, event) = codes;
        let [frame, duration, dx, dy] = numbers;
        let mut record = Record {
            flags: RecordFlags(flags.into()),
            step: StepMode(step),
            loop_mode: LoopMode(loop_mode),
            position: PositionMode(position),
            frame,
            duration,
            event: Event(event),
            offset: [dx, dy],
            reserved_12,
            sounds: None,
        };
        record.set_sounds(sounds);
        record
    })
}

pub(crate) fn ani() -> impl Strategy<Value = ani::Document> {
    let words = (any::<u32>(), any::<u32>(), any::<u32>(), any::<[u8; 12]>());
    let name = prop::collection::vec(any::<u8>(), 0..9);
    let records = prop::collection::vec(record(), 0..6);
    (words, name, records, few_bytes()).prop_map(|(words, name, records, trailing)| {
        let (signature, reserved_04, flags, reserved_14) = words;
        ani::Document { signature, reserved_04, flags, reserved_14, name, records, trailing }
    })
}
