//! Names of materials as faces use them.

use std::collections::{HashMap, HashSet};

use mapwright_scene::MaterialId;

use super::terms::MAX_ATOM;
use crate::Name;
use crate::scene::materials::HOLE;

/// The names that faces use for the materials of a scene.
#[derive(Debug, Default)]
pub(super) struct FaceNames {
    /// By index of the material. `None` is the material `default`.
    pub(super) names: Vec<Option<Name>>,
    /// Materials whose name differs from that in the base.
    pub(super) renamed: HashSet<MaterialId>,
}

impl FaceNames {
    pub(super) fn find(&self, material: Option<MaterialId>) -> Option<&Name> {
        self.names[material?.index()].as_ref()
    }

    /// Returns `true` if a material of the scene has the name `default`. Faces without a material get it.
    pub(super) fn has_default(&self) -> bool {
        self.names.iter().any(Option::is_none)
    }

    /// Returns `true` if the name of a material differs from that in the base.
    pub(super) fn is_renamed(&self, material: Option<MaterialId>) -> bool {
        material.is_some_and(|material| self.renamed.contains(&material))
    }
}

/// Makes names of materials unique, and short enough for atoms.
#[derive(Default)]
pub(super) struct UniqueNames {
    pub(super) taken: HashSet<String>,
    /// The next number to try for each stem.
    next: HashMap<String, u64>,
}

impl UniqueNames {
    /// Returns the name if it can be used. Otherwise replaces its last digits by a number, as Wings does.
    pub(super) fn make_unique(&mut self, name: &str) -> String {
        let cut: String = name.chars().take(MAX_ATOM).collect();
        let plain = if cut.is_empty() { "material".to_owned() } else { cut };
        if plain != HOLE && self.taken.insert(plain.clone()) {
            return plain;
        }
        // A number has up to 20 digits, and a space may precede it.
        let stem: String = plain.trim_end_matches(|c: char| c.is_ascii_digit()).chars().take(MAX_ATOM - 21).collect();
        let separator = if stem.contains(' ') && !stem.ends_with(' ') { " " } else { "" };
        let next = self.next.entry(stem.clone()).or_insert(2);
        loop {
            let numbered = format!("{stem}{separator}{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}
