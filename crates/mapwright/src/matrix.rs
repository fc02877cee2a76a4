//! What conversions carry from which format to which, computed from what the formats can say.

use std::fmt::Write;

use mapwright_scene::{Capabilities, Feature, Support};

use crate::Format;

/// Something that people miss when a conversion loses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Thing {
    /// Polygon meshes.
    Meshes,
    /// Faces of more than three corners.
    Polygons,
    /// Texture coordinates.
    Uvs,
    /// Materials.
    Materials,
    /// Textures of materials.
    Textures,
    /// Brushes.
    Brushes,
    /// Height fields.
    Terrains,
    /// Layers of tiles.
    Tiles,
    /// Many instances of models.
    Instances,
    /// Groups in groups.
    Groups,
    /// Things of the game.
    Entities,
    /// Lights.
    Lights,
    /// Cameras.
    Cameras,
    /// Sounds.
    Sounds,
    /// Paths.
    Paths,
    /// Named places.
    Markers,
}

/// What becomes of a thing on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Carried {
    /// It arrives.
    Kept,
    /// It arrives as something else, as brushes do as meshes.
    Changed,
    /// It does not arrive; the conversion says so.
    Lost,
}

impl Thing {
    /// All of them.
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

    /// The letter that stands for it in tables, and what it is.
    pub const fn word(self) -> (char, &'static str) {
        match self {
            Self::Meshes => ('M', "meshes"),
            Self::Polygons => ('N', "faces of more than three corners"),
            Self::Uvs => ('U', "texture coordinates"),
            Self::Materials => ('A', "materials"),
            Self::Textures => ('X', "textures"),
            Self::Brushes => ('B', "brushes"),
            Self::Terrains => ('T', "terrain"),
            Self::Tiles => ('Z', "tile layers"),
            Self::Instances => ('I', "instances of models"),
            Self::Groups => ('G', "groups"),
            Self::Entities => ('E', "entities"),
            Self::Lights => ('L', "lights"),
            Self::Cameras => ('C', "cameras"),
            Self::Sounds => ('S', "sounds"),
            Self::Paths => ('P', "paths"),
            Self::Markers => ('K', "markers"),
        }
    }

    /// What scenes call it.
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
}

impl Format {
    /// What files of it can say of a scene; `None` where none can be [made](crate::Access::export) of it.
    pub fn capabilities(self) -> Option<Capabilities> {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings => Some(mapwright_wings::scene::capabilities()),
            #[cfg(feature = "vmap")]
            Self::Vmap => Some(mapwright_vmap::scene::capabilities()),
            #[cfg(feature = "wwd")]
            Self::Wwd => Some(mapwright_wwd::scene::capabilities()),
            #[cfg(feature = "wmp")]
            Self::Wmp => Some(mapwright_wmp::scene::capabilities()),
            #[cfg(feature = "wrp")]
            Self::Wrp => Some(mapwright_wrp::scene::capabilities()),
            #[cfg(feature = "gltf")]
            Self::Glb | Self::Gltf => Some(mapwright_interchange::gltf::capabilities()),
            #[cfg(feature = "obj")]
            Self::Obj => Some(mapwright_interchange::obj::capabilities()),
            #[cfg(feature = "map")]
            Self::Map => Some(mapwright_interchange::map::capabilities()),
            #[cfg(feature = "tiled")]
            Self::Tmx | Self::Tmj => Some(mapwright_interchange::tiled::capabilities()),
            #[cfg(feature = "heightmap")]
            Self::Asc => Some(heights(mapwright_interchange::heightmap::Format::Asc)),
            #[cfg(feature = "heightmap")]
            Self::Tif => Some(heights(mapwright_interchange::heightmap::Format::Tif)),
            #[cfg(feature = "heightmap")]
            Self::HeightPng => Some(heights(mapwright_interchange::heightmap::Format::Png)),
            #[cfg(feature = "heightmap")]
            Self::Xyz => Some(heights(mapwright_interchange::heightmap::Format::Xyz)),
            #[cfg(feature = "heightmap")]
            Self::CellPng => Some(mapwright_interchange::heightmap::cells::capabilities()),
            _ => None,
        }
    }

    /// What a conversion into another format carries of what files of this one can hold; `None` where there is none through a scene.
    pub fn carries(self, to: Self) -> Option<Vec<(Thing, Carried)>> {
        let (own, other) = (self.capabilities()?, to.capabilities()?);
        if !(self.access().import && to.access().export) {
            return None;
        }
        let holds = |thing: &Thing| matches!(own.support(thing.feature()), Support::Full | Support::Preserved(_));
        let carried = |thing: Thing| match other.support(thing.feature()) {
            Support::Full | Support::Preserved(_) => (thing, Carried::Kept),
            Support::Approximated(_) => (thing, Carried::Changed),
            Support::None => (thing, Carried::Lost),
        };
        Some(Thing::ALL.into_iter().filter(holds).map(carried).collect())
    }
}

#[cfg(feature = "heightmap")]
fn heights(format: mapwright_interchange::heightmap::Format) -> Capabilities {
    mapwright_interchange::heightmap::capabilities(format)
}

/// What conversions carry, as a table in Markdown: a row for each source, a column for each target. Letters alone are kept, those
/// behind `~` become something else, those behind `−` are lost.
pub fn conversion_table() -> String {
    let formats: Vec<Format> = Format::ALL.iter().copied().filter(|format| format.capabilities().is_some()).collect();
    // Formats that say the same stand together.
    let mut groups: Vec<Vec<Format>> = Vec::new();
    for format in formats {
        let access = |format: Format| (format.access().import, format.access().export, format.capabilities());
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| access(*first) == access(format))) {
            Some(group) => group.push(format),
            None => groups.push(vec![format]),
        }
    }
    let name =
        |group: &[Format]| group.iter().map(|format| format!("`{}`", format.name())).collect::<Vec<_>>().join(" ");
    let targets = || groups.iter().filter(|group| group.iter().any(|format| format.access().export));
    let mut table = String::from("| from \\ to |");
    for group in targets() {
        let _ = write!(table, " {} |", name(group));
    }
    table.push_str("\n|---|");
    table.push_str(&"---|".repeat(targets().count()));
    for source in groups.iter().filter(|group| group.iter().any(|format| format.access().import)) {
        let _ = write!(table, "\n| {} |", name(source));
        for target in targets() {
            let carried = source.first().zip(target.first()).and_then(|(from, to)| from.carries(*to));
            let _ = write!(table, " {} |", carried.map_or_else(|| "".to_owned(), |carried| cell(&carried)));
        }
    }
    table.push('\n');
    table
}

fn cell(carried: &[(Thing, Carried)]) -> String {
    let of = |wanted: Carried| -> String {
        carried.iter().filter(|(_, how)| *how == wanted).map(|(thing, _)| thing.word().0).collect()
    };
    let parts = [("", of(Carried::Kept)), ("~", of(Carried::Changed)), ("−", of(Carried::Lost))];
    let said = parts.into_iter().filter(|(_, letters)| !letters.is_empty());
    said.map(|(sign, letters)| format!("{sign}{letters}")).collect::<Vec<_>>().join(" ")
}
