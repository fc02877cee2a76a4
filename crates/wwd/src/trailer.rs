//! Bytes behind the stored block: WapMap's notes.

/// What WapMap's notes begin with.
pub(crate) const BEGIN: &[u8] = b"<wm_meta>";
/// What they end with.
pub(crate) const END: &[u8] = b"</wm_meta>";

/// Where the notes start that stand at the end of a main block that is not compressed; its length if there are none. They say
/// their own length before the end.
pub(crate) fn trailer_start(bytes: &[u8]) -> usize {
    let start = || {
        let before = bytes.strip_suffix(END)?;
        let size = usize::try_from(u32::from_le_bytes(*before.last_chunk()?)).ok()?;
        let start = bytes.len().checked_sub(size)?;
        bytes.get(start..)?.starts_with(BEGIN).then_some(start)
    };
    start().unwrap_or(bytes.len())
}
