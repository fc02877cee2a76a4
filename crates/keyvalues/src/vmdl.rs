//! Models of Source 2: `.vmdl`.
//!
//! A model names the files with its meshes and replaces their materials. This module reads the parts that are needed to show it.
//!
//! ```
//! use mapwright_keyvalues::vmdl::Vmdl;
//!
//! let text = br#"<!-- kv3 encoding:text:version{e21c7f3c-8a33-41c5-9977-a76d3a32aa0d} format:modeldoc29:version{3cec427c-1b0e-4d48-a90a-0436f33a6041} -->
//! {
//!     rootNode = { _class = "RootNode" children = [
//!         { _class = "RenderMeshFile" filename = "models\crate.dmx" import_scale = 0.5 },
//!         { _class = "DefaultMaterialGroup" remaps = [ { from = "wood.vmat" to = "materials/oak.vmat" } ] },
//!     ] }
//! }"#;
//! let model = Vmdl::from_bytes(text)?;
//! assert_eq!((&*model.meshes[0].file, model.meshes[0].import.scale), ("models/crate.dmx", 0.5));
//! assert_eq!(model.resolve_material("Wood", None, "models/crate.vmdl"), "materials/oak.vmat");
//! assert_eq!(model.resolve_material("iron", None, "models/crate.vmdl"), "models/materials/iron.vmat");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod legacy;
mod nodes;

use std::collections::{HashMap, HashSet};

use mapwright_io::{Confidence, Finding};

use crate::{ReadError, kv3};

/// A model.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Vmdl {
    /// The name of the format: `modeldoc29`, `generic`, or `schema text` for the syntax of early Dota 2 sources.
    pub format: String,
    /// The mesh files in order, including disabled ones.
    pub meshes: Vec<RenderMesh>,
    /// Boxes and spheres, including disabled ones.
    pub primitives: Vec<RenderPrimitive>,
    /// The materials of the model without a skin.
    pub default_materials: MaterialGroup,
    /// The skins.
    pub material_groups: Vec<MaterialGroup>,
    /// Transforms of the whole model, in order.
    pub modifiers: Vec<Modifier>,
    /// Levels of detail. The first one is for the nearest view.
    pub lods: Vec<LodGroup>,
    /// Files with further parts of the model: the model that it is based on (`base_model_name`), and those of each `Prefab`.
    pub includes: Vec<String>,
    /// Number of other parts by their class: collision, skeletons, animations and so on. At most 256 classes are counted.
    pub others: Vec<(String, usize)>,
    /// Parts that were not read, such as text after the root.
    pub findings: Vec<Finding>,
}

/// A file with meshes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RenderMesh {
    /// The name, which levels of detail refer to.
    pub name: String,
    /// The path relative to a content root, with `/`.
    pub file: String,
    /// Transform of the vertices.
    pub import: ImportTransform,
    /// The meshes of the file that are used.
    pub filter: MeshFilter,
    /// The bone that the mesh is attached to. Empty if there is none.
    pub parent_bone: String,
    /// `true` if the mesh is not drawn.
    pub is_disabled: bool,
}

/// Transform of the vertices of a mesh file: scale, then rotation, then translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImportTransform {
    /// Factor of all coordinates.
    pub scale: f64,
    /// Pitch, yaw and roll in degrees. The order is assumed from other angles of Source.
    pub rotation: [f64; 3],
    /// Translation.
    pub translation: [f64; 3],
}

impl Default for ImportTransform {
    fn default() -> Self {
        Self { scale: 1.0, rotation: [0.0; 3], translation: [0.0; 3] }
    }
}

/// The meshes of a file that a model uses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MeshFilter {
    /// `true` if only the exceptions are used. `false` if all meshes except for the exceptions are used.
    pub excludes_by_default: bool,
    /// Names of meshes.
    pub exceptions: Vec<String>,
}

impl MeshFilter {
    /// Returns `true` if a mesh is used. Names are compared without case.
    pub fn accepts(&self, mesh: &str) -> bool {
        self.exceptions.iter().any(|name| name.eq_ignore_ascii_case(mesh)) == self.excludes_by_default
    }
}

/// A shape that needs no file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RenderPrimitive {
    /// The name.
    pub name: String,
    /// The shape.
    pub shape: PrimitiveShape,
    /// The centre.
    pub origin: [f64; 3],
    /// Pitch, yaw and roll in degrees.
    pub angles: [f64; 3],
    /// The material.
    pub material: String,
    /// Number of segments of a sphere, around its vertical axis and from pole to pole.
    pub segments: [u32; 2],
    /// The largest texture coordinates of a sphere.
    pub max_uv: [f64; 2],
    /// `true` if the shape is not drawn.
    pub is_disabled: bool,
}

/// The shape of a [`RenderPrimitive`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PrimitiveShape {
    /// A box with its lengths along the axes.
    Box([f64; 3]),
    /// A sphere with its radius.
    Sphere(f64),
}

/// Replacements of materials.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MaterialGroup {
    /// The name of the skin. Empty for the default group.
    pub name: String,
    /// Pairs of a material and its replacement. An empty material and `*` match all materials.
    pub remaps: Vec<(String, String)>,
    /// The material of all faces, if the group has one. It takes precedence over `remaps`.
    pub global: Option<String>,
}

/// A transform of the whole model.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Modifier {
    /// A factor, and the mirrored axes.
    ScaleAndMirror {
        /// Factor of all coordinates.
        scale: f64,
        /// `true` for each axis that is mirrored.
        mirror: [bool; 3],
    },
    /// A translation.
    Translate([f64; 3]),
}

/// A level of detail.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LodGroup {
    /// The level is shown from this threshold on.
    pub switch_threshold: f64,
    /// Names of meshes.
    pub meshes: Vec<String>,
}

/// The extension of materials.
const SUFFIX: &str = ".vmat";

impl Vmdl {
    /// Reads a file: KV3 text, or the syntax of early Dota 2 sources.
    ///
    /// # Errors
    /// If it is neither.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        if kv3::sniff(bytes) == Confidence::No && legacy::is_schema_text(bytes) {
            return Ok(legacy::read(bytes));
        }
        Ok(Self::from_document(&kv3::Document::from_bytes(bytes)?))
    }

    /// Reads a document.
    pub fn from_document(document: &kv3::Document) -> Self {
        nodes::read(document)
    }

    /// Iterates over the meshes of the nearest view: all that are not disabled, except for
    /// meshes that only later levels of detail contain.
    pub fn visible_meshes(&self) -> impl Iterator<Item = &RenderMesh> {
        let names = |lods: &[LodGroup]| -> HashSet<String> {
            lods.iter().flat_map(|lod| &lod.meshes).map(|name| name.to_ascii_lowercase()).collect()
        };
        let (first, later) = self.lods.split_at(self.lods.len().min(1));
        let (first, later) = (names(first), names(later));
        self.meshes.iter().filter(move |mesh| {
            let name = mesh.name.to_ascii_lowercase();
            !mesh.is_disabled && (first.contains(&name) || !later.contains(&name))
        })
    }

    /// Returns the path of the material that a mesh file names, with `.vmat`. For several materials, use
    /// [`material_lookup`](Self::material_lookup).
    pub fn resolve_material(&self, name: &str, skin: Option<&str>, model: &str) -> String {
        self.material_lookup(skin).resolve(name, model)
    }

    /// Returns the materials of a skin, or those of the model without one.
    pub fn material_lookup(&self, skin: Option<&str>) -> MaterialLookup<'_> {
        let is_skin = |group: &&MaterialGroup| skin.is_some_and(|skin| group.name.eq_ignore_ascii_case(skin));
        MaterialLookup {
            default: GroupLookup::new(&self.default_materials),
            skin: self.material_groups.iter().find(is_skin).map(GroupLookup::new),
        }
    }
}

/// The materials of a model with one of its skins.
#[derive(Debug, Clone)]
pub struct MaterialLookup<'a> {
    default: GroupLookup<'a>,
    skin: Option<GroupLookup<'a>>,
}

impl MaterialLookup<'_> {
    /// Returns the path of the material that a mesh file names, with `.vmat`. Applies the remaps of the default group and of the skin. A
    /// name without a folder and without a remap is in the folder `materials` beside the model.
    pub fn resolve(&self, name: &str, model: &str) -> String {
        let default = self.default.replace(name);
        let skin = self.skin.as_ref();
        let replaced = skin.and_then(|skin| skin.replace(default.unwrap_or(name)).or_else(|| skin.replace(name)));
        let Some(found) = replaced.or(default) else {
            let name = with_suffix(name);
            let folder = normalize(model);
            return match folder.rsplit_once('/') {
                _ if name.contains('/') => name,
                Some((folder, _)) => format!("{folder}/materials/{name}"),
                None => format!("materials/{name}"),
            };
        };
        with_suffix(found)
    }
}

/// The replacements of a [`MaterialGroup`] by name.
#[derive(Debug, Clone)]
struct GroupLookup<'a> {
    /// The index and the replacement of the first remap of each material. The key of remaps for all materials is `None`.
    remaps: HashMap<Option<String>, (usize, &'a str)>,
    global: Option<&'a str>,
}

impl<'a> GroupLookup<'a> {
    fn new(group: &'a MaterialGroup) -> Self {
        let mut remaps = HashMap::new();
        for (index, (from, to)) in group.remaps.iter().enumerate().filter(|(_, (_, to))| !to.is_empty()) {
            let key = (!matches!(&**from, "" | "*")).then(|| material_key(from));
            remaps.entry(key).or_insert((index, &**to));
        }
        Self { remaps, global: group.global.as_deref() }
    }

    /// Returns the replacement of a material. Case, `\` and `.vmat` at the end do not matter.
    fn replace(&self, name: &str) -> Option<&'a str> {
        let found = [None, Some(material_key(name))].into_iter().filter_map(|key| self.remaps.get(&key));
        self.global.or(found.min().map(|(_, to)| *to))
    }
}

/// Returns a path with `/`.
fn normalize(path: &str) -> String {
    path.replace('\\', "/")
}

fn with_suffix(name: &str) -> String {
    let name = normalize(name);
    if material_key(&name).len() < name.len() { name } else { format!("{name}{SUFFIX}") }
}

/// Returns a path for comparison: with `/`, in lower case, without `.vmat`.
fn material_key(name: &str) -> String {
    let mut key = normalize(name).to_ascii_lowercase();
    if key.ends_with(SUFFIX) {
        key.truncate(key.len().saturating_sub(SUFFIX.len()));
    }
    key
}
