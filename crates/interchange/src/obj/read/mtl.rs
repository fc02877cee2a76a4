//! Material libraries.

use std::collections::{HashMap, HashSet};

use mapwright_scene::{
    AlphaMode, ClassicMaterial, FileError, FileKind, Image, ImageId, ImageSource, LossKind, Losses, Material,
    MaterialId, Scene, TextureSlot, TextureUsage, Wrap,
    images::{self, PNG_MEDIA_TYPE},
};

use super::{Budget, Skipped, lines::Lines};
use crate::{
    Error,
    obj::{
        ImportOptions,
        mtl::{HEADER, NS, TEXTURES, derived},
    },
};

/// First lines of libraries with `Ns` in hundredths.
const HUNDREDTHS: [&str; 2] = ["# Exported from Wings 3D", HEADER];

/// Loads a file that the document or one of its libraries refers to.
pub(super) type Load<'a> = &'a dyn Fn(&str, FileKind) -> Result<Vec<u8>, FileError>;

/// Reads all libraries into the scene. Returns the first material with each name.
pub(super) fn read_libraries(
    libraries: &[String],
    files: Load<'_>,
    options: &ImportOptions,
    budget: &mut Budget,
    scene: &mut Scene,
    losses: &mut Losses,
) -> Result<HashMap<String, MaterialId>, Error> {
    let mut reader = Reader {
        files,
        budget,
        skipped: Skipped::default(),
        scene,
        losses,
        named: HashMap::new(),
        images: HashMap::new(),
        image_bytes: options.max_image_bytes,
    };
    let mut seen: HashSet<&str> = HashSet::new();
    for line in libraries.iter().filter(|line| !line.is_empty()) {
        if !seen.insert(line) {
            continue;
        }
        // One name with spaces, or several names.
        if let Ok(data) = files(line, FileKind::Data) {
            reader.library(line, &data).map_err(|error| error.in_file(line))?;
            continue;
        }
        for name in line.split_ascii_whitespace() {
            if name != line && !seen.insert(name) {
                continue;
            }
            reader.budget.take()?;
            match files(name, FileKind::Data) {
                Ok(data) => reader.library(name, &data).map_err(|error| error.in_file(name))?,
                Err(reason) => {
                    // A missing library is a fault of the document. Without access to files, nothing is known about it.
                    let is_known = reason != FileError::Disabled;
                    let kind = if is_known { LossKind::Repaired } else { LossKind::Dropped };
                    reader.losses.push(kind, "", format!("material library {name:?}: {reason}"));
                }
            }
        }
    }
    Ok(reader.named)
}

/// Splits a line into its first word and the rest.
fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

struct Reader<'a> {
    files: Load<'a>,
    budget: &'a mut Budget,
    skipped: Skipped,
    scene: &'a mut Scene,
    losses: &'a mut Losses,
    named: HashMap<String, MaterialId>,
    images: HashMap<String, ImageId>,
    /// Maximum bytes for pixels of further images.
    image_bytes: usize,
}

/// A material while it is read.
#[derive(Default)]
struct Draft {
    material: Material,
    ambient: Option<[f64; 3]>,
    specular: Option<[f64; 3]>,
    ns: Option<f64>,
    metallic: Option<f64>,
    roughness: Option<f64>,
    /// `true` if the header names a program that writes `Ns` in hundredths of shininess.
    is_hundredths: bool,
}

impl Reader<'_> {
    fn library(&mut self, library: &str, data: &[u8]) -> Result<(), Error> {
        let header = data.split(|byte| [b'\n', b'\r'].contains(byte)).next().unwrap_or_default();
        let is_hundredths = HUNDREDTHS.iter().any(|start| header.starts_with(start.as_bytes()));
        let mut draft: Option<Draft> = None;
        for (line, text) in Lines::new(data) {
            let text = String::from_utf8_lossy(&text);
            let (word, rest) = split_word(&text);
            if word == "newmtl" {
                self.budget.take()?;
                self.finish(draft.replace(Draft { material: Material::new(rest), is_hundredths, ..Draft::default() }));
            } else if !word.is_empty() && !word.starts_with('#') {
                let understood = match &mut draft {
                    Some(draft) => self.statement(draft, word, rest, line)?,
                    None => false,
                };
                if !understood {
                    self.skipped.add(word, line);
                }
            }
        }
        self.finish(draft);
        std::mem::take(&mut self.skipped).report(library, LossKind::Dropped, self.losses);
        Ok(())
    }

    /// Reads a statement. Returns `false` if it is invalid.
    fn statement(&mut self, draft: &mut Draft, word: &str, rest: &str, line: u64) -> Result<bool, Error> {
        let lower = word.to_ascii_lowercase();
        let material = &mut draft.material;
        let done = match lower.as_str() {
            "kd" => color(rest).map(|[r, g, b]| {
                let [_, _, _, opacity] = material.base_color;
                material.base_color = [r, g, b, opacity];
            }),
            "ke" => color(rest).map(|[r, g, b]| material.emissive = [r, g, b, 1.0]),
            "ka" => color(rest).map(|c| draft.ambient = Some(c)),
            "ks" => color(rest).map(|c| draft.specular = Some(c)),
            "ns" => number(rest).map(|n| draft.ns = Some(n)),
            "pm" => number(rest).map(|n| draft.metallic = Some(n)),
            "pr" => number(rest).map(|n| draft.roughness = Some(n)),
            "d" => number(rest).map(|opacity| material.base_color[3] = opacity),
            "tr" => number(rest).map(|clear| material.base_color[3] = 1.0 - clear),
            // Simple illumination models add nothing to the other statements.
            "illum" if ["0", "1", "2"].contains(&rest) => Some(()),
            // The old name of a bump map has no `map_`.
            "bump" => self.texture(draft, TextureUsage::Bump, rest, line)?,
            "map_kn" => self.texture(draft, TextureUsage::Normal, rest, line)?,
            _ => match TEXTURES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
                Some((_, usage)) => self.texture(draft, usage.clone(), rest, line)?,
                None => {
                    self.budget.take()?;
                    material.properties.push(word, rest);
                    Some(())
                }
            },
        };
        Ok(done.is_some())
    }

    fn texture(&mut self, draft: &mut Draft, usage: TextureUsage, rest: &str, line: u64) -> Result<Option<()>, Error> {
        self.budget.take()?;
        let mut slot = TextureSlot::new(usage, ImageId::new(0));
        let mut rest = rest;
        while let Some((option, after)) = rest.strip_prefix('-').map(split_word) {
            rest = after;
            let most = match option {
                "o" | "s" | "t" => 3,
                "mm" => 2,
                _ => 1,
            };
            for argument in 0..most {
                let (word, after) = split_word(rest);
                // Vectors may have fewer than three numbers.
                if argument > 0 && word.parse::<f64>().is_err() {
                    break;
                }
                match option {
                    "clamp" if word == "on" => slot.wrap = [Wrap::Clamp; 2],
                    "bm" => match number(word) {
                        Some(strength) => slot.strength = strength,
                        None => return Ok(None),
                    },
                    "clamp" | "texres" | "blendu" | "blendv" | "cc" => {}
                    _ => {
                        self.skipped.add(&format!("option -{option}"), line);
                    }
                }
                rest = after;
            }
        }
        if rest.is_empty() {
            return Ok(None);
        }
        slot.image = self.image(rest);
        draft.material.textures.push(slot);
        Ok(Some(()))
    }

    /// Decodes an image within the remaining budget.
    fn decoded(&mut self, path: &str, data: Vec<u8>) -> Option<ImageSource> {
        let item = format!("images[{}]", self.scene.images.len());
        let is_file = match images::media_type(&data) {
            // Pixels of a scene have 8 bits per channel, so a PNG with 16 bits stays encoded.
            Some(PNG_MEDIA_TYPE) => images::png_depth(&data) == Some(16),
            Some(_) => true,
            None => false,
        };
        if is_file {
            return images::image_source(data, path, 0, &item, self.losses);
        }
        let pixels = images::decode_image(&data, path, self.image_bytes, &item, self.losses)?;
        self.image_bytes = self.image_bytes.saturating_sub(pixels.data.len());
        Some(ImageSource::Pixels(pixels))
    }

    /// Returns the image of a path: its pixels, or the file if it is a JPEG or a PNG with 16 bits. Returns the path if it
    /// cannot be loaded or decoded.
    fn image(&mut self, path: &str) -> ImageId {
        if let Some(&id) = self.images.get(path) {
            return id;
        }
        let loaded = (self.files)(path, FileKind::Image);
        let source = match loaded {
            Ok(data) => {
                let is_too_large =
                    images::decoded_bytes(&data, path).is_some_and(|size| size > self.image_bytes as u64);
                let reason = if is_too_large { images::TOO_LARGE } else { images::NO_IMAGE };
                self.decoded(path, data).ok_or_else(|| reason.to_owned())
            }
            Err(reason) => Err(reason.to_string()),
        };
        let source = source.unwrap_or_else(|reason| {
            self.losses
                .preserved(format!("images[{}]", self.scene.images.len()), images::unread_image_text(path, reason));
            ImageSource::External { path: path.to_owned() }
        });
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
        let id = self.scene.images.push(Image { name, source });
        self.images.insert(path.to_owned(), id);
        id
    }

    fn finish(&mut self, draft: Option<Draft>) {
        let Some(Draft { mut material, ambient, specular, ns, metallic, roughness, is_hundredths }) = draft else {
            return;
        };
        let path = format!("materials[{}]", self.scene.materials.len());
        material.metallic = metallic.unwrap_or(0.0);
        if metallic.is_none() || roughness.is_none() {
            self.losses.synthesized(&*path, format!("metallic and roughness of {:?}", material.name));
        }
        let shininess = ns.map(if is_hundredths { hundredths } else { thousandths });
        material.roughness = roughness.or(shininess.map(|shininess| 1.0 - shininess)).unwrap_or(1.0);
        let rule = derived(&material);
        let opaque = |[r, g, b]: [f64; 3]| [r, g, b, 1.0];
        let classic = ClassicMaterial {
            ambient: ambient.map_or(rule.ambient, opaque),
            specular: specular.map_or(rule.specular, opaque),
            shininess: shininess.unwrap_or(rule.shininess),
        };
        // `Ns` was multiplied. A file without a header is from Wings 3D if all terms match its rule.
        let close = |shininess: f64| (shininess - rule.shininess).abs() < 1e-12;
        let close = close(classic.shininess) || ns.is_some_and(|ns| close(hundredths(ns)));
        let follows = classic.ambient == rule.ambient && classic.specular == rule.specular && close;
        // Written files have another scale, that of Wings 3D.
        let kept = if follows { rule.shininess } else { classic.shininess };
        if let Some(ns) = ns.filter(|ns| *ns != kept * NS) {
            let name = &material.name;
            let text =
                format!("Ns {ns} of {name:?}: the shininess {kept}, Ns {} in OBJ files of this program", kept * NS);
            self.losses.approximated(&*path, text);
        }
        material.classic = (!follows).then_some(classic);
        let clear = material.base_color[3] < 1.0 || material.texture(&TextureUsage::Opacity).is_some();
        material.alpha = if clear { AlphaMode::Blend } else { AlphaMode::Opaque };
        let name = material.name.clone();
        let id = self.scene.materials.push(material);
        self.named.entry(name).or_insert(id);
    }
}

/// Parses a number, and ignores what follows. Numbers beyond 32 bits are invalid, because results would not be finite.
fn number(text: &str) -> Option<f64> {
    text.split_ascii_whitespace().next()?.parse().ok().filter(|number: &f64| number.abs() <= f32::MAX.into())
}

/// Shininess as Wings 3D writes it.
fn hundredths(ns: f64) -> f64 {
    (ns / NS).clamp(0.0, 1.0)
}

/// Shininess as other programs write it: `Ns` is an exponent of up to 1000, and highlights narrow with its square root. Blender
/// does this.
fn thousandths(ns: f64) -> f64 {
    (ns.clamp(0.0, 1000.0) / 1000.0).sqrt()
}

/// Parses three numbers, or one for all three.
fn color(text: &str) -> Option<[f64; 3]> {
    let mut words = text.split_ascii_whitespace();
    let r = number(words.next()?)?;
    match (words.next(), words.next()) {
        (Some(g), Some(b)) => Some([r, number(g)?, number(b)?]),
        (None, _) => Some([r; 3]),
        _ => None,
    }
}
