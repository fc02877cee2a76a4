//! Models: `.vmdl`, and the meshes that they name.

use std::collections::{HashMap, HashSet, VecDeque};

use mapwright_dmx::scene::to_scene;
use mapwright_io::{Losses, format_size};
use mapwright_keyvalues::Vmdl;
use mapwright_keyvalues::vmdl::{MaterialLookup, MeshFilter, Modifier};
use mapwright_scene::{AxisChange, Content, ImageSource, Import, Material, Node, Scene, Transform, angles};

use super::super::cache::BEYOND_LIMIT;
use super::super::interchange::load_model;
use super::super::loader::LoadContext;
use super::super::memory::scene_memory;
use super::super::merge::merge;
use super::{find_model, shapes};
use crate::names::extension;
use crate::roots::relative_path;

/// Metres per inch, the unit of models.
const METRES_PER_UNIT: f64 = mapwright_dmx::scene::METRES_PER_UNIT;
/// Maximum number of models that a model includes.
const MAX_INCLUDES: usize = 64;
/// Maximum memory of the meshes of a model. Those of games need a tenth.
const MAX_BYTES: usize = 256 << 20;
/// The number of bytes of a glTF file in which the name of its generator is looked for.
const GENERATOR_BYTES: usize = 1 << 16;

/// Reads a `.vmdl` and its meshes.
pub(super) fn load(bytes: &[u8], skin: Option<&str>, context: &LoadContext<'_>) -> Result<Import, String> {
    let mut scene = Scene { metres_per_unit: Some(METRES_PER_UNIT), ..Scene::default() };
    let mut losses = Losses::new();
    let mut problems: Vec<String> = Vec::new();
    // Read the model, then the models that it includes. Each is read once.
    let mut model = Vmdl::from_bytes(bytes).map_err(|error| error.to_string())?;
    let mut includes: VecDeque<String> = model.includes.iter().cloned().collect();
    // The included models with transforms.
    let mut transforms: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::from([context.file.path().to_ascii_lowercase()]);
    while let Some(path) = includes.pop_front() {
        if !known.insert(path.to_ascii_lowercase()) {
            continue;
        }
        if known.len() > MAX_INCLUDES.saturating_add(1) {
            problems.push(format!("the model includes more than {MAX_INCLUDES} others"));
            break;
        }
        let file = relative_path(&path).and_then(|path| context.content.find(&path));
        let part = file.and_then(|file| Vmdl::from_bytes(&context.read(&file).ok()?).ok());
        let Some(part) = part else {
            problems.push(format!("include {path:?} cannot be read"));
            continue;
        };
        includes.extend(part.includes);
        model.meshes.extend(part.meshes);
        model.primitives.extend(part.primitives);
        model.default_materials.remaps.extend(part.default_materials.remaps);
        model.material_groups.extend(part.material_groups);
        model.default_materials.global = model.default_materials.global.or(part.default_materials.global);
        if !part.modifiers.is_empty() {
            // The parts are assumed to be one model. A base model is transformed first.
            transforms.push(path);
            model.modifiers.splice(0..0, part.modifiers);
        }
        let more = part.lods.len().saturating_sub(model.lods.len());
        for (lod, part) in model.lods.iter_mut().zip(&part.lods) {
            lod.meshes.extend_from_slice(&part.meshes);
        }
        model.lods.extend(part.lods.into_iter().rev().take(more).rev());
    }
    let materials = model.material_lookup(skin);
    // A model can name the same large file any number of times.
    let mut left = context.max_bytes.min(MAX_BYTES);
    let beyond_limit = || match context.max_bytes > MAX_BYTES {
        true => format!("its meshes need more than {}", format_size(MAX_BYTES as u64)),
        false => BEYOND_LIMIT.to_owned(),
    };
    let mut parts = HashMap::new();
    for mesh in model.visible_meshes() {
        let load = || load_part(&mesh.file, &LoadContext { max_bytes: left, ..*context });
        let (mut part, bytes) = match parts.entry(mesh.file.as_str()).or_insert_with(load) {
            Ok((part, bytes)) => {
                losses.append(std::mem::take(&mut part.losses));
                (part.scene.clone(), *bytes)
            }
            Err(reason) => {
                problems.push(format!("mesh {:?}: {reason}", mesh.file));
                continue;
            }
        };
        left = left.checked_sub(scene_memory(&part).max(bytes)).ok_or_else(beyond_limit)?;
        filter(&mut part, &mesh.filter);
        name_materials(&mut part, &materials, context.file.path());
        let transform = Transform::Trs {
            translation: mesh.import.translation,
            rotation: angles::to_rotation(mesh.import.rotation),
            scale: [mesh.import.scale; 3],
        };
        append(&mut scene, part, AxisChange::Z_UP_TO_Y_UP.transform(&transform), &mesh.file);
    }
    problems.extend(shapes::add(&mut scene, &model, &materials, &mut left, context.file.path(), &mut losses));
    if scene.meshes.is_empty() {
        // An exported model can stand in for meshes that cannot be read.
        if let Some(file) = find_model(context.file.path(), context.content) {
            let bytes = context.read(&file).map_err(|error| error.to_string())?;
            let mut import = load_mesh(&bytes, &LoadContext { file, ..*context })?;
            name_materials(&mut import.scene, &materials, context.file.path());
            import.losses.approximated("", format!("{:?} is used instead of the meshes of the model", file.path()));
            return Ok(import);
        }
        return Err(problems.into_iter().next().unwrap_or_else(|| "the model has no meshes".to_owned()));
    }
    for problem in problems {
        losses.dropped("", problem);
    }
    for path in transforms {
        losses.approximated("", format!("the transforms of {path:?} are applied to the whole model"));
    }
    for modifier in &model.modifiers {
        let (translation, scale) = match *modifier {
            Modifier::ScaleAndMirror { scale, mirror } => {
                ([0.0; 3], mirror.map(|is_mirrored| if is_mirrored { -scale } else { scale }))
            }
            Modifier::Translate(translation) => (translation, [1.0; 3]),
            _ => continue,
        };
        let transform = Transform::Trs { translation, rotation: [0.0, 0.0, 0.0, 1.0], scale };
        wrap(&mut scene, AxisChange::Z_UP_TO_Y_UP.transform(&transform));
    }
    Ok(Import { scene, losses })
}

/// Reads a mesh file that a model names. Returns its content and its size in bytes.
fn load_part(path: &str, context: &LoadContext<'_>) -> Result<(Import, usize), String> {
    if extension(path) == "fbx" {
        return Err("FBX is not supported".to_owned());
    }
    let file = relative_path(path).and_then(|path| context.content.find(&path)).ok_or("no such file")?;
    let bytes = context.read(&file).map_err(|error| error.to_string())?;
    Ok((load_mesh(&bytes, &LoadContext { file, ..*context })?, bytes.len()))
}

/// Reads a DMX, glTF or OBJ file as a model in the axes of scenes.
pub(super) fn load_mesh(bytes: &[u8], context: &LoadContext<'_>) -> Result<Import, String> {
    match &*extension(context.file.path()) {
        "dmx" => {
            let document = mapwright_dmx::Document::from_bytes(bytes).map_err(|error| error.to_string())?;
            to_scene(&document, &Default::default()).map_err(|error| error.to_string())
        }
        "glb" | "gltf" => {
            let mut import = load_model(bytes, context)?;
            if is_from_viewer(bytes) {
                // (x, y, z) of Source 2 is (y, z, x) in these files, so that their Z axis points forward.
                wrap(&mut import.scene, rotation([0.0, 1.0, 0.0]));
            }
            Ok(import)
        }
        "obj" => {
            let mut import = load_model(bytes, context)?;
            import.scene.metres_per_unit = Some(METRES_PER_UNIT);
            // Z up to Y up.
            wrap(&mut import.scene, rotation([-1.0, 0.0, 0.0]));
            Ok(import)
        }
        _ => Err("not a model that can be decoded".to_owned()),
    }
}

/// Returns `true` for a glTF file that Source 2 Viewer wrote.
fn is_from_viewer(bytes: &[u8]) -> bool {
    let start = bytes.get(..GENERATOR_BYTES).unwrap_or(bytes);
    let contains = |name: &[u8]| start.windows(name.len()).any(|window| window == name);
    contains(b"Source 2 Viewer") || contains(b"ValveResourceFormat")
}

/// Returns a rotation by 90° about an axis.
fn rotation(axis: [f64; 3]) -> Transform {
    let [x, y, z] = axis.map(|part| part * std::f64::consts::FRAC_1_SQRT_2);
    Transform::Trs { translation: [0.0; 3], rotation: [x, y, z, std::f64::consts::FRAC_1_SQRT_2], scale: [1.0; 3] }
}

/// Puts all nodes of a scene below one with a transform.
pub(super) fn wrap(scene: &mut Scene, transform: Transform) {
    if transform.is_identity() {
        return;
    }
    let children = std::mem::take(&mut scene.roots);
    scene.add_node(None, Node { transform, children, ..Node::default() });
}

/// Removes the nodes with meshes whose name is not accepted.
fn filter(scene: &mut Scene, filter: &MeshFilter) {
    if *filter == MeshFilter::default() {
        return;
    }
    let exceptions: HashSet<String> = filter.exceptions.iter().map(|name| name.to_ascii_lowercase()).collect();
    let accepts = |name: &str| exceptions.contains(&name.to_ascii_lowercase()) == filter.excludes_by_default;
    let Scene { nodes, meshes, .. } = scene;
    for (_, node) in nodes.iter_mut() {
        if let Content::Mesh(mesh) = node.content
            && !accepts(&node.name)
            && !meshes.get(mesh).is_some_and(|mesh| accepts(&mesh.name))
        {
            node.content = Content::Group;
        }
    }
}

/// Gives materials without textures the path of their `.vmat`.
pub(super) fn name_materials(scene: &mut Scene, materials: &MaterialLookup<'_>, path: &str) {
    for (_, material) in scene.materials.iter_mut().filter(|(_, material)| material.textures.is_empty()) {
        let name = material.reference.as_deref().unwrap_or(&material.name);
        if !name.is_empty() {
            let reference = materials.resolve(name, path);
            *material = Material { reference: Some(reference), ..std::mem::take(material) };
        }
    }
}

/// Adds the nodes of a scene to another one, below a new node.
fn append(scene: &mut Scene, part: Scene, transform: Transform, file: &str) {
    // Images in other files are found and decoded later.
    let images = part.images.items().iter().map(|image| match image.source {
        ImageSource::External { .. } => Some(scene.images.push(image.clone())),
        _ => None,
    });
    let images: Vec<_> = images.collect();
    let template = merge(scene, part, file, &images, |_, _| {}, false).template;
    let parent = scene.add_node(None, Node { transform, ..Node::default() });
    template.place(scene, parent, file, true);
}
