//! Files that Source 2 maps refer to.

mod assets;
mod images;
mod maps;
mod materials;
mod models;
mod shapes;

pub use self::assets::{MapAsset, MapAssets, list_map_assets};

use mapwright_keyvalues::Vmdl;
use mapwright_scene::{Content, Import, Losses, NodeId, Properties, Scene, Value};
use mapwright_vmap::scene::Subdivision;

use super::entity_names::NameAffixes;
use super::loader::{LoadContext, Loader, Request, TextureContext, find_by_name};
use super::variants::{Variants, override_texts};
use crate::names::extension;
use crate::report::{ReferenceKind, ResolveReport};
use crate::roots::relative_path;
use crate::{ContentFile, ContentSource};

/// Finds and decodes the files of a Source 2 map: prefabs, maps of 3D skyboxes, models (`.vmdl` with DMX, glTF or OBJ meshes, boxes and
/// spheres, or a glTF, DMX or OBJ file with the path of the model), and materials (`.vmat`) with their images.
///
/// Paths are relative to a root of the content; see [`content_roots`](crate::content_roots). Compiled files and FBX are not decoded.
#[derive(Debug, Default)]
pub struct Source2 {
    subdivision: Subdivision,
    flips_green: bool,
    variants: Variants<Variant>,
}

/// Settings of a node that change the content of its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Variant {
    /// A prefab with values for variables of its map: names and values.
    Prefab(Vec<(String, String)>),
    /// A prefab that is not part of the compiled map.
    AtRuntime,
    /// The map of a 3D skybox.
    Skybox,
    /// A model with another group of materials.
    Skin(String),
}

/// The extensions of models in the order in which they are looked for, after `.vmdl`.
const MODELS: [&str; 4] = ["glb", "gltf", "dmx", "obj"];

/// The class of entities that show the map of a 3D skybox, and the key with its path.
const SKYBOX: (&str, &str) = ("skybox_reference", "targetMapName");

impl Source2 {
    /// Creates the loader. Maps of prefabs have the same subdivision as the map itself.
    pub fn new(subdivision: Subdivision) -> Self {
        Self { subdivision, ..Self::default() }
    }

    /// Inverts the green channel of normal maps. It points down in images of Source 2, and up in glTF. Images with the setting
    /// `legacy_source1_inverted_normal` are not inverted.
    #[must_use]
    pub fn with_flipped_green(mut self, flips_green: bool) -> Self {
        self.flips_green = flips_green;
        self
    }
}

impl Loader for Source2 {
    fn prepare(&self, scene: &mut Scene) {
        maps::add_skyboxes(scene);
    }

    fn find<'a>(&self, request: &Request<'_>, content: &'a ContentSource) -> Option<ContentFile<'a>> {
        let path = relative_path(request.path)?;
        match request.kind {
            ReferenceKind::Model => content.find(&path).or_else(|| find_model(&path, content)),
            ReferenceKind::Image => find_by_name(&Request { path: &path, ..*request }, content),
            _ => content.find(&path),
        }
    }

    fn variant(&self, scene: &Scene, node: NodeId) -> u32 {
        let variant = scene.nodes.get(node).and_then(|node| {
            let is_set = |name: &str| node.properties.get(name).and_then(Value::as_bool) == Some(true);
            match &node.content {
                Content::Prefab(_) if is_set(maps::SKYBOX_MARK) => Some(Variant::Skybox),
                Content::Prefab(_) if is_set("loadAtRuntime") => Some(Variant::AtRuntime),
                // Also without overrides: bound keys get the values of the variables.
                Content::Prefab(prefab) => Some(Variant::Prefab(override_texts(prefab))),
                Content::Entity(entity) => {
                    let skin = scene.entities.get(*entity)?.properties.get("skin")?.as_text()?;
                    (!skin.is_empty()).then(|| Variant::Skin(skin.to_ascii_lowercase()))
                }
                _ => None,
            }
        });
        variant.map_or(0, |variant| self.variants.intern(variant))
    }

    fn name_affixes(&self, scene: &Scene, node: NodeId, file: &Properties) -> NameAffixes {
        let prefix = scene.nodes.get(node).and_then(|node| maps::name_prefix(node, file));
        NameAffixes { prefix: prefix.unwrap_or_default(), ..NameAffixes::default() }
    }

    fn keeps_lights(&self, file: ContentFile<'_>) -> bool {
        extension(file.path()) == "vmap"
    }

    fn load(&self, bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
        let variant = self.variants.get(context.variant);
        match &*extension(context.file.path()) {
            "vmap" => maps::load(bytes, variant.as_deref(), self.subdivision),
            "vmdl" => {
                let skin = if let Some(Variant::Skin(skin)) = variant.as_deref() { Some(&**skin) } else { None };
                models::load(bytes, skin, context)
            }
            _ => models::load_mesh(bytes, context).map(|mut import| {
                let model = Vmdl::default();
                models::name_materials(&mut import.scene, &model.material_lookup(None), context.file.path());
                import
            }),
        }
    }

    fn attach_textures(&self, scene: &mut Scene, context: &TextureContext<'_>, report: &mut ResolveReport) -> Losses {
        materials::attach(scene, context, self.flips_green, report)
    }
}

/// Finds a file that can replace a `.vmdl`: `models/a.glb`, or `models/a.vmdl.glb`, as exporters name it.
fn find_model<'a>(path: &str, content: &'a ContentSource) -> Option<ContentFile<'a>> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let find = |name: String| content.find(&name);
    let by_stem = MODELS.iter().find_map(|it| find(format!("{stem}.{it}")));
    by_stem.or_else(|| {
        ["glb", "gltf"].iter().find_map(|it| find(format!("{path}.{it}")).or_else(|| find(format!("{path}_c.{it}"))))
    })
}

#[cfg(all(test, feature = "fs"))]
mod tests;
