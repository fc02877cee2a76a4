//! Which file has which picture.

use std::collections::{BTreeMap, HashMap};

use super::extension;
use crate::Header;
use crate::document::first_number;

/// Folders within folders that are looked into; those of the games are five deep.
const DEEPEST: usize = 32;

/// The files of the pictures of a level, found in a list of paths.
///
/// Paths are taken as they come, with `/` or `\`, relative to any folder: the archive's root, or one above. Case does not matter.
#[derive(Debug, Clone, Default)]
pub struct Assets {
    paths: Vec<String>,
    /// The pictures of each folder, by the folder's path in capitals with `/`: places in `paths` by number.
    folders: BTreeMap<String, BTreeMap<u32, usize>>,
    /// The folder of tile images, and what the header calls it.
    tiles: Option<String>,
    wanted: String,
    /// The folder of each name that objects use.
    keys: HashMap<String, String>,
    palette: Option<usize>,
}

impl Assets {
    /// Finds the pictures of the level with that header.
    pub fn new<P: Into<String>>(paths: impl IntoIterator<Item = P>, header: &Header) -> Self {
        let mut assets = Self { paths: paths.into_iter().map(Into::into).collect(), ..Self::default() };
        assets.list();
        assets.tiles = assets.find(header.image_dir.text());
        assets.wanted = plain(header.image_dir.text());
        assets.palette = assets.find_palette(header);
        let roots = [
            (&header.image_set_1, &header.prefix_1),
            (&header.image_set_2, &header.prefix_2),
            (&header.image_set_3, &header.prefix_3),
            (&header.image_set_4, &header.prefix_4),
        ];
        for (folder, prefix) in roots {
            if let Some(root) = assets.find(folder.text()) {
                assets.name(&root, &plain(prefix.text()));
            }
        }
        // Names without prefix are those of tiles.
        if let Some(root) = assets.tiles.clone() {
            assets.name(&root, "");
        }
        assets
    }

    /// The folder of the images of tiles. An error is what the header calls a folder that is not there; it may be nothing.
    ///
    /// # Errors
    /// When no path leads through that folder.
    pub fn tile_folder(&self) -> Result<&str, &str> {
        self.tiles.as_deref().ok_or(&self.wanted)
    }

    /// The file of a tile: the picture with that number in the folder of an image set of a plane.
    pub fn tile(&self, image_set: &[u8], number: u32) -> Option<&str> {
        let root = self.tiles.as_ref()?;
        let pictures = self.folders.get(&join(root, &plain(image_set)))?;
        self.path(*pictures.get(&number)?)
    }

    /// The files of an object by the name of its image set, as `GAME_TREASURE_COINS`, with their numbers in order; none if no
    /// folder has that name.
    pub fn sprite(&self, image_set: &[u8]) -> impl Iterator<Item = (u32, &str)> {
        let folder = self.keys.get(&plain(image_set)).and_then(|folder| self.folders.get(folder));
        folder.into_iter().flatten().filter_map(|(&number, &place)| Some((number, self.path(place)?)))
    }

    /// The file of the palette: the one that the header says, else `PALETTES\MAIN.PAL` beside the folder of tiles.
    pub fn palette(&self) -> Option<&str> {
        self.path(self.palette?)
    }

    fn path(&self, place: usize) -> Option<&str> {
        self.paths.get(place).map(String::as_str)
    }

    /// Lists folders, and their pictures by number.
    fn list(&mut self) {
        let mut pictures = Vec::new();
        for (place, path) in self.paths.iter().enumerate() {
            let path = plain(path.as_bytes());
            if path.bytes().filter(|&byte| byte == b'/').count() > DEEPEST {
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
                pictures.push((kind, path, place, number));
            }
        }
        // Of two with one number the engine's own kind counts, then the first by name.
        pictures.sort_unstable();
        for (_, path, place, number) in pictures {
            if let Some(folder) = path.rsplit_once('/').and_then(|(folder, _)| self.folders.get_mut(folder)) {
                folder.entry(number).or_insert(place);
            }
        }
    }

    /// The folder that the header means: `\LEVEL1\IMAGES`, `LEVEL1_IMAGES`. The one that is the least deep counts.
    fn find(&self, wanted: &[u8]) -> Option<String> {
        let wanted = plain(wanted).replace('/', "_");
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
        let said = plain(header.pal_rez.text());
        let beside = self.tiles.as_ref().and_then(|tiles| tiles.rsplit_once('/'));
        let beside = beside.map(|(level, _)| join(level, "PALETTES/MAIN.PAL"));
        [Some(said), beside].into_iter().flatten().filter(|wanted| !wanted.is_empty()).find_map(|wanted| {
            let found = self.paths.iter().enumerate().filter_map(|(place, path)| {
                let path = plain(path.as_bytes());
                let above = path.strip_suffix(&wanted)?;
                (above.is_empty() || above.ends_with('/')).then_some((above.len(), place))
            });
            found.min().map(|(_, place)| place)
        })
    }

    /// Gives a folder and those in it the names by which objects call them.
    fn name(&mut self, root: &str, prefix: &str) {
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

/// In capitals, with `/` alone between names.
fn plain(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path).to_ascii_uppercase();
    let names = path.split(['/', '\\']).filter(|name| !matches!(*name, "" | "."));
    names.collect::<Vec<_>>().join("/")
}

fn join(folder: &str, path: &str) -> String {
    format!("{folder}/{path}")
}
