//! Reads animations.

use mapwright_io::{Budget, Context as _, FaultKind, Input};

use super::{Document, RECORD_SIZE, Record};
use crate::{Event, LoopMode, PositionMode, ReadError, ReadErrorKind, ReadOptions, RecordFlags, StepMode};

impl Document {
    /// Reads an animation with the given options.
    ///
    /// # Errors
    /// If it ends early, declares a negative number of records, or a limit is exceeded.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let (signature, reserved_04, flags) = (input.u32_le()?, input.u32_le()?, input.u32_le()?);
        let at = input.position();
        let declared = input.i32_le()?;
        let records = u32::try_from(declared);
        let records = records.map_err(|_| ReadError::new(ReadErrorKind::RecordCount { found: declared }, at))?;
        let name = input.u32_le()?;
        let reserved_14 = input.array()?;
        let name = input.count(name.into(), 1, "bytes of a name")?;
        let name = input.take(name)?.to_vec();
        let count = input.count(records.into(), RECORD_SIZE, "records")?;
        Budget::new(&options.limits).take_items(count as u64, at)?;
        let mut records = Vec::with_capacity(count);
        for index in 0..count {
            records.push(read_record(&mut input).in_item("records", index)?);
        }
        let trailing = input.read_to_end().to_vec();
        Ok(Self { signature, reserved_04, flags, reserved_14, name, records, trailing })
    }
}

fn read_record(input: &mut Input<'_>) -> Result<Record, ReadError> {
    let flags = RecordFlags(input.u16_le()?.into());
    Ok(Record {
        flags,
        step: StepMode(input.i16_le()?),
        loop_mode: LoopMode(input.i16_le()?),
        position: PositionMode(input.i16_le()?),
        frame: input.i16_le()?,
        duration: input.i16_le()?,
        event: Event(input.i16_le()?),
        offset: [input.i16_le()?, input.i16_le()?],
        reserved_12: input.u16_le()?,
        sounds: if flags.has(RecordFlags::SOUNDS) { Some(read_text(input).in_field("sounds")?) } else { None },
    })
}

/// Reads bytes up to a NUL.
fn read_text(input: &mut Input<'_>) -> Result<Vec<u8>, ReadError> {
    let available = input.remaining();
    let Some(length) = input.peek().iter().position(|byte| *byte == 0) else {
        let needed = (available as u64).saturating_add(1);
        return Err(input.fault(FaultKind::Truncated { needed, available: available as u64 }).into());
    };
    let text = input.take(length)?.to_vec();
    input.u8()?;
    Ok(text)
}
