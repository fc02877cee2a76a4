//! What a map uses.

use std::collections::HashMap;

use mapwright_dmx::{ElementRef, Value};

use super::Document;
use super::node::Node;
use super::owners::owners;

/// What an asset is, by the extension of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AssetKind {
    /// `.vmat`
    Material,
    /// `.vmdl`
    Model,
    /// `.vmap`: a prefab, a tile set, a skybox.
    Map,
    /// `.vsnd`, `.vsndevts`
    Sound,
    /// `.vpcf`
    Particles,
    /// `.vtex`
    Texture,
    /// Another one.
    Other,
}

/// Extensions of other assets.
const OTHER: [&str; 26] = [
    "vpost", "vanmgrph", "vagrp", "vanim", "vseq", "vphys", "vrman", "vsmart", "vjs", "vts", "vdata", "vpulse", "vfx",
    "vxml", "vcss", "vsurf", "vcd", "vcdlist", "vrr", "vpsf", "vsndstck", "vnmgraph", "vnmclip", "vnmskel", "vcompmat",
    "vcs",
];

impl AssetKind {
    /// What a path names; `None` if it does not end like that of an asset.
    pub fn of(path: &[u8]) -> Option<Self> {
        let dot = path.iter().rposition(|&byte| byte == b'.')?;
        let extension = std::str::from_utf8(path.get(dot.checked_add(1)?..)?).ok()?.to_ascii_lowercase();
        let extension = extension.strip_suffix("_c").unwrap_or(&extension);
        // Texts that happen to end so are no paths.
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
            _ => return None,
        })
    }

    /// The name in the plural: `materials`.
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

/// An asset that a map names.
#[derive(Debug, Clone)]
pub struct Asset<'a> {
    /// The path as it is first spelled, relative to the content folder.
    pub path: &'a [u8],
    /// What it is.
    pub kind: AssetKind,
    /// Whether the list in the prefix has it.
    pub listed: bool,
    /// Where it is used, in file order; nowhere if it is only listed.
    pub uses: Vec<AssetUse<'a>>,
}

/// Where an asset is used.
#[derive(Debug, Clone, Copy)]
pub struct AssetUse<'a> {
    /// The element that names it, as the mesh or the keys of an entity.
    pub element: ElementRef<'a>,
    /// The attribute that does, as `materials` or `model`.
    pub attribute: &'a [u8],
    /// The node that the element belongs to; `None` if it belongs to the map, as variables do.
    pub node: Option<Node<'a>>,
}

impl Document {
    /// The assets that the map names, by kind and path: those of the list in the prefix, and all texts in the graph that end like
    /// the path of an asset. Spellings that differ in the case of ASCII letters are the same asset.
    ///
    /// Sound events and others that have names without extension are not found.
    pub fn assets(&self) -> Vec<Asset<'_>> {
        let owners = owners(self);
        let copy = self.graph().prefix_copy();
        let mut found = Found { assets: HashMap::new() };
        for path in self.asset_references().filter(|path| !path.is_empty()) {
            found.asset(path, AssetKind::of(path).unwrap_or(AssetKind::Other)).listed = true;
        }
        for element in self.graph().iter().filter(|element| Some(element.id()) != copy) {
            let node = owners.get(element.id().index()).copied().flatten().and_then(|node| self.node(node));
            for (attribute, value) in element.attributes() {
                let ids = match value {
                    Value::String(id) => std::slice::from_ref(id),
                    Value::StringArray(ids) => ids,
                    _ => continue,
                };
                for path in ids.iter().map(|id| self.graph().string(*id)) {
                    if let Some(kind) = AssetKind::of(path) {
                        found.asset(path, kind).uses.push(AssetUse { element, attribute, node });
                    }
                }
            }
        }
        let mut assets: Vec<_> = found.assets.into_values().collect();
        assets.sort_by_cached_key(|asset| (asset.kind, asset.path.to_ascii_lowercase()));
        assets
    }
}

struct Found<'a> {
    /// By the path in lower case.
    assets: HashMap<Vec<u8>, Asset<'a>>,
}

impl<'a> Found<'a> {
    fn asset(&mut self, path: &'a [u8], kind: AssetKind) -> &mut Asset<'a> {
        let new = || Asset { path, kind, listed: false, uses: Vec::new() };
        self.assets.entry(path.to_ascii_lowercase()).or_insert_with(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_path() {
        for (path, kind) in [
            ("materials/dev/a.vmat", Some(AssetKind::Material)),
            ("Models/A.VMDL", Some(AssetKind::Model)),
            ("a.vmdl_c", Some(AssetKind::Model)),
            ("a.vpost", Some(AssetKind::Other)),
            ("a.b", None),
            (".vmat", None),
            ("vmat", None),
            ("{\n\"a.vmat", None),
            ("", None),
        ] {
            assert_eq!(AssetKind::of(path.as_bytes()), kind, "{path}");
        }
    }
}
