//! Material libraries.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
};

use mapwright_scene::{
    AlphaMode, Arena, ColorSpace, Image, ImageSource, Losses, MAX_FILE_STEM, Material, PixelFormat, Scene, SideFile,
    TextureSlot, TextureUsage, Wrap,
    images::{CheckedImage, EncodedImages, ImageBudget, PNG_MEDIA_TYPE},
    name_prefix,
};

use super::one_line;
use crate::obj::mtl::{HEADER, NO_MATERIAL, NS, TEXTURES, derived};

/// Returns a unique name for each material.
pub(super) fn names(scene: &Scene, losses: &mut Losses) -> Vec<String> {
    let mut taken = Taken::default();
    // Readers interpret these names as no material.
    taken.names.extend(NO_MATERIAL.map(str::to_owned));
    scene
        .materials
        .iter()
        .map(|(id, material)| {
            let line = one_line(&material.name);
            let name = taken.unused(if line.is_empty() { "material" } else { &line }, "");
            if name != material.name {
                let path = format!("materials[{}]", id.index());
                losses.approximated(path, format!("the name {:?} is renamed to {name:?}", material.name));
            }
            name
        })
        .collect()
}

/// Names that are in use.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    /// `true` if names that differ only in case are equal, as for files on Windows.
    ignores_case: bool,
    /// The last number of each stem, so that a thousand equal names do not count from 1 a thousand times.
    numbers: HashMap<String, u64>,
}

impl Taken {
    /// Adds a name. Returns `false` if it is in use.
    fn insert_name(&mut self, name: &str) -> bool {
        self.names.insert(if self.ignores_case { name.to_lowercase() } else { name.to_owned() })
    }

    /// Adds an unused name, with a number if necessary.
    fn unused(&mut self, stem: &str, extension: &str) -> String {
        let mut name = format!("{stem}{extension}");
        while !self.insert_name(&name) {
            let number = self.numbers.entry(stem.to_owned()).or_insert(1);
            *number += 1;
            name = format!("{stem}_{number}{extension}");
        }
        name
    }
}

/// Writes the library and the images that it refers to.
pub(super) fn library(
    scene: &Scene,
    images: &Arena<Image>,
    names: &[String],
    max_image_bytes: usize,
    losses: &mut Losses,
) -> (String, Vec<SideFile>) {
    let taken = Taken { ignores_case: true, ..Taken::default() };
    let budget = ImageBudget::new(max_image_bytes);
    let slots = scene.materials.items().iter().flat_map(|material| &material.textures);
    let written = slots.filter(|slot| TEXTURES.iter().any(|(_, usage)| *usage == slot.usage));
    let encoded = EncodedImages::new(images, written.map(|slot| slot.image.index()));
    let mut images = Images { images, paths: HashMap::new(), taken, files: Vec::new(), budget, encoded };
    let mut text = format!("{HEADER}\n");
    for ((id, material), name) in scene.materials.iter().zip(names) {
        let path = format!("materials[{}]", id.index());
        write_material(scene, material, name, &path, &mut text, losses);
        for slot in &material.textures {
            let Some((word, _)) = TEXTURES.iter().find(|(_, usage)| *usage == slot.usage) else { continue };
            let Some(file) = images.path(slot.image.index(), losses) else { continue };
            let settings = settings(slot, word, &path, losses);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{word}{settings} {file}");
        }
    }
    (text, images.files)
}

/// Replaces the name of an image in a library that [`library`] wrote.
pub(super) fn rename_image(library: &[u8], old: &str, new: &str) -> Vec<u8> {
    let is_texture = |line: &str| {
        let word = line.split(' ').next();
        TEXTURES.iter().any(|(texture, _)| Some(*texture) == word)
    };
    let text = String::from_utf8_lossy(library);
    let lines = text.split_inclusive('\n').map(|line| {
        let before = line.trim_end().strip_suffix(old).filter(|before| before.ends_with(' ') && is_texture(line));
        before.map_or_else(|| line.to_owned(), |before| format!("{before}{new}\n"))
    });
    lines.collect::<String>().into_bytes()
}

/// Returns the options between the statement of a texture and its file.
fn settings(slot: &TextureSlot, word: &str, path: &str, losses: &mut Losses) -> String {
    let clamp = match slot.wrap {
        [Wrap::Repeat, Wrap::Repeat] => "",
        [Wrap::Clamp, Wrap::Clamp] => " -clamp on",
        _ => {
            losses.approximated(path, format!("{word}: repeated beyond the edge along u and v"));
            ""
        }
    };
    match slot.usage {
        _ if slot.strength == 1.0 => clamp.into(),
        TextureUsage::Bump | TextureUsage::Normal => format!("{clamp} -bm {:?}", slot.strength),
        _ => {
            losses.dropped(path, format!("strength of {word}"));
            clamp.into()
        }
    }
}

fn write_material(scene: &Scene, material: &Material, name: &str, path: &str, text: &mut String, losses: &mut Losses) {
    let [r, g, b, opacity] = material.base_color;
    let clear = opacity < 1.0 || material.texture(&TextureUsage::Opacity).is_some();
    if clear != (material.alpha == AlphaMode::Blend) && !matches!(material.alpha, AlphaMode::Mask(_)) {
        losses.approximated(path, format!("the opacity mode of {name:?} is not stored: blended below 1"));
    }
    if scene.color_space == ColorSpace::Linear {
        losses.approximated(path, format!("colours of {name:?}: from linear light to sRGB"));
    }
    let srgb = |[r, g, b]: [f64; 3]| scene.color_space.to_srgb([r, g, b]);
    let rgb = |[r, g, b, _]: [f64; 4]| srgb([r, g, b]);
    let base_color = srgb([r, g, b]);
    let [sr, sg, sb] = base_color;
    // Derived terms follow from other written values, so that readers can recognise them.
    let classic = match material.classic {
        Some(classic) => (rgb(classic.ambient), rgb(classic.specular), classic.shininess),
        None => {
            let derived = derived(&Material { base_color: [sr, sg, sb, opacity], ..material.clone() });
            let plain = |[r, g, b, _]: [f64; 4]| [r, g, b];
            (plain(derived.ambient), plain(derived.specular), derived.shininess)
        }
    };
    let (ambient, specular, shininess) = classic;
    let mut color = |word: &str, [r, g, b]: [f64; 3]| {
        let _ = writeln!(text, "{word} {r:?} {g:?} {b:?}");
    };
    color(&format!("\nnewmtl {name}\nKd"), base_color);
    color("Ka", ambient);
    color("Ks", specular);
    color("Ke", rgb(material.emissive));
    let mut number = |word: &str, value: f64| {
        let _ = writeln!(text, "{word} {value:?}");
    };
    number("Ns", shininess * NS);
    number("d", opacity);
    number("Pm", material.metallic);
    number("Pr", material.roughness);
    text.push_str("illum 2\n");
}

/// The images of the library, each written once.
struct Images<'a> {
    images: &'a Arena<Image>,
    paths: HashMap<usize, Option<String>>,
    taken: Taken,
    files: Vec<SideFile>,
    budget: ImageBudget,
    encoded: EncodedImages,
}

impl Images<'_> {
    /// Returns the path of an image in the library.
    fn path(&mut self, index: usize, losses: &mut Losses) -> Option<String> {
        if let Some(path) = self.paths.get(&index) {
            return path.clone();
        }
        let image = self.images.items().get(index)?;
        let path = self.write(index, image, &format!("images[{index}]"), losses);
        self.paths.insert(index, path.clone());
        path
    }

    fn write(&mut self, index: usize, image: &Image, path: &str, losses: &mut Losses) -> Option<String> {
        let (data, extension) = match &image.source {
            ImageSource::External { path: target } => {
                let line = one_line(target);
                if line != *target {
                    losses.approximated(path, format!("the path {target:?} is renamed to {line:?}"));
                }
                return Some(line).filter(|line| !line.is_empty());
            }
            ImageSource::Pixels(pixels) => {
                if pixels.format == PixelFormat::A8 {
                    losses
                        .approximated(path, format!("opacity-only pixels of {:?}: as white with opacity", image.name));
                }
                match self.encoded.take(index, pixels) {
                    Some(data) => (data, "png"),
                    None => {
                        losses.dropped(path, format!("the image {:?} cannot be written as PNG", image.name));
                        return None;
                    }
                }
            }
            ImageSource::Encoded { media_type, data } => match self.budget.check(data, "", path, losses) {
                Ok(CheckedImage { data, media_type }) => {
                    (data.into_owned(), if media_type == PNG_MEDIA_TYPE { "png" } else { "jpg" })
                }
                Err(reason) => {
                    losses.dropped(path, format!("image of type {media_type}: {reason}"));
                    return None;
                }
            },
        };
        let stem = file_stem(&image.name, extension);
        let name = self.taken.unused(&stem, &format!(".{extension}"));
        if name != format!("{}.{extension}", image.name) && name != image.name {
            losses.approximated(path, format!("the image {:?} is renamed to {name:?}", image.name));
        }
        self.files.push(SideFile { name: name.clone(), data });
        Some(name)
    }
}

/// Converts a name to a file name that is valid on any system: letters, digits and harmless characters. It does not begin with
/// a hyphen, which would be an option in MTL.
fn file_stem(name: &str, extension: &str) -> String {
    let stem = name.strip_suffix(extension).and_then(|stem| stem.strip_suffix('.')).unwrap_or(name);
    let safe: String = stem.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let safe = safe.trim_start_matches(['.', '-']);
    let safe = name_prefix(safe, MAX_FILE_STEM);
    match safe {
        "" => "image".into(),
        // Only the part before the first dot matters.
        _ if is_device(safe) => format!("_{safe}"),
        _ => safe.into(),
    }
}

/// Returns `true` if Windows reserves the name for a device, with any extension.
fn is_device(name: &str) -> bool {
    let name = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let numbered = name.strip_prefix("COM").or(name.strip_prefix("LPT"));
    ["CON", "PRN", "AUX", "NUL"].contains(&&*name)
        || numbered.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
}
