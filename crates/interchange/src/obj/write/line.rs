//! Lines with numbers.

use std::io::Write;
use std::ops::Range;

use mapwright_io::parallel;

use mapwright_scene::BoundedOutput;

/// Lines of text: a large file has millions of them.
#[derive(Default)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    floats: zmij::Buffer,
    integers: itoa::Buffer,
}

impl Lines {
    /// Writes lines. `add` gets the indices of items whose lines it adds. Parts of many items are converted to text at the same time. A
    /// text beyond the limit reports the error itself.
    pub(super) fn write(count: usize, text: &mut BoundedOutput, add: impl Fn(&mut Self, Range<usize>) + Send + Sync) {
        /// Number of items in a part.
        const PART: usize = 1 << 14;
        /// Number of parts per thread that are in memory before they are written.
        const PARTS: usize = 4;
        let mut rest = (0..count).step_by(PART).map(|start| start..count.min(start + PART));
        loop {
            let parts: Vec<_> = rest.by_ref().take(PARTS * parallel::threads()).collect();
            if parts.is_empty() {
                return;
            }
            let parts = parallel::map(parts, |items| {
                let bytes = Vec::with_capacity(items.len() * 48);
                let mut lines = Self { bytes, ..Self::default() };
                add(&mut lines, items);
                lines.bytes
            });
            parts.into_iter().for_each(|part| text.push_part(part));
        }
    }

    /// Adds text.
    pub(super) fn push(&mut self, text: &str) -> &mut Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    /// Adds a space and a number with the fewest digits that read back the same, as `{:?}` writes it.
    pub(super) fn float(&mut self, value: f64) -> &mut Self {
        self.bytes.push(b' ');
        // Both write these numbers without an exponent.
        if value == 0.0 || (1e-4..1e16).contains(&value.abs()) {
            push_short(&mut self.bytes, self.floats.format_finite(value).as_bytes());
        } else {
            // Writing to memory does not fail.
            let _ = write!(self.bytes, "{value:?}");
        }
        self
    }

    /// Adds a colour channel as `{:?}` writes it.
    pub(super) fn channel(&mut self, value: f32) -> &mut Self {
        // Writing to memory does not fail.
        let _ = write!(self.bytes, " {value:?}");
        self
    }

    /// Adds an index.
    pub(super) fn index(&mut self, index: usize) -> &mut Self {
        push_short(&mut self.bytes, self.integers.format(index).as_bytes());
        self
    }

    /// Ends the line.
    pub(super) fn end(&mut self) {
        self.bytes.push(b'\n');
    }
}

/// Appends a few bytes. Copies of fixed sizes are faster than those of any size.
fn push_short(out: &mut Vec<u8>, bytes: &[u8]) {
    const HALF: usize = 8;
    let end = out.len() + bytes.len();
    match (bytes.first_chunk::<HALF>(), bytes.last_chunk::<HALF>()) {
        (Some(first), Some(last)) if bytes.len() <= 2 * HALF => {
            out.extend_from_slice(first);
            out.extend_from_slice(&[0; HALF]);
            if let Some(place) = out.get_mut(end - HALF..end) {
                place.copy_from_slice(last);
            }
            out.truncate(end);
        }
        (None, _) => {
            let mut all = [0; HALF];
            all.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
            out.extend_from_slice(&all);
            out.truncate(end);
        }
        _ => out.extend_from_slice(bytes),
    }
}

#[cfg(test)]
mod tests {
    use mapwright_io::math::powf;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_those_of_the_standard_library(bits: u64, digits in -20_i32..20, short in -99_999_i32..99_999) {
            for value in [f64::from_bits(bits), f64::from(short) * powf(10.0, digits.into()), f64::from(short), -0.0] {
                let mut line = Lines::default();
                line.push("v").float(value);
                let (written, expected) = (String::from_utf8_lossy(&line.bytes), format!("v {value:?}"));
                // Two shortest numbers may be equally near to the value.
                let is_same_value = written.len() == expected.len() && written[2..].parse() == Ok(value);
                prop_assert!(written == expected || is_same_value, "{} {}", written, expected);
            }
        }
    }
}
