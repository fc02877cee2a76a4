//! Finds what a level names and the archive of its game lacks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mapwright_content::{ContentSource, Outcome, ReferenceKind, ResolveReport};
use mapwright_io::{Finding, Frame, Path, Severity};
use mapwright_wapart::{FrameSet, Game, Image, ani, file_key};
use mapwright_wwd::{Cell, Document, Object, Plane, escape_bytes};

use super::attach::summarize;
use super::{LevelArt, PALETTE, normalize};

/// Returns findings about files of the game, one for each name, with the number of its uses. The path is that of the first use.
pub(in crate::formats::wwd) fn validate_art(level: &Document, content: &ContentSource) -> Vec<Finding> {
    check_art(level, content).0
}

/// Returns the files of the game that a level names, and all images of its image sets.
#[cfg(feature = "textures")]
pub(in crate::formats::wwd) fn list_art(level: &Document, content: &ContentSource) -> ResolveReport {
    check_art(level, content).1
}

/// Returns the findings about files of the game, and the files.
fn check_art(level: &Document, content: &ContentSource) -> (Vec<Finding>, ResolveReport) {
    let art = LevelArt::from_level(level, content);
    let mut report = ResolveReport::default();
    if art.sets.iter().next().is_none() {
        // Content of something else. All images of the level would be missing.
        let folder = art.tile_directory.unwrap_or_else(|wanted| wanted);
        let message = format!("the content has no images of this level, whose tiles are in {folder:?}");
        report.add(ReferenceKind::Other, &folder, Outcome::Missing);
        return (vec![Finding::new("content-missing", Severity::Warning, message)], report);
    }
    let files = GameFiles::new(&art, level);
    let mut checker = Checker {
        art: &art,
        files,
        findings: Findings::default(),
        uses: Uses::default(),
        references: report,
        needed: BTreeSet::new(),
        listed_sets: BTreeSet::new(),
    };
    checker.check_header();
    for (index, plane) in level.planes.iter().enumerate() {
        let place = [Frame::Field("planes"), Frame::Index(index)];
        checker.check_cells(plane, &place);
        for (at, object) in plane.objects.iter().enumerate() {
            checker.check_object(object, &[place.as_slice(), &[Frame::Field("objects"), Frame::Index(at)]].concat());
        }
    }
    checker.check_animations();
    checker.check_images();
    let Checker { mut references, needed, .. } = checker;
    let needed = needed.into_iter().filter_map(|file| content.find(art.paths.get(file)?));
    references.files.extend(needed.map(|file| file.to_path_buf()));
    (checker.findings.into_list(), references)
}

/// Findings in order. Equal ones are one, with the number of uses, which is 0 for those of the header.
#[derive(Default)]
struct Findings {
    list: Vec<(Finding, usize)>,
    known: HashMap<(&'static str, String), usize>,
}

impl Findings {
    /// Adds a warning, or the uses if it is known.
    fn add(&mut self, code: &'static str, message: String, place: &[Frame], uses: usize) {
        let next = self.list.len();
        let index = *self.known.entry((code, message.clone())).or_insert(next);
        match self.list.get_mut(index) {
            Some((_, known)) => *known = known.saturating_add(uses),
            None => {
                let mut path = Path::new();
                place.iter().rev().for_each(|frame| path.wrap(frame.clone()));
                self.list.push((Finding::new(code, Severity::Warning, message).with_path(path), uses));
            }
        }
    }

    fn into_list(self) -> Vec<Finding> {
        let with_uses = |(finding, uses): (Finding, usize)| match uses {
            0 => finding,
            _ => Finding { message: format!("{}; uses: {uses}", finding.message), ..finding },
        };
        self.list.into_iter().map(with_uses).collect()
    }
}

/// Animations and sounds by their key in upper case, with the index of their file.
struct GameFiles {
    animations: HashMap<Vec<u8>, usize>,
    sounds: HashMap<Vec<u8>, usize>,
}

impl GameFiles {
    /// Indexes the directories of animations and sounds beside the directories of images.
    fn new(art: &LevelArt, level: &Document) -> Self {
        let header = &level.header;
        let mut roots: Vec<(String, Vec<u8>)> = Vec::new();
        for (root, prefix) in [
            (&header.image_set_1, &header.prefix_1),
            (&header.image_set_2, &header.prefix_2),
            (&header.image_set_3, &header.prefix_3),
            (&header.image_set_4, &header.prefix_4),
        ] {
            let root = art.sets.find_directory(root.text()).map(|root| normalize(&root));
            if let Some((parent, _)) = root.as_deref().and_then(|root| root.rsplit_once('/')) {
                roots.push((parent.to_owned(), prefix.text().to_vec()));
            }
        }
        // The games always load these.
        for name in ["CLAW", "GAME", "GRUNTZ"] {
            roots.push((name.to_owned(), name.as_bytes().to_vec()));
        }
        let tiles = art.tile_directory.as_ref().ok().and_then(|tiles| tiles.rsplit_once('/'));
        roots.extend(tiles.map(|(parent, _)| (parent.to_owned(), b"LEVEL".to_vec())));
        let directory = |parent: &str, name: &str| {
            let wanted = format!("{parent}/{name}");
            Some(normalize(&art.sets.find_directory(wanted.as_bytes())?) + "/")
        };
        let paths: Vec<String> = art.paths.iter().map(|path| normalize(path.as_bytes())).collect();
        let mut files = Self { animations: HashMap::new(), sounds: HashMap::new() };
        for (parent, prefix) in &roots {
            for (name, extension) in [("ANIS", ".ANI"), ("ANIZ", ".ANI"), ("SOUNDS", ".WAV"), ("SOUNDZ", ".WAV")] {
                let Some(directory) = directory(parent, name) else { continue };
                for (index, path) in paths.iter().enumerate() {
                    let Some(below) = path.strip_prefix(&directory).filter(|path| path.ends_with(extension)) else {
                        continue;
                    };
                    let key = file_key(prefix, below.as_bytes()).to_ascii_uppercase();
                    if extension == ".ANI" {
                        files.animations.entry(key).or_insert(index);
                    } else {
                        files.sounds.entry(key).or_insert(index);
                    }
                }
            }
        }
        files
    }
}

/// A place in a document.
type Place = Vec<Frame>;

/// Files that the level uses, with the place of their first use and the number of uses.
#[derive(Default)]
struct Uses {
    /// Image files by their index.
    images: BTreeMap<usize, (Place, usize)>,
    /// Animations by their key, with the image sets of their objects.
    animations: BTreeMap<(Vec<u8>, Vec<u8>), (Place, usize)>,
}

struct Checker<'a> {
    art: &'a LevelArt,
    files: GameFiles,
    findings: Findings,
    uses: Uses,
    references: ResolveReport,
    /// The files that the level needs, by their index.
    needed: BTreeSet<usize>,
    /// The image sets whose frames are in `needed`.
    listed_sets: BTreeSet<&'a [u8]>,
}

/// Counts a use.
fn count<K: Ord>(uses: &mut BTreeMap<K, (Place, usize)>, key: K, place: &[Frame], count: usize) {
    let (_, number) = uses.entry(key).or_insert_with(|| (place.to_vec(), 0));
    *number = number.saturating_add(count);
}

/// Returns a place with another field.
fn with_field(place: &[Frame], field: &'static str) -> Place {
    place.iter().cloned().chain([Frame::Field(field)]).collect()
}

impl<'a> Checker<'a> {
    fn add_missing(&mut self, kind: ReferenceKind, name: &str, uses: usize) {
        self.references.add_uses(kind, name, Outcome::Missing, uses as u64);
    }

    /// Adds a file by its index, with the reason why it cannot be decoded.
    fn add_file(&mut self, kind: ReferenceKind, name: &str, file: usize, fault: Option<String>, uses: usize) {
        let found = || Outcome::Found(self.art.paths.get(file).cloned().unwrap_or_default());
        let outcome = fault.map_or_else(found, Outcome::Undecodable);
        self.references.add_uses(kind, name, outcome, uses as u64);
        self.needed.insert(file);
    }

    fn check_header(&mut self) {
        let header = [Frame::Field("header")];
        if let Err(wanted) = &self.art.tile_directory {
            let message = format!("the directory of tiles {wanted:?} does not exist: the level has no tiles");
            self.findings.add("tiles-missing", message, &with_field(&header, "image_dir"), 0);
        }
        let place = with_field(&header, "pal_rez");
        let art = self.art;
        let Some(path) = &art.palette else {
            // Images of Gruntz have palettes of their own.
            if art.game != Some(Game::Gruntz) {
                self.add_missing(ReferenceKind::Other, PALETTE, 1);
                self.findings.add("palette-missing", "the palette does not exist".to_owned(), &place, 0);
            }
            return;
        };
        let fault = match art.read(path).map(|bytes| bytes.len()) {
            Ok(768) => None,
            Ok(size) => Some(format!("the palette has {size} bytes instead of 768")),
            Err(error) => Some(format!("the palette cannot be read: {error}")),
        };
        if let Some(fault) = &fault {
            self.findings.add("palette-damaged", fault.clone(), &place, 0);
        }
        if let Some(file) = art.paths.iter().position(|it| it == path) {
            self.add_file(ReferenceKind::Other, path, file, fault, 1);
        }
    }

    /// Returns the frames of an image set. Reports a set that is missing, or that only a name in another case matches.
    fn frames(&mut self, key: &[u8], place: &[Frame], uses: usize) -> Option<&'a FrameSet> {
        let art = self.art;
        let Some(set) = art.sets.get(key) else {
            let message = format!("image set {:?} does not exist", escape_bytes(key));
            self.findings.add("image-set-missing", message, place, uses);
            self.add_missing(ReferenceKind::ImageSet, &escape_bytes(key), uses);
            return None;
        };
        // A set is used by many objects.
        if self.listed_sets.insert(&set.key) {
            self.needed.extend(set.frames.iter().map(|(_, file)| file));
        }
        if set.key != key {
            let (used, stored) = (escape_bytes(key), escape_bytes(&set.key));
            let message = format!("image set {used:?} is {stored:?} in the archive: the games distinguish case");
            self.findings.add("image-set-case", message, place, uses);
        }
        Some(&set.frames)
    }

    fn check_cells(&mut self, plane: &Plane, place: &[Frame]) {
        if self.art.tile_directory.is_err() {
            return;
        }
        let mut cells: BTreeMap<(u16, u16), usize> = BTreeMap::new();
        for word in &plane.tiles {
            if let Cell::Tile { image_set, frame } = Cell::from_word(*word) {
                *cells.entry((image_set, frame)).or_default() += 1;
            }
        }
        let sets: Vec<Vec<u8>> = plane.image_sets.iter().map(<[u8]>::to_vec).collect();
        for ((set, frame), uses) in cells {
            // Cells with a set that the plane does not name are findings of the level alone.
            let Some(key) = sets.get(usize::from(set)) else { continue };
            let Some(frames) = self.frames(key, &with_field(place, "image_sets"), uses) else { continue };
            match frames.get(frame.into()) {
                Some(file) => count(&mut self.uses.images, file, &with_field(place, "tiles"), uses),
                None => {
                    let message = format!("tile {frame} of image set {:?} does not exist", escape_bytes(key));
                    self.findings.add("tile-missing", message, &with_field(place, "tiles"), uses);
                    self.add_missing(ReferenceKind::Image, &format!("{} {frame}", escape_bytes(key)), uses);
                }
            }
        }
    }

    fn check_object(&mut self, object: &Object, place: &[Frame]) {
        if !object.image_set.is_empty()
            && let Some(frames) = self.frames(&object.image_set, &with_field(place, "image_set"), 1)
        {
            match (frames.at_rest(object.i), frames.bounds()) {
                (Some((_, file)), _) => count(&mut self.uses.images, file, place, 1),
                (None, bounds) => {
                    let [lowest, highest] = bounds.unwrap_or_default();
                    let (set, i) = (escape_bytes(&object.image_set), object.i);
                    let message = format!(
                        "frame {i} of image set {set:?} does not exist (frames {lowest} to {highest}): nothing is shown"
                    );
                    self.findings.add("frame-missing", message, &with_field(place, "i"), 1);
                    self.add_missing(ReferenceKind::Image, &format!("{set} {i}"), 1);
                }
            }
        }
        if object.animation.is_empty() {
            return;
        }
        let key = object.animation.to_ascii_uppercase();
        if self.files.animations.contains_key(&key) {
            count(&mut self.uses.animations, (key, object.image_set.clone()), &with_field(place, "animation"), 1);
        } else if let Some(file) = self.files.sounds.get(&key).copied() {
            self.add_file(ReferenceKind::Sound, &escape_bytes(&key), file, None, 1);
        } else {
            let message = format!("{:?} is neither an animation nor a sound", escape_bytes(&object.animation));
            self.findings.add("animation-missing", message, &with_field(place, "animation"), 1);
            self.add_missing(ReferenceKind::Other, &escape_bytes(&object.animation), 1);
        }
    }

    /// Checks the frames and the sounds of the animations that objects use.
    fn check_animations(&mut self) {
        for ((key, image_set), (place, uses)) in std::mem::take(&mut self.uses.animations) {
            let Some(file) = self.files.animations.get(&key).copied() else { continue };
            let Some(path) = self.art.paths.get(file) else { continue };
            let name = escape_bytes(&key);
            let read = self
                .art
                .read(path)
                .and_then(|bytes| ani::Document::from_bytes(&bytes).map_err(|error| error.to_string()));
            let animation = match read {
                Ok(animation) => animation,
                Err(error) => {
                    let message = format!("animation {name:?} cannot be read: {error}");
                    self.findings.add("animation-damaged", message, &place, uses);
                    self.add_file(ReferenceKind::Other, &name, file, Some(error), uses);
                    continue;
                }
            };
            self.add_file(ReferenceKind::Other, &name, file, None, uses);
            let frames: BTreeSet<i16> = animation.named_frames().collect();
            if let Some(set) = self.art.sets.get(&image_set) {
                let exists = |frame: i16| u32::try_from(frame).is_ok_and(|frame| set.frames.get(frame).is_some());
                let missing: Vec<String> =
                    frames.into_iter().filter(|frame| !exists(*frame)).map(|frame| frame.to_string()).collect();
                if !missing.is_empty() {
                    let message = format!(
                        "animation {name:?} shows frames that image set {:?} does not have: {}",
                        escape_bytes(&image_set),
                        summarize(&missing),
                    );
                    self.findings.add("animation-frame", message, &place, uses);
                }
            }
            let sounds: BTreeSet<Vec<u8>> = animation.sound_names().map(<[u8]>::to_ascii_uppercase).collect();
            for sound in &sounds {
                if let Some(file) = self.files.sounds.get(sound).copied() {
                    self.add_file(ReferenceKind::Sound, &escape_bytes(sound), file, None, uses);
                    continue;
                }
                self.add_missing(ReferenceKind::Sound, &escape_bytes(sound), uses);
                let message = format!("sound {:?} of an animation does not exist", escape_bytes(sound));
                self.findings.add("sound-missing", message, &place, uses);
            }
        }
    }

    /// Decodes the images that the level shows, one after the other.
    fn check_images(&mut self) {
        for (file, (place, uses)) in std::mem::take(&mut self.uses.images) {
            let Some(path) = self.art.paths.get(file) else { continue };
            let image = self
                .art
                .read(path)
                .and_then(|bytes| Image::from_file(path.as_bytes(), &bytes).map_err(|error| error.to_string()));
            let fault = image.err();
            if let Some(error) = &fault {
                let message = format!("image {path:?} cannot be decoded: {error}");
                self.findings.add("image-damaged", message, &place, uses);
            }
            self.add_file(ReferenceKind::Image, path, file, fault, uses);
        }
    }
}
