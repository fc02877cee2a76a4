//! Textures for materials.

use std::collections::HashMap;

use mapwright_acknex::Wad;
use mapwright_io::escape_bytes;
use mapwright_scene::images::{decode_image, image_size};
use mapwright_scene::{
    Image, ImageSource, Losses, Material, MaterialId, PixelFormat, Pixels, Scene, TextureSlot, TextureUsage,
};

use crate::names::extension;
use crate::resolve::{Outcome, ReadLog};
use crate::{ContentFile, ContentSource, path_key};

/// The loss of an image for which no memory is left.
const BEYOND_LIMIT: &str = "the image: it exceeds the limit of all images together";

/// Extensions of images, the best first.
const IMAGES: [&str; 6] = ["png", "jpg", "jpeg", "tga", "bmp", "pcx"];

/// Attaches images to materials without a base colour texture, and sets the size of their textures.
///
/// A material gets the image with the path that it refers to, or with its name: the file with this path below a root, the file with this name in any folder, or the texture of
/// a WAD archive, in this order. Extensions and case are ignored, even if the name of a material has an extension. Images are PNG, JPEG, TGA and
/// BMP files. If an image cannot be decoded, such as PCX, only its size is read. Archives are read only if a file is missing.
///
/// All images together take at most `max_bytes`. Images that cannot be read, and the number of materials without an image, are reported as
/// losses.
pub fn attach_textures(scene: &mut Scene, content: &ContentSource, max_bytes: usize) -> Losses {
    attach_logged_textures(scene, content, max_bytes, &ReadLog::default()).into_losses()
}

/// The materials that needed a texture, and the result for each.
pub(crate) struct Attached {
    pub(crate) outcomes: Vec<(MaterialId, String, Outcome)>,
    /// The other losses.
    pub(crate) losses: Losses,
}

impl Attached {
    /// Returns the losses, with one for all materials without an image.
    pub(crate) fn into_losses(self) -> Losses {
        let Self { outcomes, mut losses } = self;
        for (id, _, outcome) in &outcomes {
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

/// Attaches images as [`attach_textures`] does, and logs the files.
pub(crate) fn attach_logged_textures(
    scene: &mut Scene,
    content: &ContentSource,
    max_bytes: usize,
    log: &ReadLog,
) -> Attached {
    let mut attacher =
        Attacher { left: max_bytes, scene, missing: Vec::new(), outcomes: Vec::new(), losses: Losses::new() };
    let files = ImagesByName::new(content);
    let bare = attacher.scene.materials.iter().filter(|(_, it)| it.texture(&TextureUsage::BaseColor).is_none());
    let bare: Vec<(MaterialId, String)> = bare.map(|(id, it)| (id, path_key(texture_name(it)))).collect();
    for (id, name) in bare {
        let own_name = attacher.scene.materials.get(id).map(|it| path_key(&it.name)).unwrap_or_default();
        let Some(file) = files.find(&name).or_else(|| files.find(&own_name)) else {
            // Faces with a tool are not drawn.
            if attacher.scene.materials.get(id).is_some_and(|it| !it.is_tool) {
                attacher.missing.push((id, own_name));
            }
            continue;
        };
        match log.read(&file) {
            Ok(bytes) => attacher.attach_file(id, file.path(), bytes),
            Err(error) => attacher.fail(id, format!("image {:?}: {error}", file.path())),
        }
    }
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

    /// Attaches the image of a file to a material, or only its size.
    fn attach_file(&mut self, id: MaterialId, file: &str, bytes: Vec<u8>) {
        let extension = extension(file);
        let Some(size) = image_size(&bytes, extension == "tga") else {
            return self.fail(id, format!("image {file:?}: unknown or damaged format"));
        };
        let media_type = match &*extension {
            "png" => "image/png",
            "jpg" | "jpeg" => "image/jpeg",
            _ => {
                let path = format!("materials[{}]", id.index());
                let Some(pixels) = decode_image(&bytes, file, self.left, &path, &mut self.losses) else {
                    self.set_size(id, size);
                    return self.fail(id, format!("image {file:?}: only its size is read"));
                };
                return self.attach(id, file, size, pixels.data.len(), ImageSource::Pixels(pixels));
            }
        };
        let bytes_taken = bytes.len();
        self.attach(id, file, size, bytes_taken, ImageSource::Encoded { media_type: media_type.into(), data: bytes });
    }

    /// Attaches textures of an archive to the materials that have no image yet.
    fn attach_archive(&mut self, file: &str, wad: &Wad<'_>) {
        let textures: HashMap<String, _> =
            wad.textures.iter().rev().map(|it| (path_key(&escape_bytes(it.name.text())), it)).collect();
        for (id, name) in std::mem::take(&mut self.missing) {
            let Some(texture) = textures.get(&name) else {
                self.missing.push((id, name));
                continue;
            };
            let [width, height] = texture.size.map(|side| side as usize);
            let taken = width.saturating_mul(height).saturating_mul(4);
            // A damaged texture has no size.
            if texture.size != [0; 2] {
                self.set_size(id, texture.size);
            }
            if taken > self.left {
                self.fail(id, BEYOND_LIMIT.to_owned());
                continue;
            }
            match texture.image(None) {
                Ok(image) => {
                    let pixels = Pixels {
                        width: image.size[0],
                        height: image.size[1],
                        format: PixelFormat::Rgba8,
                        data: image.rgba,
                    };
                    self.attach(id, file, image.size, taken, ImageSource::Pixels(pixels));
                }
                Err(error) => self.fail(id, format!("the image: {error}")),
            }
        }
    }

    /// Attaches an image of a file to a material, if there is room for it.
    fn attach(&mut self, id: MaterialId, file: &str, size: [u32; 2], bytes: usize, source: ImageSource) {
        self.set_size(id, size);
        let Some(left) = self.left.checked_sub(bytes) else {
            return self.fail(id, BEYOND_LIMIT.to_owned());
        };
        self.left = left;
        self.outcomes.push((id, Outcome::Found(file.to_owned())));
        let name = self.scene.materials.get(id).map(|material| material.name.clone()).unwrap_or_default();
        let image = self.scene.images.push(Image { name, source });
        if let Some(material) = self.scene.materials.get_mut(id) {
            material.textures.push(TextureSlot::new(TextureUsage::BaseColor, image));
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
    use std::fs;

    /// The start of an image, up to its size.
    fn bmp(width: u32, height: u32) -> Vec<u8> {
        [&b"BM"[..], &[0; 16], &width.to_le_bytes(), &height.to_le_bytes(), &[0; 8]].concat()
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &width.to_be_bytes(), &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat()
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

        fs::write(at("odd.png"), b"junk").unwrap();
        let content = ContentSource::open([folder.path()]).unwrap();
        let mut scene = Scene::default();
        scene.materials.push(Material::new("odd"));
        let texts: Vec<_> = attach_textures(&mut scene, &content, 5).iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["dropped: materials[0]: image \"odd.png\": unknown or damaged format"]);

        let mut scene = Scene::default();
        scene.materials.push(Material::new("base/brick"));
        assert!(attach_textures(&mut scene, &content, 5).iter().any(|loss| loss.text.contains("exceeds the limit")));
        assert_eq!((scene.images.len(), scene.materials.items()[0].texture_size), (0, Some([32, 16])));
    }
}
