//! Textures for materials.

use std::collections::{BTreeMap, HashMap};

use mapwright_acknex::Wad;
use mapwright_io::escape_bytes;
use mapwright_scene::images::image_size;
use mapwright_scene::{Image, ImageSource, Losses, Material, MaterialId, Scene, TextureSlot, TextureUsage};

use crate::images::{self, SizedImage};
use crate::names::extension;
use crate::report::{ReferenceKind, ResolveReport};
use crate::resolve::{BEYOND_LIMIT, Outcome, ReadLog, decode_within, image_memory};
use crate::{ContentFile, ContentSource, path_key};

/// Extensions of images, the best first.
const IMAGES: [&str; 11] = ["png", "jpg", "jpeg", "tga", "bmp", "pcx", "dds", "tif", "tiff", "webp", "gif"];

/// Attaches images to materials without a base colour texture, and sets the size of their textures.
///
/// A material gets the image with the path that it refers to, or with its name: the file with this path below a root, the file with this name
/// in any folder, or the texture of a WAD archive, in this order. Extensions and case are ignored, even if the name of a material has an
/// extension. Images are PNG, JPEG, TGA, BMP, PCX, DDS, TIFF, WebP and GIF files. Materials with an image that cannot be decoded get its size,
/// if it is known. Archives are read only if a file is missing.
///
/// All images together take at most `max_bytes`. Images that cannot be read, and the number of materials without an image, are reported as
/// losses.
pub fn attach_textures(scene: &mut Scene, content: &ContentSource, max_bytes: usize) -> Losses {
    attach_logged_textures(scene, content, max_bytes, &ReadLog::default(), path_key).losses()
}

/// Returns the number of uses of each material: of places where a mesh or brush with it is shown, and of texture cells of terrains.
pub(crate) fn count_material_uses(scene: &Scene) -> Vec<u64> {
    let shown = scene.occurrences();
    let mut counts = vec![0_u64; scene.materials.len()];
    let mut last_user = vec![usize::MAX; scene.materials.len()];
    let mut users = 0_usize;
    let mut add = |materials: &mut dyn Iterator<Item = Option<MaterialId>>, places: u64| {
        for index in materials.flatten().map(MaterialId::index) {
            if let (Some(count), Some(last)) = (counts.get_mut(index), last_user.get_mut(index))
                && *last != users
            {
                (*count, *last) = (count.saturating_add(places), users);
            }
        }
        users = users.saturating_add(1);
    };
    for (mesh, (nodes, instances)) in scene.meshes.items().iter().zip(shown.meshes.iter().zip(&shown.mesh_instances)) {
        add(&mut mesh.face_materials.iter().copied(), nodes.saturating_add(*instances));
    }
    for (brush, places) in scene.brushes.items().iter().zip(&shown.brushes) {
        add(&mut brush.sides.iter().map(|side| side.material), *places);
    }
    for (terrain, places) in scene.terrains.items().iter().zip(&shown.terrains) {
        let material_of = |cell: &u32| *terrain.materials.get(usize::try_from(*cell).ok()?)?;
        for material in terrain.cells.iter().filter_map(material_of) {
            if let Some(count) = counts.get_mut(material.index()) {
                *count = count.saturating_add(*places);
            }
        }
    }
    counts
}

/// The materials that needed a texture, and the result for each.
pub(crate) struct Attached {
    pub(crate) outcomes: Vec<(MaterialId, String, Outcome)>,
    /// The other losses.
    pub(crate) losses: Losses,
}

impl Attached {
    /// Adds the materials and the numbers of their uses to a report, without those that a function rejects. Returns the other losses.
    pub(crate) fn add_to_report(
        self,
        scene: &Scene,
        report: &mut ResolveReport,
        is_listed: impl Fn(&Outcome, u64) -> bool,
    ) -> Losses {
        let uses = count_material_uses(scene);
        for (id, name, outcome) in self.outcomes {
            let uses = uses.get(id.index()).copied().unwrap_or_default();
            if is_listed(&outcome, uses) {
                // Materials that nothing shows are used by the list of the level.
                report.add_uses(ReferenceKind::Material, &name, outcome, uses.max(1));
            }
        }
        self.losses
    }

    /// Adds the materials to a report. A material that nothing shows needs no image.
    pub(crate) fn add_shown_to_report(self, scene: &Scene, report: &mut ResolveReport) -> Losses {
        self.add_to_report(scene, report, |outcome, uses| uses > 0 || matches!(outcome, Outcome::Found(_)))
    }

    /// Returns the losses, with one for all materials without an image.
    pub(crate) fn losses(&self) -> Losses {
        let Self { outcomes, losses } = self;
        let mut losses = losses.clone();
        for (id, _, outcome) in outcomes {
            if let Outcome::Undecodable(reason) = outcome {
                losses.dropped(format!("materials[{}]", id.index()), reason.clone());
            }
        }
        let mut missing = outcomes.iter().filter(|(_, _, outcome)| *outcome == Outcome::Missing);
        if let Some((first, _, _)) = missing.next() {
            let text = format!("images that the content does not contain: {}", missing.count() + 1);
            losses.dropped(format!("materials[{}]", first.index()), text);
        }
        losses
    }
}

/// Attaches images as [`attach_textures`] does, and logs the files. `key_of_name` returns the [`path_key`] of the name of a material that
/// refers to a file, and of the path of the file, which a format may store in another form.
pub(crate) fn attach_logged_textures(
    scene: &mut Scene,
    content: &ContentSource,
    max_bytes: usize,
    log: &ReadLog,
    key_of_name: fn(&str) -> String,
) -> Attached {
    let mut attacher =
        Attacher { left: max_bytes, scene, missing: Vec::new(), outcomes: Vec::new(), losses: Losses::new() };
    let files = ImagesByName::new(content);
    let bare = attacher.scene.materials.iter().filter(|(_, it)| it.texture(&TextureUsage::BaseColor).is_none());
    let key_of = |material: &Material, name: &str| match material.reference {
        Some(_) => key_of_name(name),
        None => path_key(name),
    };
    let bare: Vec<(MaterialId, String)> = bare.map(|(id, it)| (id, key_of(it, texture_name(it)))).collect();
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let mut places: HashMap<(usize, &str), usize> = HashMap::new();
    for (id, name) in bare {
        let own_name = attacher.scene.materials.get(id).map(|it| key_of(it, &it.name)).unwrap_or_default();
        let Some(file) = files.find(&name).or_else(|| files.find(&own_name)) else {
            // Faces with a tool are not drawn.
            if attacher.scene.materials.get(id).is_some_and(|it| !it.is_tool) {
                attacher.missing.push((id, own_name));
            }
            continue;
        };
        let next = jobs.len();
        let place = *places.entry((file.root(), file.path())).or_insert(next);
        match jobs.get_mut(place) {
            Some(job) => job.materials.push(id),
            None => jobs.push(Job { file, materials: vec![id] }),
        }
    }
    attacher.attach_files(&jobs, log);
    for archive in content.files().filter(|file| extension(file.path()) == "wad") {
        if attacher.missing.is_empty() {
            break;
        }
        let bytes = log.read(&archive);
        match bytes.as_deref().map(Wad::from_bytes) {
            Ok(Ok(wad)) => attacher.attach_archive(archive.path(), &wad),
            Ok(Err(error)) => attacher.losses.dropped(archive.path(), error.to_string()),
            Err(error) => attacher.losses.dropped(archive.path(), error.to_string()),
        }
    }
    let Attacher { missing, mut outcomes, losses, .. } = attacher;
    outcomes.extend(missing.into_iter().map(|(id, _)| (id, Outcome::Missing)));
    outcomes.sort_by_key(|(id, _)| *id);
    let name = |id| scene.materials.get(id).map(|material| texture_name(material).to_owned()).unwrap_or_default();
    Attached { outcomes: outcomes.into_iter().map(|(id, outcome)| (id, name(id), outcome)).collect(), losses }
}

/// Returns the path of the texture of a material if it is known, or else its name.
fn texture_name(material: &Material) -> &str {
    material.reference.as_deref().unwrap_or(&material.name)
}

/// Images without their extension, in lower case.
struct ImagesByName<'a> {
    /// By the path below a root.
    by_path: HashMap<String, ContentFile<'a>>,
    /// By the name, in any folder.
    by_name: HashMap<String, ContentFile<'a>>,
}

impl<'a> ImagesByName<'a> {
    fn new(content: &'a ContentSource) -> Self {
        let rank = |file: &ContentFile<'_>| {
            let extension = extension(file.path());
            IMAGES.iter().position(|wanted| *wanted == extension)
        };
        let mut images: Vec<_> = content.files().filter_map(|file| Some((file.root(), rank(&file)?, file))).collect();
        images.sort_by_key(|(root, rank, _)| (*root, *rank));
        let mut found = Self { by_path: HashMap::new(), by_name: HashMap::new() };
        for (_, _, file) in images {
            let path = path_key(file.path().rsplit_once('.').map_or(file.path(), |(stem, _)| stem));
            found.by_name.entry(last_name(&path).to_owned()).or_insert(file);
            found.by_path.entry(path).or_insert(file);
        }
        found
    }

    /// Returns the image for a path or name in lower case, which may have an extension of its own: one with the same path comes before
    /// one with the same name in any folder, and one with that extension before one without.
    fn find(&self, name: &str) -> Option<ContentFile<'a>> {
        let short = last_name(name);
        let stem = short.rsplit_once('.').map(|(stem, _)| stem);
        let path_stem = stem.and_then(|stem| name.get(..name.len() - short.len() + stem.len()));
        let find = |files: &HashMap<String, ContentFile<'a>>, name: Option<&str>| files.get(name?).copied();
        find(&self.by_path, Some(name))
            .or_else(|| find(&self.by_path, path_stem).filter(|_| name.contains('/')))
            .or_else(|| find(&self.by_name, Some(short)))
            .or_else(|| find(&self.by_name, stem))
    }
}

/// Returns the part of a normalized path after the last `/`.
fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// An image file, and the materials that it is for.
struct Job<'a> {
    file: ContentFile<'a>,
    materials: Vec<MaterialId>,
}

struct Attacher<'a> {
    scene: &'a mut Scene,
    /// Bytes that images may still take.
    left: usize,
    missing: Vec<(MaterialId, String)>,
    outcomes: Vec<(MaterialId, Outcome)>,
    losses: Losses,
}

impl Attacher<'_> {
    fn fail(&mut self, id: MaterialId, reason: String) {
        self.outcomes.push((id, Outcome::Undecodable(reason)));
    }

    /// Attaches the images of files. Of a file that is not decoded, the materials get the size if it is known.
    fn attach_files(&mut self, jobs: &[Job<'_>], log: &ReadLog) {
        let decode = |job: &Job<'_>, left: usize| {
            let bytes = log.read(&job.file).map_err(|error| error.to_string())?;
            let mut losses = Losses::new();
            images::read(bytes, job.file.path(), left, &mut losses).map(|image| (image, losses))
        };
        let size = |((source, _), _): &(SizedImage, Losses)| image_memory(source);
        let mut left = self.left;
        decode_within(jobs, &mut left, true, decode, size, |batch, images, _| {
            for (Job { file, materials }, image) in batch.iter().zip(images) {
                match image {
                    Ok(((source, size), losses)) => {
                        self.losses.append(losses);
                        self.attach(materials, file.path(), size, source);
                    }
                    Err(reason) => {
                        let is_tga = extension(file.path()) == "tga";
                        let size = log.read(file).ok().and_then(|bytes| image_size(&bytes, is_tga));
                        for id in materials {
                            size.into_iter().for_each(|size| self.set_size(*id, size));
                            self.fail(*id, format!("image {:?}: {reason}", file.path()));
                        }
                    }
                }
            }
        });
        self.left = left;
    }

    /// Attaches textures of an archive to the materials that have no image yet.
    fn attach_archive(&mut self, file: &str, wad: &Wad<'_>) {
        let textures: HashMap<String, _> =
            wad.textures.iter().rev().map(|it| (path_key(&escape_bytes(it.name.text())), it)).collect();
        let mut found: BTreeMap<String, Vec<MaterialId>> = BTreeMap::new();
        for (id, name) in std::mem::take(&mut self.missing) {
            match textures.contains_key(&name) {
                true => found.entry(name).or_default().push(id),
                false => self.missing.push((id, name)),
            }
        }
        for (name, materials) in found {
            let Some(texture) = textures.get(&name) else { continue };
            let [width, height] = texture.size.map(|side| side as usize);
            let taken = width.saturating_mul(height).saturating_mul(4);
            let image = match self.left.checked_sub(taken) {
                Some(left) => texture.image(None).map(|image| (image, left)).map_err(|error| error.to_string()),
                None => Err(BEYOND_LIMIT.to_owned()),
            };
            match image {
                Ok((image, left)) => {
                    self.left = left;
                    let size = image.size;
                    self.attach(&materials, file, size, images::to_pixels(image));
                }
                Err(reason) => {
                    for id in materials {
                        // A damaged texture has no size.
                        if texture.size != [0; 2] {
                            self.set_size(id, texture.size);
                        }
                        self.fail(id, format!("the image: {reason}"));
                    }
                }
            }
        }
    }

    /// Attaches an image of a file to materials.
    fn attach(&mut self, materials: &[MaterialId], file: &str, size: [u32; 2], source: ImageSource) {
        let first = materials.first().and_then(|id| self.scene.materials.get(*id));
        let name = first.map(|material| material.name.clone()).unwrap_or_default();
        let image = self.scene.images.push(Image { name, source });
        for id in materials {
            self.set_size(*id, size);
            self.outcomes.push((*id, Outcome::Found(file.to_owned())));
            if let Some(material) = self.scene.materials.get_mut(*id) {
                material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
            }
        }
    }

    fn set_size(&mut self, id: MaterialId, size: [u32; 2]) {
        if let Some(material) = self.scene.materials.get_mut(id) {
            material.texture_size.get_or_insert(size);
        }
    }
}

#[cfg(all(test, feature = "fs"))]
mod tests {
    use super::*;
    use mapwright_scene::images::encode_png;
    use mapwright_scene::{PixelFormat, Pixels};
    use std::fs;

    /// The start of an image, up to its size.
    fn bmp(width: u32, height: u32) -> Vec<u8> {
        [&b"BM"[..], &[0; 16], &width.to_le_bytes(), &height.to_le_bytes(), &[0; 8]].concat()
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let data = vec![7; (width * height) as usize];
        encode_png(&Pixels { width, height, format: PixelFormat::L8, data }).unwrap()
    }

    #[test]
    fn the_most_similar_name_is_found() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["wall.png", "tex/wall.1.png", "a/floor.png", "b/floor.png", "a.png"] {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), png(1, 1)).unwrap();
        }
        let content = ContentSource::open([folder.path()]).unwrap();
        let images = ImagesByName::new(&content);
        let found = |name: &str| images.find(name).map(|file| file.path().to_owned());
        for (name, path) in [
            ("wall.1", "tex/wall.1.png"),
            ("wall.tga", "wall.png"),
            ("b/floor.paa", "b/floor.png"),
            ("c/floor.paa", "a/floor.png"),
            ("a.b/c", ""),
        ] {
            let path = Some(path).filter(|path| !path.is_empty()).map(str::to_owned);
            assert_eq!(found(name), path, "{name}");
        }
    }

    #[test]
    fn materials_get_images_with_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("base/deep")).unwrap();
        fs::write(at("base/Brick.PNG"), png(32, 16)).unwrap();
        fs::write(at("base/brick.bmp"), bmp(1, 1)).unwrap();
        fs::write(at("base/deep/floor.bmp"), bmp(8, 4)).unwrap();
        let le = |number: u32| number.to_le_bytes();
        let name = *b"sky\0\0\0\0\0\0\0\0\0\0\0\0\0";
        let texture = [&name[..], &le(2), &le(1), &le(5), &[0; 12], &[1, 2, 3, 4, 5, 6, 7, 8]].concat();
        let size = le(u32::try_from(texture.len()).unwrap());
        let end = le(u32::try_from(12 + texture.len()).unwrap());
        let entry = [&le(12)[..], &size, &size, &[5, 0, 0, 0], &name].concat();
        fs::write(at("x.wad"), [&b"WAD7"[..], &le(1), &end, &texture, &entry].concat()).unwrap();
        fs::write(at("y.wad"), b"junk").unwrap();

        let mut scene = Scene::default();
        for name in ["base/brick", "FLOOR", "Sky", "missing"] {
            scene.materials.push(Material::new(name));
        }
        let content = ContentSource::open([folder.path()]).unwrap();
        let losses = attach_textures(&mut scene, &content, 1000);
        let sizes: Vec<_> = scene.materials.items().iter().map(|material| material.texture_size).collect();
        assert_eq!(sizes, [Some([32, 16]), Some([8, 4]), Some([2, 1]), None]);
        let images: Vec<usize> = scene.materials.items().iter().map(|material| material.textures.len()).collect();
        assert_eq!(images, [1, 0, 1, 0]);
        assert!(
            matches!(&scene.images.items()[1].source, ImageSource::Pixels(pixels) if pixels.data == [3, 2, 1, 4, 7, 6, 5, 8])
        );
        let texts: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 3, "{texts:?}");
        assert!(texts[0].contains("y.wad") && texts[1].contains("base/deep/floor.bmp") && texts[2].ends_with(": 1"));
    }

    #[test]
    fn images_that_are_not_decoded_have_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let whole = png(32, 16);
        let files = [("odd.png", &b"junk"[..]), ("cut.png", &whole[..whole.len() - 20]), ("whole.png", &whole)];
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let content = ContentSource::open([folder.path()]).unwrap();
        for (name, max_bytes, reason, size) in [
            ("odd", 10_000, "not an image of a known format", None),
            ("cut", 10_000, "the image is damaged, or of a kind that is not decoded", Some([32, 16])),
            ("whole", 5, "32 × 16 pixels exceed the limit: 5 bytes are left for images", Some([32, 16])),
        ] {
            let mut scene = Scene::default();
            scene.materials.push(Material::new(name));
            let losses = attach_textures(&mut scene, &content, max_bytes);
            let texts: Vec<_> = losses.iter().map(ToString::to_string).collect();
            assert_eq!(texts, [format!("dropped: materials[0]: image \"{name}.png\": {reason}")]);
            assert_eq!((scene.images.len(), scene.materials.items()[0].texture_size), (0, size), "{name}");
        }
    }

    #[test]
    fn materials_with_one_file_share_its_image() {
        let folder = tempfile::tempdir().unwrap();
        let palette = [&[12][..], &[9, 8, 7].repeat(256)].concat();
        let header = [&[10, 5, 1, 8][..], &[0, 0, 0, 0, 0, 0, 0, 0], &[0; 53], &[1, 1, 0], &[0; 60]].concat();
        fs::write(folder.path().join("brick.pcx"), [&header[..], &[0], &palette].concat()).unwrap();
        fs::write(folder.path().join("photo.bmp"), png(2, 1)).unwrap();
        let content = ContentSource::open([folder.path()]).unwrap();
        let mut scene = Scene::default();
        for name in ["brick", "photo", "BRICK", "walls/brick.tga"] {
            scene.materials.push(Material::new(name));
        }
        assert!(attach_textures(&mut scene, &content, 100_000).is_empty());
        let used = |id: usize| scene.materials.items()[id].textures[0].image.index();
        assert_eq!([0, 1, 2, 3].map(used), [0, 1, 0, 0]);
        let [brick, photo] = scene.images.items() else { panic!() };
        assert!(matches!(&brick.source, ImageSource::Pixels(pixels) if pixels.data == [9, 8, 7, 255]), "{brick:?}");
        // The content of a file counts, not its extension.
        assert!(matches!(&photo.source, ImageSource::Encoded { media_type, .. } if media_type == "image/png"));
    }
}
