//! The files that a map needs, and the files that those need.

use std::collections::HashMap;

use mapwright_keyvalues::{Vmat, Vmdl};
use mapwright_vmap::{AssetKind, Document};

use super::{find_model, images, materials};
use crate::names::extension;
use crate::resolve::{ReadLog, ReferenceKind};
use crate::roots::relative_path;
use crate::{ContentFile, ContentSource, path_key};

/// Memory of a listed file without its paths, in bytes.
const ASSET_MEMORY: usize = 256;
/// The folder of textures that belong to the game. They are not among the sources of maps.
const DEFAULT_TEXTURES: &str = "materials/default/";

/// A file that a map needs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapAsset {
    /// The path as the map or the other file stores it.
    pub path: String,
    /// The kind. Files with meshes of models are models.
    pub kind: ReferenceKind,
    /// Number of uses in the map, or of files that need it.
    pub uses: usize,
    /// The root of the file and its path there, or those of a file that stands in for it. `None`: missing.
    pub file: Option<(usize, String)>,
}

impl MapAsset {
    /// Returns the file.
    pub fn find<'a>(&self, content: &'a ContentSource) -> Option<ContentFile<'a>> {
        let (root, path) = self.file.as_ref()?;
        content.find_in_root(*root, path)
    }
}

/// The result of [`list_map_assets`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MapAssets {
    /// The files.
    pub assets: Vec<MapAsset>,
    /// `false` if files are left out, because they exceed the limit of memory.
    pub is_complete: bool,
}

/// Lists the files that a map needs, each path once: those in the map, then those in its prefabs, materials and models. Damaged files
/// need no others. The files that are searched for others, and the list, take at most `max_bytes` together.
pub fn list_map_assets(map: &Document, content: &ContentSource, max_bytes: usize) -> MapAssets {
    let mut list = List { content, assets: Vec::new(), index: HashMap::new(), left: Some(max_bytes) };
    list.add_map(map);
    let mut next = 0_usize;
    while let Some(asset) = list.assets.get(next).filter(|_| list.left.is_some()) {
        next = next.saturating_add(1);
        let kind = extension(&asset.path);
        if !["vmap", "vmat", "vmdl"].contains(&&*kind) {
            continue;
        }
        let path = asset.path.clone();
        let Some(file) = asset.find(content).filter(|file| extension(file.path()) == kind) else { continue };
        let Ok(bytes) = file.read() else { continue };
        list.take(bytes.len());
        if list.left.is_none() {
            break;
        }
        match &*kind {
            "vmap" => {
                // A prefab may lead back to the map itself.
                if let Some(prefab) = Document::from_vec(bytes).ok().filter(|prefab| prefab != map) {
                    list.add_map(&prefab);
                }
            }
            "vmat" => list.add_material(&bytes),
            _ => list.add_model(&bytes, &path),
        }
    }
    MapAssets { is_complete: list.left.is_some(), assets: list.assets }
}

struct List<'a> {
    content: &'a ContentSource,
    assets: Vec<MapAsset>,
    /// Index of each path in lower case.
    index: HashMap<String, usize>,
    /// Bytes that are left for files and the list. `None` if they were not enough.
    left: Option<usize>,
}

impl List<'_> {
    fn add(&mut self, path: &str, kind: ReferenceKind, uses: usize) {
        let key = path_key(path);
        if let Some(asset) = self.index.get(&key).and_then(|index| self.assets.get_mut(*index)) {
            asset.uses = asset.uses.saturating_add(uses);
            return;
        }
        if key.starts_with(DEFAULT_TEXTURES) {
            return;
        }
        self.take(path.len().saturating_mul(3).saturating_add(ASSET_MEMORY));
        if self.left.is_none() {
            return;
        }
        let file = self.find(path).map(|file| (file.root(), file.path().to_owned()));
        self.index.insert(key, self.assets.len());
        self.assets.push(MapAsset { path: path.to_owned(), kind, uses, file });
    }

    /// Takes bytes of those that are left.
    fn take(&mut self, bytes: usize) {
        self.left = self.left.and_then(|left| left.checked_sub(bytes));
    }

    /// Finds an asset, or a file that stands in for it.
    fn find(&self, path: &str) -> Option<ContentFile<'_>> {
        let relative = relative_path(path)?;
        let exact = || self.content.find(&relative);
        let stem = relative.rsplit_once('.').map_or(&*relative, |(stem, _)| stem);
        match &*extension(&relative) {
            "vmdl" => exact().or_else(|| find_model(&relative, self.content)),
            "vmat" => exact().or_else(|| materials::find_stand_in(&relative, self.content)),
            "vsnd" => {
                exact().or_else(|| ["wav", "mp3"].iter().find_map(|it| self.content.find(&format!("{stem}.{it}"))))
            }
            "tga" | "png" | "psd" | "vtex" | "jpg" | "tif" | "exr" | "pfm" => {
                images::find(&relative, self.content, &ReadLog::default()).map(|(file, _)| file)
            }
            _ => exact(),
        }
    }

    fn add_map(&mut self, map: &Document) {
        // Assets that are only listed may be those of an earlier version of the map.
        for asset in map.assets().into_iter().filter(|asset| !asset.uses.is_empty()) {
            let kind = match asset.kind {
                AssetKind::Material => ReferenceKind::Material,
                AssetKind::Model => ReferenceKind::Model,
                AssetKind::Map => ReferenceKind::Prefab,
                AssetKind::Sound => ReferenceKind::Sound,
                AssetKind::Particles => ReferenceKind::Particles,
                AssetKind::Texture => ReferenceKind::Image,
                _ => ReferenceKind::Other,
            };
            let path = String::from_utf8_lossy(asset.path);
            let path = path.strip_suffix("_c").unwrap_or(&path);
            self.add(path, kind, asset.uses.len());
        }
    }

    fn add_material(&mut self, bytes: &[u8]) {
        let Ok(vmat) = Vmat::from_bytes(bytes) else { return };
        for image in vmat.images().filter(|image| extension(&image.text) != "txt") {
            self.add(image.text.trim(), ReferenceKind::Image, 1);
        }
    }

    fn add_model(&mut self, bytes: &[u8], path: &str) {
        let Ok(model) = Vmdl::from_bytes(bytes) else { return };
        for mesh in model.visible_meshes() {
            self.add(&mesh.file, ReferenceKind::Model, 1);
        }
        for include in &model.includes {
            self.add(include, ReferenceKind::Model, 1);
        }
        let groups = std::iter::once(&model.default_materials).chain(&model.material_groups);
        let materials = groups.flat_map(|group| group.remaps.iter().map(|(_, to)| to).chain(&group.global));
        let shapes = model.primitives.iter().filter(|shape| !shape.is_disabled).map(|shape| &shape.material);
        // Without remaps, a name only gets its folder and extension.
        let plain = Vmdl::default();
        let lookup = plain.material_lookup(None);
        for material in materials.chain(shapes).filter(|material| !material.is_empty()) {
            self.add(&lookup.resolve(material, path), ReferenceKind::Material, 1);
        }
    }
}
