//! Names with stars.

use std::fmt;

use crate::escape_bytes;

/// A pattern of names: each `*` stands for any part, capitals and small letters are the same.
///
/// ```
/// use mapwright_io::Pattern;
///
/// assert!(Pattern::new(b"*brick*").matches(b"OLDBRICK2"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// What stands between the stars, in small letters.
    parts: Vec<Vec<u8>>,
}

impl Pattern {
    /// A pattern of its text as bytes.
    pub fn new(pattern: &[u8]) -> Self {
        Self { parts: pattern.split(|&byte| byte == b'*').map(<[u8]>::to_ascii_lowercase).collect() }
    }

    /// Whether it has no star: then only one name is like it.
    pub fn is_exact(&self) -> bool {
        self.parts.len() == 1
    }

    /// Whether a name is like that.
    pub fn matches(&self, name: &[u8]) -> bool {
        let name = name.to_ascii_lowercase();
        let (Some(first), Some(last)) = (self.parts.first(), self.parts.last()) else { return false };
        if self.is_exact() {
            return name == *first;
        }
        let Some(mut rest) = name.strip_prefix(first.as_slice()) else { return false };
        // Each part as early as it can be: what is left for the others is the most.
        for part in self.parts.iter().skip(1).take(self.parts.len().saturating_sub(2)) {
            let found = (0..=rest.len()).find(|at| rest.get(*at..).is_some_and(|rest| rest.starts_with(part)));
            let Some(behind) = found.and_then(|at| rest.get(at.saturating_add(part.len())..)) else { return false };
            rest = behind;
        }
        rest.ends_with(last)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, part) in self.parts.iter().enumerate() {
            if place > 0 {
                f.write_str("*")?;
            }
            f.write_str(&escape_bytes(part))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_part() {
        let cases = [
            ("a.p3d", "A.P3D", true),
            ("a.p3d", "ab.p3d", false),
            ("*les*", "data3d\\les_su.p3d", true),
            ("*les", "les.p3d", false),
            ("data*les*p3d", "data3d\\les_su.p3d", true),
            ("ab*ba", "aba", false),
            ("ab*ba", "abba", true),
            ("*a*a*", "a", false),
            ("*", "", true),
        ];
        for (pattern, name, matches) in cases {
            assert_eq!(Pattern::new(pattern.as_bytes()).matches(name.as_bytes()), matches, "{pattern} {name}");
        }
        assert_eq!(Pattern::new(b"*A\xb3*").to_string(), "*a\\xb3*");
    }
}
