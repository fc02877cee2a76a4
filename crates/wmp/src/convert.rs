//! Dialects into each other.
//!
//! | from → to | exact | computed | lost, and reported |
//! |---|---|---|---|
//! | any → `$$M` | positions and vertices, to the digits of the editor | finished texture vectors, angles, lengths of edges, colours of bytes | groups, colours of the level, fog, script, nexus, palette, sources of textures, regions, albedo and names of models of eight skills |
//! | `$$M` → 710 | shapes, textures, numbers | angles; names of paths and targets | – |

mod resolved;

use crate::Document;
use crate::loss::{Converted, Report};

impl Document {
    /// The resolved map (`$$M`), as the editor makes it for the compiler.
    pub fn to_resolved(&self) -> Converted<Self> {
        let mut report = Report::default();
        let document = resolved::resolve(self, &mut report);
        Converted { document, losses: report.0 }
    }

    /// A map in text, version 710, that means what this one does: of a resolved map all that it says, in one group.
    pub fn recover(&self) -> Converted<Self> {
        let mut report = Report::default();
        let document = resolved::recover(self, &mut report);
        Converted { document, losses: report.0 }
    }
}
