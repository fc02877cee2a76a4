//! The first difference of two values in their debug output.

use std::fmt::{Debug, Write as _};

/// Number of lines before the first difference, and from it on.
const AROUND: usize = 6;

/// Returns the first lines in which the pretty `Debug` texts of two values differ.
///
/// For values that are known to be unequal. If their texts are equal, the result states that: a bit of a float may not be
/// printed.
pub fn debugdiff<T: Debug>(expected: &T, found: &T) -> String {
    let (expected, found) = (format!("{expected:#?}"), format!("{found:#?}"));
    let first = expected.lines().zip(found.lines()).position(|(a, b)| a != b);
    let first = match first {
        Some(first) => first,
        None if expected == found => return "both print the same\n".to_owned(),
        None => expected.lines().count().min(found.lines().count()),
    };
    let mut out = format!("first difference in line {} of the debug text\n", first + 1);
    for line in expected.lines().skip(first.saturating_sub(AROUND)).take(first.min(AROUND)) {
        let _ = writeln!(out, "  {line}");
    }
    for (sign, text) in [('-', &expected), ('+', &found)] {
        for line in text.lines().skip(first).take(AROUND) {
            let _ = writeln!(out, "{sign} {line}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::debugdiff;

    #[test]
    fn the_first_different_line_is_shown() {
        let text = debugdiff(&vec![1, 2, 3], &vec![1, 5, 3]);
        assert!(text.starts_with("first difference in line 3 "), "{text}");
        assert!(text.contains("\n-     2,\n") && text.contains("\n+     5,\n"), "{text}");
        assert!(debugdiff(&"same", &"same").contains("the same"));
    }
}
