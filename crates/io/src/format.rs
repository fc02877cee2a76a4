//! Names and recognition of formats.

/// The names of a format and the extensions of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormatInfo {
    /// The short name in lower case, as used on the command line: `wings`.
    pub name: &'static str,
    /// The name in full: `Wings 3D scene`.
    pub title: &'static str,
    /// File name extensions in lower case without the dot, the usual one first.
    pub extensions: &'static [&'static str],
}

impl FormatInfo {
    /// Creates the description of a format.
    pub const fn new(name: &'static str, title: &'static str, extensions: &'static [&'static str]) -> Self {
        Self { name, title, extensions }
    }
}

/// The result of `sniff`: the likelihood that bytes have a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// The bytes do not have the format.
    No,
    /// The bytes may have the format. Other formats look similar.
    Maybe,
    /// The bytes contain the signature of the format.
    Certain,
}
