//! Materials.

use std::collections::HashSet;

use mapwright_scene as scene;
use mapwright_scene::{AlphaMode, ClassicMaterial, TextureUsage, VertexColors};

use super::context::WriteContext;
use super::face_names::{FaceNames, UniqueNames};
use super::terms::{MAX_ATOM, set_atom, set_float, set_floats};
use crate::scene::materials::{DEFAULT, USAGES, has_alpha, legacy_terms};
use crate::{Material, MaterialEntry, Name, WriteError};

/// The number in the file of each image.
type ImageIds = [Option<i64>];

/// Writes the materials: those of the document in place, then the new ones. Returns the names that faces use.
pub(super) fn write_materials(context: &mut WriteContext<'_>, images: &ImageIds) -> Result<FaceNames, WriteError> {
    let (scene, base) = (context.scene, context.base);
    let mut names = FaceNames::default();
    let mut unique = UniqueNames::default();
    // Unchanged names first: a new material must not take the name of an old one.
    let is_unchanged =
        |id, name: &String| base.and_then(|base| base.scene.materials.get(id)).is_some_and(|old| old.name == *name);
    let unchanged = scene.materials.iter().filter(|(id, material)| is_unchanged(*id, &material.name));
    unique.taken.extend(unchanged.map(|(_, material)| material.name.clone()));
    for (id, material) in scene.materials.iter() {
        let path = format!("materials[{}]", id.index());
        let old = base.and_then(|base| base.scene.materials.get(id));
        let place = base.and_then(|base| base.materials.get(id.index()).copied());
        let keeps_name = is_unchanged(id, &material.name);
        let name = if keeps_name { material.name.clone() } else { unique.make_unique(&material.name) };
        if name != material.name {
            context.losses.approximated(&path, format!("name, as {name:?}"));
        }
        if base.is_none() && name == DEFAULT {
            let what = "material named default: Wings 2.1 and later show their own instead";
            context.losses.approximated(&path, what);
        }
        if old.is_some() && !keeps_name {
            names.renamed.insert(id);
        }
        names.names.push((name != DEFAULT).then(|| Name::from(name.as_str())));
        if old == Some(material) {
            continue;
        }
        let mut written = match place.map(|place| &context.model.materials[place]) {
            Some(MaterialEntry::Material(material)) => material.upgraded().unwrap_or_else(|| material.clone()),
            _ => Material::new(name.as_str()),
        };
        if !keeps_name {
            written.name = Name::from(name.as_str());
        }
        write_material(context, &mut written, material, old, images, &path)?;
        let written = MaterialEntry::Material(written);
        match place {
            Some(place) => context.model.materials[place] = written,
            None => context.model.materials.push(written),
        }
    }
    // Ids of a scene are indices, so materials missing from the scene are the last ones of the document.
    let places = base.map_or(&[][..], |base| &base.materials);
    for &place in places.iter().skip(scene.materials.len()).rev() {
        context.model.materials.remove(place);
    }
    Ok(names)
}

/// Writes the differences from the old material, or everything if there is none.
fn write_material(
    context: &mut WriteContext<'_>,
    written: &mut Material,
    new: &scene::Material,
    old: Option<&scene::Material>,
    images: &ImageIds,
    path: &str,
) -> Result<(), WriteError> {
    let is_changed = |same: fn(&scene::Material, &scene::Material) -> bool| old.is_none_or(|old| !same(old, new));
    let space = context.scene.color_space;
    let srgb = |color| space.color_to_srgb(color);
    let mut opengl = written.opengl();
    let diffuse = srgb(new.base_color);
    let (metallic, roughness) = (new.metallic.clamp(0.0, 1.0), new.roughness.clamp(0.0, 1.0));
    if (metallic, roughness) != (new.metallic, new.roughness) {
        context.losses.approximated(path, "metallic or roughness outside the range 0 to 1");
    }
    // Older programs read only the classic terms, so they follow every change of the values that they are computed from.
    let has_same_terms = |a: &scene::Material, b: &scene::Material| {
        (a.classic, a.base_color, a.metallic, a.roughness) == (b.classic, b.base_color, b.metallic, b.roughness)
    };
    if is_changed(has_same_terms) {
        let stored = |classic: ClassicMaterial| ClassicMaterial {
            ambient: srgb(classic.ambient),
            specular: srgb(classic.specular),
            ..classic
        };
        let classic = new.classic.map_or_else(|| legacy_terms(diffuse, metallic, roughness), stored);
        set_floats(&mut opengl, "ambient", &classic.ambient)?;
        set_floats(&mut opengl, "specular", &classic.specular)?;
        set_float(&mut opengl, "shininess", classic.shininess)?;
    }
    if is_changed(|a, b| a.base_color == b.base_color) {
        set_floats(&mut opengl, "diffuse", &diffuse)?;
    }
    if is_changed(|a, b| a.emissive == b.emissive) {
        set_floats(&mut opengl, "emission", &srgb(new.emissive))?;
    }
    // Wings computes missing values from the classic terms, which may just have changed.
    if is_changed(|a, b| a.metallic == b.metallic) || (is_changed(has_same_terms) && opengl.get("metallic").is_none()) {
        set_float(&mut opengl, "metallic", metallic)?;
    }
    if is_changed(|a, b| a.roughness == b.roughness)
        || (is_changed(has_same_terms) && opengl.get("roughness").is_none())
    {
        set_float(&mut opengl, "roughness", roughness)?;
    }
    if is_changed(|a, b| a.vertex_colors == b.vertex_colors) {
        let value = if new.vertex_colors == VertexColors::Multiply { "set" } else { "ignore" };
        set_atom(&mut opengl, "vertex_colors", value)?;
    }
    let is_new = written.props.items.is_empty();
    written.props.set("opengl", &opengl.to_tree()?)?;
    if if is_new { !new.textures.is_empty() } else { is_changed(|a, b| a.textures == b.textures) } {
        write_maps(context, written, new, images, path)?;
    }
    report_alpha(context, new, path);
    Ok(())
}

fn write_maps(
    context: &mut WriteContext<'_>,
    written: &mut Material,
    new: &scene::Material,
    images: &ImageIds,
    path: &str,
) -> Result<(), WriteError> {
    let losses = &mut context.losses;
    let mut maps: Vec<(&str, i64)> = Vec::new();
    let mut taken = HashSet::new();
    for slot in &new.textures {
        let Some(image) = images[slot.image.index()] else {
            losses.dropped(path, "map to an image that cannot be written");
            continue;
        };
        for kind in map_types(&slot.usage) {
            if kind.chars().count() > MAX_ATOM {
                losses.dropped(path, "map whose type is too long");
            } else if !taken.insert(kind) {
                losses.dropped(path, format!("second {kind} map"));
            } else {
                maps.push((kind, image));
            }
        }
    }
    written.set_maps(&maps)
}

fn map_types(usage: &TextureUsage) -> Vec<&str> {
    match usage {
        TextureUsage::MetallicRoughness => vec!["metallic", "roughness"],
        TextureUsage::Opacity => vec!["opacity"],
        TextureUsage::Other(name) => vec![name],
        usage => USAGES.iter().filter(|(_, known)| known == usage).map(|(name, _)| *name).collect(),
    }
}

/// Reports alpha modes and visible backs that differ from those that Wings derives from the alpha.
fn report_alpha(context: &mut WriteContext<'_>, new: &scene::Material, path: &str) {
    let texture = new.texture(&TextureUsage::BaseColor);
    let is_blended =
        new.base_color[3] < 1.0 || texture.is_some_and(|slot| has_alpha(&context.scene.images[slot.image]));
    let losses = &mut context.losses;
    match new.alpha {
        AlphaMode::Opaque if is_blended => {
            losses.approximated(path, "opaque material with an alpha below 1: becomes blended");
        }
        AlphaMode::Blend if !is_blended => losses.dropped(path, "blend mode of a material without an alpha below 1"),
        _ => {}
    }
    if new.double_sided == is_blended {
        losses.approximated(path, "visible sides of faces: both if opaque, one if blended");
    }
}
