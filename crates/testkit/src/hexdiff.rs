//! The first difference of two byte strings.

use std::fmt::Write as _;

/// Bytes in one row.
const ROW: usize = 16;
/// Number of rows before and after the row of the first difference.
const AROUND: usize = 2;

/// Returns the first difference of two byte strings with two rows around it, or `None` if they are equal.
///
/// ```
/// let text = mapwright_testkit::hexdiff(b"level one", b"level two").unwrap();
/// assert_eq!(text, "\
/// first difference at offset 6 (0x6): 6f expected, 74 found; length 9 expected, 9 found
/// - 00000000  6c 65 76 65 6c 20 6f 6e 65                       level one
/// + 00000000  6c 65 76 65 6c 20 74 77 6f                       level two
///                               ^^ ^^ ^^
/// ");
/// ```
pub fn hexdiff(expected: &[u8], found: &[u8]) -> Option<String> {
    if expected == found {
        return None;
    }
    let common = expected.len().min(found.len());
    let first = expected.iter().zip(found).position(|(a, b)| a != b).unwrap_or(common);
    let byte = |bytes: &[u8]| bytes.get(first).map_or_else(|| "the end".to_owned(), |byte| format!("{byte:02x}"));
    let mut out = format!(
        "first difference at offset {first} ({first:#x}): {} expected, {} found; length {} expected, {} found\n",
        byte(expected),
        byte(found),
        expected.len(),
        found.len()
    );
    let row = first / ROW;
    for index in row.saturating_sub(AROUND)..=row + AROUND {
        let at = index * ROW;
        let (old, new) = (row_of(expected, at), row_of(found, at));
        if old == new {
            if !old.is_empty() {
                push_row(&mut out, ' ', at, old);
            }
            continue;
        }
        push_row(&mut out, '-', at, old);
        push_row(&mut out, '+', at, new);
        let marks: String =
            (0..ROW).map(|column| if old.get(column) == new.get(column) { "   " } else { "^^ " }).collect();
        let _ = writeln!(out, "            {}", marks.trim_end());
    }
    Some(out)
}

fn row_of(bytes: &[u8], at: usize) -> &[u8] {
    &bytes[at.min(bytes.len())..(at + ROW).min(bytes.len())]
}

fn push_row(out: &mut String, sign: char, at: usize, row: &[u8]) {
    let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
    let text: String = row.iter().map(|&b| if b.is_ascii_graphic() || b == b' ' { b as char } else { '.' }).collect();
    let _ = writeln!(out, "{sign} {at:08x}  {:<48} {text}", hex.join(" "));
}

#[cfg(test)]
mod tests {
    use super::hexdiff;

    #[test]
    fn equal_bytes_have_no_difference() {
        assert_eq!(hexdiff(b"", b""), None);
        assert_eq!(hexdiff(&[7; 100], &[7; 100]), None);
    }

    #[test]
    fn a_missing_end_is_a_difference_at_the_end() {
        let text = hexdiff(&[0; 40], &[0; 32]).unwrap();
        assert!(text.starts_with("first difference at offset 32 (0x20): 00 expected, the end found"), "{text}");
        assert!(text.contains("\n  00000000 ") && text.contains("\n- 00000020 ") && text.contains("\n+ 00000020 "));
        assert!(hexdiff(&[0; 32], &[0; 40]).unwrap().contains("the end expected, 00 found"));
    }

    #[test]
    fn only_the_surroundings_are_shown() {
        let mut other = [0; 10_000];
        other[5_000] = 1;
        assert!(hexdiff(&[0; 10_000], &other).unwrap().lines().count() <= 8);
    }
}
