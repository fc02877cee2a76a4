//! Materials of all versions.

use std::collections::HashMap;

use mapwright_io::math;
use mapwright_scene as scene;
use mapwright_scene::{AlphaMode, ClassicMaterial, Losses, MaterialId, Scene, TextureSlot, TextureUsage, VertexColors};

use super::images::{ImageIds, add_inline_image};
use super::numbers::{color, finite};
use crate::scene::imported::ImportedScene;
use crate::scene::materials::{DEFAULT, HOLE, USAGES, has_alpha, legacy_terms};
use crate::scene::report::report_other_keys;
use crate::{MapSource, Material, MaterialEntry};

/// The materials of a scene by the names that faces use.
#[derive(Debug, Default)]
pub(super) struct MaterialNames {
    pub(super) ids: HashMap<String, MaterialId>,
    /// `true` if the file has the material `'_hole_'`, whose faces are holes.
    pub(super) has_holes: bool,
}

/// Reads the materials.
pub(super) fn read_materials(imported: &mut ImportedScene, images: &ImageIds) -> MaterialNames {
    let mut names = MaterialNames::default();
    let shows_colors = imported.model.objects().any(|(_, object)| object.mode().is_some());
    let ImportedScene { model, scene, losses, .. } = imported;
    for (index, entry) in model.materials.iter().enumerate() {
        let path = format!("materials[{index}]");
        let MaterialEntry::Material(material) = entry else {
            losses.dropped(path, "a term that is not a material");
            continue;
        };
        let name = material.name.as_str().to_owned();
        if name == HOLE {
            names.has_holes = true;
            continue;
        }
        let upgraded = material.upgraded();
        let mut new = read_material(upgraded.as_ref().unwrap_or(material), images, scene, losses, &path);
        if shows_colors && name == DEFAULT {
            // Files of 1.1.7 and before store this as modes of objects.
            new.vertex_colors = VertexColors::Multiply;
        }
        let id = scene.materials.push(new);
        imported.materials.push(index);
        // If several materials have one name, faces use the first.
        names.ids.entry(name).or_insert(id);
    }
    names
}

fn read_material(
    material: &Material,
    images: &ImageIds,
    scene: &mut Scene,
    losses: &mut Losses,
    path: &str,
) -> scene::Material {
    let opengl = material.opengl();
    let number = |key: &str| opengl.get(key).and_then(finite);
    let diffuse = color(&opengl, "diffuse").unwrap_or([1.0; 4]);
    let specular = color(&opengl, "specular");
    let shininess = number("shininess");
    let metallic = number("metallic").unwrap_or_else(|| specular.map_or(0.1, |specular| metalness(diffuse, specular)));
    let roughness = number("roughness").unwrap_or_else(|| shininess.map_or(0.8, |shininess| 1.0 - shininess.min(1.0)));
    let ambient = color(&opengl, "ambient");
    let computed = legacy_terms(diffuse, metallic, roughness);
    let classic = (ambient.is_some() || specular.is_some() || shininess.is_some()).then(|| ClassicMaterial {
        ambient: ambient.unwrap_or(computed.ambient),
        specular: specular.unwrap_or(computed.specular),
        shininess: shininess.unwrap_or(computed.shininess),
    });
    let textures = read_maps(material, images, scene, losses, path);
    let is_transparent =
        |slot: &TextureSlot| slot.usage == TextureUsage::BaseColor && has_alpha(&scene.images[slot.image]);
    let is_blended = diffuse[3] < 1.0 || textures.iter().any(is_transparent);
    report_other_keys(&material.props, &["opengl", "maps"], path, "plug-in settings", losses);
    scene::Material {
        name: material.name.as_str().to_owned(),
        base_color: diffuse,
        metallic,
        roughness,
        emissive: color(&opengl, "emission").unwrap_or([0.0, 0.0, 0.0, 1.0]),
        classic: classic.filter(|classic| *classic != computed),
        textures,
        vertex_colors: if material.shows_vertex_colors() { VertexColors::Multiply } else { VertexColors::Ignore },
        alpha: if is_blended { AlphaMode::Blend } else { AlphaMode::Opaque },
        double_sided: !is_blended,
        ..scene::Material::default()
    }
}

fn read_maps(
    material: &Material,
    images: &ImageIds,
    scene: &mut Scene,
    losses: &mut Losses,
    path: &str,
) -> Vec<TextureSlot> {
    let mut textures = Vec::new();
    for (kind, source) in material.maps() {
        let image = match &source {
            MapSource::Image(id) => images.find(id),
            MapSource::Other(term) if term.root().is_atom("none") => continue,
            MapSource::Other(term) => add_inline_image(term, scene),
        };
        match image {
            Some(image) => textures.push(TextureSlot::new(usage(&kind), image)),
            None => losses.dropped(path, format!("{kind} map to an image that does not exist")),
        }
    }
    textures
}

/// Computes the metalness from the classic terms, as Wings 2.2 and later do.
fn metalness(diffuse: [f64; 4], specular: [f64; 4]) -> f64 {
    let length = |c: [f64; 4]| c.iter().take(3).map(|c| c * c).sum::<f64>().sqrt();
    let (d, s) = (length(diffuse), length(specular).max(1.0));
    let along: f64 = diffuse.iter().zip(specular).take(3).map(|(d_i, s_i)| d_i * s_i / s).sum();
    let cosine = if d > 0.0 { along / d } else { 0.0 };
    (1.0 - math::acos(cosine.clamp(-1.0, 1.0)) * std::f64::consts::FRAC_2_PI).max(0.0)
}

fn usage(kind: &str) -> TextureUsage {
    let known = USAGES.iter().find(|(name, _)| *name == kind);
    known.map_or_else(|| TextureUsage::Other(kind.to_owned()), |(_, usage)| usage.clone())
}
