//! Finds the file of each image.

use std::collections::{BTreeMap, HashMap};

use super::extension;
use crate::Header;
use crate::document::first_number;

/// Maximum depth of folders. Those of the games are five deep.
const MAX_DEPTH: usize = 32;

/// The image files of a level, found in a list of paths.
///
/// Paths use `/` or `\` and can be relative to any folder: the root of the archive, or one above it. Case does not matter.
#[derive(Debug, Clone, Default)]
pub struct Assets {
    paths: Vec<String>,
    /// Indices in `paths`, by the normalized path of the folder and the number of the image.
    folders: BTreeMap<String, BTreeMap<u32, usize>>,
    /// Folder of tile images, if a path contains it.
    tiles: Option<String>,
    /// Folder of tile images that the header names.
    wanted: String,
    /// Folder of the images for each image set name of an object.
    keys: HashMap<String, String>,
    palette: Option<usize>,
}

impl Assets {
    /// Finds the images of the level with this header.
    pub fn new<P: Into<String>>(paths: impl IntoIterator<Item = P>, header: &Header) -> Self {
        let mut assets = Self { paths: paths.into_iter().map(Into::into).collect(), ..Self::default() };
        assets.index_folders();
        assets.tiles = assets.find_folder(header.image_dir.text());
        assets.wanted = normalize(header.image_dir.text());
        assets.palette = assets.find_palette(header);
        let roots = [
            (&header.image_set_1, &header.prefix_1),
            (&header.image_set_2, &header.prefix_2),
            (&header.image_set_3, &header.prefix_3),
            (&header.image_set_4, &header.prefix_4),
        ];
        for (folder, prefix) in roots {
            if let Some(root) = assets.find_folder(folder.text()) {
                assets.index_image_sets(&root, &normalize(prefix.text()));
            }
        }
        // Image sets without a prefix are those of tiles.
        if let Some(root) = assets.tiles.clone() {
            assets.index_image_sets(&root, "");
        }
        assets
    }

    /// Returns the folder of tile images.
    ///
    /// # Errors
    /// The name in the header, which may be empty, if no path contains that folder.
    pub fn tile_folder(&self) -> Result<&str, &str> {
        self.tiles.as_deref().ok_or(&self.wanted)
    }

    /// Returns the file of a tile: the image with this number in the folder of an image set of a plane.
    pub fn tile(&self, image_set: &[u8], number: u32) -> Option<&str> {
        let root = self.tiles.as_ref()?;
        let images = self.folders.get(&join(root, &normalize(image_set)))?;
        self.path(*images.get(&number)?)
    }

    /// Returns the files of an image set of objects, such as `GAME_TREASURE_COINS`, with their numbers in order. Returns none if no
    /// folder has that name.
    pub fn sprite(&self, image_set: &[u8]) -> impl Iterator<Item = (u32, &str)> {
        let folder = self.keys.get(&normalize(image_set)).and_then(|folder| self.folders.get(folder));
        folder.into_iter().flatten().filter_map(|(&number, &place)| Some((number, self.path(place)?)))
    }

    /// Returns the palette file: the one that the header names, else `PALETTES\MAIN.PAL` next to the folder of tiles.
    pub fn palette(&self) -> Option<&str> {
        self.path(self.palette?)
    }

    fn path(&self, place: usize) -> Option<&str> {
        self.paths.get(place).map(String::as_str)
    }

    /// Indexes folders, and their images by number.
    fn index_folders(&mut self) {
        let mut images = Vec::new();
        for (place, path) in self.paths.iter().enumerate() {
            let path = normalize(path.as_bytes());
            if path.bytes().filter(|&byte| byte == b'/').count() > MAX_DEPTH {
                continue;
            }
            let Some((folder, name)) = path.rsplit_once('/') else { continue };
            let mut parent = folder;
            while !self.folders.contains_key(parent) {
                self.folders.insert(parent.to_owned(), BTreeMap::new());
                let Some((above, _)) = parent.rsplit_once('/') else { break };
                parent = above;
            }
            if let (Some(kind), Some(number)) = (extension(name), first_number(name.as_bytes())) {
                images.push((kind, path, place, number));
            }
        }
        // If two images have the same number, PID takes precedence, then the first name.
        images.sort_unstable();
        for (_, path, place, number) in images {
            if let Some(folder) = path.rsplit_once('/').and_then(|(folder, _)| self.folders.get_mut(folder)) {
                folder.entry(number).or_insert(place);
            }
        }
    }

    /// Finds the folder that the header names as `\LEVEL1\IMAGES` or `LEVEL1_IMAGES`. The least deep one takes precedence.
    fn find_folder(&self, wanted: &[u8]) -> Option<String> {
        let wanted = normalize(wanted).replace('/', "_");
        if wanted.is_empty() {
            return None;
        }
        let found = self.folders.keys().filter_map(|folder| {
            let starts = std::iter::once(0).chain(folder.match_indices('/').map(|(at, _)| at.saturating_add(1)));
            let mut ends = starts.filter_map(|start| folder.get(start..));
            let above = ends.position(|end| end.replace('/', "_") == wanted)?;
            Some((above, folder))
        });
        found.min().map(|(_, folder)| folder.clone())
    }

    fn find_palette(&self, header: &Header) -> Option<usize> {
        let named = normalize(header.pal_rez.text());
        let beside = self.tiles.as_ref().and_then(|tiles| tiles.rsplit_once('/'));
        let beside = beside.map(|(level, _)| join(level, "PALETTES/MAIN.PAL"));
        [Some(named), beside].into_iter().flatten().filter(|wanted| !wanted.is_empty()).find_map(|wanted| {
            let found = self.paths.iter().enumerate().filter_map(|(place, path)| {
                let path = normalize(path.as_bytes());
                let above = path.strip_suffix(&wanted)?;
                (above.is_empty() || above.ends_with('/')).then_some((above.len(), place))
            });
            found.min().map(|(_, place)| place)
        })
    }

    /// Indexes a folder and its subfolders by the image set names that objects use.
    fn index_image_sets(&mut self, root: &str, prefix: &str) {
        let below = join(root, "");
        let folders = self.folders.range(root.to_owned()..).map(|(folder, _)| folder);
        for folder in folders.take_while(|folder| folder.starts_with(root)) {
            let path = if folder == root { Some("") } else { folder.strip_prefix(&below) };
            let Some(path) = path else { continue };
            let parts = [prefix, path].into_iter().filter(|part| !part.is_empty());
            let key = parts.collect::<Vec<_>>().join("_").replace('/', "_");
            self.keys.entry(key).or_insert_with(|| folder.clone());
        }
    }
}

/// Normalizes a path: upper case, single `/` between names.
fn normalize(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path).to_ascii_uppercase();
    let names = path.split(['/', '\\']).filter(|name| !matches!(*name, "" | "."));
    names.collect::<Vec<_>>().join("/")
}

fn join(folder: &str, path: &str) -> String {
    format!("{folder}/{path}")
}
