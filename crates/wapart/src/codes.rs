//! Codes and flags of the files. They are open: values without a name are preserved.

use mapwright_io::{flags, open_code};

flags! {
    /// Flags of a PID image. Only `SKIPS`, `OWN_PALETTE` and `FILL` change the decoding.
    pub struct PidFlags {
        /// The colour key of the game is transparent. Only for images without `SKIPS`.
        TRANSPARENT = 1,
        /// The image is stored in video memory.
        VIDEO_MEMORY = 2,
        /// The image is stored in system memory.
        SYSTEM_MEMORY = 4,
        /// Named by editors. Gruntz does not read it, and pixels are stored in file order.
        MIRROR = 8,
        /// Named by editors. Gruntz does not read it, and pixels are stored in file order.
        INVERT = 0x10,
        /// Pixels are runs of transparent pixels and of literal bytes. Without the flag they are packed as in PCX.
        SKIPS = 0x20,
        /// Pixels are strengths of light, not colours.
        LIGHT = 0x40,
        /// The last 768 bytes are a palette.
        OWN_PALETTE = 0x80,
        /// The low byte of the fill word is the colour of skipped pixels. Without the flag it is 0.
        FILL = 0x100,
        /// The image was made from one with 8 bits per pixel. No effect on the pixels.
        EIGHT_BIT_SOURCE = 0x200,
    }
}

flags! {
    /// Flags of a record of an animation: 16 bits in the file. Real files only use `SOUNDS`.
    pub struct RecordFlags {
        /// The duration is a number of updates of 22 ms each, instead of milliseconds.
        UPDATES = 1,
        /// Names of sounds follow the record.
        SOUNDS = 2,
        /// The sound is positional.
        POSITIONAL = 4,
        /// The sound is forced.
        FORCED = 8,
    }
}

open_code! {
    /// The rule by which a record chooses the frame.
    pub struct StepMode(i16) {
        /// The frame stays.
        STAY = 0,
        /// The next frame. The lowest follows the highest.
        NEXT = 1,
        /// The previous frame.
        PREVIOUS = 2,
        /// The frame in `frame`.
        FRAME = 3,
        /// The lowest frame of the image set.
        LOWEST = 4,
        /// The highest frame of the image set.
        HIGHEST = 5,
        /// The current frame number plus `frame`.
        ADD = 6,
        /// The current frame number minus `frame`.
        SUBTRACT = 7,
    }
}

open_code! {
    /// The continuation after a record. 1, 2, 4, 5 and 7 are unused by the games.
    pub struct LoopMode(i16) {
        /// The next record; after the last one the first.
        NEXT_RECORD = 0,
        /// The next record, once the highest frame of the image set is shown.
        WAIT_FOR_HIGHEST = 3,
        /// The first record.
        RESTART = 8,
        /// The animation ends.
        END = 9,
    }
}

open_code! {
    /// The movement of the object by a record. 1 to 3 move it by `offset`; no known file uses them.
    pub struct PositionMode(i16) {
        /// The object does not move.
        NONE = 0,
    }
}

open_code! {
    /// An event that a record sends to the logic of its object. 3 and 100 occur; their meaning is unknown.
    pub struct Event(i16) {
        /// No event.
        NONE = 0,
        /// The animation has finished.
        FINISHED = 1,
        /// The effect of the action.
        EFFECT = 2,
        /// The tool applies.
        TOOL_APPLIES = 99,
    }
}
