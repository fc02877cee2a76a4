//! Files that were loaded, and the memory that they take.

use std::collections::{HashMap, HashSet};

use mapwright_scene::{Image, ImageId, ImageSource, Import, LossKind, Losses, Scene};

use super::decode::decode_within;
use super::loader::{LoadContext, Loader, Request};
use super::memory::scene_memory;
use super::merge::{Template, merge};
use super::read_log::ReadLog;
use crate::report::{Outcome, ReferenceKind, ResolveReport};
use crate::{ContentFile, ContentSource};

/// The reason of files for which no memory is left.
pub(crate) const BEYOND_LIMIT: &str = "it exceeds the limit of all models and images together";

/// A file in one variant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct FileKey {
    root: usize,
    /// The path below the root.
    pub(super) path: String,
    variant: u32,
}

impl FileKey {
    pub(super) fn new(file: &ContentFile<'_>, variant: u32) -> Self {
        Self { root: file.root(), path: file.path().to_owned(), variant }
    }

    /// Returns the file.
    pub(super) fn file<'a>(&self, content: &'a ContentSource) -> Option<ContentFile<'a>> {
        content.find_in_root(self.root, &self.path)
    }

    /// Returns `true` if the file has a path below a root.
    pub(super) fn is_path(&self, root: usize, path: &str) -> bool {
        self.root == root && self.path == path
    }

    /// Returns `true` if both are variants of one file.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        (self.root, &self.path) == (other.root, &other.path)
    }
}

/// The result of loading a file.
pub(super) enum Loaded {
    /// Its nodes. Its meshes are in the scene.
    Template(Template),
    /// The reason why it was not decoded.
    Failed(String),
}

/// An image of a resolved model.
enum LoadedImage {
    Image(ImageId),
    Failed(String),
}

pub(super) struct Cache<'a> {
    content: &'a ContentSource,
    loader: &'a dyn Loader,
    log: &'a ReadLog,
    /// Bytes that are left for models and images.
    left: usize,
    files: HashMap<FileKey, Loaded>,
    images: HashMap<FileKey, LoadedImage>,
    losses: Losses,
}

impl<'a> Cache<'a> {
    pub(super) fn new(content: &'a ContentSource, loader: &'a dyn Loader, max_bytes: usize, log: &'a ReadLog) -> Self {
        Self {
            content,
            loader,
            log,
            left: max_bytes,
            files: HashMap::new(),
            images: HashMap::new(),
            losses: Losses::new(),
        }
    }

    /// Returns the bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Takes bytes of those that are left. Returns `false` if they are not enough.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    pub(super) fn get(&self, key: &FileKey) -> Option<&Loaded> {
        self.files.get(key)
    }

    pub(super) fn into_losses(self) -> Losses {
        self.losses
    }

    /// Loads the files that are not loaded yet, and adds their content to the scene without nodes.
    pub(super) fn load<'k>(
        &mut self,
        scene: &mut Scene,
        keys: impl Iterator<Item = &'k FileKey>,
        report: &mut ResolveReport,
    ) {
        let mut known = HashSet::new();
        let new: Vec<&FileKey> = keys.filter(|key| !self.files.contains_key(key) && known.insert(*key)).collect();
        let (content, loader, log, mut left) = (self.content, self.loader, self.log, self.left);
        let decode = |key: &&FileKey, max_bytes| load_file(key, content, loader, log, max_bytes);
        let size = |import: &Import| scene_memory(&import.scene);
        decode_within(&new, &mut left, loader.fails_beyond_limit(), decode, size, |batch, imports, left| {
            self.left = *left;
            self.load_images(scene, batch, &imports);
            *left = self.left;
            for (key, import) in batch.iter().zip(imports) {
                let loaded = import.map(|import| self.add(scene, key, import, report));
                let loaded = loaded.map_or_else(Loaded::Failed, Loaded::Template);
                self.files.insert((*key).clone(), loaded);
            }
        });
        self.left = left;
    }

    /// Adds the content of a file to the scene.
    fn add(&mut self, scene: &mut Scene, key: &FileKey, import: Import, report: &mut ResolveReport) -> Template {
        let images: Vec<Option<ImageId>> =
            import.scene.images.items().iter().map(|image| self.shared_image(key, image, report)).collect();
        // Metadata of models is not part of the level.
        for loss in import.losses.iter().filter(|loss| loss.kind != LossKind::Preserved) {
            let place = if loss.path.is_empty() { String::new() } else { format!("{}: ", loss.path) };
            self.losses.push(loss.kind, key.path.as_str(), place + &loss.text_with_count());
        }
        let adapt = |material: &mut _, image: &Image| self.loader.adapt_material(material, image, key.variant);
        let keeps_lights = key.file(self.content).is_some_and(|file| self.loader.keeps_lights(file));
        let merged = merge(scene, import.scene, &key.path, &images, adapt, keeps_lights);
        if merged.left_out > 0 {
            let text = format!("lights, cameras, sounds, paths and layers of tiles: {}", merged.left_out);
            self.losses.dropped(key.path.as_str(), text);
        }
        merged.template
    }

    /// Returns the decoded image for a reference in a file.
    fn shared_image(&self, from: &FileKey, image: &Image, report: &mut ResolveReport) -> Option<ImageId> {
        let path = external_path(image)?;
        let key = self.find_image(from, path);
        let (outcome, id) = match key.and_then(|key| Some((self.images.get(&key)?, key.path))) {
            Some((LoadedImage::Image(id), file)) => (Outcome::Found(file), Some(*id)),
            Some((LoadedImage::Failed(reason), _)) => (Outcome::Undecodable(reason.clone()), None),
            None => (Outcome::Missing, None),
        };
        report.add(ReferenceKind::Image, path, outcome);
        id
    }

    fn find_image(&self, from: &FileKey, path: &str) -> Option<FileKey> {
        let request = Request { path, kind: ReferenceKind::Image, from: from.file(self.content) };
        Some(FileKey::new(&self.loader.find(&request, self.content)?, from.variant))
    }

    /// Decodes the images that files refer to.
    fn load_images(&mut self, scene: &mut Scene, keys: &[&FileKey], imports: &[Result<Import, String>]) {
        let mut known = HashSet::new();
        let mut new = Vec::new();
        for (key, import) in keys.iter().zip(imports).filter_map(|(key, import)| Some((key, import.as_ref().ok()?))) {
            let paths = import.scene.images.items().iter().filter_map(external_path);
            let images = paths.filter_map(|path| self.find_image(key, path));
            new.extend(images.filter(|key| !self.images.contains_key(key) && known.insert(key.clone())));
        }
        let (content, loader, log, mut left) = (self.content, self.loader, self.log, self.left);
        let decode = |key: &FileKey, max_bytes| load_image(key, content, loader, log, max_bytes);
        let size = |(source, _): &(ImageSource, Losses)| image_memory(source);
        decode_within(&new, &mut left, true, decode, size, |batch, images, _| {
            for (key, image) in batch.iter().zip(images) {
                let loaded = match image {
                    Ok((source, losses)) => {
                        self.losses.append(losses);
                        let name = key.path.rsplit('/').next().unwrap_or_default().to_owned();
                        LoadedImage::Image(scene.images.push(Image { name, source }))
                    }
                    Err(reason) => LoadedImage::Failed(reason),
                };
                self.images.insert(key.clone(), loaded);
            }
        });
        self.left = left;
    }
}

/// Returns the memory that an image takes, in bytes.
pub(crate) fn image_memory(source: &ImageSource) -> usize {
    match source {
        ImageSource::Pixels(pixels) => pixels.data.len(),
        ImageSource::Encoded { data, .. } => data.len(),
        ImageSource::External { .. } => 0,
    }
}

/// Returns the path of an image in another file.
fn external_path(image: &Image) -> Option<&str> {
    match &image.source {
        ImageSource::External { path } => Some(path),
        _ => None,
    }
}

fn load_file(
    key: &FileKey,
    content: &ContentSource,
    loader: &dyn Loader,
    log: &ReadLog,
    max_bytes: usize,
) -> Result<Import, String> {
    let file = key.file(content).ok_or("no such file")?;
    let bytes = log.read(&file).map_err(|error| error.to_string())?;
    if bytes.len() > max_bytes {
        return Err(BEYOND_LIMIT.to_owned());
    }
    let import = loader.load(&bytes, &LoadContext { file, content, variant: key.variant, max_bytes, log })?;
    match import.scene.first_error() {
        Some(error) => Err(error.to_string()),
        None => Ok(import),
    }
}

fn load_image(
    key: &FileKey,
    content: &ContentSource,
    loader: &dyn Loader,
    log: &ReadLog,
    max_bytes: usize,
) -> Result<(ImageSource, Losses), String> {
    let file = key.file(content).ok_or("no such file")?;
    let bytes = log.read(&file).map_err(|error| error.to_string())?;
    if bytes.len() > max_bytes {
        return Err(BEYOND_LIMIT.to_owned());
    }
    let mut losses = Losses::new();
    let context = LoadContext { file, content, variant: key.variant, max_bytes, log };
    let image = loader.load_image(bytes, &context, &mut losses)?;
    Ok((image, losses))
}
