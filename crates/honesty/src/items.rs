//! The items of a scene that are compared, with their fields.

use std::rc::Rc;

use mapwright::scene::conventions::srgb_to_linear;
use mapwright::scene::{
    AlphaMode, Attribute, Camera, Cell, ColorSpace, Content, Entity, Image, ImageSource, Light, LightKind, LossKind,
    Losses, Material, Mesh, Model, Node, NodeId, Path, PixelFormat, Pixels, Projection, Properties, Scene, Terrain,
    TileLayer, TileSet, Transform, Value,
};

use super::surfaces::Surfaces;

/// Items that one scene may show: instances of instances would otherwise fill the memory.
const MAX_ITEMS: usize = 1 << 20;
/// Bytes of pixels that are compared in one scene.
const MAX_PIXEL_BYTES: usize = 1 << 23;

/// An item of a scene: an object at one place, a material, an image.
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// The position in the scene, in units of the comparison. `None` for items without a place.
    pub(super) at: Option<[f64; 3]>,
    /// The path of the content, then that of the node and of its ancestors. A loss of each covers the item.
    pub(super) paths: Paths,
    /// The names of the ancestors, the nearest first.
    pub(super) ancestors: Vec<String>,
    pub(super) fields: Vec<Field>,
    /// The entity without keys that contains everything else in some formats.
    pub(super) is_world: bool,
}

/// Kinds of items. Only items of a kind are matched, except that objects may become other objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Group,
    Surface,
    Terrain,
    TileLayer,
    Model,
    Object,
    Material,
    Image,
    TileSet,
    Selection,
    Scene,
}

#[derive(Clone)]
pub(super) struct Paths {
    pub(super) content: Rc<str>,
    /// The paths of items that refer to this one.
    pub(super) users: Vec<String>,
    node: Option<Rc<Chain>>,
}

/// The nodes from one up to a root.
struct Chain {
    id: NodeId,
    name: String,
    content: String,
    is_visible: bool,
    above: Option<Rc<Chain>>,
}

impl Paths {
    fn of_list(list: &str, index: usize) -> Self {
        Self { content: format!("{list}[{index}]").into(), users: Vec::new(), node: None }
    }

    /// The paths of the node, its ancestors, and their contents.
    pub(super) fn nodes(&self) -> impl Iterator<Item = String> {
        let chain = std::iter::successors(self.node.as_deref(), |chain| chain.above.as_deref());
        chain.flat_map(|chain| [format!("nodes[{}]", chain.id.index()), chain.content.clone()])
    }
}

/// A field of an item.
pub(super) struct Field {
    pub(super) name: String,
    /// The path ends in the node, not in the content.
    pub(super) of_node: bool,
    /// The path of another item that the field refers to: the image of a texture.
    pub(super) refers_to: Option<String>,
    pub(super) value: Datum,
}

/// A value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Datum {
    /// Equal to all: an image that is too large to compare.
    Unknown,
    Missing,
    Text(String),
    Numbers(Vec<f64>),
    /// Numbers in units of the comparison, which are as exact as positions.
    Lengths(Vec<f64>),
}

/// The items of a scene.
pub(super) struct Items {
    pub(super) items: Vec<Item>,
    pub(super) surfaces: Surfaces,
    /// `false` if the scene has more items or faces than are compared.
    pub(super) is_complete: bool,
}

impl Items {
    /// Collects the items. `unit` is the factor for all lengths.
    pub(super) fn of_scene(scene: &Scene, unit: f64) -> Self {
        let mut items = Self { items: Vec::new(), surfaces: Surfaces::default(), is_complete: true };
        items.add_globals(scene);
        let mut stack: Vec<(NodeId, Transform, Option<Rc<Chain>>, bool)> =
            scene.roots.iter().rev().map(|&id| (id, Transform::IDENTITY, None, true)).collect();
        while let Some((id, above, chain, is_placed)) = stack.pop() {
            let Some(node) = scene.nodes.get(id) else { continue };
            if items.items.len() >= MAX_ITEMS {
                items.is_complete = false;
                break;
            }
            let is_loop = std::iter::successors(chain.as_deref(), |chain| chain.above.as_deref()).any(|c| c.id == id);
            if is_loop {
                continue;
            }
            // The target of an instance has the place of the instance.
            let world = if is_placed { above.compose(&node.transform) } else { above };
            let is_visible = node.visible && chain.as_ref().is_none_or(|chain| chain.is_visible);
            let content = content_path(&node.content);
            let chain = Rc::new(Chain { id, name: node.name.clone(), content, is_visible, above: chain });
            stack.extend(node.children.iter().rev().map(|&child| (child, world, Some(Rc::clone(&chain)), true)));
            if let Content::Instance(target) = node.content {
                stack.push((target, world, Some(chain), false));
            } else {
                items.add_node(scene, node, &world, &chain, unit);
            }
        }
        items
    }

    fn add_node(&mut self, scene: &Scene, node: &Node, world: &Transform, chain: &Rc<Chain>, unit: f64) {
        let at = world.origin().map(|c| c * unit);
        let own = if chain.content.is_empty() { format!("nodes[{}]", chain.id.index()) } else { chain.content.clone() };
        let paths = Paths { content: own.into(), users: Vec::new(), node: Some(Rc::clone(chain)) };
        let mut fields = Fields::default();
        let forward = world.vector([0.0, 0.0, -1.0]);
        let (kind, paths, at) = match &node.content {
            Content::Mesh(id) => {
                let Some(mesh) = scene.meshes.get(*id) else { return };
                let center = self.surfaces.add_mesh(scene, mesh, world, unit, self.items.len());
                // A mesh may become a brush with the same faces, so it has no kind.
                fields.mesh(mesh);
                (Kind::Surface, paths, Some(center))
            }
            Content::Brush(id) => {
                let Some(brush) = scene.brushes.get(*id) else { return };
                let center = self.surfaces.add_brush(scene, brush, world, unit, self.items.len());
                fields.text("kind", "brush");
                fields.properties("properties", &brush.properties);
                let sides = brush.sides.iter().enumerate();
                sides.for_each(|(i, side)| fields.properties(&format!("sides[{i}].properties"), &side.properties));
                (Kind::Surface, paths, Some(center))
            }
            Content::Terrain(id) => {
                let Some(terrain) = scene.terrains.get(*id) else { return };
                let center = fields.terrain(scene, terrain, world, unit);
                (Kind::Terrain, paths, Some(center))
            }
            Content::TileLayer(id) => {
                let Some(layer) = scene.tile_layers.get(*id) else { return };
                fields.tile_layer(scene, layer);
                (Kind::TileLayer, paths, None)
            }
            Content::InstanceSet(id) => {
                let Some(set) = scene.instance_sets.get(*id) else { return };
                for row in 0..set.transforms.len() {
                    let (Some(model), Some(place)) = (set.model_of(row), set.transforms.get(row)) else { continue };
                    let world = world.compose(&place);
                    let at = world.origin().map(|c| c * unit);
                    let mut fields = Fields::default();
                    let (kind, name, at) = match model {
                        Model::Reference(reference) => {
                            fields.turn(&world);
                            (Kind::Model, reference.clone(), at)
                        }
                        Model::Mesh(id) => {
                            let Some(mesh) = scene.meshes.get(*id) else { continue };
                            let center = self.surfaces.add_mesh(scene, mesh, &world, unit, self.items.len());
                            (Kind::Surface, mesh.name.clone(), center)
                        }
                    };
                    if let Some(&id) = set.ids.get(row) {
                        fields.text("ids", &id.to_string());
                    }
                    let paths = paths.clone();
                    self.items.push(Item {
                        kind,
                        name,
                        at: Some(at),
                        paths,
                        ancestors: Vec::new(),
                        fields: fields.0,
                        is_world: false,
                    });
                    if self.items.len() >= MAX_ITEMS {
                        self.is_complete = false;
                        return;
                    }
                }
                return;
            }
            Content::Light(id) => {
                let Some(light) = scene.lights.get(*id) else { return };
                fields.light(scene, light, world, unit);
                (
                    Kind::Object,
                    paths,
                    Some(at).filter(|_| !matches!(light.kind, LightKind::Ambient | LightKind::Directional)),
                )
            }
            Content::Camera(id) => {
                let Some(camera) = scene.cameras.get(*id) else { return };
                fields.text("kind", "camera");
                fields.numbers("direction", &mapwright::scene::transform::normalize(forward).unwrap_or(forward));
                fields.camera(camera, unit);
                (Kind::Object, paths, Some(at))
            }
            Content::Sound(id) => {
                let Some(sound) = scene.sounds.get(*id) else { return };
                fields.text("kind", "sound");
                fields.text("reference", &sound.reference);
                fields.numbers("volume", &[sound.volume.unwrap_or(1.0)]);
                fields.push("range", Datum::Lengths(vec![sound.range.unwrap_or(0.0) * unit]));
                fields.properties("properties", &sound.properties);
                (Kind::Object, paths, Some(at))
            }
            Content::Path(id) => {
                let Some(path) = scene.paths.get(*id) else { return };
                fields.text("kind", "path");
                fields.path(path, world, unit);
                (Kind::Object, paths, None)
            }
            Content::Marker => {
                fields.text("kind", "marker");
                fields.turn(world);
                (Kind::Object, paths, Some(at))
            }
            Content::Entity(id) => {
                let Some(entity) = scene.entities.get(*id) else { return };
                fields.text("kind", "entity");
                fields.turn(world);
                fields.entity(entity);
                (Kind::Object, paths, Some(at))
            }
            Content::Prefab(prefab) => {
                fields.text("kind", "prefab");
                fields.turn(world);
                fields.text("reference", &prefab.reference);
                fields.properties("overrides", &prefab.overrides);
                (Kind::Object, paths, Some(at))
            }
            _ => {
                // Groups of other items without data only structure the tree. The ancestors of those items show it.
                if !node.children.is_empty() && node.properties.is_empty() || node.name.is_empty() {
                    return;
                }
                (Kind::Group, paths, None)
            }
        };
        let is_world = matches!(&node.content, Content::Entity(id) if scene.entities.get(*id).is_some_and(|entity| entity.class == "worldspawn" && entity.properties.is_empty()));
        let mut of_node = Fields::default();
        of_node.optional("visible", (!chain.is_visible).then(|| Datum::Text("false".into())));
        of_node.optional("locked", node.locked.then(|| Datum::Text("true".into())));
        of_node.properties("properties", &node.properties);
        of_node.0.iter_mut().for_each(|field| field.of_node = true);
        fields.0.append(&mut of_node.0);
        let above = std::iter::successors(chain.above.as_deref(), |chain| chain.above.as_deref());
        let ancestors = above.map(|chain| chain.name.clone()).filter(|name| !name.is_empty()).collect();
        self.items.push(Item { kind, name: node.name.clone(), at, paths, ancestors, fields: fields.0, is_world });
    }

    /// Adds the items that are not in the tree.
    fn add_globals(&mut self, scene: &Scene) {
        let mut left = MAX_PIXEL_BYTES;
        let images: Vec<Datum> = scene.images.items().iter().map(|image| image_key(image, &mut left)).collect();
        let mut fields = Fields::default();
        fields
            .optional("name", Some(&scene.name).filter(|name| !name.is_empty()).map(|name| Datum::Text(name.clone())));
        fields.properties("properties", &scene.properties);
        let paths = Paths { content: "".into(), users: Vec::new(), node: None };
        self.add_global(Kind::Scene, "", paths, fields);
        for (id, material) in scene.materials.iter() {
            let mut fields = Fields::default();
            fields.material(scene, material, &images);
            self.add_global(Kind::Material, &material.name, Paths::of_list("materials", id.index()), fields);
        }
        for (id, image) in scene.images.iter() {
            let mut fields = Fields::default();
            fields.optional("source", images.get(id.index()).cloned());
            // A texture that is merged with another one is reported for its material.
            let is_user = |material: &Material| material.textures.iter().any(|slot| slot.image == id);
            let users = scene.materials.iter().filter(|(_, material)| is_user(material));
            let users = users.map(|(material, _)| format!("materials[{}]", material.index()));
            let is_tile = |tile: &mapwright::scene::Tile| tile.image == Some(id);
            let tiles = scene.tile_sets.iter().flat_map(|(set, it)| {
                let tiles = it.tiles.iter().enumerate().filter(|(_, tile)| is_tile(tile));
                tiles.map(move |(tile, _)| format!("tile_sets[{}].tiles[{tile}]", set.index()))
            });
            let users = users.chain(tiles);
            let paths = Paths { users: users.collect(), ..Paths::of_list("images", id.index()) };
            let name = match &image.source {
                ImageSource::External { path } if image.name.is_empty() => {
                    path.rsplit(['/', '\\']).next().unwrap_or_default()
                }
                _ => &*image.name,
            };
            let stem = name.rsplit_once('.').map_or(name, |(stem, end)| if end.len() <= 4 { stem } else { name });
            self.add_global(Kind::Image, stem, paths, fields);
        }
        for (id, set) in scene.tile_sets.iter() {
            let mut fields = Fields::default();
            fields.tile_set(set, &images);
            self.add_global(Kind::TileSet, &set.name, Paths::of_list("tile_sets", id.index()), fields);
        }
        for (index, set) in scene.sets.iter().enumerate() {
            let mut fields = Fields::default();
            fields.text("members", &set.members.len().to_string());
            fields.properties("properties", &set.properties);
            self.add_global(Kind::Selection, &set.name, Paths::of_list("sets", index), fields);
        }
    }

    fn add_global(&mut self, kind: Kind, name: &str, paths: Paths, fields: Fields) {
        let item = Item {
            kind,
            name: name.to_owned(),
            at: None,
            paths,
            ancestors: Vec::new(),
            fields: fields.0,
            is_world: false,
        };
        self.items.push(item);
    }
}

/// Returns the path of the content of a node; empty if that is the node itself.
fn content_path(content: &Content) -> String {
    let (list, index) = match content {
        Content::Mesh(id) => ("meshes", id.index()),
        Content::Brush(id) => ("brushes", id.index()),
        Content::Terrain(id) => ("terrains", id.index()),
        Content::TileLayer(id) => ("tile_layers", id.index()),
        Content::InstanceSet(id) => ("instance_sets", id.index()),
        Content::Light(id) => ("lights", id.index()),
        Content::Sound(id) => ("sounds", id.index()),
        Content::Camera(id) => ("cameras", id.index()),
        Content::Path(id) => ("paths", id.index()),
        Content::Entity(id) => ("entities", id.index()),
        _ => return String::new(),
    };
    format!("{list}[{index}]")
}

/// Collects the fields of an item.
#[derive(Default)]
struct Fields(Vec<Field>);

impl Fields {
    fn push(&mut self, name: impl Into<String>, value: Datum) {
        self.0.push(Field { name: name.into(), of_node: false, refers_to: None, value });
    }

    fn text(&mut self, name: &str, text: &str) {
        self.push(name, Datum::Text(text.to_owned()));
    }

    fn numbers(&mut self, name: &str, numbers: &[f64]) {
        self.push(name, Datum::Numbers(numbers.to_vec()));
    }

    fn optional(&mut self, name: &str, value: Option<Datum>) {
        self.push(name, value.unwrap_or(Datum::Missing));
    }

    fn properties(&mut self, name: &str, properties: &Properties) {
        for (key, value) in properties.iter() {
            // An empty text is no value in many formats.
            let value = Some(property_text(value)).filter(|text| !text.is_empty()).map_or(Datum::Missing, Datum::Text);
            self.0.push(Field { name: format!("{name}.{key}"), of_node: false, refers_to: None, value });
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for (index, attribute) in attributes.iter().enumerate() {
            let value = Datum::Text(format!("{} × {:?}", attribute.width, attribute.domain));
            let name = format!("attributes[{index}] {}", attribute.name);
            self.0.push(Field { name, of_node: false, refers_to: None, value });
        }
    }

    /// The rotation and scale of an object.
    fn turn(&mut self, world: &Transform) {
        self.0.push(Field {
            name: "transform".into(),
            of_node: true,
            refers_to: None,
            value: Datum::Numbers(world.linear().into_iter().flatten().collect()),
        });
    }

    fn mesh(&mut self, mesh: &Mesh) {
        self.attributes(&mesh.attributes);
        self.properties("properties", &mesh.properties);
        self.optional("mirror", mesh.mirror.map(|_| Datum::Text("mirror".into())));
        let names = mesh.uv_sets.iter().map(|set| ("uv_sets", &set.name));
        let names = names.chain(mesh.color_sets.iter().map(|set| ("color_sets", &set.name)));
        for (list, name) in names.filter(|(_, name)| !name.is_empty()) {
            let field = format!("{list}.name {name}");
            self.0.push(Field { name: field, of_node: false, refers_to: None, value: Datum::Text(name.clone()) });
        }
    }

    fn terrain(&mut self, scene: &Scene, terrain: &Terrain, world: &Transform, unit: f64) -> [f64; 3] {
        let [columns, rows] = terrain.size;
        // Formats differ in the direction of their rows. Compare the heights from the north-west.
        let at = |column: u32, row: u32| {
            let [x, z] = terrain.spacing;
            let index = u64::from(row) * u64::from(columns) + u64::from(column);
            let height = usize::try_from(index).ok().and_then(|index| terrain.heights.get(index)).unwrap_or(f64::NAN);
            world.point([f64::from(column) * x, height, f64::from(row) * z]).map(|c| c * unit)
        };
        self.text("size", &format!("{columns} × {rows}"));
        let corners = [(0, 0), (columns.saturating_sub(1), rows.saturating_sub(1))].map(|(c, r)| at(c, r));
        let ends = |axis: usize| {
            let [a, b] = corners.map(|corner| corner.get(axis).copied().unwrap_or_default());
            [a.min(b), a.max(b)]
        };
        self.push("spacing", Datum::Lengths([ends(0), ends(2)].concat()));
        let is_flipped = |axis: usize| match corners {
            [a, b] => a.get(axis) > b.get(axis),
        };
        let (flip_x, flip_z) = (is_flipped(0), is_flipped(2));
        let side = |flip: bool, i: u32, count: u32| if flip { count - 1 - i } else { i };
        let heights: Vec<f64> = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .map(|(column, row)| at(side(flip_x, column, columns), side(flip_z, row, rows))[1])
            .collect();
        self.push("heights", Datum::Lengths(heights));
        self.optional("sea_level", terrain.sea_level.map(|level| Datum::Lengths(vec![level * unit])));
        let [cells_x, cells_z] = terrain.cell_size;
        if !terrain.cells.is_empty() {
            let name = |index: usize| {
                let cell = terrain.cells.get(index).copied().unwrap_or(u32::MAX);
                let material = terrain.materials.get(cell as usize).copied().flatten();
                material.and_then(|id| scene.materials.get(id)).map_or("", |material| &material.name)
            };
            let mut hash = String::new();
            for row in 0..cells_z {
                for column in 0..cells_x {
                    let (column, row) = (side(flip_x, column, cells_x), side(flip_z, row, cells_z));
                    hash = digest(&[hash.as_bytes(), name((row * cells_x + column) as usize).as_bytes()]);
                }
            }
            self.push("cells", Datum::Text(format!("{cells_x} × {cells_z}: {hash}")));
        }
        self.attributes(&terrain.attributes);
        self.properties("properties", &terrain.properties);
        let middle = |axis: usize| ends(axis).iter().sum::<f64>() / 2.0;
        [middle(0), 0.0, middle(2)]
    }

    fn tile_layer(&mut self, scene: &Scene, layer: &TileLayer) {
        self.numbers("size", &layer.size.map(f64::from));
        self.numbers("tile_size", &layer.tile_size.map(f64::from));
        let cell = |word: &u32| match Cell::from_word(*word) {
            Cell::Empty => "-".to_owned(),
            Cell::Fill => "fill".to_owned(),
            Cell::Tile { set, tile } => {
                let name = layer.tile_sets.get(usize::from(set)).and_then(|id| scene.tile_sets.get(*id));
                format!("{}/{tile}", name.map_or("", |set| &set.name))
            }
        };
        self.text("cells", &layer.cells.iter().map(cell).collect::<Vec<_>>().join(" "));
        self.text("wrap", &format!("{:?}", layer.wrap));
        self.numbers("parallax", &layer.parallax);
        self.numbers("z", &[f64::from(layer.z)]);
        self.numbers("fill", &[f64::from(layer.fill.unwrap_or(0))]);
        self.attributes(&layer.attributes);
        self.properties("properties", &layer.properties);
    }

    fn tile_set(&mut self, set: &TileSet, images: &[Datum]) {
        self.text("tiles", &set.tiles.len().to_string());
        for (index, tile) in set.tiles.iter().enumerate() {
            let image = tile.image.and_then(|id| images.get(id.index()));
            self.optional(&format!("tiles[{index}].image"), image.cloned());
            let path = tile.image.map(|id| format!("images[{}]", id.index()));
            self.0.iter_mut().last().into_iter().for_each(|field| field.refers_to.clone_from(&path));
            self.text(&format!("tiles[{index}].collision"), &format!("{:?}", tile.collision));
            self.properties(&format!("tiles[{index}].properties"), &tile.properties);
        }
        self.properties("properties", &set.properties);
    }

    fn light(&mut self, scene: &Scene, light: &Light, world: &Transform, unit: f64) {
        let direction = mapwright::scene::transform::normalize(world.vector([0.0, 0.0, -1.0])).unwrap_or_default();
        let kind = match &light.kind {
            LightKind::Ambient => "ambient light",
            LightKind::Directional => "directional light",
            LightKind::Point => "point light",
            LightKind::Spot { .. } => "spot light",
            LightKind::Area { .. } => "area light",
            LightKind::Other(kind) => kind,
        };
        self.text("kind", kind);
        if let LightKind::Spot { inner, outer, exponent } = &light.kind {
            self.numbers("cone", &[*inner, *outer]);
            self.numbers("exponent", &[*exponent]);
        }
        if matches!(light.kind, LightKind::Spot { .. } | LightKind::Directional | LightKind::Area { .. }) {
            self.numbers("direction", &direction);
        }
        let [r, g, b, _] = linear(scene, light.color).map(|c| c * light.intensity);
        self.numbers("color", &[r, g, b]);
        self.text("unit", &format!("{:?}", light.unit));
        let falloff = light.attenuation;
        let falloff = [falloff.constant, falloff.linear / unit, falloff.quadratic / unit / unit];
        self.numbers("attenuation", &falloff);
        self.optional("range", light.range.map(|range| Datum::Lengths(vec![range * unit])));
        for (name, color) in [("ambient", light.ambient), ("specular", light.specular)] {
            self.optional(name, color.map(|color| Datum::Numbers(linear(scene, color).into())));
        }
        // In all games, the class `light` is a point light.
        let mut properties = light.properties.clone();
        let is_kind = |key: &str, value: &Value| key == "classname" && value.as_text() == Some("light");
        properties.entries.retain(|(key, value)| light.kind != LightKind::Point || !is_kind(key, value));
        self.properties("properties", &properties);
    }

    fn camera(&mut self, camera: &Camera, unit: f64) {
        match camera.projection {
            Projection::Perspective { fov_y } => self.numbers("projection", &[fov_y]),
            Projection::Orthographic { half_height } => {
                self.push("projection", Datum::Lengths(vec![half_height * unit]));
            }
        }
        self.push("near", Datum::Lengths(vec![camera.near * unit]));
        self.optional("far", camera.far.map(|far| Datum::Lengths(vec![far * unit])));
        self.optional("aspect", camera.aspect.map(|aspect| Datum::Numbers(vec![aspect])));
        self.properties("properties", &camera.properties);
    }

    fn path(&mut self, path: &Path, world: &Transform, unit: f64) {
        let points = path.points.iter().flat_map(|point| world.point(point.position)).map(|c| c * unit).collect();
        self.push("points", Datum::Lengths(points));
        self.text("closed", if path.closed { "true" } else { "false" });
        let edges = path.edges.iter().map(|edge| format!("{}–{}", edge.from, edge.to)).collect::<Vec<_>>().join(" ");
        self.text("edges", &edges);
        let weights: Vec<f64> = path.edges.iter().map(|edge| edge.weight).collect();
        self.numbers("edges.weight", &weights);
        for (index, point) in path.points.iter().enumerate() {
            let tangents = point.tangents.map(|tangents| {
                Datum::Lengths(
                    tangents.into_iter().flat_map(|tangent| world.vector(tangent)).map(|c| c * unit).collect(),
                )
            });
            self.optional(&format!("points[{index}].tangents"), tangents);
            self.properties(&format!("points[{index}].properties"), &point.properties);
        }
        self.properties("properties", &path.properties);
    }

    fn entity(&mut self, entity: &Entity) {
        self.text("class", &entity.class);
        self.optional("model", entity.model.clone().map(Datum::Text));
        self.properties("properties", &entity.properties);
        for (index, connection) in entity.connections.iter().enumerate() {
            self.text(&format!("connections[{index}]"), &format!("{connection:?}"));
        }
    }

    fn material(&mut self, scene: &Scene, material: &Material, images: &[Datum]) {
        self.numbers("base_color", &linear(scene, material.base_color));
        self.numbers("metallic", &[material.metallic]);
        self.numbers("roughness", &[material.roughness]);
        let [r, g, b, _] = linear(scene, material.emissive);
        self.numbers("emissive", &[r, g, b]);
        let classic = material.classic.map(|classic| {
            let colors = [linear(scene, classic.ambient), linear(scene, classic.specular)].concat();
            Datum::Numbers([colors, vec![classic.shininess]].concat())
        });
        self.optional("classic", classic);
        self.optional("reference", material.reference.clone().map(Datum::Text));
        self.optional("texture_size", material.texture_size.map(|size| Datum::Numbers(size.map(f64::from).into())));
        self.text("double_sided", &material.double_sided.to_string());
        self.text("vertex_colors", &format!("{:?}", material.vertex_colors));
        match material.alpha {
            AlphaMode::Mask(limit) => self.numbers("alpha", &[limit]),
            alpha => self.text("alpha", &format!("{alpha:?}")),
        }
        for slot in &material.textures {
            self.optional(&format!("textures.{:?}", slot.usage), images.get(slot.image.index()).cloned());
            let settings = format!("UV set {}, {:?}, strength {}", slot.uv_set, slot.wrap, slot.strength);
            self.text(&format!("textures.{:?}.settings", slot.usage), &settings);
            let image = format!("images[{}]", slot.image.index());
            self.0.iter_mut().rev().take(2).for_each(|field| field.refers_to = Some(image.clone()));
        }
        self.properties("properties", &material.properties);
    }
}

/// Returns a colour in linear space.
fn linear(scene: &Scene, [r, g, b, a]: [f64; 4]) -> [f64; 4] {
    match scene.color_space {
        ColorSpace::Srgb => [srgb_to_linear(r), srgb_to_linear(g), srgb_to_linear(b), a],
        ColorSpace::Linear => [r, g, b, a],
    }
}

/// Returns the text of a property, which is the same for a number and its digits, for a list and its items, and for `true` and 1.
fn property_text(value: &Value) -> String {
    match value {
        Value::Bool(flag) => u8::from(*flag).to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(values) => values.iter().map(property_text).collect::<Vec<_>>().join(" "),
        // The code of a coordinate reference system defines its other keys.
        Value::Map(map) if map.get("epsg").is_some() => format!("EPSG {:?}", map.get("epsg")),
        Value::Map(map) => {
            map.iter().map(|(key, value)| format!("{key} {}", property_text(value))).collect::<Vec<_>>().join(" ")
        }
        Value::Bytes(_) => format!("{value:?}"),
    }
}

/// Returns a text that is equal for images of the same pixels or of the same path.
fn image_key(image: &Image, left: &mut usize) -> Datum {
    let known = |pixels: &Pixels, left: &mut usize| {
        let rest = left.checked_sub(pixels.data.len());
        *left = rest.unwrap_or(0);
        rest.map_or(Datum::Unknown, |_| Datum::Text(pixels_key(pixels)))
    };
    match &image.source {
        ImageSource::Pixels(pixels) => known(pixels, left),
        ImageSource::Encoded { data, .. } => {
            let mut losses = Losses::new();
            match mapwright::scene::images::decode_image(data, &image.name, *left, "", &mut losses) {
                Some(pixels) if losses.count(LossKind::Approximated) == 0 => known(&pixels, left),
                _ => Datum::Unknown,
            }
        }
        ImageSource::External { path } => Datum::Text(format!("path {}", path.replace('\\', "/"))),
    }
}

fn pixels_key(pixels: &Pixels) -> String {
    let wide: Vec<u8> = pixels
        .data
        .chunks(pixels.format.channels())
        .flat_map(|pixel| match (pixels.format, pixel) {
            (PixelFormat::L8, [l]) => [*l, *l, *l, 255],
            (PixelFormat::A8, [a]) => [255, 255, 255, *a],
            (PixelFormat::La8, [l, a]) => [*l, *l, *l, *a],
            (PixelFormat::Rgb8, [r, g, b]) => [*r, *g, *b, 255],
            (PixelFormat::Rgba8, [r, g, b, a]) => [*r, *g, *b, *a],
            _ => [0; 4],
        })
        .collect();
    format!("{} × {} pixels {}", pixels.width, pixels.height, digest(&[&wide]))
}

/// Returns a short text that differs if bytes differ.
fn digest(parts: &[&[u8]]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in parts.iter().copied().flatten() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}
