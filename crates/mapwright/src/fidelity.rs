//! Fidelity of conversions, computed from what formats can store.

use std::fmt::Write;

use mapwright_scene::{Feature, Support};

use crate::Format;

/// A kind of content that users miss when a conversion loses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConversionFeature {
    /// Polygon meshes.
    Meshes,
    /// Faces with more than three vertices.
    Polygons,
    /// Texture coordinates.
    Uvs,
    /// Materials.
    Materials,
    /// Textures of materials.
    Textures,
    /// Brushes: convex solids.
    Brushes,
    /// Terrains.
    Terrains,
    /// Tile layers.
    Tiles,
    /// Sets of instances of models.
    Instances,
    /// Nested groups.
    Groups,
    /// Entities of the game.
    Entities,
    /// Lights.
    Lights,
    /// Cameras.
    Cameras,
    /// Sounds.
    Sounds,
    /// Paths.
    Paths,
    /// Named places, such as start positions.
    Markers,
}

/// The result of a conversion for one kind of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fidelity {
    /// The target stores it.
    Kept,
    /// The target stores it as something else, which the text describes: brushes as meshes, for example.
    Approximated(&'static str),
    /// The target cannot store it. The conversion reports a loss.
    Lost,
}

impl Fidelity {
    const fn sign(self) -> &'static str {
        match self {
            Self::Kept => "✓",
            Self::Approximated(_) => "≈",
            Self::Lost => "–",
        }
    }
}

impl ConversionFeature {
    /// All features.
    pub const ALL: [Self; 16] = [
        Self::Meshes,
        Self::Polygons,
        Self::Uvs,
        Self::Materials,
        Self::Textures,
        Self::Brushes,
        Self::Terrains,
        Self::Tiles,
        Self::Instances,
        Self::Groups,
        Self::Entities,
        Self::Lights,
        Self::Cameras,
        Self::Sounds,
        Self::Paths,
        Self::Markers,
    ];

    /// Returns the display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Meshes => "meshes",
            Self::Polygons => "faces with more than three vertices",
            Self::Uvs => "texture coordinates",
            Self::Materials => "materials",
            Self::Textures => "texture images",
            Self::Brushes => "brushes",
            Self::Terrains => "terrain",
            Self::Tiles => "tile layers",
            Self::Instances => "instances of models",
            Self::Groups => "groups",
            Self::Entities => "entities",
            Self::Lights => "lights",
            Self::Cameras => "cameras",
            Self::Sounds => "sounds",
            Self::Paths => "paths",
            Self::Markers => "markers",
        }
    }

    /// Returns the feature of scenes.
    pub const fn feature(self) -> Feature {
        match self {
            Self::Meshes => Feature::Meshes,
            Self::Polygons => Feature::Polygons,
            Self::Uvs => Feature::Uvs,
            Self::Materials => Feature::Materials,
            Self::Textures => Feature::BaseColorTextures,
            Self::Brushes => Feature::Brushes,
            Self::Terrains => Feature::Terrains,
            Self::Tiles => Feature::Tiles,
            Self::Instances => Feature::Instances,
            Self::Groups => Feature::Hierarchy,
            Self::Entities => Feature::Entities,
            Self::Lights => Feature::PointLights,
            Self::Cameras => Feature::Cameras,
            Self::Sounds => Feature::Sounds,
            Self::Paths => Feature::Paths,
            Self::Markers => Feature::Markers,
        }
    }

    /// Returns `true` for content that can be seen.
    const fn is_visible(self) -> bool {
        matches!(self, Self::Meshes | Self::Brushes | Self::Terrains | Self::Tiles)
    }
}

impl Format {
    /// Returns the fidelity with which files of this format store a kind of content. `None` if files cannot be
    /// [created](crate::Access::export) from a scene.
    pub fn stores(self, feature: ConversionFeature) -> Option<Fidelity> {
        Some(match self.capabilities()?.support(feature.feature()) {
            Support::Full | Support::Preserved(_) => Fidelity::Kept,
            Support::Approximated(text) => Fidelity::Approximated(text),
            Support::None => Fidelity::Lost,
        })
    }

    /// Returns the kinds of content that files of this format can contain.
    pub fn contents(self) -> impl Iterator<Item = ConversionFeature> {
        ConversionFeature::ALL.into_iter().filter(move |feature| self.stores(*feature) == Some(Fidelity::Kept))
    }

    /// Returns the result of a conversion to another format for each kind of content that files of this one can contain. `None` if there
    /// is no conversion through a scene.
    pub fn fidelity_in(self, to: Self) -> Option<Vec<(ConversionFeature, Fidelity)>> {
        if !(self.access().import && to.access().export) {
            return None;
        }
        self.contents().map(|feature| Some((feature, to.stores(feature)?))).collect()
    }
}

/// Returns two tables in Markdown: what each format can store, with notes on approximations, and what each source contains.
pub fn fidelity_tables() -> String {
    let groups = groups_of_formats();
    let mut text = String::from("| content |");
    for group in &groups {
        let _ = write!(text, " {} |", names(group));
    }
    text.push_str("\n|---|");
    text.push_str(&":-:|".repeat(groups.len()));
    let mut notes: Vec<(String, Vec<String>)> = Vec::new();
    for feature in ConversionFeature::ALL {
        let _ = write!(text, "\n| {} |", feature.name());
        for group in &groups {
            let fidelity = group.first().and_then(|format| format.stores(feature)).unwrap_or(Fidelity::Lost);
            let _ = write!(text, " {} |", fidelity.sign());
            if let Fidelity::Approximated(note) = fidelity {
                let note = format!("{}: {note}", feature.name());
                match notes.iter_mut().find(|(known, _)| *known == note) {
                    Some((_, formats)) => formats.push(names(group)),
                    None => notes.push((note, vec![names(group)])),
                }
            }
        }
    }
    text.push_str("\n\n✓ stored · ≈ stored as something else · – lost, which the conversion reports. In detail:\n\n");
    for (note, formats) in notes {
        let _ = writeln!(text, "- {note} ({})", formats.join(", "));
    }
    text.push_str("\n| source | contains |\n|---|---|\n");
    for group in &groups {
        let contents = group.first().map(|format| list(format.contents())).unwrap_or_default();
        let _ = writeln!(text, "| {} | {contents} |", names(group));
    }
    text
}

/// Returns the formats with the same capabilities, in order.
fn groups_of_formats() -> Vec<Vec<Format>> {
    let mut groups: Vec<Vec<Format>> = Vec::new();
    for format in Format::available().filter(|format| format.access().export && format.access().import) {
        let column = |format: Format| ConversionFeature::ALL.map(|feature| format.stores(feature));
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| column(*first) == column(format))) {
            Some(group) => group.push(format),
            None => groups.push(vec![format]),
        }
    }
    groups
}

fn names(group: &[Format]) -> String {
    group.iter().map(|format| format!("`{format}`")).collect::<Vec<_>>().join(" ")
}

pub(crate) fn list(features: impl IntoIterator<Item = ConversionFeature>) -> String {
    features.into_iter().map(ConversionFeature::name).collect::<Vec<_>>().join(", ")
}

/// Returns an answer in Markdown for each conversion: complete (✓), partial (≈) or nothing visible (✗), and a list of its losses.
/// Conversions that this build does not have are left out.
pub fn fidelity_answers(conversions: &[(&str, Format, Format)]) -> String {
    let mut text = String::new();
    for (name, from, to) in conversions {
        let Some(fidelity) = from.fidelity_in(*to) else { continue };
        let select = |wanted: fn(Fidelity) -> bool| {
            list(fidelity.iter().filter(|(_, fidelity)| wanted(*fidelity)).map(|(feature, _)| *feature))
        };
        let lost = select(|fidelity| fidelity == Fidelity::Lost);
        let approximated = select(|fidelity| matches!(fidelity, Fidelity::Approximated(_)));
        let shows =
            |(feature, fidelity): &(ConversionFeature, Fidelity)| feature.is_visible() && *fidelity != Fidelity::Lost;
        let sign = match () {
            () if !fidelity.iter().any(shows) => "✗",
            () if lost.is_empty() && approximated.is_empty() => "✓",
            () => "≈",
        };
        let _ = write!(text, "- {sign} {name} (`{from}` → `{to}`)");
        let parts = [("approximated", approximated), ("lost", lost)];
        for (number, (word, features)) in parts.iter().filter(|(_, features)| !features.is_empty()).enumerate() {
            let _ = write!(text, "{} {word}: {features}", if number == 0 { ":" } else { ";" });
        }
        text.push('\n');
    }
    text
}
