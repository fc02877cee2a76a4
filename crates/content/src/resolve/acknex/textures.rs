//! Textures of the blocks of a level.

use std::collections::{HashMap, HashSet};

use mapwright_acknex::scene::Transparency;
use mapwright_acknex::{Image, Texture, Wad, Wmb};
use mapwright_io::unescape_bytes;
use mapwright_scene::{Losses, Material, MaterialId, Scene, TextureSlot, TextureUsage, Value};

use super::super::RESOLVED_FROM;
use super::super::cache::BEYOND_LIMIT;
use super::super::decode::decode_within;
use super::super::loader::{LoadContext, TextureContext};
use super::super::read_log::ReadLog;
use super::{Gamestudio, last_name, strip_extension};
use crate::images::{self, to_pixels};
use crate::report::{Outcome, ReferenceKind, ResolveReport};
use crate::textures::Attached;
use crate::{ContentFile, ContentSource};

/// Number of characters of a file name that levels store.
const STORED_NAME: usize = 15;
/// Extensions of images, the best first.
const IMAGES: [&str; 7] = ["tga", "bmp", "pcx", "dds", "png", "jpg", "jpeg"];
/// The placeholder of the editor for faces without a texture.
const PLACEHOLDER: &str = "#default";

/// Attaches textures to the materials of a level that have none.
pub(super) fn attach(
    loader: &Gamestudio,
    scene: &mut Scene,
    context: &TextureContext<'_>,
    report: &mut ResolveReport,
) -> Losses {
    let content = context.content;
    let mut search = Search::new(loader, scene, context.max_bytes, context.log);
    let compiled = loader.level.as_deref().and_then(|level| strip_extension(level, "wmp"));
    let compiled = compiled.and_then(|stem| content.find_in_root(0, &format!("{stem}.wmb")));
    search.attach_compiled(scene, compiled);
    search.attach_archives(scene, content);
    search.attach_files(scene, content);
    search.finish(scene, report)
}

impl Gamestudio {
    /// Attaches textures of the compiled level beside a map entity. Those that it does not contain are attached with those of the level.
    ///
    /// # Errors
    /// If a texture exceeds the limit of the file.
    pub(super) fn attach_compiled(&self, scene: &mut Scene, context: &LoadContext<'_>) -> Result<(), String> {
        let mut search = Search::new(self, scene, context.max_bytes, context.log);
        let compiled = strip_extension(context.file.path(), "wmp");
        let compiled =
            compiled.and_then(|stem| context.content.find_in_root(context.file.root(), &format!("{stem}.wmb")));
        search.attach_compiled(scene, compiled);
        let is_beyond =
            |(.., outcome): &(MaterialId, String, Outcome)| *outcome == Outcome::Undecodable(BEYOND_LIMIT.to_owned());
        if search.found.iter().any(is_beyond) { Err(BEYOND_LIMIT.to_owned()) } else { Ok(()) }
    }
}

/// Returns `true` for a material of a model, which has its own images. Map entities have the textures of levels.
fn is_of_model(material: &Material) -> bool {
    let file = material.properties.get(RESOLVED_FROM).and_then(Value::as_text);
    file.is_some_and(|file| strip_extension(file, "wmp").is_none())
}

/// An image, and the materials that it is for.
struct Job<T> {
    source: T,
    uses: Vec<(MaterialId, String)>,
}

/// Materials that need a texture.
struct Search<'a> {
    loader: &'a Gamestudio,
    log: &'a ReadLog,
    /// Bytes that are left for images.
    left: usize,
    /// Materials without a texture, and their names.
    missing: Vec<(MaterialId, String)>,
    found: Vec<(MaterialId, String, Outcome)>,
    /// Files with textures that cannot be read, and the reasons.
    damaged: Vec<(String, String)>,
    /// Archives that the level lists and that do not exist.
    absent: Vec<String>,
    losses: Losses,
}

impl<'a> Search<'a> {
    fn new(loader: &'a Gamestudio, scene: &Scene, left: usize, log: &'a ReadLog) -> Self {
        let bare =
            scene.materials.iter().filter(|(_, it)| it.texture(&TextureUsage::BaseColor).is_none() && !it.is_tool);
        let bare = bare.filter(|(_, it)| !is_of_model(it) && !it.name.is_empty() && it.name != PLACEHOLDER);
        let missing = bare.map(|(id, it)| (id, it.name.clone())).collect();
        Self {
            loader,
            log,
            left,
            missing,
            found: Vec::new(),
            damaged: Vec::new(),
            absent: Vec::new(),
            losses: Losses::new(),
        }
    }

    /// Takes the textures of a compiled level.
    fn attach_compiled(&mut self, scene: &mut Scene, file: Option<ContentFile<'_>>) {
        let Some(file) = file.filter(|_| !self.missing.is_empty()) else { return };
        let bytes = match self.log.read(&file) {
            Ok(bytes) => bytes,
            Err(error) => return self.damaged.push((file.path().to_owned(), error.to_string())),
        };
        match Wmb::from_bytes(&bytes) {
            Ok(level) => {
                let palette = level.palette.clone().unwrap_or_else(|| self.loader.palette.clone());
                self.attach_named(scene, file.path(), &level.textures().collect::<Vec<_>>(), &palette);
            }
            Err(error) => self.damaged.push((file.path().to_owned(), error.to_string())),
        }
    }

    /// Takes the textures of archives: those that the level lists, then the others.
    fn attach_archives(&mut self, scene: &mut Scene, content: &ContentSource) {
        let listed = self.loader.wads.iter().filter_map(|name| {
            let file = content.find_name(name);
            if file.is_none() {
                self.absent.push(name.clone());
            }
            file
        });
        let listed: Vec<_> = listed.collect();
        let others = content.files().filter(|file| strip_extension(file.path(), "wad").is_some());
        let mut seen = HashSet::new();
        for file in listed.into_iter().chain(others) {
            if !seen.insert((file.root(), file.path())) {
                continue;
            }
            if self.missing.is_empty() {
                return;
            }
            let bytes = self.log.read(&file);
            match bytes.as_deref().map(Wad::from_bytes) {
                Ok(Ok(wad)) => self.attach_named(scene, file.path(), &wad.textures, &self.loader.palette),
                Ok(Err(error)) => self.damaged.push((file.path().to_owned(), error.to_string())),
                Err(error) => self.damaged.push((file.path().to_owned(), error.to_string())),
            }
        }
    }

    /// Takes textures by their names.
    fn attach_named(
        &mut self,
        scene: &mut Scene,
        path: &str,
        textures: &[Texture<'_>],
        palette: &mapwright_acknex::Palette,
    ) {
        // The first of several textures with a name is found.
        let by_name: HashMap<Vec<u8>, &Texture<'_>> =
            textures.iter().rev().map(|texture| (texture.name.text().to_ascii_lowercase(), texture)).collect();
        let take = |name: &str| by_name.get(&unescape_bytes(name).to_ascii_lowercase()).copied();
        let jobs = self.take_found(take);
        let decode = |texture: &&Texture<'_>, left: usize, _: &mut Losses| {
            let [width, height] = texture.size.map(|side| side as usize);
            match width.saturating_mul(height).saturating_mul(4) > left {
                true => Err(BEYOND_LIMIT.to_owned()),
                false => texture.image(Some(palette)).map_err(|error| error.to_string()),
            }
        };
        self.decode_all(scene, &jobs, decode, |_| path.to_owned());
    }

    /// Takes image files by their names.
    fn attach_files(&mut self, scene: &mut Scene, content: &ContentSource) {
        if self.missing.is_empty() {
            return;
        }
        let files = self.files_by_name(content);
        let jobs = self.take_found(|name| {
            let name = last_name(name)?;
            files.get(&name.to_ascii_lowercase()).map(|file| file.with_case_of(&name))
        });
        let (palette, log) = (&self.loader.palette, self.log);
        let decode = |file: &ContentFile<'_>, left: usize, losses: &mut Losses| {
            let bytes = log.read(file).map_err(|error| error.to_string())?;
            images::decode(&bytes, file.path(), Some(palette), left, losses)
        };
        self.decode_all(scene, &jobs, decode, |file| file.path().to_owned());
    }

    /// Returns the image files by name, by the part of the name that levels store, and by the name without extension, in lower case.
    fn files_by_name<'c>(&self, content: &'c ContentSource) -> HashMap<String, ContentFile<'c>> {
        let mut files: Vec<_> = content
            .files()
            .filter_map(|file| {
                let mut names = file.path().rsplit('/');
                let name = names.next()?.to_ascii_lowercase();
                let folder = names.next().unwrap_or_default().to_ascii_lowercase();
                let rank = IMAGES.iter().position(|extension| strip_extension(&name, extension).is_some())?;
                // Folders that the level lists come first.
                Some((!self.loader.folders.contains(&folder), file.root(), rank, name, file))
            })
            .collect();
        files.sort_by_key(|file| (file.0, file.1, file.2));
        let mut by_name = HashMap::new();
        for key in [
            |name: &str| Some(name.to_owned()),
            |name: &str| name.get(..STORED_NAME).map(str::to_owned),
            |name: &str| Some(name.rsplit_once('.')?.0.to_owned()),
        ] {
            for (.., name, file) in &files {
                if let Some(key) = key(name) {
                    by_name.entry(key).or_insert(*file);
                }
            }
        }
        by_name
    }

    /// Removes the materials whose name leads to something, and returns it once for all materials with the name. Map entities have textures
    /// of the level.
    fn take_found<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> Vec<Job<T>> {
        let mut jobs: Vec<Job<T>> = Vec::new();
        let mut by_name: HashMap<String, Option<usize>> = HashMap::new();
        self.missing.retain(|(id, name)| {
            let job = *by_name.entry(name.to_ascii_lowercase()).or_insert_with(|| {
                jobs.push(Job { source: find(name)?, uses: Vec::new() });
                jobs.len().checked_sub(1)
            });
            let Some(job) = job.and_then(|job| jobs.get_mut(job)) else { return true };
            job.uses.push((*id, name.clone()));
            false
        });
        jobs
    }

    fn decode_all<T: Sync>(
        &mut self,
        scene: &mut Scene,
        jobs: &[Job<T>],
        decode: impl Fn(&T, usize, &mut Losses) -> Result<Image, String> + Sync,
        path: impl Fn(&T) -> String,
    ) {
        let mut left = self.left;
        let decode = |job: &Job<T>, left| {
            let mut losses = Losses::new();
            decode(&job.source, left, &mut losses).map(|image| (image, losses))
        };
        decode_within(
            jobs,
            &mut left,
            true,
            decode,
            |(image, _)| image.rgba.len(),
            |batch, images, _| {
                for (job, image) in batch.iter().zip(images) {
                    let outcome = match image {
                        Ok((image, losses)) => {
                            self.losses.append(losses);
                            attach_image(scene, &job.uses, image);
                            Outcome::Found(path(&job.source))
                        }
                        Err(reason) => Outcome::Undecodable(reason),
                    };
                    self.found.extend(job.uses.iter().map(|(id, name)| (*id, name.clone(), outcome.clone())));
                }
            },
        );
        self.left = left;
    }

    fn finish(self, scene: &Scene, report: &mut ResolveReport) -> Losses {
        for (path, reason) in self.damaged {
            report.add(ReferenceKind::Other, &path, Outcome::Undecodable(reason));
        }
        // The textures that are missing may be in them.
        for path in self.absent.iter().filter(|_| !self.missing.is_empty()) {
            report.add(ReferenceKind::Other, path, Outcome::Missing);
        }
        let missing = self.missing.into_iter().map(|(id, name)| (id, name, Outcome::Missing));
        let outcomes = self.found.into_iter().chain(missing).collect();
        Attached { outcomes, losses: self.losses }.add_to_report(scene, report, |_, _| true)
    }
}

/// Adds an image and uses it as the base colour of materials.
fn attach_image(scene: &mut Scene, uses: &[(MaterialId, String)], image: Image) {
    let (size, alpha) = (image.size, Transparency::FromImage.alpha_mode(image.lowest_opacity()));
    let name = uses.first().map_or(String::new(), |(_, name)| name.clone());
    let image = scene.images.push(mapwright_scene::Image { name, source: to_pixels(image) });
    for (id, _) in uses {
        let Some(material) = scene.materials.get_mut(*id) else { continue };
        (material.texture_size, material.alpha) = (Some(size), alpha);
        material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
    }
}
