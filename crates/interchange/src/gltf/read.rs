//! Converts a glTF document to a scene.

mod accessor;
mod geometry;
mod material;
mod mesh;
mod node;
mod polygons;
mod uv_sets;
mod view;
mod weld;

use std::{cell::Cell, collections::BTreeMap};

use mapwright_io::{FaultKind, format_count};
use mapwright_scene::{ColorSpace, FileKind, FileSource, Import, Losses, Scene};

use super::{
    ImportOptions, container,
    json::{Asset, Buffer, Json, Node, Root, SceneNote, is_empty_json},
};
use crate::{
    Error, ErrorKind, Position,
    error::{json_error, malformed},
    uri,
};

/// Extensions that a document may require.
const KNOWN: [&str; 7] = [
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "EXT_mesh_gpu_instancing",
    // Accessors of any type are supported, as this extension requires.
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    // Reported for each material.
    "KHR_materials_unlit",
    "KHR_materials_pbrSpecularGlossiness",
];

/// Start of the names of extensions that only change the look of materials. They may be required, and are reported.
const LOOK: &str = "KHR_materials_";

/// Reads a document; see [`super::to_scene`].
pub(super) fn to_scene(bytes: &[u8], files: &dyn FileSource, options: &ImportOptions) -> Result<Import, Error> {
    let mut losses = Losses::new();
    let (root, bin) = read_root(bytes, options, &mut losses)?;
    check_version(&root.asset)?;
    check_extensions(&root, &mut losses)?;
    let loaded = load(&root, files)?;
    let buffers = root.buffers.iter().enumerate().map(|(index, buffer)| self::buffer(buffer, index, bin, &loaded));
    let buffers = buffers.collect::<Result<Vec<&[u8]>, Error>>()?;
    let size = loaded.values().fold(bytes.len() as u64, |size, file| size.saturating_add(file.len() as u64));
    let max_bytes = options.max_bytes.unwrap_or_else(|| size.saturating_mul(128).saturating_add(256 << 20));

    let metres_per_unit = unit(&root, &mut losses);
    let uv_plans = uv_sets::plan(&root, &mut losses);
    let mut reader = Reader {
        root: &root,
        buffers: &buffers,
        files,
        options,
        max_bytes,
        spent: Cell::new(0),
        metres: metres_per_unit.unwrap_or(1.0),
        colored: vec![false; root.materials.len()],
        uv_plans,
        scene: Scene { color_space: ColorSpace::Linear, metres_per_unit, ..Scene::default() },
        losses,
    };
    reader.read()?;
    Ok(Import { scene: reader.scene, losses: reader.losses })
}

/// Reads the JSON of a document, and returns it with the binary chunk of a container.
fn read_root<'a>(
    bytes: &'a [u8],
    options: &ImportOptions,
    losses: &mut Losses,
) -> Result<(Root, Option<&'a [u8]>), Error> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if container::is_glb(bytes) {
        let parts = container::unpack(bytes)?;
        if parts.trailing > 0 {
            losses.dropped("", format!("{} after the end of the container", format_count(parts.trailing, "byte")));
        }
        if parts.unknown_chunks > 0 {
            losses.dropped("", format!("{} of an unknown kind", format_count(parts.unknown_chunks, "chunk")));
        }
        Ok((parse(parts.json, Some(parts.json_offset), options)?, parts.bin))
    } else if text.trim_ascii_start().starts_with(b"{") {
        Ok((parse(bytes, None, options)?, None))
    } else {
        Err(not_gltf(bytes))
    }
}

/// Returns `true` if a node of a document has a mesh; see [`super::has_meshes`].
pub(super) fn has_meshes(bytes: &[u8]) -> Result<bool, Error> {
    let (root, _) = read_root(bytes, &ImportOptions::default(), &mut Losses::new())?;
    Ok(root.nodes.iter().any(|node| node.mesh.is_some()))
}

struct Reader<'a> {
    root: &'a Root,
    buffers: &'a [&'a [u8]],
    files: &'a dyn FileSource,
    options: &'a ImportOptions,
    max_bytes: u64,
    /// Number of bytes that were created from the document.
    spent: Cell<u64>,
    /// Metres per unit of the scene.
    metres: f64,
    /// For each material, `true` if a primitive with visible colours uses it.
    colored: Vec<bool>,
    /// For each material, the UV sets that its textures use.
    uv_plans: Vec<Vec<uv_sets::UvSource>>,
    scene: Scene,
    losses: Losses,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Error> {
        let [animations, skins] = [self.root.animations.len(), self.root.skins.len()];
        for (count, path, what) in [(animations, "animations", "animation"), (skins, "skins", "skin")] {
            if count > 0 {
                self.losses.dropped(path, format_count(count, what));
            }
        }
        self.placeless();
        self.images()?;
        self.meshes()?;
        self.materials()?;
        self.lights();
        self.cameras();
        self.nodes()
    }

    /// Reports data without a place in the scene.
    fn placeless(&mut self) {
        let root = self.root;
        if !root.asset.copyright.is_empty() {
            self.losses.dropped("asset.copyright", root.asset.copyright.as_str());
        }
        for (index, sampler) in root.samplers.iter().enumerate() {
            if sampler.mag_filter.is_some() || sampler.min_filter.is_some() {
                self.losses.dropped(format!("samplers[{index}]"), "the filters of textures");
            }
        }
        let textures = root.textures.iter().map(|texture| &texture.extras).enumerate().map(|item| ("textures", item));
        let images = root.images.iter().map(|image| &image.extras.properties).enumerate().map(|item| ("images", item));
        self.lost_extras(&root.extras, "");
        self.lost_extras(&root.asset.extras, "asset.");
        for (what, (index, extras)) in textures.chain(images) {
            self.lost_extras(extras, &format!("{what}[{index}]."));
        }
    }

    /// Reports properties of an item as lost. The path ends with a full stop, unless it is empty.
    fn lost_extras(&mut self, extras: &Json, path: &str) {
        if !is_empty_json(extras) {
            self.losses.dropped(format!("{path}extras"), "properties, which scenes cannot store here");
        }
    }

    /// Reports a name as lost.
    fn lost_name(&mut self, name: &str, path: &str) {
        if !name.is_empty() {
            self.losses.dropped(format!("{path}.name"), format!("the name {name:?}"));
        }
    }

    /// Counts items of this many bytes before they are created.
    fn spend(&self, count: u64, bytes: u64, path: &str) -> Result<(), Error> {
        self.spent.set(self.spent.get().saturating_add(count.saturating_mul(bytes)));
        if self.spent.get() > self.max_bytes {
            let kind = ErrorKind::Limit { what: "bytes of geometry and images", limit: self.max_bytes };
            return Err(Error::on_path(kind, path));
        }
        Ok(())
    }

    /// Converts a length to the unit of the scene.
    fn length(&mut self, metres: f64, path: &str) -> f64 {
        let length = metres / self.metres;
        if length.is_finite() {
            return length;
        }
        self.losses.repaired(path, "a length that is not finite");
        length.clamp(f64::MIN, f64::MAX)
    }

    /// Returns the number of bytes that may still be created.
    fn left(&self) -> u64 {
        self.max_bytes.saturating_sub(self.spent.get())
    }
}

/// Returns the item at an index, which must exist.
fn item<'t, T>(list: &'t [T], index: u32, path: &str) -> Result<&'t T, Error> {
    list.get(index as usize).ok_or_else(|| {
        let kind = ErrorKind::BadIndex { index: index.into(), count: list.len() as u64 };
        Error::on_path(kind, path)
    })
}

/// Returns metres per unit: as stored in the metadata, if the document still matches it, else 1.
fn unit(root: &Root, losses: &mut Losses) -> Option<f64> {
    let scene = root.scenes.get(root.scene.unwrap_or(0) as usize);
    let Some((scene, note)) = scene.and_then(|scene| Some((scene, scene.extras.note.as_deref()?))) else {
        return Some(1.0);
    };
    if note.version > SceneNote::VERSION {
        losses.approximated("scene.extras.mapwright", "metadata of a later version: additional data is not read");
    }
    let metres = note.metres_per_unit?;
    let is_so = metres == 1.0 || scene.nodes.is_empty() || below_unit(root, &scene.nodes, metres).is_some();
    if metres.is_normal() && metres > 0.0 && is_so {
        return Some(metres);
    }
    losses.repaired(
        "scene.extras.mapwright",
        format!("no node scales by the stored unit of {metres} m: the unit is 1 m"),
    );
    Some(1.0)
}

/// Returns the children of the node that only scales them to metres. It is the only root and the last node, as the writer left
/// it.
fn below_unit<'r>(root: &'r Root, roots: &[u32], metres: f64) -> Option<&'r [u32]> {
    let &[only] = roots else { return None };
    let last = root.nodes.last().filter(|_| metres != 1.0 && only as usize + 1 == root.nodes.len())?;
    let Node {
        name,
        children,
        matrix: None,
        translation: None,
        rotation: None,
        scale: Some(scale),
        mesh: None,
        camera: None,
        extensions: None,
        extras,
    } = last
    else {
        return None;
    };
    let is_ours = is_empty_json(&extras.properties) && extras.note.as_deref().is_some_and(|note| note.unit);
    (is_ours && name == Node::UNIT && *scale == [metres; 3]).then_some(children)
}

/// The error for data that is neither container.
fn not_gltf(bytes: &[u8]) -> Error {
    let found = match bytes.get(..4).unwrap_or(bytes) {
        [] => "it is empty".to_owned(),
        start => format!("it begins with \"{}\"", start.escape_ascii()),
    };
    let expected = "\"glTF\" (.glb) or \"{\" (.gltf)";
    Error::new(ErrorKind::NotTheFormat { format: "glTF", found, expected }, Position::file(0))
}

fn parse(json: &[u8], offset: Option<usize>, options: &ImportOptions) -> Result<Root, Error> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let limit = options.max_objects.unwrap_or(100_000 + json.len() as u64 / 16);
    if json.iter().filter(|&&c| c == b'{').count() as u64 > limit {
        return Err(Error::without_position(ErrorKind::Limit { what: "objects", limit }));
    }
    serde_json::from_slice(json).map_err(|error| {
        // Documents of version 1 have other types.
        if let Ok(Head { asset }) = serde_json::from_slice(json)
            && let Err(error) = check_version(&asset)
        {
            return error;
        }
        let error = json_error(json, &error, "");
        match (offset, error.position()) {
            // A container is not text.
            (Some(start), Some(at)) => error.at(Position::file(at.offset.saturating_add(start as u64))),
            _ => error,
        }
    })
}

/// The part of a document that states its version.
#[derive(serde::Deserialize)]
struct Head {
    asset: Asset,
}

fn check_version(asset: &Asset) -> Result<(), Error> {
    let is_two = |version: &str| version.split('.').next() == Some("2");
    if !is_two(&asset.version) || asset.min_version.as_deref().is_some_and(|version| version != "2.0") {
        let kind =
            ErrorKind::Unsupported(format!("glTF version {}", asset.min_version.as_ref().unwrap_or(&asset.version)));
        return Err(Error::on_path(kind, "asset.version"));
    }
    Ok(())
}

fn check_extensions(root: &Root, losses: &mut Losses) -> Result<(), Error> {
    for (index, name) in root.extensions_required.iter().enumerate() {
        if !KNOWN.contains(&name.as_str()) && !name.starts_with(LOOK) {
            let kind = ErrorKind::Unsupported(format!("the extension {name}, which the document requires,"));
            return Err(Error::on_path(kind, format!("extensionsRequired[{index}]")));
        }
    }
    for (index, name) in root.extensions_used.iter().enumerate() {
        if !KNOWN.contains(&name.as_str()) {
            losses.dropped(format!("extensionsUsed[{index}]"), format!("the extension {name}"));
        }
    }
    Ok(())
}

/// Loads the URIs of buffers, without duplicates.
fn load<'r>(root: &'r Root, files: &dyn FileSource) -> Result<BTreeMap<&'r str, Vec<u8>>, Error> {
    let mut loaded = BTreeMap::new();
    for (index, uri) in
        root.buffers.iter().enumerate().filter_map(|(index, buffer)| Some((index, buffer.uri.as_ref()?)))
    {
        if !loaded.contains_key(uri.as_str()) {
            let path = || format!("buffers[{index}].uri");
            loaded.insert(uri.as_str(), resource(uri, FileKind::Data, files, path)?.1);
        }
    }
    Ok(loaded)
}

/// Returns the bytes of a buffer.
fn buffer<'a>(
    buffer: &Buffer,
    index: usize,
    bin: Option<&'a [u8]>,
    loaded: &'a BTreeMap<&str, Vec<u8>>,
) -> Result<&'a [u8], Error> {
    let path = || format!("buffers[{index}]");
    let data = match &buffer.uri {
        Some(uri) => loaded.get(uri.as_str()).map(Vec::as_slice),
        None => bin.filter(|_| index == 0),
    };
    let data = data.ok_or_else(|| malformed(path(), "the document has no bytes for the buffer"))?;
    // Further bytes are padding.
    usize::try_from(buffer.byte_length).ok().and_then(|length| data.get(..length)).ok_or_else(|| {
        let kind = FaultKind::Truncated { needed: buffer.byte_length, available: data.len() as u64 }.into();
        Error::on_path(kind, path())
    })
}

/// Returns the bytes that a URI refers to, and their media type if the URI states it.
fn resource<'u>(
    uri: &'u str,
    kind: FileKind,
    files: &dyn FileSource,
    path: impl Fn() -> String,
) -> Result<(Option<&'u str>, Vec<u8>), Error> {
    if uri.starts_with("data:") {
        return match uri::data(uri) {
            Some((media_type, Some(data))) => Ok((Some(media_type), data)),
            _ => Err(malformed(path(), "a data URI that is not base64")),
        };
    }
    let name = uri::decode(uri).ok_or_else(|| malformed(path(), "a URI that does not decode to text"))?;
    match files.load(&name, kind) {
        Ok(data) => Ok((None, data)),
        Err(reason) => Err(Error::on_path(ErrorKind::MissingFile { name, reason }, path())),
    }
}
