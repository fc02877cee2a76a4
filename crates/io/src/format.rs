//! How a format introduces itself.

/// What a format is called and how its files are recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormatInfo {
    /// The short name in lower case, as the command line takes it: `wings`.
    pub name: &'static str,
    /// The name in full: `Wings 3D scene`.
    pub title: &'static str,
    /// File name extensions in lower case without the point, the usual one first.
    pub extensions: &'static [&'static str],
}

impl FormatInfo {
    /// A format's introduction.
    pub const fn new(name: &'static str, title: &'static str, extensions: &'static [&'static str]) -> Self {
        Self { name, title, extensions }
    }
}

/// How sure a sniffer is that bytes are of its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// They are not.
    No,
    /// They could be; other formats look like this too.
    Maybe,
    /// They carry the format's own mark.
    Certain,
}
