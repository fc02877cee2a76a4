//! Recovery of damaged files.

use mapwright_io::Losses;

use crate::{Document, ElementId};

/// The readable part of a damaged file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rescued {
    /// The document.
    pub document: Document,
    /// The damaged and missing parts. Empty for a file without damage.
    pub losses: Losses,
    /// The elements of which only the first attributes are known, inner ones before those that contain them.
    pub incomplete: Vec<ElementId>,
}

/// Maximum number of damaged places that are listed one by one.
pub(crate) const MAX_LISTED: usize = 100;
