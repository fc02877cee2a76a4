//! Faces of Gamestudio maps that the engine does not draw as surfaces: invisible ones and those of the sky.

use std::collections::BTreeMap;

use mapwright_io::format_count;
use mapwright_scene::{Content, Domain, Losses, Material, MaterialId, Properties, Scene, Value};
use mapwright_wmp::FaceFlags;

use crate::{ConvertOptions, Format};

/// A face that is no surface.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum HiddenFace {
    Invisible,
    Sky,
}

impl HiddenFace {
    fn from_flags(flags: i64) -> Option<Self> {
        let flags = FaceFlags(u32::try_from(flags).ok()?);
        let invisible = flags.is_invisible().then_some(Self::Invisible);
        invisible.or(flags.is_sky().then_some(Self::Sky))
    }

    fn from_properties(properties: &Properties) -> Option<Self> {
        Self::from_flags(properties.get("flags").and_then(Value::as_int)?)
    }

    fn adjective(self) -> &'static str {
        match self {
            Self::Invisible => "invisible",
            Self::Sky => "sky",
        }
    }

    /// Returns the material that the programs of the target give to such faces.
    fn material(self, to: Format) -> Material {
        let (tool, name) = match self {
            Self::Invisible => ("toolsnodraw", "skip"),
            Self::Sky => ("toolsskybox", "sky"),
        };
        if to != Format::Vmap {
            return Material { is_tool: true, ..Material::new(name) };
        }
        let reference = Some(format!("materials/tools/{tool}.vmat"));
        Material { reference, is_tool: true, ..Material::new(format!("tools/{tool}")) }
    }
}

/// Leaves out hidden faces of brushes, unless the target stores brushes or the options keep them. Hidden faces that stay get a material
/// of their own. Does nothing if the target is the format itself.
pub(super) fn separate_hidden_faces(scene: &mut Scene, to: Format, options: &ConvertOptions, losses: &mut Losses) {
    if to == Format::Wmp {
        return;
    }
    let mut materials: BTreeMap<HiddenFace, MaterialId> = BTreeMap::new();
    let has_brushes = matches!(to, Format::Map | Format::Vmap) || options.keep_hidden_faces;
    let brushes: Vec<_> = scene.walk().map(|visit| (visit.id, visit.world)).collect();
    let mut replaced = Vec::new();
    for (node, world) in brushes {
        let Some(Content::Brush(id)) = scene.nodes.get(node).map(|node| node.content.clone()) else { continue };
        let Some(brush) = scene.brushes.get(id) else { continue };
        let kinds: Vec<Option<HiddenFace>> =
            brush.sides.iter().map(|side| HiddenFace::from_properties(&side.properties)).collect();
        let hidden = kinds.iter().flatten().count();
        // The writer reports brushes without polygons as lost.
        let polygons = if has_brushes || hidden == 0 { None } else { brush.polygons().ok() };
        let Some(mut polygons) = polygons else { continue };
        for (ring, _) in polygons.sides.iter_mut().zip(&kinds).filter(|(_, kind)| kind.is_some()) {
            ring.clear();
        }
        let size = |material: Option<MaterialId>| {
            let size = material.and_then(|id| scene.materials.get(id)?.texture_size);
            size.unwrap_or([64; 2]).map(f64::from)
        };
        let mesh = brush.to_mesh(&polygons, &world, size);
        losses.dropped(format!("brushes[{}]", id.index()), format_count(hidden, "hidden face"));
        replaced.push(id);
        let mesh = scene.meshes.push(mesh);
        if let Some(node) = scene.nodes.get_mut(node) {
            node.content = Content::Mesh(mesh);
        }
    }
    // No node has these brushes any more. They stay without sides, because losses refer to brushes by number.
    for id in replaced {
        if let Some(brush) = scene.brushes.get_mut(id) {
            brush.sides.clear();
        }
    }
    let Scene { brushes, meshes, materials: list, .. } = scene;
    let mut material = |kind: HiddenFace| *materials.entry(kind).or_insert_with(|| list.push(kind.material(to)));
    let mut report = |path: String, counts: BTreeMap<HiddenFace, usize>| {
        for (kind, count) in counts {
            let faces = format_count(count, &format!("{} face", kind.adjective()));
            losses.approximated(path.clone(), format!("{faces}, now marked by their material"));
        }
    };
    for (id, brush) in brushes.iter_mut().filter(|_| has_brushes) {
        let mut counts = BTreeMap::new();
        for side in &mut brush.sides {
            if let Some(kind) = HiddenFace::from_properties(&side.properties) {
                side.material = Some(material(kind));
                *counts.entry(kind).or_default() += 1;
            }
        }
        report(format!("brushes[{}]", id.index()), counts);
    }
    for (id, mesh) in meshes.iter_mut() {
        let is_flags = |domain, name: &str| domain == Domain::Face && name == "flags";
        let flags = mesh.attributes.iter().find(|attribute| is_flags(attribute.domain, &attribute.name));
        let Some(flags) = flags.filter(|flags| flags.width == 1) else { continue };
        #[allow(clippy::cast_possible_truncation, reason = "flags are whole numbers of 32 bits")]
        let kinds: Vec<Option<HiddenFace>> =
            flags.values.iter().map(|flags| HiddenFace::from_flags(*flags as i64)).collect();
        let mut counts = BTreeMap::new();
        for (place, kind) in mesh.face_materials.iter_mut().zip(kinds) {
            if let Some(kind) = kind {
                *place = Some(material(kind));
                *counts.entry(kind).or_default() += 1;
            }
        }
        report(format!("meshes[{}]", id.index()), counts);
    }
}
