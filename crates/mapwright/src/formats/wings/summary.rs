//! The summary of a Wings 3D scene.

use std::collections::{BTreeMap, BTreeSet};

use mapwright_etf::{Tag, Term, WriterProfile};
use mapwright_scene::FileKind;
use mapwright_wings::{Document, ImageSource, MapSource, Model, Object, Side, Wing, WingedMesh};
use serde::Serialize;

use crate::FilesBeside;
use crate::info::{MaterialUse, union};

/// A summary of a Wings 3D scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WingsInfo {
    /// Version of the format: 0, 1 or 2.
    pub version: u8,
    /// The releases of Wings 3D that may have written the file, guessed from its encoding. `None` if the encoding fits all releases.
    pub writer: Option<&'static str>,
    /// The objects in the order of the file.
    pub objects: Vec<ObjectInfo>,
    /// Number of shapes that are not objects.
    pub other_shapes: usize,
    /// The materials in the order of the file.
    pub materials: Vec<MaterialInfo>,
    /// The images.
    pub images: Vec<ImageInfo>,
    /// The lights.
    pub lights: Vec<LightInfo>,
    /// The saved cameras.
    pub views: Vec<ViewInfo>,
    /// The selection and the selection groups.
    pub selections: Vec<SelectionInfo>,
    /// Plug-ins with data in the scene.
    pub plugins: Vec<String>,
    /// Scene properties that Wings 3D itself does not write.
    pub other_properties: Vec<String>,
    /// Sums over all objects.
    pub totals: Totals,
}

/// One object.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectInfo {
    /// The name.
    pub name: String,
    /// The folder in the list of objects.
    pub folder: Option<String>,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of faces, including hidden ones.
    pub faces: usize,
    /// Number of hard edges, which split the shading.
    pub hard_edges: usize,
    /// Materials with their number of faces.
    pub materials: Vec<MaterialUse>,
    /// `true` if face corners have texture coordinates.
    pub uvs: bool,
    /// `true` if face corners have colours.
    pub colors: bool,
    /// Number of hidden faces.
    pub hidden_faces: u32,
    /// Number of hidden faces that are holes.
    pub holes: usize,
    /// The face of the virtual mirror.
    pub mirror_face: Option<u32>,
    /// `true` if it is shown.
    pub visible: bool,
    /// `true` if it cannot be selected.
    pub locked: bool,
    /// Smallest and largest coordinates.
    pub bounds: Option<[[f64; 3]; 2]>,
}

/// One material.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MaterialInfo {
    /// The name.
    pub name: String,
    /// `pbr` with metallic and roughness, `classic` without, `old` for files before 0.94.03.
    pub kind: &'static str,
    /// Diffuse colour: red, green, blue and opacity, sRGB.
    pub diffuse: Option<[f64; 4]>,
    /// Textures.
    pub maps: Vec<MapInfo>,
    /// `true` if vertex colours are shown.
    pub vertex_colors: bool,
    /// Plug-ins with data in the material.
    pub plugins: Vec<String>,
}

/// One texture of a material.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MapInfo {
    /// `diffuse`, `normal`, …
    pub kind: String,
    /// The image, as an Erlang term: usually its id.
    pub image: String,
}

/// One image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImageInfo {
    /// The id, as an Erlang term.
    pub id: String,
    /// The name.
    pub name: String,
    /// Width and height in pixels of an image in the file.
    pub size: Option<[u32; 2]>,
    /// Bytes per pixel of an image in the file.
    pub samples: Option<u8>,
    /// The path of an image outside of the file.
    pub path: Option<String>,
    /// The path where an image outside of the file was found.
    pub found: Option<String>,
}

/// One light.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LightInfo {
    /// The name.
    pub name: String,
    /// `ambient`, `infinite`, `point`, `spot`, `area`, or another kind that the file states.
    pub kind: String,
    /// The position.
    pub position: [f64; 3],
    /// `true` if it is shown.
    pub visible: bool,
}

/// One saved camera.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ViewInfo {
    /// The name.
    pub name: Option<String>,
    /// Vertical field of view in degrees.
    pub fov: f64,
}

/// The selection, or a selection group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SelectionInfo {
    /// The name of a group; `None` for the selection itself.
    pub name: Option<String>,
    /// `vertex`, `edge`, `face` or `body`.
    pub mode: String,
    /// Objects with selected elements.
    pub objects: usize,
    /// Selected elements.
    pub elements: usize,
}

/// Sums over all objects.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Totals {
    /// Number of objects.
    pub objects: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of faces.
    pub faces: usize,
    /// Smallest and largest coordinates.
    pub bounds: Option<[[f64; 3]; 2]>,
}

/// Keys of scene properties that Wings 3D itself writes.
const STANDARD_KEYS: [&str; 10] = [
    "scene_prefs",
    "plugin_states",
    "palette",
    "current_view",
    "views",
    "images",
    "lights",
    "selection",
    "saved_selection",
    "selmode",
];

impl WingsInfo {
    /// Summarizes a scene. Images outside of the file are looked for in the files.
    pub fn new(document: &Document, model: &Model, files: Option<&FilesBeside>) -> Self {
        let objects: Vec<ObjectInfo> = model.objects().map(|(_, object)| ObjectInfo::new(object)).collect();
        let sum = |count: fn(&ObjectInfo) -> usize| objects.iter().map(count).sum();
        let totals = Totals {
            objects: objects.len(),
            vertices: sum(|object| object.vertices),
            edges: sum(|object| object.edges),
            faces: sum(|object| object.faces),
            bounds: objects.iter().filter_map(|object| object.bounds).reduce(union),
        };
        let key_of = |(key, _): (Term<'_>, Term<'_>)| match key.as_atom() {
            Some(name) => (!STANDARD_KEYS.iter().any(|own| name == **own)).then(|| name.name().into_owned()),
            None => {
                let group = key.as_property().is_some_and(|(kind, _)| kind == *"selection_group");
                (!group).then(|| key.to_text())
            }
        };
        Self {
            version: model.version,
            writer: guess_writer(document, model),
            other_shapes: model.shapes.len() - objects.len(),
            materials: model.materials().map(MaterialInfo::new).collect(),
            images: model.images().iter().map(|image| ImageInfo::new(image, files)).collect(),
            lights: model.lights().iter().map(LightInfo::new).collect(),
            views: model.views().iter().map(ViewInfo::new).collect(),
            selections: model.selections().iter().map(SelectionInfo::new).collect(),
            plugins: plugins(model),
            other_properties: model.props.pairs().filter_map(key_of).collect(),
            objects,
            totals,
        }
    }
}

/// Returns the modules under `plugin_states` and `scene_prefs`, except `wings_shape`, the list of folders of Wings 3D itself.
fn plugins(model: &Model) -> Vec<String> {
    let mut names = BTreeSet::new();
    for (key, value) in model.props.pairs() {
        let is_prefs = key.is_atom("scene_prefs");
        if !is_prefs && !key.is_atom("plugin_states") {
            continue;
        }
        let members = value.as_list().into_iter().flat_map(mapwright_etf::List::items);
        for [key, _] in members.filter_map(|item| item.term()?.as_tuple_of()) {
            let module = if is_prefs { key.element(0).unwrap_or(key) } else { key };
            names.extend(module.as_atom().map(|name| name.name().into_owned()).filter(|name| name != "wings_shape"));
        }
    }
    names.into_iter().collect()
}

/// Guesses the releases that write files like this one. The oldest sign decides, because newer releases keep old data.
fn guess_writer(document: &Document, model: &Model) -> Option<&'static str> {
    let root = document.payload().tree().root();
    if model.version < 2 {
        return Some(if model.version == 0 { "before 0.80" } else { "0.80 to before 0.92" });
    }
    if model.materials().any(|material| material.props.get("opengl").is_none()) {
        return Some("0.92 to 0.94.02");
    }
    if model.objects().any(|(_, object)| object.mode().is_some()) {
        return Some("0.94.03 to 1.1.7");
    }
    // The materials and properties after the shapes contain floats in almost all files. They are searched first.
    let mut parts: Vec<Term<'_>> = root.children().flat_map(Term::children).collect();
    parts.reverse();
    let has = |tag| {
        let mut terms = parts.iter().flat_map(|part| part.descendants()).chain(root.children());
        terms.any(|term| term.tag() == tag)
    };
    let pbr = model.materials().any(|material| material.number("metallic").is_some());
    match WriterProfile::for_term(root) {
        WriterProfile::Otp26 if has(Tag::SMALL_ATOM_UTF8) => Some("2.3 or later"),
        _ if pbr => Some("2.2 or later"),
        profile if profile.has_text_floats() => Some("1.1.8 to about 1.5"),
        _ if has(Tag::NEW_FLOAT) => Some("about 1.5.3 to 2.1"),
        _ => None,
    }
}

impl ObjectInfo {
    fn new(object: &Object) -> Self {
        let mesh = &object.mesh;
        let faces = used_faces(mesh);
        let mut materials: BTreeMap<&str, usize> = BTreeMap::new();
        for &face in &faces {
            let name = mesh.faces.get(face as usize).and_then(Option::as_ref).map_or("default", |name| name.as_str());
            *materials.entry(name).or_default() += 1;
        }
        let any = |test: fn(&Wing) -> bool| {
            mesh.edges.iter().any(|edge| test(edge.wing(Side::Left)) || test(edge.wing(Side::Right)))
        };
        let state = object.state();
        Self {
            name: object.name.to_string(),
            folder: object.folder(),
            vertices: mesh.vertices.len(),
            edges: mesh.edges.len(),
            faces: faces.len(),
            hard_edges: mesh.hard_edges.len(),
            materials: materials
                .into_iter()
                .map(|(name, faces)| MaterialUse { name: name.to_owned(), faces })
                .collect(),
            uvs: any(|wing| wing.uv.is_some()),
            colors: any(|wing| wing.color.is_some()),
            hidden_faces: object.hidden_faces(),
            holes: object.holes().len(),
            mirror_face: object.mirror_face(),
            visible: state.is_visible(),
            locked: state.is_locked(),
            bounds: mesh.vertices.iter().map(|&point| [point, point]).reduce(union),
        }
    }
}

/// Returns the numbers of the faces that edges refer to, ascending.
fn used_faces(mesh: &WingedMesh) -> Vec<u32> {
    let faces = mesh.edges.iter().flat_map(|edge| [edge.left.face, edge.right.face]);
    let count = faces.clone().max().map_or(0, |largest| largest as usize + 1);
    if count > 4 * mesh.edges.len() {
        // Only unusual files have gaps in the numbers.
        return faces.collect::<BTreeSet<u32>>().into_iter().collect();
    }
    let mut is_used = vec![false; count];
    for face in faces {
        // The list has all faces up to the largest.
        if let Some(is_used) = is_used.get_mut(face as usize) {
            *is_used = true;
        }
    }
    (0_u32..).zip(is_used).filter_map(|(face, is_used)| is_used.then_some(face)).collect()
}

impl MaterialInfo {
    fn new(material: &mapwright_wings::Material) -> Self {
        let kind = match (material.props.get("opengl"), material.number("metallic").or(material.number("roughness"))) {
            (None, _) => "old",
            (_, Some(_)) => "pbr",
            _ => "classic",
        };
        let map = |(kind, source): (String, MapSource)| {
            let (MapSource::Image(term) | MapSource::Other(term)) = source;
            MapInfo { kind, image: format!("{:?}", term.root()) }
        };
        let own = |name: &str| matches!(name, "opengl" | "maps");
        let keys = material.props.pairs().filter_map(|(key, _)| key.as_atom()).map(|name| name.name().into_owned());
        Self {
            name: material.name.to_string(),
            kind,
            diffuse: material.color("diffuse"),
            maps: material.maps().into_iter().map(map).collect(),
            vertex_colors: material.shows_vertex_colors(),
            plugins: if kind == "old" { Vec::new() } else { keys.filter(|name| !own(name)).collect() },
        }
    }
}

impl ImageInfo {
    fn new(image: &mapwright_wings::Image, files: Option<&FilesBeside>) -> Self {
        let mut info = Self {
            id: format!("{:?}", image.id.root()),
            name: image.name(),
            size: None,
            samples: None,
            path: None,
            found: None,
        };
        match image.source() {
            Some(ImageSource::Embedded { width, height, samples, .. }) => {
                info.size = Some([width, height]);
                info.samples = Some(samples);
            }
            Some(ImageSource::External { path }) => {
                let found = files.and_then(|files| files.find(&path, FileKind::Image).ok());
                info.found = found.map(|found| found.display().to_string());
                info.path = Some(path);
            }
            None => {}
        }
        info
    }
}

impl LightInfo {
    fn new(light: &mapwright_wings::Light) -> Self {
        Self {
            name: light.name.to_string(),
            kind: light.kind().name().to_owned(),
            position: light.position(),
            visible: light.flag("visible"),
        }
    }
}

impl ViewInfo {
    fn new(view: &mapwright_wings::View) -> Self {
        Self { name: view.name().map(|name| name.to_string()), fov: view.number("fov") }
    }
}

impl SelectionInfo {
    fn new(selection: &mapwright_wings::Selection) -> Self {
        Self {
            name: selection.name.as_ref().map(ToString::to_string),
            mode: selection.mode.name().to_owned(),
            objects: selection.members.len(),
            elements: selection.members.iter().map(|(_, elements)| elements.len()).sum(),
        }
    }
}
