//! Reads the nodes of a model.

use mapwright_io::{Finding, Severity};

use super::{
    ImportTransform, LodGroup, MaterialGroup, MeshFilter, Modifier, PrimitiveShape, RenderMesh, RenderPrimitive, Vmdl,
    normalize,
};
use crate::kv3::{Document, Value, Values};

pub(super) fn read(document: &Document) -> Vmdl {
    let mut model = Vmdl { format: document.header().format.clone(), findings: document.validate(), ..Vmdl::default() };
    let mut names = Names::default();
    // Values nest as deep as the limits of the reader allow, so they are visited without recursion.
    let mut open: Vec<(Values<'_>, bool)> = vec![(document.root().items(), false)];
    add(&mut model, &mut names, document.root(), false);
    while let Some((values, is_physics)) = open.last_mut() {
        let Some(value) = values.next() else {
            open.pop();
            continue;
        };
        let is_physics = *is_physics || value.key().is_some_and(|key| *key == *b"m_physicsMeshList");
        if value.is_object() {
            add(&mut model, &mut names, value, is_physics);
        }
        open.push((value.items(), is_physics));
    }
    model.others = names.counts;
    model
}

/// The number of segments of spheres without one. It is an assumption.
const DEFAULT_SEGMENTS: f64 = 16.0;

/// Counts of the classes that are not read.
#[derive(Default)]
struct Names {
    counts: Vec<(String, usize)>,
}

impl Names {
    /// Maximum number of classes, because hostile files may have any number. Real files have less than 50.
    const MAX: usize = 256;

    fn count(&mut self, class: String) {
        if let Some((_, count)) = self.counts.iter_mut().find(|(other, _)| *other == class) {
            *count = count.saturating_add(1);
        } else if self.counts.len() < Self::MAX {
            self.counts.push((class, 1));
        }
    }
}

fn text(node: Value<'_>, key: &str) -> String {
    node.get(key).and_then(Value::as_text).unwrap_or_default().into_owned()
}

fn number(node: Value<'_>, key: &str, default: f64) -> f64 {
    node.get(key).and_then(Value::as_f64).unwrap_or(default)
}

fn segments(node: Value<'_>, key: &str) -> u32 {
    let stored = node.get(key).and_then(Value::as_f64).unwrap_or(DEFAULT_SEGMENTS);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    {
        stored as u32
    }
}

fn flag(node: Value<'_>, key: &str) -> bool {
    node.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn vector(node: Value<'_>, key: &str) -> [f64; 3] {
    node.get(key).and_then(Value::as_array).unwrap_or_default()
}

fn texts(node: Value<'_>, key: &str) -> Vec<String> {
    let items = node.get(key).into_iter().flat_map(Value::items);
    items.filter_map(|item| item.as_text().map(std::borrow::Cow::into_owned)).collect()
}

/// Adds the part of the model that an object describes.
fn add(model: &mut Vmdl, names: &mut Names, node: Value<'_>, is_physics: bool) {
    // Sources of Dota 2 have meshes without a class.
    if let Some(file) = node.get("m_meshFile").and_then(Value::as_text).filter(|_| !is_physics) {
        let mut mesh = mesh(text(node, "m_meshName"), &file);
        mesh.import.scale = number(node, "m_flFbxScale", 1.0);
        model.meshes.push(mesh);
        return;
    }
    if let (Some(from), Some(to)) = (node.get("m_sSearchMaterial"), node.get("m_sReplaceMaterial")) {
        let pair = [from, to].map(|value| value.as_text().unwrap_or_default().into_owned());
        model.default_materials.remaps.push(pair.into());
        return;
    }
    let Some(class) = node.get("_class").and_then(Value::as_text) else { return };
    match &*class {
        "RenderMeshFile" => {
            let mut mesh = mesh(text(node, "name"), &text(node, "filename"));
            mesh.import = ImportTransform {
                scale: number(node, "import_scale", 1.0),
                rotation: vector(node, "import_rotation"),
                translation: vector(node, "import_translation"),
            };
            if let Some(filter) = node.get("import_filter") {
                mesh.filter.excludes_by_default = flag(filter, "exclude_by_default");
                mesh.filter.exceptions = texts(filter, "exception_list");
            }
            (mesh.parent_bone, mesh.is_disabled) = (text(node, "parent_bone"), flag(node, "disabled"));
            if mesh.file.to_ascii_lowercase().ends_with(".fbx") {
                let message = format!("mesh file {:?} is FBX, which is not read", mesh.file);
                model.findings.push(Finding::new("fbx", Severity::Warning, message).at(node.position()));
            }
            model.meshes.push(mesh);
        }
        "RenderPrimitiveBox" | "RenderPrimitiveSphere" => model.primitives.push(RenderPrimitive {
            name: text(node, "name"),
            shape: match &*class {
                "RenderPrimitiveBox" => PrimitiveShape::Box(vector(node, "dimensions")),
                _ => PrimitiveShape::Sphere(number(node, "radius", 0.0)),
            },
            origin: vector(node, "origin"),
            angles: vector(node, "angles"),
            material: normalize(&text(node, "material_name")),
            segments: ["segments_u", "segments_v"].map(|key| segments(node, key)),
            max_uv: ["max_u", "max_v"].map(|key| number(node, key, 1.0)),
            is_disabled: flag(node, "disabled"),
        }),
        "DefaultMaterialGroup" => model.default_materials = group(node),
        "MaterialGroup" => model.material_groups.push(group(node)),
        "ModelModifier_ScaleAndMirror" => model.modifiers.push(Modifier::ScaleAndMirror {
            scale: number(node, "scale", 1.0),
            mirror: ["mirror_x", "mirror_y", "mirror_z"].map(|axis| flag(node, axis)),
        }),
        "ModelModifier_Translate" => model.modifiers.push(Modifier::Translate(vector(node, "translation"))),
        "LODGroup" => model
            .lods
            .push(LodGroup { switch_threshold: number(node, "switch_threshold", 0.0), meshes: texts(node, "meshes") }),
        "Prefab" => model.includes.push(normalize(&text(node, "target_file"))),
        "RootNode" => {
            let base = text(node, "base_model_name");
            if !base.is_empty() {
                model.includes.push(normalize(&base));
            }
        }
        // Containers. Their children are visited on their own.
        "RenderMeshList" | "MaterialGroupList" | "ModelModifierList" | "LODGroupList" | "Folder" | "BodyGroupList"
        | "BodyGroup" | "BodyGroupChoice" => {}
        _ => names.count(class.into_owned()),
    }
}

pub(super) fn mesh(name: String, file: &str) -> RenderMesh {
    RenderMesh {
        name,
        file: normalize(file),
        import: ImportTransform::default(),
        filter: MeshFilter::default(),
        parent_bone: String::new(),
        is_disabled: false,
    }
}

fn group(node: Value<'_>) -> MaterialGroup {
    let remaps = node.get("remaps").into_iter().flat_map(Value::items);
    let global = Some(text(node, "global_default_material")).filter(|path| !path.is_empty());
    MaterialGroup {
        name: text(node, "name"),
        remaps: remaps.map(|remap| (text(remap, "from"), text(remap, "to"))).collect(),
        global: global.filter(|_| flag(node, "use_global_default")),
    }
}
