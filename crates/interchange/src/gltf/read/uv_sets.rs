//! The UV sets of materials, with texture transforms applied.

use mapwright_scene::Losses;

use crate::gltf::{
    MAX_UV_SETS,
    json::{Material, Root, TextureInfo, TextureTransform},
};

/// A UV set of a scene, and its source in the document.
#[derive(Clone, Copy)]
pub(super) struct UvSource {
    /// Number of the set in the scene.
    pub set: usize,
    /// Number of the set in the document.
    source: usize,
    transform: Option<TextureTransform>,
}

impl UvSource {
    fn new(info: &TextureInfo) -> Self {
        let transform = info.extensions.transform;
        let source = transform.and_then(|transform| transform.tex_coord).unwrap_or(info.tex_coord) as usize;
        let transform = transform.map(|transform| TextureTransform { tex_coord: None, ..transform });
        Self { set: source, source, transform: transform.filter(|transform| *transform != TextureTransform::default()) }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.source == other.source && self.transform == other.transform
    }
}

/// Returns the UV sets that the textures of each material use. The first texture of a set replaces that set by its transformed
/// coordinates. Other transforms of the same set get additional sets.
pub(super) fn plan(root: &Root, losses: &mut Losses) -> Vec<Vec<UvSource>> {
    let first_free = uv_set_count(root);
    let mut plans = Vec::with_capacity(root.materials.len());
    for (index, material) in root.materials.iter().enumerate() {
        let mut sources: Vec<UvSource> = Vec::new();
        let mut free = first_free;
        for mut source in texture_infos(material).map(UvSource::new) {
            if sources.iter().any(|other| other.is_same(&source)) {
                continue;
            }
            if sources.iter().any(|other| other.set == source.source) {
                if free >= MAX_UV_SETS {
                    losses.dropped(format!("materials[{index}]"), "texture transforms beyond the number of UV sets");
                    continue;
                }
                source.set = free;
                free += 1;
            }
            sources.push(source);
        }
        if sources.iter().any(|source| source.transform.is_some()) {
            losses.preserved(format!("materials[{index}]"), "texture transforms, applied to the texture coordinates");
        }
        plans.push(sources);
    }
    plans
}

/// Returns the set of a scene that a texture uses.
pub(super) fn find_set(plan: &[UvSource], info: &TextureInfo) -> usize {
    let wanted = UvSource::new(info);
    plan.iter().find(|source| source.is_same(&wanted)).map_or(wanted.source, |source| source.set)
}

/// Returns the set of the document, and the transform, of a set of the scene.
pub(super) fn source(plan: &[UvSource], set: usize) -> (usize, Option<&TextureTransform>) {
    match plan.iter().find(|source| source.set == set) {
        Some(source) => (source.source, source.transform.as_ref()),
        None => (set, None),
    }
}

/// Returns the number of sets that a mesh needs for a material with transforms.
pub(super) fn needed_sets(plan: &[UvSource]) -> usize {
    let transformed = plan.iter().filter(|source| source.set != source.source);
    transformed.map(|source| source.set + 1).max().unwrap_or(0)
}

/// Returns the greatest number of UV sets of a primitive.
fn uv_set_count(root: &Root) -> usize {
    let names = root.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|primitive| primitive.attributes.keys());
    let sets = names.filter_map(|name| name.strip_prefix("TEXCOORD_")?.parse::<usize>().ok());
    sets.filter(|&set| set < MAX_UV_SETS).map(|set| set + 1).max().unwrap_or(0)
}

fn texture_infos(material: &Material) -> impl Iterator<Item = &TextureInfo> {
    let pbr = material.pbr_metallic_roughness.as_ref();
    let old = material.extensions.as_ref().and_then(|extensions| extensions.specular_glossiness.as_ref());
    let infos = [
        pbr.and_then(|pbr| pbr.base_color_texture.as_ref()),
        old.filter(|_| pbr.is_none()).and_then(|old| old.diffuse_texture.as_ref()),
        pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_ref()),
        material.normal_texture.as_ref().map(|texture| &texture.info),
        material.occlusion_texture.as_ref().map(|texture| &texture.info),
        material.emissive_texture.as_ref(),
    ];
    infos.into_iter().flatten()
}
