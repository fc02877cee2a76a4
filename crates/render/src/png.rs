//! PNG files.

use std::io::{self, Write};

use crate::Error;

/// Writes an image. `rows` writes red, green and blue of each pixel, from the top.
pub(crate) fn write(
    out: impl Write,
    [width, height]: [u32; 2],
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    let mut stream = writer.stream_writer_with_size(1 << 16)?;
    rows(&mut stream).map_err(Error::Write)?;
    stream.finish()?;
    writer.finish()?;
    Ok(())
}
