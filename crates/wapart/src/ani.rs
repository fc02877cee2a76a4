//! ANI animations: records that choose the frame of an image set, with durations, events and sounds. They contain no pixels.
//!
//! ```
//! use mapwright_wapart::StepMode;
//! use mapwright_wapart::ani::{Document, Record};
//!
//! let mut animation = Document::default();
//! animation.records.push(Record { step: StepMode::FRAME, frame: 7, duration: 100, ..Record::default() });
//! let file = animation.to_bytes()?;
//! assert_eq!(file.len(), 52);
//!
//! let mut animation = Document::from_bytes(&file)?;
//! animation.records[0].set_sounds(Some(b"GAME_POP1 GAME_POP2".to_vec()));
//! let record = &animation.records[0];
//! assert_eq!((record.duration_ms(), record.sound_names().count()), (100, 2));
//! assert_eq!(record.next_frame(1, 1, 9), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;
mod validate;
mod write;

use mapwright_io::{Confidence, FormatInfo, Input};

use crate::{Event, LoopMode, PositionMode, ReadError, ReadOptions, RecordFlags, StepMode, WriteError, WriteOptions};

/// The names of the format.
pub const FORMAT: FormatInfo = FormatInfo::new("ani", "Claw and Gruntz animation", &["ani"]);

/// Size of the header in bytes.
pub const HEADER_SIZE: usize = 32;

/// Size of a record in bytes, without its sounds.
pub const RECORD_SIZE: usize = 20;

/// Duration of an update of the games in milliseconds.
pub const UPDATE_MS: u32 = 22;

/// An animation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Size of the header. The games do not read it. Observed value: 32.
    pub signature: u32,
    /// Unknown. Observed value: 0.
    pub reserved_04: u32,
    /// Unknown. Observed value: 0.
    pub flags: u32,
    /// Unknown. Observed value: 0.
    pub reserved_14: [u8; 12],
    /// Name of an image set, often outdated. The games do not use it.
    pub name: Vec<u8>,
    /// The records in order.
    pub records: Vec<Record>,
    /// Bytes after the last record. Observed value: none.
    pub trailing: Vec<u8>,
}

/// One step of an animation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Details of the duration and the sounds.
    pub flags: RecordFlags,
    /// The rule by which the frame is chosen.
    pub step: StepMode,
    /// The continuation after this record.
    pub loop_mode: LoopMode,
    /// The movement of the object.
    pub position: PositionMode,
    /// A frame number, or a number of frames, depending on [`step`](Self::step).
    pub frame: i16,
    /// Duration; see [`duration_ms`](Self::duration_ms).
    pub duration: i16,
    /// The event for the logic of the object.
    pub event: Event,
    /// Movement right and down in pixels. Observed value: 0.
    pub offset: [i16; 2],
    /// Uninitialized memory of the program that wrote the file.
    pub reserved_12: u16,
    /// Names of sounds, separated by spaces, with `SOUNDS`. The file ends them with a NUL.
    pub sounds: Option<Vec<u8>>,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            signature: 32,
            reserved_04: 0,
            flags: 0,
            reserved_14: [0; 12],
            name: Vec::new(),
            records: Vec::new(),
            trailing: Vec::new(),
        }
    }
}

impl Default for Record {
    fn default() -> Self {
        Self {
            flags: RecordFlags(0),
            step: StepMode::STAY,
            loop_mode: LoopMode::NEXT_RECORD,
            position: PositionMode::NONE,
            frame: 0,
            duration: 0,
            event: Event::NONE,
            offset: [0; 2],
            reserved_12: 0,
            sounds: None,
        }
    }
}

mapwright_io::read_functions!("an animation");
mapwright_io::write_functions!("the animation");

impl Document {
    /// Returns the frame with which the animation starts, if its first record names one.
    pub fn first_frame(&self) -> Option<i16> {
        self.records.first().filter(|record| record.step == StepMode::FRAME).map(|record| record.frame)
    }

    /// Returns the frames that records name, in order. An image set should have all of them.
    pub fn named_frames(&self) -> impl Iterator<Item = i16> {
        self.records.iter().filter(|record| record.step == StepMode::FRAME).map(|record| record.frame)
    }

    /// Returns the names of the sounds of all records, in order.
    pub fn sound_names(&self) -> impl Iterator<Item = &[u8]> {
        self.records.iter().flat_map(Record::sound_names)
    }
}

impl Record {
    /// Sets or removes the names of sounds and their flag.
    pub fn set_sounds(&mut self, sounds: Option<Vec<u8>>) {
        self.flags = self.flags.with(RecordFlags::SOUNDS, sounds.is_some());
        self.sounds = sounds;
    }

    /// Returns the names of sounds. The game plays one of them. Bytes up to 0x21 separate names.
    pub fn sound_names(&self) -> impl Iterator<Item = &[u8]> {
        let names = self.sounds.iter().flat_map(|names| names.split(|byte| *byte <= 0x21));
        names.filter(|name| !name.is_empty())
    }

    /// Returns the duration in milliseconds. A duration of 0 or less is one update.
    pub fn duration_ms(&self) -> u32 {
        let duration = u32::try_from(self.duration).unwrap_or(0);
        match duration {
            0 => UPDATE_MS,
            updates if self.flags.has(RecordFlags::UPDATES) => updates.saturating_mul(UPDATE_MS),
            _ => duration,
        }
    }

    /// Returns the frame number of this record, from the number that is shown and the lowest and highest number of the image set. The
    /// result may be outside the set: then the object shows nothing. Unknown steps keep the frame.
    pub fn next_frame(&self, shown: i32, lowest: i32, highest: i32) -> i32 {
        match self.step {
            StepMode::NEXT if shown >= highest => lowest,
            StepMode::NEXT => shown.saturating_add(1),
            StepMode::PREVIOUS if shown <= lowest => highest,
            StepMode::PREVIOUS => shown.saturating_sub(1),
            StepMode::FRAME => self.frame.into(),
            StepMode::LOWEST => lowest,
            StepMode::HIGHEST => highest,
            StepMode::ADD => shown.saturating_add(self.frame.into()),
            StepMode::SUBTRACT => shown.saturating_sub(self.frame.into()),
            _ => shown,
        }
    }
}

/// Returns the likelihood that bytes are an animation, from their first 32.
pub fn sniff(bytes: &[u8]) -> Confidence {
    let words = Input::new(bytes).u32s_le(8);
    match words.as_deref() {
        Ok(&[32, 0, 0, records, name, 0, 0, 0]) if records <= 0xFFFF && name <= 0xFFFF => Confidence::Maybe,
        _ => Confidence::No,
    }
}
