//! Animations assembled by hand, and their typed view.

use mapwright_wapart::ani::{Document, Record};
use mapwright_wapart::io::Category;
use mapwright_wapart::{Event, LoopMode, PositionMode, ReadErrorKind, RecordFlags, StepMode, WriteErrorKind};

use crate::support::ani_file;

#[test]
fn every_word_of_a_record_is_read() {
    let file = ani_file(b"SET", [2, 3, 9, 1, 7, 120, 99, -5, 6, -1], b"A_ONE A_TWO\0!!");
    let animation = Document::from_bytes(&file).unwrap();
    let expected = Record {
        flags: RecordFlags::SOUNDS,
        step: StepMode::FRAME,
        loop_mode: LoopMode::END,
        position: PositionMode(1),
        frame: 7,
        duration: 120,
        event: Event::TOOL_APPLIES,
        offset: [-5, 6],
        reserved_12: 0xFFFF,
        sounds: Some(b"A_ONE A_TWO".to_vec()),
    };
    assert_eq!(
        (&*animation.name, &*animation.records, &*animation.trailing),
        (&b"SET"[..], &[expected][..], &b"!!"[..])
    );
    assert_eq!(animation.sound_names().collect::<Vec<_>>(), [b"A_ONE", b"A_TWO"]);
    assert_eq!((animation.first_frame(), animation.named_frames().collect::<Vec<_>>()), (Some(7), vec![7]));
    assert_eq!(animation.to_bytes().unwrap(), file);
    let findings: Vec<String> = animation.validate().iter().map(ToString::to_string).collect();
    assert_eq!(
        findings,
        [
            "note[unknown-code]: unknown position mode 1 in records[0]",
            "note[trailing-bytes]: 2 bytes after the last record"
        ]
    );
}

#[test]
fn impossible_counts_are_rejected() {
    let file = ani_file(b"", [2, 0, 0, 0, 0, 0, 0, 0, 0, 0], b"A\0");
    let error = |at: usize, bytes: &[u8]| {
        let mut file = file.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        Document::from_bytes(&file).unwrap_err()
    };
    assert!(matches!(error(12, &[255; 4]).kind(), ReadErrorKind::RecordCount { found: -1 }));
    assert_eq!(error(12, &[2]).category(), Category::Truncated);
    assert_eq!(error(12, &[255, 255, 255, 127]).category(), Category::Truncated);
    assert_eq!(error(16, &[255; 4]).category(), Category::Truncated);
    let endless = error(53, b"B");
    assert_eq!((endless.category(), endless.path().to_string()), (Category::Truncated, "records[0].sounds".to_owned()));
}

#[test]
fn contradictory_records_are_not_written() {
    let kind = |record: Record| {
        let animation = Document { records: vec![Record::default(), record], ..Document::default() };
        let error = animation.to_bytes().unwrap_err();
        assert_eq!(error.path().to_string(), "records[1]");
        error.into_kind()
    };
    let sounds = |sounds: &[u8]| Record { sounds: Some(sounds.to_vec()), ..Record::default() };
    assert!(matches!(kind(sounds(b"A")), WriteErrorKind::SoundsFlag));
    assert!(matches!(kind(Record { flags: RecordFlags::SOUNDS, ..sounds(b"A\0B") }), WriteErrorKind::SoundsNul));
    assert!(matches!(kind(Record { flags: RecordFlags::SOUNDS, ..Record::default() }), WriteErrorKind::SoundsFlag));
    let found = 0x1_0000;
    assert!(matches!(
        kind(Record { flags: RecordFlags(found), ..Record::default() }),
        WriteErrorKind::RecordFlags { .. }
    ));
}

/// Source: "ANI", words 1 and 5.
#[test]
fn records_choose_frames_and_durations() {
    let next = |step: i16, frame: i16, shown: i32| {
        Record { step: StepMode(step), frame, ..Record::default() }.next_frame(shown, 2, 9)
    };
    let expected = [(0, 5), (1, 6), (2, 4), (3, 7), (4, 2), (5, 9), (6, 12), (7, -2), (8, 5)];
    for (step, frame) in expected {
        assert_eq!(next(step, 7, 5), frame, "{step}");
    }
    assert_eq!((next(1, 0, 9), next(2, 0, 2)), (2, 9), "from one end to the other");
    assert_eq!((next(1, 0, i32::MAX), next(6, 1, i32::MAX), next(7, 1, i32::MIN)), (2, i32::MAX, i32::MIN));
    let duration = |flags: u32, duration: i16| Record { flags: RecordFlags(flags), duration, ..Record::default() };
    let durations = [(0, 120, 120), (0, 0, 22), (0, -5, 22), (1, 3, 66), (1, 0, 22), (1, i16::MAX, 720_874)];
    for (flags, stored, expected) in durations {
        assert_eq!(duration(flags, stored).duration_ms(), expected);
    }
}

#[test]
fn bytes_up_to_0x21_separate_sounds() {
    let mut record = Record::default();
    record.set_sounds(Some(b"  A_B!C\tD\x7f\x01".to_vec()));
    assert!(record.flags.has(RecordFlags::SOUNDS));
    assert_eq!(record.sound_names().collect::<Vec<_>>(), [&b"A_B"[..], b"C", b"D\x7f"]);
    record.set_sounds(Some(vec![b'A'; 256]));
    let animation = Document { records: vec![record], ..Document::default() };
    assert_eq!(animation.validate()[0].code, "sounds-length");
    assert_eq!(Document::default().validate()[0].code, "no-records");
}
