//! Writes animations.

use mapwright_io::{Context as _, Output};

use super::{Document, HEADER_SIZE, RECORD_SIZE, Record};
use crate::{RecordFlags, WriteError, WriteErrorKind, WriteOptions};

impl Document {
    /// Writes the animation with the given options.
    ///
    /// # Errors
    /// If fields contradict each other, or a count exceeds the bits of the format.
    pub fn to_bytes_with(&self, _options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        let too_many = |what, count| WriteError::without_position(WriteErrorKind::TooMany { what, count });
        let records = i32::try_from(self.records.len());
        let records = records.map_err(|_| too_many("records", self.records.len()))?;
        let name = u32::try_from(self.name.len());
        let name = name.map_err(|_| too_many("bytes of the name", self.name.len()))?;
        let size = self.records.len().saturating_mul(RECORD_SIZE).saturating_add(HEADER_SIZE);
        let mut output = Output::with_capacity(size.saturating_add(self.name.len()));
        output.u32s_le(&[self.signature, self.reserved_04, self.flags]);
        output.i32_le(records);
        output.u32_le(name);
        output.bytes(&self.reserved_14);
        output.bytes(&self.name);
        for (index, record) in self.records.iter().enumerate() {
            write_record(&mut output, record).in_item("records", index)?;
        }
        output.bytes(&self.trailing);
        Ok(output.into_bytes())
    }
}

fn write_record(output: &mut Output, record: &Record) -> Result<(), WriteError> {
    let error = WriteError::without_position;
    let found = record.flags.0;
    let flags = u16::try_from(found).map_err(|_| error(WriteErrorKind::RecordFlags { found }))?;
    if record.flags.has(RecordFlags::SOUNDS) != record.sounds.is_some() {
        return Err(error(WriteErrorKind::SoundsFlag));
    }
    output.u16_le(flags);
    let [dx, dy] = record.offset;
    output.i16s_le(&[record.step.0, record.loop_mode.0, record.position.0, record.frame, record.duration]);
    output.i16s_le(&[record.event.0, dx, dy]);
    output.u16_le(record.reserved_12);
    if let Some(sounds) = &record.sounds {
        if sounds.contains(&0) {
            return Err(error(WriteErrorKind::SoundsNul));
        }
        output.bytes(sounds);
        output.u8(0);
    }
    Ok(())
}
