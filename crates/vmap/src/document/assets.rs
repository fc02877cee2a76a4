//! Assets that a map uses.

use std::collections::{HashMap, HashSet};

use mapwright_dmx::{ElementRef, StringId, Value};

use super::Document;
use super::node::Node;
use super::owners::owners;

/// Kind of asset, by the extension of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AssetKind {
    /// `.vmat`
    Material,
    /// `.vmdl`
    Model,
    /// `.vmap`: a prefab, a tile set, a skybox.
    Map,
    /// `.vsnd`, `.vsndevts`; `.sound` and `.sndscape` of s&box
    Sound,
    /// `.vpcf`
    Particles,
    /// `.vtex`; images in game objects of s&box
    Texture,
    /// Another kind.
    Other,
}

/// Extensions of the other kinds of assets.
const OTHER: [&str; 26] = [
    "vpost", "vanmgrph", "vagrp", "vanim", "vseq", "vphys", "vrman", "vsmart", "vjs", "vts", "vdata", "vpulse", "vfx",
    "vxml", "vcss", "vsurf", "vcd", "vcdlist", "vrr", "vpsf", "vsndstck", "vnmgraph", "vnmclip", "vnmskel", "vcompmat",
    "vcs",
];

/// Extensions of s&box. Words can end like them, so they only count after a folder.
const IN_FOLDERS: [(&str, AssetKind); 11] = [
    ("sound", AssetKind::Sound),
    ("sndscape", AssetKind::Sound),
    ("scene", AssetKind::Other),
    ("prefab", AssetKind::Other),
    ("surface", AssetKind::Other),
    ("shader", AssetKind::Other),
    ("decal", AssetKind::Other),
    ("item", AssetKind::Other),
    ("clothing", AssetKind::Other),
    ("terrain", AssetKind::Other),
    ("tmat", AssetKind::Other),
];

/// Extensions of images. Game objects of s&box name them; elsewhere they are the sources of assets.
const IMAGES: [&[u8]; 4] = [b".png", b".jpg", b".tga", b".psd"];

impl AssetKind {
    /// Returns the kind of asset at a path; `None` if the path has no extension of assets.
    pub fn from_path(path: &[u8]) -> Option<Self> {
        let dot = path.iter().rposition(|&byte| byte == b'.')?;
        // The longest is `vsndstck_c`.
        let extension = path.get(dot.checked_add(1)?..).filter(|extension| extension.len() <= 16)?;
        let extension = std::str::from_utf8(extension).ok()?.to_ascii_lowercase();
        let extension = extension.strip_suffix("_c").unwrap_or(&extension);
        // A text with such an extension is not always a path.
        if dot == 0 || path.iter().any(u8::is_ascii_control) {
            return None;
        }
        Some(match extension {
            "vmat" => Self::Material,
            "vmdl" => Self::Model,
            "vmap" => Self::Map,
            "vsnd" | "vsndevts" => Self::Sound,
            "vpcf" => Self::Particles,
            "vtex" => Self::Texture,
            other if OTHER.contains(&other) => Self::Other,
            other => {
                let is_in_folder = path.iter().any(|byte| matches!(byte, b'/' | b'\\'));
                let (_, kind) = IN_FOLDERS.iter().find(|(extension, _)| *extension == other && is_in_folder)?;
                *kind
            }
        })
    }

    /// Returns the name in the plural, such as `materials`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Material => "materials",
            Self::Model => "models",
            Self::Map => "maps",
            Self::Sound => "sounds",
            Self::Particles => "particles",
            Self::Texture => "textures",
            Self::Other => "others",
        }
    }
}

/// An asset of a map.
#[derive(Debug, Clone)]
pub struct Asset<'a> {
    /// The path as at its first use, relative to the content folder.
    pub path: &'a [u8],
    /// Kind of asset.
    pub kind: AssetKind,
    /// `true` if the list in the prefix contains the asset.
    pub listed: bool,
    /// Uses in file order; empty if the asset is only listed.
    pub uses: Vec<AssetUse<'a>>,
}

/// A use of an asset.
#[derive(Debug, Clone, Copy)]
pub struct AssetUse<'a> {
    /// The element that refers to it, as the mesh or the keys of an entity.
    pub element: ElementRef<'a>,
    /// The attribute with the reference, such as `materials` or `model`.
    pub attribute: &'a [u8],
    /// The node of the element; `None` if it belongs to the whole map, as variables do.
    pub node: Option<Node<'a>>,
}

impl Document {
    /// Returns the assets of the map, sorted by kind and path: those of the list in the prefix, and all texts in the graph that end like
    /// the path of an asset, including those in the JSON of s&box's game objects. The case of ASCII letters is ignored.
    ///
    /// Sound events and other assets without an extension are not found.
    pub fn assets(&self) -> Vec<Asset<'_>> {
        let owners = owners(self);
        let copy = self.graph().prefix_copy();
        let mut found = Found::default();
        let mut seen = HashSet::new();
        for id in self.asset_ids().iter().filter(|id| seen.insert(**id)) {
            let path = self.graph().string(*id);
            if !path.is_empty() {
                let place = found.asset(path, AssetKind::from_path(path).unwrap_or(AssetKind::Other));
                if let Some(asset) = found.assets.get_mut(place) {
                    asset.listed = true;
                }
                found.scripts.extend(script_name(path).map(|name| (name, place)));
            }
        }
        for element in self.graph().iter().filter(|element| Some(element.id()) != copy) {
            let node = owners.get(element.id().index()).copied().flatten().and_then(|node| self.node(node));
            for (attribute, value) in element.attributes() {
                let ids = match value {
                    Value::String(id) => std::slice::from_ref(id),
                    Value::StringArray(ids) => ids,
                    _ => continue,
                };
                for &id in ids {
                    found.add_use(id, self.graph().string(id), AssetUse { element, attribute, node });
                }
            }
        }
        let mut assets = found.assets;
        assets.sort_by_cached_key(|asset| (asset.kind, asset.path.to_ascii_lowercase()));
        assets
    }
}

#[derive(Default)]
struct Found<'a> {
    assets: Vec<Asset<'a>>,
    /// Index of each asset, by the path in lower case.
    places: HashMap<Vec<u8>, usize>,
    /// Index of each listed script, by the name that the key `vscripts` has.
    scripts: HashMap<Vec<u8>, usize>,
    /// Asset of each string of the graph. Many strings are long and used many times.
    strings: HashMap<StringId, Option<usize>>,
}

impl<'a> Found<'a> {
    fn asset(&mut self, path: &'a [u8], kind: AssetKind) -> usize {
        let next = self.assets.len();
        let place = *self.places.entry(path.to_ascii_lowercase()).or_insert(next);
        if place == next {
            self.assets.push(Asset { path, kind, listed: false, uses: Vec::new() });
        }
        place
    }

    /// Adds a use of the assets of a string: a path, or the JSON of a game object.
    fn add_use(&mut self, id: StringId, string: &'a [u8], asset_use: AssetUse<'a>) {
        let place = match self.strings.get(&id) {
            Some(known) => *known,
            None => {
                let place = AssetKind::from_path(string).map(|kind| self.asset(string, kind));
                self.strings.insert(id, place);
                // The assets of JSON count once: any number of attributes can have the same long text.
                if string.starts_with(b"{") {
                    let mut seen = HashSet::new();
                    for path in string.split(|&byte| byte == b'"').filter(|path| seen.insert(*path)) {
                        let is_image = path.len().checked_sub(4).and_then(|at| path.get(at..)).is_some_and(|end| {
                            IMAGES.iter().any(|image| image.eq_ignore_ascii_case(end)) && path.contains(&b'/')
                        });
                        let kind = AssetKind::from_path(path).or(is_image.then_some(AssetKind::Texture));
                        if let Some(kind) = kind.filter(|_| !path.contains(&b'\\')) {
                            let place = self.asset(path, kind);
                            self.assets.get_mut(place).into_iter().for_each(|asset| asset.uses.push(asset_use));
                        }
                    }
                }
                place
            }
        };
        if let Some(asset) = place.and_then(|place| self.assets.get_mut(place)) {
            asset.uses.push(asset_use);
        }
        if asset_use.attribute == b"vscripts" {
            for name in string.split(u8::is_ascii_whitespace) {
                let place = self.scripts.get(&name.to_ascii_lowercase());
                if let Some(asset) = place.and_then(|place| self.assets.get_mut(*place)) {
                    asset.uses.push(asset_use);
                }
            }
        }
    }
}

/// Returns the name of a script in the key `vscripts`, in lower case, or `None` for the paths of other files.
fn script_name(path: &[u8]) -> Option<Vec<u8>> {
    let path = path.to_ascii_lowercase();
    let name = path.strip_prefix(b"scripts/vscripts/")?;
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    name.get(..dot).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_from_extensions() {
        for (path, kind) in [
            ("materials/dev/a.vmat", Some(AssetKind::Material)),
            ("Models/A.VMDL", Some(AssetKind::Model)),
            ("a.vmdl_c", Some(AssetKind::Model)),
            ("a.vpost", Some(AssetKind::Other)),
            ("a.b", None),
            ("sounds/door.sound", Some(AssetKind::Sound)),
            ("Prefabs\\Door.Prefab", Some(AssetKind::Other)),
            ("materials/a.png", None),
            ("main.scene", None),
            ("a b/c.png\n", None),
            (".vmat", None),
            ("vmat", None),
            ("{\n\"a.vmat", None),
            ("", None),
        ] {
            assert_eq!(AssetKind::from_path(path.as_bytes()), kind, "{path}");
        }
    }
}
