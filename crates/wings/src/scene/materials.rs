//! Materials, old and new.

use std::collections::{HashMap, HashSet};

use mapwright_scene as scene;
use mapwright_scene::{AlphaMode, ClassicMaterial, MaterialId, TextureSlot, TextureUsage, VertexColors};

use super::from::Writer;
use super::images::ImageIds;
use super::meshes::{DEFAULT, MaterialNames};
use super::terms::{color, finite, other_keys, set_atom, set_float, set_floats};
use super::to::Reading;
use crate::{MapSource, Material, MaterialEntry, Name, PropList, WriteError};

/// Reads the materials, and how faces call them.
pub(super) fn read(reading: &mut Reading, images: &ImageIds) -> MaterialNames {
    let mut names = MaterialNames::default();
    let shows_colors = reading.model.objects().any(|(_, object)| object.mode().is_some());
    let entries = std::mem::take(&mut reading.model.materials);
    for (index, entry) in entries.iter().enumerate() {
        let path = format!("materials[{index}]");
        let MaterialEntry::Material(material) = entry else {
            reading.losses.dropped(path, "a term that is no material");
            continue;
        };
        let name = material.name.as_str().to_owned();
        if name == super::meshes::HOLE {
            names.holes = true;
            continue;
        }
        let upgraded = material.upgraded();
        let mut new = read_one(upgraded.as_ref().unwrap_or(material), images, reading, &path);
        if shows_colors && name == DEFAULT {
            // Files of 1.1.7 and before: modes of objects stand for this.
            new.vertex_colors = VertexColors::Multiply;
        }
        let id = reading.scene.materials.push(new);
        reading.materials.push(index);
        // Faces have the first of several materials of one name.
        names.ids.entry(name).or_insert(id);
    }
    reading.model.materials = entries;
    names
}

fn read_one(material: &Material, images: &ImageIds, reading: &mut Reading, path: &str) -> scene::Material {
    let opengl = material.opengl();
    let number = |key: &str| opengl.get(key).and_then(finite);
    let diffuse = color(&opengl, "diffuse").unwrap_or([1.0; 4]);
    let specular = color(&opengl, "specular");
    let shininess = number("shininess");
    let metallic = number("metallic").unwrap_or_else(|| specular.map_or(0.1, |specular| metalness(diffuse, specular)));
    let roughness = number("roughness").unwrap_or_else(|| shininess.map_or(0.8, |shininess| 1.0 - shininess.min(1.0)));
    let ambient = color(&opengl, "ambient");
    let plain = legacy_terms(diffuse, metallic, roughness);
    let classic = (ambient.is_some() || specular.is_some() || shininess.is_some()).then(|| ClassicMaterial {
        ambient: ambient.unwrap_or(plain.ambient),
        specular: specular.unwrap_or(plain.specular),
        shininess: shininess.unwrap_or(plain.shininess),
    });
    let mut textures = Vec::new();
    for (kind, source) in material.maps() {
        let image = match &source {
            MapSource::Image(id) => images.find(id),
            MapSource::Other(term) if term.root().is_atom("none") => continue,
            MapSource::Other(term) => images.inline(term, reading),
        };
        match image {
            Some(image) => textures.push(TextureSlot::new(usage(&kind), image)),
            None => reading.losses.dropped(path, format!("{kind} map to an image that does not exist")),
        }
    }
    let has_alpha = |slot: &TextureSlot| {
        slot.usage == TextureUsage::BaseColor && reading.scene.images.get(slot.image).is_some_and(has_opacity)
    };
    let blended = diffuse[3] < 1.0 || textures.iter().any(has_alpha);
    other_keys(&material.props, &["opengl", "maps"]).report(path, "plug-in settings", &mut reading.losses);
    scene::Material {
        name: material.name.as_str().to_owned(),
        base_color: diffuse,
        metallic,
        roughness,
        emissive: color(&opengl, "emission").unwrap_or([0.0, 0.0, 0.0, 1.0]),
        classic: classic.filter(|classic| *classic != plain),
        textures,
        vertex_colors: if material.shows_vertex_colors() { VertexColors::Multiply } else { VertexColors::Ignore },
        alpha: if blended { AlphaMode::Blend } else { AlphaMode::Opaque },
        double_sided: !blended,
        ..scene::Material::default()
    }
}

/// Metalness from the classic terms, as Wings 2.2 and later compute it.
fn metalness(diffuse: [f64; 4], specular: [f64; 4]) -> f64 {
    let length = |c: [f64; 4]| c.iter().take(3).map(|c| c * c).sum::<f64>().sqrt();
    let (d, s) = (length(diffuse), length(specular).max(1.0));
    let along: f64 = diffuse.iter().zip(specular).take(3).map(|(d_i, s_i)| d_i * s_i / s).sum();
    let cosine = if d > 0.0 { along / d } else { 0.0 };
    (1.0 - cosine.clamp(-1.0, 1.0).acos() * std::f64::consts::FRAC_2_PI).max(0.0)
}

/// The classic terms that Wings 2.2 and later write for programs of before.
fn legacy_terms(diffuse: [f64; 4], metallic: f64, roughness: f64) -> ClassicMaterial {
    let [r, g, b, _] = diffuse.map(|channel| metallic * channel + (1.0 - metallic) * 0.1);
    ClassicMaterial { ambient: [0.0; 4], specular: [r, g, b, 1.0], shininess: 1.0 - roughness }
}

fn has_opacity(image: &scene::Image) -> bool {
    use scene::PixelFormat as F;
    matches!(&image.source, scene::ImageSource::Pixels(pixels) if matches!(pixels.format, F::A8 | F::La8 | F::Rgba8))
}

/// The keys of maps that have a usage of their own.
const USAGES: [(&str, TextureUsage); 8] = [
    ("diffuse", TextureUsage::BaseColor),
    ("normal", TextureUsage::Normal),
    ("bump", TextureUsage::Bump),
    ("metallic", TextureUsage::Metallic),
    ("roughness", TextureUsage::Roughness),
    ("occlusion", TextureUsage::Occlusion),
    ("emission", TextureUsage::Emission),
    ("gloss", TextureUsage::Gloss),
];

fn usage(kind: &str) -> TextureUsage {
    let known = USAGES.iter().find(|(name, _)| *name == kind);
    known.map_or_else(|| TextureUsage::Other(kind.to_owned()), |(_, usage)| usage.clone())
}

fn map_kinds(usage: &TextureUsage) -> Vec<&str> {
    match usage {
        TextureUsage::MetallicRoughness => vec!["metallic", "roughness"],
        TextureUsage::Opacity => vec!["opacity"],
        TextureUsage::Other(name) => vec![name],
        usage => USAGES.iter().filter(|(_, known)| known == usage).map(|(name, _)| *name).collect(),
    }
}

/// The names by which faces call the materials of a scene.
#[derive(Debug, Default)]
pub(super) struct FaceNames {
    /// `None` is the material `default`.
    names: Vec<Option<Name>>,
    renamed: HashSet<MaterialId>,
}

impl FaceNames {
    pub(super) fn of(&self, material: Option<MaterialId>) -> Option<Name> {
        self.names.get(material?.index()).cloned().flatten()
    }

    /// Whether faces without a material get one, because it has the name of the default.
    pub(super) fn has_default(&self) -> bool {
        self.names.iter().any(Option::is_none)
    }

    /// Whether the name is not the one that the file has for it.
    pub(super) fn is_renamed(&self, material: Option<MaterialId>) -> bool {
        material.is_some_and(|material| self.renamed.contains(&material))
    }
}

impl Writer<'_> {
    /// Writes the materials: in place those that the document has, behind them the new ones.
    pub(super) fn materials(&mut self) -> Result<FaceNames, WriteError> {
        let mut names = FaceNames::default();
        let mut atoms = Atoms::default();
        let base_name = |id| self.base.and_then(|base| base.scene.materials.get(id)).map(|old| &old.name);
        let kept = self.scene.materials.iter().filter(|(id, material)| base_name(*id) == Some(&material.name));
        atoms.taken.extend(kept.map(|(_, material)| material.name.clone()));
        for (id, material) in self.scene.materials.iter() {
            let place = self.base.and_then(|base| base.materials.get(id.index()).copied());
            let old = self.base.and_then(|base| base.scene.materials.get(id));
            let kept = old.is_some_and(|old| old.name == material.name);
            let name = if kept { material.name.clone() } else { atoms.give(&material.name) };
            if name != material.name {
                self.losses.approximated(format!("materials[{}]", id.index()), format!("name, as {name:?}"));
            }
            if self.base.is_none() && name == DEFAULT {
                let what = "material of the name default, for which Wings 2.1 and later show their own";
                self.losses.approximated(format!("materials[{}]", id.index()), what);
            }
            if old.is_some() && !kept {
                names.renamed.insert(id);
            }
            names.names.push((name != DEFAULT).then(|| Name::from(name.as_str())));
            if place.is_some() && kept && old == Some(material) {
                continue;
            }
            let entry = place.and_then(|place| self.model.materials.get(place));
            let mut written = match entry {
                Some(MaterialEntry::Material(material)) => material.upgraded().unwrap_or_else(|| material.clone()),
                _ => Material::new(name.as_str()),
            };
            if !kept {
                written.name = Name::from(name.as_str());
            }
            self.write_material(&mut written, material, old, id.index())?;
            let written = MaterialEntry::Material(written);
            match place.and_then(|place| self.model.materials.get_mut(place)) {
                Some(entry) => *entry = written,
                None => self.model.materials.push(written),
            }
        }
        // A scene with fewer materials than the document is another scene.
        let places = self.base.map_or(&[][..], |base| &base.materials);
        for &place in places.iter().skip(self.scene.materials.len()).rev() {
            if place < self.model.materials.len() {
                self.model.materials.remove(place);
            }
        }
        Ok(names)
    }

    /// Writes what differs from the old material, or everything if there is none.
    fn write_material(
        &mut self,
        written: &mut Material,
        new: &scene::Material,
        old: Option<&scene::Material>,
        index: usize,
    ) -> Result<(), WriteError> {
        let path = format!("materials[{index}]");
        let changed = |same: fn(&scene::Material, &scene::Material) -> bool| old.is_none_or(|old| !same(old, new));
        let space = self.scene.color_space;
        let srgb = |color| space.color_to_srgb(color);
        let mut opengl = written.opengl();
        let diffuse = srgb(new.base_color);
        let (metallic, roughness) = (new.metallic.clamp(0.0, 1.0), new.roughness.clamp(0.0, 1.0));
        if (metallic, roughness) != (new.metallic, new.roughness) {
            self.losses.approximated(&path, "metallic or roughness beyond 0 to 1");
        }
        let look = |a: &scene::Material, b: &scene::Material| {
            (a.classic, a.base_color, a.metallic, a.roughness) == (b.classic, b.base_color, b.metallic, b.roughness)
        };
        if changed(look) {
            let classic = new.classic.unwrap_or_else(|| legacy_terms(diffuse, metallic, roughness));
            set_floats(&mut opengl, "ambient", &classic.ambient)?;
            set_floats(&mut opengl, "specular", &classic.specular)?;
            set_float(&mut opengl, "shininess", classic.shininess)?;
        }
        if changed(|a, b| a.base_color == b.base_color) {
            set_floats(&mut opengl, "diffuse", &diffuse)?;
        }
        if changed(|a, b| a.emissive == b.emissive) {
            set_floats(&mut opengl, "emission", &srgb(new.emissive))?;
        }
        if changed(|a, b| a.metallic == b.metallic) || (changed(look) && opengl.get("metallic").is_none()) {
            set_float(&mut opengl, "metallic", metallic)?;
        }
        if changed(|a, b| a.roughness == b.roughness) || (changed(look) && opengl.get("roughness").is_none()) {
            set_float(&mut opengl, "roughness", roughness)?;
        }
        if changed(|a, b| a.vertex_colors == b.vertex_colors) {
            let value = if new.vertex_colors == VertexColors::Multiply { "set" } else { "ignore" };
            set_atom(&mut opengl, "vertex_colors", value)?;
        }
        let first = written.props.items.is_empty();
        written.props.set("opengl", &opengl.to_tree()?)?;
        if (first && !new.textures.is_empty()) || (!first && changed(|a, b| a.textures == b.textures)) {
            self.write_maps(&mut written.props, new, &path)?;
        }
        self.report_alpha(new, &path);
        Ok(())
    }

    fn write_maps(&mut self, props: &mut PropList, new: &scene::Material, path: &str) -> Result<(), WriteError> {
        let mut maps: Vec<(&str, i64)> = Vec::new();
        let mut taken = HashSet::new();
        for slot in &new.textures {
            let Some(image) = self.image_id(slot.image) else {
                self.losses.dropped(path, "map to an image that cannot be written");
                continue;
            };
            for kind in map_kinds(&slot.usage) {
                if kind.chars().count() > MAX_ATOM {
                    self.losses.dropped(path, "map of a name that is too long");
                } else if !taken.insert(kind) {
                    self.losses.dropped(path, format!("second {kind} map"));
                } else {
                    maps.push((kind, image));
                }
            }
        }
        let mut material = Material { name: Name::from(""), props: std::mem::take(props) };
        material.set_maps(&maps)?;
        *props = material.props;
        Ok(())
    }

    /// What opacity does and whether backs are drawn follow from the opacity.
    fn report_alpha(&mut self, new: &scene::Material, path: &str) {
        let textured = new.texture(&TextureUsage::BaseColor).and_then(|slot| self.scene.images.get(slot.image));
        let blended = new.base_color[3] < 1.0 || textured.is_some_and(has_opacity);
        match new.alpha {
            AlphaMode::Opaque if blended => self.losses.approximated(path, "opaque in spite of its opacity: blended"),
            AlphaMode::Blend if !blended => self.losses.dropped(path, "blending without any opacity below 1"),
            _ => {}
        }
        if new.double_sided == blended {
            self.losses.approximated(path, "which sides are drawn: both, unless blended");
        }
    }
}

/// The most characters that an atom can have.
pub(super) const MAX_ATOM: usize = 255;

/// Names of materials as atoms, each given once.
#[derive(Default)]
struct Atoms {
    taken: HashSet<String>,
    /// The next number to try for each stem.
    next: HashMap<String, u64>,
}

impl Atoms {
    /// The name itself if that is possible; else, as Wings makes it, with a number in place of its last digits.
    fn give(&mut self, name: &str) -> String {
        let cut: String = name.chars().take(MAX_ATOM).collect();
        let plain = if cut.is_empty() { "material".to_owned() } else { cut };
        if plain != super::meshes::HOLE && self.taken.insert(plain.clone()) {
            return plain;
        }
        // Room for the number.
        let stem: String = plain.trim_end_matches(|c: char| c.is_ascii_digit()).chars().take(MAX_ATOM - 21).collect();
        let blank = if stem.contains(' ') && !stem.ends_with(' ') { " " } else { "" };
        let next = self.next.entry(stem.clone()).or_insert(2);
        loop {
            let numbered = format!("{stem}{blank}{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Keys" of materials, types of maps.
    #[test]
    fn maps_have_the_published_types() {
        let published = [
            ("diffuse", TextureUsage::BaseColor),
            ("normal", TextureUsage::Normal),
            ("bump", TextureUsage::Bump),
            ("metallic", TextureUsage::Metallic),
            ("roughness", TextureUsage::Roughness),
            ("occlusion", TextureUsage::Occlusion),
            ("emission", TextureUsage::Emission),
            ("gloss", TextureUsage::Gloss),
        ];
        assert_eq!(USAGES, published);
    }
}
