//! Image sets: directories of images, by the keys that levels use.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::image::split_extension;
use crate::{FrameSet, ImageFormat, frame_number};

/// Maximum depth of directories. The games have seven levels.
const MAX_DEPTH: usize = 64;

/// The image sets of a level, found in a list of paths.
///
/// Paths use `/` or `\` and can be relative to any directory: the root of the archive, or one above it. The key of a directory is the
/// prefix of its root and the names of the directories below the root, joined with `_`.
///
/// ```
/// use mapwright_wapart::ImageSets;
///
/// let mut sets = ImageSets::new(["GAME/IMAGES/TREASURE/COINS/001.PID", "LEVEL1/TILES/ACTION/012.PID"]);
/// assert!(sets.add_root(b"\\GAME\\IMAGES", b"GAME") && sets.add_root(b"LEVEL1_TILES", b""));
/// let coins = sets.get(b"GAME_TREASURE_COINS").unwrap();
/// assert_eq!(coins.frames.at_rest(-1), Some((1, 0)));
/// assert_eq!(sets.get(b"ACTION").unwrap().frames.get(12), Some(1));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ImageSets {
    /// Directories by their path in upper case, with `/`.
    directories: BTreeMap<Vec<u8>, Directory>,
    /// Image sets by their key in upper case.
    sets: BTreeMap<Vec<u8>, ImageSet>,
}

#[derive(Debug, Clone, Default)]
struct Directory {
    /// The path as the list contains it, with `/`.
    path: Vec<u8>,
    images: Vec<(ImageFormat, usize, u32)>,
}

/// An image set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageSet {
    /// The key with the case of the names. The games compare keys with case, so objects whose key has other case show nothing there.
    pub key: Vec<u8>,
    /// The frames, with indices of the list of paths.
    pub frames: FrameSet,
}

impl ImageSets {
    /// Lists the directories of all paths, in the order of the archive. Leave out images that cannot be decoded.
    pub fn new<P: AsRef<[u8]>>(paths: impl IntoIterator<Item = P>) -> Self {
        let mut sets = Self::default();
        for (file, path) in paths.into_iter().enumerate() {
            let names = names(path.as_ref());
            let Some((name, directory)) = names.split_last() else { continue };
            if directory.is_empty() || directory.len() > MAX_DEPTH {
                continue;
            }
            for depth in (1..=directory.len()).rev() {
                let path = directory.get(..depth).unwrap_or_default().join(&b'/');
                let Entry::Vacant(vacant) = sets.directories.entry(path.to_ascii_uppercase()) else { break };
                vacant.insert(Directory { path, images: Vec::new() });
            }
            let directory = sets.directories.get_mut(&directory.join(&b'/').to_ascii_uppercase());
            if let (Some(format), Some(number), Some(directory)) =
                (ImageFormat::from_name(name), frame_number(name), directory)
            {
                directory.images.push((format, file, number));
            }
        }
        sets.directories.values_mut().for_each(|directory| directory.images.sort_unstable());
        sets
    }

    /// Adds the image sets of a directory and the directories below, with keys that begin with a prefix. Returns `false` if no path
    /// contains the directory.
    ///
    /// `\` and `_` are equal in the name of the directory, and case does not matter. If several directories match, the first of those
    /// with the fewest parents is used. If two directories have the same key, the second adds only frames with new numbers.
    pub fn add_root(&mut self, directory: &[u8], prefix: &[u8]) -> bool {
        let Some(root) = self.find_directory(directory) else { return false };
        for (path, directory) in self.directories.range(root.clone()..) {
            let Some(below) = path.strip_prefix(&*root) else { break };
            // `A-B` is between `A` and `A/B`.
            if directory.images.is_empty() || !matches!(below, [] | [b'/', ..]) {
                continue;
            }
            let start = directory.path.len().saturating_sub(below.len());
            let key = join_key(prefix, &names(directory.path.get(start..).unwrap_or_default()));
            let new = || ImageSet { key: key.clone(), frames: FrameSet::default() };
            let set = self.sets.entry(key.to_ascii_uppercase()).or_insert_with(new);
            set.frames.add(directory.images.iter().map(|(_, file, number)| (*number, *file)));
        }
        true
    }

    /// Returns the image set with this key, regardless of case. `/`, `\` and `_` are equal.
    pub fn get(&self, key: &[u8]) -> Option<&ImageSet> {
        self.sets.get(&join_key(b"", &names(key)).to_ascii_uppercase())
    }

    /// Returns all image sets in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = &ImageSet> {
        self.sets.values()
    }

    /// Finds a directory by its name in the header of a level: `\LEVEL1\IMAGES` or `LEVEL1_IMAGES`. Returns its path in upper case, with `/`.
    ///
    /// If several directories match, the first of those with the fewest parents is returned.
    pub fn find_directory(&self, wanted: &[u8]) -> Option<Vec<u8>> {
        let wanted = join_key(b"", &names(wanted)).to_ascii_uppercase();
        if wanted.is_empty() {
            return None;
        }
        let found = self.directories.keys().filter_map(|path| {
            let start = path.len().checked_sub(wanted.len())?;
            let (above, end) = path.split_at_checked(start)?;
            let same = |(one, other): (&u8, &u8)| one == other || (*one == b'/' && *other == b'_');
            let is_end = matches!(above, [] | [.., b'/']) && end.iter().zip(&wanted).all(same);
            is_end.then(|| (above.iter().filter(|byte| **byte == b'/').count(), path))
        });
        found.min().map(|(_, path)| path.clone())
    }
}

/// Returns the key of a file, by which levels name animations and sounds: the prefix of the root and the names below the root without the
/// extension, joined with `_`.
///
/// ```
/// assert_eq!(mapwright_wapart::file_key(b"GAME", b"COINS/OPEN.ANI"), b"GAME_COINS_OPEN");
/// ```
pub fn file_key(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    join_key(prefix, &names(split_extension(path).0))
}

/// Returns the roots of the image sets of Gruntz: directories with their prefixes. The game does not read them from the header.
pub fn gruntz_roots(area: u32) -> [(String, &'static str); 4] {
    [
        (format!("AREA{area}\\TILEZ"), ""),
        (format!("AREA{area}\\IMAGEZ"), "LEVEL"),
        ("GAME\\IMAGEZ".to_owned(), "GAME"),
        ("GRUNTZ\\IMAGEZ".to_owned(), "GRUNTZ"),
    ]
}

/// Splits a path into names.
fn names(path: &[u8]) -> Vec<&[u8]> {
    path.split(|byte| matches!(byte, b'/' | b'\\')).filter(|name| !matches!(*name, b"" | b".")).collect()
}

fn join_key(prefix: &[u8], names: &[&[u8]]) -> Vec<u8> {
    let parts = Some(prefix).filter(|prefix| !prefix.is_empty()).into_iter().chain(names.iter().copied());
    parts.collect::<Vec<_>>().join(&b'_')
}
