//! Planes and objects as textured quads, for formats of models.
//!
//! Each plane becomes one mesh with a quad for each tile. Each object becomes a mesh of one quad. Their depth follows the
//! draw order of the game: see [`PLANE_STEP`] and [`OBJECT_STEP`]. A level does not define lengths; one pixel is
//! 1/64 metre, so that a tile of Claw is one metre wide.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mapwright_scene::{
    Arena, Cell, Collision, Content, CornerColumn, Faces, Image, ImageId, ImageSource, Losses, Material, MaterialId,
    Mesh, MeshId, NodeId, Pixels, Scene, TextureSlot, TextureUsage, TileLayerId, TileSet, TileSetId, Transform, UvSet,
    Value, Wrap,
};
use mapwright_wapart::Palette;
use mapwright_wapart::drawing::{DrawStep, Layer, draw_order, top_left};
use mapwright_wwd::DrawFlags;

use super::atlas::{Atlas, Region};
use super::attach::shown_frame;

/// Distance of a plane from the plane or object that is drawn before it, in pixels. Depth buffers of 24 bits can separate planes
/// even in a perspective view of a whole level.
const PLANE_STEP: f64 = 64.0;
/// Distance of an object from the plane or object that is drawn before it, in pixels.
const OBJECT_STEP: f64 = 1.0;
/// Metres per pixel.
const METRES_PER_PIXEL: f64 = 1.0 / 64.0;
/// Maximum number of quads of all planes. The largest known level has 200,000 tiles.
pub(super) const MAX_QUADS: usize = 1 << 20;

/// A plane of the scene.
struct PlaneNode {
    node: NodeId,
    layer: TileLayerId,
    visible: bool,
    is_main: bool,
}

/// An object of the scene.
struct ObjectNode {
    node: NodeId,
    plane: Option<usize>,
    z: i32,
    /// `None` if nothing is shown.
    image: Option<ShownImage>,
}

/// The image of an object. Equal ones share a mesh.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ShownImage {
    image: ImageId,
    offset: [i32; 2],
    flips: [bool; 2],
}

/// An image on an atlas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The image of a tile or object, by its index.
    Image(usize),
    /// The colour of filled cells.
    Fill([u8; 3]),
}

/// Images that share atlases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// A tile set, by its index.
    Tiles(usize),
    /// Filled cells.
    Fills,
    Objects,
    /// Images with translucent pixels, such as light.
    Translucent,
}

/// Replaces tile layers and objects with an image by meshes. A scene without any image stays as it is.
pub(super) fn draw_layers(scene: &mut Scene, palette: Option<&Palette>, max_quads: usize) -> Losses {
    let mut losses = Losses::new();
    let (planes, objects) = collect(scene);
    let order = {
        let z = |plane: &PlaneNode| scene.tile_layers.get(plane.layer).map_or(0, |layer| layer.z);
        let layers: Vec<_> = planes.iter().map(|plane| Layer { z: z(plane), is_main: plane.is_main }).collect();
        let objects: Vec<i32> = objects.iter().map(|object| object.z).collect();
        // Bit 0 of the flags of a level; it is set by default.
        let uses_z = scene.properties.get("flags").and_then(Value::as_int).is_none_or(|flags| flags & 1 != 0);
        draw_order(&layers, &objects, uses_z)
    };
    let mut drawer = Drawer::new(scene, &planes, &objects, palette);
    drawer.quads_left = max_quads;
    if drawer.regions.is_empty() {
        return losses;
    }
    let (mut depth, mut depths) = (0.0, vec![0.0; planes.len()]);
    let mut object_depths = vec![0.0; objects.len()];
    for step in order {
        let (place, list, distance) = match step {
            DrawStep::Plane(place) => (place, &mut depths, PLANE_STEP),
            DrawStep::Object(place) => (place, &mut object_depths, OBJECT_STEP),
        };
        depth += distance;
        list.get_mut(place).into_iter().for_each(|place| *place = depth);
    }
    for (plane, depth) in planes.iter().zip(&depths) {
        drawer.draw_plane(plane, *depth, &planes, &mut losses);
    }
    for (object, depth) in objects.iter().zip(object_depths) {
        let plane = object.plane.and_then(|plane| depths.get(plane)).copied().unwrap_or(0.0);
        drawer.draw_object(object, depth - plane);
    }
    drawer.finish(max_quads, &mut losses);
    losses
}

/// Collects the planes and objects of a scene.
fn collect(scene: &Scene) -> (Vec<PlaneNode>, Vec<ObjectNode>) {
    let sets = scene.tile_sets.iter().rev().map(|(_, set)| (set.name.to_ascii_uppercase(), set));
    let sets: HashMap<String, &TileSet> = sets.collect();
    let (mut planes, mut objects) = (Vec::new(), Vec::new());
    let mut places: HashMap<NodeId, usize> = HashMap::new();
    for visit in scene.walk() {
        match visit.node.content {
            Content::TileLayer(layer) => {
                let properties = scene.tile_layers.get(layer).map(|layer| &layer.properties);
                let is_main = properties.and_then(|properties| properties.get("main")).is_some();
                places.insert(visit.id, planes.len());
                planes.push(PlaneNode { node: visit.id, layer, visible: visit.visible, is_main });
            }
            Content::Entity(entity) => {
                let Some(entity) = scene.entities.get(entity) else { continue };
                let image = || {
                    let set = sets.get(&entity.model.as_ref()?.to_ascii_uppercase())?;
                    let tile = match shown_frame(entity) {
                        -1 => set.tiles.iter().find(|tile| tile.image.is_some())?,
                        frame => set.tiles.get(usize::try_from(frame).ok()?)?,
                    };
                    let number = |value: Option<&Value>| value.and_then(Value::as_int).unwrap_or(0);
                    let offset = ["offset_x", "offset_y"]
                        .map(|name| i32::try_from(number(tile.properties.get(name))).unwrap_or(0));
                    let flags = u32::try_from(number(entity.properties.get("draw_flags"))).unwrap_or(0);
                    let flips = [DrawFlags::MIRROR, DrawFlags::INVERT].map(|flag| DrawFlags(flags).has(flag));
                    Some(ShownImage { image: tile.image?, offset, flips })
                };
                #[expect(clippy::cast_possible_truncation, reason = "levels store 32 bits")]
                objects.push(ObjectNode {
                    node: visit.id,
                    plane: visit.parent.and_then(|parent| places.get(&parent).copied()),
                    z: visit.node.transform.origin()[2].round() as i32,
                    image: image().filter(|_| visit.visible),
                });
            }
            _ => {}
        }
    }
    (planes, objects)
}

struct Drawer<'a> {
    scene: &'a mut Scene,
    palette: Option<&'a Palette>,
    /// For each image, `true` if it has translucent pixels.
    translucent: Vec<bool>,
    /// The place of each image in a group.
    regions: BTreeMap<(Group, Key), (MaterialId, Region)>,
    /// The images of the atlases.
    images: Arena<Image>,
    /// Meshes of objects.
    meshes: HashMap<ShownImage, MeshId>,
    quads_left: usize,
    exceeds_quads: bool,
}

impl<'a> Drawer<'a> {
    /// Packs all images that planes and objects show on atlases. Each page of an atlas gets a material.
    fn new(scene: &'a mut Scene, planes: &[PlaneNode], objects: &[ObjectNode], palette: Option<&'a Palette>) -> Self {
        let is_translucent = |image: &Image| pixels_of(image).is_some_and(super::atlas::is_translucent);
        let translucent: Vec<bool> = scene.images.items().iter().map(is_translucent).collect();
        let mut used: BTreeMap<Group, BTreeSet<Key>> = BTreeMap::new();
        for plane in planes.iter().filter(|plane| plane.visible) {
            let Some(layer) = scene.tile_layers.get(plane.layer) else { continue };
            for word in &layer.cells {
                let fill = fill_color(layer.fill, palette);
                if let Some((group, key)) = shown_cell(scene, &translucent, &layer.tile_sets, *word, fill) {
                    used.entry(group).or_default().insert(key);
                }
            }
        }
        for image in objects.iter().filter_map(|object| object.image) {
            let group = group_of(&translucent, image.image, Group::Objects);
            used.entry(group).or_default().insert(Key::Image(image.image.index()));
        }
        let mut drawer = Self {
            scene,
            palette,
            translucent,
            regions: BTreeMap::new(),
            images: Arena::default(),
            meshes: HashMap::new(),
            quads_left: MAX_QUADS,
            exceeds_quads: false,
        };
        for (group, keys) in used {
            drawer.pack(group, &keys);
        }
        drawer
    }

    fn pack(&mut self, group: Group, keys: &BTreeSet<Key>) {
        let images = self.scene.images.items();
        let fills: BTreeMap<Key, Pixels> = keys.iter().filter_map(|key| Some((*key, fill_pixels(*key)?))).collect();
        let pixels = |key: &Key| match key {
            Key::Image(index) => images.get(*index).and_then(pixels_of),
            Key::Fill(_) => fills.get(key),
        };
        let sources: Vec<(Key, &Pixels)> = keys.iter().filter_map(|key| Some((*key, pixels(key)?))).collect();
        let atlas = Atlas::pack(&sources.iter().map(|(_, pixels)| *pixels).collect::<Vec<_>>());
        let name = match group {
            Group::Tiles(set) => self.scene.tile_sets.items().get(set).map_or_else(String::new, |set| set.name.clone()),
            Group::Fills => "fill".to_owned(),
            Group::Objects => "objects".to_owned(),
            Group::Translucent => "translucent".to_owned(),
        };
        let mut materials = Vec::new();
        for (page, (pixels, alpha)) in atlas.pages.into_iter().enumerate() {
            let name = if page == 0 { name.clone() } else { format!("{name} {page}") };
            let image = Image { name: name.clone(), source: ImageSource::Pixels(pixels) };
            let slot = TextureSlot::new(TextureUsage::BaseColor, self.images.push(image));
            let textures = vec![TextureSlot { wrap: [Wrap::Clamp; 2], ..slot }];
            let material = Material { textures, alpha, double_sided: true, ..Material::new(name) };
            materials.push(self.scene.materials.push(material));
        }
        for ((key, _), region) in sources.iter().zip(atlas.regions) {
            let material = materials.get(region.page).copied();
            self.regions.extend(material.map(|material| ((group, *key), (material, region))));
        }
    }

    /// Replaces a plane by a mesh. Planes that repeat are repeated over the main plane.
    fn draw_plane(&mut self, plane: &PlaneNode, depth: f64, planes: &[PlaneNode], losses: &mut Losses) {
        let Some(layer) = self.scene.tile_layers.get(plane.layer).cloned() else { return };
        let path = format!("tile_layers[{}]", plane.layer.index());
        if plane.visible && !plane.is_main && layer.parallax != [1.0; 2] {
            let [x, y] = layer.parallax.map(|factor| factor * 100.0);
            losses.approximated(&*path, format!("moves at {x} % and {y} % of the camera; drawn at rest"));
        }
        let main = planes.iter().find(|plane| plane.is_main);
        let main = main.and_then(|main| self.scene.tile_layers.get(main.layer));
        let count = |axis: usize| {
            let get = |pair: [u32; 2]| pair.get(axis).copied().unwrap_or(0);
            let own = get(layer.size);
            let covered = main.map_or(0, |main| u64::from(get(main.size)).saturating_mul(get(main.tile_size).into()));
            let needed = covered.div_ceil(u64::from(get(layer.tile_size)).max(1));
            let repeats = layer.wrap.get(axis).copied().unwrap_or(false) && own > 0;
            if repeats { u32::try_from(needed).unwrap_or(u32::MAX).max(own) } else { own }
        };
        let [columns, rows] = [count(0), count(1)];
        let mut quads = Quads::default();
        let mut missing_fills = 0_usize;
        let fill = fill_color(layer.fill, self.palette);
        let [own_columns, own_rows] = if plane.visible { layer.size } else { [0; 2] };
        // A few cells can repeat billions of times, so only cells that are shown are repeated.
        for (row, column) in (0..own_rows).flat_map(|row| (0..own_columns).map(move |column| (row, column))) {
            let Some(cell) = layer.cell(column, row) else { continue };
            missing_fills = missing_fills.saturating_add(usize::from(cell == Cell::Fill && fill.is_none()));
            let shown = shown_cell(self.scene, &self.translucent, &layer.tile_sets, cell.word(), fill);
            let Some((material, region)) = shown.and_then(|shown| self.regions.get(&shown)) else { continue };
            let is_fill = matches!(shown, Some((_, Key::Fill(_))));
            // Images are cut to their cell. Smaller ones are drawn at its upper left corner.
            let [width, height] = layer.tile_size;
            let cut = [region.size[0].min(width), region.size[1].min(height)];
            let (size, part) = if is_fill { (layer.tile_size, region.size) } else { (cut, cut) };
            let repeats =
                |start: u32, own: u32, end: u32| (start..end).step_by(usize::try_from(own).unwrap_or(usize::MAX));
            let places = repeats(row, own_rows, rows)
                .flat_map(|row| repeats(column, own_columns, columns).map(move |column| [column, row]));
            for [column, row] in places {
                if self.quads_left == 0 {
                    self.exceeds_quads = true;
                    break;
                }
                self.quads_left = self.quads_left.saturating_sub(1);
                let at = [i64::from(column) * i64::from(width), i64::from(row) * i64::from(height)];
                quads.push(at, size, *material, region.uv(part, [false; 2]));
            }
        }
        if missing_fills > 0 {
            losses.dropped(&*path, format!("filled cells without a palette: {missing_fills}"));
        }
        if !plane.visible {
            losses.dropped(&*path, "hidden plane");
        }
        let content = match quads.faces.is_empty() {
            true => Content::Group,
            false => Content::Mesh(self.scene.meshes.push(quads.into_mesh(layer.name))),
        };
        if let Some(node) = self.scene.nodes.get_mut(plane.node) {
            node.content = content;
            node.transform = node.transform.compose(&Transform::translation([0.0, 0.0, depth]));
            layer.properties.iter().for_each(|(name, value)| node.properties.set(name, value.clone()));
        }
    }

    /// Moves an object to its depth, and replaces it by a mesh if it has an image. Its fields become properties of the node.
    fn draw_object(&mut self, object: &ObjectNode, depth: f64) {
        let mesh = object.image.and_then(|image| self.object_mesh(image));
        let Some(node) = self.scene.nodes.get_mut(object.node) else { return };
        let [x, y, _] = node.transform.origin();
        node.transform = Transform::translation([x, y, depth]);
        let Content::Entity(entity) = node.content else { return };
        let Some(entity) = self.scene.entities.get_mut(entity) else { return };
        let Some(mesh) = mesh else {
            // An image set is no model, so programs must not look for one.
            if let Some(image_set) = entity.model.take() {
                node.properties.set("model", image_set);
            }
            return;
        };
        node.content = Content::Mesh(mesh);
        node.properties.set("class", entity.class.clone());
        entity.model.iter().for_each(|model| node.properties.set("model", model.clone()));
        node.properties.set("z", object.z);
        entity.properties.iter().for_each(|(name, value)| node.properties.set(name, value.clone()));
        if node.name.is_empty() {
            node.name.clone_from(&entity.class);
        }
    }

    /// Returns the mesh of an image, relative to the position of its object.
    fn object_mesh(&mut self, shown: ShownImage) -> Option<MeshId> {
        if let Some(mesh) = self.meshes.get(&shown) {
            return Some(*mesh);
        }
        let group = group_of(&self.translucent, shown.image, Group::Objects);
        let (material, region) = self.regions.get(&(group, Key::Image(shown.image.index())))?;
        let mut quads = Quads::default();
        let at = top_left([0, 0], region.size, shown.offset, shown.flips);
        quads.push(at, region.size, *material, region.uv(region.size, shown.flips));
        // Several objects share the mesh, so it is named after none of them.
        let mesh = self.scene.meshes.push(quads.into_mesh(String::new()));
        self.meshes.insert(shown, mesh);
        Some(mesh)
    }

    /// Removes the tiles from the scene and reports what meshes do not contain.
    fn finish(self, max_quads: usize, losses: &mut Losses) {
        let scene = self.scene;
        if self.exceeds_quads {
            losses.dropped("tile_layers", format!("tiles beyond {max_quads} quads"));
        }
        let tiles = scene.tile_sets.items().iter().flat_map(|set| &set.tiles);
        let with_collision = tiles.filter(|tile| tile.collision != Collision::Unknown).count();
        if with_collision > 0 {
            losses.dropped("tile_sets", format!("collision of tiles: {with_collision}"));
        }
        scene.tile_layers = Arena::default();
        scene.tile_sets = Arena::default();
        // The images of tiles and objects are on the atlases now.
        scene.images = self.images;
        scene.metres_per_unit = scene.metres_per_unit.or(Some(METRES_PER_PIXEL));
    }
}

/// Returns the image of a cell and its group. `None` if the cell is empty or has no image.
fn shown_cell(
    scene: &Scene,
    translucent: &[bool],
    sets: &[TileSetId],
    word: u32,
    fill: Option<[u8; 3]>,
) -> Option<(Group, Key)> {
    match Cell::from_word(word) {
        Cell::Empty => None,
        Cell::Fill => Some((Group::Fills, Key::Fill(fill?))),
        Cell::Tile { set, tile } => {
            let id = *sets.get(usize::from(set))?;
            let image = scene.tile_sets.get(id)?.tiles.get(usize::from(tile))?.image?;
            Some((group_of(translucent, image, Group::Tiles(id.index())), Key::Image(image.index())))
        }
    }
}

/// Returns the group of an image: `usual`, or that of translucent images.
fn group_of(translucent: &[bool], image: ImageId, usual: Group) -> Group {
    match translucent.get(image.index()) {
        Some(true) => Group::Translucent,
        _ => usual,
    }
}

fn pixels_of(image: &Image) -> Option<&Pixels> {
    match &image.source {
        ImageSource::Pixels(pixels) => Some(pixels),
        _ => None,
    }
}

/// Returns the colour of filled cells. The games use the lowest byte of the index.
fn fill_color(fill: Option<u32>, palette: Option<&Palette>) -> Option<[u8; 3]> {
    let [index, ..] = fill?.to_le_bytes();
    palette.map(|palette| palette.color(index))
}

/// Returns an image of one pixel for a colour.
fn fill_pixels(key: Key) -> Option<Pixels> {
    let Key::Fill([red, green, blue]) = key else { return None };
    let format = mapwright_scene::PixelFormat::Rgba8;
    Some(Pixels { width: 1, height: 1, format, data: vec![red, green, blue, 255] })
}

/// Quads of a mesh.
#[derive(Default)]
struct Quads {
    positions: Vec<[f64; 3]>,
    faces: Faces,
    materials: Vec<Option<MaterialId>>,
    corners: CornerColumn<[f64; 2]>,
}

impl Quads {
    /// Adds a quad. `at` is its upper left corner in pixels, with y down. `uv` is left, top, right and bottom.
    fn push(&mut self, at: [i64; 2], size: [u32; 2], material: MaterialId, [left, top, right, bottom]: [f64; 4]) {
        #[expect(clippy::cast_precision_loss, reason = "levels have less than 2⁵³ pixels")]
        let [x, y] = at.map(|pixel| pixel as f64);
        let [width, height] = size.map(f64::from);
        let first = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
        // From the lower left corner, counter-clockwise. Adding 0 removes negative zeros.
        let corners = [
            ([x, y + height], [left, bottom]),
            ([x + width, y + height], [right, bottom]),
            ([x + width, y], [right, top]),
            ([x, y], [left, top]),
        ];
        self.positions.extend(corners.map(|([x, y], _)| [x, 0.0 - y, 0.0]));
        self.corners.extend(corners.map(|(_, uv)| Some(uv)));
        self.faces.push(&[0, 1, 2, 3].map(|corner| first.saturating_add(corner)));
        self.materials.push(Some(material));
    }

    fn into_mesh(self, name: String) -> Mesh {
        Mesh {
            name,
            positions: self.positions,
            faces: self.faces,
            face_materials: self.materials,
            uv_sets: vec![UvSet { corners: self.corners, ..UvSet::default() }],
            ..Mesh::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_scene::{Node, PixelFormat, Tile, TileLayer};

    #[test]
    fn planes_that_repeat_billions_of_times_are_bounded() {
        // The main plane is one cell of 2³⁰ pixels. The other plane repeats a pixel over it.
        for (word, quads, is_excess) in [(Cell::EMPTY, 1, false), (0, 100, true)] {
            let mut scene = Scene::default();
            let pixels = Pixels { width: 1, height: 1, format: PixelFormat::Rgba8, data: vec![9, 9, 9, 255] };
            let image = scene.images.push(Image { name: String::new(), source: ImageSource::Pixels(pixels) });
            let tiles = vec![Tile { image: Some(image), ..Tile::default() }];
            let set = scene.tile_sets.push(TileSet { tiles, ..TileSet::default() });
            let mut plane = |tile: u32, word: u32, is_main: bool| {
                let mut layer = TileLayer {
                    size: [1; 2],
                    tile_size: [tile; 2],
                    cells: vec![word],
                    tile_sets: vec![set],
                    wrap: [!is_main; 2],
                    ..TileLayer::default()
                };
                if is_main {
                    layer.properties.push("main", true);
                }
                let layer = scene.tile_layers.push(layer);
                scene.add_node(None, Node::new("", Content::TileLayer(layer)));
            };
            plane(1 << 30, 0, true);
            plane(1, word, false);
            let losses = draw_layers(&mut scene, None, 100);
            let faces: usize = scene.meshes.iter().map(|(_, mesh)| mesh.faces.len()).sum();
            assert_eq!(faces, quads);
            assert_eq!(losses.iter().any(|loss| loss.text == "tiles beyond 100 quads"), is_excess, "{losses:?}");
        }
    }
}
