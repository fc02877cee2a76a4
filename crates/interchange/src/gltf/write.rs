//! Converts a scene to a glTF document.

mod ground;
mod instances;
mod layout;
mod material;
mod mesh;
mod node;
mod placeholder;
mod rows;
mod simple;
mod tangents;
mod terrain;
mod text;
mod texture;
mod vertices;
mod view;

use std::collections::BTreeMap;

use mapwright_io::parallel;
use mapwright_scene::{
    Arena, ColorSpace, Content, Estimate, Export, FaceFlags, FileSource, Files, Image, Losses, Mesh, MeshId, NodeId,
    Scene, SideFile, Transform,
    images::{ImageBudget, encode_all_png},
};

use super::{
    Container, ExportOptions,
    buffer::{Bin, Block},
    capabilities_with, container,
    json::{Asset, Buffer, BufferView, Extras, Root, SceneNote, properties_to_json},
};
use crate::{
    Error,
    brushes::Meshed,
    error::{check, exceeded, malformed},
};

/// Writes a scene; see [`super::from_scene`].
pub(super) fn from_scene(
    scene: &Scene,
    files: &dyn FileSource,
    options: &ExportOptions,
) -> Result<Export<Files>, Error> {
    check(scene)?;
    let estimate = estimate(scene, options)?;
    estimate.check(options.max_bytes).map_err(exceeded)?;
    let mut losses = capabilities_with(options).losses(scene);
    let meshed = Meshed::new(scene, &mut losses);
    let export = write(&meshed, losses, files, options);
    let mut export = export.map_err(|error| meshed.name(error))?;
    meshed.name_in(&mut export.losses);
    export.document.check_size(options.max_bytes).map_err(exceeded)?;
    Ok(export)
}

/// Estimates the output, with each visible item once, and its memory.
///
/// # Errors
/// If a terrain is too large for the container.
fn estimate(scene: &Scene, options: &ExportOptions) -> Result<Estimate, Error> {
    let shown = scene.occurrences_where(|node| node.visible || options.hidden);
    let each = shown.counts(scene);
    let shown = shown.without_copies();
    let once = shown.counts(scene);
    let mut ground = 0_u64;
    for ((id, terrain), _) in scene.terrains.iter().zip(&shown.terrains).filter(|(_, copies)| **copies > 0) {
        let least = terrain::least_bytes(terrain, options, &format!("terrains[{}]", id.index()))?;
        ground = ground.saturating_add(least);
    }
    // Each box has 24 vertices.
    let boxes = if options.bake_boxes { each.instances } else { 0 };
    let meshes = once.meshes + once.mesh_instances;
    let estimate = Estimate::default()
        // A triangle has three indices of 16 bits.
        .with(meshes.corners.saturating_sub(meshes.faces.saturating_mul(2)), 6, 32)
        .with(meshes.corners, 0, 60)
        .with(ground, 1, 1)
        .with(each.brush_sides, 6, 400)
        .with(boxes, 24 * 24, 24 * 24)
        .with(each.nodes, 0, 400);
    Ok(estimate)
}

/// Writes a scene without brushes.
fn write(
    Meshed { scene, images, .. }: &Meshed<'_>,
    losses: Losses,
    files: &dyn FileSource,
    options: &ExportOptions,
) -> Result<Export<Files>, Error> {
    let mut writer = Writer {
        scene,
        options,
        files,
        included: node::included_nodes(scene, options),
        root: Root::default(),
        bin: Bin::default(),
        side: Vec::new(),
        losses,
        metres: scene.metres_per_unit.unwrap_or(1.0),
        places: Places::default(),
        written: texture::WrittenTextures::default(),
        images,
        image_files: Vec::new(),
        image_budget: ImageBudget::new(options.max_image_bytes),
    };
    writer.write()?;
    writer.finish()
}

struct Writer<'a> {
    scene: &'a Scene,
    options: &'a ExportOptions,
    files: &'a dyn FileSource,
    /// The nodes to write.
    included: Vec<bool>,
    root: Root,
    /// The bytes of the only buffer.
    bin: Bin<'a>,
    /// Images beside the document.
    side: Vec<SideFile>,
    losses: Losses,
    /// Metres per unit, for lengths that do not scale with their node.
    metres: f64,
    places: Places,
    written: texture::WrittenTextures,
    /// The images of the scene.
    images: &'a Arena<Image>,
    /// The image files of the document, with the index of their view, or of their side file.
    image_files: Vec<(u32, texture::FileContent<'a>)>,
    image_budget: ImageBudget,
}

/// Indices of the scene's items in the document. `None`: not written.
#[derive(Default)]
struct Places {
    nodes: Vec<Option<u32>>,
    /// Number of nodes of the scene in the document.
    node_count: u32,
    /// For nodes with shear: the node that is added around the node, and the transform that is left for it.
    sheared: BTreeMap<NodeId, (u32, Transform)>,
    meshes: Vec<Option<u32>>,
    terrains: Vec<terrain::Shown>,
    materials: Vec<Option<material::Written>>,
    lights: Vec<Option<u32>>,
    cameras: Vec<Option<u32>>,
    /// The material of water.
    water: Option<u32>,
    /// The placeholder boxes, by kind.
    placeholders: [Option<u32>; mapwright_scene::PlaceholderBox::ALL.len()],
    ground: ground::Ground,
    /// Additional nodes, which follow those of the scene.
    below: Vec<super::json::Node>,
}

impl<'a> Writer<'a> {
    fn write(&mut self) -> Result<(), Error> {
        self.root.asset = Asset {
            version: "2.0".into(),
            min_version: None,
            generator: concat!("mapwright ", env!("CARGO_PKG_VERSION")).into(),
            ..Asset::default()
        };
        let has_colors = !(self.scene.materials.is_empty() && self.scene.lights.is_empty())
            || self.scene.meshes.items().iter().any(|mesh| !mesh.color_sets.is_empty());
        if self.scene.color_space == ColorSpace::Srgb && has_colors {
            self.losses.approximated("color_space", "colours converted to linear light");
        }
        self.materials()?;
        // Pixels take long to encode, and the rest of the document does not depend on the files.
        let pixels = self.image_files.iter().filter_map(|(_, content)| content.pixels()).collect();
        let (encoded, written) = parallel::join_local(|| encode_all_png(pixels), || self.write_items());
        written?;
        self.place_images(encoded)
    }

    fn write_items(&mut self) -> Result<(), Error> {
        self.meshes()?;
        self.lights();
        self.cameras();
        self.nodes()
    }

    /// Marks the items of an arena that written nodes contain.
    fn shown<T>(&self, count: usize, of: impl Fn(&Content) -> Vec<mapwright_scene::Id<T>>) -> Vec<bool> {
        let mut shown = vec![false; count];
        for (node, _) in self.scene.nodes.items().iter().zip(&self.included).filter(|(_, included)| **included) {
            for id in of(&node.content) {
                if let Some(shown) = shown.get_mut(id.index()) {
                    *shown = true;
                }
            }
        }
        shown
    }

    fn shown_meshes(&self) -> Vec<bool> {
        self.shown(self.scene.meshes.len(), |content| match content {
            Content::Mesh(id) => vec![*id],
            Content::InstanceSet(id) => {
                self.scene.instance_sets.get(*id).map(instances::meshes).into_iter().flatten().collect::<Vec<MeshId>>()
            }
            _ => Vec::new(),
        })
    }

    /// Marks the materials of visible meshes and terrains.
    fn shown_materials(&self) -> Vec<bool> {
        let mut shown = vec![false; self.scene.materials.len()];
        let mut show = |index: usize| {
            if let Some(shown) = shown.get_mut(index) {
                *shown = true;
            }
        };
        for (mesh, _) in self.scene.meshes.items().iter().zip(self.shown_meshes()).filter(|(_, shown)| *shown) {
            for (face, material) in mesh.face_materials.iter().enumerate() {
                if let Some(material) = material.filter(|_| !mesh.flags(face).contains(FaceFlags::HOLE)) {
                    show(material.index());
                }
            }
        }
        for (terrain, _) in self.scene.terrains.items().iter().zip(self.shown_terrains()).filter(|(_, shown)| *shown) {
            let mut used = vec![false; terrain.materials.len()];
            for &cell in &terrain.cells {
                if let Some(used) = used.get_mut(cell as usize) {
                    *used = true;
                }
            }
            let used = terrain.materials.iter().zip(used).filter_map(|(material, used)| material.filter(|_| used));
            used.for_each(|material| show(material.index()));
        }
        shown
    }

    fn meshes(&mut self) -> Result<(), Error> {
        let scene = self.scene;
        let preparation = mesh::Preparation { scene, options: self.options, materials: &self.places.materials };
        let prepare = |((id, mesh), shown): ((MeshId, &'a Mesh), bool)| {
            let (path, mut losses) = (format!("meshes[{}]", id.index()), Losses::new());
            let prepared = if shown {
                preparation.prepare(mesh, &path, &mut losses)
            } else {
                losses.dropped(&*path, "no node uses the mesh");
                Ok(None)
            };
            (path, mesh, prepared, losses)
        };
        let meshes = scene.meshes.iter().zip(self.shown_meshes()).collect();
        for (path, mesh, prepared, losses) in parallel::map(meshes, prepare) {
            self.losses.append(losses);
            let place = prepared?.map(|prepared| self.mesh(mesh, prepared, &path));
            self.places.meshes.push(place);
        }
        for ((id, terrain), shown) in self.scene.terrains.iter().zip(self.shown_terrains()) {
            let path = format!("terrains[{}]", id.index());
            let shown = if shown { self.terrain(terrain, &path)? } else { terrain::Shown::default() };
            self.places.terrains.push(shown);
        }
        Ok(())
    }

    fn shown_terrains(&self) -> Vec<bool> {
        self.shown(self.scene.terrains.len(), |content| match content {
            Content::Terrain(id) => vec![*id],
            _ => Vec::new(),
        })
    }

    /// Adds a block to the buffer as a new view.
    fn view(&mut self, stride: Option<u64>, target: Option<u32>, block: Block<'a>) -> u32 {
        let bytes = self.bin.push(block);
        let view = BufferView {
            buffer: 0,
            byte_offset: bytes.start as u64,
            byte_length: bytes.len() as u64,
            byte_stride: stride,
            target,
        };
        push(&mut self.root.buffer_views, view)
    }

    fn uses_extension(&mut self, name: &str) {
        if !self.root.extensions_used.iter().any(|used| used == name) {
            self.root.extensions_used.push(name.into());
        }
    }

    fn finish(mut self) -> Result<Export<Files>, Error> {
        let path = "properties";
        let properties = properties_to_json(&self.scene.properties, path, &mut self.losses);
        let note = SceneNote { version: SceneNote::VERSION, metres_per_unit: self.scene.metres_per_unit };
        self.root.scene = Some(0);
        if let Some(scene) = self.root.scenes.first_mut() {
            scene.name.clone_from(&self.scene.name);
            scene.extras = Extras::new(properties, Some(note));
        }
        self.root.extensions_used.sort_unstable();
        // Padding of the container belongs to the chunk, not to the buffer.
        let mut bin_name = None;
        if !self.bin.is_empty() {
            bin_name = (self.options.container == Container::Gltf).then(|| format!("{}.bin", self.options.name));
            let uri = bin_name.as_deref().map(crate::uri::encode);
            self.root.buffers.push(Buffer { uri, byte_length: self.bin.len() as u64 });
        }
        let json = text::json(&self.root, self.options.container).map_err(|error| malformed("", error.to_string()))?;
        let document = match self.options.container {
            Container::Glb => {
                let main = container::pack(&json, self.bin).map_err(Error::without_position)?;
                Files { main, side: Vec::new() }
            }
            Container::Gltf => {
                let mut side = self.side;
                if let Some(name) = bin_name {
                    side.insert(0, SideFile { name, data: self.bin.into_bytes().map_err(Error::without_position)? });
                }
                Files { main: json, side }
            }
        };
        Ok(Export { document, losses: self.losses })
    }
}

/// Adds an item to a list of the document and returns its index.
fn push<T>(list: &mut Vec<T>, item: T) -> u32 {
    let index = u32::try_from(list.len()).unwrap_or(u32::MAX);
    list.push(item);
    index
}

/// Returns pairs of a start and a count for the runs of set flags.
fn runs(flags: impl IntoIterator<Item = bool>) -> Vec<u32> {
    let mut runs = Vec::new();
    let mut open = false;
    for (place, flag) in (0_u32..).zip(flags) {
        match runs.last_mut() {
            Some(count) if flag && open => *count += 1,
            _ if flag => runs.extend([place, 1]),
            _ => {}
        }
        open = flag;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn runs_are_starts_and_counts() {
        assert_eq!(runs([true, true, false, true, false]), [0, 2, 3, 1]);
        assert!(runs([false; 3]).is_empty());
    }
}
